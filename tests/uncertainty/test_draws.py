"""Shares over devices and draws of requests: their intervals hold the true share."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from sledsim import _native
from sledsim.uncertainty.draws import DRAWS, DrawnAnswers, DrawnShare, draw_seeds, drawn_share
from sledsim.uncertainty.shares import share

#: Similarity of the draws of a device: the device alone decides, the draw alone, one for some devices
#: and the other for the rest, or parts that are spread over all devices (by a beta distribution of the same
#: mean, whose parameters add up to the number).
KINDS: dict[str, float | str] = {
    "devices": 0.0,
    "draws": "draws",
    "half": "half",
    "spread": 1.0,
    "narrow": 4.0,
}
SHARES = (0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99)


def parts(kind: str, true: float, devices: int, rng: np.random.Generator) -> np.ndarray:
    """Return the probability for each device that the condition holds under a draw, for a given mean."""
    alike = KINDS[kind]
    decided = (rng.random(devices) < true).astype(float)
    if alike == 0.0:
        return decided
    if alike == "draws":
        return np.full(devices, true)
    if alike == "half":
        return np.where(rng.random(devices) < 0.5, decided, true)
    return rng.beta(float(alike) * true, float(alike) * (1 - true), devices)


def found(kind: str, true: float, devices: int, seed: int, draws: int = DRAWS) -> DrawnShare:
    """Return the estimate of a sample of devices and draws."""
    rng = np.random.default_rng([seed, devices, round(1000 * true), [*KINDS].index(kind)])
    holds = rng.random((devices, draws)) < parts(kind, true, devices, rng)[:, None]
    return drawn_share(DrawnAnswers(holds, ~holds, np.zeros_like(holds)))


@pytest.mark.dear("intervals are drawn many times", every_change="devices-0.5-24")
@pytest.mark.parametrize("devices", [24, 64, 256])
@pytest.mark.parametrize("true", SHARES)
@pytest.mark.parametrize("kind", KINDS)
def test_intervals_hold_the_true_share(kind: str, true: float, devices: int) -> None:
    held = sum(
        one.low <= true <= one.high for one in (found(kind, true, devices, seed) for seed in range(400))
    )
    assert held >= 360


def test_a_sample_of_devices_under_one_draw_holds_it_too_rarely() -> None:
    """An interval from one draw for all devices, the earlier method, fails if the draw decides."""
    held = 0
    for seed in range(400):
        is_so = np.random.default_rng(seed).random() < 0.5
        one = share(24 * is_so, 24)
        held += one.low <= 0.5 <= one.high
    assert held == 0


@pytest.mark.parametrize("count", [0, 1, 17, 63, 64])
def test_one_draw_has_the_interval_of_wilson(count: int) -> None:
    holds = (np.arange(64) < count)[:, None]
    one, expected = drawn_share(DrawnAnswers(holds, ~holds, np.zeros_like(holds))), share(count, 64)
    assert (one.low, one.high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert (one.value, one.always, one.never, one.changing) == (count / 64, count, 64 - count, 0)
    assert one.doubt.devices is None and one.doubt.draws is None and one.doubt.twice_draws is None


def test_the_causes_of_a_wide_interval_are_known() -> None:
    """Parts of the variance against known ones: 0.25 over the devices, or over all runs."""
    of_devices, of_draws = found("devices", 0.5, 256, 1), found("draws", 0.5, 256, 1)
    width = of_devices.high - of_devices.low
    assert width == pytest.approx(2 * 1.96 * 0.5 / 16, rel=0.02)
    assert (of_devices.doubt.devices, of_devices.doubt.draws) == (pytest.approx(width), 0)
    assert of_devices.doubt.twice_devices == pytest.approx(width / 2**0.5, rel=0.01)
    assert of_devices.doubt.twice_draws == pytest.approx(width)
    assert of_devices.changing == 0
    width = of_draws.high - of_draws.low
    assert width == pytest.approx(2 * 1.96 * 0.5 / 32, rel=0.1)
    assert of_draws.doubt.draws == pytest.approx(width, rel=0.15)
    assert of_draws.doubt.twice_draws == pytest.approx(width / 2**0.5, rel=0.15)
    assert of_draws.changing / 256 == pytest.approx(1 - 2 / 2**DRAWS, abs=0.07)


@pytest.mark.parametrize("kind", KINDS)
def test_the_predicted_width_is_reached(kind: str) -> None:
    """The mean over samples of twice the number has the predicted width."""

    def mean(figures: list[float | None]) -> float:
        return float(np.mean([one for one in figures if one is not None]))

    now = [found(kind, 0.4, 128, seed) for seed in range(20)]
    more = [found(kind, 0.4, 256, seed) for seed in range(20)]
    longer = [found(kind, 0.4, 128, seed, 2 * DRAWS) for seed in range(20)]
    devices = mean([one.high - one.low for one in more])
    assert mean([one.doubt.twice_devices for one in now]) == pytest.approx(devices, rel=0.05)
    draws = mean([one.high - one.low for one in longer])
    assert mean([one.doubt.twice_draws for one in now]) == pytest.approx(draws, rel=0.1)


@given(st.lists(st.lists(st.sampled_from("ynu."), min_size=3, max_size=3), min_size=1, max_size=40))
def test_intervals_hold_whatever_is_so_where_it_is_not_known(answers: list[list[str]]) -> None:
    given_ = np.array(answers)
    yes, no, unknown = (given_ == one for one in "ynu")
    changes = yes.any(axis=1) & no.any(axis=1)
    hidden = unknown.any(axis=1) & ~changes
    known = (yes | no).any(axis=1) & ~hidden
    if not known.any():
        with pytest.raises(_native.ParameterError, match="expected a known answer for at least one device"):
            drawn_share(DrawnAnswers(yes, no, unknown))
        return
    one = drawn_share(DrawnAnswers(yes, no, unknown))
    assert (one.changing, one.unknown, one.devices) == (changes.sum(), hidden.sum(), known.sum())
    assert 0 <= one.low <= one.least <= one.most <= one.high <= 1
    nothing = np.zeros_like(unknown)
    none = drawn_share(DrawnAnswers(yes, no | unknown, nothing))
    every = drawn_share(DrawnAnswers(yes | unknown, no, nothing))
    assert (one.least, one.low) == pytest.approx((none.value, none.low))
    assert (one.most, one.high) == pytest.approx((every.value, every.high))
    for width in (one.doubt.devices, one.doubt.draws, one.doubt.twice_devices, one.doubt.twice_draws):
        assert width is None or 0 <= width <= 1


def test_seeds_of_draws_differ_and_go_on() -> None:
    seeds = draw_seeds(64, 4, 1)
    assert seeds.shape == (65, 4) and len(np.unique(seeds)) == 260
    assert seeds.min() >= 0 and seeds.max() < 2**32
    assert (draw_seeds(128, 8, 1)[:65, :4] == seeds).all()
    assert not np.isin(draw_seeds(64, 4, 3), seeds).any()


def test_what_is_wrong_is_refused() -> None:
    yes = np.ones((2, 2), bool)
    with pytest.raises(_native.ParameterError, match="confidence = 2: must be between 0 and 1"):
        drawn_share(DrawnAnswers(yes, ~yes, ~yes), 2)
    with pytest.raises(_native.ParameterError, match=r"expected three arrays \(devices, draws\), found"):
        DrawnAnswers(yes, ~yes, yes[0])
    with pytest.raises(_native.ParameterError, match="threshold = 2: must be from 0 to 1"):
        drawn_share(DrawnAnswers(yes, ~yes, ~yes)).verdict(2)
