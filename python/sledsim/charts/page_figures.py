"""A chart divided into figures for a page: panels that fill the width, in light and dark colours."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..pages.page import Figure, Series
from .colours import COLOURS

_Spec = dict[str, Any]
#: CSS variable for each colour of a chart; a page defines a light and a dark value for it.
_OF_PAGE = {
    **{colour: f"var(--c{at})" for at, colour in enumerate(COLOURS, 1)},
    **{"white": "var(--page)", "black": "var(--text)", "#ffffff": "var(--page)"},
    **{"#999999": "var(--g1)", "#bbbbbb": "var(--g2)", "#cccccc": "var(--g2)", "#e6e6e6": "var(--grid)"},
    "#555555": "var(--quiet)",
}
#: Keys of a specification whose texts are data, not colours.
_OF_DATA = {"values", "datasets", "domain", "sort", "data", "title", "text", "description"}
#: Keys of a specification under which several panels are listed.
_STACKS = ("vconcat", "hconcat", "concat")
#: Least width in pixels with which a panel gets a whole row of the page for itself.
_WIDE = 600
#: Name of the Vega-Lite parameter that holds the names highlighted in the legend, and opacity of all other
#: lines.
_LIT, _DIM = "lit", 0.1
_CHANNELS = ("color", "stroke", "fill")
_OF_SERIES = (*_CHANNELS, "strokeDash", "strokeWidth", "shape")


class _Legend(NamedTuple):
    """The legend of a panel: the name of the data column, the title of the legend, and its entries."""

    field: str
    title: str
    series: Sequence[Series]


class Headed(NamedTuple):
    """A chart divided into its headline, its sentences and its figures.

    Attributes:
        title: Headline of the chart; empty if the chart has none.
        says: Sentences below the headline.
        figures: Figures, one for each panel of the chart.
    """

    title: str
    says: Sequence[str]
    figures: Sequence[Figure]


def figures(chart: Mapping[str, Any], whole: str = "") -> Headed:
    """Divide a Vega-Lite chart into figures for a page, one figure for each panel of the chart.

    The title of a panel becomes the headline of its figure, and the description its caption.

    Args:
        chart: Specification that `specification` returned.
        whole: Caption for panels without a description.
    """
    title, says = _title(chart)
    stacked = any(name in chart for name in _STACKS)
    shown = [
        _figure(chart, panel, "" if stacked else title, heading, whole)
        for heading, panel in _panels({key: chart[key] for key in chart if key not in ("config", "title")})
    ]
    return Headed(title, says, shown)


def _title(chart: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Return the title of a specification, and its subtitle as a list of one paragraph or none."""
    title = chart.get("title") or ""
    if isinstance(title, str):
        return title, []
    return _joined(title.get("text", "")), [text] if (text := _joined(title.get("subtitle", ""))) else []


def _joined(text: str | Sequence[str]) -> str:
    return text if isinstance(text, str) else " ".join(text)


def _panels(chart: _Spec, data: Any = None, heading: str = "") -> Iterator[tuple[str, _Spec]]:
    """Yield each panel of a chart, with its data and the headings of the groups that contain it."""
    data = chart.get("data", data)
    for stack in _STACKS:
        if stack in chart:
            for part in chart[stack]:
                yield from _panels(part, data, ": ".join(filter(None, (heading, _title(chart)[0]))))
            return
    yield heading, {**chart, "data": data} if data is not None else chart


def _figure(chart: Mapping[str, Any], panel: _Spec, title: str, heading: str, whole: str) -> Figure:
    """Build the figure of one panel; of the chart's data and settings, the figure has only those it needs."""
    kept = {
        key: value
        for key, value in panel.items()
        if key not in ("title", "description", "$schema", "params", "padding", "background")
    }
    own_title, own_says = _title(panel)
    says = panel.get("description") or " ".join(own_says) or whole
    legend = _legend(kept)
    kept = _without_selections(kept)
    if legend:
        kept = _with_highlight(kept, legend.field)
    is_one = "facet" not in kept and "repeat" not in kept
    width = kept.get("width")
    names = {"datasets": _used(kept, chart.get("datasets", {}))}
    most = width if isinstance(width, int | float) else 0
    if is_one and not _is_map(kept):
        kept["width"] = "container"
    elif is_one:
        aspect = kept["height"] / kept["width"]
        kept["usermeta"] = {"aspect": aspect, "most": 1.5 * kept["width"]}
    kept |= {
        "params": [{"name": _LIT, "value": []}],
        "config": _config(chart.get("config", {})),
        "padding": 4,
    }
    return Figure(
        ": ".join(filter(None, (heading, own_title or title or _of_axes(kept)))),
        {**_coloured(kept), **names},
        says,
        legend.series if legend else (),
        legend.field if legend else "",
        legend.title if legend else "",
        most >= _WIDE or not is_one,
    )


def _of_axes(panel: _Spec) -> str:
    """Return a headline for a panel without a title, made from the titles of its axes: "y over x"."""
    for unit in _units(panel):
        titles = [_joined((unit["encoding"].get(name) or {}).get("title") or "") for name in ("y", "x")]
        if any(titles):
            return " over ".join(filter(None, titles))
    return "Chart"


