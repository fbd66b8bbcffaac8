"""A bus that the members of a volume share: cases with known answers, and a model by ticks."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import sledsim

from ..cli.test_cli_errors import refused
from ..conftest import Cli
from .perfetto_reader import TraceFile

TICK_NS = 100_000
#: Read: 10 ticks and one a sector. Write: 20 ticks and one a sector. Two members are concatenated.
CARD = {
    "device": "cf-card",
    "read_latency_ms": 1.0,
    "write_latency_ms": 2.0,
    "read_mb_per_s": 5.12,
    "write_mb_per_s": 5.12,
    "wake_ms": 0.0,
}
LATENCY = {False: 10, True: 20}
MEMBER = sledsim.volume("single", device=CARD).capacity_bytes // 512
#: Bus: one tick a sector.
RATE = 5.12


class Asked(NamedTuple):
    """A request: arrival in ticks, member (of two), number of sectors, and whether it writes."""

    at: int
    member: int
    sectors: int
    write: bool = False


def cards(mb_per_s: float) -> sledsim.Volume:
    return sledsim.volume("sleds", devices=2, device=CARD, bus_mb_per_s=mb_per_s)


def trace(asked: Sequence[Asked]) -> sledsim.Trace:
    return sledsim.Trace.from_columns(
        {
            "arrival_ns": np.array([one.at * TICK_NS for one in asked], np.int64),
            "lbn": np.array([one.member * MEMBER + 100 * at for at, one in enumerate(asked)], np.int64),
            "blocks": np.array([one.sectors for one in asked], np.int32),
            "write": np.array([one.write for one in asked]),
        }
    )


def run(asked: Sequence[Asked], mb_per_s: float = RATE) -> sledsim.Run:
    return sledsim.simulate(cards(mb_per_s), trace(asked), "fcfs")


def ticks(run: sledsim.Run, column: str = "completion_ns") -> list[float]:
    return [ns / TICK_NS for ns in run.columns[column].tolist()]


def test_two_reads_that_end_at_once() -> None:
    found = run([Asked(0, 1, 1), Asked(0, 0, 3), Asked(0, 0, 1)], RATE / 4)
    # Member 0 is done at 13 and 24, member 1 at 11; three sectors take 12 ticks on the bus.
    assert ticks(found) == [11 + 4, 15 + 12, 27 + 4]
    both = run([Asked(0, 1, 4), Asked(0, 0, 4)])
    assert ticks(both) == [14 + 4 + 4, 14 + 4], "the lower number is first, and the other waits for all of it"
    assert ticks(both, "bus_ns") == [8, 4]


def test_a_member_serves_on_while_its_data_cross() -> None:
    found = run([Asked(0, 0, 10), Asked(0, 0, 1)])
    assert ticks(found, "start_ns") == [0, 20]
    assert ticks(found) == [20 + 10, 31 + 1]


def test_a_write_crosses_before_it_is_served() -> None:
    found = run([Asked(0, 0, 10, write=True), Asked(0, 1, 1)])
    assert ticks(found, "start_ns") == [10, 0]
    assert ticks(found, "overhead_ns") == [10, 0]
    assert ticks(found) == [10 + 30, 11 + 1]
    of_write, of_read = found.explain(0, what_if=()), found.explain(1, what_if=())
    assert of_write.due_ns == {"bus": 10 * TICK_NS, "command": 20 * TICK_NS, "transfer": 10 * TICK_NS}
    assert of_read.due_ns == {"command": 10 * TICK_NS, "transfer": TICK_NS, "bus": TICK_NS}


def test_the_wait_for_the_bus_is_reported() -> None:
    # The write has the bus until 15; the read is ready at 11, and waits 4 ticks for it.
    found = run([Asked(0, 0, 15, write=True), Asked(0, 1, 1)])
    due_ns = found.explain(1, what_if=()).due_ns
    assert (due_ns["bus_wait"], due_ns["bus"]) == (4 * TICK_NS, TICK_NS)
    assert ticks(found, "bus_ns")[1] == 5


def test_requests_of_one_nanosecond_come_one_after_the_other() -> None:
    found = run([Asked(0, 1, 4, True), Asked(0, 1, 2, True), Asked(0, 0, 3, True)])
    # The first row finds an idle bus, whatever its member; then the lower of the two waiting members is next.
    assert ticks(found, "start_ns") == [4, 28, 7]
    assert ticks(found) == [4 + 24, 28 + 22, 7 + 23]


_INNER = {"volume": "sleds", "devices": 1, "device": CARD, "bus_mb_per_s": RATE / 2}


@pytest.mark.parametrize(
    ("volume", "write", "expected"),
    [
        (sledsim.volume("sleds", devices=2, device=_INNER, bus_mb_per_s=RATE), False, 18 + 16 + 8),
        (sledsim.volume("sleds", devices=2, device=_INNER, bus_mb_per_s=RATE), True, 8 + 16 + 28),
        # Both copies cross, one after the other.
        (sledsim.volume("mirror", device=CARD, bus_mb_per_s=RATE), True, 8 + 8 + 28),
        # The unit beside is read and crosses, then the data and the parity do.
        (sledsim.volume("raid5", devices=3, device=CARD, bus_mb_per_s=RATE), True, 18 + 8 + 8 + 8 + 28),
        # Old data and old parity are read at the same time, and cross one after the other.
        (sledsim.volume("raid5", devices=5, device=CARD, bus_mb_per_s=RATE), True, 18 + 16 + 16 + 28),
    ],
    ids=["read-nested", "write-nested", "mirror", "raid5-of-3", "raid5-of-5"],
)
def test_all_that_a_volume_sends_crosses(volume: sledsim.Volume, write: bool, expected: int) -> None:
    found = sledsim.simulate(volume, trace([Asked(0, 0, 8, write)]), "fcfs")
    assert ticks(found) == [expected]
    assert sum(found.explain(0, what_if=()).due_ns.values()) == expected * TICK_NS


@pytest.mark.parametrize(
    ("from_tick", "expected"),
    [
        (0, [[(14, 18)], [(14, 22), (25, 26)]]),
        (16, [[(14, 18)], [(14, 22), (25, 26)]]),
        (20, [[], [(14, 22), (25, 26)]]),
        (24, [[], [(25, 26)]]),
    ],
)
def test_a_run_in_time_shows_when_data_cross(
    from_tick: int, expected: list[list[tuple[int, int]]], tmp_path: Path
) -> None:
    found = run([Asked(0, 1, 4), Asked(0, 0, 4), Asked(0, 1, 1)])
    window = {"from_s": from_tick * TICK_NS * 1e-9} if from_tick else {}
    file = TraceFile(found.write_perfetto(tmp_path / "run.pftrace", **window))
    buses = [file.group(f"device {member}").slices("bus") for member in (0, 1)]
    shown = [[(one.begin_ns / TICK_NS, one.end_ns / TICK_NS) for one in bus] for bus in buses]
    assert shown == expected


def test_a_slow_bus_is_what_can_be_done() -> None:
    reads = [Asked(0, at % 2, 8) for at in range(50)]
    assert max(ticks(run(reads, RATE / 2))) == 18 + 50 * 16
    assert max(ticks(run(reads, RATE * 8))) == 25 * 18 + 2


def test_without_one_nothing_changes() -> None:
    requests = sledsim.random_workload(cards(0), rate_per_s=500, count=500, seed=3)
    none = sledsim.volume("sleds", devices=2, device=CARD)
    runs = [sledsim.simulate(volume, requests, "sptf").columns for volume in (none, cards(0))]
    for name, column in runs[0].items():
        assert np.array_equal(column, runs[1][name]), name


class ByTicks:
    """A model of two members and a bus by ticks: completions first, then the bus for the first waiting."""

    def __init__(self, asked: Sequence[Asked]) -> None:
        self.asked = asked
        self.queues: list[list[int]] = [[], []]
        self.serving: list[tuple[int, int] | None] = [None, None]
        self.waiting: list[tuple[int, int, int]] = []
        self.carried: tuple[int, int] | None = None
        self.done: dict[int, int] = {}

    def run(self) -> list[int]:
        now, arrived = 0, 0
        while len(self.done) < len(self.asked):
            self.settle(now)
            while arrived < len(self.asked) and self.asked[arrived].at == now:
                self.come(now, arrived)
                self.settle(now)
                arrived += 1
            now += 1
        return [self.done[row] for row in range(len(self.asked))]

    def come(self, now: int, row: int) -> None:
        if self.asked[row].write:
            self.waiting.append((now, self.asked[row].member, row))
        else:
            self.queues[self.asked[row].member].append(row)

    def settle(self, now: int) -> None:
        if self.carried and self.carried[0] == now:
            row = self.carried[1]
            self.carried = None
            if self.asked[row].write:
                self.queues[self.asked[row].member].append(row)
            else:
                self.done[row] = now
        for member, served in enumerate(self.serving):
            if served and served[0] == now:
                self.serving[member] = None
                if self.asked[served[1]].write:
                    self.done[served[1]] = now
                else:
                    self.waiting.append((now, member, served[1]))
            if self.serving[member] is None and self.queues[member]:
                row = self.queues[member].pop(0)
                lasts = LATENCY[self.asked[row].write] + self.asked[row].sectors
                self.serving[member] = (now + lasts, row)
        if self.carried is None and self.waiting:
            first = min(self.waiting)
            self.waiting.remove(first)
            self.carried = (now + self.asked[first[2]].sectors, first[2])


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
@given(
    st.lists(
        st.tuples(st.integers(0, 30), st.integers(0, 1), st.integers(1, 40), st.booleans()),
        min_size=1,
        max_size=25,
    )
)
@settings(max_examples=60, deadline=None)
def test_a_shared_bus_equals_a_model_by_ticks(drawn: list[tuple[int, int, int, bool]]) -> None:
    at, asked = 0, []
    for after, member, sectors, write in drawn:
        at += after
        asked.append(Asked(at, member, sectors, write))
    start = asked[0].at
    asked = [one._replace(at=one.at - start) for one in asked]
    assert ticks(run(asked)) == ByTicks(asked).run()


@pytest.mark.dear(
    "many requests are simulated and computed again", every_change="stripe:devices=2,bus_mb_per_s=5"
)
@pytest.mark.parametrize("how", ["stripe:devices=2,bus_mb_per_s=5", "set"])
def test_on_the_command_line(cli: Cli, how: str) -> None:
    volume = (
        ["--volume", how] if how != "set" else ["--volume", "stripe:devices=2", "--set", "bus_mb_per_s=5"]
    )
    done = cli("run", "random:rate=300,count=500", *volume, "--json")
    assert done.returncode == 0, done.stderr
    without = cli("run", "random:rate=300,count=500", "--volume", "stripe:devices=2", "--json")
    means = [float(one.stdout.split('"mean_response_s": ')[1].split(",")[0]) for one in (done, without)]
    # 4 KiB take 0.8 ms on that bus.
    assert means[0] > means[1] + 0.8e-3


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
def test_what_cannot_be_is_refused(cli: Cli) -> None:
    asked = ("run", "random:rate=300,count=50", "--volume")
    expected = "expected 0, or a number from 0.001 to 1e6 (MB/s)"
    refused(cli(*asked, "stripe:bus_mb_per_s=-5"), 2, f"stripe: bus_mb_per_s = -5: {expected}")
    refused(cli(*asked, "mirror:bus_mb_per_s=fast"), 2, f"mirror: bus_mb_per_s = fast: {expected}")
    refused(cli(*asked, "merge:bus_mb_per_s=5"), 2, 'unknown option of merge "bus_mb_per_s"')
