"""Successive halving by ask and tell."""

import math

import pytest
from hypothesis import given, strategies as st

from sledsim import _native
from sledsim.uncertainty.halving import SuccessiveHalving, Trial


def test_rounds() -> None:
    assert SuccessiveHalving(27, 100, 2700).rounds == [(27, 100), (9, 300), (3, 900), (1, 2700)]
    assert SuccessiveHalving(27, 900, 2700).rounds == [(27, 900), (9, 2700)]
    assert SuccessiveHalving(3, 1, 2700).rounds == [(3, 900), (1, 2700)]
    assert SuccessiveHalving(10, 100, 1000, factor=2).rounds == [(10, 125), (5, 250), (3, 500), (2, 1000)]
    assert SuccessiveHalving(1, 100, 1000).rounds == [(1, 1000)]
    assert SuccessiveHalving(27, 100, 2700).cost == 4 * 2700


@pytest.mark.dear("intervals are drawn many times")
@given(
    st.lists(st.floats(-1e6, 1e6) | st.just(math.nan), min_size=1, max_size=40),
    st.integers(1, 500),
    st.integers(500, 5000),
    st.integers(2, 4),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_the_best_comes_through(figures, least, most, factor, larger, random) -> None:  # type: ignore[no-untyped-def]
    """If more requests change no figure, the best of all is found, in any order of results."""
    halving = SuccessiveHalving(len(figures), least, most, factor, larger_is_better=larger)
    seen = []
    while trials := halving.ask():
        assert all(trial.requests == trials[0].requests for trial in trials)
        part = random.sample(trials, random.randint(1, len(trials)))
        halving.tell({trial: figures[trial.candidate] for trial in part})
        seen += part
    assert halving.is_done
    assert sum(trial.requests for trial in seen) == halving.cost
    assert sorted(halving.ranking) == list(range(len(figures)))
    known = [figure for figure in figures if math.isfinite(figure)]
    if known:
        assert figures[halving.best] == (max(known) if larger else min(known))
    else:
        assert halving.best is None


def test_results_given_to_tell_are_checked() -> None:
    halving = SuccessiveHalving(3, 100, 300)
    assert halving.best is None
    with pytest.raises(
        _native.ParameterError, match=r"tell: expected a pending trial from ask, found Trial\(candidate=0"
    ):
        halving.tell({Trial(0, 300): 1.0})
    halving.tell({Trial(0, 100): 1.0})
    with pytest.raises(_native.ParameterError, match="tell: expected a pending trial from ask"):
        halving.tell({Trial(0, 100): 1.0})
    halving.tell({})
    assert halving.ask() == [Trial(1, 100), Trial(2, 100)]
    halving.tell({Trial(1, 100): 1.0, Trial(2, 100): math.nan})
    assert halving.ranking == [0, 1, 2]
    assert halving.ask() == [Trial(0, 300)]
    for arguments, said in (
        ((0, 1, 2), "candidates = 0"),
        ((2, 0, 2), "least = 0"),
        ((2, 3, 2), "most = 2: must be a whole number from 3, as least is"),
        ((2, 1, 2, 1), "factor = 1"),
    ):
        with pytest.raises(_native.ParameterError, match=said):
            SuccessiveHalving(*arguments)
