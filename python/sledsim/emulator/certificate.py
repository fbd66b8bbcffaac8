"""How true the timing was of what a server has served."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .served import HOW, Served, canonical

#: An answer is in time within this part of its response time, or this many microseconds, whichever is longer.
TOLERANCE = 0.02
TOLERANCE_US = 50.0
#: A wider tolerance, for comparison.
_WIDER = 0.05
#: So many answers have to be in time, and the latest of a thousand may be late by so much.
SHARE = 0.99
P999_US = 1000.0
#: Requests of up to so many sectors are told apart by their size.
_SIZES = (("up to 4 KiB", 8), ("up to 64 KiB", 128), ("longer", None))
_QUANTILES = (("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p999", 0.999), ("max", 1.0))
_WORST = 10
_NANOS_PER_S = 10**9
_SAYS = (
    "Lateness is when the server had sent an answer less when the simulated device would have given it."
    " The time that a client takes to ask and to notice is not in it. Answers that nobody was left to be sent"
    " are counted and not judged."
)

Certificate = dict[str, Any]


def certificate(served: Served) -> Certificate:
    """Derive the certificate: the same from the same rows, whenever and wherever that is done."""
    run, how = served.run, served.how
    sent = served.rows["sent_ns"] >= 0
    late_ns = (served.rows["sent_ns"] - served.rows["due_ns"])[sent]
    scale = _ratio(how["time_scale"])
    response_ns = (run.columns["completion_ns"] - run.columns["arrival_ns"])[sent] * scale
    off_us = np.abs(late_ns) / 1e3
    differs = _difference(served)
    within = off_us <= np.maximum(TOLERANCE * response_ns / 1e3, TOLERANCE_US)
    share = float(within.mean()) if len(within) else 0.0
    lateness = _lateness(late_ns)
    reason = _reason(differs, len(late_ns), share, lateness.get("p999", 0.0))
    return {
        "certified": reason is None,
        "reason": reason,
        "device": run.settings.parameters.get("name", run.settings.parameters.get("volume")),
        "parameters_sha256": hashlib.sha256(canonical(run.settings.parameters).encode()).hexdigest(),
        "scheduler": run.settings.scheduler_in_full,
        "sledsim": run.settings.version,
        **{key: how[key] for key in HOW},
        "requests": len(sent),
        "unanswered": int((~sent).sum()),
        "identical": differs is None,
        "share_in_time": share,
        "share_within_5_percent": float((off_us <= _WIDER * response_ns / 1e3).mean())
        if len(off_us)
        else 0.0,
        "lateness_us": lateness,
        "lateness_us_by_kind": _by_kind(served, sent, late_ns),
        "seconds_with_several_late": _late_seconds(served.rows["due_ns"][sent], within),
        "worst": _worst(served, sent),
        "tolerance": f"{TOLERANCE:.0%} of the response time or {TOLERANCE_US:g} us, whichever is longer",
        "says": _SAYS,
    }


def to_text(made: Mapping[str, Any]) -> str:
    """The certificate as it is written."""
    return json.dumps(made, indent=2) + "\n"


def _ratio(text: str) -> float:
    over, _, under = text.partition("/")
    return int(over) / int(under or 1)


def _reason(differs: str | None, answered: int, share: float, p999_us: float) -> str | None:
    """Why there is no certificate, the first reason of all."""
    if differs is not None:
        return f"the simulator gives other values of {differs} for the same requests"
    if not answered:
        return "no request was answered"
    if share < SHARE:
        return f"{share:.2%} of the answers were in time, expected at least {SHARE:.0%}"
    if p999_us > P999_US:
        return f"1 of 1,000 answers was {p999_us:,.0f} us late or more, expected at most {P999_US:,.0f} us"
    return None


def _difference(served: Served) -> str | None:
    """The first column in which the simulator differs when it is given the same requests."""
    run, again = served.run, served.run.again()
    for name, column in run.columns.items():
        if not np.array_equal(column, again.columns[name]):
            return name
    return None


def _lateness(late_ns: NDArray[np.int64]) -> dict[str, float]:
    """Exact order statistics, in microseconds."""
    if not len(late_ns):
        return {}
    ordered = np.sort(late_ns)
    ranks = {name: max(0, int(np.ceil(part * len(ordered))) - 1) for name, part in _QUANTILES}
    return {"min": ordered[0] / 1e3, **{name: ordered[rank] / 1e3 for name, rank in ranks.items()}}


def _by_kind(
    served: Served, sent: NDArray[np.bool_], late_ns: NDArray[np.int64]
) -> dict[str, dict[str, float]]:
    """Lateness of reads, writes and zeros, each by size."""
    write, zeroes = served.run.columns["write"][sent], served.rows["zeroes"][sent] == 1
    blocks = served.run.columns["blocks"][sent]
    kinds = (("read", ~write), ("write", write & ~zeroes), ("write zeroes", zeroes))
    all_found: dict[str, dict[str, float]] = {}
    for kind, of_kind in kinds:
        least = 0
        for size, most in _SIZES:
            here = of_kind & (blocks > least) & (blocks <= (most or np.inf))
            if here.any():
                all_found[f"{kind}, {size}"] = {"requests": int(here.sum()), **_lateness(late_ns[here])}
            least = most or least
    return all_found


def _late_seconds(due_ns: NDArray[np.int64], within: NDArray[np.bool_]) -> int:
    """In how many seconds of the clock more than one answer was not in time."""
    _, counts = np.unique(due_ns[~within] // _NANOS_PER_S, return_counts=True)
    return int((counts > 1).sum())


def _worst(served: Served, sent: NDArray[np.bool_]) -> list[dict[str, Any]]:
    columns, rows = served.run.columns, np.flatnonzero(sent)
    late_ns = (served.rows["sent_ns"] - served.rows["due_ns"])[rows]
    worst = rows[np.lexsort((rows, -np.abs(late_ns)))][:_WORST]
    return [
        {
            "row": int(row),
            "arrival_s": int(columns["arrival_ns"][row]) / _NANOS_PER_S,
            "write": bool(columns["write"][row]),
            "lbn": int(columns["lbn"][row]),
            "blocks": int(columns["blocks"][row]),
            "response_us": int(columns["completion_ns"][row] - columns["arrival_ns"][row]) / 1e3,
            "lateness_us": int(served.rows["sent_ns"][row] - served.rows["due_ns"][row]) / 1e3,
        }
        for row in worst
    ]
