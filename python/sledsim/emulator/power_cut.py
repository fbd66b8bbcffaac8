"""Loss of power of a served device: its time, its kind and its effect."""

import math
from dataclasses import dataclass

from .. import _native

_MOST_AFTER = 2**64


@dataclass(frozen=True)
class PowerCut:
    """A planned loss of power of a served device.

    Attributes:
        at_s: Seconds of the clock since the server began to listen; None sets no time.
        after: Number of replies to reads and writes before the cut; None sets no number.
        seed: Seed that chooses the kept half of the unflushed sectors.
        torn: State of the row under the tips after the cut: ``unreadable``, ``old`` or ``new``.
    """

    at_s: float | None = None
    after: int | None = None
    seed: int = 0
    torn: str = "unreadable"

    def __post_init__(self) -> None:
        if self.at_s is not None and not (math.isfinite(self.at_s) and 0 <= self.at_s <= 1e9):
            raise _native.ParameterError(
                f"power cut: expected seconds from 0 to 1,000,000,000, found {self.at_s:g}"
            )
        for name, value, least in (("requests", self.after, 1), ("seed", self.seed, 0)):
            if value is not None and not least <= value < _MOST_AFTER:
                raise _native.ParameterError(
                    f"power cut: {name}: expected a whole number from {least} on below 2**64, found {value}"
                )

    @property
    def is_planned(self) -> bool:
        """True if the cut happens without a signal."""
        return self.at_s is not None or self.after is not None


@dataclass(frozen=True)
class Loss:
    """The effect of a loss of power.

    Attributes:
        at_ns: Time of the cut, in nanoseconds of the clock since the server began to listen.
        unanswered: Number of requests without a reply.
        unflushed_sectors: Number of written and unflushed sectors.
        lost_sectors: Number of unflushed sectors whose newest contents are lost.
        written_sectors: Number of sectors of writes in service that have their new contents.
        torn_sectors: Number of sectors that cannot be read until they are written again.
    """

    at_ns: int
    unanswered: int
    unflushed_sectors: int
    lost_sectors: int
    written_sectors: int
    torn_sectors: int

    def __str__(self) -> str:
        """The effect in words, for users."""
        return (
            f"power was cut after {self.at_ns / 1e9:,.3f} s: {self.unanswered:,} requests had no reply,"
            f" {self.lost_sectors:,} of {self.unflushed_sectors:,} unflushed sectors are lost,"
            f" {self.written_sectors:,} sectors of writes in service are written,"
            f" {self.torn_sectors:,} are torn"
        )
