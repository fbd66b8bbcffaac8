"""Random numbers one by one, the same on every platform: those of a seed and a place of its stream."""

from collections.abc import MutableSequence
from typing import Any

import numpy as np

from ...uncertainty.randomness import words

#: Numbers that are drawn at once.
_BLOCK = 4096
#: The stream, so that nothing else of the same seed has these numbers.
_STREAM = 7


class Draws:
    """Numbers of a stream.

    Args:
        seed: A whole number from 0.
        place: Tells streams of a seed apart.
    """

    def __init__(self, seed: int, place: int) -> None:
        self._seed, self._place, self._block, self._left = seed, place, 0, list[float]()

    def uniform(self) -> float:
        """A number from 0 to below 1."""
        if not self._left:
            drawn = words(_BLOCK, self._seed, _STREAM, self._place, self._block)
            self._left = ((drawn >> np.uint64(11)).astype(np.float64) * 2.0**-53).tolist()
            self._block += 1
        return self._left.pop()

    def below(self, most: int) -> int:
        """A whole number from 0 to below another one."""
        return int(self.uniform() * most)

    def shuffle(self, things: MutableSequence[Any]) -> None:
        """Put things in a random order (Fisher and Yates)."""
        for last in range(len(things) - 1, 0, -1):
            other = self.below(last + 1)
            things[last], things[other] = things[other], things[last]
