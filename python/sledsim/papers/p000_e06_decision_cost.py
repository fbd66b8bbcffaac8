"""000-E-6: section 8, what a decision costs, and how many requests it is about."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow

from .. import intervals
from ..models import Device, device
from ..runs import simulate
from ..traces import Trace, random_workload
from .claims import Claim, claim
from .experiments import Result
from .findings import Elsewhere, Statement, Unpublished
from .p000_inputs import REASON, SEQUENTIALITY, SLEDS, zoned_device
from .sequential_streams import stream
from .zone_queues import waiting, zone_numbers

#: Section 8: microseconds an entry, exact and with tables; and the queue of its example.
_EXACT_US, _TABLE_US, _QUEUE = 7.1, 5.1, 200
#: Queues, those of a quick run first; and how many entries each measurement looks at, at least.
_QUEUES, _ENTRIES = ((30, 300, 3000), (30, 100, 300, 1000, 3000)), 400_000
_REPEATS = 3
_MODELS = {"exact functions": "bang-bang", "tables": "table"}
#: Nanoseconds between bursts for each of their requests: longer than any service.
_SPACE_NS = 5_000_000
#: Arrival rates at which ZSPTF is busy, requests of a run, and runs.
_RATES = {"server": (1600.0, 1800.0, 1900.0), "user": (1800.0, 2000.0, 2100.0)}
_COUNT, _SEEDS, _WARM_UP = (10_000, 20_000), (3, 5), 0.2


def run(quick: bool) -> Result:
    """Time decisions on this machine, and count what waits in a zone and in all."""
    model = device("mascots03")
    costs = decision_costs(model, _QUEUES[not quick])
    queues = zone_queues(quick)
    return Result(
        devices=[model, zoned_device(1)],
        claims=[decision_cost(costs, model.characteristics()["max_seek_s"] * 1e3), zone_claim(queues)],
        tables={
            "Cost of decisions on this machine": pyarrow.Table.from_pylist(costs),
            "Requests that wait": pyarrow.Table.from_pylist(queues),
        },
        charts={"Cost of a decision": lambda: _chart(costs)},
        notes=[
            "Times are processor time of this machine, the best of three: a run under SPTF less one under"
            " FCFS over the same bursts of requests. No two runs have the same; no verdict hangs on them.",
            "Tables take up to a quarter off what an entry of the queue costs, as the machine's other work"
            " lets them; the paper's took 28 %. With the index it hardly depends on the queue.",
            "Requests in a zone of 120 x 1200 bits are counted at the start of each service, the one served"
            " among them, and so are all; intervals are of 95 %, from replications.",
        ],
    )


def decision_costs(model: Device, queues: Sequence[int]) -> list[dict[str, Any]]:
    """Microseconds that SPTF takes for an entry of the queue, searching all of it, and for a decision.

    Args:
        model: The device.
        queues: Lengths of bursts of requests; the mean queue is about half of each.

    Returns:
        One row a burst and seek model.
    """
    rows = []
    for queue in queues:
        for functions, seek_model in _MODELS.items():
            one = model.with_parameters(seek_model=seek_model)
            bursts = max(1, round(_ENTRIES / (queue * (queue + 1) / 2)))
            trace = _bursts(one, queue, bursts)
            base_s, linear_s, index_s = (
                _processor_s(one, trace, name) for name in ("fcfs", "sptf:search=linear", "sptf")
            )
            decisions, entries = len(trace), len(trace) * (queue + 1) / 2
            rows.append(
                {
                    "burst": queue,
                    "functions": functions,
                    "linear_per_entry_s": max(linear_s - base_s, 0.0) / entries,
                    "linear_per_decision_s": max(linear_s - base_s, 0.0) / decisions,
                    "index_per_decision_s": max(index_s - base_s, 0.0) / decisions,
                }
            )
    return rows


def zone_queues(quick: bool) -> list[dict[str, Any]]:
    """Requests that wait in the zone of the one served, and in all, under ZSPTF.

    Returns:
        One row an input and rate.
    """
    rows = []
    for like, rates in _RATES.items():
        model, draw = zoned_device(SLEDS[like]), stream(SEQUENTIALITY[like], _COUNT[not quick])
        for rate in rates:
            found = [_waiting(model, draw(model, rate, seed)) for seed in range(1, 1 + _SEEDS[not quick])]
            whole, zone = np.array(found).T
            ratio = intervals.ratio(whole, zone)
            means = {"waiting": float(whole.mean()), "waiting_in_zone": float(zone.mean())}
            row = {"input": like, "rate_per_s": rate, **means}
            rows.append(row | {"ratio": ratio.value, "ratio_half_width": ratio.half_width})
    return rows


def decision_cost(rows: Sequence[dict[str, Any]], max_seek_ms: float) -> Claim:
    """The verdict on the cost of a decision; `rows` as `decision_costs` gives them."""
    product_ms = _QUEUE * _TABLE_US * 1e-3
    texts = {}
    for functions in _MODELS:
        own = [1e6 * row["linear_per_entry_s"] for row in rows if row["functions"] == functions]
        texts[functions] = f"{min(own):.2g} to {max(own):.2g} µs on this machine"
    # Ten times the queue costs ten times as much; measured times may be off by a factor of 3 for that.
    exact = [row for row in rows if row["functions"] == "exact functions"]
    shortest, longest = exact[0], exact[-1]
    growth = longest["linear_per_decision_s"] / max(shortest["linear_per_decision_s"], 1e-12)
    expected = (longest["burst"] + 1) / (shortest["burst"] + 1)
    return claim(
        "000-C4",
        "Exact scheduling that searches the queue costs microseconds an entry: with 200 in it, longer than"
        " any seek.",
        Unpublished(
            "time an entry, exact functions", f"{_EXACT_US} µs", f"its computer; {texts['exact functions']}"
        ),
        Unpublished(
            "time an entry, tabulated functions", f"{_TABLE_US} µs", f"its computer; {texts['tables']}"
        ),
        Elsewhere(
            f"a decision with {longest['burst']} in the queue over one with {shortest['burst']}",
            f"in proportion: {expected:.3g}",
            "this machine",
            f"{growth:.3g}",
            holds=expected / 3 < growth < 3 * expected,
        ),
        Statement(
            f"a queue of {_QUEUE} entries at {_TABLE_US} µs",
            "more than 1 ms, longer than any seek",
            f"{product_ms:.2f} ms; longest seek {max_seek_ms:.3f} ms",
            holds=product_ms > 1 and product_ms > max_seek_ms,
        ),
        reason="The times are of one computer of 2003, a Pentium III of 700 MHz. That a search costs the same"
        " for each entry is found here, too; the arithmetic on them holds.",
    )


def zone_claim(rows: Sequence[dict[str, Any]]) -> Claim:
    """The verdict on queues in zones; `rows` as `zone_queues` gives them."""
    findings = []
    for like in _RATES:
        own = [row for row in rows if row["input"] == like]
        ratios = ", ".join(
            f"{row['ratio']:.3g} ± {row['ratio_half_width']:.2g} at {row['rate_per_s']:,g}/s" for row in own
        )
        low = [row["ratio"] - row["ratio_half_width"] for row in own]
        high = [row["ratio"] + row["ratio_half_width"] for row in own]
        stream_like = f"the {like}-like stream ({100 * SEQUENTIALITY[like]:g} % sequential)"
        holds = min(high) >= 10 and max(low) <= 100
        findings.append(
            Elsewhere(
                "requests that wait in all over those in the zone", "10 to 100", stream_like, ratios, holds
            )
        )
    return claim(
        "000-C18",
        "In a zone wait 10 to 100 times fewer requests than in all. Read as: at every busy load.",
        *findings,
        reason=f"{REASON} The next request of a sequential stream is in the zone of the last: on the"
        " user-like stream much of what waits is there.",
    )


def _waiting(model: Device, trace: Trace) -> tuple[float, float]:
    """The mean number of requests that wait in all and in the zone of the one served."""
    run = simulate(model, trace, "zsptf")
    first = int(_WARM_UP * len(trace))
    zones = zone_numbers(model, trace.lbn)
    return float(waiting(run)[first:].mean()), float(waiting(run, zones)[first:].mean())


def _bursts(model: Device, queue: int, bursts: int) -> Trace:
    """Random requests of which so many come at once, again and again, each time to an idle device."""
    drawn = random_workload(model, rate_per_s=1.0, count=queue * bursts)
    arrival_ns = np.repeat(np.arange(bursts, dtype=np.int64) * queue * _SPACE_NS, queue)
    return Trace(arrival_ns, drawn.lbn, drawn.blocks, drawn.write, source="bursts")


def _processor_s(model: Device, trace: Trace, scheduler: str) -> float:
    times = []
    for _ in range(_REPEATS):
        begin = time.process_time()
        simulate(model, trace, scheduler)
        times.append(time.process_time() - begin)
    return min(times)


def _chart(rows: Sequence[dict[str, Any]]) -> Any:
    """Decisions over the queue, searched and indexed."""
    from ..plots import COLOURS, alt, readable

    names = {"linear_per_decision_s": "search of the whole queue", "index_per_decision_s": "index"}
    values = [
        {"queue": row["burst"], "us": 1e6 * row[key], "how": f"{name}, {row['functions']}"}
        for row in rows
        for key, name in names.items()
        if row[key] > 0
    ]
    log = alt.Scale(type="log")
    chart = (
        alt.Chart(alt.InlineData(values=values))
        .mark_line(point=True)
        .encode(
            x=alt.X("queue:Q", title="Requests that come at once (log scale)").scale(log),
            y=alt.Y("us:Q", title="Processor time a decision, µs (log scale)").scale(log),
            color=alt.Color("how:N", title="Found by").scale(range=list(COLOURS[:4])).legend(labelLimit=300),
        )
    )
    title = "What a decision of SPTF costs on this machine"
    return readable(chart.properties(width=520, height=300, title=title, padding=16))
