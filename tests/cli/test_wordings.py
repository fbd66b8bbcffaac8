"""The full wordings of errors, in one file; other tests look for the key, the expected and the found value.

``python -m tests.cli.test_wordings`` writes `wordings.txt` again, with the output of each of its commands in
a folder with the files named here.
"""

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from ..conftest import Cli

WORDINGS = Path(__file__).with_name("wordings.txt")
#: Files in the folder of the commands.
FILES = {
    "bad.trace": "1.0 0 5 8 1\n2.0 0 5 -1 1\n",
    "short.trace": "1.0 0 5 8 1\n2.0 0 5\n",
    "empty.trace": "",
    "picture.trace": "GIF89a garbage\n",
    "far.trace": "1.0 0 6749996 8 1\n",
    "key.toml": 'extends = "osdi00"\nsettle = 0.2\n',
    "value.toml": 'extends = "osdi00"\nsettle_ms = "0.2"\n',
    "range.toml": 'extends = "osdi00"\nsettle_ms = -1\n',
    "broken.toml": "settle_ms = \n",
    "loop.toml": 'extends = "loop.toml"\n',
    "study.toml": 'workload = "random:rate=100"\n',
}


def blocks() -> list[tuple[str, str]]:
    """Yield the commands of the file, each with its output."""
    found = WORDINGS.read_text(encoding="utf-8").split("\n$ ")
    return [(words, said) for one in found[1:] for words, _, said in [one.partition("\n")]]


def fill(folder: Path) -> None:
    for name, content in FILES.items():
        (folder / name).write_text(content, encoding="utf-8")


@pytest.mark.dear("wrong commands of every kind", every_change=True)
def test_errors_are_worded_as_in_the_file(cli: Cli, here: Path) -> None:
    fill(here)
    changed = []
    for words, said in blocks():
        done = cli(*shlex.split(words)[1:])
        assert done.returncode in (1, 2), words
        assert done.stdout == "", words
        # Other tests register policies, which stay among the known names.
        ours, theirs = (re.sub(r" known: .*", "", text.strip()) for text in (done.stderr, said))
        if ours != theirs:
            changed.append(f"$ {words}\n{ours}\nand not\n{theirs}")
    assert not changed, "\n\n".join(changed)


def main() -> None:
    """Write the current output of each command of the file."""
    heading = WORDINGS.read_text(encoding="utf-8").partition("\n$ ")[0]
    written = [heading]
    for words, _ in blocks():
        with tempfile.TemporaryDirectory() as folder:
            fill(Path(folder))
            asked = [sys.executable, "-m", *shlex.split(words)]
            done = subprocess.run(asked, cwd=folder, capture_output=True, text=True, check=False, timeout=60)
        written.append(f"$ {words}\n{done.stderr.strip()}\n")
    WORDINGS.write_text("\n".join(written), encoding="utf-8")


if __name__ == "__main__":
    main()
