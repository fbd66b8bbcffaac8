"""The own sampler: designs near the best ones, crossings of good ones, and some from anywhere.

It remembers nothing but the designs that have been run: whoever has their rows can go on.
"""

from collections.abc import Iterator

from .archive import Archive
from .numbers import Draws
from .space import Place, Space

#: Of the designs that are asked for at once: the part that is near good ones, and that of their crossings;
#: the others come from anywhere.
NEAR, CROSSED = 0.6, 0.25
#: So many good designs, no two of which have the same figures, are crossed, and looked around.
_ELITE = 24
#: So often a design is drawn that is not there yet, before it is taken that there is none.
_TRIES = 50


class Descent:
    """Asks for designs near the best, as far as these have not been run.

    The neighbours of the best design come first, in a random order, then those of the second, and so on. Of
    designs with the same figures, as a parameter that does nothing makes them, only one is looked around.

    Args:
        space: The designs.
        seed: Of what is drawn.
    """

    def __init__(self, space: Space, seed: int) -> None:
        self._space, self._seed = space, seed

    def ask(self, archive: Archive, count: int) -> list[Place]:
        """So many designs that have not been run; fewer where there are no more."""
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
        """The best designs, each with figures of its own."""
        seen, found = set(), list[Place]()
        known, costs, violations = archive.judged.known, archive.judged.costs, archive.judged.violations
        for number in archive.ranking():
            if len(found) == _ELITE or not known[number]:
                break
            figures = (*costs[number].tolist(), violations[number])
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
        """Of each factor the value of one of two good designs, or, now and then, a way beyond one."""
        if len(elite) < 2:
            return
        levels = self._space.levels
        for _ in range(_TRIES * _ELITE):
            # Better ones are parents more often.
            one, other = (elite[draws.below(1 + draws.below(len(elite)))] for _ in range(2))
            third = elite[draws.below(len(elite))]
            moved = []
            for at, count in enumerate(levels):
                value = one[at] if draws.uniform() < 0.5 else other[at]
                if count is None and draws.uniform() < 0.5:
                    value += (2 * draws.uniform() - 0.5) * (other[at] - third[at])
                elif draws.uniform() < 1 / (2 * len(levels)):
                    value = draws.uniform()
                moved.append(value)
            crossed = self._space.snapped(moved)
            if crossed not in archive:
                yield crossed

    def _anywhere(self, archive: Archive, found: dict[Place, None], draws: Draws) -> Iterator[Place]:
        misses = 0
        while misses < _TRIES:
            drawn = self._space.snapped([draws.uniform() for _ in self._space.levels])
            misses = 0 if drawn not in archive and drawn not in found else misses + 1
            if not misses:
                yield drawn
