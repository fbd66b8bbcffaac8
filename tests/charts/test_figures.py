"""Panels of a chart as figures of a page."""

from typing import Any

from sledsim.charts.page_figures import figures

ROWS = {"values": [{"x": 1, "y": 2, "who": "a"}, {"x": 2, "y": 3, "who": "white"}]}


def panel(**more: Any) -> dict[str, Any]:
    colour = {
        "field": "who",
        "title": "Who",
        "scale": {"domain": ["a", "white"], "range": ["#0072B2", "white"]},
    }
    channels = {
        "x": {"field": "x", "title": "Load"},
        "y": {"field": "y", "title": "Time"},
        "color": colour,
        "strokeWidth": {"field": "who", "legend": {"title": "Who"}},
        "opacity": {"condition": [{"param": "chosen", "value": 1}], "value": 0.1},
    }
    return {"mark": {"type": "line"}, "encoding": channels, "width": 300, "height": 200, **more}


def test_each_panel_is_a_figure_with_its_title_and_what_is_seen() -> None:
    chart = {
        "title": {"text": "All", "subtitle": ["First", "line."]},
        "data": ROWS,
        "params": [{"name": "chosen", "select": "point"}],
        "vconcat": [panel(title="One", description="It rises."), {"hconcat": [panel(), panel(width=700)]}],
        "config": {"axis": {"labelFontSize": 9}},
    }
    found = figures(chart, "What all show.")
    assert (found.title, found.says) == ("All", ["First line."])
    one, two, _ = found.figures
    assert (one.title, one.says) == ("One", "It rises.")
    assert (two.title, two.says) == ("Time over Load", "What all show.")
    assert [figure.is_wide for figure in found.figures] == [False, False, True]
    assert all(
        figure.chart["data"] == ROWS and figure.chart["width"] == "container" for figure in found.figures
    )
    assert one.chart["config"]["axis"]["labelFontSize"] == 9


def test_what_stands_over_several_panels_stands_over_each() -> None:
    group = {"title": "osdi00", "vconcat": [panel(title="Mean"), {"title": "demo", "concat": [panel()]}]}
    chart = {"title": "All", "data": ROWS, "vconcat": [group, panel(title="Alone")]}
    titles = [figure.title for figure in figures(chart).figures]
    assert titles == ["osdi00: Mean", "osdi00: demo: Time over Load", "Alone"]


def test_colours_become_those_of_the_page_and_names_stay() -> None:
    (found,) = figures({**panel(), "data": ROWS}).figures
    assert [(one.name, one.colour) for one in found.series] == [("a", "var(--c1)"), ("white", "var(--page)")]
    assert (found.field, found.legend) == ("who", "Who")
    scale = found.chart["encoding"]["color"]["scale"]
    assert scale == {"domain": ["a", "white"], "range": ["var(--c1)", "var(--page)"]}
    assert found.chart["data"] == ROWS


def test_the_page_highlights_in_place_of_selections() -> None:
    (found,) = figures({**panel(), "data": ROWS}).figures
    assert "chosen" not in str(found.chart)
    assert found.chart["encoding"]["color"]["legend"] is None
    assert found.chart["encoding"]["strokeWidth"]["legend"] is None, "its legend would be one more"
    assert "indexof(lit, '' + datum[\"who\"]) < 0" in str(found.chart["encoding"]["opacity"]).replace(
        "\\", ""
    )


def test_a_map_keeps_its_sides() -> None:
    (found,) = figures({**panel(width=300, height=300), "data": ROWS}).figures
    assert found.chart["width"] == 300 and found.chart["usermeta"] == {"aspect": 1.0, "most": 450.0}
