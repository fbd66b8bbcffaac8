"""The search: first evenly spread designs, then batches of designs that a sampler proposes."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ...uncertainty.halving import SuccessiveHalving
from ...uncertainty.space_filling import latin_hypercube
from ..evaluation import Row
from .archive import Archive, Run
from .unit_cube import Place

#: Number of designs per batch, equal for all executors: the same seed then finds the same designs.
BATCH = 32
#: Number of starting designs per factor; least and greatest number of starting designs in all.
_A_FACTOR, _LEAST, _MOST = 8, 32, 256
#: Choice of starting designs by brief runs (successive halving): ratio of candidates to the usual number of
#: starting designs; factor by which, from round to round, candidates become fewer and requests more; number
#: of rounds.
_MORE, _FACTOR, _ROUNDS = 3, 3, 3
#: Least budget, in designs, with which a search first chooses its starting designs by brief runs.
HALVED = 200


@dataclass(frozen=True)
class Brief:
    """Settings for brief runs, which use only the first requests of the search.

    Attributes:
        requests: Number of requests of a whole run.
        run: Function ``run(requests, changes)`` that runs designs under the first `requests` requests, and
            returns their rows.
    """

    requests: int
    run: Callable[[int, Sequence[dict[str, Any]]], Sequence[Row]]


class Sampler(Protocol):
    """The interface of a sampler, which proposes the designs to run next."""

    def ask(self, archive: Archive, count: int) -> list[Place]:
        """Return `count` designs that are not in the archive; fewer if the space is exhausted."""


def search(
    archive: Archive,
    sampler: Sampler,
    run: Run,
    budget: int,
    seed: int,
    progress: Callable[[int], object] | None = None,
    brief: Brief | None = None,
) -> tuple[int, float]:
    """Run designs, and add them to the archive, until the budget is spent or no designs are left.

    A search with a larger budget continues one with a smaller budget: both begin with the same designs,
    unless only the larger budget has room for brief runs.

    Returns:
        The number of brief runs, and the work of the brief runs as a number of whole runs.
    """
    if brief is not None and budget >= HALVED:
        places, looks, spent = _halved(archive, brief, seed, progress)
    else:
        places, looks, spent = start(archive, seed), 0, 0.0
    left = budget - math.ceil(spent)
    for batch in _batches(places[:left]):
        archive.run(batch, run)
        if progress:
            progress(math.ceil(spent) + len(archive))
    while len(archive) < left:
        asked = sampler.ask(archive, BATCH)[: left - len(archive)]
        if not asked:
            break
        archive.run(asked, run)
        if progress:
            progress(math.ceil(spent) + len(archive))
    return looks, spent


def start(archive: Archive, seed: int, more: int = 1) -> list[Place]:
    """Return about `more` times the usual number of starting designs, evenly spread over the space.

    The designs are a Latin hypercube, in which repeated designs are removed.
    """
    factors = len(archive.space.levels)
    count = min(max(_A_FACTOR * factors, _LEAST), _MOST)
    count = more << (count - 1).bit_length()
    points = latin_hypercube(count, factors, seed).tolist()
    return list(dict.fromkeys(map(archive.space.snapped, points)))


def _halved(
    archive: Archive, brief: Brief, seed: int, progress: Callable[[int], object] | None
) -> tuple[list[Place], int, float]:
    """Choose the starting designs out of more candidates by brief runs (successive halving).

    The best third of each round enters the next round, with three times as many requests per run. The
    function returns the starting designs, the number of brief runs, and their work in whole runs.
    """
    places = start(archive, seed, _MORE)
    least = brief.requests // _FACTOR ** (_ROUNDS - 1)
    halving = SuccessiveHalving(len(places), least, brief.requests, _FACTOR)
    looks, spent = 0, 0.0
    for _, requests in halving.rounds[:-1]:
        trials = halving.ask()
        seen = Archive(archive.space, archive.aims)
        for batch in _batches([places[one.candidate] for one in trials]):
            seen.run(batch, lambda changes, requests=requests: brief.run(requests, changes))  # type: ignore[misc]
            looks, spent = looks + len(batch), spent + len(batch) * requests / brief.requests
            if progress:
                progress(math.ceil(spent))
        ranks = {number: rank for rank, number in enumerate(seen.ranking())}
        halving.tell({trial: float(ranks[at]) for at, trial in enumerate(trials)})
    return [places[one.candidate] for one in halving.ask()], looks, spent


def _batches(places: list[Place]) -> list[list[Place]]:
    return [places[at : at + BATCH] for at in range(0, len(places), BATCH)]
