"""The charts of 003's experiments."""

from collections.abc import Mapping, Sequence
from typing import Any


def intervals(rows: Sequence[Mapping[str, Any]], value: str, title: str) -> Any:
    """One panel an input, one point a system: `value`, from `value` with ``_low`` to that with ``_high``."""
    from ...charts.style import log_ticks, readable
    from ...studies.drawing import alt, colour

    names = list(dict.fromkeys(row["system"] for row in rows))
    ticks = log_ticks(row[f"{value}_{end}"] for row in rows for end in ("low", "high"))
    y = _log(alt.Y(f"{value}:Q", title=title), ticks)
    x = alt.X("system:N", title=None, sort=names, axis=alt.Axis(labelAngle=0))
    panels = []
    for name in dict.fromkeys(row["input"] for row in rows):
        base = alt.Chart(alt.InlineData(values=[dict(row) for row in rows if row["input"] == name])).encode(
            x=x, color=colour("system", "System", names).legend(None)
        )
        points = base.mark_point(filled=True, size=90, opacity=1).encode(
            y=y,
            tooltip=[
                alt.Tooltip("system:N", title="System"),
                *(
                    alt.Tooltip(f"{value}{end}:Q", title=f"{title}{words}", format=",.4~g")
                    for end, words in (("", ""), ("_low", ", from"), ("_high", ", to"))
                ),
            ],
        )
        rules = base.mark_rule(strokeWidth=3, opacity=0.6).encode(y=f"{value}_low:Q", y2=f"{value}_high:Q")
        panels.append(alt.layer(rules, points).properties(title=name, width=190, height=240))
    together = alt.concat(*panels, columns=4, spacing=24).resolve_scale(y="shared")
    return readable(together.properties(padding=16))


def lines(
    rows: Sequence[Mapping[str, Any]],
    x: tuple[str, str],
    y: tuple[str, str],
    which: str,
    panel: str = "input",
    y_format: str | None = None,
) -> Any:
    """One panel an input, one line a system or setting; `x` and `y` are column and title, `x` logarithmic.

    So is `y`, unless it has a format.
    """
    from ...charts.style import log_ticks, readable
    from ...studies.drawing import alt, colour

    names = list(dict.fromkeys(row[which] for row in rows))
    panels = []
    for name in dict.fromkeys(row[panel] for row in rows):
        own = [dict(row) for row in rows if row[panel] == name]
        of_x, of_y = alt.X(f"{x[0]}:Q", title=x[1]), alt.Y(f"{y[0]}:Q", title=y[1])
        base = alt.Chart(alt.InlineData(values=own)).encode(
            x=_log(of_x, log_ticks(row[x[0]] for row in own)),
            y=of_y.axis(format=y_format) if y_format else _log(of_y, log_ticks(row[y[0]] for row in own)),
            color=colour(which, which.capitalize(), names),
            tooltip=[
                alt.Tooltip(f"{which}:N", title=which.capitalize()),
                alt.Tooltip(f"{x[0]}:Q", title=x[1], format=",.4~g"),
                alt.Tooltip(f"{y[0]}:Q", title=y[1], format=",.4~g"),
            ],
        )
        layers = [base.mark_line(strokeWidth=2)]
        if len(own) <= 30 * len(names):
            layers.append(base.mark_point(filled=True, opacity=1))
        panels.append(alt.layer(*layers).properties(title=name, width=280, height=240))
    return readable(alt.concat(*panels, columns=3, spacing=24).properties(padding=16), legend_columns=3)


def _log(channel: Any, ticks: Sequence[float]) -> Any:
    """A logarithmic axis with these ticks."""
    return channel.scale(type="log", nice=False, padding=8).axis(values=list(ticks), format=",~g")
