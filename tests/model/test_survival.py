"""Probabilities of data loss: closed forms against simulation, and against SciPy in simple cases."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import linalg, stats

import sledsim
from sledsim import studies
from sledsim.model.survival import (
    ArrayPopulation,
    Losses,
    MediaDefects,
    Share,
    TipPopulation,
    exact_array_loss,
    exact_losses,
    simulated_array_loss,
    simulated_losses,
    wilson,
)
from sledsim.model.survival.simulated_shares import mean_share
from sledsim.runs.rebuilds import Array, rebuild


def within(exact: float, found: Share) -> bool:
    """True if a value lies in the interval of 99 %, widened by half: many figures are compared."""
    more = (found.high - found.low) / 4
    return found.low - more <= exact <= found.high + more


def meet(one: Share, other: Share) -> bool:
    """True if two intervals overlap."""
    return one.low <= other.high and other.low <= one.high


@pytest.mark.parametrize("check_tips", [0, 1, 2, 4])
def test_without_spares_blocks_are_binomial(check_tips: int) -> None:
    tips = TipPopulation(5, 20, 64 + check_tips, check_tips, 0, 0.0, 0.01)
    found = exact_losses(tips)
    block, device = found.block, found.device
    expected = stats.binom.sf(check_tips, 64 + check_tips, -np.expm1(-0.01))
    assert block == pytest.approx(expected, rel=1e-9)
    assert device == pytest.approx(-np.expm1(100 * np.log1p(-expected)), rel=1e-9)


def test_without_a_code_the_first_failure_takes_data_along() -> None:
    """Spares do not help: only tips that never worked are replaced in time."""
    block, device = -np.expm1(-64 * 1e-3), -np.expm1(-5 * 20 * 64 * 1e-3)
    for spare_tips in (0, 4, 16):
        tips = TipPopulation(5, 20, 64, 0, spare_tips, 0.0, 1e-3)
        assert exact_losses(tips).block == pytest.approx(block, rel=1e-9)
        assert exact_losses(tips).device == pytest.approx(device, rel=1e-9)
    dead = TipPopulation(5, 20, 64, 0, 16, 0.01, 0.0)
    expected = stats.binom.sf(16, 20 * 64, 0.01)
    assert exact_losses(dead).device == pytest.approx(1 - (1 - expected) ** 5, rel=1e-6)


@pytest.mark.parametrize("spare_tips", [0, 4, 1000])
def test_where_nothing_fails_nothing_is_lost(spare_tips: int) -> None:
    """Nearly impossible events have no probability below 0."""
    nothing = exact_losses(TipPopulation(5, 20, 66, 2, spare_tips, 0.0, 0.0))
    assert {str(loss) for loss in vars(nothing).values()} == {"0.0"}
    rare = exact_losses(TipPopulation(5, 20, 66, 2, spare_tips, 1e-3, 1e-6))
    assert all(loss is not None and loss >= 0 for loss in vars(rare).values())


def test_the_rare_loss_of_a_device_keeps_its_digits() -> None:
    found = exact_losses(TipPopulation(5, 20, 66, 2, 0, 0.0, 1e-7))
    assert found.device == pytest.approx(100 * stats.binom.sf(2, 66, -np.expm1(-1e-7)), rel=1e-9, abs=0)


def test_what_was_never_found_is_zero() -> None:
    for trials in (1, 20, 500, 12_345):
        assert wilson(0, trials).low == 0.0 and wilson(trials, trials).high == 1.0


def listed_plan(tips: TipPopulation, random: np.random.Generator) -> dict[str, Any]:
    """A plan for one track as in the study: waiting spares do not fail, and no tip fails twice."""
    placed = sledsim.tips.tip_placement(tips.blocks, tips.block_tips, spare_tips=tips.spare_tips).tips
    is_dead = random.random(tips.tips) < tips.dead_at_manufacture
    alive = placed.ravel()[~is_dead]
    failing = random.choice(alive, random.poisson(tips.tips * tips.failures_per_tip), replace=False)
    shares = np.array(tips.defects.tips) / sum(tips.defects.tips)
    defects = []
    for _ in range(random.poisson(tips.defects.mean)):
        beside = random.integers(tips.blocks) + np.arange(1 + random.choice(len(shares), p=shares))
        hit = placed[beside % tips.blocks, random.integers(tips.block_tips)]
        place = {
            "cylinder": int(random.integers(tips.defects.region_cylinders)),
            "row": int(random.integers(tips.defects.region_rows)),
        }
        defects.append({"tips": hit.tolist(), **place, "at_s": float(random.random())})
    dead = [{"tip": int(tip)} for tip in placed.ravel()[is_dead]]
    return {
        "check_tips": tips.check_tips,
        "spare_tips": tips.spare_tips,
        "remapping": "spare-tip",
        "tip_failures": dead + [{"tip": int(tip), "at_s": float(random.random())} for tip in failing],
        "media_defects": defects,
    }


def plan_losses(tips: TipPopulation, device: sledsim.Device, devices: int, seed: int) -> Losses:
    """Count the losses of whole runs, each of which reads all blocks of a device after the last fault."""
    blocks = device.characteristics()["capacity_bytes"] // 512
    begin_and_all = sledsim.Trace(
        arrival_ns=np.array([0, 2_000_000_000]),
        lbn=np.zeros(2, np.int64),
        blocks=np.array([1, blocks], np.int32),
        op=np.zeros(2, bool),
    )
    random = np.random.default_rng(seed)
    lost = []
    for _ in range(devices):
        faulty = sledsim.with_faults(device, listed_plan(tips, random))
        lost.append(sledsim.simulate(faulty, begin_and_all, "fcfs").columns["lost_blocks"][1] / blocks)
    shares = np.array(lost)
    # A tip takes all places of a block, a defect a few: both have intervals of their own.
    to_tips = np.floor(shares * tips.groups + 1e-9) / tips.groups
    parts = [mean_share(to_tips, 1 / tips.groups)]
    if tips.defects.mean:
        parts.append(mean_share(shares - to_tips, 1 / (tips.groups * tips.defects.places)))
    block = Share(*(sum(getattr(part, name) for part in parts) for name in ("value", "low", "high")))
    return Losses(block, wilson(int(np.count_nonzero(shares)), devices))


def drawn_plan(number: int) -> tuple[int, int, float, float, float]:
    """Draw a plan of checks, spares, mean numbers of dead and failing tips of a track, and defects.

    About as many tips fail as the number of spares, so that some devices lose blocks and others do not.
    """
    random = np.random.default_rng(number)
    check_tips, spare_tips = int(random.integers(5)), int(random.integers(61))
    failing = (2 * check_tips + spare_tips) * random.uniform(0.8, 1.4) if check_tips else random.uniform(0, 3)
    defects = random.uniform(5, 60) if number % 2 else 0.0
    return check_tips, spare_tips, random.uniform(0, 3), failing, defects


@pytest.mark.dear("many losses of data are simulated", every_change="plan1")
@pytest.mark.parametrize(
    "plan", [(2, 16, 1.28, 6.4, 100.0), (0, 20, 1.5, 0.2, 0.5), *map(drawn_plan, range(6))]
)
def test_devices_under_plans_lose_what_the_study_says(plan: tuple[int, int, float, float, float]) -> None:
    """Two independent programs: runs tip by tip, and the probabilities of the study."""
    check_tips, spare_tips, dead, failing, defects = plan
    device = sledsim.device("osdi00").with_parameters(tips=1280, stroke_x_nm=280)
    found = device.characteristics()
    region = (int(found["cylinders"]), int(found["rows_per_track"]))
    shape = MediaDefects(defects, (0.25, 0.25, 0.25, 0.25), 1, 1, *region)
    tips = TipPopulation(1, 20, 64 + check_tips, check_tips, spare_tips, dead / 1280, failing / 1280, shape)
    exact, simulated = exact_losses(tips), simulated_losses(tips, 2000, seed=5)
    runs = plan_losses(tips, device, 30, seed=8)
    assert within(exact.block, runs.block)
    assert meet(simulated.device, runs.device)


def test_tips_dead_at_manufacture_are_binomial() -> None:
    tips = TipPopulation(1, 20, 66, 2, 0, 0.02, 0.0)
    found = exact_losses(tips)
    block, device = found.block, found.device
    expected = stats.binom.sf(2, 66, 0.02)
    assert block == pytest.approx(expected, rel=1e-9)
    assert device == pytest.approx(1 - (1 - expected) ** 20, rel=1e-9)


#: Regions so small that defects meet: single tip sectors, those of 001, and rectangles that stick out.
DEFECTS = {
    "none": MediaDefects(),
    "single": MediaDefects(60, (1.0,), 1, 1, 9, 7),
    "neighbours": MediaDefects(30, (0.25, 0.25, 0.25, 0.25), 1, 1, 9, 7),
    "rectangles": MediaDefects(9, (0.1, 0.2, 0.3, 0.4), 3, 2, 9, 7),
}


@pytest.mark.dear("many losses of data are simulated", every_change="1-3-0.0-none")
@pytest.mark.parametrize("defects", DEFECTS)
@pytest.mark.parametrize("dead", [0.0, 2e-3])
@pytest.mark.parametrize("spare_tips", [0, 3, 8])
@pytest.mark.parametrize("check_tips", [0, 1, 2])
def test_simulation_and_closed_form_agree(
    check_tips: int, spare_tips: int, dead: float, defects: str
) -> None:
    """Simulation and closed form of each figure that has both, and the bound."""
    found = DEFECTS[defects]
    tips = TipPopulation(3, 10, 32 + check_tips, check_tips, spare_tips, dead, 0.015, found)
    exact, simulated = exact_losses(tips), simulated_losses(tips, 1500, seed=90_210)
    assert within(exact.block, simulated.block)
    is_closed = not found.mean or (found.is_single and not spare_tips)
    assert (exact.device is not None) == is_closed
    if exact.device is not None:
        assert within(exact.device, simulated.device)
        assert exact.device <= exact.device_at_most + 1e-12
    assert simulated.device.low <= exact.device_at_most
    assert exact.device_by_tips <= simulated.device.high and exact.block_by_tips <= exact.block


@pytest.mark.dear("many losses of data are simulated")
def test_one_track_is_hit_by_all_of_a_defect() -> None:
    """A defect takes spares of one track four at a time, and round its end."""
    defects = MediaDefects(25, (0, 0, 0, 1), 1, 1, 6, 5)
    for spare_tips in (0, 2, 5):
        tips = TipPopulation(1, 5, 20, 1, spare_tips, 1e-3, 0.01, defects)
        assert within(exact_losses(tips).block, simulated_losses(tips, 4000, seed=77).block)


def test_without_tips_that_fail_a_block_counts_its_defects() -> None:
    """The number of defects is Poisson, each over one tip of a block: those over one tip count once."""
    defects = MediaDefects(40.0, (0.5, 0.5), 2, 1, 20, 4)
    tips = TipPopulation(2, 5, 12, 2, 0, 0.0, 0.0, defects)
    covered = 2 * 1 / (21 * 4)
    per_sector = 40 * 1.5 * covered / (2 * 5 * 12)
    expected = stats.binom.sf(2, 12, -np.expm1(-per_sector))
    assert exact_losses(tips).block == pytest.approx(expected, rel=1e-9)
    # A device without any code is whole if no defect touches it.
    bare = replace(tips, check_tips=0, defects=replace(defects, mean=0.7))
    assert within(-np.expm1(-0.7), simulated_losses(bare, 4000, seed=31).device)


def test_defects_of_the_size_of_spares_are_less_harmful_one_by_one() -> None:
    """Four at a time they exhaust three spares; as many tip sectors one by one rarely do."""
    apart, together = MediaDefects(40, (1,), 1, 1, 10, 10), MediaDefects(10, (0, 0, 0, 1), 1, 1, 10, 10)
    tips = TipPopulation(2, 8, 17, 1, 3, 0.0, 0.0, apart)
    assert tips.defects_per_sector == replace(tips, defects=together).defects_per_sector
    assert exact_losses(tips).block < exact_losses(replace(tips, defects=together)).block / 50


@pytest.mark.dear("many losses of data are simulated")
def test_more_against_faults_loses_less() -> None:
    table = studies.run("data-loss", sledsim.device("osdi00"), count=20).table.to_pylist()
    for column in ("block_loss", "device_loss_by_tips", "device_loss_at_most"):
        loss = {(row["check_tips"], row["spare_tips"]): row[column] for row in table}
        for check, spare in loss:
            for more in [(check * 2 or 1, spare), (check, spare * 4 or 4)]:
                assert loss.get(more, 0) <= loss[check, spare] + 1e-12
        assert loss[0, 0] > 0.3 and loss[4, 16] < 1e-3
    for row in table:
        assert row["block_loss_by_tips"] <= row["block_loss"] <= row["block_loss_by_tips"] * 1.1
        # 500 defects cost nearly nothing of a given block, and the device one of its seven million.
        assert row["device_loss_by_tips"] <= row["device_loss_at_most"]


def test_defects_that_cannot_be_are_refused() -> None:
    device = sledsim.device("osdi00")
    for options, text in (
        (
            {"defect_tips": [0.0]},
            r"defect_tips = \[0.0\]: expected shares of 1 to 20 tips, one of them above 0",
        ),
        ({"defect_tips": [0.1] * 21}, "expected shares of 1 to 20 tips"),
        ({"defect_rows": 28}, "defect_rows = 28: expected a whole number from 1 to 27"),
        ({"defects_per_year": -1}, "defects_per_year = -1: expected a number from 0"),
    ):
        with pytest.raises(sledsim.ParameterError, match=text):
            studies.run("data-loss", device, **options)


@pytest.mark.parametrize(
    "options",
    [
        {"years": 100, "failures_per_tip_year": 10},
        {"years": 1e6},
        {"years": 1e200, "defects_per_year": 1e200},
        {"defect_cylinders": 2500, "defect_rows": 27},
    ],
)
def test_more_faults_than_can_be_drawn_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(
        sledsim.ParameterError, match=r"at most 10,000,000 faults of a device .* found (inf|\d)"
    ):
        studies.run("data-loss", sledsim.device("osdi00"), **options)


def test_progress_is_shown_within_a_row() -> None:
    seen: list[int] = []
    options = {"check_tips": 2, "spare_tips": 4, "defects_per_year": 2000, "count": 4}
    studies.run("data-loss", sledsim.device("osdi00"), progress=seen.append, **options)
    assert len(seen) > 1 and seen == sorted(seen) and seen[-1] == 100


@pytest.mark.parametrize("trials", [1, 7, 100, 100_000])
def test_intervals_of_shares_end_where_shares_do(trials: int) -> None:
    """Wilson's interval has exact ends; rounding left 6.8e-21."""
    assert wilson(0, trials).low == 0.0 < wilson(0, trials).high < 1
    assert wilson(trials, trials).high == 1.0 > wilson(trials, trials).low > 0


