"""docs/how-to/perfetto.md: its commands run, and it names every track and argument."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from ..runs.perfetto_reader import TraceFile

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "perfetto.md").read_text()
(COMMANDS,) = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("command", COMMANDS.splitlines())
def test_the_command_runs_and_what_it_writes_is_explained(command: str, tmp_path: Path) -> None:
    program, *words = shlex.split(command)
    assert program == "sledsim"
    done = subprocess.run(
        [sys.executable, "-m", "sledsim", *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (path,) = tmp_path.iterdir()
    file = TraceFile(path)
    rows = re.findall(r"(?m)^\| ([^|]+) \|", PAGE)
    tracks = {name for row in rows for name in row.replace("`", "").split(", ")}
    assert {track.name for track in file.tracks.values() if track.parent} <= tracks
    slices = [one for track in file.tracks.values() for one in track.slices]
    assert {name for one in slices for name in one.arguments} <= tracks
    inside = {phase.name for one in slices for phase in one.inside}
    assert inside and all(f"`{name}`" in PAGE for name in inside)
