"""The search: a start that is spread evenly, then what a sampler asks for, in batches of one size."""

from collections.abc import Callable
from typing import Protocol

from ...uncertainty.sampling import latin_hypercube
from .archive import Archive, Run
from .space import Place

#: Designs that are asked for at once: as many whatever runs them, so that the same seed finds the same.
BATCH = 32
#: Designs of the start for each factor, and at least and at most.
_A_FACTOR, _LEAST, _MOST = 8, 32, 256


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
) -> None:
    """Run designs until the budget is spent, or there are no more.

    A larger budget goes on where a smaller one ends: it begins with the same designs.
    """
    for batch in _batches(start(archive, seed)[:budget]):
        archive.run(batch, run)
        if progress:
            progress(len(archive))
    while len(archive) < budget:
        asked = sampler.ask(archive, BATCH)[: budget - len(archive)]
        if not asked:
            return
        archive.run(asked, run)
        if progress:
            progress(len(archive))


def start(archive: Archive, seed: int) -> list[Place]:
    """Designs spread evenly: a Latin hypercube, without what comes twice."""
    factors = len(archive.space.levels)
    count = min(max(_A_FACTOR * factors, _LEAST), _MOST)
    count = 1 << (count - 1).bit_length()
    points = latin_hypercube(count, factors, seed).tolist()
    return list(dict.fromkeys(map(archive.space.snapped, points)))


def _batches(places: list[Place]) -> list[list[Place]]:
    return [places[at : at + BATCH] for at in range(0, len(places), BATCH)]
