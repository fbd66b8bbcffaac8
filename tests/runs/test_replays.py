"""Arrivals of a replay: open, closed, and with think times."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sledsim
from tests.conftest import Cli, often


@pytest.fixture(scope="module")
def osdi00() -> sledsim.Device:
    return sledsim.device("osdi00")


def requests(times: list[int], responses: list[int], flags: list[int] | None = None) -> sledsim.Trace:
    count = len(times)
    lbn = (np.arange(count) * 999_983) % 6_000_000
    given = {} if flags is None else {"flags": flags}
    return sledsim.Trace(times, lbn, np.full(count, 8), response_ns=responses, source="test", **given)


def in_trace_order(run: sledsim.Run, trace: sledsim.Trace) -> np.ndarray:
    """Return the row of the run for each request of a trace whose addresses are all different."""
    rows = {lbn: row for row, lbn in enumerate(run.columns["lbn"].tolist())}
    return np.array([rows[lbn] for lbn in trace.lbn.tolist()])


def test_closed_keeps_a_number_outstanding(osdi00: sledsim.Device) -> None:
    trace = sledsim.random_workload(osdi00, rate_per_s=100, count=500, seed=3)
    for outstanding in (1, 7):
        run = sledsim.simulate(osdi00, trace, "fcfs", replay=f"closed:outstanding={outstanding}")
        arrivals, completions = run.columns["arrival_ns"], run.columns["completion_ns"]
        assert (arrivals[:outstanding] == 0).all()
        # Each later request comes exactly at the completion of an earlier one.
        assert np.array_equal(arrivals[outstanding:], np.sort(completions)[: 500 - outstanding])
        assert np.array_equal(run.columns["lbn"], trace.lbn)


def test_users_think(osdi00: sledsim.Device) -> None:
    trace = sledsim.random_workload(osdi00, rate_per_s=100, count=2000, seed=3)
    run = sledsim.simulate(osdi00, trace, "fcfs", replay="closed:think_ms=2.5")
    gaps = run.columns["arrival_ns"][1:] - run.columns["completion_ns"][:-1]
    assert (gaps == 2_500_000).all()
    run = sledsim.simulate(osdi00, trace, "fcfs", replay="closed:think_ms=2.5,think=exponential,seed=4")
    gaps = (run.columns["arrival_ns"][1:] - run.columns["completion_ns"][:-1]) * 1e-6
    # The mean of 1,999 exponential times lies within five standard errors of the true mean.
    assert gaps.mean() == pytest.approx(2.5, abs=5 * 2.5 / 1999**0.5)
    assert gaps.std() == pytest.approx(2.5, rel=0.15)


def test_arrivals_never_go_back(osdi00: sledsim.Device) -> None:
    trace = sledsim.random_workload(osdi00, rate_per_s=100, count=3000, seed=3)
    mode = "closed:outstanding=20,think_ms=4,think=exponential"
    run = sledsim.simulate(osdi00, trace, "sptf", replay=mode)
    assert (np.diff(run.columns["arrival_ns"]) >= 0).all()
    assert run.columns["queue_length"].max() == 19
    again = run.again()
    for name, column in run.columns.items():
        assert np.array_equal(again.columns[name], column), name


def dependencies(trace: sledsim.Trace, longest_ns: float) -> list[tuple[int, int] | None]:
    """Compute by the definition the request before each request, and the think time between both."""
    found: list[tuple[int, int] | None] = []
    completion = trace.arrival_ns + trace.response_ns
    awaited = (trace.response_ns > 0) & (trace.flags & 0b10010 == 0)
    for row, arrival in enumerate(trace.arrival_ns.tolist()):
        complete = [at for at in range(row) if awaited[at] and completion[at] <= arrival]
        last = max(complete, key=lambda at: (completion[at], at), default=None)
        by_itself = last is None or trace.flags[row] & 0b10000
        think = 0 if by_itself else arrival - int(completion[last])
        found.append(None if by_itself or think > longest_ns else (last, think))
    return found


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
@often(60)
@given(
    st.lists(
        st.tuples(st.integers(0, 3_000_000), st.integers(0, 9_000_000), st.sampled_from([0, 1, 2, 16])),
        min_size=1,
        max_size=40,
    ),
    st.sampled_from(["0", "1", "2.5", "inf"]),
    st.sampled_from(["fcfs", "sptf"]),
)
def test_dependent_requests_wait_again(
    rows: list[tuple[int, int, int]], longest_ms: str, policy: str
) -> None:
    gaps, responses, flags = map(list, zip(*rows, strict=True))
    if not any(responses):
        responses[0] = 1
    trace = requests(np.cumsum(gaps).tolist(), responses, flags)
    run = sledsim.simulate(sledsim.device("osdi00"), trace, policy, replay=f"think:longest_ms={longest_ms}")
    order = in_trace_order(run, trace)
    arrival, completion = run.columns["arrival_ns"][order], run.columns["completion_ns"][order]
    expected = dependencies(trace, float(longest_ms) * 1e6)
    assert run.totals["waited"] == sum(row is not None for row in expected)
    for row, dependency in enumerate(expected):
        if dependency is None:
            assert arrival[row] == trace.arrival_ns[row]
        else:
            after, think = dependency
            assert arrival[row] == completion[after] + think
    assert (np.diff(run.columns["arrival_ns"]) >= 0).all()


def test_validate_traces_are_a_closed_loop(osdi00: sledsim.Device, tmp_path: Path) -> None:
    path = tmp_path / "disk.validate"
    path.write_text("R Miss 100 8 5000.0 1000.0\nW Hit 90000 16 7000.0 0.0\nR Hit 7 8 4000.0 250.5\n")
    trace = sledsim.read_trace(path)
    assert trace.format == "validate"
    run = sledsim.simulate(osdi00, trace)
    assert run.settings.replay == "think:longest_ms=inf"
    arrival, completion = run.columns["arrival_ns"], run.columns["completion_ns"]
    assert arrival.tolist() == [0, completion[0] + 1_000_000, completion[1]]
    assert sledsim.simulate(osdi00, trace, replay="open").columns["arrival_ns"][1] == 6_000_000


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
def test_the_summary_says_what_rests_on_inference(cli: Cli) -> None:
    found = json.loads(cli("run", "demo", "--replay", "think", "--json").stdout)
    assert found["replay"] == "think"
    assert 0 < found["waited_share"] < 1
    trace, device = sledsim.demo_trace(), sledsim.device("osdi00")
    for key, replay in [("nothing_waited", "open"), ("all_waited", "think:longest_ms=inf")]:
        run = sledsim.simulate(device, trace, replay=replay)
        assert found[f"{key}_mean_response_s"] == pytest.approx(run.summary()["mean_response_s"])
    measured = trace.transfers().response_ns
    assert found["recorded_mean_response_s"] == pytest.approx(measured[measured > 0].mean() * 1e-9)
    table = cli("run", "demo", "--replay", "think").stdout
    assert "rests on inference" in table
    # The extremes are ten times as far apart as the change: no conclusion is possible.
    assert f" {found['rests_on_inference']:.3g} times as far apart" in table
    assert "the recording: the mean response is a guess." in table


@pytest.mark.parametrize(
    ("replay", "message"),
    [
        ("opened", 'unknown replay "opened": did you mean "open"'),
        ("closed:outstanding=0", "closed: outstanding = 0: expected a whole number from 1"),
        ("closed:think=normal", "expected fixed or exponential"),
        ("think:longest_ms=-1", "expected inf, or a number of at least 0 \\(ms\\)"),
        ("open:x=1", "open has no options: found"),
    ],
)
def test_wrong_replays(osdi00: sledsim.Device, replay: str, message: str) -> None:
    trace = requests([0, 5], [3, 3])
    with pytest.raises(sledsim.ParameterError, match=message):
        sledsim.simulate(osdi00, trace, replay=replay)


def test_think_times_need_measured_times(osdi00: sledsim.Device) -> None:
    with pytest.raises(sledsim.TraceError, match="needs measured completion or service times"):
        sledsim.simulate(osdi00, requests([0, 5], [0, 0]), replay="think")


def test_times_in_service_are_enough(osdi00: sledsim.Device) -> None:
    measured = requests([0, 5_000_000], [1_000_000, 1_000_000])
    served = dataclasses.replace(measured, response_ns=None, service_ns=measured.response_ns)
    one, other = (sledsim.simulate(osdi00, trace, replay="think").columns for trace in (measured, served))
    assert np.array_equal(one["arrival_ns"], other["arrival_ns"])
    assert one["arrival_ns"][1] != 5_000_000
