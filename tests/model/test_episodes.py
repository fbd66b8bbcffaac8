"""Devices that stall and slow down: a queue computed by hand, forms of input, and columns of results."""

import math
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import sledsim
from sledsim import Slow, Stall
from sledsim.model.volumes import with_episodes
from sledsim.runs.run import Run

from ..conftest import Cli

MS = 1_000_000
#: A card that never sleeps: the time of a request follows from its number of sectors.
CARD = {"inactive_after_ms": 1e6, "read_latency_ms": 0.2, "read_mb_per_s": 10}


def rounded(value: float) -> int:
    return math.floor(value + 0.5)


def service_ns(sectors: int) -> int:
    return 200_000 + rounded(sectors * (512 / 10e6) * 1e9)


@st.composite
def episodes(draw: st.DrawFn) -> Stall | Slow:
    at, lasts, pause = (draw(st.integers(low, 40)) for low in (0, 1, 1))
    times = draw(st.integers(1, 4))
    when: dict[str, Any] = {"at_s": at / 1000, "duration_ms": lasts}
    if times > 1:
        when |= {"every_s": (lasts + pause) / 1000, "times": times}
    if draw(st.booleans()):
        return Stall(**when)
    return Slow(**when, factor=draw(st.sampled_from([1.5, 2, 7.25])))


def ends(episode: Stall | Slow, since_ns: int) -> int | None:
    """Return the end of the current episode, in nanoseconds from the first request on."""
    every_ns = rounded((episode.every_s or 0) * 1e9)
    for number in range(episode.times or 1):
        begins = rounded(episode.at_s * 1e9) + number * every_ns
        if begins <= since_ns < begins + episode.duration_ms * MS:
            return begins + int(episode.duration_ms) * MS
    return None


def queue(arrivals: list[int], sectors: list[int], plan: list[Stall | Slow]) -> tuple[list[int], list[int]]:
    """Return starts and completions, one request after the other."""
    starts, completions, free = [], [], 0
    for arrival, count in zip(arrivals, sectors, strict=True):
        start = max(arrival, free)
        stalls = [one for one in plan if isinstance(one, Stall)]
        while over := [end for one in stalls if (end := ends(one, start - arrivals[0])) is not None]:
            start = arrivals[0] + max(over)
        within = (one for one in plan if isinstance(one, Slow) and ends(one, start - arrivals[0]) is not None)
        slow = [one.factor for one in within]
        takes = service_ns(count)
        free = start + takes + rounded(takes * (max(slow, default=1) - 1))
        starts.append(start)
        completions.append(free)
    return starts, completions


@settings(deadline=None, max_examples=60)
@given(
    gaps=st.lists(st.integers(0, 20 * MS), min_size=1, max_size=30),
    data=st.data(),
    plan=st.lists(episodes(), max_size=4),
    through=st.booleans(),
)
def test_a_queue_is_what_is_computed_by_hand(
    gaps: list[int], data: st.DataObject, plan: list[Stall | Slow], through: bool
) -> None:
    arrivals = np.cumsum(gaps).tolist()
    sectors = data.draw(st.lists(st.integers(1, 500), min_size=len(gaps), max_size=len(gaps)))
    target = sledsim.device("cf-card", **CARD)
    if through:
        target = sledsim.volume("single", device={"device": "cf-card", **CARD})
    trace = sledsim.Trace(arrivals, [0] * len(gaps), sectors, [False] * len(gaps))
    run = sledsim.simulate(with_episodes(target, plan), trace, "fcfs")
    starts, completions = queue(arrivals, sectors, plan)
    assert run.columns["start_ns"].tolist() == starts
    assert run.columns["completion_ns"].tolist() == completions
    busy = sum(completions) - sum(starts)
    assert run.totals["busy_s"] == pytest.approx([busy * 1e-9], rel=1e-9)


@pytest.fixture(scope="module")
def trace() -> sledsim.Trace:
    return sledsim.random_workload(sledsim.device("osdi00"), rate_per_s=400, count=800, seed=3)


PLAN = [Stall(0.2, 100, every_s=0.5), Slow(0.1, 50, 3, every_s=0.4, times=2)]
TEXTS = ["stall:at=0.2,ms=100,every=0.5", "slow:at=0.1,ms=50,every=0.4,times=2,factor=3"]


def same(one: Run, other: Run) -> bool:
    assert list(one.columns) == list(other.columns)
    return all(np.array_equal(one.columns[name], other.columns[name]) for name in one.columns)


def test_texts_and_objects_say_the_same(trace: sledsim.Trace) -> None:
    device = sledsim.device("osdi00")
    made = sledsim.with_episodes(device, PLAN)
    assert made == sledsim.with_episodes(device, TEXTS) != device
    assert made == sledsim.with_episodes(sledsim.with_episodes(device, TEXTS[:1]), PLAN[1])  # type: ignore[arg-type]
    assert made.parameters["episodes"] == TEXTS and made.name == "osdi00"
    assert sledsim.simulate(made, trace).summary() != sledsim.simulate(device, trace).summary()


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
def test_results_say_the_episodes_and_can_be_run_again(trace: sledsim.Trace, tmp_path: Path) -> None:
    faulty = sledsim.with_faults(sledsim.device("osdi00"), {"check_tips": 1})
    array = sledsim.volume("mirror", devices=2)
    for bare in (sledsim.device("osdi00"), faulty, array):
        run = sledsim.simulate(sledsim.with_episodes(bare, PLAN), trace)
        assert same(run, run.again())
        run.write(tmp_path / "run.parquet")
        read = sledsim.read_run(tmp_path / "run.parquet")
        assert same(run, read.again())
        assert not same(run, sledsim.simulate(bare, trace))


