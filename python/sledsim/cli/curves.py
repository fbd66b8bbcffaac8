"""``sledsim compare NAME: --rates ...``: response time over the arrival rate, with intervals."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table

from .. import _native
from ..common import units
from ..common.files import check_folder
from .interruption import kept_in
from .output import listed, print_table, print_text, table
from .plotting import write_plots
from .progress import progress

if TYPE_CHECKING:
    from ..exploration.climbing import Workload
    from ..model.systems import Target
    from ..runs.curve_points import CurvePoint
    from ..runs.curves import Curves
    from ..runs.intervals import Estimate
    from ..traces.trace import Trace

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
    loads = _shown(curves)
    print_table(f"{curves.workload} on {curves.device}", _table(curves, loads))
    if len(loads) < len(curves.loads):
        print_text(f"{len(loads)} of the {len(curves.loads)} rates; the files have all.\n")
    print_table("Saturation", _saturation(curves))
    print_text("\n".join(curves.notes) + "\n")


def _shown(curves: "Curves") -> list[float]:
    """The loads that are printed: all, or some evenly spread, the first and the last among them."""
    loads = curves.loads
    most = max(2, _ROWS_PRINTED // len(curves.schedulers))
    if len(loads) <= most:
        return loads
    return [loads[round(at * (len(loads) - 1) / (most - 1))] for at in range(most)]


def _table(curves: "Curves", loads: Sequence[float]) -> Table:
    headings = [heading for heading, *_ in _FIGURES]
    made = table("Rate", "Scheduler", *headings, numbers=("Rate", *headings))
    for load in loads:
        if made.row_count:
            made.add_section()
        shown = f"{load:,g}"
        for point in curves.points:
            if point.load == load:
                made.add_row(shown, point.scheduler, *_cells(point))
                shown = ""
    return made


def _cells(point: "CurvePoint") -> list[str]:
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
    headings = ("Keeps up at", "Saturated at")
    rows = ((name, _sustained(curves, name), _beyond(curves, name)) for name in curves.schedulers)
    return table("Scheduler", *headings, numbers=headings, rows=rows)


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
