"""Tables of a comparison: a row per point, the best value of each column marked, and a legend."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..common import units
from ..common.grids import BEST, Grid
from ..common.ranking import levels
from ..common.units import milliseconds
from ..runs.comparison import Comparison, Point

#: Heading of the ratio of a mean response to that of the first row; narrow terminals show the columns from
#: here on in a second table.
_AGAINST = "vs first"
_EXPLAINED = "Response times are from arrival to completion; queue: mean number of outstanding requests."


@dataclass(frozen=True)
class _Column:
    """A column of the table of a comparison, which shows one figure of each point.

    Attributes:
        heading: Heading of the column.
        value: Function that returns the figure of a point; None or NaN if the point lacks the figure.
        shown: Function that returns the figure of a point as text.
        best: Direction of the mark for the best figure of the column: 1 marks the least, -1 the largest, None
            no figure.
        is_of_trace: True if the figure of a saturated device depends mostly on the length of the trace; such
            a figure is never marked as the best.
    """

    heading: str
    value: "Callable[[Point], float | None]"
    shown: "Callable[[Point], str]"
    best: int | None = 1
    is_of_trace: bool = False


def _figure(heading: str, key: str, shown: Callable[[float], str], **more: object) -> _Column:
    return _Column(
        heading,
        lambda point: point.summary[key],
        lambda point: shown(point.summary[key]),
        **more,  # type: ignore[arg-type]
    )


def _mean(point: Point) -> str:
    mean = point.mean_response_s
    if point.saturated or math.isnan(mean.half_width):
        return milliseconds(mean.value)
    return units.estimate(mean.value * 1e3, mean.half_width * 1e3)


def _columns(found: Comparison) -> list[_Column]:
    """Return the columns of figures in the table of a comparison."""
    of_trace, flushes = {"is_of_trace": True}, _has_flushes(found)

    def against(point: Point) -> str:
        value = found.against_first(point)
        return "-" if math.isnan(value.value) else "1" if value.count == 0 else str(value)

    def flush(point: Point) -> str:
        value = point.summary.get("mean_flush_s")
        return "-" if value is None else milliseconds(value) if value else "0"

    def cost(point: Point) -> str:
        value = found.cost_per_request(point)
        return "-" if value is None else units.number(value * 1e6)

    columns = [
        _Column("Requests/s", lambda point: point.rate_per_s, lambda p: units.number(p.rate_per_s), -1),
        _Column("Mean ms", lambda point: point.mean_response_s.value, _mean, is_of_trace=True),
        _figure("p50 ms", "p50_response_s", milliseconds, **of_trace),
        _figure("p99 ms", "p99_response_s", milliseconds, **of_trace),
        _figure("p99.9 ms", "p999_response_s", milliseconds, **of_trace),
        _figure("Max ms", "max_response_s", milliseconds, **of_trace),
        *([_Column("Flush ms", lambda point: point.summary.get("mean_flush_s"), flush)] if flushes else []),
        _figure("cv²", "cv2_response", "{:.2f}".format, **of_trace),
        _Column(_AGAINST, lambda point: found.against_first(point).value, against, None),
        _figure("Queue", "mean_queue_length", "{:,.4g}".format, **of_trace),
        # The column is left out if no device has moving parts, such as flash cards.
        *(
            [_figure("Position ms", "mean_positioning_s", milliseconds, best=None)]
            if any(point.summary["mean_positioning_s"] for point in found.measured)
            else []
        ),
        _figure("Service ms", "mean_service_s", milliseconds),
        _figure("Busy", "utilization", "{:.1%}".format, best=None),
        _figure("Energy J", "energy_j", "{:,.2f}".format),
        _Column(
            "mJ/request",
            lambda point: point.energy_per_request_j,
            lambda point: units.number(point.energy_per_request_j * 1e3),
        ),
    ]
    if found.prices.of:
        columns.append(_Column("Cost/million", found.cost_per_request, cost))
    return columns


def _has_flushes(found: Comparison) -> bool:
    return any("mean_flush_s" in point.summary for point in found.measured)


def parts(found: Comparison) -> Iterator[Grid | str]:
    """Yield a table for each workload of a comparison, then the sentences below the tables."""
    for workload in found.workloads:
        yield _grid(found, [point for point in found.points if point.workload == workload])
    yield from _legend(found)


def _grid(found: Comparison, points: Sequence[Point]) -> Grid:
    scales = dict.fromkeys(point.scale for point in points)
    is_one = len(found.workloads) == 1
    title = "" if is_one else f"{points[0].workload} on {found.device}"
    if len(scales) == 1 and points[0].scale != 1:
        title += f"{'At' if is_one else ' at'} scale {points[0].scale:g}"
    keys, columns = _keys(found, points, len(scales) > 1), _columns(found)
    cells = [*keys.values(), *(_cells(column, points) for column in columns)]
    names = [f">{name}" if name == "Scale" else name for name in keys]
    headings = [column.heading for column in columns]
    # A narrow terminal splits the table: first figures of requests, below them figures of devices.
    split = len(keys) + headings.index(_AGAINST)
    made = Grid([*names, *(f">{heading}" for heading in headings)], [], title, len(keys), split)
    before = None
    for row, point in enumerate(points):
        if before not in (None, point.scale):
            made.add_section()
        before = point.scale
        made.add_row(*(column[row] for column in cells))
    return made


def _keys(found: Comparison, points: Sequence[Point], has_scales: bool) -> dict[str, list[str]]:
    """Return the cells of the columns that identify each row: speed-up, device and policy.

    A cell of the speed-up or device is empty if it repeats the cell above.
    """
    keys: dict[str, list[str]] = {}
    if has_scales:
        keys["Scale"] = _new([f"{point.scale:g}" for point in points])
    if len(found.devices) > 1:
        again = _new([f"{point.scale:g} {point.device}" for point in points])
        keys["Device"] = [point.device if shown else "" for point, shown in zip(points, again, strict=True)]
    keys["Scheduler"] = [point.scheduler + (" *" if point.saturated else "") for point in points]
    return keys


def _new(values: Sequence[str]) -> list[str]:
    return [value if at == 0 or value != values[at - 1] else "" for at, value in enumerate(values)]


def _cells(column: _Column, points: Sequence[Point]) -> list[str]:
    """Return the cells of a column as text; the best point at each speed-up gets a mark."""
    shown = [_shown(column, point) for point in points]
    best: set[int] = set()
    for scale in {point.scale for point in points}:
        best |= _best(column, [(at, one) for at, one in enumerate(points) if one.scale == scale], shown)
    return [f"{cell}{BEST}" if at in best else cell for at, cell in enumerate(shown)]


def _shown(column: _Column, point: Point) -> str:
    if point.error is None:
        return column.shown(point)
    if column.heading != "Requests/s":
        return ""
    return "past the end" if "past the end" in point.error else "failed"


def _best(column: _Column, points: "Sequence[tuple[int, Point]]", shown: Sequence[str]) -> set[int]:
    """Return the indices of the points with the best figure of a column; none if all texts are equal."""
    values: dict[int, float] = {}
    for at, point in points:
        value = column.value(point) if point.error is None else None
        if value is not None and math.isfinite(value) and not (column.is_of_trace and point.saturated):
            values[at] = value
    if column.best is None or len({shown[at] for at in values}) < 2:
        return set()
    places = dict(zip(values, levels([column.best * value for value in values.values()]), strict=True))
    # Figures count as equal if they differ only by rounding errors, or have the same text.
    best = {shown[at] for at in values if places[at] == 0}
    found = {at for at in values if shown[at] in best}
    return found if len(set(places.values())) > 1 else set()


def _legend(found: Comparison) -> Iterator[str]:
    """Yield the lines of the legend: the meaning of figures and marks, and the conclusions."""
    yield _EXPLAINED
    if _has_flushes(found):
        yield "Flush ms: mean response time of flushes; other response times are those of reads and writes."
    if any(not math.isnan(one.mean_response_s.half_width) and not one.saturated for one in found.measured):
        yield "±: half of the 95 % interval, from the means of 20 batches of consecutive requests."
    if len(found.points) > 1:
        first = found.measured[0]
        yield (
            f"◂ the best of a column. {_AGAINST}: mean response over that of {first.device} under"
            f" {first.scheduler}; ± from the same batches in pairs."
        )
    if any(point.saturated for point in found.points):
        yield "* saturated: the arrival rate exceeds the capacity of the device, and its queue grows."
    if found.prices.of:
        yield (
            f"Cost of a million requests: price / (requests/s x {found.prices.lifetime_years:g} years) +"
            f" energy x {found.prices.kwh_price:g} a kWh."
        )
    yield from found.conclusions()
