"""What ``sledsim compare`` prints: the table of a comparison, and ``--rates`` as curves."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from .. import _native
from ..common import units
from ..common.files import check_folder
from .interruption import kept_in
from .output import console, listed, milliseconds, print_table, print_text, table, write_plots
from .progress import progress

if TYPE_CHECKING:
    from ..exploration.climbing import Workload
    from ..model.systems import Target
    from ..runs.comparisons import Comparison, Point
    from ..runs.curve_points import CurvePoint
    from ..runs.curves import Curves
    from ..runs.intervals import Estimate
    from ..traces.trace import Trace


#: Behind the best of a column, and the space beside a column.
_BEST, _GAP = " ◂", 3
#: The heading of what a point is compared with, which begins the second table where one has no room.
_AGAINST = "vs first"
_EXPLAINED = "Response times from arrival to completion; queue: mean number of requests in the system."


@dataclass(frozen=True)
class _Column:
    """A column of figures.

    Attributes:
        heading: What stands above it.
        value: The figure of a point; None or NaN where it has none.
        shown: The figure as a text.
        best: Which is the best: 1 the least, -1 the largest, or None where there is no such thing.
        is_of_trace: Whether the figure of a saturated point says nothing of its device.
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


def _mean(point: "Point") -> str:
    mean = point.mean_response_s
    if point.saturated or math.isnan(mean.half_width):
        return milliseconds(mean.value)
    return units.estimate(mean.value * 1e3, mean.half_width * 1e3)


