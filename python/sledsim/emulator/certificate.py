"""How true the timing was of what a server has served."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from .lateness import TOLERANCE, TOLERANCE_US, Lateness
from .probing import Probed
from .reproduction import difference
from .served import HOW, Record, canonical, ratio

#: So many answers have to be in time, and the latest of a thousand may be late by so much.
SHARE = 0.99
P999_US = 1000.0
_SAYS = (
    "Lateness is when the last byte of an answer was handed to the system less when the simulated device"
    " would have given it. An answer that is sent early by a lead is judged like any other: by how far from"
    " then it was sent. The time that a client takes to ask and to notice is not in it; the floor is that of"
    " requests that cost nothing, with the server's part of it; the probe is a client of the server's own."
    " Answers that nobody was left to be sent, or that nobody read for five seconds, are counted and not"
    " judged."
)
Certificate = dict[str, Any]


def certificate(served: Record) -> Certificate:
    """Derive the certificate: the same from the same rows, whenever and wherever that is done.

    It goes through the rows twice and keeps 8 bytes of each, and 16 for a moment in the end.

    Raises:
        TraceError: The rows are not what was served.
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
    """The certificate as it is written."""
    return json.dumps(made, indent=2) + "\n"


def _reason(differs: str | None, answered: int, found: Mapping[str, Any]) -> str | None:
    """Why there is no certificate, the first reason of all."""
    if differs is not None:
        return f"the simulator gives other values of {differs} for the same requests"
    if not answered:
        return "no request was answered"
    share, p999_us = found["share_in_time"], found["lateness_us"]["p999"]
    if share < SHARE:
        return f"{share:.2%} of the answers were in time, expected at least {SHARE:.0%}"
    if p999_us > P999_US:
        return f"1 of 1,000 answers was {p999_us:,.0f} us late or more, expected at most {P999_US:,.0f} us"
    return None
