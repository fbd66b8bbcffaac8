"""Test 000-E-9 and E-10: the streams in place of the traces of 000, and its device beside disks."""

from collections.abc import Callable, Iterator

import pytest

from sledsim import papers
from sledsim.papers import Verdict
from sledsim.papers.shared import perturbations


@pytest.mark.dear("an experiment takes seconds")
def test_the_streams_are_as_the_traces_are_printed(quick_chapter: Callable[[str], papers.Chapter]) -> None:
    chapter = quick_chapter("000-E-9")
    claim = next(one for one in chapter.claims if one.id == "000-C22")
    # The rate is a parameter of the stream: the draws cannot confirm it.
    assert claim.verdict is Verdict.SHAPE
    assert all(abs(found.difference or 0.0) < 0.04 for found in claim.findings)
    rows = chapter.result.tables["The traces and the streams"].to_pylist()
    for row in rows:
        if row["printed"] is not None and (row["arrivals"], row["figure"]) != ("Poisson", "below_5_ms"):
            assert row["drawn"] == pytest.approx(row["printed"], abs=3 * row["drawn_half_width"]), row
    (poisson,) = [row["drawn"] for row in rows if _is(row, "user", "Poisson", "below_5_ms")]
    assert poisson == pytest.approx(0.0992, abs=0.002)  # 1 - exp(-20.9/s * 5 ms)


def _is(row: dict[str, object], *values: str) -> bool:
    return (row["trace"], row["arrivals"], row["figure"]) == values


@pytest.fixture
def weak_sled() -> Iterator[None]:
    (weak,) = [one for one in perturbations.PERTURBATIONS if one.name == "acceleration-0.8"]
    perturbations.enforce(weak)
    yield
    perturbations.enforce(None)


def test_seeks_are_ten_to_twenty_times_as_fast_as_those_of_disks(
    quick_chapter: Callable[[str], papers.Chapter],
) -> None:
    (claim,) = quick_chapter("000-E-10").claims
    *seeks, density, power = claim.findings
    assert [found.verdict for found in seeks] == [Verdict.SHAPE] * 8
    # 5.54 ms of the Atlas 10K's arm over 0.572 ms.
    assert "on atlas10k: 9.69" in seeks[0].found
    assert density.verdict is power.verdict is claim.verdict is Verdict.UNPUBLISHED


@pytest.mark.usefixtures("weak_sled")
def test_slower_seeks_would_not_bear_it_out() -> None:
    (claim,) = papers.run("000-E-10", quick=True).claims
    assert (claim.verdict, claim.elsewhere) == (Verdict.UNPUBLISHED, Verdict.NOT_BORNE_OUT)
