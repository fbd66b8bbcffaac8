"""Successive halving: many candidates are looked at briefly, and the better ones for longer."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .. import _native
from ..common.arguments import check_whole
from ..common.ranking import ordered


class Trial(NamedTuple):
    """Something to look at.

    Attributes:
        candidate: Its number.
        requests: For how many requests.
    """

    candidate: int
    requests: int


class SuccessiveHalving:
    """Which candidates to look at for how long, one round after the other (Jamieson and Talwalkar 2016).

    Of each round the best go on to the next, in which each has several times as many requests; the last round
    has all that are wanted. It has no knowledge of noise: whoever is best early may not be best late, and
    only candidates of the last round are comparable with certainty.

    Attributes:
        rounds: For each round the number of candidates, and of requests for each.

    Args:
        candidates: How many.
        least: Requests of the first round, at least.
        most: Requests of the last one.
        factor: Of each round one candidate in so many goes on, with so many times as many requests.
        larger_is_better: Whether large figures are good, rather than small ones.

    Raises:
        ParameterError: A number is out of range.
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
        #: The figure of each candidate in the last round in which it was.
        self.figures: dict[int, float] = {}

    @property
    def is_done(self) -> bool:
        """Whether all rounds are."""
        return self._round == len(self.rounds)

    @property
    def cost(self) -> int:
        """Requests of all rounds together, without any that is begun from what was there before."""
        return sum(candidates * requests for candidates, requests in self.rounds)

    @property
    def ranking(self) -> Sequence[int]:
        """All candidates that have been told of, the best first: those of later rounds before others."""
        return self._ranking

    @property
    def best(self) -> int | None:
        """The best candidate of the last round that is done, if any is that has a figure."""
        first = self._ranking[0] if self._ranking else None
        return None if first is None or not math.isfinite(self.figures[first]) else first

    def ask(self) -> list[Trial]:
        """What is to be looked at before anything else is known; nothing when all is done."""
        if self.is_done:
            return []
        requests = self.rounds[self._round][1]
        return [Trial(candidate, requests) for candidate in self._going if candidate not in self._told]

    def tell(self, figures: Mapping[Trial, float]) -> None:
        """What was found, in any order and in parts of any size.

        Args:
            figures: By what was asked for; one that is not finite, as of a candidate that failed, is worst.

        Raises:
            ParameterError: Something was not asked for, or told before.
        """
        asked = set(self.ask())
        for trial in figures:
            if trial not in asked:
                raise _native.ParameterError(f"tell: expected what was asked for, found {trial!r:.80}")
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
    """The numbers of candidates and of requests of each round, counted back from the last.

    There are as many rounds as the requests allow, and no more than it takes to have one candidate left.
    """
    back = 0
    while most // factor ** (back + 1) >= least and factor**back < candidates:
        back += 1
    return [
        (math.ceil(candidates / factor ** (back - left)), most // factor**left)
        for left in range(back, -1, -1)
    ]
