"""No path of a command takes the place of another."""

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
import typer

from sledsim.cli import paths
from sledsim.cli.app import app

from ..conftest import Cli


def path_options(command: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Every option of every command that is a path."""
    for below, one in getattr(command, "commands", {}).items():
        yield from path_options(one, f"{name} {below}".strip())
    if getattr(command, "callback", None) is None or hasattr(command, "commands"):
        return
    types = {
        given.name: given.annotation
        for given in inspect.signature(command.callback, eval_str=True).parameters.values()
    }
    for parameter in command.params:
        annotation = types.get(parameter.name)
        kinds = get_args(annotation)[:1] or (annotation,)
        if (
            any(kind is Path or Path in get_args(kind) for kind in kinds)
            and parameter.param_type_name == "option"
        ):
            yield name, max(parameter.opts, key=len)


OPTIONS = list(path_options(typer.main.get_command(app)))


def test_every_option_that_is_a_path_is_known() -> None:
    """An option that is not in the tables would be taken for one that is only read."""
    assert {option for _, option in OPTIONS} == {*paths.WRITTEN, *paths.READ}
    assert len(OPTIONS) > 30


#: A command with all that it needs, and a file that it reads: TRACE.
READING = [
    "run TRACE --out TRACE",
    "run TRACE --format disksim --report TRACE",
    "run demo --out x.parquet --report x.parquet",
    "run demo --report x.html --perfetto x.html",
    "compare TRACE --out TRACE",
    "explain TRACE 1 --report TRACE",
    "certify TRACE --out ./TRACE",
    "crash TRACE --image 1 --out TRACE",
    "bounds TRACE --out TRACE",
    "trace convert TRACE --out TRACE",
    "trace slice TRACE --out TRACE --from 0",
    "trace merge TRACE TRACE --out TRACE",
    "trace fit TRACE --out TRACE",
    "trace popularity TRACE --out TRACE",
    "import disksim TRACE --out TRACE",
    "run demo --faults TRACE --out TRACE",
    "run demo --device TRACE --report TRACE",
]


@pytest.mark.parametrize("command", READING)
def test_no_command_replaces_what_it_reads(command: str, cli: Cli, here: Path) -> None:
    file = here / "some.trace"
    file.write_text("0.0 0 0 8 1\n")
    done = cli(*command.replace("TRACE", file.name).split())
    assert done.returncode == 2 and "expected two files, found one for both" in " ".join(done.stderr.split())
    assert file.read_text() == "0.0 0 0 8 1\n" and list(here.iterdir()) == [file]


@pytest.mark.parametrize("folder", [".", "/", "", ".."])
@pytest.mark.parametrize("words", ["run file.csv", "trace convert file.csv", "crash file.csv"])
def test_a_folder_without_a_name_is_one(words: str, folder: str, cli: Cli, here: Path) -> None:
    (here / "file.csv").write_text("time,lbn,size,op\n0,0,4096,R\n")
    answer = cli(*words.split(), "--out", folder)
    assert answer.returncode in (1, 2)
    assert "Traceback" not in answer.stderr and "error: " in answer.stderr
