"""Test the names of experiments that users may type."""

import numpy as np
import pytest

import sledsim
from sledsim import papers


@pytest.mark.parametrize("text", ["002-E-1", "002-e-1", "E-002-1", "e-002-1", "002-E1", "002E1", " 002-E-1 "])
def test_ids_are_taken_leniently(text: str) -> None:
    assert papers.experiment(text).id == "002-E-1"


@pytest.mark.parametrize(
    ("text", "near"),
    [("002-E-99", "002-E-"), ("2-E-1", "-E-1"), ("002-C99", "002-C9"), ("zones", "002-E-1, 002-C5")],
)
def test_an_unknown_id_is_answered_with_the_nearest(text: str, near: str) -> None:
    with pytest.raises(
        sledsim.ParameterError, match=f"unknown experiment '{text}': expected .*{near}"
    ) as found:
        papers.experiment(text)
    assert len(str(found.value)) < 120 and "sledsim paper list" in str(found.value)


@pytest.mark.parametrize("text", ["001-C13", "001-c13", "C-001-13", "001C13", "001-C-13"])
def test_a_claim_names_the_experiment_that_decides_it(text: str) -> None:
    assert papers.experiment(text).id == "001-E-6"
    assert papers.claimed(text) == "001-C13"


def test_every_spelling_is_taken() -> None:
    for row in papers.EXPERIMENTS:
        for name in (row.id, *row.claims):
            spelt = list(papers.spellings(name))
            assert spelt[0] == name and all(papers.experiment(text) is row for text in spelt)


def test_several_names_are_taken_once_and_in_order() -> None:
    def ids(*names: str) -> list[str]:
        return [row.id for row in papers.experiments(names)]

    assert ids("003-E-4", "002-C5", "e-002-1") == ["003-E-4", "002-E-1"]
    assert ids("001", "all")[:14] == ids("001") and ids("001", "all") != ids("all")
    assert set(ids("001", "all")) == set(ids(" ALL ")) == {row.id for row in papers.EXPERIMENTS}


@pytest.mark.parametrize("seed", range(20))
def test_the_shortest_names_are_of_the_same_experiments(seed: int) -> None:
    draw = np.random.default_rng(seed)
    chosen = [row for row in papers.EXPERIMENTS if draw.random() < seed / 19]
    names = papers.shortest(chosen)
    assert papers.experiments(names) == chosen
    whole = {paper for paper in papers.PAPERS if set(papers.experiments([paper])) <= set(chosen)}
    assert {name for name in names if "-" not in name} == whole
