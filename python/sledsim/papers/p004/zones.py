"""Runs for 004-E-9: policies on the designs of paper 004, with random requests and with captures."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from sledsim import Device, bundled_trace
from sledsim.estimates import Workers, ratio
from sledsim.results import Curves

from ..shared import columns, random_workload, response_curves, simulate
from .inputs import PICKED, formatted

#: ZSPTF with zones of 120 cylinders and 1200 bits. Its two forms have a zone for each parity of the column,
#: and one zone for both parities. On this device parity does not matter, because every column can be accessed
#: in both directions.
ZSPTF, JOINED = "zsptf", "zsptf:parity=joined"
POLICIES: Mapping[str, str] = {
    "fcfs": "FCFS",
    "clook_lbn": "C-LOOK_LBN",
    "sstf_lbn": "SSTF_LBN",
    "sptf": "SPTF",
    "zfcfs": "ZFCFS",
    ZSPTF: "ZSPTF",
    JOINED: "ZSPTF, parities joined",
    "pyramid": "Pyramid",
}
#: Figures that are divided by the same figure under first come, first served, by column of the ratio.
_OVER = {
    "positioning_over_fcfs": "mean_positioning_s",
    "response_over_fcfs": "mean_response_s",
    "energy_over_fcfs": "energy_j",
}
#: Number of requests in the run that measures the throughput of a design.
_COUNT = 5000
#: Uses of energy outside of services: holding an idle sled, going to rest, and resting.
_IDLE = ("idle", "shutdown", "inactive")


def design(name: str) -> Device:
    """Return the design of section 7.2 with a name, such as ``M-20-BP``."""
    return formatted(PICKED[name])


def served_per_s(on: Device) -> float:
    """Return the throughput of a device in requests/s, for random requests in the order of arrival."""
    trace = random_workload(on, rate_per_s=1.0, count=_COUNT, seed=1)
    found = simulate(on, trace, "fcfs", replay="closed:outstanding=1").summary()
    return 1 / float(found["mean_service_s"])


def load_curves(on: Device, loads: Sequence[float], count: int, replications: int) -> Curves:
    """Run all policies at arrival rates that are `loads` times the throughput under FCFS."""
    rates = [round(load * served_per_s(on)) for load in loads]
    return response_curves(on, list(POLICIES), rates, count=count, replications=replications)


def positioning_rows(name: str, curves: Curves) -> list[dict[str, Any]]:
    """Return a table row per rate and policy of a design: positioning and response, also over FCFS's.

    Ratios are missing at rates that saturate FCFS.
    """
    titles = dict(zip(curves.schedulers, POLICIES.values(), strict=True))
    rows = []
    for point in curves.points:
        if point.saturated:
            continue
        row = {"design": name, "rate_per_s": point.load, "scheduler": titles[point.scheduler]}
        for figure in ("mean_positioning_s", "mean_response_s"):
            over = [
                one for one in curves.difference(point.scheduler, "fcfs", figure) if one.load == point.load
            ]
            row[figure] = point.estimates[figure].value
            key = figure.removeprefix("mean_").removesuffix("_s") + "_over_fcfs"
            row |= columns(key, over[0].ratio if over else None)
        rows.append(row)
    return rows


def energy_rows(
    name: str, on: Device, rates: Sequence[float], count: int, seeds: int
) -> list[dict[str, Any]]:
    """Return a table row per rate and policy of a design: joules per request, also over those under FCFS.

    Energy includes idle times. `name` is the design `on`; each of `seeds` runs has `count` random requests.
    """
    work = [(rate, policy, seed) for rate in rates for policy in POLICIES for seed in range(1, seeds + 1)]

    def uses(one: tuple[float, str, int]) -> dict[str, float]:
        rate, policy, seed = one
        run = simulate(on, random_workload(on, rate_per_s=rate, count=count, seed=seed), policy)
        return {use: joules / count for use, joules in run.energy_by_use_j.items()}

    with Workers() as pool:
        found = dict(zip(work, pool.each(uses, work), strict=True))
    rows = []
    for rate, policy in product(rates, POLICIES):
        own, base = ([found[rate, each, seed] for seed in range(1, seeds + 1)] for each in (policy, "fcfs"))
        over = ratio([sum(one.values()) for one in own], [sum(one.values()) for one in base])
        mean = {use: sum(one[use] for one in own) / seeds for use in own[0]}
        row: dict[str, Any] = {"design": name, "rate_per_s": rate, "scheduler": POLICIES[policy]}
        row |= {"energy_j": sum(mean.values()), "seek_j": mean["seek"]}
        row["idle_j"] = sum(mean[use] for use in _IDLE)
        rows.append(row | columns("energy_over_fcfs", over))
    return rows


def capture_rows(capture: str, name: str, outstanding: int) -> list[dict[str, Any]]:
    """Return a table row per policy: figures of a capture with a constant number of requests outstanding."""
    on, trace = design(name), bundled_trace(capture)
    rows: list[dict[str, Any]] = []
    shared = {"capture": capture, "design": name, "outstanding": outstanding}
    for policy, title in POLICIES.items():
        replay = f"closed:outstanding={outstanding}"
        run = simulate(on, trace, policy, past_end="wrap", replay=replay)
        found = run.summary()
        row: dict[str, Any] = {**shared, "scheduler": title}
        row |= {key: found[key] for key in ("mean_positioning_s", "mean_response_s", "energy_j")}
        row["seek_j"] = run.energy_by_use_j["seek"]
        base = rows[0] if rows else row
        for key, figure in _OVER.items():
            row[key] = row[figure] / base[figure]
        rows.append(row)
    return rows
