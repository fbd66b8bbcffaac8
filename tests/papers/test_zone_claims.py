"""Test 000's claims on ZSPTF, on streams as sequential as its traces, with intervals."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

import sledsim
from sledsim.papers.p000.inputs import SEQUENTIALITY, SLEDS, zoned_device
from sledsim.papers.p000.sequential_streams import stream
from sledsim.papers.p000.zone_queues import waiting, zone_numbers
from sledsim.runs import intervals

pytestmark = pytest.mark.dear("experiments of a paper are simulated")
SCHEDULERS = ["fcfs", "cscan", "sstf_track", "sptf", "asptf", "zsptf"]
CV2 = "cv2_response"


def measure(
    like: str, rates: Sequence[float], schedulers: Sequence[str], count: int, replications: int = 8
) -> sledsim.results.Curves:
    model = zoned_device(SLEDS[like])
    draw = stream(SEQUENTIALITY[like], count)
    return sledsim.response_curves(model, schedulers, rates, draw=draw, replications=replications, seed=101)


@pytest.fixture(scope="module")
def server() -> sledsim.results.Curves:
    return measure("server", [800, 1200, 1500, 1600], SCHEDULERS, 20_000)


@pytest.fixture(scope="module")
def edge() -> sledsim.results.Curves:
    """Run beyond the capacity of aged SPTF and C-SCAN, where the queue of ZSPTF is long and slow to build."""
    return measure("server", [2000], ["cscan", "sptf", "asptf", "zsptf"], 60_000, replications=8)


@pytest.fixture(scope="module")
def user() -> sledsim.results.Curves:
    return measure("user", [1000, 1800, 2000], SCHEDULERS, 10_000)


def ratios(
    curves: sledsim.results.Curves, a: str, b: str, figure: str = "mean_response_s"
) -> list[intervals.Estimate]:
    return [one.ratio for one in curves.difference(a, b, figure)]


@pytest.mark.parametrize("other", ["cscan", "sstf_track"])
def test_zsptf_beats_c_scan_and_sstf(
    server: sledsim.results.Curves, user: sledsim.results.Curves, other: str
) -> None:
    """Check 000-C11: the margin grows with the load."""
    for curves in (server, user):
        found = ratios(curves, other, "zsptf")
        assert all(less.value < more.value for less, more in pairwise(found))
        assert found[1].low > 1.1 and found[-1].low > 1.3


def test_c_scan_saturates_before_zsptf(edge: sledsim.results.Curves) -> None:
    """Check 000-C11 under heavy load, without a factor, because one policy has no mean."""
    assert edge.saturation("cscan").saturated == 2000
    assert edge.saturation("zsptf").sustained == 2000


@pytest.mark.parametrize("better", ["sptf", "asptf"])
def test_exact_policies_beat_zsptf_slightly_and_then_clearly(
    server: sledsim.results.Curves, better: str
) -> None:
    """Check 000-C12: up to 7 % under light loads, 10 to 40 % under moderate loads."""
    light, *moderate, _ = ratios(server, "zsptf", better)
    assert light.low > 1 and light.high < 1.07
    assert all(ratio.low > 1.07 and ratio.high > 1.1 and ratio.low < 1.4 for ratio in moderate)
    assert moderate[-1].low > moderate[0].high


def test_aged_sptf_saturates_before_zsptf_and_zsptf_is_no_sptf(edge: sledsim.results.Curves) -> None:
    """Check 000-C13: the first half holds; the second half does not hold on this input."""
    assert edge.saturation("asptf").saturated == 2000
    (ratio,) = ratios(edge, "zsptf", "sptf")
    assert ratio.low > 2


def test_fcfs_varies_least_while_it_keeps_up_with_a_sequential_stream(user: sledsim.results.Curves) -> None:
    """Check 000-C17 on the user-like stream."""
    for other in SCHEDULERS[1:]:
        assert all(ratio.low > 1 for ratio in ratios(user, other, "fcfs", CV2)[1:]), other


def test_fcfs_does_not_vary_least_under_random_requests(server: sledsim.results.Curves) -> None:
    """Check 000-C17 on the server-like stream: at its capacity FCFS varies no less than ZSPTF."""
    assert ratios(server, "zsptf", "fcfs", CV2)[1].high < 1
    assert server.saturation("fcfs").saturated == 1500


def test_c_scan_varies_as_zsptf_under_a_sequential_stream_only(
    server: sledsim.results.Curves, user: sledsim.results.Curves
) -> None:
    """Check 000-C17: within 15 % on the user-like stream; above and then below on the server-like one."""
    assert all(0.85 < ratio.value < 1.15 for ratio in ratios(user, "cscan", "zsptf", CV2))
    light, moderate, *_, busy = ratios(server, "cscan", "zsptf", CV2)
    assert light.low > 1 and moderate.low > 1 and busy.high < 1


def test_in_overload_fcfs_varies_least() -> None:
    """Check 000-C17 without a steady state, where only the order of the figures counts."""
    model = zoned_device(SLEDS["server"])
    trace = stream(SEQUENTIALITY["server"], 20_000)(model, 2400, 1)
    found = {name: sledsim.simulate(model, trace, name) for name in ("fcfs", "cscan", "zsptf", "sptf")}
    assert all(run.drain_s > 0.1 * run.span_s for run in found.values() if run.settings.scheduler != "sptf")
    cv2 = {name: run.summary()[CV2] for name, run in found.items()}
    # Responses that grow from nothing at a steady pace are spread evenly: variance / mean² = 1/3.
    assert cv2["fcfs"] == pytest.approx(1 / 3, abs=0.02)
    assert min(cv2, key=cv2.__getitem__) == "fcfs"


@pytest.mark.dear("streams of 12,000 requests are simulated", every_change="1600-5-20")
@pytest.mark.parametrize(("rate", "low", "high"), [(1600, 5, 20), (1800, 15, 60), (1900, 30, 100)])
def test_in_a_zone_wait_many_times_fewer_requests(rate: float, low: float, high: float) -> None:
    """Check 000-C18 on the server-like stream: 10 to 100 times."""
    model = zoned_device(SLEDS["server"])
    pairs = []
    for seed in (1, 2, 3):
        trace = stream(SEQUENTIALITY["server"], 12_000)(model, rate, seed)
        run = sledsim.simulate(model, trace, "zsptf")
        both = waiting(run), waiting(run, zone_numbers(model, trace.lbn))
        pairs.append([counts[2400:].mean() for counts in both])
    whole, zone = np.transpose(pairs)
    ratio = intervals.ratio(whole, zone)
    assert low < ratio.value < high
    assert ratio.high > 10 and ratio.low < 100


def test_starvation_is_visible(server: sledsim.results.Curves) -> None:
    """SPTF has the best mean and the worst tail; zones and age bound the wait (000, section 6)."""
    busy = {name: server.point(name, 1600) for name in ("sptf", "asptf", "zsptf", "cscan")}
    figures = {name: point.estimates for name, point in busy.items() if point}
    assert len(figures) == 4
    assert min(figures, key=lambda name: figures[name]["mean_response_s"].value) == "sptf"
    for figure in ("max_response_s", CV2):
        for other in ("asptf", "zsptf"):
            ratio = server.difference("sptf", other, figure)[-1].ratio
            assert ratio.low > 1, (figure, other, ratio)
    # The longest wait over the mean separates starvation from a long queue: C-SCAN serves all requests late.
    longest = {
        name: one["max_response_s"].value / one["mean_response_s"].value for name, one in figures.items()
    }
    assert longest["sptf"] > 2 * longest["zsptf"] > 2 * longest["cscan"] > 2
