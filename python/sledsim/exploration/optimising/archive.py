"""The designs that a search has run, in order, with their figures; a sampler knows nothing else."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from ... import _native
from ..evaluation import Row
from ..point_figures import FAILED
from .goals import Aims, Judged, ranking
from .unit_cube import Place, Space

#: A function that runs designs, given as changes of the device, and returns one row per design.
Run: TypeAlias = Callable[[Sequence[dict[str, Any]]], Sequence[Row]]


class Archive:
    """All designs that a search has run, with the row of each design.

    Attributes:
        space: Space of the designs.
        aims: Goals and constraints of the search.
        places: Point of the unit cube that stands for each design: one coordinate from 0 to 1 per factor.
        changes: Parameters of the device that each design changes, with their values.
        values: Values of the factors and derived parameters of each design, by name.
        rows: Row of figures of each design.
    """

    def __init__(self, space: Space, aims: Aims) -> None:
        self.space, self.aims = space, aims
        self.places: list[Place] = []
        self.changes: list[dict[str, Any]] = []
        self.values: list[dict[str, Any]] = []
        self.rows: list[Row] = []
        self._numbers: dict[Place, int] = {}
        self._judged = Judged(np.empty((0, len(aims.goals))), np.empty(0))
        self._ranking: list[int] | None = None

    def __len__(self) -> int:
        return len(self.places)

    def __contains__(self, place: Place) -> bool:
        return place in self._numbers

    @property
    def judged(self) -> Judged:
        """The costs of all designs, and the amounts by which they violate the constraints."""
        return self._judged

    def number(self, place: Place) -> int:
        """Return the number of the design at a place of the unit cube."""
        return self._numbers[place]

    def ranking(self) -> list[int]:
        """Return the numbers of the designs, the best first."""
        if self._ranking is None:
            self._ranking = ranking(self._judged)
        return self._ranking

    def run(self, places: Sequence[Place], run: Run) -> None:
        """Run new designs, points of the unit cube, by the function `run`, and add them to the archive."""
        made = [self._made(place) for place in places]
        changes, values = [one[0] for one in made], [one[1] for one in made]
        found_rows = iter(run([one[0] for one in made if one[2] is None]))
        rows = [next(found_rows) if one[2] is None else _broken(one[2]) for one in made]
        found = self.aims.judged(rows, values)
        for at, place in enumerate(places):
            self._numbers[place] = len(self.places) + at
        self.places += places
        self.changes += changes
        self.values += values
        self.rows += rows
        self._judged = Judged(
            np.concatenate([self._judged.costs, found.costs]),
            np.concatenate([self._judged.violations, found.violations]),
        )
        self._ranking = None

    def _made(self, place: Place) -> tuple[dict[str, Any], dict[str, Any], str | None]:
        """Return the changed parameters and factor values of a design, and an error if it is impossible."""
        try:
            (changes,), (values,) = self.space.changes([place]), self.space.values([place])
        except _native.ParameterError as error:
            return {}, self.space.factor_values(place), str(error)
        return changes, values, None


def _broken(error: str) -> Row:
    """Return the row of an impossible design, with the reason `error` in place of figures."""
    return {"status": FAILED, "figures": {}, "error": error}
