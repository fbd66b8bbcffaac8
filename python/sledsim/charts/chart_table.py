"""Table of charts by kind of result: a new chart needs a function that draws it, and an entry here."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..common.output_files import PathLike
from ..emulator.timing_figures import TimingFigures
from ..exploration.design import FormatSpace
from ..exploration.holding import NAME as HOLDS, Holding
from ..exploration.optimising.optimum import NAME as OPTIMISED, Optimum
from ..exploration.sobol_sensitivity import NAME as SENSITIVITY, Sensitivity
from ..exploration.sweeping import NAME as SWEEP, Sweep
from ..pages.page import About, Table, figures_table, table
from ..runs.comparison import Comparison
from ..runs.curves import NAME as CURVES, Curves
from ..runs.explanations import Explanation
from ..runs.power_over_time import NAME as POWER, Power
from ..runs.run import Run
from ..runs.validation import Validation
from ..traces.statistics import TraceStatistics
from .comparison_chart import comparison_chart, comparison_tables
from .curves_chart import curves_chart, curves_tables
from .design_chart import design_tables, trade_offs
from .explanation_chart import explanation_chart, explanation_tables
from .holding_chart import holding_chart, holding_tables
from .optimising_chart import optimising_chart, optimising_tables
from .power_chart import power_chart, power_tables
from .run_chart import run_chart
from .sensitivity_chart import sensitivity_chart, sensitivity_tables
from .style import save_charts
from .sweep_chart import sweep_chart
from .timing_chart import timing_chart, timing_tables
from .trace_chart import trace_chart, trace_tables
from .validation_chart import validation_chart, validation_tables


class Drawing(NamedTuple):
    """The functions that draw results of one kind, and the name of the files.

    Attributes:
        name: Name of the files of the chart, without ending.
        draw: Function that returns the chart of a result.
        tables: Function that returns, for a result, the tables below the charts on the web page.
        found: Function that returns, for a result, sentences above the charts: findings that the charts do
            not show.
    """

    name: str
    draw: Callable[[Any], Any]
    tables: Callable[[Any], Sequence[Table]]
    found: Callable[[Any], Sequence[str]] = lambda _: ()


CHARTS: Mapping[type, Drawing] = {
    Comparison: Drawing("compare", comparison_chart, comparison_tables, Comparison.conclusions),
    Curves: Drawing(CURVES, curves_chart, curves_tables, Curves.conclusions),
    Explanation: Drawing("explanation", explanation_chart, explanation_tables),
    FormatSpace: Drawing("trade-offs", trade_offs, design_tables, FormatSpace.conclusions),
    Holding: Drawing(HOLDS, holding_chart, holding_tables),
    Optimum: Drawing(OPTIMISED, optimising_chart, optimising_tables),
    Power: Drawing(POWER, power_chart, power_tables),
    Run: Drawing("run", run_chart, lambda run: [figures_table("Figures", run.summary())]),
    Sensitivity: Drawing(SENSITIVITY, sensitivity_chart, sensitivity_tables),
    Sweep: Drawing(SWEEP, sweep_chart, lambda one: [table("Points of the sweep", one.table().to_pylist())]),
    TimingFigures: Drawing("timing", timing_chart, timing_tables),
    TraceStatistics: Drawing("trace", trace_chart, trace_tables),
    Validation: Drawing("validation", validation_chart, validation_tables),
}


def draw(result: object) -> Any:
    """Return the chart of a result, with a picture for notebooks without network."""
    from .offline import offline

    return offline(CHARTS[type(result)].draw(result))


def write(result: object, folder: PathLike, progress: Callable[[int], object] | None = None) -> list[Path]:
    """Write the chart of a result into a folder as a web page, PNG and SVG, and return the paths."""
    drawing = CHARTS[type(result)]
    about = About(drawing.name, tables=drawing.tables(result), found=drawing.found(result))
    return save_charts(drawing.draw(result), folder, drawing.name, progress, about)
