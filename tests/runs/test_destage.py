"""Data of completed writes in a disk's cache: when they move to the medium, and what a flush then costs."""

import numpy as np
import pytest

import sledsim
from sledsim.model.core_tables import entry
from sledsim.traces.trace import FLUSH

READ, WRITE = 0, 1
RULES = list(entry("kinds", "disk").choices["destage"])
ORDERS = ["arrival", "nearest"]
SECTORS = 3_907_029_168
CYLINDERS = 300_000


def drive(
    *, seek_ms: tuple[float, float], exponent: float, settle_ms: float, flush_ms: float
) -> sledsim.Device:
    """A 2 TB drive of 7,200 rpm that keeps writes in its cache until a flush."""
    least, most = seek_ms
    cylinders = np.unique(np.geomspace(1, CYLINDERS, 40).astype(int)).tolist()
    curve = [[at, least + (most - least) * (at / CYLINDERS) ** exponent] for at in cylinders]
    return sledsim.device(
        "atlas10k",
        rotation_rpm=7_200,
        surfaces=4,
        block_count=SECTORS,
        zones=[[0, CYLINDERS - 1, SECTORS // (4 * CYLINDERS) + 1, 0, 0, 0, 0, 0]],
        sparing="none",
        slips=[],
        defects=[],
        head_order="serpentine",
        seek_curve=curve,
        head_switch_ms=1.0,
        write_settle_ms=settle_ms,
        write_hit_after_read_ms=0.05,
        write_hit_after_write_ms=0.05,
        write_completion_ms=0.0,
        flush_fixed_ms=flush_ms,
        destage="on-flush",
        write_cache_blocks=65_536,
    )


def requests(rows: list[tuple[float, int, int, int]]) -> sledsim.Trace:
    """A trace from rows of arrival in ms, first sector, sectors and operation."""
    arrival_ms, lbn, blocks, op = (np.array(column) for column in zip(*rows, strict=True))
    return sledsim.Trace(
        arrival_ns=np.round(arrival_ms * 1e6).astype(np.int64), lbn=lbn, blocks=blocks, op=op.astype(np.uint8)
    )


def commits(writes: int, count: int, seed: int) -> sledsim.Trace:
    """`count` groups, seconds apart, of `writes` scattered writes and a flush."""
    rng = np.random.default_rng(seed)
    places = rng.integers(0, SECTORS // 8, (count, writes)) * 8
    starts = np.cumsum(3_000.0 + 10.0 * rng.random(count))
    return requests(
        [
            row
            for start, group in zip(starts.tolist(), places.tolist(), strict=True)
            for row in [(start + 0.5 * n, lbn, 8, WRITE) for n, lbn in enumerate(group)]
            + [(start + 0.5 * writes, 0, 0, FLUSH)]
        ]
    )


def flush_ms(run: sledsim.Run) -> np.ndarray:
    return run.response_ns[run.columns["kind"] == 3] * 1e-6


@pytest.mark.parametrize(("writes", "measured_ms"), [(8, 127.0), (64, 630.0)])
def test_a_flush_takes_as_long_as_on_a_barracuda(writes: int, measured_ms: float) -> None:
    """Seagate ST2000DM006; its seeks and the fixed time were fitted to its reads and to these two flushes."""
    # The overhead of 1.9 ms belongs to each access to the medium.
    barracuda = drive(seek_ms=(3.8, 20.7), exponent=0.45, settle_ms=0.0, flush_ms=20.0)
    took = flush_ms(sledsim.simulate(barracuda, commits(writes, 40, seed=writes)))
    assert np.median(took) == pytest.approx(measured_ms, rel=0.2)


def test_writes_with_flushes_are_as_fast_as_on_an_ultrastar() -> None:
    """HGST 7K8: 80 writes of 4 KiB a second, each with its flush."""
    ultrastar = drive(seek_ms=(0.9, 13.8), exponent=0.5, settle_ms=0.5, flush_ms=0.0)
    asked = commits(1, 600, seed=3)
    run = sledsim.simulate(ultrastar, asked, replay="closed:outstanding=1")
    assert 600 / (run.columns["completion_ns"].max() * 1e-9) == pytest.approx(80.0, rel=0.1)


def variant(rule: str, order: str = "nearest", **values: float) -> sledsim.Device:
    settings = {"destage_after_ms": 20.0, "destage_watermark": 0.5, "write_cache_blocks": 300} | values
    return sledsim.device("atlas10k", destage=rule, destage_order=order, **settings)


@pytest.mark.parametrize("rule", RULES)
def test_nothing_waits_after_a_flush(rule: str) -> None:
    rows = [(0.3 * n, 70_001 * n, 8, WRITE) for n in range(200)]
    rows += [(60.0, 0, 0, FLUSH), (60.0, 0, 0, FLUSH), (2_000.0, 8, 8, READ)]
    first_ms, second_ms = flush_ms(sledsim.simulate(variant(rule), requests(rows)))
    # The second flush waits for the first, and for nothing else.
    assert second_ms == pytest.approx(first_ms, abs=0.1)
    assert first_ms > 3.0


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    ("rule", "is_clean"),
    [("at-once", True), ("idle", True), ("age", True), ("watermark", False), ("on-flush", False)],
)
def test_a_flush_after_a_pause(rule: str, order: str, is_clean: bool) -> None:
    """A pause moves the data only by a rule of time, if they are fewer than the watermark."""
    rows = [(0.0, 9_000_000, 8, WRITE), (2.0, 100, 8, WRITE), (200.0, 0, 0, FLUSH), (400.0, 100, 8, READ)]
    run = sledsim.simulate(variant(rule, order), requests(rows))
    (took,) = flush_ms(run)
    seek_and_half_a_turn_ms = 3.0
    assert (took < 0.01) if is_clean else (took > seek_and_half_a_turn_ms)
    assert run.response_ns[0] < 2_000_000


def test_a_watermark_bounds_what_a_flush_finds() -> None:
    rows = [(5.0 * n, 170_001 * n, 8, WRITE) for n in range(30)]
    asked = requests([*rows, (2_000.0, 0, 0, FLUSH), (3_000.0, 8, 8, READ)])
    took = [
        flush_ms(sledsim.simulate(variant("watermark", destage_watermark=part), asked))[0]
        for part in (0, 0.2, 0.7)
    ]
    # 0, 56 and 208 of 240 blocks still wait.
    assert took[0] < 0.01 < took[1] < 0.5 * took[2]


def test_no_rule_changes_reads() -> None:
    asked = sledsim.workload("random", "atlas10k", rate=60, count=500, reads=1)
    alone = sledsim.simulate("atlas10k", asked)
    for rule in RULES:
        found = sledsim.simulate(variant(rule), asked)
        assert all(np.array_equal(found.columns[key], alone.columns[key]) for key in alone.columns), rule


def test_data_in_the_cache_are_read_from_it_and_replaced_in_it() -> None:
    rows = [(0.0, 9_000_000, 8, WRITE), (5.0, 9_000_002, 4, READ), (10.0, 9_000_000, 8, WRITE)]
    run = sledsim.simulate(variant("on-flush"), requests([*rows, (50.0, 0, 0, FLUSH), (90.0, 0, 8, READ)]))
    assert run.response_ns[1] < 1_000_000
    once = sledsim.simulate(variant("on-flush"), requests([rows[0], (50.0, 0, 0, FLUSH), (90.0, 0, 8, READ)]))
    assert flush_ms(run) == flush_ms(once)


def test_a_write_waits_for_room() -> None:
    rows = [(2.0 * n, 170_001 * n, 100, WRITE) for n in range(6)]
    run = sledsim.simulate(variant("on-flush"), requests(rows))
    assert (run.columns["wait_ns"] > 0).tolist() == [False] * 3 + [True] * 3


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"destage": "later"}, 'unknown destage "later": known: at-once, idle, age, watermark, on-flush'),
        ({"destage_order": "youngest"}, 'unknown destage_order "youngest": known: arrival, nearest'),
        (
            {"destage": "on-flush", "write_cache_blocks": 0},
            "write_cache_blocks = 0: must be a whole number from 1",
        ),
        ({"destage": "idle", "destage_after_ms": -1.0}, "destage_after_ms = -1"),
        ({"destage": "watermark", "destage_watermark": 1.5}, "destage_watermark = 1.5"),
    ],
)
def test_wrong_settings_are_rejected(settings: dict[str, object], message: str) -> None:
    with pytest.raises(sledsim.ParameterError) as caught:
        sledsim.device("atlas10k", **settings)
    assert message in str(caught.value)


