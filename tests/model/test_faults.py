"""Plans of faults on devices: masked faults, the cost of remapping, lost data (001-F21 to F24)."""

from typing import Any

import numpy as np
import pytest

import sledsim

#: Columns with the times of events.
TIMES = ["start_ns", "completion_ns", "positioning_ns", "switch_ns", "transfer_ns", "rows", "direction"]
SLOTS, TRACKS = 20, 5


def placement(check_tips: int = 0, spare_tips: int = 0) -> np.ndarray:
    """Return the tips of every block side by side of osdi00, as plans number them."""
    return sledsim.tips.tip_placement(SLOTS * TRACKS, 64 + check_tips, spare_tips=TRACKS * spare_tips).tips


def failures(*tips: int, at_s: float | None = None) -> list[dict[str, Any]]:
    return [{"tip": int(tip)} if at_s is None else {"tip": int(tip), "at_s": at_s} for tip in tips]


def run(device: Any, trace: sledsim.Trace, plan: dict[str, Any], scheduler: str = "sptf") -> sledsim.Run:
    return sledsim.simulate(sledsim.with_faults(device, plan), trace, scheduler)


def reads(lbn: list[int], blocks: int = 1, writes: tuple[int, ...] = (), gap_s: float = 0.1) -> sledsim.Trace:
    """Return requests that do not overlap."""
    count = len(lbn)
    return sledsim.Trace(
        arrival_ns=np.arange(count) * round(gap_s * 1e9),
        lbn=np.array(lbn),
        blocks=np.full(count, blocks, np.int32),
        op=np.isin(np.arange(count), writes),
    )


def same_times(one: sledsim.Run, other: sledsim.Run) -> bool:
    return all(np.array_equal(one.columns[name], other.columns[name]) for name in TIMES)


@pytest.mark.parametrize("scheduler", ["fcfs", "clook_lbn", "sptf"])
@pytest.mark.parametrize("name", ["osdi00", "sigmetrics00-cantilevers", "atlas10k", "cf-card"])
def test_a_plan_without_faults_changes_nothing(name: str, scheduler: str) -> None:
    device = sledsim.device(name)
    trace = sledsim.random_workload(device, rate_per_s=60, count=1500)
    bare = sledsim.simulate(device, trace, scheduler)
    held = run(device, trace, {}, scheduler)
    assert all(np.array_equal(bare.columns[name], held.columns[name]) for name in bare.columns)
    assert not any(next(iter(held.faults.values())).values())


@pytest.mark.dear("many losses of data are simulated", every_change=True)
@pytest.mark.parametrize("scheduler", ["fcfs", "sptf", "asptf"])
def test_spare_tips_leave_every_time_as_it_was(osdi00: sledsim.Device, scheduler: str) -> None:
    """001-F24, to the nanosecond, with tips that fail at manufacture, with age and in the run."""
    trace = sledsim.random_workload(osdi00, rate_per_s=1200, count=20_000)
    plan = {
        "remapping": "spare-tip",
        "spare_tips": 40,
        "check_tips": 1,
        "manufacture": {"tip_failure_probability": 5e-3, "media_defects": 200.0},
        "life": {"age_hours": 1000.0, "tip_failures_per_tip_hour": 1e-6},
        "tip_failures": failures(17, 1234, at_s=3.0),
    }
    bare, faulty = sledsim.simulate(osdi00, trace, scheduler), run(osdi00, trace, plan, scheduler)
    assert same_times(bare, faulty)
    counts = faulty.faults["device"]
    assert counts["tip_failures"] > 20 and counts["regions_under_spare_tips"] > 200
    assert counts["remapped_blocks"] > 1000
    assert counts["regions_missing"] == counts["corrected_tip_sectors"] == counts["lost_blocks"] == 0


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
def test_slips_and_blocks_elsewhere_cost_what_they_cost(osdi00: sledsim.Device) -> None:
    """The same bad blocks, slipped, and in a reserve at the end of the device, as on disks."""
    bad = [{"lbn": 100 * at + 7, "blocks": 1} for at in range(1, 200)]
    common = {"bad_blocks": bad, "reserve_blocks": 400}
    trace = reads([100 * at for at in range(200)], blocks=40)
    whole = run(osdi00, trace, {"reserve_blocks": 400})
    slipped = run(osdi00, trace, {**common, "remapping": "slip"})
    elsewhere = run(osdi00, trace, {**common, "remapping": "elsewhere"})

    def service_ns(made: sledsim.Run) -> float:
        columns = made.columns
        return float(np.mean(columns["positioning_ns"] + columns["switch_ns"] + columns["transfer_ns"]))

    # A slip costs a passed block, and now and then a row: less than a row on average.
    assert 0 <= service_ns(slipped) - service_ns(whole) < 129_000
    # A block in the reserve costs a seek there and another one back, of 0.2 to 0.8 ms each.
    assert 0.5e6 < service_ns(elsewhere) - service_ns(whole) < 2.5e6
    for made, count in ((slipped, "slipped_blocks"), (elsewhere, "blocks_put_elsewhere")):
        assert made.faults["device"][count] == 199
        assert made.faults["device"]["lost_blocks"] == 0
    assert elsewhere.faults["device"]["remapped_blocks"] == 199


