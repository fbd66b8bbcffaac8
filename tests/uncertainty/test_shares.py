"""Shares and the quantiles below them, against SciPy."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import special, stats

from sledsim import _native
from sledsim.uncertainty.distributions import (
    beta_quantile,
    incomplete_beta,
    normal_quantile,
    student_quantile,
)
from sledsim.uncertainty.shares import share
from sledsim.uncertainty.space_filling import latin_hypercube, sobol

POSITIVE = st.floats(0.2, 3000)


@given(place=st.floats(0, 1), a=POSITIVE, b=POSITIVE)
def test_incomplete_beta(place: float, a: float, b: float) -> None:
    assert incomplete_beta(place, a, b) == pytest.approx(special.betainc(a, b, place), rel=1e-8, abs=1e-11)


@pytest.mark.dear("intervals are drawn many times", every_change=True)
@given(chance=st.floats(1e-4, 1 - 1e-4), a=st.integers(1, 3000), b=st.integers(1, 3000))
def test_beta_quantile(chance: float, a: int, b: int) -> None:
    assert beta_quantile(chance, a, b) == pytest.approx(special.betaincinv(a, b, chance), rel=1e-8)


@given(chance=st.floats(1e-4, 1 - 1e-4), freedom=st.integers(1, 500))
def test_student_and_normal_quantile(chance: float, freedom: int) -> None:
    assert student_quantile(chance, freedom) == pytest.approx(
        stats.t.ppf(chance, freedom), rel=1e-7, abs=1e-7
    )
    assert normal_quantile(chance) == pytest.approx(stats.norm.ppf(chance), rel=1e-7, abs=1e-7)


@pytest.mark.dear("intervals are drawn many times", every_change=True)
@given(
    trials=st.integers(1, 5000),
    part=st.floats(0, 1),
    confidence=st.sampled_from([0.8, 0.95, 0.99]),
    method=st.sampled_from(["wilson", "clopper-pearson"]),
)
def test_intervals_are_those_of_scipy(trials: int, part: float, confidence: float, method: str) -> None:
    count = round(part * trials)
    found = share(count, trials, confidence, method)
    scipys = {"wilson": "wilson", "clopper-pearson": "exact"}[method]
    expected = stats.binomtest(count, trials).proportion_ci(confidence, scipys)
    assert (found.low, found.high) == pytest.approx(tuple(expected), rel=1e-7, abs=1e-9)
    assert 0 <= found.low <= found.value <= found.high <= 1


def test_trials_give_the_stated_figures() -> None:
    assert str(share(22, 256)) == "22 of 256 (5.7 to 12.7 %)"
    assert str(share(256, 256)) == "256 of 256 (98.5 to 100.0 %)"
    assert str(share(0, 256)) == "0 of 256 (0.0 to 1.5 %)"


def test_intervals_of_shares_hold_the_truth() -> None:
    """Exact coverage over all counts: Clopper-Pearson's is never too low, Wilson's is nominal on average."""
    trials = 64
    shares = np.linspace(0.01, 0.99, 197)
    for method in ("wilson", "clopper-pearson"):
        found = [share(count, trials, 0.95, method) for count in range(trials + 1)]
        inside = np.array([[one.low <= chance <= one.high for one in found] for chance in shares])
        chances = stats.binom.pmf(np.arange(trials + 1), trials, shares[:, None])
        held = (inside * chances).sum(axis=1)
        if method == "wilson":
            assert held.mean() == pytest.approx(0.95, abs=0.005)
            assert held.min() > 0.83
        else:
            assert held.min() >= 0.95


def test_verdicts() -> None:
    assert [share(count, 64).verdict() for count in (64, 32, 0)] == ["yes", "undecided", "no"]
    assert share(64, 64).verdict(0.99) == "undecided"
    assert share(3, 64).verdict(0) == "yes"


def test_what_is_wrong_is_refused() -> None:
    for arguments, said in (
        ((0, 0), "trials = 0: must be a whole number from 1"),
        ((3, 2), "count = 3: must be a whole number from 0 to 2"),
        ((1, 2, 1.0), "confidence = 1.0: must be between 0 and 1"),
        ((1, 2, 0.9, "wald"), "method = 'wald': expected wilson or clopper-pearson"),
    ):
        with pytest.raises(_native.ParameterError, match=said):
            share(*arguments)
    with pytest.raises(_native.ParameterError, match="threshold = 2: must be from 0 to 1"):
        share(1, 2).verdict(2)


#: Conditions over points of the unit cube: on sums, on few factors, on the last of many, and on the number
#: above a bound, which no even spread helps with.
CONDITIONS: dict[str, tuple[int, Callable[[np.ndarray], np.ndarray]]] = {
    "sum": (5, lambda x: x.sum(axis=1) < 2),
    "rare": (4, lambda x: (x[:, 0] < 0.4) & (x[:, 1] > 0.5) & (x[:, 2] < 0.6)),
    "waves": (6, lambda x: np.sin(9 * x[:, 2] * x[:, 4]) + np.sin(7 * x[:, 5] * x[:, 3]) > 0.8),
    "last": (20, lambda x: x[:, 17] * x[:, 18] + x[:, 19] ** 2 < 0.4),
    "odd": (12, lambda x: (x > 0.4).sum(axis=1) % 2 == 0),
}


@pytest.mark.dear("intervals are drawn many times")
@pytest.mark.parametrize("name", CONDITIONS)
def test_evenly_spread_points_are_no_worse_than_random_ones(name: str) -> None:
    dimensions, condition = CONDITIONS[name]
    exact = float(condition(sobol(2**19, dimensions, seed=999)).mean())
    for spread in (sobol, latin_hypercube):
        found = [share(int(condition(spread(64, dimensions, seed)).sum()), 64) for seed in range(400)]
        held = sum(one.low <= exact <= one.high for one in found)
        assert held >= (355 if name == "odd" else 380), (spread.__name__, held)
