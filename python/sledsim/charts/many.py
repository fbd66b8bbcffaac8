"""Many lines in one chart: colours that come again with other dashes, and a small panel for each line."""

from collections.abc import Mapping, Sequence
from typing import Any

from .colours import COLOURS
from .grammar import alt, plot

#: Beyond as many lines as there are colours, the colours come again with the next pattern of dashes.
#: None is of dots alone, which lead to saturation.
_DASHES = ([1, 0], [5, 3], [14, 4], [9, 3, 2, 3])
#: The width of a small panel, and what its axis and the gap take.
_SMALL, _BESIDE = 130, 36


def line_style(names: Sequence[str], order: Sequence[str], title: str) -> dict[str, Any]:
    """Colour and dashes of lines, by the order asked for so that a line keeps them, with one legend.

    Args:
        names: The lines in the order asked for.
        order: The same as the legend has them.
        title: Of the legend.
    """
    place = {name: at for at, name in enumerate(names)}
    colours = [COLOURS[place[name] % len(COLOURS)] for name in order]
    dashes = [_DASHES[place[name] // len(COLOURS) % len(_DASHES)] for name in order]
    legend = alt.Legend(
        title=title, symbolType="stroke", symbolLimit=0, symbolOpacity=1, symbolSize=500, labelLimit=360
    )
    colour, dash = alt.Scale(domain=list(order), range=colours), alt.Scale(domain=list(order), range=dashes)
    return {
        "color": alt.Color("scheduler:N", legend=legend, scale=colour),
        "strokeDash": alt.StrokeDash("scheduler:N", legend=legend, scale=dash),
    }


def solid(style: Mapping[str, Any]) -> dict[str, Any]:
    """The style without its dashes, for what is no line."""
    return {name: encoding for name, encoding in style.items() if name != "strokeDash"}


def are_many(names: Sequence[str]) -> bool:
    """Whether there are more than colours, so that they are not told apart at a glance."""
    return len(names) > len(COLOURS)


def one_by_one(
    rows: Sequence[Mapping[str, Any]], order: Sequence[str], width: int, x: Any, y: Any, **channels: Any
) -> Any:
    """A small panel a scheduler, in which all others are grey.

    Args:
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
    own = alt.Chart().mark_line(strokeWidth=2.2, color=COLOURS[0], point=alt.OverlayMarkDef(size=16))
    drawn = alt.layer(behind, own.encode(x=x, y=y, **channels), data=alt.InlineData(values=list(rows)))
    header: Any = {"labelLimit": _SMALL + _BESIDE, "labelFontSize": 11}
    return drawn.properties(width=_SMALL, height=_SMALL * 3 // 4).facet(
        facet=alt.Facet("scheduler:N", sort=list(order), title=None).header(**header),
        columns=width // (_SMALL + _BESIDE),
    )
