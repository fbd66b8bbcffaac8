"""Charts with many lines: styles of schedulers, and a small panel for each line."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from ..runs.comparison import Point
from ..runs.curve_points import CurvePoint
from .colours import COLOURS, scheduler_styles
from .grammar import alike, alt, plot

_Point = TypeVar("_Point", Point, CurvePoint)

#: Patterns of dashes for lines of the same colour. No pattern is dots alone: dotted lines lead to saturation.
_DASHES = ([1, 0], [5, 3], [14, 4], [9, 3, 2, 3])
#: Width of a small panel, and width of the axis and the gap next to the panel.
_SMALL, _BESIDE = 130, 36
#: Opacity of lines that the reader has not selected.
_DIM = 0.1


def merged(points: Sequence[_Point], drawn: Callable[[_Point], object]) -> list[_Point]:
    """Merge schedulers with equal points into one line, labelled with all names.

    Args:
        points: Points of all schedulers.
        drawn: Function that returns all drawn values of a point, apart from the scheduler.
    """
    found: dict[str, list[object]] = {}
    for point in points:
        found.setdefault(point.scheduler, []).append(drawn(point))
    called = alike(found)
    return [
        replace(point, scheduler=called[point.scheduler]) for point in points if point.scheduler in called
    ]


def scheduler_style(names: Sequence[str], order: Sequence[str]) -> tuple[dict[str, Any], Any]:
    """Return the channels for the colour and the dashes of each scheduler, with one legend.

    A click in the legend shows a scheduler alone, a click with shift adds another.

    Args:
        names: Schedulers in the order asked for.
        order: Schedulers in the order of the legend.

    Returns:
        The channels, and the selection parameter, which must be added to one panel.
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
    """Return the style without dashes, for marks other than lines."""
    return {name: encoding for name, encoding in style.items() if name != "strokeDash"}


def are_many(names: Sequence[str]) -> bool:
    """Return True if names outnumber colours, so that lines are hard to distinguish."""
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
    """Draw a small panel per scheduler, with all other schedulers in grey.

    Args:
        says: Caption below the panels.
        rows: Rows with the column ``scheduler`` and the columns of the channels.
        order: Schedulers in the order of the panels.
        width: Width of a row of panels, in pixels.
        x: Channel of the axis; the title is not drawn.
        y: Channel of the axis; the title is not drawn.
        channels: Further channels of the line in colour.
    """
    x, y = x.title(None), y.title(None)
    # Another name of the column keeps all other schedulers in each panel.
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
