"""Parts of a study that run apart from each other, as the tasks of an array job of a cluster do."""

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from .. import _native

#: More parts than any cluster has tasks.
_MOST = 1_000_000


@dataclass(frozen=True)
class Shard:
    """One of several parts of about equal size.

    Attributes:
        which: Its number, from 1 on.
        of_how_many: How many there are.
    """

    which: int
    of_how_many: int

    @classmethod
    def of(cls, text: str | None) -> "Shard":
        """What ``--shard`` says; None is the whole.

        Raises:
            ParameterError: It is no such thing.
        """
        if text is None:
            return cls(1, 1)
        found = re.fullmatch(r"(\d{1,7})/(\d{1,7})", text)
        which, of_how_many = map(int, found.groups()) if found else (0, 0)
        if not 1 <= which <= of_how_many <= _MOST:
            raise _native.ParameterError(
                f"shard = {text!r}: expected a part such as 3/64, from 1/64 to 64/64"
            )
        return cls(which, of_how_many)

    @property
    def file_name(self) -> str:
        """The name of its file in a ledger, without ending."""
        return "study" if self.of_how_many == 1 else f"study-{self.which}-of-{self.of_how_many}"

    def numbers(self, count: int) -> Sequence[int]:
        """Its points, out of `count`.

        They are dealt out like shuffled cards, because every eighth point, say, may be one that takes long.
        """
        if self.of_how_many == 1:
            return range(count)
        shuffled = sorted(range(count), key=lambda number: (zlib.crc32(number.to_bytes(8, "big")), number))
        return sorted(shuffled[self.which - 1 :: self.of_how_many])
