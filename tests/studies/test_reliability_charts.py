"""The charts of codes, losses, arrays, power and start-up."""

import dataclasses

import numpy as np
import pyarrow
import pytest

pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
from .test_study_charts import drawn, marks, parts, study, subtitle, values


@pytest.mark.dear("every study of the device runs", every_change=True)
def test_what_a_code_corrects_is_a_grid() -> None:
    made = study("error-correction", check_tips=(0, 1, 2), count=20)
    chart = drawn(made)
    cells = [
        {"kind": panel["title"].partition("are ")[2], **cell}
        for panel in chart["vconcat"]
        for cell in values(chart, panel)
    ]
    assert len({(cell["kind"], cell["checks"]) for cell in cells}) == 3 * 4
    for cell in cells:
        neither, no_detection = (
            cell["checks"] == "tip sector: none, block: none",
            "sector: none" in cell["checks"],
        )
        if cell["kind"] == "missing":
            expected = "recovered" if cell["wrong"] <= cell["check_tips"] else "lost"
        elif cell["kind"] == "overwritten":
            cost = cell["wrong"] * (2 if no_detection else 1)
            beyond = "silent" if neither and not cell["check_tips"] else "lost"
            expected = "recovered" if cost <= cell["check_tips"] else beyond
        else:
            # No check tip is left to find the error.
            expected = ("silent" if neither else "lost") if cell["wrong"] else "recovered"
        assert cell["outcome"] == expected, cell
    assert made.definition.digest
    for row in made.definition.digest(made.table).to_pylist():
        assert row["missing_corrected"] == row["check_tips"]
        halved = row["check_tips"] // 2 if row["detection"] == "none" else row["check_tips"]
        assert row["overwritten_corrected"] == halved


@pytest.mark.dear("every study of the device runs")
def test_shares_between_none_and_all_are_written() -> None:
    made = study("error-correction", check_tips=1, detection="crc8", block_check="none", count=1500)
    chart = drawn(made)
    cells = [cell for panel in chart["vconcat"] for cell in values(chart, panel) if cell["text"]]
    # A check of 8 bits accepts one in 256 wrong blocks: such a block is silent.
    assert cells and all(
        1 - max(cell["lost"], cell["recovered"]) == pytest.approx(1 / 256, abs=6e-3) for cell in cells
    )
    assert all(cell["text"] == f"{max(cell['lost'], cell['recovered']):.1%}" for cell in cells)


def test_shares_close_to_one_are_not_rounded_to_one() -> None:
    made = study("error-correction", check_tips=1, detection="crc16", block_check="none", count=20)
    nearly = [
        {**row, "patterns": 100_000, "recovered": 99_998, "lost": 2, "silent": 0}
        for row in made.table.to_pylist()
    ]
    chart = drawn(dataclasses.replace(made, table=pyarrow.Table.from_pylist(nearly)))
    assert {cell["text"] for panel in chart["vconcat"] for cell in values(chart, panel)} == {"99.998%"}


def test_the_distance_of_tips_has_a_unit_and_a_bound() -> None:
    made = study("tip-spread", count=20)
    spread = made.table.to_pylist()[-1]
    text = subtitle(drawn(made))
    assert f"{spread['distance']:.3g} widths of a tip" in text
    assert f"more than {spread['distance_bound']:.3g}" in text


@pytest.mark.dear("every study of the device runs", every_change=True)
def test_losses_are_logarithmic_and_say_for_how_long_and_for_which_rates() -> None:
    made = study("data-loss", check_tips=(2, 4), years=3.0, defects_per_year=10.0, count=50)
    chart = drawn(made)
    assert "In 3 years; a tip fails with a probability of 0.001 a year" in subtitle(chart)
    assert "10 defects of the medium a year" in subtitle(chart)
    assert {(row["years"], row["defects_per_year"]) for row in made.table.to_pylist()} == {(3.0, 10.0)}
    for line in marks(chart, "line"):
        assert line["encoding"]["y"]["scale"]["type"] == "log"
        assert line["encoding"]["x"]["type"] == "quantitative", "4 is as far from 2 as 2 from 0"
        assert all(row[line["encoding"]["y"]["field"]] > 0 for row in values(chart, line))
    # A device that never lost a block appears only by the end of its interval.
    none = [point for point in marks(chart, "point") if point["mark"].get("shape") == "triangle-down"]
    assert {row["device_loss_simulated"] for point in none for row in values(chart, point)} <= {0.0}
    legends = [part for part in parts(chart) if part.get("title") == "Lost to"]
    assert legends and all(legend["scale"]["domain"][1] == "failing tips alone" for legend in legends)


