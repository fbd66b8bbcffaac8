"""Certificate of the timing of a served device: if replies were in time, with figures on their lateness."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from .lateness import TOLERANCE, TOLERANCE_US, Lateness
from .probing import Probed
from .reproduction import difference
from .served import HOW, Record, canonical, ratio

#: Smallest share of replies that must be in time for the device to be certified.
SHARE = 0.99
P999_US = 1000.0
_SAYS = (
    "Lateness is the time at which the last byte of a reply was handed to the system, less the time at which"
    " the simulated device would have given the reply. A reply that is sent early by a lead is judged by the "
    "same difference. Lateness excludes the time that a client takes to send a request and to notice the "
    "reply. The floor is the latency of requests of zero service time, with the server's part of it. The "
    "probe is a client inside the server. Replies to a client that was gone, or that read nothing for five "
    "seconds, are counted and not judged."
)
Certificate = dict[str, Any]


def certificate(served: Record) -> Certificate:
    """Compute the timing certificate of a served device from the record of its requests.

    The function reads the requests twice and needs up to 16 bytes of memory per request.

    Raises:
        TraceError: The record is not from a served device ('sledsim serve --record').
    """
    settings, how = served.settings, served.how
    lateness, probed = Lateness(ratio(how["time_scale"])), Probed(served)
    for batch in served.batches():
        lateness.add(batch)
        probed.add(batch)
    found = lateness.figures()
    differs = difference(served) or ("due_ns" if lateness.has_wrong_due else None)
    reason = _reason(differs, lateness.answered, found)
    about = {name: found.pop(name) for name in ("requests", "unanswered")}
    return {
        "certified": reason is None,
        "reason": reason,
        "device": settings.parameters.get("name", settings.parameters.get("volume")),
        "parameters_sha256": hashlib.sha256(canonical(settings.parameters).encode()).hexdigest(),
        "scheduler": settings.scheduler_in_full,
        "sledsim": settings.version,
        **{key: how.get(key) for key in HOW if key not in ("probe", "notes")},
        "came_back": how.get("notes") is not None,
        **about,
        "identical": differs is None,
        **found,
        "probe": probed.figures(),
        "tolerance": f"{TOLERANCE:.0%} of the response time or {TOLERANCE_US:g} us, whichever is longer",
        "says": _SAYS,
    }


def to_text(made: Mapping[str, Any]) -> str:
    """Return the certificate as JSON text for a file."""
    return json.dumps(made, indent=2) + "\n"


def _reason(differs: str | None, answered: int, found: Mapping[str, Any]) -> str | None:
    """Return the first reason why the timing of the device cannot be certified, or None if it can.

    Args:
        differs: Name of a column in which the record differs from a new simulation of the requests, or None.
        answered: Number of requests to which a reply was sent.
        found: Figures of the replies from `Lateness.figures`.
    """
    if differs is not None:
        return f"the simulator gives other values of {differs} for the same requests"
    if not answered:
        return "no request had a reply"
    share, p999_us = found["share_in_time"], found["lateness_us"]["p999"]
    if share < SHARE:
        return f"{share:.2%} of the replies were in time, expected at least {SHARE:.0%}"
    if p999_us > P999_US:
        return f"1 of 1,000 replies was {p999_us:,.0f} us late or more, expected at most {P999_US:,.0f} us"
    return None
