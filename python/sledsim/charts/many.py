"""Charts with many lines: colours and dashes of schedulers, and one small panel per scheduler."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from ..runs.comparison import Point
from ..runs.curve_points import CurvePoint
from .colours import COLOURS, scheduler_styles
from .grammar import alike, alt, plot

_Point = TypeVar("_Point", Point, CurvePoint)

#: Dash patterns for lines of the same colour. No pattern is dotted, because dotted lines lead to saturation.
_DASHES = ([1, 0], [5, 3], [14, 4], [9, 3, 2, 3])
#: Width in pixels of a small panel without its axis, and width in pixels of the axis and of the gap beside
#: it.
_SMALL, _BESIDE = 130, 36
#: Opacity of lines that are not selected in the legend.
_DIM = 0.1


def merged(points: Sequence[_Point], drawn: Callable[[_Point], object]) -> list[_Point]:
    """Give schedulers with equal points a common name, such as ``sptf = satf``, and keep one set of points.

    Args:
        points: Points of all schedulers.
        drawn: Function that returns, for a point, the values that the chart draws, without the name of the
            scheduler. Schedulers are merged if these values are equal at all their points.
    """
    found: dict[str, list[object]] = {}
    for point in points:
        found.setdefault(point.scheduler, []).append(drawn(point))
    called = alike(found)
    return [
        replace(point, scheduler=called[point.scheduler]) for point in points if point.scheduler in called
    ]


def scheduler_style(names: Sequence[str], order: Sequence[str]) -> tuple[dict[str, Any], Any]:
    """Return Altair channels that give each scheduler its colour and dashes, with one common legend.

    A click on a scheduler in the legend shows only this scheduler; each shift-click adds another scheduler.

    Args:
        names: Names of the schedulers, in the order of the user's command.
        order: The same names, in the order of the legend.

    Returns:
        The channels, and the selection parameter, which the caller must add to one panel.
    """
    styles = scheduler_styles(names)
    colours = [styles[name][0] for name in order]
    dashes = [_DASHES[styles[name][1] % len(_DASHES)] for name in order]
    legend = alt.Legend(
        title="Scheduler", symbolType="stroke", symbolLimit=0, symbolOpacity=1, symbolSize=500, labelLimit=360
    )
    colour, dash = alt.Scale(domain=list(order), range=colours), alt.Scale(domain=list(order), range=dashes)
    chosen = alt.selection_point(fields=["scheduler"], bind="legend", name="chosen")
    style = {
        "color": alt.Color("scheduler:N", legend=legend, scale=colour),
        "strokeDash": alt.StrokeDash("scheduler:N", legend=legend, scale=dash),
        "opacity": alt.when(chosen).then(alt.value(1)).otherwise(alt.value(_DIM)),
    }
    return style, chosen


def solid(style: Mapping[str, Any]) -> dict[str, Any]:
    """Return the channels of a style without dashes, for bars, bands and points."""
    return {name: encoding for name, encoding in style.items() if name != "strokeDash"}


def are_many(names: Sequence[str]) -> bool:
    """Return True if there are more names than colours, so that lines are hard to distinguish."""
    return len(names) > len(COLOURS)


def one_by_one(
    says: str,
    rows: Sequence[Mapping[str, Any]],
    order: Sequence[str],
    width: int,
    x: Any,
    y: Any,
    **channels: Any,
) -> Any:
    """Draw a small panel per scheduler, with this scheduler in colour and all others in grey.

    Args:
        says: Caption below the panels, as a text.
        rows: Rows with a column ``scheduler``, and the columns that `x`, `y` and `channels` name.
        order: Schedulers in the order of the panels.
        width: Width of one row of panels, in pixels.
        x: Altair channel of the x axis; its title is removed.
        y: Altair channel of the y axis; its title is removed.
        channels: Further Altair channels of the coloured line.
    """
    x, y = x.title(None), y.title(None)
    # Panels are split by the column `scheduler`: rows without a scheduler appear in every panel.
    others = [{**row, "one": row["scheduler"], "scheduler": None} for row in rows]
    behind = plot(others, x=x, y=y, detail="one:N").mark_line(strokeWidth=0.8, color="#bbbbbb")
    own = alt.Chart().mark_line(strokeWidth=2.2, point=alt.OverlayMarkDef(size=16))
    drawn = alt.layer(behind, own.encode(x=x, y=y, **channels), data=alt.InlineData(values=list(rows)))
    header: Any = {"labelLimit": _SMALL + _BESIDE, "labelFontSize": 11}
    panels = drawn.properties(width=_SMALL, height=_SMALL * 3 // 4).facet(
        facet=alt.Facet("scheduler:N", sort=list(order), title=None).header(**header),
        columns=width // (_SMALL + _BESIDE),
    )
    return panels.properties(title="Each scheduler by itself; all others in grey", description=says)
