"""Remapping: moving the addresses of a trace so that they fit a smaller or larger device."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ... import _native
from ...common.arguments import chosen
from ..streams import TraceStream
from ..trace import FLUSH, Trace
from .change import AnyTrace, permuted

#: Number of sectors that the rule ``hash`` moves together: 1 MiB.
_EXTENT_SECTORS = 2048


@dataclass(frozen=True)
class Remapping:
    """Sizes of a trace and of the device to which its addresses are moved, and options of the rules.

    Attributes:
        capacity: Number of sectors of the device to which the addresses are moved.
        end: Number of the first sector after all sectors that the trace accesses.
        period: Distance between the starts of two neighbouring HP-UX metadata areas, in sectors (003-D4).
        metadata: Length of an HP-UX metadata area in sectors (003-D4).
        seed: Seed of the pseudorandom places of the rule ``hash``.
    """

    capacity: int
    end: int
    period: int
    metadata: int
    seed: int


@dataclass(frozen=True)
class RemapRule:
    """A rule that moves the addresses of a trace, a value of `REMAP_RULES`."""

    description: str
    move: Callable[[Trace, Remapping], Trace]
    #: True if the rule needs `Remapping.end`.
    needs_end: bool = False
    #: True if the rule can move different addresses to the same one when the trace exceeds the device.
    may_coincide: bool = False


def _moved(trace: Trace, lbn: NDArray[np.int64], capacity: int) -> Trace:
    """Return the requests at the addresses `lbn`; one that would exceed the device ends with the device."""
    last = capacity - trace.blocks.astype(np.int64)
    if (last < 0).any():
        row = int(np.argmin(last))
        raise _native.TraceError(
            f"{trace.source}: a request has {trace.blocks[row]} blocks, more than the device, {capacity}"
        )
    return replace(trace, lbn=np.where(trace.op == FLUSH, 0, np.minimum(lbn, last)))


def _wrap(trace: Trace, onto: Remapping) -> Trace:
    return _moved(trace, trace.lbn % onto.capacity, onto.capacity)


def _squeeze(trace: Trace, onto: Remapping) -> Trace:
    past = np.flatnonzero(trace.lbn + trace.blocks > onto.end)
    if past.size:
        lbn, blocks = trace.lbn[past[0]], trace.blocks[past[0]]
        raise _native.TraceError(
            f"{trace.source}: a request at LBN {lbn} of {blocks} blocks exceeds the given end {onto.end}: "
            "expected as end the sector after the last one that the trace touches (--end)"
        )
    if onto.end * onto.capacity < 2**63:
        return _moved(trace, trace.lbn * onto.capacity // onto.end, onto.capacity)
    exact = [at * onto.capacity // onto.end for at in trace.lbn.tolist()]
    return _moved(trace, np.array(exact, np.int64), onto.capacity)


def _hash(trace: Trace, onto: Remapping) -> Trace:
    # Each stretch of the trace that is as long as the device has a separate permutation.
    lap, within = np.divmod(trace.lbn, onto.capacity)
    place, offset = np.divmod(within, _EXTENT_SECTORS)
    extents = onto.capacity // _EXTENT_SECTORS
    is_whole = place < extents  # The rest at the end of the device, less than an extent, stays.
    place[is_whole] = permuted(place[is_whole], extents, lap[is_whole], onto.seed)
    return _moved(trace, place * _EXTENT_SECTORS + offset, onto.capacity)


def _hpux_metadata(trace: Trace, onto: Remapping) -> Trace:
    group, offset = np.divmod(trace.lbn, onto.period)
    is_metadata = (offset < onto.metadata) & (trace.op != FLUSH)
    marked = replace(trace.rows(is_metadata), metadata=np.ones(int(is_metadata.sum()), np.bool_))
    return _moved(marked, (onto.metadata * group + offset)[is_metadata], onto.capacity)


REMAP_RULES = {
    "wrap": RemapRule("the address modulo the capacity", _wrap, may_coincide=True),
    "squeeze": RemapRule("all addresses scaled up or down so that the highest just fits", _squeeze, True),
    "hash": RemapRule(
        "each MiB at a pseudorandom place; some places coincide if the trace exceeds the device",
        _hash,
        may_coincide=True,
    ),
    "hpux-metadata": RemapRule(
        "only requests in HP-UX metadata areas (128 of every 2,176 KB), without gaps between them (003-D4)",
        _hpux_metadata,
    ),
}


def remap_trace(
    trace: AnyTrace,
    rule: str,
    capacity: int,
    *,
    end: int | None = None,
    period_kb: int = 2176,
    metadata_kb: int = 128,
    seed: int = 1,
) -> AnyTrace:
    """Move the addresses of a trace so that the trace fits a device of another size.

    Args:
        trace: Trace or stream to move.
        rule: Rule for the addresses, a key of `REMAP_RULES`.
        capacity: Number of sectors of the device to which the addresses are moved.
        end: Number of the first sector after all sectors that the trace accesses; only needed if ``squeeze``
            moves a stream.
        period_kb: Distance in KB from the start of an HP-UX metadata area to the start of the next (003-D4).
        metadata_kb: Length of an HP-UX metadata area in KB.
        seed: Seed of the pseudorandom places of ``hash``.

    Raises:
        ParameterError: A name or value is wrong, or the rule needs `end`.
        TraceError: A request is longer than the device, or exceeds `end`.
    """
    row = chosen(REMAP_RULES, rule, f"rule = {rule!r}")
    _check_sizes(capacity=capacity, end=end, period_kb=period_kb, metadata_kb=metadata_kb)
    if metadata_kb > period_kb:
        raise _native.ParameterError(f"metadata_kb = {metadata_kb}: must be at most period_kb = {period_kb}")
    if end is None and isinstance(trace, Trace):
        end = trace_end(trace)
    if end is None and row.needs_end:
        raise _native.ParameterError(f"end: the rule {rule} needs this argument if the trace is a stream")
    onto = Remapping(capacity, max(1, end or 1), 2 * period_kb, 2 * metadata_kb, seed)
    reach = 0

    def move(batch: Trace) -> Trace:
        nonlocal reach
        reach = max(reach, trace_end(batch))
        return row.move(batch, onto)

    def notes(known: tuple[str, ...]) -> tuple[str, ...]:
        """Add a note if the trace exceeds the device, so that different addresses may become equal."""
        if reach <= capacity or not row.may_coincide:
            return known
        return (
            *known,
            f"addresses may coincide: the trace reaches {reach:,} sectors, and the device has {capacity:,}",
        )

    if isinstance(trace, TraceStream):
        moved, about = trace.changed(move), trace.about
        return TraceStream(trace.source, moved, lambda: {**about(), "notes": notes(about()["notes"])})
    return replace(move(trace), notes=notes(trace.notes))


def _check_sizes(**sizes: int | None) -> None:
    for name, value in sizes.items():
        if value is not None and not 1 <= value < 2**62:
            raise _native.ParameterError(f"{name} = {value}: expected a whole number from 1 to 2^62 - 1")


def trace_end(trace: Trace) -> int:
    """Return the number of the first sector after all sectors that a trace accesses."""
    return int((trace.lbn + trace.blocks).max(initial=0))
