"""Random numbers drawn one at a time; the same seed and stream give the same numbers on every platform."""

from collections.abc import MutableSequence
from typing import Any

import numpy as np

from ...uncertainty.randomness import words

#: Number of random numbers that a single call of the generator draws.
_BLOCK = 4096
#: Number that no other part of the program uses for its random streams, so that these draws are independent
#: of all others.
_STREAM = 7


class Draws:
    """A stream of random numbers.

    Args:
        seed: Whole number from 0.
        place: Number of a stream: streams of the same seed with other numbers are independent.
    """

    def __init__(self, seed: int, place: int) -> None:
        self._seed, self._place, self._block, self._left = seed, place, 0, list[float]()

    def uniform(self) -> float:
        """Draw a number from 0 to below 1."""
        if not self._left:
            drawn = words(_BLOCK, self._seed, _STREAM, self._place, self._block)
            self._left = ((drawn >> np.uint64(11)).astype(np.float64) * 2.0**-53).tolist()
            self._block += 1
        return self._left.pop()

    def below(self, most: int) -> int:
        """Draw a whole number from 0 to `most` - 1."""
        return int(self.uniform() * most)

    def shuffle(self, things: MutableSequence[Any]) -> None:
        """Put a list into a random order (Fisher and Yates)."""
        for last in range(len(things) - 1, 0, -1):
            other = self.below(last + 1)
            things[last], things[other] = things[other], things[last]
