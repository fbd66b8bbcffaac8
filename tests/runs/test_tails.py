"""Variability and percentiles of several replications, against their definitions and other methods."""

import math

import numpy as np
import pytest

from sledsim.runs import tails

RANDOM = np.random.default_rng(1)
REPLICATIONS = [RANDOM.exponential(2.0, count) for count in (4000, 4001, 4003)]
MANY = 1e6


def test_figures_are_those_of_all_requests_together() -> None:
    every = np.concatenate(REPLICATIONS)
    found = tails.figures(every)
    assert found["cv2_response"] == pytest.approx(every.var() / every.mean() ** 2)
    for name, fraction in tails.PERCENTILES.items():
        assert found[name] == pytest.approx(np.quantile(every, fraction), rel=1e-12)


def test_estimates_are_those_of_the_jackknife() -> None:
    each = -(-tails.SECTIONS // len(REPLICATIONS))
    parts = [part for one in REPLICATIONS for part in np.array_split(one, each)]
    every = np.concatenate(parts)

    def p99(left: int | None) -> float:
        return float(np.quantile(np.concatenate([part for at, part in enumerate(parts) if at != left]), 0.99))

    count = len(parts)
    without = np.array([p99(left) for left in range(count)])
    of_all = float(np.quantile(every, 0.99))
    error = math.sqrt((count - 1) * without.var())
    estimates, samples = tails.tails(REPLICATIONS, MANY)
    found = estimates["p99_response_s"]
    assert found.value == pytest.approx(of_all)
    # Two degrees of freedom, and the upper half of the interval of the logarithm.
    assert found.half_width == pytest.approx(
        found.value * math.expm1(4.302653 * error / found.value), rel=1e-5
    )
    assert samples["p99_response_s"].mean() == pytest.approx(found.value)
    assert (found.count, len(samples["p99_response_s"])) == (3, 3)


def test_response_times_that_are_all_the_same_are_known() -> None:
    estimates, _ = tails.tails([np.full(100, 1e-3)] * 3, MANY)
    assert estimates["cv2_response"].value < 1e-30
    assert estimates["p99_response_s"].value == 1e-3
    assert estimates["p99_response_s"].half_width < 1e-15


def test_few_long_queues_have_a_wide_interval() -> None:
    """Three long queues beyond the percentile give Student's bound of three observations."""
    many = [np.random.default_rng(seed).exponential(2.0, 4000) for seed in range(30)]
    known, less_known = (tails.tails(many, swings)[0]["p99_response_s"] for swings in (1e6, 300))
    assert known.value == less_known.value
    relative = [math.log1p(one.half_width / one.value) for one in (known, less_known)]
    # Student's t of 95 % with 29 degrees of freedom, and with 3.
    assert relative[1] / relative[0] == pytest.approx(3.182446 / 2.045230, rel=1e-5)


@pytest.mark.dear("intervals are drawn many times")
def test_as_many_replications_as_there_may_be_are_no_noise() -> None:
    """Percentiles of 160 sections, corrected for bias, had more noise than their intervals hold."""
    random = np.random.default_rng(5)
    truth = -math.log(0.01)
    found = [
        tails.tails(list(random.exponential(1.0, (80, 500))), MANY)[0]["p99_response_s"] for _ in range(60)
    ]
    errors = np.array([one.value / truth - 1 for one in found])
    # The standard deviation of the percentile of 40,000 independent requests: sqrt(p (1 - p) / n) / density.
    assert errors.std() < 1.3 * math.sqrt(0.99 / 0.01 / 40_000) / truth
    assert sum(one.low <= truth <= one.high for one in found) >= 50


def test_requests_that_all_take_no_time_do_not_vary() -> None:
    estimates, _ = tails.tails([np.zeros(5000)] * 3, MANY)
    assert [one.value for one in estimates.values()] == [0.0] * 5


@pytest.mark.parametrize(("swings", "known"), [(4, 0), (5, 1), (50, 2), (249, 2), (250, 4), (2500, 5)])
def test_few_swings_give_few_figures(swings: int, known: int) -> None:
    estimates, samples = tails.tails(REPLICATIONS, swings)
    values = [estimate.value for estimate in estimates.values()]
    assert np.count_nonzero(np.isfinite(values)) == known
    assert [bool(np.isfinite(samples[name]).all()) for name in estimates] == list(np.isfinite(values))


def test_a_queue_swings_when_it_goes_from_short_to_long() -> None:
    # Quartiles of 0 and 5: from 0 to 5 twice in the first run and once in the second, each by itself.
    queues = [[0, 0, 5, 9, 3, 0, 5, 9, 9, 5], [9, 5, 0, 0, 5, 9, 3, 5, 3, 3]]
    assert tails.count_swings([np.array(one) for one in queues]) == 3
    assert tails.count_swings([np.zeros(80, int)]) == 10
