"""`Simulation`: steps give the same run as one call, and programs with their own clock can wait for it."""

import asyncio
import copy
from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sledsim
from tests.conftest import often

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def osdi00() -> sledsim.Device:
    return sledsim.device("osdi00")


def assert_same(run: sledsim.Run, expected: sledsim.Run) -> None:
    assert list(run.columns) == list(expected.columns)
    for name, column in expected.columns.items():
        assert np.array_equal(run.columns[name], column), name
        assert run.columns[name].dtype == column.dtype, name


def targets() -> dict[str, Any]:
    device = sledsim.device("osdi00")
    plan = {"check_tips": 2, "spare_tips": 64, "manufacture": {"tip_failure_probability": 0.02}}
    kinds = {kind: sledsim.volume(kind) for kind in ("mirror", "raid5", "cache", "virtual-disk")}
    disks = {"atlas10k": sledsim.device("atlas10k"), "cf-card": sledsim.device("cf-card")}
    return {"osdi00": device, "faulty": sledsim.with_faults(device, plan), **disks, **kinds}


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
@pytest.mark.parametrize("name", targets())
@often(3)
@given(seed=st.integers(0, 2**32), rate=st.floats(20, 800))
def test_steps_are_the_run_in_one_go(name: str, seed: int, rate: float) -> None:
    target, random = targets()[name], np.random.default_rng(seed)
    trace = sledsim.random_workload(sledsim.device("osdi00"), rate_per_s=rate, count=300, seed=seed)
    lbn = trace.lbn % 100_000
    whole = sledsim.simulate(target, sledsim.Trace(trace.arrival_ns, lbn, trace.blocks, trace.op))
    simulation, at, told = sledsim.Simulation(target), 0, []
    while at < len(trace):
        some = slice(at, at + int(random.integers(1, 40)))
        ids = simulation.submit(trace.arrival_ns[some], lbn[some], trace.blocks[some], trace.write[some])
        assert ids.tolist() == list(range(len(trace)))[some]
        at = ids[-1] + 1
        if at < len(trace):
            until_ns = int(random.integers(simulation.now_ns, trace.arrival_ns[at] + 1))
            told.append(simulation.advance(until_ns))
            assert simulation.pending() == at - sum(len(some.id) for some in told)
    told.append(simulation.drain())
    assert simulation.pending() == 0
    run = simulation.finish()
    assert_same(run, whole)
    ids, completions = (np.concatenate(parts) for parts in zip(*told, strict=True))
    assert np.array_equal(run.columns["completion_ns"][ids], completions)
    assert np.array_equal(np.sort(ids), np.arange(len(trace)))


def test_requests_of_several_devices(osdi00: sledsim.Device) -> None:
    device = np.arange(200, dtype=np.int32) % 3
    trace = sledsim.random_workload(osdi00, rate_per_s=2000, count=200, seed=1)
    trace = sledsim.Trace(trace.arrival_ns, trace.lbn, trace.blocks, trace.op, device=device)
    simulation = sledsim.Simulation(osdi00, "look_lbn", copies=3)
    for row in range(200):
        simulation.submit(
            int(trace.arrival_ns[row]),
            int(trace.lbn[row]),
            int(trace.blocks[row]),
            bool(trace.write[row]),
            device=row % 3,
        )
    run = simulation.finish()
    assert_same(run, sledsim.simulate(osdi00, trace, "look_lbn"))
    assert len(run.devices) == 3


def test_copies_go_their_own_way(osdi00: sledsim.Device) -> None:
    trace = sledsim.random_workload(osdi00, rate_per_s=5000, count=300, seed=2)
    columns = (trace.arrival_ns, trace.lbn, trace.blocks, trace.write)
    simulation = sledsim.Simulation(osdi00, "sptf")
    simulation.submit(*(column[:200] for column in columns))
    other, deep, under_fcfs = simulation.copy(), copy.deepcopy(simulation), simulation.copy("fcfs")
    more = tuple(column[200:] for column in columns)
    assert_same(other.finish(), deep.finish())
    under_fcfs.submit(*more)
    simulation.submit(*more)
    run, what_if = simulation.finish(), under_fcfs.finish()
    assert_same(run, sledsim.simulate(osdi00, trace, "sptf"))
    assert what_if.settings.scheduler.endswith("ns on fcfs")
    # Services begun before are unchanged; waiting requests are served in the order of arrival.
    begun = run.columns["start_ns"] <= trace.arrival_ns[199]
    assert np.array_equal(what_if.columns["start_ns"][begun], run.columns["start_ns"][begun])
    assert 0 < begun.sum() < 200
    assert (np.diff(what_if.columns["start_ns"][~begun]) > 0).all()


