"""``sledsim trace fit``: a generator that is learnt from a trace, and what it keeps of it."""

import math
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from ..common.units import duration, number, size
from .options import JsonOption, Reading
from .output import print_json, print_note, print_table, table
from .trace_options import DrawnForOption, TracePath

FileOption = Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The file to write, TOML.")]
_HEADINGS = ("Trace", "Fitted", "Difference")


def fit(
    *,
    trace: TracePath,
    out: FileOption,
    device_name: DrawnForOption = "osdi00",
    reading: Reading,
    as_json: JsonOption = False,
) -> None:
    """Fit a workload to a trace, drawn as 'fitted:file=FILE'; report which statistics it preserves."""
    from ..common.files import check_writable
    from ..traces.fitting import fit_workload
    from .workloads import open_source

    check_writable(out)
    with open_source(trace, reading, "Fitting", device_name) as stream:
        fitted = fit_workload(stream)
    fitted.write(out)
    rows = fitted.kept().to_pylist()
    if as_json:
        notes = list(fitted.notes)
        print_json({"source": fitted.source, "requests": fitted.requests, "kept": rows, "notes": notes})
    else:
        texts = (
            (row["statistic"], _text(row, "trace"), _text(row, "fitted"), _difference(row), row["kept"])
            for row in rows
        )
        made = table("Statistic", *_HEADINGS, "Kept", numbers=_HEADINGS, rows=texts)
        print_table(f"{fitted.source}: {fitted.requests:,} reads and writes", made)
    about = fitted.statistics.notes if fitted.statistics else ()
    print_note(*about, *fitted.notes, f"written to {out}: draw it with {shlex.quote(f'fitted:file={out}')}")


def _text(row: Mapping[str, Any], key: str) -> str:
    value, unit = row[key], row["unit"]
    if value is None or math.isnan(value):
        return ""
    if unit == "share":
        return f"{value:.1%}"
    if unit == "bytes":
        return size(value)
    if unit == "s":
        return duration(value)
    return f"{number(value)} {unit}".strip()


def _difference(row: Mapping[str, Any]) -> str:
    value = row["difference"]
    if row["is_relative"]:
        return f"{value:+.1%}"
    return f"{100 * value:+.1f} points" if row["unit"] == "share" else f"{value:+.2f}"
