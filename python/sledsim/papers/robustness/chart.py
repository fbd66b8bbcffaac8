"""Chart of the share of plausible devices with which each comparing claim holds, with its interval."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from sledsim.charts import alt, colour, names, plot, readable, rule, save_charts, tips
from sledsim.files import PathLike
from sledsim.pages import About

from .result import NAME, VERDICTS, Robustness

_WIDTH, _ROW = 480, 17


def robustness_chart(found: Robustness) -> Any:
    """Draw a line per claim: share of devices with which it holds, interval, and verdict as colour."""
    rows = [
        {
            "claim": row.claim,
            "says": row.says,
            "share": row.part.share,
            "low": row.part.low,
            "high": row.part.high,
            "verdict": row.verdict,
        }
        for row in found.rows
        if row.part.share is not None
    ]
    claims = names(rows, "claim")
    base = plot(
        rows,
        y=alt.Y("claim:N", title=None, sort=claims),
        color=colour(
            "verdict", "Verdict", [name for name in VERDICTS if name in {r["verdict"] for r in rows}]
        ),
        tooltip=tips("claim:N | Claim", "says:N | The paper says", "share:Q | Holds in | .1%"),
    )
    axis = alt.Axis(format="%")
    of_share = alt.X("share:Q", title="Share of plausible devices in which the claim holds", axis=axis)
    ends = {"x": alt.X("low:Q", title="", scale=alt.Scale(domain=[0, 1])), "x2": "high:Q"}
    layers = alt.layer(
        rule("x", 0.5, strokeDash=[3, 3]),
        base.mark_rule(strokeWidth=2).encode(**ends),
        base.mark_point(filled=True, size=50).encode(x=of_share),
    )
    return readable(
        layers.properties(width=_WIDTH, height=_ROW * max(len(rows), 1)),
        title="Share of plausible devices in which the papers' comparing claims hold",
    )


def write_plots(
    found: Robustness, folder: PathLike, progress: Callable[[int], object] | None = None
) -> list[Path]:
    """Write the chart of the results into a folder, as an offline web page, PNG and SVG.

    Raises:
        OSError: A file cannot be written; no part of it is left.
        ModuleNotFoundError: ``sledsim[plot]`` is not installed.
    """
    about = About(NAME, "For each claim, the share of devices with which it holds, and its 95 % interval.")
    return save_charts(robustness_chart(found), folder, NAME, progress, about)
