"""``sledsim run`` of several traces: one table, and one page."""

import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.table import Table

from .. import _native
from ..common import units
from ..common.charted import write_side_by_side
from ..common.errors import add_place
from .output import listed, milliseconds, print_error, print_json, print_note, print_table, table
from .run_outputs import Outputs, write_page
from .run_tables import figures_of
from .running import Asked, DoesNotFitError, Replayed, again, replay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..runs.side_by_side import Entry

#: Errors of a trace that cannot be replayed.
_WRONG = (_native.ParameterError, _native.TraceError, OSError)


def run_many(
    traces: "Sequence[str]", named: "Sequence[str]", asked: Asked, outputs: Outputs, as_json: bool
) -> None:
    """Replay traces one after the other; one that cannot be is a row with its reason, and the status is 1.

    Args:
        traces: All of them.
        named: Those that were named, and not found in a folder.
        asked: How they are replayed.
        outputs: A folder for the requests, and a page.
        as_json: Whether JSON is printed.

    Raises:
        TraceError: There is no trace among them.
    """
    from ..runs.side_by_side import Entry, entry

    files = outputs.files(traces)
    entries: list[Entry] = []
    told: list[dict[str, Any]] = []
    notes: list[str] = []
    no_traces: list[str] = []
    are_all_near = True
    for at, (trace, file) in enumerate(zip(traces, files, strict=True), 1):
        print_note(f"{at} of {len(traces)}: {trace}")
        try:
            found = replay(trace, asked, file, tells=False)
        except _WRONG as error:
            are_all_near = are_all_near and not isinstance(error, DoesNotFitError)
            # Beside the traces of a folder there may be other files.
            if trace not in named and isinstance(error, _native.NotATraceError):
                no_traces.append(trace)
            else:
                reason = _reason(error, trace)
                entries.append(Entry(trace, error=reason))
                told.append({"trace": trace, "error": reason})
            continue
        # What is told of a run is kept, and not its requests.
        entries.append(entry(found.run, trace, found.parts, _how(found)))
        told += [_as_json(trace, found)] if as_json else []
        if found.fit is not None and found.fit.how != "as it is":
            notes.append(f"{trace}: {found.fit.sentence()}")
    print_note(*(f"left out, as it is no trace: {name}" for name in no_traces))
    if not entries:
        raise _native.TraceError(f"expected a trace or more, found none among {len(no_traces):,} files")
    if as_json:
        print_json(told)
    else:
        how = f"{asked.scheduler or 'sptf'}, scale {asked.scale:g}"
        print_table(f"{len(entries):,} traces on {asked.model.name}, {how}", _table(entries))
        _print_reasons(entries)
        print_note(*notes)
    if not are_all_near:
        print_note(f"what makes them fit: {again('--fit')}")
    if outputs.out is not None:
        print_note(f"requests written to {listed([file for file in files if file and file.exists()])}")
    _write_report(entries, outputs.report)
    if any(one.error for one in entries):
        raise typer.Exit(1)


def _write_report(entries: "Sequence[Entry]", path: Path | None) -> None:
    """Write the page of several runs, if it is asked for and there is one."""
    if path is None:
        return
    if all(one.error for one in entries):
        print_note("no report: no trace could be run")
        return
    write_page(partial(write_side_by_side, entries), path)


def _reason(error: "_native.ParameterError | _native.TraceError | OSError", trace: str) -> str:
    """The reason why a trace cannot be run, behind its name."""
    if isinstance(error, DoesNotFitError):
        return error.lack
    if isinstance(error, OSError):
        return f"{trace}: {error.strerror if error.filename is not None and error.strerror else error}"
    return str(add_place(error, trace))


def _as_json(trace: str, found: Replayed) -> dict[str, Any]:
    how = found.run.settings
    about = {"trace": trace, "device": found.target.name, "scheduler": how.scheduler, "scale": how.scale}
    return {**about, "replay": how.replay, **figures_of(found)}


def _table(entries: "Sequence[Entry]") -> Table:
    headings = ("Requests", "A second", "MB/s", "Reads %", "Mean ms", "p99 ms", "Busy %", "Energy J")
    made = table("Trace", *headings, "Kept up", "Fits", numbers=headings)
    names = [Path(one.trace).name for one in entries]
    for one, name in zip(entries, names, strict=True):
        trace = name if names.count(name) == 1 and name else one.trace
        if one.error:
            made.add_row(trace, *[""] * (len(headings) + 1), "failed")
            continue
        figures = one.row()
        made.add_row(
            trace,
            f"{figures['requests']:,}",
            _known(units.number, figures["requests_per_s"]),
            _known(units.number, figures["data_bytes_per_s"] * 1e-6),
            _known(_per_cent, figures["read_share"]),
            milliseconds(figures["mean_response_s"]),
            milliseconds(figures["p99_response_s"]),
            f"{figures['utilization']:.1%}".rstrip("%"),
            f"{figures['energy_j']:,.2f}",
            "" if one.kept_up is None else "yes" if one.kept_up else "no",
            one.fit,
        )
    return made


def _known(text: Callable[[float], str], value: float) -> str:
    return "" if math.isnan(value) else text(value)


def _per_cent(share: float) -> str:
    return f"{share:.0%}".rstrip("%")


def _how(found: Replayed) -> str:
    """How a trace was made to fit, in a word or two."""
    if found.fit is None:
        return ""
    counted = {"sleds": "sleds", "devices": "devices"}.get(found.fit.how)
    if found.fit.how == "larger":
        return f"{found.target.name}, {found.fit.count} sleds"
    return found.fit.how if counted is None else f"{found.fit.count} {counted}"


def _print_reasons(entries: "Sequence[Entry]") -> None:
    for one in entries:
        if one.error:
            print_error(one.error)
