"""Sobol's indices: coverage of their intervals for exact values, and their meaning."""

import math

import numpy as np
import pytest

import sledsim
from sledsim import _native
from sledsim.uncertainty.indices import Interval, sensitivity_design, sobol_indices

from . import index_coverage
from .index_coverage import CASES, SEEDS, found, found_randomly, held

#: Smallest number of hits in 400 at 95 %: three standard deviations below 380 would be 367.
ENOUGH = 360


@pytest.mark.dear("intervals are drawn many times")
@pytest.mark.parametrize("case", CASES)
def test_intervals_of_indices_hold_the_truth(case: str) -> None:
    """Every index counts, also those that are 0 or nearly: no interval is cut off at 0.

    Both indices of a factor without effect are 0 in every row, and so always held; a first index of 0 of a
    factor with interactions is an estimate like any other. The indices of 0.0001 of the g-function are held
    equally often, as estimates and intervals shrink together. The dummy's are 0.
    """
    every = [found(case, seed) for seed in range(SEEDS)]
    counts = held(case, every)
    assert counts.min() >= ENOUGH, counts
    dummy = [[one.low <= 0 <= one.high for one in indices.dummy[1:]] for indices in every]
    assert np.sum(dummy, axis=0).min() >= ENOUGH
    sums = [indices.sum_of_first for indices in every]
    assert sum(one.low <= CASES[case][1][0].sum() <= one.high for one in sums) >= ENOUGH
    values = np.array([[[i.value for i in one[1:]] for one in indices.factors] for indices in every])
    error = values.mean(axis=0) - CASES[case][1].T
    assert (np.abs(error) < 4 * values.std(axis=0) / SEEDS**0.5 + 1e-12).all(), "there is no bias"


@pytest.mark.dear("intervals are drawn many times")
@pytest.mark.parametrize("case", CASES)
def test_intervals_of_random_rows_hold_the_truth(case: str) -> None:
    counts = held(case, [found_randomly(case, seed) for seed in range(SEEDS)])
    assert counts.min() >= ENOUGH, counts


def test_designs_are_extended() -> None:
    whole = sensitivity_design(3, 32, seed=5)
    assert whole.shape == (8, 32, 5, 3)
    assert (sensitivity_design(3, 16, seed=5) == whole[:, :16]).all()
    assert (sensitivity_design(3, 16, seed=5, start=16) == whole[:, 16:]).all()
    assert (sensitivity_design(3, 32, seed=5, scramblings=2) == whole[:2]).all()
    a, b = whole[..., 0, :], whole[..., 1, :]
    for factor in range(3):
        for place in range(3):
            assert (whole[..., 2 + factor, place] == (b if place == factor else a)[..., place]).all()


def test_a_larger_mean_changes_nothing() -> None:
    design = sensitivity_design(3, 16, seed=1)
    plain, shifted = (
        sobol_indices(scale * index_coverage.ishigami(design) + mean, "abc")
        for scale, mean in ((1, 0), (1e-6, 1))
    )
    for one, other in zip(plain.factors, shifted.factors, strict=True):
        assert one.first == pytest.approx(other.first, abs=1e-8)
        assert one.total == pytest.approx(other.total, abs=1e-8)


def test_what_single_factors_do_adds_up_to_everything() -> None:
    design = sensitivity_design(3, 64, seed=1)
    found = sobol_indices(3 * design[..., 0] + design[..., 1], ["a", "b", "c"])
    assert [one.first.value for one in found.factors] == pytest.approx([0.9, 0.1, 0], abs=0.02)
    assert [one.total.value for one in found.factors] == pytest.approx([0.9, 0.1, 0], abs=0.01)
    assert found.sum_of_first.low < 1 < found.sum_of_first.high
    assert found.variance == pytest.approx(10 / 12, rel=0.01)
    assert (found.noise, found.inert) == ([], ["c"])
    assert found.devices == 8 * 64 * 5
    last, *_ = reversed(found.in_words())
    assert last == "Without any effect: c."