class InTurn:
    """A policy that serves from either end of the queue in turn, and counts."""

    def __init__(self) -> None:
        self.served = 0

    def choose(self, now_s: float, waiting: Any) -> int:
        return -self.served % 2 and len(waiting["row"]) - 1

    def take(self, request: Any) -> None:
        self.served += 1


class Uncopied(InTurn):
    """A policy that cannot be copied."""

    def __deepcopy__(self, memo: Any) -> None:
        raise TypeError("this policy cannot be copied")


@pytest.mark.xdist_group("registered")
def test_policies_in_python_are_copied_with_what_they_remember(osdi00: sledsim.Device) -> None:
    sledsim.extend.register_scheduler("in-turn", InTurn)
    sledsim.extend.register_scheduler("uncopied", Uncopied)
    trace = sledsim.random_workload(osdi00, rate_per_s=5000, count=99, seed=2)
    columns = (trace.arrival_ns, trace.lbn, trace.blocks, trace.write)
    simulation = sledsim.Simulation(osdi00, "in-turn")
    simulation.submit(*columns)
    copied = simulation.copy()
    expected = sledsim.simulate(osdi00, trace, "in-turn")
    assert_same(copied.finish(), expected)
    assert_same(simulation.finish(), expected)
    simulation = sledsim.Simulation(osdi00, "uncopied")
    simulation.submit(*columns)
    with pytest.raises(TypeError, match="this policy cannot be copied"):
        simulation.copy()
    assert_same(simulation.finish(), expected)


@pytest.mark.parametrize("policy", ["sptf", "fcfs", "look_lbn", "asptf", "zsptf", "sptf+deadline", "pyramid"])
def test_the_state_says_what_comes_next(osdi00: sledsim.Device, policy: str) -> None:
    trace = sledsim.random_workload(osdi00, rate_per_s=3000, count=60, seed=4)
    simulation = sledsim.Simulation(osdi00, policy)
    simulation.submit(trace.arrival_ns, trace.lbn, trace.blocks, trace.write)
    (before,) = simulation.state()
    on_the_bus = set(simulation.certain().id.tolist()) - {before["serving"]["id"]}
    waiting = [request["id"] for request in before["waiting"]]
    assert len(set(waiting)) == len(waiting) > 5
    assert simulation.pending() == 1 + len(waiting) + before["not_ready"] + len(on_the_bus)
    # The processing of commands may come between.
    while before["not_ready"]:
        simulation.advance(simulation.next_event_ns() or 0)
        (before,) = simulation.state()
    chosen, free_ns = before["waiting"][0], before["free_ns"]
    run = simulation.finish()
    row = chosen["id"]
    assert run.columns["start_ns"][row] == free_ns
    assert run.columns["positioning_ns"][row] == round(chosen["positioning_s"] * 1e9)
    if policy == "sptf":
        assert chosen["positioning_s"] == min(request["positioning_s"] for request in before["waiting"])


