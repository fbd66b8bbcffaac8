"""Schedulers written in Python: the requirements of the built-in ones, and the errors of failing ones."""

import dataclasses
import runpy
import signal
import subprocess
import sys
import threading
import traceback
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sledsim
from sledsim.model.scheduling import Scheduler, Taken, Waiting

from ..runs.test_api_runs import same_columns
from .test_schedulers import DEFINED, load, register

pytestmark = pytest.mark.registers_seek_models

EXAMPLE = Path(__file__).parents[2] / "examples" / "own_schedulers.py"
EXAMPLES = runpy.run_path(str(EXAMPLE))


def newest(now_s: float, waiting: Waiting) -> int:
    """Last come, first served."""
    return len(waiting["row"]) - 1


class Dice:
    """Random choice, with the same sequence in every run."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(1)

    def choose(self, now_s: float, waiting: Waiting) -> int:
        return int(self.rng.integers(len(waiting["row"])))


OWN = {
    "own-newest": newest,
    "own-dice": Dice,
    "own-reads": EXAMPLES["reads_sooner"],
    "own-batches": EXAMPLES["Batches"],
}
REWRITTEN = ["fcfs", "sptf", "clook_lbn", "look_cyl", "ztsptf"]
#: Policies that serve the first of several equally good requests.
FAIR = ["own-reads", "own-batches", *(f"own-{name}" for name in REWRITTEN)]
WRAPPED = ["own-batches+deadline:after_ms=5", "own-clook_lbn+priority"]


@pytest.fixture(scope="module", autouse=True)
def _registered(device: sledsim.Device) -> None:
    for name, choose in OWN.items():
        sledsim.extend.register_scheduler(name, choose)
    for name in REWRITTEN:
        register(f"own-{name}", device, DEFINED[name])


def test_own_policies_are_in_the_table() -> None:
    assert {**sledsim.schedulers(), **sledsim.listings.scheduler_options("own-dice")} == sledsim.schedulers()
    assert sledsim.schedulers()["own-newest"] == "Last come, first served."
    assert sledsim.schedulers()["own-dice"] == "Random choice, with the same sequence in every run."


@pytest.mark.parametrize("rate_per_s", [300, 900, 3000])
@pytest.mark.parametrize("name", [*OWN, *FAIR[2:], *WRAPPED])
def test_every_request_is_served_once(device: sledsim.Device, name: str, rate_per_s: float) -> None:
    trace = sledsim.random_workload(device, rate_per_s=rate_per_s, count=300, seed=rate_per_s)
    columns = sledsim.simulate(device, trace, name).columns
    assert np.array_equal(columns["arrival_ns"], trace.arrival_ns)
    assert np.all(columns["start_ns"] >= columns["arrival_ns"] + columns["overhead_ns"])
    assert np.all((columns["transfer_ns"] > 0) & (columns["rows"] > 0)), "every request moves data"
    order = np.argsort(columns["start_ns"])
    done_ns = (columns["completion_ns"] - columns["bus_ns"])[order]
    assert np.all(done_ns[:-1] <= columns["start_ns"][order][1:]), "the medium serves one at a time"


@pytest.mark.parametrize("name", [*OWN, *FAIR[2:], *WRAPPED])
def test_at_queue_length_one_all_equal_fcfs(device: sledsim.Device, name: str) -> None:
    trace = load(device, 1.0, count=200)
    trace = dataclasses.replace(trace, arrival_ns=np.arange(200, dtype=np.int64) * 10**9)
    run = sledsim.simulate(device, trace, name)
    assert not run.columns["queue_length"].any()
    assert same_columns(run, sledsim.simulate(device, trace, "fcfs"))


@pytest.mark.dear("a device or policy in Python serves every request", every_change=True)
@pytest.mark.parametrize("name", [*OWN, *FAIR[2:], *WRAPPED])
def test_the_same_requests_give_the_same_bytes(device: sledsim.Device, name: str) -> None:
    trace = load(device, 1.0)
    runs = [sledsim.simulate(device, trace, name) for _ in range(2)]
    assert same_columns(*runs)
    assert same_columns(runs[0].again(), runs[0])
    assert runs[0].settings.scheduler == name


@pytest.mark.parametrize("name", [*FAIR, *WRAPPED])
def test_equal_requests_keep_their_order(device: sledsim.Device, name: str) -> None:
    zero = np.zeros(50, np.int64)
    trace = sledsim.Trace(arrival_ns=zero, lbn=zero + 123_456, blocks=np.full(50, 8, np.int32))
    assert np.all(np.diff(sledsim.simulate(device, trace, name).columns["start_ns"]) > 0)


@pytest.mark.dear("a device or policy in Python serves every request", every_change=True)
@pytest.mark.parametrize("device_name", ["osdi00", "hong03", "sigmetrics00-cantilevers"])
@pytest.mark.parametrize("name", ["fcfs", "sptf", "clook_lbn"])
def test_a_policy_written_again_gives_the_same_bytes(name: str, device_name: str) -> None:
    device = sledsim.device(device_name)
    trace = load(device, 1.0)
    for scheduler in (name, f"{name}+deadline:after_ms=10", f"{name}+priority:first=metadata"):
        own, built_in = (sledsim.simulate(device, trace, text) for text in (f"own-{scheduler}", scheduler))
        assert same_columns(own, built_in), scheduler


def test_each_device_of_a_run_has_a_policy_of_its_own(device: sledsim.Device) -> None:
    made: list[object] = []

    class Counted(Dice):
        """A policy that counts its instances."""

        def __init__(self) -> None:
            super().__init__()
            made.append(self)

    sledsim.extend.register_scheduler("counted", Counted)
    trace = load(device, 1.0, count=90)
    trace = dataclasses.replace(trace, device=np.arange(90, dtype=np.int32) % 3)
    sledsim.simulate(device, trace, "counted")
    assert len(made) == 3


@pytest.mark.dear("a device or policy in Python serves every request")
def test_a_policy_sees_the_waiting_requests_and_the_device(device: sledsim.Device) -> None:
    trace = load(device, 1.0)
    taken: list[int] = []

    class Looks:
        """A policy that compares every column with the trace and the device."""

        def choose(self, now_s: float, waiting: Waiting) -> int:
            row = waiting["row"]
            assert list(waiting) == list(Waiting.__annotations__)
            assert all(column.shape == row.shape for column in waiting.values())  # type: ignore[attr-defined]
            assert np.all(np.diff(row) > 0), "in order of arrival"
            for name in ("lbn", "blocks", "write", "metadata"):
                assert np.array_equal(waiting[name], getattr(trace, name)[row])  # type: ignore[literal-required]
            assert now_s - waiting["wait_s"] == pytest.approx(trace.arrival_ns[row] * 1e-9, abs=1e-12)
            at = device.locate(waiting["lbn"])
            assert np.array_equal(waiting["cylinder"], at["cylinder"])
            assert np.array_equal(waiting["track"], at["cylinder"] * 5 + at["track"])
            bit_m = device.parameters["bit_width_nm"] * 1e-9
            # A tip sector of 80 bits follows a servo burst of 10: its middle is 50 bits above the lower end.
            assert (waiting["y_bits"] - 50 - 1250) * bit_m == pytest.approx(at["y_m"], abs=bit_m / 10)
            assert np.all(waiting["access_s"] > waiting["positioning_s"])
            assert np.all(waiting["distance_m"] >= 0)
            return 0

        def take(self, request: Taken) -> None:
            assert list(request) == list(Taken.__annotations__)
            assert request["lbn"] == trace.lbn[request["row"]]
            assert type(request["write"]) is bool
            taken.append(request["row"])

    sledsim.extend.register_scheduler("looks", Looks)
    run = sledsim.simulate(device, trace, "looks")
    assert taken == list(range(len(trace)))
    assert same_columns(run, sledsim.simulate(device, trace, "fcfs"))


@pytest.mark.dear("a device or policy in Python serves every request", every_change=True)
def test_comparisons_and_curves_take_them(device: sledsim.Device) -> None:
    trace = load(device, 1.0)
    comparison = sledsim.compare(device, trace, ["sptf", "own-sptf"])
    ours, theirs = (point.summary for point in comparison.points)
    assert ours == theirs
    rates = {"rates": [600, 1200], "count": 600, "replications": 2}
    curves = [
        sledsim.response_curves(device, ["sptf", "own-sptf", "own-batches"], **rates, workers=workers)  # type: ignore[arg-type]
        for workers in (1, 4)
    ]
    assert curves[0].rows() == curves[1].rows()
    figures = [
        [{**row, "scheduler": ""} for row in curves[0].rows() if row["scheduler"] == name]
        for name in ("sptf", "own-sptf")
    ]
    assert figures[0] == figures[1]


def fails_at(count: int, error: BaseException) -> type[Scheduler]:
    class Fails:
        """A policy that raises at some decision."""

        def __init__(self) -> None:
            self.left = count

        def choose(self, now_s: float, waiting: Waiting) -> int:
            self.left -= 1
            if self.left < 0:
                raise error
            return 0

    return Fails


@pytest.mark.parametrize("count", [0, 100])
@pytest.mark.parametrize("scheduler", ["failing", "failing+deadline:after_ms=1000", "failing+priority"])
def test_what_a_policy_raises_is_raised(device: sledsim.Device, count: int, scheduler: str) -> None:
    sledsim.extend.register_scheduler("failing", fails_at(count, LookupError("no such request")))
    trace = load(device, 1.0)
    for use in (
        lambda: sledsim.simulate(device, trace, scheduler),
        lambda: sledsim.compare(device, trace, ["fcfs", scheduler]),
        lambda: sledsim.response_curves(device, [scheduler], [500], count=600, replications=2),
    ):
        with pytest.raises(LookupError, match="no such request") as caught:
            use()
        names = [frame.name for frame in traceback.extract_tb(caught.tb)]
        assert names[-1] == "choose", "the traceback goes on to where it was raised"
    assert sledsim.simulate(device, trace, "own-newest"), "the next run knows nothing of it"


def test_errors_of_making_and_take_are_raised(device: sledsim.Device) -> None:
    class Unmakeable(Dice):
        """A policy that cannot be made."""

        def __init__(self) -> None:
            raise LookupError("no dice")

    class Forgetful(Dice):
        """A policy whose `take` fails."""

        def take(self, request: Taken) -> None:
            raise LookupError("who?")

    for policy, message in ((Unmakeable, "no dice"), (Forgetful, "who?")):
        sledsim.extend.register_scheduler("failing", policy)
        with pytest.raises(LookupError, match=message):
            sledsim.simulate(device, load(device, 1.0), "failing")


def test_and_what_a_seek_model_raises_meanwhile(device: sledsim.Device) -> None:
    calls = 0

    def tires(from_m: Any, to_m: Any, *_: object) -> Any:
        nonlocal calls
        calls += 1
        if calls > 20_000:
            raise LookupError("tired")
        return np.abs(to_m - from_m)

    sledsim.extend.register_seek_model("tiring-too", tires)
    slow = sledsim.device("osdi00", seek_model="tiring-too")
    with pytest.raises(LookupError, match="tired"):
        sledsim.simulate(slow, load(slow, 1.0, count=20_000), "own-reads")
    # Other tests go over all registered seek models.
    sledsim.extend.register_seek_model("tiring-too", lambda from_m, to_m, *_: np.abs(to_m - from_m))


@pytest.mark.parametrize(
    ("found", "shown"), [(-1, "-1"), (1, "1"), (0.0, "0.0"), (None, "None"), (True, "True"), ("0", "'0'")]
)
def test_wrong_choices_of_a_policy_are_refused(device: sledsim.Device, found: Any, shown: str) -> None:
    sledsim.extend.register_scheduler("wrong", lambda now_s, waiting: found)
    with pytest.raises(sledsim.ParameterError) as caught:
        sledsim.simulate(device, load(device, 1.0), "wrong")
    assert str(caught.value) == (
        "scheduler = wrong: expected the index of one of the waiting requests (1), a whole number from 0 to "
        f"0, found {shown}"
    )


@pytest.mark.parametrize("index", [np.int64(0), np.uint8(0), np.array(0)])
def test_indices_of_numpy_are_indices(device: sledsim.Device, index: Any) -> None:
    sledsim.extend.register_scheduler("numpys", lambda now_s, waiting: index)
    trace = load(device, 1.0)
    assert same_columns(sledsim.simulate(device, trace, "numpys"), sledsim.simulate(device, trace, "fcfs"))


@pytest.mark.parametrize(
    ("name", "choose", "message"),
    [
        ("sptf", newest, "sptf: expected a new name, found a built-in name"),
        ("S_PTF", newest, "S_PTF: expected a new name, found a built-in name"),
        ("priority", newest, "priority: expected a new name, found the name of a wrapper"),
        ("All", newest, "All: expected another name: in lists of policies this name means all policies"),
        (5, newest, "name = 5: expected a text"),
        ("", newest, "expected a name of letters and digits"),
        ("mine:fast", newest, "mine:fast: expected a name of letters and digits, with _, - or . between"),
        ("mine", 5, "scheduler = mine: expected a function or class, found 5"),
        ("mine", dict, "scheduler = mine: expected a method choose, found none in <class 'dict'>"),
    ],
)
def test_unsuitable_policies_are_not_registered(name: Any, choose: Any, message: str) -> None:
    with pytest.raises(sledsim.ParameterError) as caught:
        sledsim.extend.register_scheduler(name, choose)
    assert message in str(caught.value)
    with pytest.raises(sledsim.ParameterError, match="description = 5: expected a text"):
        sledsim.extend.register_scheduler("mine", newest, 5)  # type: ignore[arg-type]
    assert "mine" not in sledsim.schedulers()


@pytest.mark.dear("a device or policy in Python serves every request", every_change="None")
@pytest.mark.parametrize("workers", [None, 2])
def test_ctrl_c_stops_it(device: sledsim.Device, workers: int | None) -> None:
    """Ctrl-C stops the policy in the thread of a simulation, and in one of several threads."""
    decisions = 0

    def interrupted(now_s: float, waiting: Waiting) -> int:
        nonlocal decisions
        decisions += 1
        if decisions == 1000:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        return 0

    sledsim.extend.register_scheduler("interrupted", interrupted)
    count = 1_000_000
    # A background job of a shell inherits SIGINT as ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            if workers:
                sledsim.response_curves(device, ["interrupted"], [400], count=count, workers=workers)
            else:
                trace = sledsim.random_workload(device, rate_per_s=400, count=count, seed=1)
                sledsim.simulate(device, trace, "interrupted")
    finally:
        signal.signal(signal.SIGINT, before)
    assert decisions < count / 10


@pytest.mark.dear("a device or policy in Python serves every request")
def test_the_example_runs() -> None:
    done = subprocess.run([sys.executable, EXAMPLE], capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    header, *rows = done.stdout.splitlines()
    assert header.split() == "response in ms mean of reads 99 % longest".split()
    figures = {row.split()[0]: [float(text) for text in row.split()[1:]] for row in rows}
    # Reads are served sooner, and batches starve no request: each raises the mean.
    assert figures["reads-sooner"][1] < figures["sptf"][1]
    assert figures["batches"][3] < figures["sptf"][3]
    assert figures["sptf"][0] == min(mean for mean, *_ in figures.values())
