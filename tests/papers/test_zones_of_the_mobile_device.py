"""Test zones and shortest-first on the mobile device of 004 (004-E-9)."""

from collections.abc import Callable

import pytest

from sledsim import papers
from sledsim.papers.p004.zones import JOINED, POLICIES, ZSPTF, design, served_per_s

SHORT, JOINED_TITLE, SPLIT = POLICIES["sptf"], POLICIES[JOINED], POLICIES[ZSPTF]
CAPTURES = ("ext3-4k", "ext2-4k")


@pytest.fixture(scope="module")
def chapter(quick_chapter: Callable[[str], papers.Chapter]) -> papers.Chapter:
    return quick_chapter("004-E-9")


@pytest.fixture(scope="module")
def captured(chapter: papers.Chapter) -> dict[tuple[str, str, int, str], dict[str, float]]:
    rows = chapter.result.tables["Captures with requests outstanding"].to_pylist()
    return {(row["capture"], row["design"], row["outstanding"], row["scheduler"]): row for row in rows}


@pytest.mark.dear("an experiment takes seconds")
def test_one_request_at_a_time_leaves_nothing_to_choose(
    captured: dict[tuple[str, str, int, str], dict[str, float]],
) -> None:
    alone = [row for (_, _, outstanding, _), row in captured.items() if outstanding == 1]
    assert len(alone) == len(CAPTURES) * 2 * len(POLICIES)
    for row in alone:
        assert row["positioning_over_fcfs"] == row["energy_over_fcfs"] == 1


@pytest.mark.dear("an experiment takes seconds")
@pytest.mark.parametrize("capture", CAPTURES)
@pytest.mark.parametrize("name", ["M-20-BP", "M-20-BE"])
def test_zones_shorten_seeks_where_requests_wait(
    captured: dict[tuple[str, str, int, str], dict[str, float]], capture: str, name: str
) -> None:
    for outstanding, most in ((4, 0.9), (16, 0.7)):
        over = {
            title: captured[capture, name, outstanding, title]["positioning_over_fcfs"]
            for title in POLICIES.values()
        }
        assert over[SHORT] < min(over["Pyramid"], over[JOINED_TITLE])
        assert over[JOINED_TITLE] < over[SPLIT] < 1
        assert over["Pyramid"] < most


@pytest.mark.dear("an experiment takes seconds")
def test_zones_lie_between_first_come_and_shortest_first_under_load(chapter: papers.Chapter) -> None:
    rows = chapter.result.tables["Positioning and response over the load"].to_pylist()
    busy_per_s = round(0.9 * served_per_s(design("M-20-BP")))
    at = {
        row["scheduler"]: row for row in rows if (row["design"], row["rate_per_s"]) == ("M-20-BP", busy_per_s)
    }
    zones, shortest = at[JOINED_TITLE], at[SHORT]
    for key in ("positioning_over_fcfs", "response_over_fcfs"):
        assert zones[key] + zones[f"{key}_half_width"] < 1
        assert shortest[key] < zones[key]
    # Zones keep up beyond the load that saturates first come, first served.
    over = {row["scheduler"] for row in rows if row["design"] == "M-20-BP" and row["rate_per_s"] > busy_per_s}
    assert {SHORT, JOINED_TITLE, SPLIT} <= over and "FCFS" not in over


@pytest.mark.dear("an experiment takes seconds")
def test_energy_hardly_changes(chapter: papers.Chapter) -> None:
    rows = chapter.result.tables["Energy per request over the load"].to_pylist()
    # A seek takes a sixth of the energy at most, of which a policy can save a part.
    assert all(0.95 < row["energy_over_fcfs"] < 1.01 for row in rows)
    assert all(row["seek_j"] + row["idle_j"] < row["energy_j"] for row in rows)


@pytest.mark.dear("an experiment takes seconds")
def test_the_notes_say_what_the_tables_show(chapter: papers.Chapter) -> None:
    captures = chapter.result.notes[2]
    assert "counts responses: no" in captures
    assert "With 16 outstanding: yes; by more than C-LOOK_LBN: yes; by as much as SPTF: no" in captures
