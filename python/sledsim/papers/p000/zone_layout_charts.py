"""The charts of 000-E-8: the zone-grouped layout over the disk-like one, by policy."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ...charts.grammar import alt, grouped, groups, names, plot, rule, side_by_side, tips, unfolded
from ...charts.style import readable
from ..shared.intervals import with_ends

_Rows = Sequence[Mapping[str, Any]]
_OVER = "Zone-grouped over disk-like"


def layouts_chart(rows: _Rows) -> Any:
    """The ratio of mean responses with its interval over the arrival rate, one panel an input."""
    policies = names(rows, "scheduler")

    def panel(own: _Rows) -> Any:
        rate = alt.X("rate_per_s:O", title="Arrival rate (requests/s)").axis(labelAngle=0, format=",")
        base = plot(own, x=rate, **side_by_side("x", "scheduler", "Scheduler", policies))
        points = base.mark_point(filled=True, size=60).encode(
            y=alt.Y("response_ratio:Q", title=_OVER).scale(zero=False),
            tooltip=tips("scheduler:N", "rate_per_s:O", "response_ratio:Q | | .3f"),
        )
        bars = base.mark_rule(strokeWidth=1.5).encode(y=alt.Y("low:Q", title=""), y2="high:Q")
        return alt.layer(_equal(), bars, points)

    values = with_ends(rows, "response_ratio", "response_half_width")
    panels = grouped(values, "input", panel, width=360, height=230)
    return _together(panels, "Mean response; below 1 the zone-grouped layout is quicker", columns=2)


def captures_chart(rows: _Rows) -> Any:
    """Positioning, transfer and response over those under the disk-like layout, one panel a capture."""
    policies, most = names(rows, "scheduler"), max(names(rows, "outstanding"))
    parts = ("positioning", "transfer", "response")
    ratios = {f"{part}_ratio": part for part in parts}
    values = unfolded(groups(rows, "outstanding")[most], ratios, "part", "ratio")

    def panel(own: _Rows) -> Any:
        base = plot(
            own,
            x=alt.X("part:N", title=None, sort=list(parts)).axis(labelAngle=0),
            y=alt.Y("ratio:Q", title=_OVER).scale(zero=False),
            **side_by_side("x", "scheduler", "Scheduler", policies),
            tooltip=tips("scheduler:N", "part:N", "ratio:Q | | .3f"),
        )
        return alt.layer(_equal(), base.mark_point(filled=True, size=60))

    panels = grouped(values, "capture", panel, width=240, height=200)
    return _together(panels, f"{most} requests outstanding", columns=3)


def _together(panels: list[Any], title: str, columns: int) -> Any:
    # Panels have different numbers of places, by which the room of a policy is measured.
    together = alt.concat(*panels, columns=columns, spacing=24).resolve_scale(xOffset="independent")
    return readable(together, 3, title)


_equal = partial(rule, "y", 1, strokeDash=[4, 4], color="#666666")
