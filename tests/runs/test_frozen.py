"""Hashes of the columns of runs detect every changed figure: see `tests.frozen`."""

import json

import pytest

from ..frozen import FILE, hashes, runs

FROZEN = json.loads(FILE.read_text())


def test_there_are_forty_runs() -> None:
    assert list(runs()) == list(FROZEN)
    assert len(FROZEN) >= 40


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
@pytest.mark.parametrize("name", FROZEN)
def test_the_columns_are_as_frozen(name: str) -> None:
    assert hashes(runs()[name]()) == FROZEN[name]
