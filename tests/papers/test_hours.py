"""Test 000's hours: whole, at scale factors, into overload."""

import numpy as np
import pytest

import sledsim
from sledsim import papers
from sledsim.papers.p000.hours import faster, hour_curves
from sledsim.papers.p000.inputs import hour, zoned_device
from sledsim.papers.p000.sequential_streams import bursty_stream
from sledsim.papers.shared.perturbations import enforce


@pytest.mark.dear("whole hours are replayed", every_change=True)
def test_an_hour_is_replayed_whole_and_into_overload() -> None:
    used = hour("user", quick=True)
    assert used.loads["light"] == [1.0] and used.is_matched
    moderate, heavy = used.loads["moderate"][0], used.loads["heavy"][-1]
    curves = used.measure(["fcfs"], [1.0, moderate, heavy])
    points = {load: curves.point("fcfs", load) for load in curves.loads}
    assert all(point and not point.saturated for point in points.values())
    busy = {load: point.estimates["utilization"].value for load, point in points.items() if point}
    assert busy[moderate] == pytest.approx(0.5, rel=0.1) and busy[heavy] > 0.97
    # The mean covers all requests of the printed hour, the longest backlog included.
    model = used.device
    trace = bursty_stream(0.829, 75_304)(model, 20.9, 1)
    assert len(trace) == 75_304
    response_s = sledsim.simulate(model, faster(trace, heavy), "fcfs").response_ns * 1e-9
    found = points[heavy]
    assert found and found.samples["mean_response_s"][0] == pytest.approx(response_s.mean(), rel=1e-12)
    assert found.samples["cv2_response"][0] == pytest.approx(response_s.var() / response_s.mean() ** 2)
    assert [len(hour("user", quick=False).loads[band]) for band in used.loads] == [1, 2, 2]


def test_faster_hours_have_the_same_requests() -> None:
    own = bursty_stream(0.829, 2000)(zoned_device(1), 20.9, 3)
    twice = faster(own, 2.0)
    assert np.abs(own.arrival_ns - 2 * twice.arrival_ns).max() <= 1
    assert all(np.array_equal(getattr(own, name), getattr(twice, name)) for name in ("lbn", "blocks", "op"))


def test_what_was_replayed_before_is_of_the_same_device_requests_policy_and_model() -> None:
    """An experiment reuses figures of another one, so the key has to contain everything that changes them."""
    one, two = (bursty_stream(0.829, 400)(zoned_device(1), 20.9, seed) for seed in (1, 2))

    def mean_s(slower: float, draw: sledsim.Trace, policy: str, scale: float) -> float:
        model = zoned_device(1)
        slow = model.parameters["acceleration_m_per_s2"] / slower
        model = model.with_parameters(acceleration_m_per_s2=slow)
        curves = hour_curves(model, [draw], [policy], [scale], name="x", seed=1)
        point = curves.point(policy, scale)
        assert point
        return float(point.samples["mean_response_s"][0])

    asked = [
        (1, one, "zsptf", 90.0),
        *((2, one, "zsptf", 90.0), (1, two, "zsptf", 90.0), (1, one, "sptf", 90.0), (1, one, "zsptf", 70.0)),
    ]
    found = [mean_s(*each) for each in asked]
    assert len(set(found)) == len(asked) and [mean_s(*each) for each in asked] == found
    enforce(papers.own_perturbation({"settle_ms": 2.0}, {}, {}))
    try:
        assert mean_s(*asked[0]) > found[0]
    finally:
        enforce(None)
    assert mean_s(*asked[0]) == found[0]
