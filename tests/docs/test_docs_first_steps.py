"""The commands that a newcomer types first: those of the README and of the first hour, in their order."""

import re
import shlex

import pytest

from tests.conftest import Cli
from tests.docs.test_docs_links import ROOT

PAGES = {"README.md": 5, "docs/tutorials/first-hour.md": 11}


def commands(page: str) -> list[list[str]]:
    """Yield the words of every line in a block of shell that calls ``sledsim``."""
    blocks = re.findall(r"^```sh\n(.*?)^```", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.splitlines() if line.startswith("sledsim ")]
    return [shlex.split(line, comments=True)[1:] for line in lines]


@pytest.mark.dear("commands of a page run as its reader types them", every_change="README.md")
@pytest.mark.parametrize("page", PAGES)
def test_the_first_commands_run(cli: Cli, page: str) -> None:
    lines = commands(page)
    assert len(lines) == PAGES[page]
    for words in lines:
        if words[0] == "serve":
            # The server runs until a user ends it; here it runs a command.
            done = cli(*words, "--", "true")
            assert (done.returncode, done.stdout) == (0, ""), done.stderr
            continue
        # A bundled trace stands for the reader's own.
        done = cli(*("demo" if word == "my.trace.zst" else word for word in words))
        assert done.returncode == 0, (words, done.stderr)
        assert done.stdout.strip()
