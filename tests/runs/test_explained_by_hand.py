"""Requests whose response can be computed by hand: each part is checked in nanoseconds."""

from collections.abc import Sequence

import numpy as np

import sledsim

#: Read: 1 ms and 0.1 ms a sector. Write: 2 ms and 0.1 ms a sector. Wakes up in 3 ms after 5 ms idle.
CHANGES = {
    "read_latency_ms": 1.0,
    "write_latency_ms": 2.0,
    "read_mb_per_s": 5.12,
    "write_mb_per_s": 5.12,
    "inactive_after_ms": 5.0,
    "wake_ms": 3.0,
}
CARD = sledsim.device("cf-card", **CHANGES)
MS = 1_000_000
#: Arrival in ms, sectors, and whether it writes; each begins a thousand sectors behind the last.
Asked = tuple[float, int, bool]
READ, WRITE = False, True


def trace(*asked: Asked, lbns: Sequence[int] | None = None) -> sledsim.Trace:
    arrivals, blocks, writes = zip(*asked, strict=True)
    return sledsim.Trace(
        arrival_ns=np.asarray([round(ms * MS) for ms in arrivals], np.int64),
        lbn=np.asarray(lbns or [1000 * at for at in range(len(asked))], np.int64),
        blocks=np.asarray(blocks, np.int32),
        op=np.asarray(writes, np.uint8),
    )


def explained(
    target: sledsim.Device | sledsim.Volume, requests: sledsim.Trace, row: int, scheduler: str = "fcfs"
) -> sledsim.results.Explanation:
    return sledsim.simulate(target, requests, scheduler).explain(row, what_if=())


def in_ms(one: sledsim.results.Explanation) -> dict[str, float]:
    assert sum(one.due_ns.values()) == one.response_ns
    return {due: ns / MS for due, ns in one.due_ns.items()}


def test_an_idle_device() -> None:
    one = explained(CARD, trace((0, 1, READ)), 0)
    assert in_ms(one) == {"command": 1.0, "transfer": 0.1}
    assert not one.served


def test_one_earlier_request_is_ahead() -> None:
    # The first is served until 1 + 10 x 0.1 = 2 ms; the second came at 0.5 ms.
    one = explained(CARD, trace((0, 10, READ), (0.5, 1, READ)), 1)
    assert in_ms(one) == {"earlier": 1.5, "command": 1.0, "transfer": 0.1}
    (before,) = one.served
    assert (before.row, before.waited_ns, before.service_ns) == (0, 1_500_000, 2_000_000)
    assert before.access_ns is None, "it was in service when this one came: no policy had a choice"


def test_overtaken_by_two_under_sptf() -> None:
    # The write waits for the first read until 2 ms. Then two later reads are nearer, 1 ms against
    # 2 ms, and take 1.1 ms each; the write is served from 4.2 ms on.
    requests = trace((0, 10, READ), (0.1, 1, WRITE), (0.2, 1, READ), (0.3, 1, READ))
    one = explained(CARD, requests, 1, "sptf")
    assert in_ms(one) == {"earlier": 1.9, "overtaking": 2.2, "command": 2.0, "transfer": 0.1}
    assert [each.row for each in one.served] == [0, 2, 3]
    for each, waiting in zip(one.served[1:], (3, 2), strict=True):
        assert (each.positioning_ns, each.access_ns) == (1 * MS, 1_100_000)
        assert (each.instead_positioning_ns, each.instead_access_ns) == (2 * MS, 2_100_000)
        assert (each.waiting, each.more_ns) == (waiting, 1 * MS)


def test_starving() -> None:
    # A read comes 0.1 ms before the end of each service; fifty take 1.1 ms each, the first from 0 on.
    # The write came at 0.05 ms and is served after all of them, from 55 ms on.
    reads = [(0.0, 1, READ), *((1.1 * at - 0.1, 1, READ) for at in range(1, 50))]
    requests = trace(reads[0], (0.05, 1, WRITE), *reads[1:])
    one = explained(CARD, requests, 1, "sptf")
    assert in_ms(one) == {"earlier": 1.05, "overtaking": 53.9, "command": 2.0, "transfer": 0.1}
    assert len(one.served) == 50
    assert in_ms(explained(CARD, requests, 1, "fcfs")) == {"earlier": 1.05, "command": 2.0, "transfer": 0.1}


def test_an_erase_block_is_closed_before_a_write() -> None:
    # 31 of 32 sectors were not written: they are copied, 0.2 ms each, and the block is erased in 2 ms.
    card = CARD.with_parameters(erase_block_kib=16, open_blocks=1, erase_ms=2.0)
    one = explained(card, trace((0, 1, WRITE), (3, 1, WRITE)), 1)
    assert in_ms(one) == {"command": 2.0, "switch": 8.2, "transfer": 0.1}


