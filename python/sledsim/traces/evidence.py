"""Evidence on a recording: how far its requests and times can be believed."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import _native

if TYPE_CHECKING:
    # The command line, which needs names of formats, starts without numpy.
    import numpy as np
    from numpy.typing import NDArray


class Evidence(NamedTuple):
    """A finding on a recording, made while it is read.

    Attributes:
        aspect: Property of the recording: clock, completeness, notation, pairing or plausibility.
        verdict: ``doubtful`` if results of the recording may be wrong; ``fine`` for a remark.
        text: The finding as a sentence without a full stop.
    """

    aspect: str
    verdict: str
    text: str


def doubts(evidence: Iterable[Evidence]) -> tuple[str, ...]:
    """Return the sentences of doubtful evidence."""
    return tuple(found.text for found in evidence if found.verdict == "doubtful")


def clock_of(arrival_ns: "NDArray[np.int64]") -> _native.Clock:
    """Return the clock that gave arrival times in nanoseconds, in ascending order."""
    clock = _native.Clock()
    clock.add(arrival_ns)
    return clock


def with_clock(evidence: Iterable[Evidence], clock: _native.Clock) -> tuple[Evidence, ...]:
    """Return evidence together with the finding on a clock, unless it has one already."""
    found = tuple(evidence)
    own = clock.evidence()
    if own is None or any(one.aspect == "clock" for one in found):
        return found
    return (*found, _of_core(*own))


def _of_core(aspect: str, is_doubtful: bool, text: str) -> Evidence:
    return Evidence(aspect, "doubtful" if is_doubtful else "fine", text)


def of_reader(known: dict[str, Any]) -> tuple[tuple[Evidence, ...], tuple[str, ...]]:
    """Return the evidence on a file that the core has read, and its lines to print."""
    found = [_of_core(*one) for one in known["evidence"]]
    exact = [one for one in found if one[:2] == ("clock", "fine")]
    if late := known["late"]:
        text = f"out of order in the file, and now sorted by arrival: {late:,} requests"
        found.append(Evidence("clock", "fine", text))
    if bad := known["bad"]:
        faults = "".join(f"\n  {fault}" for fault in known["first_bad"])
        text = f"skipped {bad:,} lines or records that cannot be read, first:{faults}"
        found.append(Evidence("completeness", "doubtful", text))
    shown = [one for one in found if one not in exact]
    return tuple(found), tuple(line for one in shown for line in one.text.splitlines())