@pytest.mark.dear("many losses of data are simulated", every_change=True)
def test_the_picture_of_the_data_loss_names_its_rows() -> None:
    """The names of colours are text, so a number gives no colour."""
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    drawn = studies.run("data-loss", sledsim.device("osdi00"), count=5).plot().to_dict()
    for values in drawn["datasets"].values():
        assert {row["spare_tips"] for row in values} <= {"0", "4", "16"}


@pytest.mark.parametrize("tolerated", [0, 1, 2])
def test_the_chain_of_an_array_is_that_of_scipy(tolerated: int) -> None:
    array = ArrayPopulation(5, tolerated, 0.4, 0.01)
    rates = np.zeros((tolerated + 2, tolerated + 2))
    for at in range(tolerated + 1):
        rates[at, at + 1] = (5 - at) * 0.4
        if at:
            rates[at, at - 1] = 100
        rates[at, at] = -rates[at].sum()
    assert exact_array_loss(array) == pytest.approx(linalg.expm(rates)[0, -1], rel=1e-7)
    found = simulated_array_loss(array, 40_000, seed=3)
    assert within(exact_array_loss(array), found)


def test_a_small_loss_keeps_its_digits() -> None:
    """The loss of two mirrored devices with quick rebuilds is about 2 x failures^2 x rebuild."""
    loss = exact_array_loss(ArrayPopulation(2, 1, 1e-4, 1e-6))
    assert loss == pytest.approx(2e-14, rel=1e-3)


