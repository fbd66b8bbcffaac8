"""The chart of a validation: measured and simulated distribution of responses, and their difference."""

from typing import Any

import numpy as np

from ..pages.page import Table, figures_table
from ..runs.validation import Validation
from .grammar import alt, plot, tips
from .style import COLOURS, readable

#: Number of points of the line of each distribution.
_POINTS = 400
_WIDTH, _HEIGHT = 620, 300
#: Share of the requests that the upper panel shows: its time axis ends at this quantile of the responses.
_SHOWN = 0.999


def validation_chart(validation: Validation) -> Any:
    """Draw the measured and the simulated distribution of responses, and below them their difference."""
    shares = np.linspace(0, 1, _POINTS)
    times_ms = {
        "measured": np.quantile(validation.measured_s, shares) * 1e3,
        "simulated": np.quantile(validation.simulated_s, shares) * 1e3,
    }
    most_ms = max(float(np.quantile(times, _SHOWN)) for times in times_ms.values())
    figures = validation.figures()
    subtitle = (
        f"demerit {figures['demerit_ms']:.3g} ms, {figures['demerit_of_measured_mean']:.1%} of the measured"
        f" mean; mean {figures['mean_ms']:.4g} ms, measured {figures['measured_mean_ms']:.4g} ms"
        f" ({figures['mean_error']:+.2%})"
    )
    settings = validation.run.settings
    title = f"{settings.trace} on {settings.parameters['name']}: {figures['requests']:,} requests"
    rows = [
        {"which": which, "share": share, "response_ms": time_ms}
        for which, times in times_ms.items()
        for share, time_ms in zip(shares.tolist(), times.tolist(), strict=True)
    ]
    distances_ms = (times_ms["simulated"] - times_ms["measured"]).tolist()
    distances = [
        {"share": share, "distance_ms": distance_ms}
        for share, distance_ms in zip(shares.tolist(), distances_ms, strict=True)
    ]
    panels = (
        _distributions(rows, most_ms).properties(
            title="Response times, measured and simulated",
            description="Share of the requests that are complete within t.",
            width=_WIDTH,
            height=_HEIGHT,
        ),
        _distances(distances).properties(
            title="Difference between simulated and measured times",
            description="Simulated minus measured time at each percentile: a perfect model is 0 everywhere.",
            width=_WIDTH,
            height=_HEIGHT // 2,
        ),
    )
    return readable(alt.vconcat(*panels, spacing=24), title=title, subtitle=subtitle)


def validation_tables(validation: Validation) -> list[Table]:
    """Return a table of the figures of the validation."""
    return [figures_table("Error of the simulation", validation.figures())]


def _distributions(rows: list[dict[str, Any]], most_ms: float) -> Any:
    both = ["measured", "simulated"]
    scale = alt.Scale(domain=both, range=[COLOURS[6], COLOURS[0]])
    return plot(
        rows,
        x=alt.X("response_ms:Q", title="Response time (ms)").scale(domain=[0, most_ms], nice=False),
        y=alt.Y("share:Q", title="Requests complete").axis(format="~%"),
        color=alt.Color("which:N", title=None, sort=both, scale=scale),
        strokeDash=alt.StrokeDash("which:N", legend=None, sort=both),
        order="share:Q",
        tooltip=tips(
            *("which:N | Response times", "share:Q | Requests | .1%"),
            "response_ms:Q | complete by (ms) | ,.3f",
        ),
    ).mark_line(strokeWidth=2, clip=True)


def _distances(rows: list[dict[str, Any]]) -> Any:
    return plot(
        rows,
        x=alt.X("share:Q", title="Percentile of the response times").axis(format="~%"),
        y=alt.Y("distance_ms:Q", title="Simulated minus measured (ms)"),
        order="share:Q",
    ).mark_line(strokeWidth=2, color=COLOURS[3])
