"""``sledsim sweep``: many points, kept as they come."""

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from .. import _native
from . import options, sweep_upkeep
from .commands import App, Group
from .groups import spread
from .interruption import kept_in
from .output import print_json, print_note, print_table, print_text
from .progress import counted_progress
from .sweep_options import Asked, Place, WorkloadsArgument
from .sweep_tables import points_table, reasons_table

if TYPE_CHECKING:
    from ..exploration import Sweep
    from ..exploration.study import Study


app = App(
    name="sweep",
    cls=Group,
    help="Run every combination of devices, parameters, workloads and policies; what is done is kept.",
    epilog="'sledsim sweep demo --over settle_ms=0.1:0.4:0.1 --out study' is for 'sledsim sweep run ...'",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def run(
    *,
    workloads: WorkloadsArgument,
    asked: Asked,
    out: Annotated[
        Path | None,
        options.of_output(help="The folder that keeps the rows. The same command goes on there."),
    ] = None,
    place: Place,
    as_json: options.JsonOption = False,
) -> None:
    """Run every combination that has no row yet, and keep each row as soon as it is done.

    Stopped in any way, the same command goes on: rows are known by what they are of, so that another study in
    the same folder uses them, too. A point that cannot be run is a row that says why.
    """
    from ..exploration.shards import Shard
    from ..exploration.sweep import run_study

    study = asked.study(workloads)
    if out is None:
        raise _native.ParameterError("--out: expected a folder that keeps the rows, found none")
    if place.slurm is not None:
        _print_script(place, out)
        return
    _note(study)
    points = Shard.of(place.shard).numbers(len(study))
    with kept_in(out), counted_progress("Simulating", len(points), "points") as report:
        found = run_study(study, out, progress=report.both, **place.arguments())
    print_note(*found.notes)
    _show(found, as_json)


def _print_script(place: Place, out: Path) -> None:
    from ..common.files import make_folder
    from ..exploration.slurm import script

    if place.shard is not None:
        raise _native.ParameterError("--shard is not for --slurm, whose tasks are the shards")
    assert place.slurm is not None
    words = _without(["sledsim", *sys.argv[1:]], "--slurm", "--workers")
    text = script(words, place.slurm, str(out), place.workers)
    make_folder(out)
    print(text, end="")


def _without(words: list[str], *options: str) -> list[str]:
    """The words of a command without some options that have a value each."""
    found, rest = [], iter(words)
    for word in rest:
        if word in options:
            next(rest, None)
        elif not word.startswith(tuple(f"{option}=" for option in options)):
            found.append(word)
    return found


def _note(study: "Study") -> None:
    """Say which options mean nothing for some of the workloads."""
    traces = [requests.name for requests in study.workloads if not requests.is_drawn]
    if traces and (study.precision is not None or study.count is not None or study.replications != 5):
        print_note(
            f"{', '.join(traces)}: a trace is the same in every run, so that each of its points is one run,"
            " with intervals from batches of requests; replications, count and precision are for workloads"
            " that are drawn"
        )


def _show(found: "Sweep", as_json: bool) -> None:
    counts: dict[str, int] = {}
    wide = 0
    for row in found.rows():
        counts[row["status"]] = counts.get(row["status"], 0) + 1
        wide += row["is_precise"] is False
    reasons = found.reasons()
    if as_json:
        about = {"folder": str(found.folder), "points": len(found), "done": found.done, "status": counts}
        print_json({**about, "not_precise": wide, "reasons": reasons})
    else:
        print_table(*points_table(found))
        parts = ", ".join(f"{count:,} {name}" for name, count in counts.items())
        print_text(f"{found.done:,} of {len(found):,} points: {parts}.")
        print_table(None, reasons_table(reasons))
        if wide:
            print_text(f"Not as precise as asked for, with the most replications: {wide:,} points.")
        print_text(f"All rows as Parquet and CSV: sledsim sweep table {shlex.quote(str(found.folder))}")
    if counts.get("failed", 0) == found.done > 0:
        raise _native.TraceError(f"all {found.done:,} points failed: {next(iter(reasons))}")


_COMMANDS: dict[str, Callable[..., None]] = {
    Group.default: run,
    "status": sweep_upkeep.status,
    "merge": sweep_upkeep.merge,
    "verify": sweep_upkeep.verify,
    "table": sweep_upkeep.write_table,
    "plot": sweep_upkeep.draw,
}
for _name, _command in _COMMANDS.items():
    app.command(_name)(spread(_command))
