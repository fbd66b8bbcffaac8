"""``sledsim run`` of several traces: one table."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.table import Table

from .. import _native
from ..common import units
from .output import listed, milliseconds, print_error, print_json, print_note, print_table, table
from .run_tables import figures_of
from .running import Asked, DoesNotFitError, Replayed, again, replay
from .trace_names import name_of

if TYPE_CHECKING:
    from collections.abc import Sequence

#: What is said of a file that is no trace, and what one raises that cannot be replayed.
_NO_TRACE = ": expected a trace"
_WRONG = (_native.ParameterError, _native.TraceError, OSError)


def run_many(
    traces: "Sequence[str]", named: "Sequence[str]", asked: Asked, out: Path | None, as_json: bool
) -> None:
    """Replay traces one after the other; one that cannot be is a row with its reason, and the status is 1.

    Args:
        traces: All of them.
        named: Those that were named, and not found in a folder.
        asked: How they are replayed.
        out: A folder for the requests.
        as_json: Whether JSON is printed.

    Raises:
        TraceError: There is no trace among them.
    """
    files = _outputs(traces, out)
    rows: list[tuple[str, Replayed | str]] = []
    no_traces: list[str] = []
    are_all_near = True
    for at, (trace, file) in enumerate(zip(traces, files, strict=True), 1):
        print_note(f"{at} of {len(traces)}: {trace}")
        try:
            rows.append((trace, replay(trace, asked, file, tells=False)))
        except _WRONG as error:
            are_all_near = are_all_near and not isinstance(error, DoesNotFitError)
            # Beside the traces of a folder there may be other files.
            if trace not in named and _NO_TRACE in str(error):
                no_traces.append(trace)
            else:
                rows.append((trace, _reason(error)))
    print_note(*(f"left out, as it is no trace: {name}" for name in no_traces))
    if not rows:
        raise _native.TraceError(f"expected a trace or more, found none among {len(no_traces):,} files")
    if as_json:
        print_json([_as_json(trace, found) for trace, found in rows])
    else:
        how = f"{asked.scheduler or 'sptf'}, scale {asked.scale:g}"
        print_table(f"{len(rows):,} traces on {asked.model.name}, {how}", _table(rows))
        _print_reasons(rows)
    if not are_all_near:
        print_note(f"what makes them fit: {again('--fit')}")
    if out is not None:
        written = [file for file in files if file is not None and file.exists()]
        print_note(f"requests written to {listed(written)}")
    if any(isinstance(found, str) for _, found in rows):
        raise typer.Exit(1)


def _outputs(traces: "Sequence[str]", out: Path | None) -> list[Path | None]:
    """A file in a folder for the requests of each trace."""
    from ..common.files import make_folder

    if out is None:
        return [None] * len(traces)
    make_folder(out)
    names = [name_of(trace) for trace in traces]
    return [
        out / (f"{name}.parquet" if names.count(name) == 1 else f"{name}-{at}.parquet")
        for at, name in enumerate(names, 1)
    ]


def _reason(error: BaseException) -> str:
    if isinstance(error, DoesNotFitError):
        return error.lack
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return error.strerror
    return str(error)


def _as_json(trace: str, found: Replayed | str) -> dict[str, Any]:
    if isinstance(found, str):
        return {"trace": trace, "error": found}
    how = found.run.settings
    about = {"trace": trace, "device": found.target.name, "scheduler": how.scheduler, "scale": how.scale}
    return {**about, "replay": how.replay, **figures_of(found)}


def _table(rows: "Sequence[tuple[str, Replayed | str]]") -> Table:
    headings = ("Requests", "A second", "MB/s", "Reads %", "Mean ms", "p99 ms", "Busy %", "Energy J")
    made = table("Trace", *headings, "Kept up", "Fits", numbers=headings)
    names = [Path(trace).name for trace, _ in rows]
    for (trace, found), name in zip(rows, names, strict=True):
        if names.count(name) == 1 and name:
            trace = name
        if isinstance(found, str):
            made.add_row(trace, *[""] * (len(headings) + 1), "failed")
            continue
        figures = found.run.summary()
        made.add_row(
            trace,
            f"{figures['requests']:,}",
            *_rates(found),
            milliseconds(figures["mean_response_s"]),
            milliseconds(figures["p99_response_s"]),
            f"{figures['utilization']:.1%}".rstrip("%"),
            f"{figures['energy_j']:,.2f}",
            "" if found.parts is None else "yes" if found.parts.kept_up else "no",
            "" if found.fit is None else _how(found),
        )
    return made


def _rates(found: Replayed) -> tuple[str, str, str]:
    if found.parts is None or found.overview is None:
        return units.number(found.run.totals["requests"] / (found.run.span_s or float("nan"))), "", ""
    every = found.parts.parts[0]
    return (
        units.number(every.rate_per_s),
        units.number(every.rate_bytes_per_s * 1e-6),
        f"{found.overview.read_share:.0%}".rstrip("%"),
    )


def _how(found: Replayed) -> str:
    assert found.fit is not None
    counted = {"sleds": "sleds", "devices": "devices", "larger": "sleds"}.get(found.fit.how)
    if found.fit.how == "larger":
        return f"{found.target.name}, {found.fit.count} sleds"
    return found.fit.how if counted is None else f"{found.fit.count} {counted}"


def _print_reasons(rows: "Sequence[tuple[str, Replayed | str]]") -> None:
    for trace, found in rows:
        if isinstance(found, str):
            print_error(found if found.startswith(trace) else f"{trace}: {found}")
        elif found.fit is not None and found.fit.how != "as it is":
            print_note(f"{trace}: {found.fit.sentence()}")