@pytest.mark.dear("every study of the device runs")
def test_losses_of_the_same_check_tips_stand_beside_each_other() -> None:
    chart = drawn(study("data-loss", count=50))
    (bars,), lines = marks(chart, "rule"), marks(chart, "line")
    for part in (bars, *lines):
        x = part["encoding"]["x"]
        assert x["field"] == "place" and x["axis"]["values"] == [0, 1, 2, 4]
        places = {(row["check_tips"], row["spare_tips"]): row["place"] for row in values(chart, part)}
        for (check, spare), place in places.items():
            assert spare != "4" or place == check, "in the middle of 0 and 16"
            assert abs(place - check) < 0.3
    pixels = 380 / np.ptp(bars["encoding"]["x"]["scale"]["domain"])
    where = sorted(row["place"] for row in values(chart, bars))
    assert np.diff(where).min() * pixels > bars["mark"]["strokeWidth"], "no two bars mix"
    for line in lines:
        widths = line["encoding"]["strokeWidth"]["scale"]["range"]
        assert all(widths[at] > widths[at + 1] for at in range(2)), "what lies under others is wider"


def test_devices_that_lose_nothing_have_triangles_all_the_same() -> None:
    never = {"failures_per_tip_year": 0, "dead_at_manufacture": 0, "defects_per_year": 0}
    chart = drawn(study("data-loss", count=10, **never))
    assert [panel["title"] for panel in chart["hconcat"]] == ["The device"]
    assert not marks(chart, "line"), "a legend of no line is empty"
    for point in marks(chart, "point"):
        encoding = point["encoding"]
        assert encoding["x"]["axis"]["values"] == [0, 1, 2, 4]
        assert encoding["color"]["scale"]["domain"] == ["0", "4", "16"]
        low, high = encoding["y"]["scale"]["domain"]
        assert all(low < row["device_loss_high"] < high for row in values(chart, point))


@pytest.mark.dear("every study of the device runs")
def test_arrays_say_of_what_they_are_and_for_how_long() -> None:
    made = study("array-survival", devices=4, years=2.0, simulated_requests=1000, count=10)
    chart = drawn(made)
    assert chart["title"]["text"].endswith("osdi00 beside atlas10k")
    assert "4 devices in an array, 2 in a mirror; 2 years; 50 random requests/s" in subtitle(chart)
    rates = {row["rate"] for line in marks(chart, "line") for row in values(chart, chart["vconcat"][0])}
    assert rates == {"no rebuild", "10% at most", "100% at most"}


def test_starting_a_disk_is_reported_as_an_input() -> None:
    chart = drawn(study("start-up", disk_start_s=15.0))
    assert "start of a disk, 15 s, is an input" in subtitle(chart)
    names = {row["which"] for row in values(chart, chart)}
    assert {name.partition(":")[0] for name in names} == {"start", "first access", "disks", "disks together"}
    several = drawn(study("start-up", disks_at_once=3))
    assert "disks: 3 at a time" in str(several["datasets"])
    axis = marks(chart, "line")[0]["encoding"]["y"]["axis"]
    assert len(axis["values"]) <= 8, "a line a power of ten"


# Power, and the data sheet ------------------------------------------------------------


@pytest.mark.dear("every study of the device runs", every_change=True)
def test_the_reason_is_reported_if_a_strategy_saves_nothing() -> None:
    blocks, seeks = "Every request is for whole blocks", "no less energy"
    small = study("power-strategies", traces=("demo",))
    assert blocks in small.notes[0] and seeks in small.notes[1]
    chart = drawn(small)
    assert all(note in subtitle(chart) for note in small.notes)
    assert [values(chart, rule) for rule in marks(chart, "rule")] == [[{"x": 1}]] * 2
    assert {row["saved"] for row in small.table.to_pylist() if row["strategy"] == "merging"} == {0.0}
    large = study("power-strategies", "emsoft08", traces=("ext3-1k",))
    assert not any(blocks in note or seeks in note for note in large.notes)


def test_the_response_of_all_strategies_together_is_explained() -> None:
    few = study("power-strategies", traces=("ext2-4k",))
    assert any("respond later than each alone on ext2-4k" in note for note in few.notes)
    # With more requests at the device its queue does not run empty.
    assert not any("later" in note for note in study("power-strategies", traces=("ext2-4k",), depth=8).notes)
