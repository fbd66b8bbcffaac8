"""The chart of a run: its main figures in one line, and those panels of its web page that fit on a screen."""

from typing import Any

from ..common.shown import counted
from ..common.units import duration
from ..runs.run import Run
from .grammar import alt
from .phases import mean_time
from .run_panels import distribution, over_time
from .style import readable

_WIDTH, _HEIGHT, _GAP = 400, 260, 50


def run_chart(run: Run) -> Any:
    """Draw response times over time, their distribution, and the mean time of each phase.

    The chart of a run that kept no columns in memory lacks response times over time.
    """
    below = [panel.properties(width=_WIDTH, height=_HEIGHT) for panel in (distribution(run), mean_time(run))]
    rows = [alt.hconcat(*below, spacing=_GAP).resolve_scale(color="independent")]
    if run.columns:
        rows.insert(0, over_time(run.transfers).properties(width=2 * (_WIDTH + _GAP), height=_HEIGHT))
    whole = alt.vconcat(*rows, spacing=28).resolve_scale(color="independent")
    title = f"{run.settings.trace} on {run.device_name}, {run.settings.scheduler}"
    return readable(whole, title=title, subtitle=_about(run))


def _about(run: Run) -> str:
    figures = run.summary()
    count = figures.get("flushes", 0)
    flushes = f" and {count:,} flush{'' if count == 1 else 'es'}" if count else ""
    return (
        f"{counted(int(figures['requests']), 'request')}{flushes} in {duration(run.span_s)}:"
        f" mean response {duration(figures['mean_response_s'])},"
        f" 99 % within {duration(figures['p99_response_s'])}, utilization {figures['utilization']:.1%}"
    )
