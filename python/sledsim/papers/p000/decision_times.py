"""Measurement of the processor time that SPTF needs for a decision on this machine, and its chart."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from sledsim import Device, Trace, simulate
from sledsim.charts import COLOURS, alt, plot, readable

from ..shared import random_workload

#: Least number of waiting requests examined in a measurement, and number of repetitions of a measurement.
_ENTRIES, _REPEATS = 400_000, 3
EXACT, TABLES = "exact functions", "tables"
_MODELS = {EXACT: "bang-bang", TABLES: "table"}
#: Time in ns to the next burst, per request of a burst. A service takes less, so every burst finds an idle
#: device.
_SPACE_NS = 5_000_000


def decision_costs(model: Device, queues: Sequence[int]) -> list[dict[str, Any]]:
    """Measure processor time per decision of SPTF, and per waiting request, by full search and by index.

    Args:
        model: Device of the runs.
        queues: Numbers of simultaneous requests in a burst. While a burst is served, the mean queue is half
            of it.

    Returns:
        A table row for each number of requests and each way to compute seek times.
    """
    rows = []
    for queue in queues:
        for functions, seek_model in _MODELS.items():
            one = model.with_parameters(seek_model=seek_model)
            bursts = max(1, round(_ENTRIES / (queue * (queue + 1) / 2)))
            trace = _bursts(one, queue, bursts)
            base_s, linear_s, index_s = (
                processor_s(one, trace, name) for name in ("fcfs", "sptf:search=linear", "sptf")
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


def times_in_words(rows: Sequence[dict[str, Any]]) -> str:
    """Return a note from the rows of `decision_costs`: time of a decision, and the share that tables save."""
    exact, tables = ([row for row in rows if row["functions"] == name] for name in (EXACT, TABLES))
    saved = [
        1 - one["linear_per_entry_s"] / other["linear_per_entry_s"]
        for one, other in zip(tables, exact, strict=True)
        if other["linear_per_entry_s"] > 0
    ]
    words = [
        f"with {row['burst']:,} requests at once a decision takes {1e6 * row['linear_per_decision_s']:.3g} µs"
        f" with a full search, {1e6 * row['index_per_decision_s']:.3g} µs with the index"
        for row in (exact[0], exact[-1])
    ]
    less = f" Tables save {min(saved):.0%} to {max(saved):.0%} of an entry." if saved else ""
    return f"In this run, {'; '.join(words)}.{less}"


def processor_s(model: Device, trace: Trace, scheduler: str) -> float:
    """Return the processor time of a run in s: the least of several equal runs, without other threads."""
    times = []
    for _ in range(_REPEATS):
        begin = time.thread_time()
        simulate(model, trace, scheduler)
        times.append(time.thread_time() - begin)
    return min(times)


def cost_chart(rows: Sequence[dict[str, Any]]) -> Any:
    """Draw the time of a decision over the number of simultaneous requests, by full search and by index."""
    searched = {"linear_per_decision_s": "search of the whole queue", "index_per_decision_s": "index"}
    values = [
        {"queue": row["burst"], "us": 1e6 * row[key], "how": f"{name}, {row['functions']}"}
        for row in rows
        for key, name in searched.items()
        if row[key] > 0
    ]
    base = plot(
        values,
        x=alt.X("queue:Q", title="Simultaneous requests (log scale)").scale(type="log"),
        y=alt.Y("us:Q", title="Processor time per decision, µs (log scale)").scale(type="log"),
        color=alt.Color("how:N", title="Search").scale(range=COLOURS[:4]).legend(labelLimit=300),
    )
    lines = base.mark_line(point=True).properties(width=520, height=300)
    return readable(lines, title="Cost of an SPTF decision on this machine")


def _bursts(model: Device, queue: int, bursts: int) -> Trace:
    """Draw `bursts` bursts of `queue` simultaneous random requests, each after the previous one is served."""
    drawn = random_workload(model, rate_per_s=1.0, count=queue * bursts)
    arrival_ns = np.repeat(np.arange(bursts, dtype=np.int64) * queue * _SPACE_NS, queue)
    return Trace(arrival_ns, drawn.lbn, drawn.blocks, drawn.op, source="bursts")
