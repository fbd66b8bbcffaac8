"""The chart of a sweep: mean response over one varied quantity, with a line per value of another."""

import math
from typing import Any

from ..exploration.sweeping import Sweep
from .grammar import alt, colour, groups, lines, plot, tips
from .style import COLOURS, readable

_WIDTH, _HEIGHT, _COLUMNS = 300, 220, 3
#: Largest number of panels that are drawn.
_PANELS = 12
#: Varied quantities whose values are names, not numbers.
_NAMES = ("device", "workload", "scheduler")


def sweep_chart(found: Sweep) -> Any:
    """Draw the mean response with its interval over one varied quantity, with a colour per value of a second.

    If more quantities vary, each combination of their values has a panel.
    """
    rows = [_row(row) for row in found.rows() if row["figures"].get("mean_response_s") is not None]
    varied = found.study.varied or ["scheduler"]
    axis = _axis(varied, rows)
    line = _line([name for name in varied if name != axis], rows)
    panels = [name for name in varied if name not in (axis, line)]
    for row in rows:
        row["x"], row["line"] = row[axis], _text(row[line]) if line else "all"
        row["case"] = ", ".join(f"{name} = {_text(row[name])}" for name in panels)
    cases = groups(rows, "case")
    shown = [_panel(own, axis, line or "", case) for case, own in [*cases.items()][:_PANELS]]
    left_out = [f"{_PANELS} of {len(cases)} cases are shown."] if len(cases) > _PANELS else []
    study = found.study
    subtitle = [
        f"{found.done:,} of {len(found):,} points, {len(rows):,} with a mean response."
        f" Bars are intervals of {study.confidence:.0%}; each panel has its own axis.",
        *left_out,
    ]
    listed = {
        "workloads": [one.name for one in study.workloads],
        "devices": [one.name for one in study.subjects],
    }
    what = " on ".join(
        ", ".join(names) if len(names) < 4 else f"{len(names)} {kind}" for kind, names in listed.items()
    )
    chart = (
        alt.concat(*shown, columns=_COLUMNS) if shown else alt.Chart(alt.InlineData(values=[])).mark_point()
    )
    return readable(chart, title=f"{what}: a sweep over {', '.join(varied)}", subtitle=subtitle)


def _row(row: dict[str, Any]) -> dict[str, Any]:
    mean, half = row["figures"]["mean_response_s"], row["half_widths"].get("mean_response_s", math.nan)
    known = half if math.isfinite(half) else 0.0
    ends = {"low": max(0.0, mean - known) * 1e3, "high": (mean + known) * 1e3}
    return {**row["point"], "ms": mean * 1e3, **ends}


def _text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _axis(varied: list[str], rows: list[dict[str, Any]]) -> str:
    """Return the quantity on the x axis: the numeric one with most values; without a number, a name."""
    counts = {name: len({row.get(name) for row in rows}) for name in varied if name not in _NAMES}
    return max(counts, key=lambda name: counts[name]) if counts else varied[-1]


def _line(others: list[str], rows: list[dict[str, Any]]) -> str | None:
    """Return the quantity that colours distinguish: the policy, or another one with few values."""
    few = [name for name in others if len({str(row.get(name)) for row in rows}) <= len(COLOURS)]
    return "scheduler" if "scheduler" in few else few[-1] if few else None


def _panel(rows: list[dict[str, Any]], axis: str, line: str, case: str) -> Any:
    names = list(dict.fromkeys(row["line"] for row in rows))
    is_number = all(isinstance(row["x"], int | float) and not isinstance(row["x"], bool) for row in rows)
    x = alt.X(
        "x:Q" if is_number else "x:N", title=axis, scale=alt.Scale(zero=False) if is_number else alt.Undefined
    )
    told = tips(f"x:N | {axis}", f"line:N | {line or 'points'}", "ms:Q | Mean response (ms) | .4g")
    base = plot(rows, x=x, color=colour("line", line, names))
    y = alt.Y("ms:Q", title="Mean response (ms)")
    bars = base.encode(y=alt.Y("low:Q", title="Mean response (ms)"), y2="high:Q").mark_rule()
    # Points over names are not joined by lines, which would mean nothing.
    points = base.encode(y=y, tooltip=told)
    drawn = lines(points, bars) if is_number else alt.layer(bars, points.mark_point(filled=True, size=50))
    says = f"The mean response time over {axis}" + (f", one line per {line}" if line else "")
    return drawn.properties(
        width=_WIDTH, height=_HEIGHT, title=case, description=f"{says}; a bar is its confidence interval."
    )
