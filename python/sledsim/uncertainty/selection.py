"""The best of several systems, with a known probability that it is: ranking and selection."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..common.arguments import check_whole
from ..common.ranking import ALIKE, levels


class Replication(NamedTuple):
    """A simulation to be run.

    Attributes:
        system: The number of the system.
        seed: The number of the replication from 0: systems with the same one are to get the same requests.
    """

    system: int
    seed: int


class KimNelson:
    """The procedure KN, to be asked and told.

    Kim and Nelson, "A fully sequential procedure for indifference-zone selection in simulation", ACM
    Transactions on Modeling and Computer Simulation 11 (2001), 251-273.

    Each system is simulated a few times; from then on all that are left once more in turn, until all but one
    are clearly worse than another. If the mean of the best is better than every other one by the
    `indifference` or more, it is found with the probability `confidence` or more, for normal observations;
    systems nearer than that to the best are as good as the best. Common random numbers, where a replication
    of every system has the same requests, are allowed, and make it end sooner: what counts is how differences
    vary.

    Args:
        systems: How many.
        indifference: A difference of means that does not matter, in their unit.
        confidence: The probability that is wanted, above that of a guess.
        first: Replications of each system before any is left out; from 10 on variances are known well.
        larger_is_better: Whether large means are good, rather than small ones.

    Raises:
        ParameterError: A number is out of range.
    """

    def __init__(
        self,
        systems: int,
        indifference: float,
        confidence: float = 0.95,
        first: int = 10,
        larger_is_better: bool = False,
    ) -> None:
        check_whole("systems", systems, 1)
        check_whole("first", first, 2)
        if not (isinstance(indifference, int | float) and 0 < indifference < math.inf):
            raise _native.ParameterError(f"indifference = {indifference!r}: must be a number above 0")
        guess = 1 / systems if systems > 1 else 0
        if not guess <= confidence < 1:
            expected = f"from {guess:.3g}, that of a guess, to below 1"
            raise _native.ParameterError(f"confidence = {confidence!r}: must be {expected}")
        self.indifference = float(indifference)
        self.confidence = float(confidence)
        self._first = int(first)
        self._sign = 1.0 if larger_is_better else -1.0
        #: One row a system; NaN is what has not been told.
        self._seen = np.full((systems, 2 * self._first), np.nan)
        self._done = 0
        self._left = list(range(systems))
        self._limits = np.zeros((systems, systems))
        if systems > 1:
            rare = (1 - self.confidence) / (systems - 1)
            # Their eta, for c = 1; their h^2 is 2 eta (first - 1).
            eta = ((2 * rare) ** (-2 / (self._first - 1)) - 1) / 2
            self._h2 = 2 * max(eta, 0.0) * (self._first - 1)

    @property
    def left(self) -> Sequence[int]:
        """The systems that are not left out, in their order."""
        return tuple(self._left)

    @property
    def is_done(self) -> bool:
        """Whether the best is known with the probability that is wanted."""
        return len(self._left) == 1

    @property
    def replications(self) -> int:
        """How many replications of each system that is left have been told of."""
        return self._done

    @property
    def best(self) -> int | None:
        """The system with the best mean so far of those left, the first of equal ones; None before any."""
        if not self._done and not self.is_done:
            return None
        means = self._means()
        return self._left[self._first_best(means)]

    def ask(self) -> list[Replication]:
        """What is to be simulated before anything can be decided; nothing when the best is known."""
        if self.is_done:
            return []
        until = self._first if self._done < self._first else self._done + 1
        return [
            Replication(system, seed)
            for seed in range(self._done, until)
            for system in self._left
            if np.isnan(self._seen[system, seed])
        ]

    def tell(self, observations: Mapping[Replication, float]) -> None:
        """What was found, in any order and in parts of any size.

        Raises:
            ParameterError: Something was not asked for or told before, or is no number.
        """
        asked = set(self.ask())
        for replication, value in observations.items():
            if replication not in asked:
                raise _native.ParameterError(f"tell: expected what was asked for, found {replication!r:.80}")
            if not math.isfinite(value):
                system, seed = replication
                raise _native.ParameterError(
                    f"system {system}, replication {seed}: expected a number, found {value}"
                )
        for (system, seed), value in observations.items():
            self._seen[system, seed] = self._sign * value
        if observations and not self.ask():
            self._end_stage()

    def _end_stage(self) -> None:
        if self._done < self._first:
            self._done = self._first
            self._limits = self._h2 * self._variances() / self.indifference**2
        else:
            self._done += 1
        self._leave_out()
        if self._done == self._seen.shape[1]:
            self._seen = np.pad(self._seen, ((0, 0), (0, self._done)), constant_values=np.nan)

    def _variances(self) -> NDArray[np.float64]:
        """The variance of the difference of each pair over the first replications."""
        seen = self._seen[:, : self._first]
        return np.asarray((seen[:, None] - seen[None]).var(axis=2, ddof=1))

    def _leave_out(self) -> None:
        """Leave out what is worse than another by more than chance; beyond every limit all but the best."""
        means = self._means()
        pairs = np.ix_(self._left, self._left)
        limits = self._limits[pairs]
        if self._done > np.floor(limits).max():
            self._left = [self._left[self._first_best(means)]]
            return
        apart = np.maximum(self.indifference / 2 * (limits / self._done - 1), 0)
        # Rounding of a mean is no difference.
        rounding = ALIKE * np.maximum(np.abs(means).max(), self.indifference)
        worse = means[:, None] < means[None] - apart - rounding
        self._left = [
            system for system, is_worse in zip(self._left, worse.any(axis=1), strict=True) if not is_worse
        ]

    def _first_best(self, means: NDArray[np.float64]) -> int:
        """Where the best of some means is, the first of those that are equal but for rounding."""
        return int(np.argmin(levels(-means, size=self.indifference)))

    def _means(self) -> NDArray[np.float64]:
        return np.asarray(self._seen[self._left, : self._done].mean(axis=1) if self._done else np.zeros(1))