@pytest.mark.parametrize("name", ["osdi00", "atlas10k", "cf-card", "sigmetrics00-cantilevers"])
def test_what_is_certain_comes_true(name: str) -> None:
    device = sledsim.device(name)
    trace = sledsim.random_workload(device, rate_per_s=60, count=200, seed=5)
    simulation = sledsim.Simulation(device)
    certain: dict[int, int] = {}

    def look() -> None:
        found = simulation.certain()
        assert (found.completion_ns >= simulation.now_ns).all()
        certain.update(zip(found.id.tolist(), found.completion_ns.tolist(), strict=True))

    for row in range(200):
        request = (trace.arrival_ns[row], trace.lbn[row], trace.blocks[row], trace.write[row])
        while (next_ns := simulation.next_event_ns()) is not None and next_ns <= trace.arrival_ns[row]:
            simulation.advance(next_ns)
            look()
        simulation.submit(*(value.item() for value in request))
        look()
    completions = simulation.finish().columns["completion_ns"]
    assert all(completions[row] == ns for row, ns in certain.items())
    # Before the last row has been read, a write may still have the bus first.
    assert len(certain) >= 150


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ((-1, 0, 8, False), "request 1: expected an arrival time of at least 0, found -1"),
        (
            (4, 0, 8, False),
            "request 1: arrivals must not go back in time: expected an arrival at or after 5 ns, found 4 ns",
        ),
        ((9, -5, 8, False), "request 1: expected an LBN of at least 0, found -5"),
        (
            (9, 6_749_999, 8, False),
            "request 1: expected at least one block within the device's 6750000 blocks",
        ),
        (
            (9, 0, 0, False),
            "request 1: expected at least one block within the device's 6750000 blocks, found 0",
        ),
        ((9, 0, 8, False, False, 1), "request 1: expected a device number below 1, found 1"),
        ((9, 0, -8, False), "request 1: expected one block or more, found -8"),
        ((2**63 - 1, 0, 8, False), "request 1: expected an arrival time below 4000000000000000000 ns, found"),
        ((9, 1.5, 8, False), r"lbn: expected whole numbers \(int64\), found 1\.5"),
        ((9, None, 8, False), r"lbn: expected whole numbers \(int64\), found None"),
        ((9, 2**64, 8, False), r"lbn: expected whole numbers \(int64\), found 18446744073709551616"),
        ((9, 2**64 - 1, 8, False), r"lbn: expected whole numbers \(int64\), found 18446744073709551615"),
        ((9, [[0]], 8, False), r"expected numbers, or arrays of equal length, found .* lbn \(1, 1\)"),
        ((9, [0, 8], [8, 8, 8], False), r"arrays of equal length, found .* lbn \(2,\), blocks \(3,\)"),
        ((9, [0, [8]], 8, False), r"lbn: expected whole numbers \(int64\), found None"),
        ((9, 0, 2**40, False), r"blocks: expected whole numbers \(int32\), found 1099511627776"),
        ((9, 0, 8, 2), "write: expected True or False, found 2"),
    ],
)
def test_wrong_requests_are_refused_whole(
    osdi00: sledsim.Device, request_: tuple[Any, ...], message: str
) -> None:
    simulation = sledsim.Simulation(osdi00)
    simulation.submit(5, 0, 8, False)
    with pytest.raises(sledsim.TraceError, match=message):
        simulation.submit(*request_)
    assert simulation.pending() == 1
    assert simulation.submit(5, 100, 8, False) == 1


def test_a_batch_is_taken_in_whole_or_not(osdi00: sledsim.Device) -> None:
    simulation = sledsim.Simulation(osdi00)
    with pytest.raises(sledsim.TraceError, match="request 2: arrivals must not go back in time"):
        simulation.submit([1, 5, 4], 0, 8, False)
    assert simulation.pending() == 0
    with pytest.raises(sledsim.TraceError, match="expected at least one read or write"):
        simulation.finish()
    assert simulation.submit([1, 4, 5], 0, 8, False).tolist() == [0, 1, 2]
    with pytest.raises(
        sledsim.TraceError, match="expected a time at or after the current time, 5 ns, found 4 ns"
    ):
        simulation.advance(4)
    simulation.finish()
    with pytest.raises(sledsim.ParameterError, match="the simulation is finished"):
        simulation.pending()


def test_columns_are_those_that_were_submitted(osdi00: sledsim.Device) -> None:
    simulation = sledsim.Simulation(osdi00)
    lbn = np.array([1000])
    assert simulation.submit(0, lbn, 8, False).tolist() == [0]
    lbn[0] = 5
    assert simulation.submit([], [], 8, False).tolist() == []
    assert simulation.submit(np.uint8(3), np.int16(7), np.uint64(8), np.bool_(True)) == 1
    assert repr(simulation) == "<Simulation: at 3 ns, 2 of 2 requests pending>"
    run = simulation.finish()
    assert run.columns["lbn"].tolist() == [1000, 7]
    assert run.columns["write"].tolist() == [False, True]
    assert repr(simulation) == "<Simulation: the simulation is finished>"


class StoppedError(Exception):
    """The error that a host or a policy raises in the middle."""


@pytest.mark.dear("many requests are simulated and computed again")
def test_what_is_interrupted_goes_on(osdi00: sledsim.Device) -> None:
    count = 5_000
    arrivals, lbn = np.zeros(count, np.int64), np.arange(count) * 1_000
    simulation = sledsim.Simulation(osdi00, "sptf:search=linear")
    simulation.submit(arrivals, lbn, 8, False)

    def stop(done: int) -> None:
        raise StoppedError

    with pytest.raises(StoppedError):
        simulation.drain(stop)
    told, now_ns = simulation.advance(simulation.now_ns), simulation.now_ns
    assert len(told.id) + simulation.pending() == count
    assert (told.completion_ns <= now_ns).all()
    with pytest.raises(sledsim.TraceError, match="arrivals must not go back in time"):
        simulation.submit(now_ns - 1, 0, 8, False)
    rest = simulation.drain()
    assert np.array_equal(np.sort(np.concatenate([told.id, rest.id])), np.arange(count))
    trace = sledsim.Trace(arrivals, lbn, np.full(count, 8))
    assert_same(simulation.finish(), sledsim.simulate(osdi00, trace, "sptf"))


