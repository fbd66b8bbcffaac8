"""Many lines in one chart: colours that come again with other dashes, and a small panel for each line."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from ..runs.comparison import Point
from ..runs.curve_points import CurvePoint
from .colours import COLOURS, scheduler_styles
from .grammar import alike, alt, plot

_Point = TypeVar("_Point", Point, CurvePoint)

#: Beyond as many lines as there are colours, the colours come again with the next pattern of dashes.
#: None is of dots alone, which lead to saturation.
_DASHES = ([1, 0], [5, 3], [14, 4], [9, 3, 2, 3])
#: The width of a small panel, and what its axis and the gap take.
_SMALL, _BESIDE = 130, 36
#: How much is seen of the lines that are not chosen.
_DIM = 0.1


def merged(points: Sequence[_Point], drawn: Callable[[_Point], object]) -> list[_Point]:
    """The points with schedulers as one that do the same, under all their names.

    Args:
        points: Of all schedulers.
        drawn: What is drawn of a point, besides its scheduler.
    """
    found: dict[str, list[object]] = {}
    for point in points:
        found.setdefault(point.scheduler, []).append(drawn(point))
    called = alike(found)
    return [
        replace(point, scheduler=called[point.scheduler]) for point in points if point.scheduler in called
    ]


def scheduler_style(names: Sequence[str], order: Sequence[str]) -> tuple[dict[str, Any], Any]:
    """Colour and dashes of lines, by the order asked for so that a line keeps them, with one legend.

    A click in the legend shows a scheduler alone, a click with shift another besides.

    Args:
        names: The schedulers in the order asked for.
        order: The same as the legend has them.

    Returns:
        The channels; and the parameter of what is chosen, which one panel has to have.
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
    """The style without its dashes, for what is no line."""
    return {name: encoding for name, encoding in style.items() if name != "strokeDash"}


def are_many(names: Sequence[str]) -> bool:
    """Whether there are more than colours, so that they are not told apart at a glance."""
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
    """A small panel a scheduler, in which all others are grey.

    Args:
        says: What is seen.
        rows: With ``scheduler``, and what the channels draw.
        order: The schedulers.
        width: Of all panels of a row.
        x: The channel; its title has no room.
        y: The channel; its title has no room, either.
        channels: Of each scheduler's own line, besides.
    """
    x, y = x.title(None), y.title(None)
    # Under another name, so that a panel shows all of them.
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
