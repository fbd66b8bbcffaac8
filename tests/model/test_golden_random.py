"""Open random runs against DiskSim's: the same requests at the same times on the same devices."""

import itertools
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

import sledsim
from sledsim.runs.intervals import batch_means

from .. import golden

pytestmark = golden.needs_golden
#: Policies of sledsim, and the names in DiskSim's runs.
POLICIES = {
    "fcfs": "fcfs",
    "look_lbn": "look_lbn",
    "clook_lbn": "clook_lbn",
    "sstf_lbn": "sstf_lbn",
    "sptf": "sptf",
    "asptf:weight=6": "asptf6",
    "sdf": "sdf_exact",
}


@cache
def requests(generation: str) -> golden.Columns:
    return golden.read(f"traces/{generation}_random_base.csv.gz")


@cache
def disksim_mean_ms(generation: str) -> dict[tuple[float, str], float]:
    """Return means from the table of all runs, with three decimals, and from the files of some, with all."""
    text = (golden.FOLDER.parent / "README.md").read_text()
    lines = [line for line in text.partition(f"\n{generation.upper()}\n")[2].splitlines() if line]
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    rates = [float(rate.removesuffix("/s")) for rate in head[1:]]
    found = {}
    for policy, *means in rows[: len(POLICIES)]:
        assert policy in POLICIES.values()
        # The squared coefficient of variation follows in brackets.
        found |= {(rate, policy): float(mean.split()[0]) for rate, mean in zip(rates, means, strict=True)}
    summary = golden.read(f"{generation}_random/summary.csv")
    keys = zip(golden.numbers(summary, "rate_per_s"), summary["policy"], strict=True)
    return found | dict(zip(keys, golden.numbers(summary, "mean_resp_ms"), strict=True))


@cache
def our_responses_ms(
    generation: str, rate_per_s: float, policy: str, seek_model: str = "bang-bang"
) -> NDArray[np.float64]:
    columns = requests(generation)
    # The arrival times as in DiskSim's trace: milliseconds with six decimals.
    arrival_ms = np.round(golden.numbers(columns, "cum_unit_arrival") * 1000 / rate_per_s, 6)
    trace = sledsim.Trace(
        arrival_ns=np.rint(arrival_ms * 1e6).astype(np.int64),
        lbn=columns["lbn"].astype(np.int64),
        blocks=columns["blocks"].astype(np.int32),
        op=columns["read"] == "0",
    )
    device = sledsim.device(f"disksim-{generation}", seek_model=seek_model)
    run = sledsim.simulate(device, trace, scheduler=policy)
    return run.response_ns * 1e-6


def our_mean_ms(generation: str, rate_per_s: float, policy: str, seek_model: str = "bang-bang") -> float:
    return float(our_responses_ms(generation, rate_per_s, policy, seek_model).mean())


POINTS = [("g1", 100.0), ("g1", 500.0), ("g1", 700.0), ("g2", 100.0), ("g2", 400.0), ("g2", 1000.0)]
#: Three parts in a thousand apart in DiskSim, and equal within noise over sledsim's requests one by one.
UNDECIDED = [("g1", 700.0, "asptf:weight=6", "look_lbn")]


@pytest.mark.parametrize(("generation", "rate_per_s"), [*POINTS, ("g2", 1600.0)])
def test_policies_are_in_disksims_order(generation: str, rate_per_s: float) -> None:
    disksim_ms = disksim_mean_ms(generation)
    theirs = {policy: disksim_ms[rate_per_s, name] for policy, name in POLICIES.items()}
    ours = {policy: our_mean_ms(generation, rate_per_s, policy) for policy in POLICIES}
    for one, other in itertools.combinations(sorted(POLICIES), 2):
        # Figures that differ by a few parts in a thousand in DiskSim have no order.
        if abs(theirs[one] / theirs[other] - 1) <= 3e-3:
            continue
        if (generation, rate_per_s, one, other) in UNDECIDED:
            pair = (our_responses_ms(generation, rate_per_s, policy) for policy in (one, other))
            difference = batch_means(np.subtract(*pair))
            assert abs(difference.value) < difference.half_width / 2
            continue
        assert (theirs[one] < theirs[other]) == (ours[one] < ours[other]), (one, other)


