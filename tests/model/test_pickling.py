"""Devices, volumes and parts of runs: sent to other processes, copied, and compared."""

import copy
import multiprocessing
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sledsim
from sledsim.model.volumes import Target

pytestmark = pytest.mark.registers_seek_models

PLAN = {"seed": 3, "check_tips": 8, "tip_failures": [{"tip": 5, "at_s": 0.1}]}
ROUND_TRIPS: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda what: pickle.loads(pickle.dumps(what)),
    "oldest pickle": lambda what: pickle.loads(pickle.dumps(what, protocol=0)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}
#: Volumes with members of their own, with and without a policy, faults, and volumes over volumes.
ARRAY = {"volume": "mirror", "scheduler": "clook_lbn", "device": {"device": "osdi00", "settle_ms": 0.1}}
TARGETS: dict[str, Callable[[], Target]] = {
    **{name: lambda name=name: sledsim.device(name) for name in sledsim.devices()},  # type: ignore[misc]
    **{name: lambda name=name: sledsim.volume(name) for name in sledsim.volumes()},  # type: ignore[misc]
    "changed": lambda: sledsim.device("osdi00", settle_ms=0.123456789012345, sleds=2),
    "with a table": lambda: sledsim.device(
        "osdi00", seek_model="measured", measured_x=[[0, 0.1], [50, 0.5], [100, 0.8]]
    ),
    "with faults": lambda: sledsim.with_faults(sledsim.device("osdi00"), PLAN),
    "with episodes": lambda: sledsim.with_episodes(
        sledsim.with_faults(sledsim.device("osdi00"), PLAN), [sledsim.Stall(0.1, 50, every_s=0.2)]
    ),
    "with episodes of a member": lambda: sledsim.with_episodes(
        sledsim.volume("mirror"), [sledsim.Slow(0.1, 500, factor=2, device="device 1")]
    ),
    "other options": lambda: sledsim.volume("raid5:devices=4,failed_device=1", "fcfs", device="atlas10k"),
    "over volumes": lambda: sledsim.volume("mcd", mems=ARRAY, disk={"device": "atlas10k", "faults": {}}),
    "with unlike members": lambda: sledsim.volume(
        "sleds", devices=2, device=[{"device": "osdi00", "scheduler": "asptf:weight=5"}, "disksim-g1"]
    ),
}

BUILT_IN = {**sledsim.devices(), **sledsim.volumes()}
#: Devices and volumes that are not built in.
OWN = [name for name in TARGETS if name not in BUILT_IN]


