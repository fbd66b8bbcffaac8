"""The grammar of charts: what it makes of rows."""

import subprocess
import sys

import pytest

pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")

from sledsim.charts.grammar import (
    alt,
    grouped,
    groups,
    lines,
    log_axis,
    names,
    plot,
    rule,
    side_by_side,
    tips,
    unfolded,
)

ROWS = [
    {"policy": "sptf", "load": 20, "ms": 4.0, "share": None},
    {"policy": "fcfs", "load": 20, "ms": 9.0, "share": 0.5},
    {"policy": "sptf", "load": 90, "ms": 40.0, "share": 0.25},
]


def test_rows_are_grouped_in_their_order() -> None:
    assert names(ROWS, "policy") == ["sptf", "fcfs"]
    assert groups(ROWS, "policy") == {"sptf": [ROWS[0], ROWS[2]], "fcfs": [ROWS[1]]}
    assert list(groups(ROWS, "policy", "load")) == [("sptf", 20), ("fcfs", 20), ("sptf", 90)]
    panels = grouped(ROWS, "load", lambda own: plot(own, x="ms:Q").mark_bar(), width=80)
    assert [(panel.title, panel.width, len(panel.data.values)) for panel in panels] == [
        ("20", 80, 2),
        ("90", 80, 1),
    ]


def test_columns_become_rows() -> None:
    found = unfolded(ROWS[:1], {"ms": "response", "load": "load"}, "what", "value")
    assert found == [
        {**ROWS[0], "what": "response", "value": 4.0},
        {**ROWS[0], "what": "load", "value": 20},
    ]


def test_tooltips_have_title_and_format() -> None:
    found = [tip.to_dict() for tip in tips("policy:N", "ms:Q | Response (ms) | ,.3f", "share:Q | | .1%")]
    assert found == [
        {"field": "policy", "type": "nominal"},
        {"field": "ms", "type": "quantitative", "title": "Response (ms)", "format": ",.3f"},
        {"field": "share", "type": "quantitative", "format": ".1%"},
    ]


def test_lines_have_points_and_lie_between_other_layers() -> None:
    base = plot(ROWS, x="load:Q", y=log_axis(alt.Y, ROWS, "share", "Share (log scale)"))
    chart = lines(base, rule("y", 1), above=[rule("x", 30)], width=2, size=50).to_dict()
    assert [layer["mark"]["type"] for layer in chart["layer"]] == ["rule", "line", "point", "rule"]
    assert chart["layer"][1]["mark"]["strokeWidth"] == 2 and chart["layer"][2]["mark"]["size"] == 50
    scale = chart["layer"][1]["encoding"]["y"]["scale"]
    assert (scale["type"], scale["domain"]) == ("log", [0.25, 0.5]), "what is missing has no place"


@pytest.mark.parametrize("axis", ["x", "y"])
def test_members_of_groups_stand_beside_each_other_in_their_colours(axis: str) -> None:
    chart = plot(ROWS, **side_by_side(axis, "policy", "Policy", ["fcfs", "sptf"])).mark_bar().to_dict()
    assert chart["encoding"][f"{axis}Offset"]["sort"] == ["fcfs", "sptf"]
    assert chart["encoding"]["color"]["scale"]["domain"] == ["fcfs", "sptf"]


@pytest.mark.dear("charts are drawn as pages and pictures")
def test_altair_is_loaded_with_its_first_use() -> None:
    code = (
        "import sys; from sledsim.charts.grammar import alt, plot; before = 'altair' in sys.modules;"
        "plot([]); print(before, 'altair' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False True\n"
