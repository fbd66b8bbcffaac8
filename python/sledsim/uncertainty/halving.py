"""Successive halving: many candidates are simulated briefly, and only the better ones for longer."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .. import _native
from ..common.arguments import check_whole
from ..common.ranking import ordered


class Trial(NamedTuple):
    """A simulation to run: a candidate, and the number of its requests.

    Attributes:
        candidate: Index of the candidate.
        requests: Number of requests of the run.
    """

    candidate: int
    requests: int


class SuccessiveHalving:
    """Search for the best candidate in rounds: the best of each go on (Jamieson and Talwalkar 2016).

    The best candidates of a round enter the next round, in which each runs several times as many requests;
    the last round has all requests. The method ignores noise: the best candidate of an early round need not
    be the best of all, and only candidates of the last round can be compared with certainty.

    Attributes:
        rounds: Number of candidates, and number of requests of the run of each, for every round.

    Args:
        candidates: Number of candidates in the first round.
        least: Number of requests per run below which a first round is not made shorter.
        most: Number of requests per run in the last round.
        factor: Number of candidates of which one goes on to the next round, where runs are that many times as
            long.
        larger_is_better: True if larger figures are better.

    Raises:
        ParameterError: An argument is out of range.
    """

    def __init__(
        self, candidates: int, least: int, most: int, factor: int = 3, larger_is_better: bool = False
    ) -> None:
        check_whole("candidates", candidates, 1)
        check_whole("least", least, 1)
        check_whole("most", most, least, why=", as least is")
        check_whole("factor", factor, 2)
        self.rounds = _rounds(candidates, least, most, factor)
        self._sign = -1.0 if larger_is_better else 1.0
        self._round = 0
        self._going = list(range(candidates))
        self._told: dict[int, float] = {}
        self._ranking: list[int] = []
        #: Figure of each candidate in the last round that it reached, by index of the candidate.
        self.figures: dict[int, float] = {}

    @property
    def is_done(self) -> bool:
        """True if all rounds are complete."""
        return self._round == len(self.rounds)

    @property
    def cost(self) -> int:
        """Total number of requests of all runs, if each run begins with the first request."""
        return sum(candidates * requests for candidates, requests in self.rounds)

    @property
    def ranking(self) -> Sequence[int]:
        """Indices of candidates with a figure, best first; those from later rounds come before others."""
        return self._ranking

    @property
    def best(self) -> int | None:
        """Index of the best candidate of the last finished round; None if no candidate has a figure."""
        first = self._ranking[0] if self._ranking else None
        return None if first is None or not math.isfinite(self.figures[first]) else first

    def ask(self) -> list[Trial]:
        """Return the runs of this round that have no figure yet; empty when all rounds are finished."""
        if self.is_done:
            return []
        requests = self.rounds[self._round][1]
        return [Trial(candidate, requests) for candidate in self._going if candidate not in self._told]

    def tell(self, figures: Mapping[Trial, float]) -> None:
        """Record the figures of runs that `ask` returned, in any order.

        Args:
            figures: Figure of each run; a candidate whose figure is infinite or NaN ranks last.

        Raises:
            ParameterError: `ask` did not return the run, or it already has a figure.
        """
        asked = set(self.ask())
        for trial in figures:
            if trial not in asked:
                raise _native.ParameterError(f"tell: expected a pending trial from ask, found {trial!r:.80}")
        for trial, figure in figures.items():
            self._told[trial.candidate] = float(figure)
        if figures and len(self._told) == len(self._going):
            self._end_round()

    def _end_round(self) -> None:
        self.figures.update(self._told)
        going = ordered(sorted(self._going), self._badness)
        self._ranking = going + [one for one in self._ranking if one not in self._told]
        self._round += 1
        self._told = {}
        self._going = [] if self.is_done else sorted(going[: self.rounds[self._round][0]])

    def _badness(self, candidate: int) -> float:
        figure = self._told[candidate]
        return self._sign * figure if math.isfinite(figure) else math.inf


def _rounds(candidates: int, least: int, most: int, factor: int) -> list[tuple[int, int]]:
    """Return for each round the number of candidates and of requests, computed from the last round back.

    The number of rounds is limited by `least` requests, and by the number of candidates.
    """
    back = 0
    while most // factor ** (back + 1) >= least and factor**back < candidates:
        back += 1
    return [
        (math.ceil(candidates / factor ** (back - left)), most // factor**left)
        for left in range(back, -1, -1)
    ]