def test_a_read_ahead_of_old_data_is_no_hit() -> None:
    """Read-ahead brings old data of blocks that wait in the cache; a later read does not take these."""
    ahead = {"read_ahead": "segment", "read_ahead_blocks": 64, "read_hits_on_writes": False}
    rows = [(0.0, 40, 8, WRITE), (100.0, 0, 10, READ), (200.0, 40, 8, READ)]
    found = sledsim.simulate(variant("on-flush", **ahead), requests(rows))
    assert found.response_ns[2] > 1_000_000


def test_the_medium_does_one_thing_at_a_time() -> None:
    """A read that hits the cache during a destage starts read-ahead only after it."""
    rows = [(0.0, 0, 8, READ), (100.0, 9_000_000, 300, WRITE)]
    rows += [(151.0, 10, 4, READ), (152.0, 14, 8, READ), (152.5, 30, 8, READ)]
    ends_ms = []
    for on_hit in (False, True):
        ahead = {"read_ahead": "segment", "read_ahead_blocks": 12, "read_ahead_on_hit": on_hit}
        device = variant("idle", **ahead, almost_hits=True, whole_track_reads=False)
        ends_ms.append(sledsim.simulate(device, requests(rows)).columns["completion_ns"][3] * 1e-6)
    assert ends_ms[1] == pytest.approx(ends_ms[0], abs=1.0)


@pytest.mark.parametrize("queue", ["host", "drive"])
def test_a_waiting_request_holds_back_the_destage(queue: str) -> None:
    """A read comes just before the destage begins, and is served before it."""
    device = variant("idle", queue=queue, command_ms=1.0)
    first = (
        sledsim.simulate(device, requests([(0.0, 9_000_000, 8, WRITE)])).columns["completion_ns"][0] * 1e-6
    )
    asked = requests([(0.0, 9_000_000, 8, WRITE), (first + 19.5, 100, 8, READ)])
    found = sledsim.simulate(device, asked)
    alone = sledsim.simulate(variant("on-flush", queue=queue, command_ms=1.0), asked)
    assert np.array_equal(found.columns["completion_ns"], alone.columns["completion_ns"])