@pytest.mark.dear("many losses of data are simulated")
def test_the_study_of_arrays() -> None:
    options = {"count": 4000, "simulated_requests": 5000}
    rows = studies.run("array-survival", sledsim.device("osdi00"), **options).table.to_pylist()
    for row in rows:
        assert row["loss_low"] - 5e-3 <= row["loss"] <= row["loss_high"] + 5e-3
        if row["array"] == "stripe":
            assert row["rebuild_s"] is None and row["response_degraded_s"] is None
            continue
        # All data read must be written, and requests have their share: no rebuild is quicker than a stream.
        assert row["rebuild_s"] > 0.999 * row["rebuild_arithmetic_s"]
        if row["array"] != "two-parity":
            states = [row[f"response_{name}_s"] for name in ("whole", "degraded", "rebuilding")]
            assert states == sorted(states)
    found = {(row["device"], row["array"], row["rebuild_share"], row["mean_life_hours"]): row for row in rows}
    raid5 = {name: found[name, "raid5", 0.1, 1e5] for name in ("osdi00", "atlas10k")}
    # A MEMS device is rebuilt in a tenth of the time of a disk, which makes its array safer.
    assert raid5["osdi00"]["rebuild_s"] < raid5["atlas10k"]["rebuild_s"] / 9
    losses = [row["loss"] for row in raid5.values()]
    assert losses == sorted(losses) and losses[-1] < found["osdi00", "stripe", None, 1e5]["loss"]
    # A sled writes a tenth of a stream beside requests with ease, and cannot write all of it.
    assert raid5["osdi00"]["rebuild_s"] == pytest.approx(raid5["osdi00"]["rebuild_arithmetic_s"], rel=1e-3)
    whole = found["osdi00", "raid5", 1.0, 1e5]
    assert whole["rebuild_s"] > 3 * whole["rebuild_arithmetic_s"]


