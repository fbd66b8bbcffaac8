"""The web page of a run: figures, charts, slowest requests, settings and parameters."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import Any

import numpy as np

from ..common.citations import cited
from ..common.output_files import PathLike, writing
from ..common.tabular import joined
from ..common.units import duration, quantity
from ..errors import NotKeptError
from ..model.catalogue import devices
from ..model.devices import load_device
from ..model.volumes import name_of
from ..pages.page import Page, Table, figures_table, rendered, table
from ..runs.breakdown import PHASES, Breakdown, breakdown, phases_ns
from ..runs.kept_columns import kind_of
from ..runs.run import Run
from .grammar import alt
from .page_figures import figures
from .rendering import libraries, specification
from .run_panels import COLUMNS, run_panels
from .style import readable

#: Number of requests in the table of the slowest requests.
_SLOWEST = 20


def write_run_page(run: Run, path: PathLike) -> None:
    """Write the web page of a run to a file; the page works offline.

    Raises:
        OSError: The file cannot be written; an incomplete file is removed.
    """
    text = rendered(run_page(run), libraries())
    with writing(path) as file:
        file.write(text.encode())


def run_page(run: Run) -> Page:
    """Build the web page of a run, without the charts for which the run kept no columns."""
    chart = specification(readable(alt.vconcat(*run_panels(run))))
    on = name_of(run.settings.parameters)
    found = _breakdown(run)
    words = [] if found is None else found.in_words(on, run.summary()["utilization"])
    tables = [figures_table("Figures", run.summary())]
    if len(run.devices) > 1:
        tables.append(table("Devices", run.devices))
    counted = joined(run.volumes, run.device_counts)
    tables += [
        figures_table(f"Counted by {name or on}", counts) for name, counts in counted.items() if counts
    ]
    return Page(
        title=f"{run.settings.trace} on {on}",
        verdict=_verdict(run),
        says=[
            *_says(run),
            *words,
            *run.bursts_in_words(),
            *(f"Doubtful: {doubt}." for doubt in run.settings.doubts),
        ],
        parts=[*figures(chart).figures, *_groups(found), *_slowest(run), *tables],
        about=[_settings(run), _parameters(run.settings.parameters)],
    )


def _verdict(run: Run) -> str:
    found = run.summary()
    shown = {name: quantity(name, found[name]) for name in ("mean_response_s", "p99_response_s", "energy_j")}
    return (
        f"{found['requests']:,} requests in {duration(found['span_s'])} under {run.settings.scheduler}:"
        f" mean response {shown['mean_response_s']}, 99 % within {shown['p99_response_s']},"
        f" busy {found['utilization']:.1%} of the time, {shown['energy_j']}."
    )


def _says(run: Run) -> list[str]:
    """Return a sentence on missing charts and the reason; an empty list if no chart is missing."""
    missing = [name for name in COLUMNS if name not in run.columns]
    if not missing:
        return []
    which = "no columns" if not run.columns else f"not the columns {', '.join(missing)}"
    return [
        f"This run kept {which} in memory: charts over time, of seeks and of single requests are missing."
        " A written file has all columns; 'sledsim.read_run' reads it."
    ]


def _breakdown(run: Run) -> Breakdown | None:
    """Return the breakdown of response times by phase; None if the run did not keep the columns for it."""
    with suppress(NotKeptError):
        return breakdown(run)
    return None


def _groups(found: Breakdown | None) -> list[Table]:
    """Return a table with a row for all reads, all writes, metadata, each device and each class."""
    if found is None:
        return []
    rows = [{key: value for key, value in asdict(one).items() if key != "by"} for one in found.parts]
    return [table("Groups of requests", rows, folded=False)]


def _slowest(run: Run) -> list[Table]:
    """Return a table of the slowest requests, with the time that each spent in each phase."""
    if any(name not in run.columns for name in COLUMNS):
        return []
    slowest = np.argsort(-run.response_ns, kind="stable")[:_SLOWEST]
    columns = {name: run.columns[name][slowest].tolist() for name in COLUMNS}
    responses = run.response_ns[slowest].tolist()
    spent = {PHASES[name]: values[slowest] for name, values in phases_ns(run.columns).items()}
    # The table leaves out phases that take no time in any of these requests.
    phases_s = {name: (values * 1e-9).tolist() for name, values in spent.items() if values.any()}
    rows = [
        {
            "request": int(at),
            "arrival_s": (columns["arrival_ns"][row] - run.totals["first_arrival_ns"]) * 1e-9,
            "kind": kind_of(run.columns, at),
            "first sector": columns["lbn"][row],
            "sectors": columns["blocks"][row],
            "response_s": responses[row] * 1e-9,
            **{f"{name}_s": values[row] for name, values in phases_s.items()},
        }
        for row, at in enumerate(slowest)
    ]
    return [table("The slowest requests", rows, folded=False)]


def _settings(run: Run) -> Table:
    """Return a table of the settings of the run, without the parameters of the device."""
    how = run.settings
    shown = {
        "trace": how.trace,
        "scheduler": how.scheduler_in_full,
        "speed-up of the trace": f"{how.scale:g}",
        "replay": how.replay,
        "past the end of the device": how.past_end,
        "seed": "-" if how.seed is None else str(how.seed),
        **{f"left out: {kind}": f"{count:,}" for kind, count in how.skipped.items()},
    }
    return Table("Origin of the run", ("Setting", "Value"), [[*row] for row in shown.items()])


def _parameters(parameters: Mapping[str, Any]) -> Table:
    """Return a table of the parameters of the device or volume; changed parameters come first."""
    built_in = _built_in(str(parameters.get("name", "")))
    rows = []
    for key, value in parameters.items():
        usual = built_in.get(key, value)
        rows.append([key, cited(str(value)), "" if value == usual else f"changed: {usual} in the file"])
    rows.sort(key=lambda row: not row[2])
    return Table("Parameters of the device", ("Parameter", "Value", "Changed"), rows)


def _built_in(name: str) -> Mapping[str, Any]:
    """Return the parameters of the built-in device with this name; empty if no such device exists."""
    return load_device(name).parameters if name in devices() else {}
