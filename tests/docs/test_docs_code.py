"""Every block of Python in the documentation runs unchanged."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from ..conftest import is_long

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
#: Page and number of each block.
BLOCKS = {
    f"{page.stem}-{number}": code
    for page in PAGES
    for number, code in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL), 1)
}
#: Blocks that take longer than a second or two.
SLOW = ("comparing-1", "papers-1", "studies-1")


@pytest.mark.dear("a block of a page runs as a program", every_change="episodes-1")
@pytest.mark.parametrize("name", [name for name in BLOCKS if is_long() or name not in SLOW])
def test_the_block_runs(name: str, tmp_path: Path) -> None:
    # Written to a file, because processes that a block starts read it again.
    file = tmp_path / "block.py"
    file.write_text(BLOCKS[name])
    done = subprocess.run(
        [sys.executable, file], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_code_escapes_as_an_indented_block(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    assert re.findall(r"\n\n    .*", text) == []
