"""First answers on a run and on its trace, compared with the columns by hand."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numpy.typing import NDArray

import sledsim
from sledsim.runs.breakdown import PHASES, mean_phases_s, phases_ns
from sledsim.runs.over_time import Groups, settled
from sledsim.runs.overview import overview


@pytest.fixture(scope="module")
def run() -> sledsim.Run:
    return sledsim.simulate(sledsim.device("osdi00"), sledsim.demo_trace(), "fcfs")


def test_the_parts_are_those_of_the_columns(run: sledsim.Run) -> None:
    found = sledsim.breakdown(run, sledsim.demo_trace())
    moves = run.transfers.columns
    write, response_s = moves["write"], run.transfers.response_ns * 1e-9
    (reads,) = (one for one in found.parts if one.name == "reads")
    assert reads.requests == int((~write).sum())
    assert reads.mean_response_s == pytest.approx(response_s[~write].mean())
    assert reads.p99_response_s == pytest.approx(np.percentile(response_s[~write], 99))
    assert reads.rate_bytes_per_s == pytest.approx(moves["blocks"][~write].sum() * 512 / run.span_s)
    every = found.parts[0]
    flushes = run.totals["flushes"]
    assert (every.by, every.requests, flushes) == ("all", run.totals["requests"] - flushes, 546)
    for by, more in (("operation", flushes), ("metadata", 0)):
        assert sum(one.requests for one in found.parts if one.by == by) == every.requests + more


def made(name: str, columns: str = "all") -> sledsim.Run:
    target = sledsim.volume(name) if name in sledsim.volumes() else sledsim.device(name)
    trace = sledsim.demo_trace()
    return sledsim.simulate(target, trace, "sptf", past_end="wrap", scale=4, columns=columns)


@pytest.mark.dear(
    "many requests are simulated and computed again", cases=("osdi00-erase", "sigmetrics00-cantilevers")
)
@pytest.mark.parametrize("name", [*sledsim.devices(), *sledsim.volumes()])
def test_the_phases_of_each_request_add_up_to_its_response(name: str) -> None:
    run = made(name)
    spent = phases_ns(run.columns)
    assert (sum(spent.values()) == run.response_ns).all()
    assert (spent["bus"] == run.columns["bus_ns"]).all()
    assert min(int(values.min()) for values in spent.values()) >= 0


@pytest.mark.parametrize("name", ["osdi00", "atlas10k", "cf-card", "emsoft08", "raid5", "cache"])
def test_the_phases_add_up_to_the_mean_response(name: str) -> None:
    run = made(name)
    phases, summary = sledsim.breakdown(run).phases, run.summary()
    assert sum(phases.values()) == pytest.approx(summary["mean_response_s"])
    assert [*phases] == [phase for phase in PHASES if phase != "rest"]
    if "volume" not in run.settings.parameters:
        service = sum(phases.values()) - phases["overhead"] - phases["queue"] - phases["bus"]
        assert service == pytest.approx(summary["mean_service_s"])


@pytest.mark.parametrize("columns", ["none", "times"])
def test_phases_without_columns_are_summed(columns: str) -> None:
    whole, part = mean_phases_s(made("osdi00")), mean_phases_s(made("osdi00", columns))
    assert part["rest"] == pytest.approx(whole["overhead"] + whole["queue"] + whole["bus"])
    assert {name: part[name] for name in part if name != "rest"} == {
        name: whole[name] for name in whole if name in part
    }


def test_traced_devices_and_classes_are_distinguished() -> None:
    trace = sledsim.demo_trace()
    count = len(trace)
    marked = sledsim.Trace(
        arrival_ns=trace.arrival_ns,
        lbn=trace.lbn,
        blocks=trace.blocks,
        op=trace.op,
        device=(np.arange(count) % 3 == 0).astype(np.int32),
        block_class=np.where(np.arange(count) % 2, 2, 1),
        device_names={0: "sda", 1: "sdb"},
    ).transfers()
    replayed = sledsim.simulate(sledsim.device("osdi00"), marked)
    found = sledsim.breakdown(replayed, marked)
    names = {one.name: one.requests for one in found.parts if one.by in ("device", "class")}
    assert names == {
        "device sda": int((marked.device == 0).sum()),
        "device sdb": int((marked.device == 1).sum()),
        "user data": int((marked.block_class == 1).sum()),
        "inode": int((marked.block_class == 2).sum()),
    }


def test_a_breakdown_states_if_the_device_kept_up() -> None:
    slow, fast = (
        sledsim.breakdown(sledsim.simulate(sledsim.device("osdi00"), sledsim.demo_trace(), scale=scale))
        for scale in (1, 64)
    )
    assert (slow.kept_up, fast.kept_up) == (True, False)
    assert "kept up: busy for 2.3% of the time" in slow.in_words("osdi00", 0.023)[0]
    assert "did not keep up" in fast.in_words("osdi00", 1.0)[0]


@pytest.mark.parametrize("gaps_ms", [[], [2], [2, 3]])
def test_a_device_keeps_up_if_no_request_waits(gaps_ms: list[int]) -> None:
    """The service of the last of a few requests is more than a tenth of the time."""
    arrivals = np.cumsum([0, *gaps_ms]) * 1_000_000
    few = sledsim.Trace(
        arrival_ns=arrivals, lbn=np.arange(len(arrivals)) * 8, blocks=np.full(len(arrivals), 8, np.int32)
    )
    assert sledsim.breakdown(sledsim.simulate(sledsim.device("osdi00"), few)).kept_up
    at_once = few.rows(np.zeros(3, np.int64))
    assert not sledsim.breakdown(sledsim.simulate(sledsim.device("osdi00"), at_once)).kept_up
    # The other device's idle time does not count for this one.
    apart = sledsim.Trace(
        arrival_ns=at_once.arrival_ns, lbn=at_once.lbn, blocks=at_once.blocks, device=np.array([0, 0, 1])
    )
    assert not sledsim.breakdown(sledsim.simulate(sledsim.device("osdi00"), apart)).kept_up


def warm_up(response_ns: NDArray[np.int64]) -> int | None:
    groups = Groups()
    groups.add(np.arange(len(response_ns)), response_ns)
    return settled(groups.sums_ns, groups.size)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 400), st.integers(0, 2**32 - 1))
def test_a_warm_up_is_found_where_there_is_one(first: int, seed: int) -> None:
    """Response times that begin ten standard deviations too high, against the definition of MSER-5."""
    response = np.random.default_rng(seed).normal(100, 1, 1000)
    response[:first] += 10
    found = warm_up((response * 1e6).astype(np.int64))
    means = response.reshape(-1, 5).mean(axis=1)
    errors = [means[at:].var() / (len(means) - at) for at in range(101)]
    assert found == (None if np.argmin(errors) == 100 else np.argmin(errors) * 5)
    if first == 0:
        assert found is not None and found < 500
    elif first >= 20:
        assert found is not None and found >= first - 5


def test_few_requests_have_no_warm_up() -> None:
    assert warm_up(np.arange(99, dtype=np.int64)) is None
    trace = sledsim.demo_trace().rows(slice(0, 50))
    found = sledsim.breakdown(sledsim.simulate(sledsim.device("osdi00"), trace))
    assert len(found.in_words("osdi00", 0.1)) == 1
    assert found.in_words("osdi00", float("nan"))[0].startswith("osdi00 kept up: the last request completed")


@pytest.mark.parametrize(("scale", "doubtful"), [(1.0, False), (16.0, False), (1e4, True)])
def test_an_overview_estimates_the_load_of_the_device(scale: float, doubtful: bool) -> None:
    device = sledsim.device("osdi00")
    found = overview(sledsim.demo_trace(), device, scale)
    assert found.requests == 4833
    assert found.read_share == pytest.approx(3031 / 4833)
    assert bool(found.doubts) == doubtful
    if not doubtful:
        busy = sledsim.simulate(device, sledsim.demo_trace(), "fcfs", scale=scale).summary()["utilization"]
        assert found.busy_share == pytest.approx(busy, rel=0.25)


def test_doubtful_units_are_reported() -> None:
    device, count = sledsim.device("osdi00"), 10_000

    def doubts(gap_ns: int) -> tuple[str, ...]:
        arrivals = np.arange(count, dtype=np.int64) * gap_ns
        trace = sledsim.Trace(
            arrival_ns=arrivals, lbn=np.arange(count) * 8, blocks=np.full(count, 8, np.int32)
        )
        return sledsim.overview(trace, device).doubts

    assert "all 10,000 requests arrive at the same time: is the unit of time right?" in doubts(0)[0]
    assert "10,000 requests in 200 µs are" in doubts(20)[0]
    assert doubts(10**7) == doubts(20 * 10**9) == ()
    # Microseconds of a request every 200 of them, taken for seconds.
    assert "the mean time between two requests is 200 s" in doubts(200 * 10**9)[0]
