"""Probabilities of data loss: closed forms against simulation, and against SciPy in simple cases."""

import numpy as np
import pytest
from scipy import linalg, stats

import sledsim
from sledsim import device_studies as studies
from sledsim.survival import (
    ArrayPopulation,
    Share,
    TipPopulation,
    exact_array_loss,
    exact_losses,
    simulated_array_loss,
    simulated_losses,
)


def within(exact: float, found: Share) -> bool:
    """Whether it lies in the interval of 99 %, made half as wide again: many figures are compared."""
    more = (found.high - found.low) / 4
    return found.low - more <= exact <= found.high + more


@pytest.mark.parametrize("check_tips", [0, 1, 2, 4])
def test_without_spares_blocks_are_binomial(check_tips: int) -> None:
    tips = TipPopulation(5, 20, 64 + check_tips, check_tips, 0, 0.0, 0.01)
    block, device = exact_losses(tips)
    expected = stats.binom.sf(check_tips, 64 + check_tips, -np.expm1(-0.01))
    assert block == pytest.approx(expected, rel=1e-9)
    assert device == pytest.approx(-np.expm1(100 * np.log1p(-expected)), rel=1e-9)


def test_with_spares_and_no_code_a_device_needs_one_failure_more_than_spares() -> None:
    tips = TipPopulation(5, 20, 64, 0, 16, 0.0, 0.01)
    expected = stats.poisson.sf(16, 20 * 64 * 0.01)
    assert exact_losses(tips)[1] == pytest.approx(1 - (1 - expected) ** 5, rel=1e-6)


def test_tips_dead_at_manufacture_are_binomial() -> None:
    tips = TipPopulation(1, 20, 66, 2, 0, 0.02, 0.0)
    block, device = exact_losses(tips)
    expected = stats.binom.sf(2, 66, 0.02)
    assert block == pytest.approx(expected, rel=1e-9)
    assert device == pytest.approx(1 - (1 - expected) ** 20, rel=1e-9)


@pytest.mark.parametrize("dead", [0.0, 2e-3])
@pytest.mark.parametrize("spare_tips", [0, 3, 8])
@pytest.mark.parametrize("check_tips", [0, 1, 2])
def test_simulation_and_closed_form_agree(check_tips: int, spare_tips: int, dead: float) -> None:
    """Both figures, 36 in all."""
    tips = TipPopulation(3, 10, 32 + check_tips, check_tips, spare_tips, dead, 0.02)
    found = simulated_losses(tips, 1500, seed=17)
    for exact, estimate in zip(exact_losses(tips), (found.block, found.device), strict=True):
        assert within(exact, estimate)


def test_more_against_faults_loses_less() -> None:
    table = studies.run("data-loss", sledsim.device("osdi00"), count=20).table.to_pylist()
    loss = {(row["check_tips"], row["spare_tips"]): row["device_loss"] for row in table}
    for check, spare in loss:
        for more in [(check * 2 or 1, spare), (check, spare * 4 or 4)]:
            assert loss.get(more, 0) <= loss[check, spare] + 1e-12
    assert loss[0, 0] > 0.999 and loss[4, 16] < 1e-3


@pytest.mark.parametrize("tolerated", [0, 1, 2])
def test_the_chain_of_an_array_is_that_of_scipy(tolerated: int) -> None:
    array = ArrayPopulation(5, tolerated, 0.4, 0.01)
    rates = np.zeros((tolerated + 2, tolerated + 2))
    for at in range(tolerated + 1):
        rates[at, at + 1] = (5 - at) * 0.4
        if at:
            rates[at, at - 1] = 100
        rates[at, at] = -rates[at].sum()
    assert exact_array_loss(array) == pytest.approx(linalg.expm(rates)[0, -1], rel=1e-7)
    found = simulated_array_loss(array, 40_000, seed=3)
    assert within(exact_array_loss(array), found)


def test_a_small_loss_keeps_its_digits() -> None:
    """Of two mirrored devices with quick rebuilds: about 2 x failures^2 x rebuild."""
    loss = exact_array_loss(ArrayPopulation(2, 1, 1e-4, 1e-6))
    assert loss == pytest.approx(2e-14, rel=1e-3)


def test_the_study_of_arrays() -> None:
    rows = studies.run("array-survival", sledsim.device("osdi00"), count=4000).table.to_pylist()
    for row in rows:
        assert row["loss_low"] - 5e-3 <= row["loss"] <= row["loss_high"] + 5e-3
    loss = {(row["device"], row["array"], row["mean_life_hours"]): row["loss"] for row in rows}
    # A MEMS device is rebuilt in a tenth of the time of a disk, and so is its array safer.
    assert loss["osdi00", "raid5", 1e5] < loss["atlas10k", "raid5", 1e5] < loss["osdi00", "stripe", 1e5]
