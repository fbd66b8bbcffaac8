"""Tables of a run: summary, energy, devices, and counters."""

from collections.abc import Iterator, Mapping
from typing import Any

from .. import _native
from ..common.grids import Grid, facts
from ..common.tabular import joined
from ..common.units import label, quantity
from ..runs.run import Run


def parts(result: Run, inference: Mapping[str, Any] | None = None) -> Iterator[Grid]:
    """Yield the tables that show a run: first its summary, then the others.

    Args:
        result: Run to show.
        inference: Figures on how arrivals were inferred from completions; the first table shows them below
            the summary.
    """
    yield facts(run_figures(result, inference), "Figures")
    yield _energy(result)
    if len(result.devices) > 1:
        yield _devices(result)
    own = ((f"{heading} of {of}", counts) for heading, of, counts in counts_of(result))
    for title, counts in [*result.volumes.items(), *own]:
        if counts:
            yield facts(counts, title or "Volume")


def run_figures(result: Run, inference: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the summary of a run, without figures that its device lacks, such as seeks of flash."""
    figures = joined(result.summary(), inference or {})
    if not figures["mean_positioning_s"]:
        del figures["mean_positioning_s"]
    return figures


def _energy(result: Run) -> Grid:
    uses = {use: joules for use, joules in result.energy_by_use_j.items() if joules}
    total_j = sum(uses.values()) or 1.0
    rows = [(use, quantity("energy_j", joules), f"{joules / total_j:.1%}") for use, joules in uses.items()]
    return Grid(("Use", ">Energy", ">Share"), [*rows], "Energy")


def counts_of(result: Run) -> Iterator[tuple[str, str, dict[str, float]]]:
    """Yield the heading, the device's name and the counts of each table of counters that a device has."""
    for name, counts in result.device_counts.items():
        for heading, counters in _native.device_counters():
            if own := {key: counts[key] for key, _ in counters if key in counts}:
                yield heading, name, own


def _devices(result: Run) -> Grid:
    figures = ("share", "requests", "background_requests", "mean_queue_length", "utilization", "energy_j")
    rows = [
        (row["device"], f"{row['share']:.1%}", *(quantity(key, row[key]) for key in figures[1:]))
        for row in result.devices
    ]
    return Grid(("Device", *(f">{label(figure)}" for figure in figures)), [*rows], "Devices")
