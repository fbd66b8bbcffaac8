"""Tables of a breakdown: figures of the requests, and the mean time in each phase of a response."""

import math
from collections.abc import Sequence

from ..common import units
from ..common.grids import Grid
from ..common.units import milliseconds
from ..runs.breakdown import PHASES, Breakdown, Part

#: Largest number of devices, and of block classes, in the table; the last row sums up all others.
_SHOWN = 12


def parts(found: Breakdown) -> tuple[Grid, Grid]:
    """Return the two tables of a breakdown."""
    return _requests(found), _phases(found)


def _requests(parts: Breakdown) -> Grid:
    times = (">Mean ms", ">p50 ms", ">p99 ms", ">Max ms")
    made = Grid(("Of the requests", ">Requests", ">A second", ">MB/s", *times))
    for by in dict.fromkeys(one.by for one in parts.parts):
        made.add_section()
        those = [one for one in parts.parts if one.by == by]
        busiest = sorted(those, key=lambda one: -one.requests)
        shown, left = busiest[:_SHOWN], busiest[_SHOWN:]
        for one in filter(shown.__contains__, those):
            responses = (one.mean_response_s, one.p50_response_s, one.p99_response_s, one.max_response_s)
            made.add_row(one.name, *_rates([one]), *map(milliseconds, responses))
        if left:
            count, max_s = sum(one.requests for one in left), max(one.max_response_s for one in left)
            mean_s = sum(one.mean_response_s * one.requests / count for one in left)
            times = (milliseconds(mean_s), "", "", milliseconds(max_s))
            made.add_row(f"and {len(left):,} more", *_rates(left), *times)
    return made


def _rates(those: Sequence[Part]) -> tuple[str, ...]:
    """Return the number and the rates of the requests of some parts together, as texts."""
    rates = (sum(one.rate_per_s for one in those), 1e-6 * sum(one.rate_bytes_per_s for one in those))
    return f"{sum(one.requests for one in those):,}", *map(_rate, rates)


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
