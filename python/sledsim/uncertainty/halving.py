"""Successive halving: run many candidates briefly, and the better candidates longer."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .. import _native
from ..common.arguments import check_whole
from ..common.ranking import ordered


class Trial(NamedTuple):
    """A candidate to run, and the number of requests of the run.

    Attributes:
        candidate: Number of the candidate.
        requests: Number of requests.
    """

    candidate: int
    requests: int


class SuccessiveHalving:
    """Choose candidates to run longer in each round (Jamieson and Talwalkar 2016).

    The best of each round go on to the next, which has several times as many requests for each; the last
    round has all requests. The method ignores noise: the best candidate early may not be the best late, and
    only candidates of the last round are comparable with certainty.

    Attributes:
        rounds: Number of candidates of each round, and of requests per candidate.

    Args:
        candidates: Number of candidates.
        least: Least number of requests in the first round.
        most: Number of requests in the last round.
        factor: Ratio between rounds: one in `factor` candidates stays, and runs `factor` times as many
            requests.
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
        #: Figure of each candidate in the last round that the candidate reached.
        self.figures: dict[int, float] = {}

    @property
    def is_done(self) -> bool:
        """True if all rounds are complete."""
        return self._round == len(self.rounds)

    @property
    def cost(self) -> int:
        """The number of requests of all rounds, if runs of each round start from the first request."""
        return sum(candidates * requests for candidates, requests in self.rounds)

    @property
    def ranking(self) -> Sequence[int]:
        """All candidates with a figure: later rounds first, and the best first within a round."""
        return self._ranking

    @property
    def best(self) -> int | None:
        """The best candidate of the last complete round; None if no candidate has a figure."""
        first = self._ranking[0] if self._ranking else None
        return None if first is None or not math.isfinite(self.figures[first]) else first

    def ask(self) -> list[Trial]:
        """Return the trials that the next decision needs; an empty list when all rounds are complete."""
        if self.is_done:
            return []
        requests = self.rounds[self._round][1]
        return [Trial(candidate, requests) for candidate in self._going if candidate not in self._told]

    def tell(self, figures: Mapping[Trial, float]) -> None:
        """Record figures, in any order and in parts of any size.

        Args:
            figures: Figures by trial; a value that is not finite marks a failed candidate, which ranks last.

        Raises:
            ParameterError: A trial did not come from `ask`, or already has a figure.
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
    """Return the numbers of candidates and of requests of each round, counted back from the last.

    The number of rounds is limited by the requests, and ends at one remaining candidate.
    """
    back = 0
    while most // factor ** (back + 1) >= least and factor**back < candidates:
        back += 1
    return [
        (math.ceil(candidates / factor ** (back - left)), most // factor**left)
        for left in range(back, -1, -1)
    ]
