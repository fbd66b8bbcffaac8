"""The search: a start that is spread evenly, then what a sampler asks for, in batches of one size."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ...uncertainty.halving import SuccessiveHalving
from ...uncertainty.space_filling import latin_hypercube
from ..evaluation import Row
from .archive import Archive, Run
from .unit_cube import Place

#: Designs that are asked for at once: as many whatever runs them, so that the same seed finds the same.
BATCH = 32
#: Designs of the start for each factor, and at least and at most.
_A_FACTOR, _LEAST, _MOST = 8, 32, 256
#: Of a start that is looked at briefly first so many times as many; of each round one in so many goes on,
#: with so many times as many requests, and there are so many rounds.
_MORE, _FACTOR, _ROUNDS = 3, 3, 3
#: A smaller budget has no room for brief looks.
HALVED = 200


@dataclass(frozen=True)
class Brief:
    """How designs are looked at briefly.

    Attributes:
        requests: Of a whole run.
        run: Runs designs under so many of the first requests.
    """

    requests: int
    run: Callable[[int, Sequence[dict[str, Any]]], Sequence[Row]]


class Sampler(Protocol):
    """What says which designs are to be run next."""

    def ask(self, archive: Archive, count: int) -> list[Place]:
        """So many designs that are not in the archive; fewer where there are no more."""


def search(
    archive: Archive,
    sampler: Sampler,
    run: Run,
    budget: int,
    seed: int,
    progress: Callable[[int], object] | None = None,
    brief: Brief | None = None,
) -> tuple[int, float]:
    """Run designs until the budget is spent, or there are no more.

    A larger budget goes on where a smaller one ends: it begins with the same designs, unless only one of both
    has room for brief looks.

    Returns:
        How many brief looks there were, and of how many whole runs they were the work.
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
    """Designs spread evenly: a Latin hypercube, without what comes twice; on demand more of them."""
    factors = len(archive.space.levels)
    count = min(max(_A_FACTOR * factors, _LEAST), _MOST)
    count = more << (count - 1).bit_length()
    points = latin_hypercube(count, factors, seed).tolist()
    return list(dict.fromkeys(map(archive.space.snapped, points)))


def _halved(
    archive: Archive, brief: Brief, seed: int, progress: Callable[[int], object] | None
) -> tuple[list[Place], int, float]:
    """The better ones of more designs, which have been looked at under few requests, then under more."""
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