@pytest.mark.parametrize(("generation", "rate_per_s"), POINTS)
@pytest.mark.parametrize("policy", POLICIES)
def test_mean_responses(generation: str, rate_per_s: float, policy: str) -> None:
    disksim_ms = disksim_mean_ms(generation)[rate_per_s, POLICIES[policy]]
    # At 93 % utilization the queue multiplies DiskSim's seek error (0.5 % of the time on the sled) by
    # fourteen: this case uses its iteration. docs/background/validation.md has the whole table.
    near_saturation = (generation, rate_per_s) == ("g1", 700) and policy in ("fcfs", "sptf", "asptf:weight=6")
    model = "piecewise" if near_saturation else "bang-bang"
    assert abs(our_mean_ms(generation, rate_per_s, policy, model) / disksim_ms - 1) < 0.05


@pytest.mark.parametrize(
    ("generation", "run"), [("g1", "fcfs_r100"), ("g2", "fcfs_r100"), ("g2", "fcfs_r700")]
)
def test_disksim_takes_the_last_turnaround_the_wrong_way_round(generation: str, run: str) -> None:
    """DiskSim's turnarounds are longer because the spring force at the end of a seek has the direction of the
    later motion: springs help instead of opposing, and the other way round.
    """
    columns = golden.read(f"{generation}_random/{run}.csv.gz")
    device = sledsim.device(f"disksim-{generation}")
    p = device.parameters
    bit_m, reach_m = p["bit_width_nm"] * 1e-9, p["stroke_y_nm"] * 0.5e-9

    def turnaround_s(y: np.ndarray, d: np.ndarray) -> np.ndarray:
        springs = p["spring_factor"] * np.abs(y * bit_m) / reach_m * np.where(y * d < 0, -1, 1)
        return 2e-3 * p["access_velocity_mm_per_s"] / (p["acceleration_m_per_s2"] * (1 + springs))

    lowest = np.rint(device.locate(0)["y_m"] / bit_m)
    d1 = golden.numbers(columns, "first_dir")
    row = device.locate(columns["lbn"].astype(np.int64))["row"]
    y1 = 90 * row + lowest + np.where(d1 > 0, 0, 100)
    y0 = golden.numbers(columns, "y0_bit")
    d0 = np.where(golden.numbers(columns, "vy0_sign") < 0, -1, 1)
    way = np.where(y1 > y0, 1, -1)
    first_s = np.where(d0 != way, turnaround_s(y0, d0), 0)
    printed_s = golden.numbers(columns, "first_turnaround_ms") * 1e-3
    wrong_s = first_s + np.where(d1 != way, turnaround_s(y1, -way), 0)
    right_s = first_s + np.where(d1 != way, turnaround_s(y1, way), 0)
    number = (d0 != way).astype(int) + (d1 != way)
    assert np.array_equal(golden.numbers(columns, "first_n_turn"), number)
    assert printed_s == pytest.approx(wrong_s, abs=1e-9)
    assert right_s.mean() < 0.9 * printed_s.mean()


@pytest.mark.parametrize(
    ("generation", "run", "overhead_ms"),
    [("g1", "fcfs_r100", 0.3), ("g2", "fcfs_r100", 0.2), ("g2", "fcfs_r700", 0.2)],
)
def test_disksim_carries_data_in_the_order_of_demand(generation: str, run: str, overhead_ms: float) -> None:
    """DiskSim's figures for reads of one pass: reads request the bus when they are read, writes when their
    commands are processed, in order of request. Reads of several passes are left out,
    so that few differ.
    """
    columns = golden.read(f"{generation}_random/{run}.csv.gz")
    names = ("arrival_ms", "response_ms", "media_done_ms", "blocks", "read", "media_passes")
    arrival_ms, response_ms, read_ms, blocks, is_read, passes = (
        golden.numbers(columns, name) for name in names
    )
    bus_ms, ready_ms, demands = blocks * 0.00512, 0.0, []
    for at in range(len(blocks)):
        ready_ms = max(ready_ms, arrival_ms[at]) + overhead_ms
        if is_read[at] == 0:
            demands.append((ready_ms, at))
        elif passes[at] == 1:
            demands.append((read_ms[at], at))
    free_ms, waits_ms, differences_ms = 0.0, [], []
    for demand_ms, at in sorted(demands):
        from_ms = max(demand_ms, free_ms)
        free_ms = from_ms + bus_ms[at]
        if is_read[at] == 1:
            waits_ms.append(from_ms - demand_ms)
            differences_ms.append(arrival_ms[at] + response_ms[at] - free_ms)
    assert (np.array(waits_ms) > 1e-3).sum() >= 3
    assert (np.abs(differences_ms) < 1e-3).mean() > 0.999