def _columns(found: "Comparison") -> list[_Column]:
    """The columns of figures that a comparison has."""
    of_trace = {"is_of_trace": True}

    def against(point: "Point") -> str:
        value = found.against_first(point)
        return "-" if math.isnan(value.value) else "1" if value.count == 0 else str(value)

    def cost(point: "Point") -> str:
        value = found.cost_per_request(point)
        return "-" if value is None else units.number(value * 1e6)

    columns = [
        _Column("Requests/s", lambda point: point.rate_per_s, lambda p: units.number(p.rate_per_s), -1),
        _Column("Mean ms", lambda point: point.mean_response_s.value, _mean, is_of_trace=True),
        _figure("p50 ms", "p50_response_s", milliseconds, **of_trace),
        _figure("p99 ms", "p99_response_s", milliseconds, **of_trace),
        _figure("p99.9 ms", "p999_response_s", milliseconds, **of_trace),
        _figure("Max ms", "max_response_s", milliseconds, **of_trace),
        _figure("cv²", "cv2_response", "{:.2f}".format, **of_trace),
        _Column(_AGAINST, lambda point: found.against_first(point).value, against, None),
        _figure("Queue", "mean_queue_length", "{:,.4g}".format, **of_trace),
        # Nothing moves in a flash card.
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


def print_comparison(found: "Comparison") -> None:
    """Print all of a comparison for people."""
    for workload in found.workloads:
        _print_workload(found, [point for point in found.points if point.workload == workload])
    print_text("\n".join(_legend(found)) + "\n")


def _print_workload(found: "Comparison", points: "Sequence[Point]") -> None:
    scales = dict.fromkeys(point.scale for point in points)
    title = f"{points[0].workload} on {found.device}"
    if len(scales) == 1 and points[0].scale != 1:
        title += f" at scale {points[0].scale:g}"
    keys = _keys(found, points, len(scales) > 1)
    cells = [_cells(column, points) for column in _columns(found)]
    headings = [column.heading for column in _columns(found)]
    for part in _parts(keys, headings, cells):
        of = (f">{name}" if name == "Scale" else name for name in keys)
        made = table(*of, *(f">{headings[at]}" for at in part))
        before = None
        for row, point in enumerate(points):
            if before not in (None, point.scale):
                made.add_section()
            before = point.scale
            made.add_row(*(key[row] for key in keys.values()), *(cells[at][row] for at in part))
        print_table(title, made)
        title = ""


def _keys(found: "Comparison", points: "Sequence[Point]", has_scales: bool) -> dict[str, list[str]]:
    """The columns that say what a row is of: where a value is that of the row above it is left out."""
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


def _cells(column: _Column, points: "Sequence[Point]") -> list[str | Text]:
    """The cells of a column, the best of each scale marked."""
    shown = [_shown(column, point) for point in points]
    best: set[int] = set()
    for scale in {point.scale for point in points}:
        best |= _best(column, [(at, one) for at, one in enumerate(points) if one.scale == scale], shown)
    if not best:
        return [*shown]
    return [
        Text(f"{cell}{_BEST}", style="bold") if at in best else f"{cell}{' ' * cell_len(_BEST)}"
        for at, cell in enumerate(shown)
    ]


def _shown(column: _Column, point: "Point") -> str:
    if point.error is None:
        return column.shown(point)
    if column.heading != "Requests/s":
        return ""
    return "past the end" if "past the end" in point.error else "failed"


def _best(column: _Column, points: "Sequence[tuple[int, Point]]", shown: Sequence[str]) -> set[int]:
    """The points with the best figure of those of which it says something: none where all are alike."""
    from ..common.ranking import levels

    values: dict[int, float] = {}
    for at, point in points:
        value = column.value(point) if point.error is None else None
        if value is not None and math.isfinite(value) and not (column.is_of_trace and point.saturated):
            values[at] = value
    if column.best is None or len({shown[at] for at in values}) < 2:
        return set()
    places = dict(zip(values, levels([column.best * value for value in values.values()]), strict=True))
    # What rounding tells apart is equal, and so is what looks the same.
    best = {shown[at] for at in values if places[at] == 0}
    found = {at for at in values if shown[at] in best}
    return found if len(set(places.values())) > 1 else set()


def _parts(
    keys: dict[str, list[str]], headings: Sequence[str], cells: Sequence[Sequence[str | Text]]
) -> Iterator[list[int]]:
    """Columns that have room beside each other, in tables below each other where the terminal is narrow."""
    left = console().width - sum(_width([heading, *key]) for heading, key in keys.items())
    widths = [_width([heading, *map(str, cells[at])]) for at, heading in enumerate(headings)]
    if sum(widths) <= left:
        yield [*range(len(headings))]
        return
    # What a request sees, and what a device does.
    middle = headings.index(_AGAINST)
    for group in (range(middle), range(middle, len(headings))):
        part: list[int] = []
        for at in group:
            if part and sum(widths[one] for one in part) + widths[at] > left:
                yield part
                part = []
            part.append(at)
        yield part


def _width(texts: Sequence[str]) -> int:
    return max(map(cell_len, texts)) + _GAP


def _legend(found: "Comparison") -> Iterator[str]:
    """What the figures are, and what is to be known of them, line by line."""
    yield _EXPLAINED
    if any(not math.isnan(one.mean_response_s.half_width) and not one.saturated for one in found.measured):
        yield "±: half of the 95 % interval, from the means of 20 batches of consecutive requests."
    if len(found.points) > 1:
        first = found.measured[0]
        yield (
            f"◂ the best of a column. {_AGAINST}: mean response over that of {first.device} under"
            f" {first.scheduler}; ± from the same batches in pairs."
        )
    if any(point.saturated for point in found.points):
        yield "* saturated: requests come faster than the device serves them, so that its queue grows."
    if found.prices.of:
        yield (
            f"Cost of a million requests: price / (requests/s x {found.prices.lifetime_years:g} years) +"
            f" energy x {found.prices.kwh_price:g} a kWh."
        )
    yield from found.notes
    yield from found.reasons()


#: Heading, name, what it is multiplied by, and decimals; without these it stands with its interval.
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
#: A longer table is not read: only some of the rates are printed.
_ROWS_PRINTED = 120


def curve_options(trace: str, **given: Any) -> dict[str, Any]:
    """What `response_curves` is told of a workload and of what else a command line says.

    Raises:
        ParameterError: The workload is not generated, or something is said twice.
    """
    from ..traces.generators import find, given_options, is_generated

    if not is_generated(trace):
        more = f"did you mean '{trace}:'?" if find(trace) else "other traces have --scales"
        expected = "a workload such as 'random:'"
        raise _native.ParameterError(f"--rates: expected {expected}, found {trace!r}; {more}")
    options = given_options(trace)
    if "rate" in options:
        raise _native.ParameterError(f"{trace}: key 'rate' is not for --rates, which gives the rates")
    if "count" in options and given["count"] is not None:
        raise _native.ParameterError(f"{trace}: the count is given twice: by its key and by --count")
    given |= {key: _whole(trace, key, options.pop(key)) for key in ("count", "seed") if key in options}
    name = trace.partition(":")[0]
    if options or find(name) != "random":
        given["draw"] = _drawn(name, options, given.pop("count"))
    return {key: value for key, value in given.items() if value is not None}


def _whole(trace: str, key: str, value: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise _native.ParameterError(f"{trace}: {key}: expected a whole number, found {value!r}") from None


def _drawn(name: str, options: dict[str, str], count: int | None) -> "Workload[Target]":
    """Draws such requests for `response_curves`, whose tables name them as they are given."""
    from ..exploration.climbing import COUNT
    from ..traces.generators import workload

    def draw(device: "Target", rate_per_s: float, seed: int) -> "Trace":
        more = {"rate": rate_per_s, "count": COUNT if count is None else count, "seed": seed}
        return workload(name, device, **options, **more)

    given = ",".join(f"{key}={value}" for key, value in options.items())
    draw.__name__ = f"{name}:{given}" if given else name
    vars(draw)["content"] = f"{draw.__name__}, count={COUNT if count is None else count}"
    return draw


def draw_curves(
    device: "Target", schedulers: Sequence[str], rates: Sequence[float], options: dict[str, Any], out: Path
) -> None:
    """Run, print and write the curves, with options from `curve_options`."""
    from ..exploration.climbing import REPLICATIONS, most_replications, response_curves
    from ..runs.curves import NAME

    check_folder(out, NAME)
    most = most_replications(options.get("replications", REPLICATIONS), options.get("precision"))
    with kept_in(out), progress("Simulating", len(rates) * len(schedulers) * most) as report:
        curves = response_curves(device, schedulers, rates, progress=report, folder=out, **options)
    _print(curves)
    print_text(f"Written: {listed([*curves.write(out), *write_plots(curves.write_plots, out)])}\n")


def _print(curves: "Curves") -> None:
    loads = _shown_loads(curves)
    print_table(f"{curves.workload} on {curves.device}", _table(curves, loads))
    if len(loads) < len(curves.loads):
        print_text(f"{len(loads)} of the {len(curves.loads)} rates; the files have all.\n")
    print_table("Saturation", _saturation(curves))
    print_text("\n".join(curves.notes) + "\n")


def _shown_loads(curves: "Curves") -> list[float]:
    """The loads that are printed: all, or some evenly spread, the first and the last among them."""
    loads = curves.loads
    most = max(2, _ROWS_PRINTED // len(curves.schedulers))
    if len(loads) <= most:
        return loads
    return [loads[round(at * (len(loads) - 1) / (most - 1))] for at in range(most)]


def _table(curves: "Curves", loads: Sequence[float]) -> Table:
    made = table(">Rate", "Scheduler", *(f">{heading}" for heading, *_ in _FIGURES))
    for load in loads:
        if made.row_count:
            made.add_section()
        shown = f"{load:,g}"
        for point in curves.points:
            if point.load == load:
                made.add_row(shown, point.scheduler, *_point_cells(point))
                shown = ""
    return made


def _point_cells(point: "CurvePoint") -> list[str]:
    if point.saturated:
        return ["not at rest" if point.unsettled else "saturated"]
    return [_cell(point.estimates[name], times, places) for _, name, times, places in _FIGURES]


def _cell(estimate: "Estimate", times: float, places: int | None) -> str:
    value, half = estimate.value * times, estimate.half_width * times
    if math.isnan(value):
        return "too short"
    if places is not None:
        return f"{value:,.{places}f}"
    return units.estimate(value, half)


def _saturation(curves: "Curves") -> Table:
    rows = ((name, _sustained(curves, name), _beyond(curves, name)) for name in curves.schedulers)
    return table("Scheduler", ">Keeps up at", ">Saturated at", rows=rows)


def _sustained(curves: "Curves", name: str) -> str:
    sustained = curves.saturation(name).sustained
    return f"{sustained:,g}/s" if sustained else "not even at the lowest rate"


def _beyond(curves: "Curves", name: str) -> str:
    """From which rate on a policy has no figures, and at which it is known to be saturated."""
    first = curves.saturation(name).saturated
    if first is None:
        return "at no rate tried"
    points = [point for point in curves.points if point.scheduler == name and point.load >= first]
    saturated = [f"{point.load:,g}/s" for point in points if point.saturated and not point.unsettled]
    not_at_rest = [f"not at rest: {first:,g}/s"] if points[0].unsettled else []
    return "; ".join([*saturated[:1], *not_at_rest])
