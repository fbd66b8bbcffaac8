"""Confidence intervals: known answers, and the share of intervals that hold the truth."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import signal, stats

import sledsim
from sledsim.common import units
from sledsim.runs import intervals
from sledsim.runs.curve_points import batched_point


@pytest.mark.parametrize("confidence", [0.5, 0.8, 0.9, 0.95, 0.99, 0.9999])
@pytest.mark.parametrize("freedom", [*range(1, 31), 49, 100, 999])
def test_students_t_is_that_of_scipy(confidence: float, freedom: int) -> None:
    expected = stats.t.ppf((1 + confidence) / 2, freedom)
    assert intervals.student_t(confidence, freedom) == pytest.approx(expected, rel=1e-9)


def test_the_interval_of_a_mean_is_that_of_scipy() -> None:
    values = [3.1, 2.7, 3.9, 3.3, 2.2]
    found = intervals.mean(values, 0.9)
    low, high = stats.t.interval(0.9, len(values) - 1, np.mean(values), stats.sem(values))
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-9)
    assert (found.value, found.count) == (np.mean(values), 5)


def test_one_observation_has_no_interval() -> None:
    found = intervals.mean([2.5])
    assert found.value == 2.5
    assert math.isnan(found.half_width)


@pytest.mark.parametrize("confidence", [0, 1, 95, -0.1, math.nan])
def test_an_impossible_confidence_is_refused(confidence: float) -> None:
    with pytest.raises(sledsim.ParameterError, match=r"confidence = .*between 0 and 1"):
        intervals.mean([1, 2], confidence)


def covered(found: list[intervals.Estimate], truth: float) -> float:
    return float(np.mean([one.low <= truth <= one.high for one in found]))


def chance(confidence: float, trials: int) -> float:
    """Return four standard deviations of the share of intervals that hold the truth, for N trials."""
    return 4 * math.sqrt(confidence * (1 - confidence) / trials)


@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_intervals_of_independent_means_hold_the_truth_as_often_as_they_say(confidence: float) -> None:
    draws = np.random.default_rng(1).normal(7.0, 3.0, (2000, 5))
    found = [intervals.mean(draw, confidence) for draw in draws]
    assert covered(found, 7.0) == pytest.approx(confidence, abs=chance(confidence, 2000))


@pytest.mark.dear("intervals are drawn many times")
def test_batch_means_hold_the_truth_of_correlated_values() -> None:
    # Response times of a queue depend on each other, as do the values of an autoregressive process.
    trials, count, memory = 400, 20_000, 0.8
    noise = np.random.default_rng(2).normal(0.0, 1.0, (trials, count))
    values = signal.lfilter([1.0], [1.0, -memory], noise, axis=1)
    batched = [intervals.batch_means(row) for row in values]
    assert covered(batched, 0.0) == pytest.approx(0.95, abs=chance(0.95, trials))
    # Under an assumption of independence the intervals would be three times too narrow.
    careless = [intervals.mean(row) for row in values]
    assert covered(careless, 0.0) < 0.6


def test_batches_that_resemble_their_neighbours_have_wider_intervals() -> None:
    # At nine tenths of the capacity a batch is no longer than the memory of the queue.
    trials, memory = 400, 0.4
    noise = np.random.default_rng(5).normal(0.0, 1.0, (trials, 40))
    batches = signal.lfilter([1.0], [1.0, -memory], noise, axis=1)[:, 20:]
    held = covered([intervals.correlated_mean(row) for row in batches], 0.0)
    careless = covered([intervals.mean(row) for row in batches], 0.0)
    assert careless < 0.82 and 0.87 < held <= 0.97


def test_alternating_batches_have_no_narrower_interval() -> None:
    assert intervals.correlated_mean([1, 3] * 5) == intervals.mean([1, 3] * 5)
    assert intervals.correlated_mean([2.0] * 5) == intervals.mean([2.0] * 5)


def test_too_few_values_for_batches_have_a_mean_only() -> None:
    found = intervals.batch_means(np.arange(39.0), batches=20)
    assert found.value == 19.0
    assert math.isnan(found.half_width)


@given(st.integers(2, 50).flatmap(lambda batches: st.tuples(st.integers(batches, 1000), st.just(batches))))
def test_batches_are_consecutive_and_of_equal_length(sizes: tuple[int, int]) -> None:
    count, batches = sizes
    slices = intervals.batch_slices(count, batches)
    assert np.concatenate([np.arange(count)[one] for one in slices]).tolist() == list(range(count))
    lengths = {one.stop - one.start for one in slices}
    assert len(slices) == batches
    assert max(lengths) - min(lengths) <= 1


def test_pairs_are_narrower_than_what_they_are_made_of() -> None:
    random = np.random.default_rng(3)
    shared = random.normal(10.0, 2.0, 8)
    a, b = shared + random.normal(1.0, 0.1, 8), shared + random.normal(0.0, 0.1, 8)
    paired = intervals.difference(a, b)
    assert paired.value == pytest.approx(a.mean() - b.mean())
    assert paired.low <= 1.0 <= paired.high
    assert paired.half_width < intervals.mean(a).half_width / 5


def test_ratios_of_pairs_hold_the_truth_as_often_as_they_say() -> None:
    random = np.random.default_rng(4)
    found = []
    for _ in range(1000):
        shared = random.normal(10.0, 1.0, 6)
        found.append(intervals.ratio(0.7 * shared + random.normal(0.0, 0.2, 6), shared))
    assert covered(found, 0.7) == pytest.approx(0.95, abs=chance(0.95, 1000))


@pytest.mark.parametrize(
    ("value", "half_width", "shown"),
    [
        (1.0, 0.00085, "1.00000 ± 0.00085"),
        (1.1, 0.0066, "1.1000 ± 0.0066"),
        (1.67, 0.069, "1.670 ± 0.069"),
        (12345.6, 12.3, "12,346 ± 12"),
        (12345.6, 1230.0, "12,346 ± 1,230"),
        (0.0, 0.0, "0 ± 0"),
        (5.4321, math.nan, "5.432"),
    ],
)
def test_a_value_has_the_decimals_of_its_interval(value: float, half_width: float, shown: str) -> None:
    assert units.estimate(value, half_width) == shown


@pytest.mark.parametrize("scale", [4, 16])
def test_the_interval_of_a_queue_counts_batches_by_how_long_they_last(scale: int) -> None:
    """The interval equals the ratio of two sums over batches by the delta method; neighbours may widen it."""
    run = sledsim.simulate(sledsim.device("osdi00"), sledsim.demo_trace(), scale=scale)
    found = batched_point(run, "sptf", 20, 0.95).estimates["mean_queue_length"]
    arrival, completion = run.columns["arrival_ns"], run.columns["completion_ns"]
    areas, spans = [], []
    for batch in intervals.batch_slices(len(arrival), 20):
        begin, end = arrival[batch.start], arrival[min(batch.stop, len(arrival) - 1)]
        areas.append(np.clip(np.minimum(completion, end) - np.maximum(arrival, begin), 0, None).sum())
        spans.append(end - begin)
    residual = np.array(areas) - found.value * np.array(spans)
    plain = 2.093 * residual.std(ddof=1) / np.sqrt(20) / np.mean(spans)
    assert found.value == pytest.approx(sum(areas) / sum(spans), rel=1e-6)
    assert 0.99 * plain <= found.half_width <= 3 * plain