@pytest.mark.parametrize("scheduler", sledsim.schedulers())
def test_queues_outlast_blocks_that_move(osdi00: sledsim.Device, scheduler: str) -> None:
    """Blocks are moved while requests for them wait."""
    bad = [{"lbn": 1000 * at, "blocks": 1, "at_s": 1e-3 * at} for at in range(200)]
    plan = {"bad_blocks": bad, "reserve_blocks": 400, "remapping": "elsewhere"}
    trace = reads([1000 * (at * 77 % 200) for at in range(200)], gap_s=1e-4)
    made = run(osdi00, trace, plan, scheduler)
    assert np.all(made.columns["completion_ns"] > made.columns["arrival_ns"])
    assert made.columns["remapped_blocks"].sum() > 10


@pytest.mark.parametrize("name", ["atlas10k", "cf-card"])
def test_remapping_on_devices_without_tips(name: str) -> None:
    device = sledsim.device(name)
    plan = {"bad_blocks": [{"lbn": 1000, "blocks": 3}], "reserve_blocks": 10}
    trace = reads([990, 2000], blocks=64)
    lost = run(device, trace, plan)
    assert lost.columns["lost_blocks"].tolist() == [3, 0]
    for remapping in ("slip", "elsewhere"):
        made = run(device, trace, {**plan, "remapping": remapping})
        assert made.columns["lost_blocks"].tolist() == [0, 0]
        assert made.columns["completion_ns"][0] >= lost.columns["completion_ns"][0]
    assert (
        sledsim.with_faults(device, plan).capacity_bytes == device.characteristics()["capacity_bytes"] - 5120
    )


@pytest.mark.dear("many losses of data are simulated")
def test_a_code_masks_what_it_can_and_tells_of_the_rest(osdi00: sledsim.Device) -> None:
    """Every number of failed tips of the first block, up to one more than the number of check tips."""
    for check_tips in (0, 1, 2, 4):
        tips = placement(check_tips)[0]
        for failed in range(check_tips + 2):
            plan = {"check_tips": check_tips, "tip_failures": failures(*tips[:failed])}
            made = run(osdi00, reads([0, 1]), plan)
            is_lost = failed > check_tips
            assert made.columns["lost_blocks"].tolist() == [int(is_lost), 0]
            assert made.columns["corrected_tip_sectors"].tolist() == [0 if is_lost else failed, 0]


