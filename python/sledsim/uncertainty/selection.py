"""Selection of the best of several systems, which is right with at least a given probability."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..common.arguments import check_whole
from ..common.ranking import ALIKE, levels


class Replication(NamedTuple):
    """A simulation to run: a system, and the number of the replication.

    Attributes:
        system: Index of the system.
        seed: Number of the replication, from 0; in one replication all systems must serve the same requests.
    """

    system: int
    seed: int


class KimNelson:
    """Selection of the system with the best mean by the procedure KN of Kim and Nelson, step by step.

    Kim and Nelson, "A fully sequential procedure for indifference-zone selection in simulation", ACM
    Transactions on Modeling and Computer Simulation 11 (2001), 251-273.

    Each system is first simulated `first` times. Then all remaining systems are simulated once more, again
    and again; a system that is clearly worse than another is dropped, until one remains. If the best mean is
    better than all others by at least `indifference`, the procedure finds it with a probability of at least
    `confidence`, for normal observations; systems nearer to the best count as equally good. Equal requests
    for all systems in a replication end the procedure sooner, as only the variance of differences counts.

    Args:
        systems: Number of systems.
        indifference: Largest difference of two means that does not matter, in the unit of the means.
        confidence: Least probability that the selected system is the best, or differs by no more than
            `indifference`; not below 1 / `systems`.
        first: Number of replications of each system before one can be dropped; 10 or more give reliable
            variances.
        larger_is_better: True if larger means are better.

    Raises:
        ParameterError: An argument is out of range.
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
        #: Results by system and replication, an array; NaN if missing.
        self._seen = np.full((systems, 2 * self._first), np.nan)
        self._done = 0
        self._left = list(range(systems))
        self._limits = np.zeros((systems, systems))
        if systems > 1:
            rare = (1 - self.confidence) / (systems - 1)
            # Kim and Nelson's eta, for c = 1; their h^2 is 2 eta (first - 1).
            eta = ((2 * rare) ** (-2 / (self._first - 1)) - 1) / 2
            self._h2 = 2 * max(eta, 0.0) * (self._first - 1)

    @property
    def left(self) -> Sequence[int]:
        """Indices of the systems that have not been dropped, ascending."""
        return tuple(self._left)

    @property
    def is_done(self) -> bool:
        """True if only one system is left."""
        return len(self._left) == 1

    @property
    def replications(self) -> int:
        """Number of finished replications of each system that has not been dropped."""
        return self._done

    @property
    def best(self) -> int | None:
        """Index of the system with the best mean so far, of those not dropped; None without observations."""
        if not self._done and not self.is_done:
            return None
        means = self._means()
        return self._left[self._first_best(means)]

    def ask(self) -> list[Replication]:
        """Return the replications to run before the next system can be dropped; empty when one is left."""
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
        """Record the results of replications that `ask` returned, in any order.

        Raises:
            ParameterError: `ask` did not return the replication, it already has a result, or the result is
                infinite or NaN.
        """
        asked = set(self.ask())
        for replication, value in observations.items():
            if replication not in asked:
                raise _native.ParameterError(
                    f"tell: expected a pending replication from ask, found {replication!r:.80}"
                )
            if not math.isfinite(value):
                system, seed = replication
                raise _native.ParameterError(
                    f"system {system}, replication {seed}: expected a finite number, found {value}"
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
        """Return the variance of the difference of each two systems over the first replications."""
        seen = self._seen[:, : self._first]
        return np.asarray((seen[:, None] - seen[None]).var(axis=2, ddof=1))

    def _leave_out(self) -> None:
        """Drop systems that are clearly worse; at the limit of replications, drop all but the best."""
        means = self._means()
        pairs = np.ix_(self._left, self._left)
        limits = self._limits[pairs]
        if self._done > np.floor(limits).max():
            self._left = [self._left[self._first_best(means)]]
            return
        apart = np.maximum(self.indifference / 2 * (limits / self._done - 1), 0)
        # Rounding of a mean is not a difference.
        rounding = ALIKE * np.maximum(np.abs(means).max(), self.indifference)
        worse = means[:, None] < means[None] - apart - rounding
        self._left = [
            system for system, is_worse in zip(self._left, worse.any(axis=1), strict=True) if not is_worse
        ]

    def _first_best(self, means: NDArray[np.float64]) -> int:
        """Return the index of the best mean; the first one if several are equal but for rounding errors."""
        return int(np.argmin(levels(-means, size=self.indifference)))

    def _means(self) -> NDArray[np.float64]:
        return np.asarray(self._seen[self._left, : self._done].mean(axis=1) if self._done else np.zeros(1))
