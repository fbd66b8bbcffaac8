"""Volumes through the API and the command line: settings of a user, and results."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sledsim
from sledsim.runs.run import SERVICE_PHASES

from ..conftest import Cli
from ..golden import UNCACHED_ATLAS_10K

ALL = sledsim.volumes()
ARRAYS = ("stripe", "mirror", "raid5")


@pytest.fixture(scope="module")
def trace() -> sledsim.Trace:
    """Return requests, a third of them for metadata, to a part of any device."""
    device = sledsim.device("osdi00")
    drawn = sledsim.random_workload(device, rate_per_s=60, count=2000, seed=3)
    metadata = np.arange(len(drawn)) % 3 == 0
    return sledsim.Trace(drawn.arrival_ns, drawn.lbn // 8, drawn.blocks, op=drawn.op, metadata=metadata)


@pytest.mark.parametrize("name", ALL)
def test_every_volume_serves_every_request(name: str, trace: sledsim.Trace) -> None:
    volume = sledsim.volume(name)
    assert volume.capacity_bytes > 1e9
    run = sledsim.simulate(volume, trace, "sptf")
    columns = run.columns
    assert len(columns["lbn"]) == len(trace)
    assert np.all(columns["completion_ns"] > columns["arrival_ns"])
    phases = sum(columns[phase].astype(np.int64) for phase in SERVICE_PHASES)
    assert np.array_equal(columns["completion_ns"] - columns["start_ns"], phases + columns["bus_ns"])
    assert sum(row["share"] for row in run.devices) == pytest.approx(1)
    served = run.summary()
    assert served["energy_j"] == pytest.approx(sum(row["energy_j"] for row in run.devices))
    again = run.again()
    assert all(np.array_equal(again.columns[key], columns[key]) for key in columns)


@pytest.mark.parametrize("name", ALL)
def test_a_volume_is_made_again_from_its_parameters(name: str) -> None:
    volume = sledsim.volume(name)
    parameters = json.loads(json.dumps(volume.parameters))
    assert sledsim.Volume.from_parameters(parameters).parameters == volume.parameters
    assert set(sledsim.listings.volume_options(name)) | set(sledsim.listings.volume_roles(name)) < set(
        parameters
    )


def test_hierarchies_say_where_requests_are_served(trace: sledsim.Trace) -> None:
    found = {name: sledsim.simulate(sledsim.volume(name), trace, "sptf") for name in ("mmd", "mcd", "mmcd")}
    where = {name: set(run.requests["where"].unique().to_pylist()) for name, run in found.items()}
    assert {"disk", "mems"} <= where["mmd"] <= {"disk", "mems", "disk+mems"}
    metadata = trace.metadata
    served = np.array(found["mmd"].requests["where"].to_pylist())
    # Sectors written as data stay on the disk until they are written as metadata.
    assert np.mean(served[metadata] == "mems") > 0.9 > 0.1 > np.mean(served[~metadata] == "mems")
    written = np.array(found["mcd"].requests["where"].to_pylist())[trace.write]
    assert set(written) == {"mems"}, "the log takes every write"
    mean_s = {name: run.summary()["mean_response_s"] for name, run in found.items()}
    disk_s = sledsim.simulate(sledsim.device("atlas10k"), trace, "sptf").summary()["mean_response_s"]
    assert mean_s["mmcd"] < min(mean_s["mcd"], mean_s["mmd"]) and max(mean_s.values()) < disk_s


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_are_nested_and_their_members_changed(name: str, trace: sledsim.Trace) -> None:
    member = {"device": "osdi00", "settle_ms": 0.1, "scheduler": "fcfs"}
    array = {"volume": name, "device": member}
    run = sledsim.simulate(sledsim.volume("mcd", disk="atlas10k", mems=array), trace, "sptf")
    names = [row["device"] for row in run.devices]
    assert names[0] == "disk" and names[1].startswith("mems/device 0")
    members = run.settings.parameters["mems"]["device"]
    assert {row["settle_ms"] for row in members} == {0.1} and members[0]["scheduler"] == "fcfs"
    assert run.settings.parameters["disk"]["scheduler"].startswith("sptf")


def test_a_file_describes_a_volume(tmp_path: Path, trace: sledsim.Trace) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('volume = "raid5"\ndevices = 4\n[device]\ndevice = "osdi00"\nsettle_ms = 0.1\n')
    volume = sledsim.volume(path)
    assert volume.parameters["devices"] == "4" and volume.name == "raid5:devices=4"
    assert [member["settle_ms"] for member in volume.parameters["device"]] == [0.1] * 4


WRONG: dict[str, tuple[str, dict[str, Any], str]] = {
    "kind": ("raid6", {}, 'unknown volume "raid6"'),
    "option": ("raid5", {"stripe_kib": 4}, 'unknown option of raid5 "stripe_kib"'),
    "value": ("raid5", {"devices": 2}, "raid5: devices = 2: expected"),
    "unlike": ("stripe", {"devices": 2, "device": ["osdi00", "hong03"]}, "stripe"),
    "too few members": (
        "stripe",
        {"device": ["osdi00", "osdi00"]},
        "expected a list of 4 members, one for each device of the role, found 2",
    ),
    "buffer too large": ("mcd", {"buffer_mb": 100_000}, "buffer_mb"),
    "metadata too large": ("mmd", {"metadata_mb": 100_000}, "metadata_mb"),
    "device": ("mmd", {"disk": "atlas"}, 'unknown device "atlas"'),
    "parameter": ("mmd", {"mems.settle": 1}, "unknown key `settle`"),
}


@pytest.mark.parametrize("case", WRONG)
def test_impossible_inputs_are_reported(case: str) -> None:
    name, settings, said = WRONG[case]
    with pytest.raises(sledsim.ParameterError) as error:
        sledsim.volume(name, **settings)
    assert said in str(error.value)


@pytest.mark.dear("many requests are simulated and computed again")
def test_a_run_on_a_volume_from_the_command_line(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "run.parquet"
    settings = ("--set", "buffer_mb=64", "--set", "disk=cheetah4lp")
    done = cli("run", "demo", "--volume", "mmcd", *settings, "--out", out)
    assert "mems" in done.stdout and "appended writes" in done.stdout
    assert "marks no request as metadata" not in done.stderr
    assert sledsim.read_run(out).settings.parameters["disk"]["name"] == "cheetah4lp"
    plain = cli("run", "random:rate=50,count=100", "--volume", "mmd")
    assert "marks no request as metadata" in plain.stderr
    assert {"share", "utilization"} <= set(
        json.loads(cli("run", "demo", "--volume", "raid5", "--json").stdout)["devices"][0]
    )
    wrong = cli("run", "demo", "--volume", "mmcd", "--device", "osdi00")
    assert wrong.returncode != 0
    assert "--set disk=osdi00 or --set mems=osdi00" in wrong.stderr


def test_volumes_are_listed(cli: Cli) -> None:
    assert set(json.loads(cli("list", "volumes", "--json").stdout)) == set(ALL)
    assert "metadata+write-buffer" in cli("list", "volumes").stdout


@pytest.mark.dear("many requests are simulated and computed again")
def test_policies_are_compared_on_a_volume(cli: Cli, tmp_path: Path) -> None:
    words = ("--volume", "stripe", "--device", "atlas10k", "--schedulers", "fcfs,sptf", "--out", "out")
    done = cli("compare", "random:rate=100,count=2000", *words)
    assert done.returncode == 0, done.stderr
    for policy in ("fcfs", "sptf"):
        run = sledsim.read_run(tmp_path / "here" / "out" / f"{policy}-x1.parquet")
        member = run.settings.parameters["device"][0]
        assert (member["name"], member["scheduler"].partition(":")[0]) == ("atlas10k", policy)


def test_a_volume_is_saturated_when_one_of_its_devices_is() -> None:
    """The MEMS device stays idle without metadata, and only the disk counts."""
    volume = sledsim.volume("mmd", disk="atlas10k")
    curves = sledsim.response_curves(volume, "fcfs", [20, 400], count=2000, replications=3)
    found = curves.saturation("fcfs")
    assert (found.sustained, found.saturated) == (20, 400)
    run = sledsim.simulate(volume, sledsim.random_workload(volume, rate_per_s=20, count=2000), "fcfs")
    disk, mems = (row["utilization"] for row in run.devices)
    assert mems == 0 and curves.points[0].estimates["utilization"].value == pytest.approx(disk, rel=0.1)


#: Options under which volumes do much background work, and divide it among requests.
BUSY: dict[str, dict[str, Any]] = {
    "mirror": {"failed_device": 1, "replaced": "yes"},
    "raid5": {"failed_device": 1, "replaced": "yes"},
    "write-buffer": {"buffer_mb": 2, "clean_after_ms": 0},
    "metadata": {"flush_every_s": 0.5, "at_start": "disk"},
    "metadata+write-buffer": {"flush_every_s": 0.5, "buffer_mb": 2, "acknowledge": "memory"},
    "virtual-disk": {"cache_mb": 8, "dirty_low": 0},
    "cache": {"writes": "back", "cache_mb": 1},
    "merge": {"depth": 1},
}


@pytest.mark.parametrize("kind", sledsim.volumes())
@pytest.mark.parametrize("depth", [0, 1])
def test_the_energies_of_requests_and_background_are_the_total(kind: str, depth: int) -> None:
    """The energy of every service belongs to its requests, divided among them, or to the background."""
    volume = sledsim.volume(kind, **BUSY.get(kind, {}))
    for _ in range(depth):
        parameters = volume.parameters
        volume = sledsim.volume("single", device=parameters)
    drawn = sledsim.random_workload(sledsim.device("osdi00"), rate_per_s=300, count=1500, seed=5)
    metadata = np.arange(len(drawn)) % 3 == 0
    trace = sledsim.Trace(drawn.arrival_ns, drawn.lbn // 50, drawn.blocks, op=drawn.op, metadata=metadata)
    run = sledsim.simulate(volume, trace)
    parts = run.columns["energy_j"].sum() + run.totals["background_energy_j"] + run.totals["idle_energy_j"]
    assert parts == pytest.approx(run.summary()["energy_j"], rel=1e-9)
    by_use = sum(run.columns[f"{use}_j"].sum() for use in ("seek", "settle", "actuation", "tips"))
    rest = sum(run.columns[f"{use}_j"].sum() for use in ("electronics", "startup"))
    assert by_use + rest == pytest.approx(run.columns["energy_j"].sum(), rel=1e-9)
    if kind in BUSY and kind != "merge":
        assert run.totals["background_energy_j"] > 0
    if kind == "write-buffer":
        assert run.columns["energy_j"][run.columns["write"]].min() > 0, "appends are divided"


def test_a_mirror_reads_from_what_is_filled() -> None:
    """The first of two devices is filled from its beginning on; reads of the filled part go there."""
    volume = sledsim.volume("mirror", failed_device=0, replaced="yes", rebuild_mb_s=1000, read="first")
    count = 200
    times = np.arange(count) * 10_000_000
    near = sledsim.Trace(times, np.full(count, 64), np.full(count, 8, np.int32), op=np.zeros(count, bool))
    far = sledsim.Trace(times, np.full(count, 6_000_000), near.blocks, op=near.op)
    served = {
        name: sledsim.simulate(volume, trace).requests["where"].to_pylist()
        for name, trace in {"near": near, "far": far}.items()
    }
    assert served["near"][0] == "device 1" and set(served["near"][5:]) == {"device 0"}
    assert set(served["far"]) == {"device 1"}


LIMITS = {
    "flush_every_s": ("mmd", (1e-10, 1e-9, 0.0009, 1.1e6), (0.001, 1e6)),
    "intent_s": ("mirror", (1e-10, 1e-9, 0.0009, 3601), (0.001, 3600)),
    "clean_after_ms": ("mcd", (-1, 3.7e6, 1.85e13), (0, 3.6e6)),
    "rebuild_mb_s": ("raid5", (0, 1e-12, 2e6), (1e-6, 1e6)),
}


@pytest.mark.parametrize("option", LIMITS)
def test_times_of_volumes_have_limits(option: str, trace: sledsim.Trace) -> None:
    kind, wrong, right = LIMITS[option]
    for value in wrong:
        with pytest.raises(sledsim.ParameterError, match=rf"{option} = .*: expected .* to "):
            sledsim.volume(kind, **{option: value})
    filling = {"failed_device": 0, "replaced": "yes"} if option == "rebuild_mb_s" else {}
    for value in right:
        run = sledsim.simulate(sledsim.volume(kind, **{option: value}, **filling), trace.rows(slice(0, 300)))
        assert np.all(run.response_ns > 0)


DEEP = """volume = "stripe"
devices = 60
device = {volume="stripe",devices=60,device={volume="stripe",devices=60,device={volume="stripe",devices=60}}}
"""
TOO_MANY = "expected at most 4096 devices in all volumes together, found 12960000 devices"


@pytest.mark.dear("many requests are simulated and computed again")
def test_a_tree_of_too_many_devices_is_refused(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "deep.toml"
    path.write_text(DEEP)
    with pytest.raises(sledsim.ParameterError, match=TOO_MANY):
        sledsim.volume(path)
    done = cli("run", "demo", "--volume", str(path))
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.strip() == f"error: {path}: {TOO_MANY}"


# Means of DiskSim 4.0 on five Atlas 10K without caches: docs/background/validation.md, "Arrays".
@pytest.mark.parametrize(
    ("unit_kib", "blocks", "is_write", "rate_per_s", "disksim_ms", "tolerance"),
    [
        (8, 256, False, 5, 16.958, 0.06),
        (8, 256, True, 5, 24.105, 0.06),
        (8, 8, True, 40, 29.351, 0.05),
        (32, 8, True, 40, 28.657, 0.05),
    ],
)
def test_raid5_takes_as_long_as_with_disksim(
    unit_kib: int, blocks: int, is_write: bool, rate_per_s: float, disksim_ms: float, tolerance: float
) -> None:
    disk = {f"device.{key}": value for key, value in UNCACHED_ATLAS_10K.items()}
    volume = sledsim.volume("raid5", device="atlas10k", stripe_unit_kib=unit_kib, **disk)
    random, count = np.random.default_rng(1), 10_000
    requests = sledsim.Trace(
        arrival_ns=np.cumsum(random.exponential(1e9 / rate_per_s, count)).astype(np.int64),
        lbn=random.integers(0, volume.capacity_bytes // 512 - blocks, count),
        blocks=np.full(count, blocks, np.int32),
        op=np.full(count, is_write),
    )
    run = sledsim.simulate(volume, requests, scheduler="fcfs")
    assert 1e3 * run.summary()["mean_response_s"] == pytest.approx(disksim_ms, rel=tolerance)
    if not is_write and blocks == 256:
        assert np.all(run.columns["parts"] == 5)
