"""Fitting of a trace that exceeds a device: more sleds, more devices, a larger device, scaled addresses."""

from dataclasses import dataclass
from typing import Any

from .. import _native
from ..common import units
from ..common.shown import Form, Shown, quoted
from ..model.devices import Device, load_device
from ..model.volumes import Target, TargetOrName, from_parameters, target_of
from ..traces.streams import TraceStream
from ..traces.trace import Trace, check_trace

#: Largest number of sleds of a device, and of disks or cards in sequence, that `fit` uses.
MOST_SLEDS, MOST_DEVICES = 64, 16
#: Number of sleds above which `fit` uses a larger device instead, if `or_larger` is True.
_MANY_SLEDS = 8
#: Built-in MEMS device with the largest capacity.
LARGEST = "disksim-g3"
_SECTOR_BYTES = 512


@dataclass(frozen=True, repr=False)
class Fit(Shown):
    """A way to make a trace fit a device.

    Attributes:
        how: Kind of the change. ``as it is``: none. ``sleds``: more sleds, which move as one (000-F19).
            ``devices``: several disks or cards in sequence. ``larger``: another device, with more sleds if
            needed. ``squeeze``: addresses are scaled so that the highest one fits.
        asked_for: Name of the requested device or volume.
        target: Device or volume that runs the trace.
        past_end: Rule for requests past the end of the device, for the run on `target`.
        reach_bytes: Highest address of all requests to one traced device, in bytes.
        capacity_bytes: Capacity of the requested device in bytes.
        count: Number of sleds or devices after the change.
    """

    how: str
    asked_for: str
    target: Target
    past_end: str
    reach_bytes: int
    capacity_bytes: int
    count: int = 1

    def _form(self) -> Form:
        line = f"{self.how}: {quoted(self.target.name)} with past_end={self.past_end!r}"
        calls = ("target", "past_end", "sentence()")
        return Form(f"Fit: {self.how}", [self.sentence()], line=line, calls=calls)

    def lack(self) -> str:
        """Return the end of a sentence about the trace: how far it reaches, and how much the device holds."""
        reach, holds = _size(self.reach_bytes), _size(self.capacity_bytes)
        if reach == holds:
            reach, holds = (
                f"{size // _SECTOR_BYTES:,} sectors" for size in (self.reach_bytes, self.capacity_bytes)
            )
        return f"reaches {reach}, and {self.asked_for} holds {holds}"

    def done(self) -> str:
        """Return the end of a sentence: what makes the trace fit the device."""
        factor = units.number(self.reach_bytes / self.capacity_bytes)
        return {
            "as it is": "the trace fits",
            "sleds": f"the device gets {self.count:,} sleds, which move as one",
            "devices": f"{self.count:,} devices are used in sequence",
            "larger": f"{self.target.name} is used instead, with {_counted(self.count, 'sled')}",
            "squeeze": f"all addresses are divided by {factor}, which makes seeks shorter than recorded",
        }[self.how]

    def sentence(self) -> str:
        """Return a sentence: how far the trace exceeds the device, and what makes it fit."""
        return f"the trace {self.lack()}: {self.done()}"

    def row(self) -> dict[str, Any]:
        """Return all fields by name, as numbers and texts for JSON."""
        return {
            "how": self.how,
            "asked_for": self.asked_for,
            "taken": self.target.name,
            "past_end": self.past_end,
            "reach_bytes": self.reach_bytes,
            "capacity_bytes": self.capacity_bytes,
            "sleds" if self.how in ("sleds", "larger") else "devices": self.count,
            "sentence": self.sentence(),
        }


def reach_bytes(trace: Trace) -> int:
    """Return the highest address, in bytes, that a trace's requests to one traced device reach."""
    moves = trace.transfers()
    return int((moves.lbn + moves.blocks).max()) * _SECTOR_BYTES if len(moves) else 0


def capacity_bytes(target: Target) -> int:
    """Return the capacity of a device or volume in bytes."""
    return int(_native.sectors(target._native)) * _SECTOR_BYTES


