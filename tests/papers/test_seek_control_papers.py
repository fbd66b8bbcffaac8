"""Test 001-E-13: seeks by a linear loop, beside the independent check of 001-D16, and their gains."""

from collections.abc import Callable

import numpy as np
import pytest

import sledsim
from sledsim import papers
from sledsim.papers.p001.e13_seek_control import _scheduling as describe_scheduling
from sledsim.papers.p001.seek_controls import CONTROLS, CRITICAL, FAST, LINEAR, SLEW, seek_rows


@pytest.fixture(scope="module")
def chapter(quick_chapter: Callable[[str], papers.Chapter]) -> papers.Chapter:
    return quick_chapter("001-E-13")


def rows(chapter: papers.Chapter, title: str) -> list[dict[str, float]]:
    found: list[dict[str, float]] = chapter.result.tables[title].to_pylist()
    return found


@pytest.mark.parametrize(
    ("control", "checked_ms"),
    [(LINEAR, (1.80, 2.51, 2.88, 3.22)), (CRITICAL, (1.66, 2.21, 2.49, 2.75))],
)
def test_seek_times_are_those_of_the_independent_check(control: str, checked_ms: tuple[float, ...]) -> None:
    times = {round(row["distance_m"] * 1e6, 2): row["seek_s"] * 1e3 for row in seek_rows([control])}
    assert [times[um] for um in (1.0, 10.0, 33.0, 100.0)] == pytest.approx(checked_ms, abs=6e-3)


def test_slew_and_settle_is_that_of_the_independent_check() -> None:
    # The check settles in one time constant of the resonant frequency; seeks go round the centre.
    sled = sledsim.device("osdi00", settle_ms=0.2154)
    half_m = np.array([1e-6, 10e-6, 33e-6, 100e-6]) / 2
    checked_ms = [0.286, 0.432, 0.585, 0.770]
    assert sled.seek_x_s(-half_m, half_m) * 1e3 == pytest.approx(checked_ms, abs=1.5e-3)


@pytest.mark.dear("an experiment takes seconds")
def test_linear_seeks_are_longer_in_milliseconds_and_flatter_as_a_ratio(chapter: papers.Chapter) -> None:
    table = rows(chapter, "Seeks in x over the distance")
    ms = {(row["control"], round(row["distance_m"] * 1e6, 2)): row["seek_s"] * 1e3 for row in table}
    assert {control for control, _ in ms} == set(CONTROLS)
    for control in (LINEAR, CRITICAL):
        assert all(ms[control, um] > ms[SLEW, um] for name, um in ms if name == SLEW)
        assert ms[control, 100.0] - ms[control, 1.0] > 2 * (ms[SLEW, 100.0] - ms[SLEW, 1.0])
        assert ms[control, 100.0] / ms[control, 1.0] < 2 < ms[SLEW, 100.0] / ms[SLEW, 1.0]


@pytest.mark.dear("an experiment takes seconds")
def test_sptf_gains_where_y_decides(chapter: papers.Chapter) -> None:
    share = {row["control"]: row["y_decides"] for row in rows(chapter, "Costs of random requests")}
    gaps = rows(chapter, "SPTF over the other policies")
    at = {row["control"]: row for row in gaps if (row["other"], row["load"]) == ("sstf_lbn", 1.0)}
    assert share[LINEAR] < share[SLEW] < share[FAST]
    # Intervals do not touch: 0.99 at the resonant frequency, 0.96 by slew and settle, 0.56 by the fast one.
    assert at[LINEAR]["ratio_low"] > at[SLEW]["ratio_high"] > at[SLEW]["ratio_low"] > at[FAST]["ratio_high"]


@pytest.mark.dear("an experiment takes seconds")
def test_subregions_save_milliseconds_but_a_smaller_part(chapter: papers.Chapter) -> None:
    found = {row["control"]: row for row in rows(chapter, "Seeks within subregions")}
    slew, linear = found[SLEW], found[LINEAR]
    # 001-E-5 averages over all pairs: 0.3840 and 0.4223 ms.
    assert slew["centre_s"] * 1e3 == pytest.approx(0.3840, abs=2e-3)
    assert slew["corner_s"] * 1e3 == pytest.approx(0.4223, abs=2e-3)
    assert linear["corner_over_centre"] == pytest.approx(1, abs=1e-3)
    assert linear["anywhere_s"] - linear["centre_s"] > 2 * (slew["anywhere_s"] - slew["centre_s"])
    assert linear["centre_over_anywhere"] > slew["centre_over_anywhere"] + 0.1


@pytest.mark.dear("an experiment takes seconds")
def test_the_columnar_layout_gains_more_by_a_loop(chapter: papers.Chapter) -> None:
    over = {(row["layout"], row["control"]): row for row in rows(chapter, "Layouts of files")}
    linear, slew = (over["columnar", name] for name in (LINEAR, SLEW))
    assert linear["over_random"] + linear["over_random_half_width"] < slew["over_random"]


@pytest.mark.dear("an experiment takes seconds")
def test_the_notes_say_what_the_tables_show(chapter: papers.Chapter) -> None:
    longer, schedulers, places = chapter.result.notes[1:]
    assert "linear loop: yes" in longer and "As a ratio: no" in longer
    assert "resonant frequency does: no; a loop four times as fast does: yes" in schedulers
    assert "behind the centre: no" in places and "more milliseconds of a seek: yes" in places


@pytest.mark.dear("an experiment takes seconds")
def test_a_load_without_a_mean_of_each_gives_way_to_the_next_lower_one(chapter: papers.Chapter) -> None:
    """Full runs have found a policy not at rest just at the saturation of first come, first served."""
    gaps = rows(chapter, "SPTF over the other policies")
    costs = rows(chapter, "Costs of random requests")
    assert describe_scheduling(gaps, costs)["load"] == 1
    fewer = [row for row in gaps if (row["control"], row["load"]) != (FAST, 1.0)]
    assert describe_scheduling(fewer, costs)["load"] == 0.8
