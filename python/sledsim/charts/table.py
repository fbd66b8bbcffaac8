"""The chart of each kind of result: a new one is a function that draws it, and a row here."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..common.files import PathLike
from ..emulator.figures import TimingFigures
from ..exploration.holding import NAME as HOLDS, Holding
from ..exploration.optimising.result import NAME as OPTIMISED, Optimum
from ..exploration.sensitivity import NAME as SENSITIVITY, Sensitivity
from ..exploration.sweep import NAME as SWEEP, Sweep
from ..runs.comparisons import Comparison
from ..runs.curves import NAME as CURVES, Curves
from ..runs.design import FormatSpace
from ..runs.power import NAME as POWER, Power
from ..runs.run import Run
from ..runs.validation import Validation
from ..traces.statistics import TraceStatistics
from .comparison import comparison_chart
from .curves import curves_chart
from .design import trade_offs
from .holding import holding_chart
from .optimising import optimising_chart
from .power import power_chart
from .run import run_chart
from .sensitivity import sensitivity_chart
from .style import save_charts
from .sweep import sweep_chart
from .timing import timing_chart
from .traces import trace_chart
from .validation import validation_chart


class Drawing(NamedTuple):
    """How results of a kind are drawn.

    Attributes:
        name: That of the files, without ending.
        draw: Gives the chart of a result.
    """

    name: str
    draw: Callable[[Any], Any]


CHARTS: Mapping[type, Drawing] = {
    Comparison: Drawing("compare", comparison_chart),
    Curves: Drawing(CURVES, curves_chart),
    FormatSpace: Drawing("trade-offs", trade_offs),
    Holding: Drawing(HOLDS, holding_chart),
    Optimum: Drawing(OPTIMISED, optimising_chart),
    Power: Drawing(POWER, power_chart),
    Run: Drawing("run", run_chart),
    Sensitivity: Drawing(SENSITIVITY, sensitivity_chart),
    Sweep: Drawing(SWEEP, sweep_chart),
    TimingFigures: Drawing("timing", timing_chart),
    TraceStatistics: Drawing("trace", trace_chart),
    Validation: Drawing("validation", validation_chart),
}


def draw(result: object) -> Any:
    """The chart of a result."""
    from .offline import offline

    return offline(CHARTS[type(result)].draw(result))


def write(result: object, folder: PathLike, progress: Callable[[int], object] | None = None) -> list[Path]:
    """Write the chart of a result into a folder, as `save_charts` does."""
    row = CHARTS[type(result)]
    return save_charts(row.draw(result), folder, row.name, progress)