def small(kind: str, requests_per_s: float) -> Array:
    """Return an array of devices of a fiftieth of the cylinders."""
    device = sledsim.device("osdi00").with_parameters(stroke_x_nm=2000)
    return Array(kind, device, 3, requests_per_s, seed=5)


@pytest.mark.dear("many losses of data are simulated", every_change="8000000.0-raid5-50.0")
@pytest.mark.parametrize(("kind", "rate"), [("raid5", 50.0), ("raid5", 400.0), ("mirror", 200.0)])
@pytest.mark.parametrize("bytes_per_s", [8e6, 80e6])
def test_a_part_of_a_rebuild_tells_the_time_of_all(kind: str, rate: float, bytes_per_s: float) -> None:
    """The end of the whole lies between the last request of an unfinished run and the next one."""
    array = small(kind, rate)
    filling = {"failed_device": "0", "replaced": "yes", "rebuild_mb_s": repr(bytes_per_s / 1e6)}

    def over(count: int) -> bool:
        return array.serve(count, **filling).volumes[""]["rebuild_left_sectors"] == 0

    low, high = 1, 100_000
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if over(middle) else (middle, high)
    ends_s = [array.serve(count, **filling).span_s for count in (low, high)]
    almost = rebuild(array, bytes_per_s, 100_000)
    assert 0.88 < almost.share < 1 and almost.requests <= low
    assert 0.99 * ends_s[0] < almost.time_s < 1.01 * ends_s[1]
    part = rebuild(array, bytes_per_s, low // 4)
    assert part.share < 0.3
    # An extrapolation: requests to rebuilt parts take less, and come late in a rebuild.
    assert part.time_s == pytest.approx(almost.time_s, rel=0.03)


def test_what_a_rebuild_cannot_be_simulated_with_is_refused() -> None:
    with pytest.raises(sledsim.ParameterError, match=r"requests_per_s = 9000: expected a rate that a raid5"):
        rebuild(small("raid5", 9000.0), 80e6, 100_000)
    with pytest.raises(sledsim.ParameterError, match=r"requests_per_s = 1: expected 50 requests or more"):
        rebuild(small("raid5", 1.0), 80e6, 100_000)


def test_a_block_under_more_tips_than_a_code_reaches_is_refused() -> None:
    with pytest.raises(sledsim.ParameterError, match="tips_per_block = 4096: expected at most 255"):
        studies.run("data-loss", sledsim.device("emsoft08"), count=2)
