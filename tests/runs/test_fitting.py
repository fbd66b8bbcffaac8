"""Traces that reach past the end of a device: the choice, and its effect in the run."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import sledsim
from sledsim.runs.trace_fit import LARGEST, MOST_DEVICES, MOST_SLEDS, capacity_bytes, reach_bytes, ways


def reaching(size_gb: float, blocks: int = 8) -> sledsim.Trace:
    """Return two requests, the second of which ends at the given place."""
    end = int(size_gb * 1e9) // 512
    rows = np.array([0, end - blocks])
    return sledsim.Trace(
        arrival_ns=np.array([0, 10**9]), lbn=rows, blocks=np.full(2, blocks, np.int32), source="far.csv"
    )


@pytest.mark.parametrize(
    ("name", "size_gb", "how", "count"),
    [
        ("osdi00", 3.4, "as it is", 1),
        ("osdi00", 3.5, "sleds", 2),
        ("osdi00", 100, "sleds", 29),
        ("osdi00", 300, "squeeze", 1),
        # More sleds than a device can have, or than a log can keep in order.
        ("osdi00", 4e6, "squeeze", 1),
        ("osdi00-erase", 10, "sleds", 3),
        ("osdi00-erase", 1000, "squeeze", 1),
        ("atlas10k", 20, "devices", 3),
        ("atlas10k", 200, "squeeze", 1),
        ("cf-card", 20, "devices", 10),
        ("osdi00", 4e9, "squeeze", 1),
    ],
)
def test_the_way_to_fit_is_chosen_by_size(name: str, size_gb: float, how: str, count: int) -> None:
    device = sledsim.device(name)
    found = sledsim.fit(device, reaching(size_gb))
    assert (found.how, found.count, found.asked_for) == (how, count, name)
    run = sledsim.simulate(found.target, reaching(size_gb), "fcfs", past_end=found.past_end)
    assert run.totals["remapped"] == (1 if how == "squeeze" else 0)
    if how == "sleds":
        assert run.settings.parameters["sleds"] == count
        fewer = device.with_parameters(sleds=count - 1)
        with pytest.raises(sledsim.TraceError, match="past the end of the device"):
            sledsim.simulate(fewer, reaching(size_gb), "fcfs")


def test_too_many_sleds_cannot_be_added() -> None:
    far = reaching(4e6)
    with pytest.raises(sledsim.ParameterError, match=r"sleds = 1\d{6}: expected at most 1000000"):
        sledsim.simulate(sledsim.device("osdi00"), far, "fcfs", past_end="sleds")
    assert "sleds" not in ways(sledsim.device("osdi00"), far)


def test_another_device_is_taken_only_where_any_will_do() -> None:
    found = sledsim.fit(sledsim.device("osdi00"), reaching(100), or_larger=True)
    assert (found.how, found.target.name, found.count) == ("larger", LARGEST, 17)
    assert sledsim.fit(sledsim.device("osdi00"), reaching(20), or_larger=True).how == "sleds"
    largest = max(
        (capacity_bytes(sledsim.device(name)), name)
        for name in sledsim.devices()
        if sledsim.device(name).kind == "mems"
    )
    assert largest[1] == LARGEST


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["osdi00", "hong03", "atlas10k", "cf-card"]), st.floats(0.01, 400))
def test_whatever_is_chosen_runs(name: str, size_gb: float) -> None:
    trace, device = reaching(size_gb), sledsim.device(name)
    found = sledsim.fit(device, trace)
    assert found.count <= max(MOST_SLEDS, MOST_DEVICES)
    assert (found.how == "as it is") == (reach_bytes(trace) <= capacity_bytes(device))
    run = sledsim.simulate(device, trace, "fcfs", fit=True)
    same = sledsim.simulate(found.target, trace, "fcfs", past_end=found.past_end)
    assert run.summary() == same.summary()
    if found.past_end == "error":
        assert capacity_bytes(found.target) >= reach_bytes(trace)
    for rule in ways(device, trace) if found.how != "as it is" else ():
        sledsim.simulate(device, trace, "fcfs", past_end=rule)


def test_no_more_sleds_are_offered_than_a_device_can_have() -> None:
    device = sledsim.device("osdi00")
    assert list(ways(device, reaching(3.4e6))) == ["sleds", "squeeze", "wrap"]
    assert list(ways(device, reaching(3.5e6))) == ["squeeze", "wrap"]
    assert (
        sledsim.fit(device, reaching(4e6)).done().startswith("all addresses are divided by 1,157,407, which")
    )


def test_tips_that_move_by_themselves_are_squeezed_on() -> None:
    device = sledsim.device("sigmetrics00-cantilevers")
    found = sledsim.fit(device, reaching(1))
    assert found.how == "squeeze" and "sleds" not in ways(device, reaching(1))
    assert sledsim.simulate(device, reaching(1), fit=True).totals["remapped"] == 1


def test_volumes_and_devices_with_episodes_fit_too() -> None:
    trace = reaching(10)
    assert sledsim.fit(sledsim.volume("mirror"), trace).how == "squeeze"
    stalling = sledsim.with_episodes(sledsim.device("osdi00"), ["stall:at=10,ms=5"])
    found = sledsim.fit(stalling, trace)
    assert (found.how, found.past_end, found.count) == ("sleds", "sleds", 3)
    run = sledsim.simulate(stalling, trace, fit=True)
    assert run.totals["remapped"] == 0


def test_what_cannot_fit_is_an_error() -> None:
    card = sledsim.volume("mirror", device="sigmetrics00-cantilevers")
    with pytest.raises(sledsim.TraceError, match=r"a request of 31\.25 MiB is longer than mirror"):
        sledsim.fit(card, reaching(1, blocks=64000))
    with pytest.raises(sledsim.ParameterError, match="expected either fit or past_end, found both"):
        sledsim.simulate(sledsim.device("osdi00"), reaching(10), fit=True, past_end="wrap")


def test_a_stream_is_made_to_fit(tmp_path: Any) -> None:
    path = tmp_path / "far.csv"
    path.write_text("time,lbn,size,op\n0.0,0,4096,r\n1.0,20000000,4096,w\n")
    asked = {"format": "csv", "map": "time=time:s,lbn=lbn:sectors,size=size:B,op=op"}
    run = sledsim.simulate(sledsim.device("osdi00"), sledsim.open_trace(path, **asked), fit=True)
    assert run.settings.parameters["sleds"] == 3
