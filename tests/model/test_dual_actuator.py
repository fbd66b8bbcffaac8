"""The example of a disk with two actuators: the claims of its page."""

import runpy
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import sledsim

EXAMPLE = Path(__file__).parents[2] / "examples" / "dual_actuator_disk.py"
DISK: Any = runpy.run_path(str(EXAMPLE))


@pytest.fixture(scope="module", autouse=True)
def _registered() -> None:
    sledsim.extend.register_device(DISK["NAME"], DISK["ActuatorDisk"])


def request(lbn: int, blocks: int) -> Any:
    trace = sledsim.Trace.from_columns({"arrival_ns": [0], "lbn": [lbn], "blocks": [blocks]})
    columns = trace.columns()
    return type("Asked", (), {name: int(columns[name][0]) for name in ("lbn", "blocks")})()


def most(bus_mb_per_s: float, streams: int) -> dict[str, float]:
    """Return MB/s of each disk."""
    disks = DISK["disks"](bus_mb_per_s)
    trace = DISK["streams"](DISK["sectors_of"](disks), 240, streams)
    return {name: DISK["most"](disk, trace)[1] for name, disk in disks.items()}


def test_its_figures_are_the_published_ones() -> None:
    whole = DISK["ActuatorDisk"]()
    assert whole.blocks * 512 == pytest.approx(14e12, rel=1e-5)
    a_track_s = (whole.turn_ns + whole.switch_ns) * 1e-9
    assert 2 * whole.track_blocks * 512e-6 / a_track_s == pytest.approx(524, abs=1)


def test_both_halves_are_on_one_spindle() -> None:
    """A block passes at the same time under each half, whatever each has done before."""
    one, other = (DISK["ActuatorDisk"](surfaces=8) for _ in range(2))
    one.serve(0.0, request(1_000_000_000, 64))
    asked = request(12_345, 8)
    for now_s in (0.0, 0.0123, 5.0):
        first, second = (now_s * 1e9 + sum(disk.positioning_ns(now_s, asked)) for disk in (one, other))
        turns = (first - second) / one.turn_ns
        assert turns == pytest.approx(round(turns), abs=1e-6)


def test_what_follows_on_the_disk_is_there_at_once() -> None:
    disk = DISK["ActuatorDisk"](cylinders=100, track_blocks=100, surfaces=2)
    now_s, waits = 0.0, []
    for begin, end in pairwise(range(0, 2000, 40)):
        served = disk.serve(now_s, request(begin, end - begin))
        waits.append(served["positioning_s"])
        now_s += served["positioning_s"] + served["switching_s"] + served["transfer_s"]
    # A switch lies between tracks, within a request or before it.
    assert max(waits[1:]) <= disk.switch_ns * 1e-9 + 2e-9
    turns = 1960 // 100
    assert now_s == pytest.approx(
        (turns * (disk.turn_ns + disk.switch_ns) + 0.6 * disk.turn_ns) * 1e-9, abs=1e-6
    )


def test_one_stream_is_twice_as_fast_only_if_interleaved() -> None:
    found = most(1200, 1)
    assert found["split"] == pytest.approx(found["one actuator"], rel=0.02)
    assert found["interleaved"] == pytest.approx(2 * found["one actuator"], rel=0.05)
    assert found["two disks"] == pytest.approx(found["interleaved"], rel=0.02)


def test_two_streams_are_twice_as_fast_if_split() -> None:
    found = most(1200, 2)
    assert found["split"] > 2 * found["one actuator"]
    assert found["one actuator"] < found["interleaved"] < 0.9 * found["split"]


@pytest.mark.parametrize("bus_mb_per_s", [150, 300])
def test_a_slow_bus_is_what_both_have_together(bus_mb_per_s: float) -> None:
    found = most(bus_mb_per_s, 1)
    assert found["interleaved"] == pytest.approx(bus_mb_per_s, rel=0.03)
    assert found["interleaved"] <= bus_mb_per_s
    assert found["two disks"] > 1.5 * bus_mb_per_s


def test_random_reads_gain_either_way() -> None:
    disks = DISK["disks"]()
    trace = DISK["random_reads"](DISK["sectors_of"](disks), 600)
    per_s = {name: DISK["most"](disk, trace)[0] for name, disk in disks.items()}
    for way in ("split", "interleaved"):
        assert 1.4 < per_s[way] / per_s["one actuator"] < 2


def test_random_reads_gain_less_where_each_arm_has_half_the_choice() -> None:
    """Two arms fall short of twice the throughput because SPTF has fewer requests to choose from."""
    disks = DISK["disks"]()
    trace = DISK["random_reads"](DISK["sectors_of"](disks), 600)
    one, split = (
        {policy: DISK["most"](disks[name], trace, policy)[0] for policy in ("sptf", "fcfs")}
        for name in ("one actuator", "split")
    )
    assert 1.8 < split["fcfs"] / one["fcfs"] < 2
    assert split["sptf"] / one["sptf"] < split["fcfs"] / one["fcfs"] - 0.1
    half = sledsim.simulate(disks["one actuator"], trace, "sptf", replay="closed:outstanding=8").columns
    alone = len(trace) / ((half["completion_ns"].max() - half["arrival_ns"].min()) * 1e-9)
    assert split["sptf"] == pytest.approx(2 * alone, rel=0.06)


@pytest.mark.dear("an example runs as its reader types it")
def test_the_example_prints_and_draws(tmp_path: Path) -> None:
    words = [sys.executable, EXAMPLE, "--count", "60", "--plot", tmp_path / "plots"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for row in ("one stream, MB/s", "one stream at 300, MB/s", "random 4 KiB, 160/s, ms"):
        (line,) = [line for line in done.stdout.splitlines() if line.startswith(row)]
        assert len(line[32:].split()) == 4
    assert {file.suffix for file in (tmp_path / "plots").iterdir()} == {".html", ".png", ".svg"}
