"""Loss of power of a served device: when, how, and what it takes."""

import math
from dataclasses import dataclass

from .. import _native

_MOST_AFTER = 2**64


@dataclass(frozen=True)
class PowerCut:
    """When the power of a served device is cut, and how.

    Attributes:
        at_s: Seconds of the clock since the server opened its door; not by the clock, if not given.
        after: So many requests have been answered; whatever they are, if not given.
        seed: Decides which sectors that were not flushed are kept: half of them.
        torn: What becomes of the row that is under the tips: ``unreadable``, ``old`` or ``new``.
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
        """Whether it comes without a signal."""
        return self.at_s is not None or self.after is not None


@dataclass(frozen=True)
class Loss:
    """What a loss of power has taken.

    Attributes:
        at_ns: When it was, in nanoseconds of the clock since the server opened its door.
        unanswered: Requests that were not answered.
        unflushed_sectors: Sectors that were written and not flushed.
        lost_sectors: Those of them whose newest contents are lost.
        written_sectors: Sectors of writes in service that have their new contents.
        torn_sectors: Sectors that cannot be read until they are written again.
    """

    at_ns: int
    unanswered: int
    unflushed_sectors: int
    lost_sectors: int
    written_sectors: int
    torn_sectors: int

    def __str__(self) -> str:
        """What a user is told."""
        return (
            f"power was cut after {self.at_ns / 1e9:,.3f} s: {self.unanswered:,} requests were not answered,"
            f" {self.lost_sectors:,} of {self.unflushed_sectors:,} sectors that were not flushed are lost,"
            f" {self.written_sectors:,} sectors of what was in service are written,"
            f" {self.torn_sectors:,} are torn"
        )
