"""Shards: sets of points of a study that run separately, such as the tasks of an array job on a cluster."""

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from .. import _native

#: Largest number of shards of a study, more than any cluster has tasks.
_MOST = 1_000_000


@dataclass(frozen=True)
class Shard:
    """A part of the points of a study, which is divided into shards of about equal size.

    Attributes:
        which: Number of the shard, from 1.
        of_how_many: Number of shards into which the study is divided.
    """

    which: int
    of_how_many: int

    @classmethod
    def of(cls, text: str | None) -> "Shard":
        """Return the shard that a value of ``--shard`` names, such as ``3/64``; None means the whole study.

        Raises:
            ParameterError: The text is not a shard such as ``3/64``.
        """
        if text is None:
            return cls(1, 1)
        found = re.fullmatch(r"(\d{1,7})/(\d{1,7})", text)
        which, of_how_many = map(int, found.groups()) if found else (0, 0)
        if not 1 <= which <= of_how_many <= _MOST:
            raise _native.ParameterError(
                f"shard = {text!r}: expected a shard such as 3/64, from 1/64 to 64/64"
            )
        return cls(which, of_how_many)

    @property
    def file_name(self) -> str:
        """Return the name of the file of this shard in a ledger, without ending."""
        return "study" if self.of_how_many == 1 else f"study-{self.which}-of-{self.of_how_many}"

    def numbers(self, count: int) -> Sequence[int]:
        """Return the numbers of the points in this shard of a study with `count` points.

        Each shard gets points at random: if it got every eighth point, all its points might be slow ones.
        """
        if self.of_how_many == 1:
            return range(count)
        shuffled = sorted(range(count), key=lambda number: (zlib.crc32(number.to_bytes(8, "big")), number))
        return sorted(shuffled[self.which - 1 :: self.of_how_many])
