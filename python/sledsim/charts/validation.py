"""The chart of a validation: both distributions of response times, and how far they are apart."""

from typing import Any

import numpy as np

from ..runs.validation import Validation
from .style import COLOURS, alt, readable

#: Points of each line.
_POINTS = 400
_WIDTH, _HEIGHT = 620, 300
#: Longer responses than those of this share of requests are outside the panels.
_SHOWN = 0.999


def validation_chart(validation: Validation) -> Any:
    """Share of requests that are complete after a time, measured and simulated, and their distance below."""
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
    chart = alt.vconcat(_distributions(rows, most_ms), _distances(distances), spacing=24)
    return readable(chart.properties(title=alt.TitleParams(title, subtitle=subtitle), padding=16))


def _distributions(rows: list[dict[str, Any]], most_ms: float) -> Any:
    x = alt.X("response_ms:Q", title="Response time (ms)").scale(domain=[0, most_ms], nice=False)
    colour = alt.Color("which:N", title=None, sort=["measured", "simulated"]).scale(
        domain=["measured", "simulated"], range=[COLOURS[6], COLOURS[0]]
    )
    line = alt.Chart(alt.InlineData(values=rows)).mark_line(strokeWidth=2, clip=True)
    return line.encode(
        x=x,
        y=alt.Y("share:Q", title="Requests complete").axis(format="~%"),
        color=colour,
        strokeDash=alt.StrokeDash("which:N", legend=None, sort=["measured", "simulated"]),
        order="share:Q",
        tooltip=[
            alt.Tooltip("which:N", title="Response times"),
            alt.Tooltip("share:Q", title="Requests", format=".1%"),
            alt.Tooltip("response_ms:Q", title="complete by (ms)", format=",.3f"),
        ],
    ).properties(width=_WIDTH, height=_HEIGHT)


def _distances(rows: list[dict[str, Any]]) -> Any:
    line = alt.Chart(alt.InlineData(values=rows)).mark_line(strokeWidth=2, color=COLOURS[3])
    return line.encode(
        x=alt.X("share:Q", title="Percentile of the response times").axis(format="~%"),
        y=alt.Y("distance_ms:Q", title="Simulated less measured (ms)"),
        order="share:Q",
    ).properties(width=_WIDTH, height=_HEIGHT // 2)
