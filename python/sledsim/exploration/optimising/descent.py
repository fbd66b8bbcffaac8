"""The built-in sampler: designs near the best ones, mixtures of good designs, and random designs.

The sampler has no state but the designs that have been run: their rows suffice to resume a search.
"""

from collections.abc import Iterator

from ...common.ranking import levels
from ...uncertainty.factors import Range
from .archive import Archive
from .numbers import Draws
from .unit_cube import Place, Space

#: Shares of the designs of a batch: designs near good ones, and mixtures of good ones. The rest is random.
NEAR, CROSSED = 0.6, 0.25
#: Number of best designs, all with different figures, from which new designs are derived.
_ELITE = 24
#: Number of random draws in a row without a new design after which the space counts as exhausted.
_TRIES = 50


class Descent:
    """A sampler that proposes new designs near the best designs.

    It proposes the neighbours of the best design first, in a random order, then those of the second best, and
    so on. A parameter without effect makes designs with equal figures; only one of them gets its neighbours.

    Args:
        space: Space of the designs.
        seed: Seed of the draws.
    """

    def __init__(self, space: Space, seed: int) -> None:
        self._space, self._seed = space, seed
        self._is_range = [isinstance(factor, Range) for factor in space.factors.varied]

    def ask(self, archive: Archive, count: int) -> list[Place]:
        """Return `count` designs that have not been run; fewer if the space is exhausted."""
        draws = Draws(self._seed, len(archive))
        elite = self._elite(archive)
        found: dict[Place, None] = {}
        self._take(found, self._near(elite, archive, draws), round(NEAR * count))
        self._take(found, self._crossed(elite, archive, draws), round((NEAR + CROSSED) * count))
        self._take(found, self._anywhere(archive, found, draws), count)
        if len(found) < count:
            self._take(found, self._near(elite, archive, draws), count)
        if len(found) < count and self._space.size < 10 * (len(archive) + count):
            self._take(found, (one for one in self._space.every() if one not in archive), count)
        return list(found)

    @staticmethod
    def _take(found: dict[Place, None], candidates: Iterator[Place], until: int) -> None:
        while len(found) < until and (place := next(candidates, None)) is not None:
            found[place] = None

    def _elite(self, archive: Archive) -> list[Place]:
        """Return the best designs of the archive; of designs with equal figures, only the best ranked."""
        seen, found = set(), list[Place]()
        judged, known = archive.judged, archive.judged.known
        costs, missed = levels(judged.costs), levels(judged.violations, size=1)
        for number in archive.ranking():
            if len(found) == _ELITE or not known[number]:
                break
            figures = (*costs[number].tolist(), missed[number])
            if figures not in seen:
                seen.add(figures)
                found.append(archive.places[number])
        return found

    def _near(self, elite: list[Place], archive: Archive, draws: Draws) -> Iterator[Place]:
        for place in elite:
            around = [one for one in dict.fromkeys(self._space.near(place)) if one not in archive]
            draws.shuffle(around)
            yield from around

    def _crossed(self, elite: list[Place], archive: Archive, draws: Draws) -> Iterator[Place]:
        """Yield designs made from three good designs; better designs are drawn more often."""
        if len(elite) < 2:
            return
        for _ in range(_TRIES * _ELITE):
            parents = [elite[draws.below(1 + draws.below(len(elite)))] for _ in range(3)]
            is_along = any(self._is_range) and draws.uniform() < 0.5
            mixed = self._along(parents, draws) if is_along else self._mixed(parents, draws)
            crossed = self._space.snapped(mixed)
            if crossed not in archive:
                yield crossed

    def _along(self, parents: list[Place], draws: Draws) -> list[float]:
        """Move a design by the difference of two other designs: good designs often lie along one line.

        Only factors with a continuous range move; the result is one coordinate per factor.
        """
        one, other, third = parents
        far = 2 * draws.uniform()
        return [
            own + far * (a - b) if self._is_range[at] else own
            for at, (own, a, b) in enumerate(zip(one, other, third, strict=True))
        ]

    def _mixed(self, parents: list[Place], draws: Draws) -> list[float]:
        """Mix two designs: each factor comes from one of them at random, or rarely gets a random value."""
        one, other, _ = parents
        rare = 1 / (2 * len(one))
        return [
            draws.uniform() if draws.uniform() < rare else own if draws.uniform() < 0.5 else its
            for own, its in zip(one, other, strict=True)
        ]

    def _anywhere(self, archive: Archive, found: dict[Place, None], draws: Draws) -> Iterator[Place]:
        misses = 0
        while misses < _TRIES:
            drawn = self._space.snapped([draws.uniform() for _ in self._space.levels])
            misses = 0 if drawn not in archive and drawn not in found else misses + 1
            if not misses:
                yield drawn