def _is_map(panel: Mapping[str, Any]) -> bool:
    """Return True for a map: a square panel, or a panel with the same scale on both axes."""
    sides = panel.get("width"), panel.get("height")
    if not all(isinstance(side, int | float) for side in sides):
        return False
    return sides[0] == sides[1] or isinstance(sides[1], float)


def _used(panel: Any, datasets: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of the chart's named data sets, `datasets`, that the panel draws."""
    found: dict[str, Any] = {}
    if isinstance(panel, Mapping):
        name = panel.get("name")
        if isinstance(name, str) and name in datasets:
            found[name] = datasets[name]
        for key, part in panel.items():
            if key != "values":
                found |= _used(part, datasets)
    elif isinstance(panel, list):
        for part in panel:
            found |= _used(part, datasets)
    return found


def _units(panel: Any) -> Iterator[_Spec]:
    """Yield all parts of a panel that have Altair channels: the panel itself, and each of its layers."""
    if isinstance(panel, dict):
        if isinstance(panel.get("encoding"), dict):
            yield panel
        for key in ("layer", "spec"):
            parts = panel.get(key, ())
            for part in parts if isinstance(parts, list) else [parts]:
                yield from _units(part)


def _legend(panel: _Spec) -> _Legend | None:
    """Return the legend of the first channel that gives colours to names; None without a visible legend."""
    for unit in _units(panel):
        for name in _CHANNELS:
            channel = unit["encoding"].get(name, {})
            scale = channel.get("scale") or {}
            domain, colours = scale.get("domain"), scale.get("range")
            if channel.get("legend", True) is None or not isinstance(domain, list):
                continue
            if not isinstance(colours, list) or not channel.get("field") or len(colours) < len(domain):
                continue
            dashes = _dashes(panel, channel["field"])
            title = (channel.get("legend") or {}).get("title") or channel.get("title") or ""
            strokes = [one if one != [1, 0] else () for one in dashes or [()] * len(domain)]
            named = zip(domain, colours, strokes, strict=False)
            series = [Series(str(one), _colour(colour), dash) for one, colour, dash in named]
            return _Legend(channel["field"], _joined(title), series)
    return None


def _dashes(panel: _Spec, field: str) -> Any:
    """Return the dash patterns of the names in the column `field`; None if all lines are solid."""
    for unit in _units(panel):
        channel = unit["encoding"].get("strokeDash") or {}
        if channel.get("field") == field and (channel.get("scale") or {}).get("range"):
            return channel["scale"]["range"]
    return None


def _without_selections(panel: Any) -> Any:
    """Return a panel without clickable selections; the page offers buttons for highlighting instead."""
    if isinstance(panel, list):
        return [_without_selections(part) for part in panel]
    if not isinstance(panel, Mapping):
        return panel
    found = {key: _without_selections(part) for key, part in panel.items() if key not in ("values", "params")}
    if "values" in panel:
        found["values"] = panel["values"]
    if isinstance(found.get("encoding"), dict):
        found["encoding"] = {
            name: channel for name, channel in found["encoding"].items() if not _is_selected(channel)
        }
    return found


def _is_selected(channel: Any) -> bool:
    condition = channel.get("condition", ()) if isinstance(channel, Mapping) else ()
    return any("param" in one for one in (condition if isinstance(condition, list) else [condition]))


def _with_highlight(panel: _Spec, field: str) -> _Spec:
    """Return a panel in which only the highlighted values of the column `field` keep full opacity."""
    for unit in _units(panel):
        channels = unit["encoding"]
        of_field = [name for name in _OF_SERIES if (channels.get(name) or {}).get("field") == field]
        for name in of_field:
            channels[name] = {**channels[name], "legend": None}
        own = channels.get("opacity", {})
        if not of_field or "field" in own or "condition" in own:
            continue
        mark = unit.get("mark")
        base = own.get("value", mark.get("opacity", 1) if isinstance(mark, Mapping) else 1)
        test = f"length({_LIT}) && indexof({_LIT}, '' + datum[{json.dumps(field)}]) < 0"
        channels["opacity"] = {"condition": {"test": test, "value": _DIM * base}, "value": base}
    return panel


def _colour(colour: str) -> str:
    return _OF_PAGE.get(colour, colour)


def _coloured(part: Any) -> Any:
    """Return a part of a specification in which each colour is replaced by the CSS variable of the page."""
    if isinstance(part, str):
        return _colour(part)
    if isinstance(part, Mapping):
        return {key: value if key in _OF_DATA else _coloured(value) for key, value in part.items()}
    return [_coloured(one) for one in part] if isinstance(part, list) else part


def _config(config: Mapping[str, Any]) -> _Spec:
    """Return the Vega-Lite configuration of a chart, with texts and lines in the colours of the page."""
    text, quiet = {"color": "var(--text)"}, "var(--quiet)"
    axis = {"labelColor": "var(--text)", "titleColor": quiet, "tickColor": quiet, "domainColor": quiet}
    return {
        **config,
        "background": "var(--page)",
        "mark": {"color": "var(--c1)"},
        "text": text,
        "rule": text,
        "axis": {**config.get("axis", {}), **axis},
        "legend": {**config.get("legend", {}), "labelColor": "var(--text)", "titleColor": quiet},
        "header": {**config.get("header", {}), "labelColor": "var(--text)", "titleColor": quiet},
        "title": {**config.get("title", {}), **text},
        "view": {"stroke": "var(--line)"},
    }
