"""Power failure of a served device: when it happens, what it destroys, and its effect."""

import math
from dataclasses import dataclass

from .. import _native

_MOST_AFTER = 2**64


@dataclass(frozen=True)
class PowerCut:
    """A planned power failure of a served device.

    Attributes:
        at_s: Time of the failure in seconds of the clock since the server began to serve, or None.
        after: Number of replies after which power fails, trims not counted; or None.
        seed: Seed of the random choice of the unflushed sectors that are kept, about half of all.
        torn: Contents of the row under the tips after the failure: ``unreadable``, ``old`` or ``new``.
    """

    at_s: float | None = None
    after: int | None = None
    seed: int = 0
    torn: str = "unreadable"

    def __post_init__(self) -> None:
        if self.at_s is not None and not (math.isfinite(self.at_s) and 0 <= self.at_s <= 1e9):
            raise _native.ParameterError(
                f"power cut: expected a time from 0 to 1,000,000,000 s, found {self.at_s:g}"
            )
        for name, value, least in (("requests", self.after, 1), ("seed", self.seed, 0)):
            if value is not None and not least <= value < _MOST_AFTER:
                raise _native.ParameterError(
                    f"power cut: {name}: expected a whole number from {least} to 2**64 - 1, found {value}"
                )

    @property
    def is_planned(self) -> bool:
        """True if a time or a number of replies is set after which power fails."""
        return self.at_s is not None or self.after is not None


@dataclass(frozen=True)
class Loss:
    """Effect of a power failure of a served device.

    Attributes:
        at_ns: Time of the failure in nanoseconds of the clock since the server began to serve.
        unanswered: Number of requests that get no reply because of the failure.
        unflushed_sectors: Number of sectors that clients had written but not flushed.
        lost_sectors: Number of unflushed sectors that lost their newest contents.
        written_sectors: Number of sectors with new contents, in writes that the failure interrupted.
        torn_sectors: Number of sectors that the failure made unreadable until they are written again.
    """

    at_ns: int
    unanswered: int
    unflushed_sectors: int
    lost_sectors: int
    written_sectors: int
    torn_sectors: int

    def __str__(self) -> str:
        """Return the effect of the power failure as a sentence."""
        return (
            f"power was cut after {self.at_ns / 1e9:,.3f} s: {self.unanswered:,} requests had no reply,"
            f" {self.lost_sectors:,} of {self.unflushed_sectors:,} unflushed sectors are lost,"
            f" {self.written_sectors:,} sectors of writes in service are written,"
            f" {self.torn_sectors:,} are torn"
        )