def test_members_that_are_alike_have_episodes_of_their_own(trace: sledsim.Trace) -> None:
    array = sledsim.volume("raid5", devices=3)
    one = sledsim.with_episodes(array, [Stall(0, 400, device="device 1")])
    assert isinstance(one, sledsim.Volume)
    members = one.parameters["device"]
    assert [member.get("episodes") for member in members] == [None, ["stall:at=0,ms=400"], None]
    assert pickle.loads(pickle.dumps(one)) == one
    assert sledsim.Volume.from_parameters(one.parameters).parameters == one.parameters
    summary = sledsim.simulate(one, trace).summary()
    assert summary["mean_response_s"] > sledsim.simulate(array, trace).summary()["mean_response_s"]
    file = sledsim.volume("raid5", devices=3, device={"device": "osdi00", "episodes": TEXTS})
    assert file.parameters == sledsim.with_episodes(array, PLAN).parameters


def test_a_run_in_steps_is_that_in_one_go(trace: sledsim.Trace) -> None:
    made = sledsim.with_episodes(sledsim.device("osdi00"), PLAN)
    steps = sledsim.Simulation(made, "sptf")
    for row in range(len(trace)):
        steps.submit(trace.arrival_ns[row], trace.lbn[row], trace.blocks[row], trace.write[row])
        if row % 7 == 0:
            steps = steps.copy()
    assert same(steps.finish(), sledsim.simulate(made, trace, "sptf"))


@pytest.mark.parametrize(
    ("episode", "message"),
    [
        (Stall(-1, 5), "stall: at = -1: expected a number from 0 to 1e9 (s)"),
        (Stall(1, 0), "stall: ms = 0: expected a number above 0 and up to 1e8 (ms)"),
        (Stall(1, math.nan), "stall: ms = nan: expected a number above 0"),
        (Stall(1, 500, every_s=0.5), "stall: every = 0.5: expected more than 0.5 s, the duration of an"),
        (Stall(1, 500, times=3), "stall: times = 3: expected the option every"),
        (Slow(1, 500, 1), "slow: factor = 1: expected a number above 1"),
        (Stall(1, 5, device="disk"), 'unknown device of an episode "disk": '),
        ("stall:at=1,msec=5", 'unknown option of stall "msec": did you mean "ms"? known: at, ms, every'),
        ("stal:at=1", 'unknown episode "stal": did you mean "stall"? known: stall, slow'),
        ("slow:at=1,ms=5", "slow: factor is missing: expected a number above 1"),
        (5, "episodes: expected sledsim.Stall, sledsim.Slow or a text, found 5"),
    ],
)
def test_what_cannot_be_is_refused(episode: Any, message: str) -> None:
    with pytest.raises(sledsim.ParameterError, match=re.escape(message)):
        sledsim.with_episodes(sledsim.device("osdi00"), [episode])


def test_stalls_leave_a_device_some_time() -> None:
    half = Stall(0, 500, every_s=1.005)
    sledsim.with_episodes(sledsim.device("osdi00"), [half])
    with pytest.raises(
        sledsim.ParameterError, match=r"device: repeated stalls stop a device for 99\.5025 % of the time"
    ):
        sledsim.with_episodes(sledsim.device("osdi00"), [half, half])


@pytest.mark.dear("many requests are simulated and computed again")
def test_the_command_line_takes_episodes(cli: Cli, tmp_path: Path) -> None:
    given = "--stall at=0.2,ms=100,every=0.5 --slow at=0.1,ms=50,every=0.4,times=2,factor=3".split()
    workload = "random:rate=400,count=800,seed=3"
    done = cli("run", workload, *given, "--out", str(tmp_path / "run.parquet"))
    assert done.returncode == 0, done.stderr
    run = sledsim.read_run(tmp_path / "run.parquet")
    assert run.settings.parameters["episodes"] == TEXTS
    assert same(run, run.again())
    # The record as a trace, on the unchanged device.
    done = cli("run", str(tmp_path / "run.parquet"), *given, "--out", str(tmp_path / "again.parquet"))
    assert done.returncode == 0, done.stderr
    assert same(run, sledsim.read_run(tmp_path / "again.parquet"))
    one = cli("run", workload, "--volume", "mirror", "--stall", "at=0,ms=50,device=device 1", "--json")
    assert one.returncode == 0, one.stderr
    done = cli("compare", workload, "--schedulers", "fcfs,sptf", *given, "--out", str(tmp_path / "compared"))
    assert done.returncode == 0, done.stderr
    for wrong, message in (
        ("at=0.2", "error: stall: ms is missing"),
        ("at=0.2,ms=5,evry=1", 'did you mean "every"?'),
        ("5", "stall: expected option=value, found"),
    ):
        refused = cli("run", workload, "--stall", wrong)
        assert refused.returncode == 2 and message in refused.stderr
