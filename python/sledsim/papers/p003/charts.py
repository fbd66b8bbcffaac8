"""Charts that the experiments on paper 003 share: intervals by system, and lines over a logarithmic axis."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from sledsim.charts import alt, colour, grouped, lines as pointed, names, plot, readable, ticked, tips

#: Function that makes a logarithmic axis with 8 pixels of room at its ends.
_log = partial(ticked, padding=8)
_Rows = Sequence[Mapping[str, Any]]
#: Pair of the column with the mean response in ms and of its title, for the arguments `x` and `y` of `lines`.
RESPONSE = ("mean_response_ms", "Mean response (ms, log scale)")


def intervals(
    rows: _Rows, column: str, title: str, unit: str = "", scale: float = 1.0, least: float = 0.0
) -> Any:
    """Draw one panel per input, with a point per system and the interval of the figure.

    Args:
        rows: Table rows with the columns that `Interval.columns` makes.
        column: Name of the compared figure; its columns in the rows begin with this name.
        title: Title of the axis.
        unit: Ending of the names of the columns, which is the unit, such as ``_s``; empty for a ratio.
        scale: Factor by which values are multiplied for the chart.
        least: Least value on the logarithmic axis, in the scaled unit; smaller values are drawn there.
    """
    ends = {"value": "", "low": "_low", "high": "_high"}
    shown = [
        {**row, **{key: max(scale * row[f"{column}{end}{unit}"], least) for key, end in ends.items()}}
        for row in rows
    ]
    systems = names(rows, "system")
    y = _log(alt.Y("value:Q", title=title), (row[end] for row in shown for end in ("low", "high")))
    texts = tips(
        "system:N | System",
        f"value:Q | {title} | ,.4~g",
        f"low:Q | {title}, from | ,.4~g",
        f"high:Q | {title}, to | ,.4~g",
    )

    def panel(own: _Rows) -> Any:
        x = alt.X("system:N", title=None, sort=systems, axis=alt.Axis(labelAngle=0))
        base = plot(own, x=x, color=colour("system", "System", systems).legend(None))
        rules = base.mark_rule(strokeWidth=3, opacity=0.6).encode(y="low:Q", y2="high:Q")
        points = base.mark_point(filled=True, size=90, opacity=1)
        return alt.layer(rules, points.encode(y=y, tooltip=texts))

    panels = grouped(shown, "input", panel, width=190, height=240)
    return readable(alt.concat(*panels, columns=4, spacing=24).resolve_scale(y="shared"))


def lines(
    rows: _Rows,
    x: tuple[str, str],
    y: tuple[str, str],
    which: str,
    panel: str = "input",
    y_format: str | None = None,
) -> Any:
    """Draw a panel per value of the column `panel`; each panel has a line per value of the column `which`.

    `x` and `y` are pairs of column and title. The axis of `x` is logarithmic, and that of `y` too, unless
    `y_format` is given. For each column in seconds, rows get one in milliseconds, which ends with ``_ms``.
    """
    settings = names(rows, which)
    shown = [
        {**row, **{f"{name[:-2]}_ms": 1e3 * row[name] for name in row if name.endswith("_s")}} for row in rows
    ]
    texts = tips(
        f"{which}:N | {which.capitalize()}", *(f"{name}:Q | {said} | ,.4~g" for name, said in (x, y))
    )

    def draw(own: _Rows) -> Any:
        of_y = alt.Y(f"{y[0]}:Q", title=y[1])
        base = plot(
            own,
            x=_log(alt.X(f"{x[0]}:Q", title=x[1]), (row[x[0]] for row in own)),
            y=of_y.axis(format=y_format) if y_format else _log(of_y, (row[y[0]] for row in own)),
            color=colour(which, which.capitalize(), settings),
            tooltip=texts,
        )
        has_few = len(own) <= 30 * len(settings)
        return pointed(base, width=2, opacity=1) if has_few else alt.layer(base.mark_line(strokeWidth=2))

    panels = grouped(shown, panel, draw, width=280, height=240)
    return readable(alt.concat(*panels, columns=3, spacing=24), legend_columns=3)
