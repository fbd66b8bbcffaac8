"""Open random runs against DiskSim's: the same requests at the same times on the same devices."""

from functools import cache

import numpy as np
import pytest

import sledsim

from . import golden

pytestmark = golden.needs_golden
POLICIES = ["fcfs", "clook_lbn", "sstf_lbn", "sptf"]


@cache
def requests(generation: str) -> golden.Columns:
    return golden.read(f"traces/{generation}_random_base.csv.gz")


@cache
def disksim_mean_ms(generation: str) -> dict[tuple[float, str], float]:
    summary = golden.read(f"{generation}_random/summary.csv")
    keys = zip(golden.numbers(summary, "rate_per_s"), summary["policy"], strict=True)
    return dict(zip(keys, golden.numbers(summary, "mean_resp_ms"), strict=True))


@cache
def our_mean_ms(generation: str, rate_per_s: float, policy: str) -> float:
    columns = requests(generation)
    # The arrival times as they stood in DiskSim's trace: milliseconds with six decimals.
    arrival_ms = np.round(golden.numbers(columns, "cum_unit_arrival") * 1000 / rate_per_s, 6)
    trace = sledsim.Trace(
        arrival_ns=np.rint(arrival_ms * 1e6).astype(np.int64),
        lbn=columns["lbn"].astype(np.int64),
        blocks=columns["blocks"].astype(np.int32),
        write=columns["read"] == "0",
    )
    run = sledsim.simulate(sledsim.device(f"disksim-{generation}"), trace, scheduler=policy)
    return 1e3 * run.summary()["mean_response_s"]


POINTS = [("g1", 100.0), ("g1", 500.0), ("g1", 700.0), ("g2", 100.0), ("g2", 400.0), ("g2", 1000.0)]


@pytest.mark.parametrize(("generation", "rate_per_s"), [*POINTS, ("g2", 1600.0)])
def test_policies_are_in_disksims_order(generation: str, rate_per_s: float) -> None:
    theirs = [disksim_mean_ms(generation)[rate_per_s, policy] for policy in POLICIES]
    ours = [our_mean_ms(generation, rate_per_s, policy) for policy in POLICIES]
    for at, _ in enumerate(POLICIES):
        for other in range(at):
            # What DiskSim itself finds to be equal to a few parts in a thousand has no order.
            if abs(theirs[at] / theirs[other] - 1) > 3e-3:
                assert (theirs[at] < theirs[other]) == (ours[at] < ours[other]), (
                    POLICIES[at],
                    POLICIES[other],
                )


@pytest.mark.parametrize(("generation", "rate_per_s"), POINTS)
@pytest.mark.parametrize("policy", POLICIES)
def test_mean_responses(generation: str, rate_per_s: float, policy: str) -> None:
    deviation = (
        our_mean_ms(generation, rate_per_s, policy) / disksim_mean_ms(generation)[rate_per_s, policy] - 1
    )
    assert abs(deviation) < 0.05
