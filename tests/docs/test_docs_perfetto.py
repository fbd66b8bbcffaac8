"""docs/how-to/perfetto.md: its commands run, and it names every track and argument."""

import re
import shlex
from pathlib import Path

import pytest

from ..conftest import Cli
from ..runs.perfetto_reader import TraceFile

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "perfetto.md").read_text()
(COMMANDS,) = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.dear("a timeline of the bundled trace is written", every_change=COMMANDS.splitlines()[-1])
@pytest.mark.parametrize("command", COMMANDS.splitlines())
def test_the_command_runs_and_what_it_writes_is_explained(cli: Cli, here: Path, command: str) -> None:
    program, *words = shlex.split(command)
    assert program == "sledsim"
    done = cli(*words)
    assert done.returncode == 0, done.stderr
    (path,) = here.iterdir()
    file = TraceFile(path)
    rows = re.findall(r"(?m)^\| ([^|]+) \|", PAGE)
    tracks = {name for row in rows for name in row.replace("`", "").split(", ")}
    assert {track.name for track in file.tracks.values() if track.parent} <= tracks
    slices = [one for track in file.tracks.values() for one in track.slices]
    assert {name for one in slices for name in one.arguments} <= tracks
    inside = {phase.name for one in slices for phase in one.inside}
    assert inside and all(f"`{name}`" in PAGE for name in inside)
