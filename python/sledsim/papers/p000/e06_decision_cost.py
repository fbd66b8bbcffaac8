"""000-E-6, Section 8: cost of a decision.

Processor time of a decision on this machine, with a full search and with an index; queues in zones.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sledsim import Device, Trace, estimates
from sledsim.estimates import Estimate

from ..shared import (
    Claim,
    OnInput,
    Result,
    columns,
    device,
    doubt,
    noted,
    simulate,
    stated,
)
from .comparisons import elsewhere
from .decision_times import EXACT, TABLES, cost_chart, decision_costs, times_in_words
from .hours import REQUESTS, drawn_hours, faster
from .inputs import OWN_RATE, SEQUENTIALITY, SLEDS, hour, zoned_device
from .sequential_streams import bursty_stream, stream
from .zone_queues import waiting, zone_numbers

#: Printed time per waiting request in µs, with exact seek times and with tables, and printed queue length
#: (section 8).
_EXACT_US, _TABLE_US, _QUEUE = 7.1, 5.1, 200
#: Numbers of requests in a burst: those of a quick run, and those of a full run.
_QUEUES = (30, 300, 3000), (30, 100, 300, 1000, 3000)
#: Arrival rates in requests/s at which ZSPTF is busy, number of requests per run, and number of runs.
_RATES = {"server": (1600.0, 1800.0, 1900.0), "user": (1800.0, 2000.0, 2100.0)}
_COUNT, _SEEDS, _WARM_UP = (10_000, 20_000), (3, 5), 0.2
#: Printed range of the number of all waiting requests over the number in the zone that is served (section 8).
_FEWEST, _MOST = 10, 100


def run(quick: bool) -> Result:
    """Measure the time of SPTF's decisions on this machine, and count waiting requests under ZSPTF."""
    model = device("mascots03")
    costs = decision_costs(model, _QUEUES[not quick])
    queues = zone_queues(quick)
    return Result(
        devices=[model, zoned_device(1)],
        claims=[decision_cost(costs, model.characteristics()["max_seek_s"] * 1e3), zone_claim(queues)],
        tables={"Cost of decisions on this machine": costs, "Waiting requests": queues},
        charts={"Cost of a decision": lambda: cost_chart(costs)},
        notes=noted("000-E-6", times=times_in_words(costs), saved=1 - _TABLE_US / _EXACT_US),
    )


def zone_queues(quick: bool) -> list[dict[str, Any]]:
    """Count, under ZSPTF, all waiting requests and those in the zone of the request that is served next.

    Returns:
        A table row for each input and load.
    """
    rows = []
    for like, rates in _RATES.items():
        model, draw = zoned_device(SLEDS[like]), stream(SEQUENTIALITY[like], _COUNT[not quick])
        for rate in rates:
            found = [_waiting(model, draw(model, rate, seed)) for seed in range(1, 1 + _SEEDS[not quick])]
            whole, zone = np.array(found).T
            means = {"waiting": float(whole.mean()), "waiting_in_zone": float(zone.mean())}
            ratio = columns("ratio", estimates.ratio(whole, zone))
            rows.append({"input": like, "rate_per_s": rate, **means, **ratio})
    return rows + [row for like in SLEDS for row in _hour_queues(like, quick)]


def _hour_queues(like: str, quick: bool) -> list[dict[str, Any]]:
    """Count waiting requests as `zone_queues` does, in bursty hours that resemble a trace of the paper."""
    used, seeds = hour(like, quick), range(1, 1 + _SEEDS[not quick])
    draw = bursty_stream(SEQUENTIALITY[like], REQUESTS[like])
    draws = drawn_hours(draw, used.device, OWN_RATE[like], seeds)
    rows = []
    for scale in (*used.loads["moderate"], *used.loads["heavy"]):
        found = [_waiting(used.device, faster(trace, scale), warm_up=0) for trace in draws]
        whole, zone = np.array(found).T
        means = {"waiting": float(whole.mean()), "waiting_in_zone": float(zone.mean())}
        ratio = columns("ratio", estimates.ratio(whole, zone))
        about = {"input": like, "rate_per_s": scale * OWN_RATE[like], "scale": scale}
        rows.append({**about, **means, **ratio})
    return rows


def decision_cost(rows: Sequence[dict[str, Any]], max_seek_ms: float) -> Claim:
    """Judge claim 000-C4 from printed times; the measured `rows` of `decision_costs` are only shown."""
    product_ms = _QUEUE * _TABLE_US * 1e-3
    texts = []
    for functions in (EXACT, TABLES):
        own = [1e6 * row["linear_per_entry_s"] for row in rows if row["functions"] == functions]
        texts.append(f"its computer; {min(own):.2g} to {max(own):.2g} µs on this machine")
    return stated(
        "000-C4",
        *texts,
        (
            f"{product_ms:.2f} ms; longest seek {max_seek_ms:.3f} ms",
            product_ms > 1 and product_ms > max_seek_ms,
        ),
    )


def zone_claim(rows: Sequence[dict[str, Any]]) -> Claim:
    """Judge claim 000-C18: all waiting requests are 10 to 100 times those in the zone that is served."""
    findings = [
        OnInput(
            f"all waiting requests over those in the zone, {_load(row)}",
            f"{_FEWEST} to {_MOST}",
            f"the {_kind(row)} ({100 * SEQUENTIALITY[row['input']]:g} % sequential)",
            str(ratio),
            # The finding is True if the interval is inside the printed range, and False if it is outside.
            doubt.told(
                ratio.low >= _FEWEST and ratio.high <= _MOST, ratio.high < _FEWEST or ratio.low > _MOST
            ),
            is_matched=bool(row.get("scale")),
        )
        for row in rows
        for ratio in [Estimate(row["ratio"], row["ratio_half_width"], 1)]
    ]
    return elsewhere("000-C18", findings)


def _kind(row: Mapping[str, Any]) -> str:
    return f"bursty {row['input']}-like hour" if row.get("scale") else f"{row['input']}-like stream"


def _load(row: Mapping[str, Any]) -> str:
    return f"x{row['scale']:,g}" if row.get("scale") else f"{row['rate_per_s']:,g}/s"


def _waiting(model: Device, trace: Trace, warm_up: float = _WARM_UP) -> tuple[float, float]:
    """Return the mean numbers of all waiting requests and of those in the zone of the next request."""
    run = simulate(model, trace, "zsptf")
    first = int(warm_up * len(trace))
    zones = zone_numbers(model, trace.lbn)
    return float(waiting(run)[first:].mean()), float(waiting(run, zones)[first:].mean())
