"""Fitting of a trace that reaches past the end of a device: more sleds, a larger device, a new scale."""

from dataclasses import dataclass
from typing import Any

from .. import _native
from ..common import units
from ..common.shown import Form, Shown, quoted
from ..model.devices import Device, load_device
from ..model.volumes import Target, TargetOrName, from_parameters, target_of
from ..traces.streams import TraceStream
from ..traces.trace import Trace, check_trace

#: Largest number of sleds of a device, and of disks and cards in sequence, that could be built.
MOST_SLEDS, MOST_DEVICES = 64, 16
#: Number of sleds from which on a larger device is taken, if the caller allows another device.
_MANY_SLEDS = 8
#: Built-in MEMS device with the largest capacity.
LARGEST = "disksim-g3"
_SECTOR_BYTES = 512


@dataclass(frozen=True, repr=False)
class Fit(Shown):
    """A way to make a trace fit a device.

    Attributes:
        how: ``as it is``; ``sleds``: the device has more sleds, which move as one (000-F19); ``devices``:
            several devices of a disk or card in sequence; ``larger``: another device, with more sleds if
            needed; ``squeeze``: all addresses are scaled so that the highest fits.
        asked_for: Name of the requested device or volume.
        target: Device or volume that runs the trace.
        past_end: Rule for requests past the end of the device in that run.
        reach_bytes: Highest address that requests reach on one traced device.
        capacity_bytes: Capacity of the requested device.
        count: Number of sleds or devices in all.
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
        """A clause that names the highest address and the capacity."""
        reach, holds = _size(self.reach_bytes), _size(self.capacity_bytes)
        if reach == holds:
            reach, holds = (
                f"{size // _SECTOR_BYTES:,} sectors" for size in (self.reach_bytes, self.capacity_bytes)
            )
        return f"reaches {reach}, and {self.asked_for} holds {holds}"

    def done(self) -> str:
        """A clause that names the change."""
        factor = units.number(self.reach_bytes / self.capacity_bytes)
        return {
            "as it is": "the trace fits",
            "sleds": f"the device gets {self.count:,} sleds, which move as one",
            "devices": f"{self.count:,} devices are used in sequence",
            "larger": f"{self.target.name} is used instead, with {_counted(self.count, 'sled')}",
            "squeeze": f"all addresses are divided by {factor}, which makes seeks shorter than recorded",
        }[self.how]

    def sentence(self) -> str:
        """A sentence on the change and its reason."""
        return f"the trace {self.lack()}: {self.done()}"

    def row(self) -> dict[str, Any]:
        """Dictionary of all fields by name, for JSON."""
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
    """Highest address that requests of a trace reach on one traced device, in bytes."""
    moves = trace.transfers()
    return int((moves.lbn + moves.blocks).max()) * _SECTOR_BYTES if len(moves) else 0


def capacity_bytes(target: Target) -> int:
    """Capacity of a device or volume in bytes."""
    return int(_native.sectors(target._native)) * _SECTOR_BYTES


def fit(device: TargetOrName, trace: Trace, or_larger: bool = False) -> Fit:
    """Choose how to make a trace fit a device.

    A MEMS device gets as many sleds as needed, up to 64; a disk or card is used up to 16 times in sequence.
    Traces beyond that, and traces for volumes, are squeezed.

    Args:
        device: Device or volume from `device` or `volume`, or the name or file of a device.
        trace: The requests.
        or_larger: True to allow another MEMS device if this one would need more than 8 sleds.

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
    """The device, the whole trace, and the rule for requests past the end, for a run with ``fit=True``.

    Raises:
        ParameterError: A rule for requests past the end is given in addition.
        TraceError: A request is longer than the device.
    """
    if past_end != "error":
        raise _native.ParameterError(f"expected either fit or past_end, found both (past_end = {past_end})")
    whole = trace.read() if isinstance(trace, TraceStream) else trace
    found = fit(device, whole)
    return found.target, whole, found.past_end


def ways(device: Target, trace: Trace) -> dict[str, str]:
    """Ways to run a trace that reaches past the end of a device, and the effect of each way."""
    reach, holds = reach_bytes(trace), capacity_bytes(device)
    sleds = _sleds(device, reach)
    found = {} if sleds is None else {"sleds": f"{sleds:,} sleds, which move as one"}
    longest = int(trace.transfers().blocks.max()) * _SECTOR_BYTES
    if longest <= holds:
        found["squeeze"] = f"all addresses divided by {units.number(reach / holds)}"
        found["wrap"] = "addresses past the end wrap around to 0"
    return found


def sleds_for(device: Device, trace: Trace) -> int:
    """Number of sleds that a device needs to hold a trace.

    Raises:
        TraceError: The device cannot have more sleds, or not as many as needed.
    """
    found = _sleds(device, reach_bytes(trace))
    if found is None:
        raise _native.TraceError(f"{trace.source}: no number of sleds lets {device.name} hold it")
    return found


def _sleds(target: Target, reach: int) -> int | None:
    """Number of sleds with which a device reaches this address; None if no number of sleds suffices."""
    return _native.sleds_for(target._native, -(-reach // _SECTOR_BYTES))


def _size(size_bytes: int) -> str:
    return units.size(size_bytes)


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
