"""Tables of a breakdown: figures of the requests, and the mean time in each phase of a response."""

import math

from ..common import units
from ..common.grids import Grid
from ..common.units import milliseconds
from ..runs.breakdown import PHASES, Breakdown


def parts(found: Breakdown) -> tuple[Grid, Grid]:
    """Return the two tables of a breakdown."""
    return _requests(found), _phases(found)


def _requests(parts: Breakdown) -> Grid:
    times = (">Mean ms", ">p50 ms", ">p99 ms", ">Max ms")
    made = Grid(("Of the requests", ">Requests", ">A second", ">MB/s", *times))
    last = "all"
    for one in parts.parts:
        if one.by != last:
            made.add_section()
        last = one.by
        responses = (one.mean_response_s, one.p50_response_s, one.p99_response_s, one.max_response_s)
        made.add_row(
            one.name,
            f"{one.requests:,}",
            *map(_rate, (one.rate_per_s, one.rate_bytes_per_s * 1e-6)),
            *map(milliseconds, responses),
        )
    return made


def _rate(value: float) -> str:
    """Return a rate as text; a dash if the rate is unknown because the run took no time."""
    return "-" if math.isnan(value) else units.number(value)


def _phases(parts: Breakdown) -> Grid:
    total = sum(parts.phases.values()) or 1.0
    rows = [
        (PHASES[name], milliseconds(seconds), f"{seconds / total:.1%}")
        for name, seconds in parts.phases.items()
        if seconds
    ]
    of_volume = ", with its part that was served last" if parts.is_volume else ""
    title = f"Where the time of a request goes, in the mean{of_volume}"
    return Grid(("Phase", ">ms", ">Share"), [*rows], title)
