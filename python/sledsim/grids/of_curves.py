"""Tables of curves: figures at each load, and the load that saturates each policy."""

import math
from collections.abc import Iterator, Sequence

from ..common import units
from ..common.grids import Grid
from ..runs.curve_points import CurvePoint
from ..runs.curves import Curves
from ..runs.intervals import Estimate

#: Columns of the table: heading, name of the figure, factor that converts it to the unit of the heading, and
#: number of decimals (None shows the figure with its interval).
_FIGURES: Sequence[tuple[str, str, float, int | None]] = (
    ("Mean ms", "mean_response_s", 1e3, None),
    ("cv²", "cv2_response", 1.0, None),
    ("p50 ms", "p50_response_s", 1e3, None),
    ("p95 ms", "p95_response_s", 1e3, None),
    ("p99 ms", "p99_response_s", 1e3, None),
    ("p99.9 ms", "p999_response_s", 1e3, None),
    ("Max ms", "max_response_s", 1e3, 1),
    ("Queue", "mean_queue_length", 1.0, 2),
    ("Busy %", "utilization", 1e2, 1),
)
#: Largest number of rows of the table; to keep to it, the table omits some of the loads.
_ROWS_SHOWN = 120


def parts(curves: Curves) -> Iterator[Grid | str]:
    """Yield the tables of curves: figures by load and policy, then the saturating load of each policy."""
    loads = _shown_loads(curves)
    yield _table(curves, loads)
    if len(loads) < len(curves.loads):
        yield f"{len(loads)} of the {len(curves.loads)} rates are shown; the files have all."
    yield _saturation(curves)
    yield from curves.conclusions()
    yield from curves.notes


def _shown_loads(curves: Curves) -> list[float]:
    """Return the loads to show: all, or an even selection with the lowest and the highest load."""
    loads = curves.loads
    most = max(2, _ROWS_SHOWN // len(curves.schedulers))
    if len(loads) <= most:
        return loads
    return [loads[round(at * (len(loads) - 1) / (most - 1))] for at in range(most)]


def _table(curves: Curves, loads: Sequence[float]) -> Grid:
    rate = "Rate" if curves.load_key == "rate_per_s" else units.heading(curves.load_key).capitalize()
    made = Grid((f">{rate}", "Scheduler", *(f">{heading}" for heading, *_ in _FIGURES)), keys=2, split=4)
    for load in loads:
        made.add_section()
        shown = f"{load:,g}"
        for point in curves.points:
            if point.load == load:
                made.add_row(shown, point.scheduler, *_point_cells(point))
                shown = ""
    return made


def _point_cells(point: CurvePoint) -> list[str]:
    if point.saturated:
        return ["not at rest" if point.unsettled else "saturated"]
    return [_cell(point.estimates[name], times, places) for _, name, times, places in _FIGURES]


def _cell(estimate: Estimate, times: float, places: int | None) -> str:
    value, half = estimate.value * times, estimate.half_width * times
    if math.isnan(value):
        return "too short"
    if places is not None:
        return f"{value:,.{places}f}"
    return units.estimate(value, half)


def _saturation(curves: Curves) -> Grid:
    rows = [(name, _sustained(curves, name), beyond(curves, name)) for name in curves.schedulers]
    return Grid(("Scheduler", ">Keeps up at", ">Saturated at"), [*rows], "Saturation")


def _sustained(curves: Curves, name: str) -> str:
    sustained = curves.saturation(name).sustained
    return f"{sustained:,g}/s" if sustained else "no rate tried"


def beyond(curves: Curves, name: str) -> str:
    """Return a text with the lowest load that saturates a policy, and the loads that never came to rest."""
    first = curves.saturation(name).saturated
    if first is None:
        return "at no rate tried"
    points = [point for point in curves.points if point.scheduler == name and point.load >= first]
    saturated = [f"{point.load:,g}/s" for point in points if point.saturated and not point.unsettled]
    not_at_rest = ", ".join(f"{point.load:,g}/s" for point in points if point.unsettled)
    return "; ".join([*saturated[:1], *([f"not at rest: {not_at_rest}"] if not_at_rest else [])])