class RaisesOnce(InTurn):
    """A policy that raises at its third decision, and not again."""

    def choose(self, now_s: float, waiting: Any) -> int:
        self.served += 1
        if self.served == 3:
            raise StoppedError
        return 0


@pytest.mark.xdist_group("registered")
def test_a_policy_that_raises_ends_the_simulation(osdi00: sledsim.Device) -> None:
    sledsim.extend.register_scheduler("raises-once", RaisesOnce)
    simulation = sledsim.Simulation(osdi00, "raises-once")
    with pytest.raises(StoppedError):
        for row in range(10):
            simulation.submit(row * 10_000_000, 800 * row, 8, False)
    for call in (simulation.pending, simulation.drain, simulation.finish, simulation.copy, simulation.state):
        with pytest.raises(sledsim.ParameterError, match="the simulation has stopped"):
            call()
    assert "has stopped" in repr(simulation)


@pytest.mark.xdist_group("registered")
def test_a_policy_cannot_call_its_simulation(osdi00: sledsim.Device) -> None:
    simulations: list[sledsim.Simulation] = []

    def calls_back(now_s: float, waiting: object) -> int:
        """A policy that calls the simulation that calls it."""
        return int(simulations[0].pending() * 0)

    sledsim.extend.register_scheduler("calls-back", calls_back)
    simulations.append(sledsim.Simulation(osdi00, "calls-back"))
    simulations[0].submit([0, 0], 0, 8, False)
    with pytest.raises(sledsim.ParameterError, match="the simulation is in use"):
        simulations[0].drain()


def test_a_run_of_several_policies_says_so(osdi00: sledsim.Device) -> None:
    simulation = sledsim.Simulation(osdi00, "sptf")
    simulation.submit([0, 0, 5], [0, 800, 1600], 8, False)
    run = simulation.copy("fcfs").finish()
    assert run.settings.scheduler == "sptf, from 5 ns on fcfs"
    with pytest.raises(sledsim.ParameterError, match="from 5 ns on fcfs"):
        run.again()
    assert_same(simulation.finish().again(), simulation_of(osdi00))


def simulation_of(device: sledsim.Device) -> sledsim.Run:
    return sledsim.simulate(device, sledsim.Trace([0, 0, 5], [0, 800, 1600], [8, 8, 8]), "sptf")


@pytest.mark.parametrize("until_ns", [-1, 2**64, 4 * 10**18])
def test_wrong_times_are_refused(osdi00: sledsim.Device, until_ns: int) -> None:
    with pytest.raises(sledsim.TraceError, match=f"expected a time .*, found {until_ns}"):
        sledsim.Simulation(osdi00).advance(until_ns)


def test_many_devices_are_refused(osdi00: sledsim.Device) -> None:
    with pytest.raises(sledsim.ParameterError, match="copies: expected a number from 1 to 4096, found 0"):
        sledsim.Simulation(osdi00, copies=0)


@pytest.mark.parametrize("users", [1, 5])
def test_a_host_in_simpy_waits_for_completions(users: int) -> None:
    pytest.importorskip("simpy")
    run = run_path(str(EXAMPLES / "simpy_host.py"))["run"](users, requests=40)
    columns = run.columns
    assert len(run.response_ns) == 80 * users
    # Each user has one request outstanding, and works for 0.2 ms between reading and writing.
    assert columns["queue_length"].max() < users
    assert_same(sledsim.simulate(sledsim.device("osdi00"), sledsim.Trace.from_columns(columns)), run)
    writes = np.flatnonzero(columns["write"])
    reads_end_ns = set((columns["completion_ns"][~columns["write"]] + 200_000).tolist())
    assert set(columns["arrival_ns"][writes].tolist()) == reads_end_ns


def test_a_server_under_asyncio_answers_when_the_device_would(osdi00: sledsim.Device) -> None:
    answers, run = asyncio.run(run_path(str(EXAMPLES / "asyncio_server.py"))["run"](3, 10))
    assert len(answers) == len(run.response_ns) == 30
    assert all(answer.endswith(b" us\n") for answer in answers)
    # The lateness of the server does not matter: the device decided as it would have for those arrivals.
    assert_same(sledsim.simulate(osdi00, sledsim.Trace.from_columns(run.columns)), run)