@pytest.mark.dear("many losses of data are simulated")
def test_pairs_of_tips_anywhere(osdi00: sledsim.Device) -> None:
    """A block is lost if both tips are its own and the code has one check."""
    random = np.random.default_rng(5)
    places = placement(1)
    for _ in range(20):
        group = int(random.integers(SLOTS))
        one, two = random.choice(places[group], 2, replace=False)
        other = places[(group + 1) % SLOTS][0]
        trace = reads([group, (group + 1) % SLOTS])
        plan: dict[str, Any] = {"check_tips": 1}
        apart = run(osdi00, trace, {**plan, "tip_failures": failures(one, other)})
        assert apart.columns["lost_blocks"].tolist() == [0, 0]
        assert apart.columns["corrected_tip_sectors"].tolist() == [1, 1]
        both = run(osdi00, trace, {**plan, "tip_failures": failures(one, two)})
        assert both.columns["lost_blocks"].tolist() == [1, 0]


def test_data_that_are_gone_stay_gone_until_they_are_written(osdi00: sledsim.Device) -> None:
    """Two tips fail at once in the run: spares replace them, but the data of both are beyond one check."""
    tips = placement(1, 4)[0]
    plan = {
        "check_tips": 1,
        "spare_tips": 4,
        "remapping": "spare-tip",
        "media_defects": [
            {"tips": [int(tip) for tip in tips[:2]], "cylinder": 0, "row": 0, "cylinders": 9, "at_s": 0.15}
        ],
    }
    trace = reads([0, 0, 0, 0, 0], writes=(3,))
    made = run(osdi00, trace, plan)
    # The first defect has a spare before the second strikes: no data are lost.
    assert made.columns["lost_blocks"].tolist() == [0] * 5
    assert made.columns["remapped_blocks"].tolist() == [0, 0, 1, 1, 1]
    made = run(osdi00, trace, {**plan, "spare_tips": 0, "remapping": "none"})
    assert made.columns["lost_blocks"].tolist() == [0, 0, 1, 1, 1]


#: Formats whose blocks are larger than the sectors of a host, and plans.
_PARTS: list[tuple[str, dict[str, Any]]] = [
    ("256x4x4096", {"remapping": "spare-tip", "spare_tips": 3}),
    ("256x4x4096", {"remapping": "none", "check_tips": 1}),
    ("256x4x4096", {"remapping": "none"}),
    ("1024x16x1024", {"remapping": "elsewhere", "reserve_blocks": 130_000}),
    ("1024x16x1024", {"remapping": "elsewhere", "reserve_blocks": 130_000, "check_tips": 1}),
]