def fit(device: TargetOrName, trace: Trace, or_larger: bool = False) -> Fit:
    """Choose how to make a trace fit a device.

    A MEMS device gets as many sleds as the trace needs, up to 64. Of a disk or card, up to 16 are used in
    sequence. If that does not suffice, or for a volume, all addresses are scaled down.

    Args:
        device: Device or volume from `device` or `volume`, or the name or file of a device.
        trace: Trace that should fit.
        or_larger: True to use a larger MEMS device if this one would need more than 8 sleds.

    Raises:
        TraceError: A request is longer than the device.
    """
    device = target_of(device)
    check_trace(trace)
    reach, holds = reach_bytes(trace), capacity_bytes(device)

    def found(how: str, target: Target, past_end: str, count: int = 1) -> Fit:
        return Fit(how, device.name, target, past_end, reach, holds, count)

    if reach <= holds:
        return found("as it is", device, "error")
    sleds = _sleds(device, reach)
    if sleds is not None and or_larger and sleds > _MANY_SLEDS:
        larger = load_device(LARGEST)
        more = _sleds(larger, reach)
        if more is not None and more <= MOST_SLEDS:
            return found("larger", larger.with_parameters(sleds=more), "error", more)
    if sleds is not None and sleds <= MOST_SLEDS:
        # Wrapped devices get their faults or episodes when they run.
        if isinstance(device, Device):
            return found("sleds", device.with_parameters(sleds=sleds), "error", sleds)
        return found("sleds", device, "sleds", sleds)
    count = -(-reach // holds)
    if sleds is None and isinstance(device, Device) and count <= MOST_DEVICES:
        members = {"volume": "sleds", "devices": str(count), "device": [device.parameters] * count}
        return found("devices", from_parameters(members), "error", count)
    longest = int(trace.transfers().blocks.max()) * _SECTOR_BYTES
    if longest > holds:
        raise _native.TraceError(
            f"{trace.source}: a request of {_size(longest)} is longer than {device.name}, which holds"
            f" {_size(holds)}"
        )
    return found("squeeze", device, "squeeze")


def fitted(device: Target, trace: Trace | TraceStream, past_end: str) -> tuple[Target, Trace, str]:
    """Return device, trace (in memory) and rule for requests past the end, for a run with ``fit=True``.

    Raises:
        ParameterError: The user gave ``past_end``, too, which ``fit`` chooses itself.
        TraceError: A request is longer than the device.
    """
    if past_end != "error":
        raise _native.ParameterError(f"expected either fit or past_end, found both (past_end = {past_end})")
    whole = trace.read() if isinstance(trace, TraceStream) else trace
    found = fit(device, whole)
    return found.target, whole, found.past_end


def ways(device: Target, trace: Trace) -> dict[str, str]:
    """Return the rules (values of ``past_end``) under which a too large trace can run, with their effects."""
    reach, holds = reach_bytes(trace), capacity_bytes(device)
    sleds = _sleds(device, reach)
    found = {} if sleds is None else {"sleds": f"{sleds:,} sleds, which move as one"}
    longest = int(trace.transfers().blocks.max()) * _SECTOR_BYTES
    if longest <= holds:
        found["squeeze"] = f"all addresses divided by {units.number(reach / holds)}"
        found["wrap"] = "addresses past the end wrap around to 0"
    return found


def sleds_for(device: Device, trace: Trace) -> int:
    """Return the number of sleds with which a device holds a trace.

    Raises:
        TraceError: The device cannot have more sleds, or not as many as the trace needs.
    """
    found = _sleds(device, reach_bytes(trace))
    if found is None:
        raise _native.TraceError(f"{trace.source}: no number of sleds lets {device.name} hold the trace")
    return found


def _sleds(target: Target, reach: int) -> int | None:
    """Return how many sleds a device needs to hold `reach` bytes; None if it cannot have enough."""
    return _native.sleds_for(target._native, -(-reach // _SECTOR_BYTES))


def _size(size_bytes: int) -> str:
    return units.size(size_bytes)


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
