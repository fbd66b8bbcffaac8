"""Test 000-E-8: effects of the zone-grouped layout, by policy and kind of requests."""

from collections.abc import Callable

import numpy as np
import pytest

import sledsim
from sledsim import papers
from sledsim.papers.p000.grouped_requests import grouped_workload
from sledsim.papers.p000.zone_layouts import DISK, JOINED, POLICIES, QUARTER, SERVER, WHOLE, ZONED, layouts

JOINED_TITLE = POLICIES[JOINED]


@pytest.fixture(scope="module")
def chapter(quick_chapter: Callable[[str], papers.Chapter]) -> papers.Chapter:
    return quick_chapter("000-E-8")


@pytest.fixture(scope="module")
def over(chapter: papers.Chapter) -> dict[tuple[str, int, str], dict[str, float]]:
    rows = chapter.result.tables["Zone-grouped over disk-like"].to_pylist()
    return {(row["input"], row["rate_per_s"], row["scheduler"]): row for row in rows}


def test_related_requests_stay_in_their_group() -> None:
    device = layouts()[DISK]
    trace = grouped_workload(device, rate_per_s=100, stay=0.9, group_blocks=1000, count=20_000, seed=1)
    first, last = trace.lbn // 1000, (trace.lbn + trace.blocks - 1) // 1000
    assert np.array_equal(first, last)
    # With 6,240 groups, the same one is hardly ever drawn twice in a row by chance.
    assert (np.diff(first) == 0).mean() == pytest.approx(0.9, abs=0.01)
    again = grouped_workload(device, rate_per_s=100, stay=0.9, group_blocks=1000, count=20_000, seed=1)
    assert np.array_equal(trace.lbn, again.lbn)
    random = sledsim.random_workload(device, rate_per_s=100, count=20_000, seed=1)
    assert np.array_equal(trace.blocks, random.blocks)
    assert np.array_equal(trace.arrival_ns, random.arrival_ns)


def test_a_group_is_half_as_high_and_twice_as_wide() -> None:
    sizes = {}
    for name, device in layouts().items():
        place = device.locate(np.arange(156_000 // 4))
        sizes[name] = np.ptp(place["cylinder"]) + 1, np.ptp(place["y_m"])
    assert sizes[ZONED][0] == pytest.approx(2 * sizes[DISK][0], abs=2)
    assert sizes[ZONED][1] < 0.55 * sizes[DISK][1]


@pytest.mark.dear("an experiment takes seconds")
@pytest.mark.parametrize("name", [WHOLE, QUARTER])
def test_related_requests_gain_under_every_policy_of_the_papers(
    over: dict[tuple[str, int, str], dict[str, float]], name: str
) -> None:
    for title in ("FCFS", "C-SCAN", "SPTF", JOINED_TITLE):
        busy = over[name, 1600, title]
        assert busy["response_ratio"] + busy["response_half_width"] < 1
        assert busy["positioning_ratio"] < 0.98
    # Policies that look at y gain least, because they avoided long ways in y before.
    assert over[name, 1600, "C-SCAN"]["response_ratio"] < over[name, 1600, "SPTF"]["response_ratio"] - 0.1


@pytest.mark.dear("an experiment takes seconds")
def test_unrelated_requests_do_not_gain(over: dict[tuple[str, int, str], dict[str, float]]) -> None:
    for title in POLICIES.values():
        row = over[SERVER, 1200, title]
        assert row["response_ratio"] + row["response_half_width"] > 1
        assert row["positioning_ratio"] == pytest.approx(1, abs=0.01)


@pytest.mark.dear("an experiment takes seconds")
def test_captures_seek_less_and_switch_more(chapter: papers.Chapter) -> None:
    rows = chapter.result.tables["Captures, zone-grouped over disk-like"].to_pylist()
    busy = [row for row in rows if (row["outstanding"], row["scheduler"]) == (16, JOINED_TITLE)]
    assert len(busy) == len(sledsim.listings.bundled_traces())
    for row in busy:
        assert row["positioning_ratio"] < 0.95
        assert row["transfer_ratio"] > 1.05
        assert 1 < row["response_ratio"] < 1.05


@pytest.mark.dear("an experiment takes seconds")
def test_the_notes_say_what_the_tables_show(chapter: papers.Chapter) -> None:
    related, unrelated, captures = chapter.result.notes[1:]
    assert "related requests this holds: yes" in related
    assert "shortens responses: no" in unrelated
    assert "shortens seeks: yes; responses: no" in captures