@pytest.mark.parametrize(("form", "against"), _PARTS, ids=str)
def test_a_write_of_a_part_needs_the_rest(form: str, against: dict[str, Any]) -> None:
    """Tips of three blocks fail while they hold data; the code over a block needs all of it."""
    device = sledsim.device("emsoft08", format=form)
    shape = device.characteristics()
    per_block, slots = int(shape["block_bytes"]) // 512, int(shape["blocks_per_row"])
    tips = 64 + against.get("check_tips", 0)
    groups = slots * int(shape["tracks_per_cylinder"])
    spares = int(shape["tracks_per_cylinder"]) * against.get("spare_tips", 0)
    placed = sledsim.tips.tip_placement(groups, tips, spread=False, spare_tips=spares).tips
    broken = placed[:3, 9]
    plan = {"spread": False, "tip_failures": failures(*broken, at_s=0.15), **against}
    rng = np.random.default_rng(20261123)
    count, most = 300, 3 * slots * per_block
    lbn, sectors = rng.integers(0, most, count), rng.integers(1, per_block + 1, count)
    whole = rng.random(count) < 0.1
    lbn, sectors = (np.where(whole, -(-at // per_block) * per_block, at) for at in (lbn, sectors))
    writes = rng.random(count) < 0.5
    trace = sledsim.Trace(np.arange(count) * 10**8, lbn, sectors.astype(np.int32), writes)
    made = run(device, trace, plan, "fcfs")

    lost_blocks, has_failed, found = set[int](), False, {"lost_blocks": 0, "corrected_tip_sectors": 0}
    corrects, stays_broken = "check_tips" in against, against["remapping"] == "none"
    for number, (first, length, write) in enumerate(zip(lbn, sectors, writes, strict=True)):
        if number == 2:
            has_failed = True
            # All rows that the requests can reach: with a check none of them loses data.
            lost_blocks = set() if corrects else {block for block in range(6 * slots) if block % slots < 3}
        lost = corrected = 0
        for block in range(first // per_block, (first + length - 1) // per_block + 1):
            begins, ends = block * per_block >= first, (block + 1) * per_block <= first + length
            if write and begins and ends and not (stays_broken and block in lost_blocks):
                lost_blocks.discard(block)
            lost += block in lost_blocks
            is_read = not (write and begins and ends)
            misses_tip = has_failed and stays_broken and block % slots < 3
            corrected += corrects and is_read and misses_tip
        assert made.columns["lost_blocks"][number] == lost, number
        assert made.columns["corrected_tip_sectors"][number] == corrected, number
        found["lost_blocks"] += lost
        found["corrected_tip_sectors"] += corrected
    assert {name: made.faults["device"][name] for name in found} == found
    assert sum(found.values()) > 20 or (corrects and not stays_broken)


@pytest.mark.parametrize("plan", [{}, {"bad_blocks": [{"lbn": 5, "blocks": 2}]}], ids=str)
def test_a_block_of_many_tips_needs_no_code(plan: dict[str, Any]) -> None:
    """A code covers up to 255 tips; without one a block may have more, such as the 4096 of emsoft08."""
    device = sledsim.device("emsoft08")
    assert device.parameters["tips_per_block"] == 4096
    trace = sledsim.Trace(np.arange(80) * 10**8, np.arange(80), np.ones(80, np.int32), np.zeros(80, bool))
    made, bare = run(device, trace, plan), sledsim.simulate(device, trace, "sptf")
    assert same_times(made, bare)
    # Blocks of the device have 4 KiB; requests count sectors of 512 bytes.
    expected = np.isin(np.arange(80) // 8, [5, 6]) & bool(plan)
    assert made.columns["lost_blocks"].tolist() == expected.tolist()
    with pytest.raises(sledsim.ParameterError, match="check_tips = 1 with the 4096 tips of a block"):
        sledsim.with_faults(device, {"check_tips": 1})


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
def test_a_tip_of_many_takes_its_blocks() -> None:
    device = sledsim.device("emsoft08")
    plan = {"tip_failures": failures(7, at_s=0.05), "spare_tips": 2, "remapping": "spare-tip"}
    made = run(device, reads([0, 0, 0, 0], blocks=8, writes=(2,)), plan)
    assert made.columns["lost_blocks"].tolist() == [0, 1, 0, 0]


def test_a_spare_takes_what_is_free_in_it(osdi00: sledsim.Device) -> None:
    """A tip fails while one of the spare's tip sectors is in use: only that one is missing."""
    tips = placement(1, 1)
    plan = {
        "check_tips": 1,
        "spare_tips": 1,
        "remapping": "spare-tip",
        "media_defects": [{"tips": [int(tips[0][0])], "cylinder": 0, "row": 0}],
        "tip_failures": failures(tips[1][0], at_s=0.1),
    }
    made = run(osdi00, reads([0, 0], blocks=4 * 27 * SLOTS * TRACKS), plan)
    assert made.columns["lost_blocks"].tolist() == [0, 0]
    assert made.columns["corrected_tip_sectors"].tolist() == [0, 1]
    assert made.columns["remapped_blocks"].tolist() == [1, 4 * 27]
    counts = made.faults["device"]
    assert (counts["regions_under_spare_tips"], counts["regions_missing"]) == (2, 1)


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
@pytest.mark.parametrize("spare_first", [False, True])
def test_nothing_is_lost_that_was_never_written(osdi00: sledsim.Device, spare_first: bool) -> None:
    """Spares that are dead at manufacture are included, in use by then or not."""
    tips = placement(0, 3)
    spares = range(tips.size, tips.size + 2)
    broken = [*spares, tips[0][0]] if spare_first else [tips[0][0], *spares]
    plan = {"spare_tips": 3, "remapping": "spare-tip", "tip_failures": failures(*broken)}
    made = run(osdi00, reads([0], blocks=27 * SLOTS * TRACKS), plan)
    assert made.columns["lost_blocks"].tolist() == [0]
    counts = made.faults["device"]
    assert (counts["regions_under_spare_tips"], counts["regions_missing"]) == (1, 0)


def test_a_tip_fails_once(osdi00: sledsim.Device) -> None:
    """Repeated entries of a tip count once; tip sectors under spares are counted at the end."""
    plan = {
        "spare_tips": 1,
        "remapping": "spare-tip",
        "tip_failures": failures(17, 17, *range(6400, 6405), 17),
    }
    counts = run(osdi00, reads([0]), plan).faults["device"]
    assert counts["tip_failures"] == 6
    assert (counts["regions_under_spare_tips"], counts["regions_missing"]) == (0, 1)


@pytest.mark.dear("many losses of data are simulated", every_change=True)
@pytest.mark.parametrize("age_hours", [5e3, 1e6])
def test_any_age_has_its_end(osdi00: sledsim.Device, age_hours: float) -> None:
    """Plans with 39 % of the tips failed, and all of them; with 40 failed tips of one block of 72."""
    life = {
        "age_hours": age_hours,
        "tip_failures_per_tip_hour": 1e-4,
        "media_defects_per_hour": 200 / age_hours,
    }
    plan = {"check_tips": 8, "spare_tips": 4, "remapping": "spare-tip", "life": life}
    made = run(osdi00, reads([0] * 10, blocks=1000), plan)
    assert made.columns["lost_blocks"].tolist() == [1000] * 10
    one = {"check_tips": 8, "tip_failures": failures(*placement(8)[0][:40], at_s=0.0)}
    assert run(osdi00, reads([0, 1]), one).columns["lost_blocks"].tolist() == [1, 0]


def test_a_block_moves_again_where_its_new_place_goes_bad(osdi00: sledsim.Device) -> None:
    bad = [{"lbn": lbn, "blocks": 1, "at_s": at_s} for lbn, at_s in ((1000, 0.05), (6_749_990, 0.25))]
    plan = {"bad_blocks": bad, "reserve_blocks": 10, "remapping": "elsewhere"}
    made = run(osdi00, reads([1000] * 6, writes=(2, 4)), plan)
    # Earlier data are gone until they are written again, each time.
    assert made.columns["lost_blocks"].tolist() == [0, 1, 0, 1, 0, 0]
    assert made.columns["remapped_blocks"].tolist() == [0, 1, 1, 1, 1, 1]
    assert made.faults["device"]["blocks_put_elsewhere"] == 1


def test_a_spread_block_survives_defects_that_kill_an_adjacent_one(osdi00: sledsim.Device) -> None:
    """Defects over four neighbours against one check tip (001-F22)."""
    trace = sledsim.random_workload(osdi00, rate_per_s=500, count=4000)
    plan = {
        "check_tips": 1,
        "manufacture": {"media_defects": 10.0},
        "defects": {"tips": [0.0, 0.0, 0.0, 1.0], "cylinders": 500, "rows": 27},
    }
    adjacent, spread = run(osdi00, trace, {**plan, "spread": False}), run(osdi00, trace, plan)
    assert adjacent.faults["device"]["lost_blocks"] > 100
    # Two defects may still meet in a block, rarely.
    assert spread.faults["device"]["lost_blocks"] < 0.2 * adjacent.faults["device"]["lost_blocks"]
    assert spread.faults["device"]["corrected_tip_sectors"] > 100