def test_the_width_under_more_devices_is_predicted() -> None:
    small = found("ishigami", 1, rows=32)
    what, widest = small.widest
    (first,) = small.in_words()
    width, twice = f"{widest.width:.2g}", f"{widest.width / 2:.2g} to {widest.width / 2**0.5:.2g}"
    assert what == "the first index of x0"
    assert first.startswith(f"Intervals are up to {width} wide, that of {what}: with twice as many devices ")
    assert f" it would be about {twice}, and 0.1 takes about " in first
    large = found("ishigami", 1, rows=256)
    assert large.in_words()[1] == "About 25 % of the variance comes from factors together."
    assert small.in_words(1)[0] == f"No interval is wider than 1: the widest, of {what}, is {width}."
    # The prediction for twice as many is close to their result, for the widest interval over seeds.
    widths = {
        rows: np.median([found("ishigami", seed, rows).widest[1].width for seed in range(30)])
        for rows in (64, 128)
    }
    assert 0.45 < widths[128] / widths[64] < 0.8


def test_rows_without_a_figure_are_left_out() -> None:
    design = sensitivity_design(3, 64, seed=1)
    figures = index_coverage.ishigami(design)
    figures[0, 5, 2] = math.nan
    figures[3, 9, 0] = math.inf
    found = sobol_indices(figures, ["a", "b", "c"])
    assert found.left_out == 2
    assert found.in_words()[0] == "2 rows have a device without this figure, and are excluded."
    assert found.factors[1].total.value == pytest.approx(0.44, abs=0.06)


@pytest.mark.parametrize("scramblings", [8, 1])
def test_figures_that_do_not_vary(scramblings: int) -> None:
    found = sobol_indices(np.full((scramblings, 4, 4), 0.1), ["a", "b"])
    assert math.isnan(found.factors[0].first.value)
    assert found.variance == 0
    assert found.noise == ["a", "b"]
    (said,) = found.in_words()
    assert said == f"The figure is equal for all {scramblings * 16} devices: no factor has an effect."
    one = np.zeros((scramblings, 4, 4))
    one[0, 0, 0] = 1
    assert (
        "Too few devices differ in the figure for intervals: use more devices."
        in sobol_indices(one, "ab").in_words()
    )
    nothing = sobol_indices(np.full((scramblings, 4, 4), math.nan), ["a", "b"])
    assert nothing.left_out == 4 * scramblings


def test_what_is_wrong_is_refused() -> None:
    for figures, said in (
        (np.zeros((8, 4, 3)), r"figures: expected the shape \(scramblings, rows, 4\) .*, found \(8, 4, 3\)"),
        (np.zeros((4, 4)), r"found \(4, 4\)"),
        (np.zeros((1, 1, 4)), r"with two rows or more, found \(1, 1, 4\)"),
    ):
        with pytest.raises(_native.ParameterError, match=said):
            sobol_indices(figures, ["a", "b"])
    with pytest.raises(_native.ParameterError, match="confidence = 2: must be"):
        sobol_indices(np.zeros((8, 4, 4)), ["a", "b"], confidence=2)
    with pytest.raises(_native.ParameterError, match="factors = 65: must be a whole number from 1 to 64"):
        sensitivity_design(65, 4, 1)


def test_intervals_are_shown() -> None:
    assert str(Interval(0.5, 0.25, 0.75)) == "0.500 (0.250 to 0.750)"
    assert Interval(0.5, 0.25, 0.75).width == 0.5


def test_there_are_no_indices_where_nothing_has_figures() -> None:
    found = sledsim.sensitivity(
        "random:rate=2500", over={"settle_ms": "0.1..0.4"}, count=200, samples=100, scheduler="fcfs"
    )
    assert found.in_words()[0] == "No device has this figure, so it has no indices."
