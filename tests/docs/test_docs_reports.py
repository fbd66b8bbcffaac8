"""docs/how-to/reports.md: its commands run, and its statements on pages are true."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")

from sledsim.charts.run_panels import _SEEKS, _STEPS
from sledsim.pages.page import ROWS_SHOWN

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "reports.md").read_text()
(COMMANDS,) = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.dear("commands of a page run as its reader types them")
@pytest.mark.parametrize("command", COMMANDS.splitlines())
def test_the_command_runs(command: str, tmp_path: Path) -> None:
    program, *words = shlex.split(command)
    assert program == "sledsim"
    done = subprocess.run(
        [sys.executable, "-m", "sledsim", *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (page,) = tmp_path.rglob("*.html")
    text = page.read_text()
    assert f'id="command">{command}<' in text
    if "--schedulers all" in command:
        assert "clook_lbn = " in text and ">all sstf<" in text


def test_the_page_names_the_limits_of_pages() -> None:
    for said in (f"first {ROWS_SHOWN} rows", f"at most {_STEPS} steps", f"shows {_SEEKS} of them"):
        assert said in " ".join(PAGE.split())