def test_a_device_at_rest_wakes_up() -> None:
    # The first is served until 1.1 ms; the card is idle from 6.1 ms on.
    one = explained(CARD, trace((0, 1, READ), (20, 1, READ)), 1)
    assert in_ms(one) == {"device": 3.0, "command": 1.0, "transfer": 0.1}


def test_commands_are_processed_one_after_the_other() -> None:
    # Two requests come at once: the second command is processed from 0.2 ms on, during the first service.
    sled = sledsim.device("osdi00", overhead_ms=0.2, bus_mb_per_s=0.0)
    run = sledsim.simulate(sled, trace((0, 8, READ), (0, 8, READ)), "fcfs")
    due = run.explain(1, what_if=()).due_ns
    assert (due["other_commands"], due["command"]) == (200_000, 200_000)
    # The first begins when its command is processed, at 0.2 ms, and the second is ready at 0.4 ms.
    first_ns = int(run.columns["completion_ns"][0])
    assert due.get("earlier", 0) == max(0, first_ns - 400_000)


def test_the_bus_is_busy_with_another_request() -> None:
    # A sector crosses in 1 ms. The data of the write have the bus for 10 ms, from 0 on; the medium finishes
    # the read long before. The read then has the bus, and is complete after 11 ms.
    sled = sledsim.device("osdi00", overhead_ms=0.0, bus_mb_per_s=0.512, tips_per_block=64)
    one = explained(sled, trace((0, 1, READ), (0, 10, WRITE)), 0)
    due = one.due_ns
    assert one.response_ns == 11 * MS
    assert due["bus"] == MS, "its own sector crosses"
    assert due["bus_wait"] == 10 * MS - due["positioning"] - due["transfer"]
    assert due["positioning"] + due["transfer"] < 5 * MS


def test_a_closed_loop_waits_for_nothing() -> None:
    # Each request comes at the completion of the one before, so that no two overlap.
    requests = trace((0, 1, READ), (0, 1, READ), (0, 2, READ))
    run = sledsim.simulate(CARD, requests, "fcfs", replay="closed:outstanding=1")
    assert run.columns["arrival_ns"].tolist() == [0, 1_100_000, 2_200_000]
    assert in_ms(run.explain(2, what_if=())) == {"command": 1.0, "transfer": 0.2}


def test_the_later_copy_of_a_mirror_counts() -> None:
    # The read keeps one of the two devices until 2 ms. The write came at 1 ms: one copy is written at 3.1 ms,
    # the other at 4.1 ms, which completes the write.
    mirror = sledsim.volume("mirror", devices=2, device={"device": "cf-card", **CHANGES})
    one = explained(mirror, trace((0, 10, READ), (1, 1, WRITE)), 1)
    assert in_ms(one) == {"earlier": 1.0, "command": 2.0, "transfer": 0.1}
    (part,) = one.parts
    assert (part.row, part.left_ns) == (1, 4_100_000)


def test_a_rebuild_goes_on_behind() -> None:
    # At 0 the volume begins to read the first piece, 128 sectors, from the only device that has them: until
    # 1 + 12.8 ms. The read waits for that.
    mirror = sledsim.volume(
        "mirror",
        devices=2,
        failed_device=1,
        replaced="yes",
        rebuild_mb_s=1000.0,
        device={"device": "cf-card", **CHANGES},
    )
    one = explained(mirror, trace((0, 1, READ)), 0)
    assert in_ms(one) == {"background": 13.8, "command": 1.0, "transfer": 0.1}
    assert [(each.row, each.due) for each in one.served] == [(None, "background")]


def test_what_is_fetched_for_another_request_is_for_that_one() -> None:
    # Both want a segment of 8 sectors that is not fetched yet. The first is fetched from 0 to 1 + 0.8 ms; the
    # second one, for the other request, begins then: all of this work is for a request.
    card = {"device": "cf-card", **CHANGES}
    volume = sledsim.volume("virtual-disk", disk=card, mems=card, segment_kib=4, cache_mb=1)
    run = sledsim.simulate(volume, trace((0, 1, READ), (0, 1, READ), lbns=(0, 4000)), "fcfs")
    one = run.explain([0, 1], what_if=())[1]
    first = one.segments[0]
    assert (first.due, first.device, first.row) == ("earlier", "disk", 0)
    assert (first.from_ns, first.until_ns) == (0, 1_800_000)
    assert [(each.row, each.due) for each in one.served][:1] == [(0, "earlier")]
    assert [(each.due, each.device) for each in one.segments][1:3] == [
        ("command", "disk"),
        ("transfer", "disk"),
    ], "its own segment is fetched for itself"
