"""Test the claims of 001 and 002 on schedulers, on draws of the random workload that no experiment uses.

Two policies serve the same requests; one is better where the whole interval of the ratio lies below 1.
"""

from functools import cache

import pytest

import sledsim
from sledsim.papers.shared.figures import SHAPE
from sledsim.runs.intervals import Estimate

POLICIES = ["fcfs", "sstf_lbn", "clook_lbn", "sptf"]
SETTINGS = {"count": 20_000, "replications": 5, "seed": 1001}


@cache
def curves(
    device: str, settling: float, rates: tuple[float, ...], overhead: bool = True
) -> sledsim.results.Curves:
    """Run a device of 001 or 002, whose settling is in milliseconds or in time constants."""
    key = {"osdi00": "settle_ms", "sigmetrics00": "settle_time_constants"}[device]
    changes = {key: settling} | ({} if overhead else {"overhead_ms": 0.0, "bus_mb_per_s": 0.0})
    return sledsim.response_curves(sledsim.device(device, **changes), POLICIES, rates, **SETTINGS)


def ratios(
    found: sledsim.results.Curves, a: str, b: str, figure: str = "mean_response_s"
) -> dict[float, Estimate]:
    return {one.load: one.ratio for one in found.difference(a, b, figure)}


MODERATE = (900.0, 1100.0, 1300.0, 1500.0, 1600.0)


@pytest.mark.dear("experiments of a paper are simulated")
@pytest.mark.parametrize("overhead", [True, False])
def test_the_order_on_the_default_device_of_001(overhead: bool) -> None:
    """Check 001-C20."""
    found = curves("osdi00", 0.22, MODERATE, overhead)
    ends = {name: found.saturation(name) for name in POLICIES}
    assert ends["fcfs"].saturated == 1500
    assert all(ends[name].sustained == 1600 for name in POLICIES[1:])
    for a, b in (("sstf_lbn", "clook_lbn"), ("sptf", "sstf_lbn"), ("sptf", "clook_lbn")):
        assert all(ratio.high < 1 for ratio in ratios(found, a, b).values()), (a, b)
        assert list(ratios(found, a, b)) == list(MODERATE)
    for greedy in ("sstf_lbn", "sptf"):
        starved = ratios(found, greedy, "clook_lbn", "cv2_response")
        assert all(ratio.low > 1 for ratio in starved.values())


@pytest.mark.dear("experiments of a paper are simulated")
def test_starvation_shows_in_the_longest_responses() -> None:
    found = curves("osdi00", 0.22, MODERATE)
    for figure in ("p99_response_s", "max_response_s"):
        for greedy in ("sstf_lbn", "sptf"):
            assert ratios(found, greedy, "clook_lbn", figure)[1500].low > 1


@pytest.mark.dear("experiments of a paper are simulated")
def test_a_saturated_policy_has_no_mean() -> None:
    point = curves("osdi00", 0.22, MODERATE).point("fcfs", 1500)
    assert point is not None and point.saturated and not point.estimates and not point.samples
    assert curves("osdi00", 0.22, MODERATE).point("fcfs", 1600) is None


@pytest.mark.dear("experiments of a paper are simulated", every_change=True)
def test_with_hardly_a_queue_the_policies_are_the_same() -> None:
    found = curves("osdi00", 0.22, (100.0,))
    for other in ("fcfs", "clook_lbn", "sptf"):
        ratio = ratios(found, "sstf_lbn", other)[100]
        assert 0.99 < ratio.low < ratio.high < 1.01


@pytest.mark.dear("experiments of a paper are simulated")
def test_twice_the_settling_makes_the_policies_of_001_nearly_identical() -> None:
    """Check 001-C21: SPTF and SSTF_LBN to 2 %, C-LOOK_LBN to 10 %."""
    found = curves("osdi00", 0.44, (700.0, 900.0, 1100.0, 1250.0))
    for ratio in ratios(found, "sptf", "sstf_lbn").values():
        assert 0.98 < ratio.low < ratio.high < 1.02
    for name in ("sptf", "sstf_lbn"):
        for ratio in ratios(found, name, "clook_lbn").values():
            assert 0.9 < ratio.low < ratio.high < 1


@pytest.mark.dear("experiments of a paper are simulated")
def test_without_settling_sptf_of_001_wins_by_a_large_margin() -> None:
    """Check 001-C21: not even alike in shape, and SPTF keeps up with rates that saturate the others."""
    found = curves("osdi00", 0.0, (1400.0, 1800.0, 2300.0, 3000.0))
    for other in ("sstf_lbn", "clook_lbn"):
        assert ratios(found, "sptf", other)[1400].high < 1
        assert ratios(found, "sptf", other)[1800].high < 1 - SHAPE
        assert found.saturation(other).saturated == 2300
    assert found.saturation("sptf").saturated is None


@pytest.mark.dear("experiments of a paper are simulated")
def test_what_sptf_gains_falls_with_the_settling_time() -> None:
    at_1250 = [
        ratios(curves("osdi00", settle_ms, (1250.0,)), "sptf", "sstf_lbn")[1250]
        for settle_ms in (0.0, 0.22, 0.44)
    ]
    assert at_1250[0].high < at_1250[1].low < at_1250[1].high < at_1250[2].low


@pytest.mark.dear("experiments of a paper are simulated")
def test_the_order_on_the_default_device_of_002() -> None:
    """Check 002-C15, the order of the policies."""
    rates = (350.0, 450.0, 500.0, 600.0)
    found = curves("sigmetrics00", 1.0, rates)
    assert found.saturation("fcfs").saturated == 500
    for a, b in (("sstf_lbn", "clook_lbn"), ("sptf", "sstf_lbn"), ("sptf", "clook_lbn")):
        assert list(ratios(found, a, b)) == list(rates)
        assert all(ratio.high < 1 for ratio in ratios(found, a, b).values()), (a, b)
    for greedy in ("sstf_lbn", "sptf"):
        assert all(ratio.low > 1 for ratio in ratios(found, greedy, "clook_lbn", "cv2_response").values()), (
            greedy
        )


@pytest.mark.dear("experiments of a paper are simulated")
def test_two_time_constants_bring_sstf_to_sptf_and_none_leave_it_far_behind() -> None:
    """Check 002-C15, the settling time."""
    for ratio in ratios(curves("sigmetrics00", 2.0, (250.0, 350.0, 400.0)), "sptf", "sstf_lbn").values():
        assert 0.98 < ratio.low < ratio.high < 1.02
    found = curves("sigmetrics00", 0.0, (500.0, 600.0, 800.0, 1200.0))
    for other in ("sstf_lbn", "clook_lbn"):
        assert ratios(found, "sptf", other)[600].high < 1 - SHAPE
        assert found.saturation(other).saturated == 800
    assert found.saturation("sptf").saturated is None