@pytest.fixture(scope="module")
def trace() -> sledsim.Trace:
    device = sledsim.device("osdi00")
    drawn = sledsim.random_workload(device, rate_per_s=60, count=300, seed=3)
    return sledsim.Trace(drawn.arrival_ns, drawn.lbn // 100, drawn.blocks, op=drawn.op)


def columns_of(work: tuple[Target, sledsim.Trace]) -> dict[str, Any]:
    """Run in a worker."""
    return dict(sledsim.simulate(*work, scheduler="sstf_lbn").columns)


def test_equal_devices_have_equal_hashes() -> None:
    """The spelling of a number does not matter: a set holds each device once."""
    zeros = {sledsim.device("atlas10k", write_settle_ms=ms) for ms in (0, 0.0, -0.0)}
    whole = {sledsim.device("osdi00", settle_ms=ms) for ms in (1, 1.0)}
    arrays = {sledsim.volume("raid5", device={"device": "osdi00", "settle_ms": ms}) for ms in (0.0, -0.0)}
    assert (len(zeros), len(whole), len(arrays)) == (1, 1, 1)


def assert_equal(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert list(one) == list(other)
    for name in one:
        assert np.array_equal(one[name], other[name]), name


@pytest.mark.dear(
    "processes are started", every_change=[f"{name}-{next(iter(ROUND_TRIPS))}" for name in TARGETS]
)
@pytest.mark.parametrize("way", ROUND_TRIPS)
@pytest.mark.parametrize("name", TARGETS)
def test_what_requests_go_to_comes_back_as_it_was(name: str, way: str) -> None:
    given = TARGETS[name]()
    back = ROUND_TRIPS[way](given)
    assert type(back) is type(given)
    assert back == given and hash(back) == hash(given)
    assert back.parameters == given.parameters
    assert repr(back) == repr(given)
    if isinstance(given, sledsim.Device):
        assert (back.sources, back.paper, back.kind) == (given.sources, given.paper, given.kind)
        assert back.characteristics() == given.characteristics()
    else:
        assert back.capacity_bytes == given.capacity_bytes


@pytest.mark.parametrize("name", OWN)
def test_what_comes_back_serves_as_before(name: str, trace: sledsim.Trace) -> None:
    given = TARGETS[name]()
    assert_equal(columns_of((pickle.loads(pickle.dumps(given)), trace)), columns_of((given, trace)))


@pytest.mark.dear("processes are started")
def test_workers_serve_as_this_process_does(trace: sledsim.Trace) -> None:
    work = [(TARGETS[name](), trace) for name in ("changed", "with faults", "over volumes", "atlas10k")]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        found = pool.map(columns_of, work)
    for columns, given in zip(found, work, strict=True):
        assert_equal(columns, columns_of(given))


def test_devices_are_equal_where_their_parameters_are() -> None:
    device = sledsim.device("osdi00")
    assert device == sledsim.device("osdi00") == device.with_parameters()
    assert device != sledsim.device("osdi00", settle_ms=0.1) != sledsim.device("osdi00", settle_ms=0.2)
    assert device != sledsim.with_faults(device, PLAN) != sledsim.with_faults(device, {**PLAN, "seed": 4})
    assert device != "osdi00" and sledsim.volume("raid5") != device
    assert len({sledsim.device(name) for name in sledsim.devices() for _ in range(2)}) == len(
        sledsim.devices()
    )


def test_volumes_are_equal_where_all_their_runs_are() -> None:
    raid5 = sledsim.volume("raid5")
    assert raid5 == sledsim.volume("raid5:devices=5") and hash(raid5) == hash(sledsim.volume("RAID5"))
    assert raid5 != sledsim.volume("raid5:devices=6")
    # The same policies, but one volume replaces its policy if a run asks for another.
    own = sledsim.volume("raid5", **{"device.scheduler": "sptf"})
    assert raid5.parameters == own.parameters and raid5 != own


def test_a_volume_needs_its_file_only_once(tmp_path: Path, trace: sledsim.Trace) -> None:
    device, volume = tmp_path / "mine.toml", tmp_path / "pair.toml"
    device.write_text('extends = "osdi00"\nsettle_ms = 0.1\n[source]\nsettle_ms = "my own"\n')
    volume.write_text(f'volume = "mirror"\ndevice = "{device}"\n')
    given = (sledsim.device(device), sledsim.volume(volume))
    before = [columns_of((target, trace)) for target in given]
    pickled = pickle.dumps(given)
    device.unlink()
    volume.unlink()
    for target, columns in zip(pickle.loads(pickled), before, strict=True):
        assert_equal(columns_of((target, trace)), columns)
    assert pickle.loads(pickled)[0].sources["settle_ms"] == "my own"
    assert_equal(columns_of((given[1], trace)), before[1])


def test_a_seek_model_of_ones_own_goes_by_its_name() -> None:
    model: Any = lambda from_m, to_m, *_: np.abs(to_m - from_m)  # noqa: E731
    sledsim.extend.register_seek_model("pickled", model)
    device = sledsim.device("osdi00", seek_model="pickled")
    assert pickle.loads(pickle.dumps(device)) == device
    elsewhere = pickle.dumps(device).replace(b"pickled", b"unknown")
    with pytest.raises(sledsim.ParameterError, match='unknown seek model "unknown"'):
        pickle.loads(elsewhere)


def test_runs_and_workloads_come_back_as_they_were(trace: sledsim.Trace) -> None:
    run = sledsim.simulate(sledsim.device("osdi00"), trace)
    back = pickle.loads(pickle.dumps(run))
    assert (back.settings, back.summary(), back.totals) == (run.settings, run.summary(), run.totals)
    assert_equal(back.columns, run.columns)
    read = pickle.loads(pickle.dumps(trace))
    assert_equal(read.columns(), trace.columns())
    fitted = sledsim.fit_workload(trace)
    again = pickle.loads(pickle.dumps(fitted))
    assert (again.source, again.requests, again.notes) == (fitted.source, fitted.requests, fitted.notes)
    drawn = [workload.draw(sledsim.device("osdi00"), count=100).columns() for workload in (fitted, again)]
    assert_equal(drawn[0], drawn[1])
    assert again.kept().equals(fitted.kept())
    code = sledsim.tips.tip_code()
    assert pickle.loads(pickle.dumps(code)) == code
