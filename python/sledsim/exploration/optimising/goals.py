"""Goals and constraints of a search: figures to minimise or maximise, and conditions to meet."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _native
from ...common import ranking as ranks
from ...uncertainty.expressions import Condition, parse_constraint
from ...uncertainty.nodes import Figure
from ...uncertainty.same_units import check_units
from ..evaluation import Row
from ..point_figures import MEANINGS, unit_of
from ..sample import SHORT, value_of

#: Figures that goals and constraints may name, although the rows of results lack them; each with its meaning.
DERIVED: Mapping[str, str] = {"energy_j": "energy of everything, in J", "capacity_gib": "capacity, in GiB"}
#: Largest number of goals: charts show a front of two goals at most.
MOST_GOALS = 2

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Goal:
    """A figure to minimise or maximise.

    Attributes:
        figure: Full name of the figure.
        larger_is_better: True to maximise, False to minimise.
    """

    figure: str
    larger_is_better: bool = False

    @property
    def sign(self) -> float:
        """Factor that makes small values good: 1 for a figure to minimise, -1 for a figure to maximise."""
        return -1.0 if self.larger_is_better else 1.0

    def __str__(self) -> str:
        return f"{'most' if self.larger_is_better else 'least'} {self.figure}"


@dataclass(frozen=True)
class Judged:
    """Costs of designs, and their violations of the constraints.

    Attributes:
        costs: Costs to minimise, one row per design and one column per goal; an unknown cost is not finite.
        violations: Amounts by which each design violates the constraints: the violation of each constraint as
            a share of its right side, summed. 0 means that all constraints are met.
    """

    costs: Numbers
    violations: Numbers

    @property
    def known(self) -> NDArray[np.bool_]:
        """Array over the designs: True for a design that has figures."""
        return np.asarray(np.isfinite(self.costs).all(axis=1))

    @property
    def feasible(self) -> NDArray[np.bool_]:
        """Array over the designs: True for a design that has figures and meets all constraints."""
        return np.asarray(self.known & (self.violations == 0))


@dataclass(frozen=True)
class Aims:
    """The goals and the constraints of a search.

    Attributes:
        goals: Goals, one or two in number.
        constraints: Conditions that a design must meet.
        names: Names of factors and derived parameters, which constraints may use like figures.
        requests: Number of requests of a run: the figure ``energy_j`` is the energy per request times this
            number.
    """

    goals: Sequence[Goal]
    constraints: Sequence[Condition]
    names: Sequence[str]
    requests: int

    def judged(self, rows: Sequence[Row], values: Sequence[Mapping[str, Any]]) -> Judged:
        """Compute the costs and violations of designs from their rows and the values of their factors."""
        costs = [[goal.sign * self.figure(row, goal.figure) for goal in self.goals] for row in rows]
        violations = np.zeros(len(rows))
        for condition in self.constraints:
            columns = {
                figure: [self._value(row, own, figure.name) for row, own in zip(rows, values, strict=True)]
                for figure in condition.figures
            }
            truth = condition.truth(columns)
            margins = np.where(truth.undefined, -np.inf, truth.margin)
            violations = violations + np.where(truth.holds, 0.0, np.maximum(-margins, np.finfo(float).tiny))
        return Judged(np.array(costs).reshape(len(rows), len(self.goals)), violations)

    def figure(self, row: Row, name: str) -> float:
        """Return the figure `name` from a row of results; NaN if the row lacks the figure."""
        if name == "energy_j":
            return value_of(row, "energy_per_request_j") * self.requests
        if name == "capacity_gib":
            return value_of(row, "capacity_bytes") / 2**30
        return value_of(row, name)

    def _value(self, row: Row, values: Mapping[str, Any], name: str) -> float:
        if name not in self.names:
            return self.figure(row, whole_name(name))
        value = values.get(name)
        return float(value) if isinstance(value, int | float) else math.nan


def aims_of(
    minimise: Sequence[str],
    maximise: Sequence[str],
    subject_to: Sequence[str | Condition],
    names: Sequence[str],
    requests: int,
) -> Aims:
    """Return the goals and constraints, read from names of figures and conditions that a user gives.

    Raises:
        ParameterError: No goal or more than two goals are given, a figure is given twice or is unknown, or
            a constraint is not a condition.
    """
    goals = [Goal(whole_name(name)) for name in minimise]
    goals += [Goal(whole_name(name), larger_is_better=True) for name in maximise]
    found = [goal.figure for goal in goals]
    if not 1 <= len(set(found)) == len(found) <= MOST_GOALS:
        listed = ", ".join(found) or "none"
        raise _native.ParameterError(
            f"minimise, maximise: expected 1 to {MOST_GOALS} figures in all, each once, found {listed}"
        )
    conditions = [parse_constraint(one) if isinstance(one, str) else one for one in subject_to]
    for condition in conditions:
        for figure in condition.figures:
            _check(figure, names, str(condition))
        check_units(condition.tree, lambda figure: _unit(figure, names), f"constraint {condition}")
    return Aims(goals, conditions, names, requests)


def whole_name(name: str) -> str:
    """Return the full name of a figure from its short or full name.

    Raises:
        ParameterError: The figure is unknown.
    """
    found = SHORT.get(name, name)
    if found not in MEANINGS and found not in DERIVED:
        known = ", ".join([*SHORT, *MEANINGS, *DERIVED])
        raise _native.ParameterError(f"figure {name!r} is unknown: expected one of {known}")
    return found


def _unit(figure: Figure, names: Sequence[str]) -> str | None:
    """Return the unit of a figure in a constraint; None for a factor, whose values may have any unit."""
    return None if figure.name in names else unit_of(whole_name(figure.name))


def _check(figure: Figure, names: Sequence[str], condition: str) -> None:
    if figure.name in names:
        return
    try:
        whole_name(figure.name)
    except _native.ParameterError as error:
        more = f", or a factor: {', '.join(names)}"
        raise _native.ParameterError(f"constraint {condition}: {error}{more}") from None


def ranking(judged: Judged) -> list[int]:
    """Return the numbers of all designs, the best first.

    Designs that meet the constraints come first: with one goal in the order of their cost, with two goals
    front by front, beginning in each front with the design farthest from its neighbours. Designs that violate
    constraints follow, beginning with the smallest violation, and designs without figures come last.
    """
    known, feasible = judged.known, judged.feasible
    first = np.flatnonzero(feasible)
    if judged.costs.shape[1] == 1:
        order = first[np.argsort(ranks.levels(judged.costs[first, 0]), kind="stable")].tolist()
    else:
        order = _by_fronts(judged.costs, first.tolist())
    near = np.flatnonzero(known & ~feasible)
    order += near[np.argsort(ranks.levels(judged.violations[near], size=1), kind="stable")].tolist()
    return [*map(int, order), *map(int, np.flatnonzero(~known))]


def front(costs: Numbers, among: Sequence[int]) -> list[int]:
    """Return those of the designs `among` that are on the Pareto front.

    A design is on the front if no other is at least as good in all goals and better in one. The designs are
    in the order of the first goal; of several equal designs, only the first is returned.
    """
    return _front(_places(costs, among), among)


def alike(costs: Numbers, among: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """Return a tuple of ranks for each design in `among`; designs with equal costs have equal tuples."""
    places = _places(costs, among)
    return {one: tuple(places[one].tolist()) for one in among}


def _places(costs: Numbers, among: Sequence[int]) -> NDArray[np.int64]:
    """Return the rank of each design in `among` in each goal; the rows of other designs are meaningless."""
    found = np.zeros(costs.shape, np.int64)
    found[among] = ranks.levels(costs[among])
    return found


def _front(places: NDArray[np.int64], among: Sequence[int]) -> list[int]:
    found: list[int] = []
    for one in sorted(among, key=lambda one: (*places[one], one)):
        if not found or (places.shape[1] == 2 and places[one, 1] < places[found[-1], 1]):
            found.append(one)
    return found


def _by_fronts(costs: Numbers, among: list[int]) -> list[int]:
    order: list[int] = []
    left, places = among, _places(costs, among)
    # The order of designs far behind does not matter: their neighbours are not tried.
    while left and len(order) < 200:
        members = _front(places, left)
        far = ranks.levels(-_loneliness(costs[members]), size=1)
        order += [members[at] for at in np.argsort(far, kind="stable")]
        chosen = set(members)
        left = [one for one in left if one not in chosen]
    return order + left


def _loneliness(costs: Numbers) -> Numbers:
    """Return, for each member of a front, the distance of its two neighbours; infinite at both ends.

    The distance is the sum over the goals, each as a share of the extent of the front.
    """
    found = np.full(len(costs), np.inf)
    if len(costs) > 2:
        spans = np.maximum(np.abs(costs[-1] - costs[0]), np.finfo(float).tiny)
        found[1:-1] = (np.abs(costs[2:] - costs[:-2]) / spans).sum(axis=1)
    return found


def scores(costs: Numbers, reference: Numbers) -> Numbers:
    """Return one number per design: the mean over the goals of cost divided by the reference cost."""
    sizes = np.where(reference == 0, 1.0, np.abs(reference))
    return np.asarray((costs / sizes).mean(axis=1))
