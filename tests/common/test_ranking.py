"""Rounding decides nothing: figures that differ in their last digits have the same ranks, best and front."""

import dataclasses
import math
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, TypeAlias

import numpy as np
import pytest

from sledsim.common.ranking import ALIKE, best_of, front, groups, is_less, is_same, levels, ordered
from sledsim.exploration.design.explored_formats import FormatSpace
from sledsim.exploration.optimising import goals
from sledsim.grids.of_comparison import _best, _Column
from sledsim.grids.of_sweep import _best as best_points
from sledsim.runs.comparison import Comparison, Point
from sledsim.runs.intervals import Estimate
from sledsim.uncertainty.deciding import one_split
from sledsim.uncertainty.expressions import parse_condition
from sledsim.uncertainty.halving import SuccessiveHalving
from sledsim.uncertainty.nodes import Figure
from sledsim.uncertainty.selection import KimNelson

from ..exploration.test_optimise import bowl, searched

#: Factors of a figure: a bit more or less, or the rounding of a long sum.
JITTER = (1.0, 1 + 2.0**-52, 1 - 2.0**-53, 1 + 1e-12, 1 - 1e-12)
Rows: TypeAlias = list[tuple[float, float, float]]


def cases() -> Iterator[tuple[Rows, Rows]]:
    """Yield rows of figures of which many are equal, each with equal rows but for rounding."""
    random = np.random.default_rng(5)
    for count in [*range(2, 12), 15, 20]:
        rows = random.integers(1, 6, (count, 3)) * 1.7e-3
        other = rows * random.choice(JITTER, rows.shape)
        yield [(a, b, c) for a, b, c in rows.tolist()], [(a, b, c) for a, b, c in other.tolist()]


def judged(rows: Rows, count: int) -> goals.Judged:
    """Return designs with a number of goals; a large last figure violates a constraint."""
    costs = np.array(rows)
    return goals.Judged(costs[:, :count], np.where(costs[:, 2] > 8e-3, costs[:, 2], 0))


def space(rows: Rows) -> FormatSpace:
    on_front = set(front([(row[0], row[1], -row[2]) for row in rows]))
    made = [
        {"at": at, "probes": 64 * (at % 4 + 1), "on_front": at in on_front}
        | dict(zip(("mean_response_s", "energy_j", "usable_bytes"), row, strict=True))
        for at, row in enumerate(rows)
    ]
    table: Any = SimpleNamespace(to_pylist=lambda: made)
    return FormatSpace(table, "osdi00", "requests", "fcfs", 1.0, {})


def points(rows: Rows) -> list[Point]:
    return [
        Point(f"policy {at}", 1.0, {}, Estimate(row[0], math.nan, 1), False, (), workload="requests")
        for at, row in enumerate(rows)
    ]


def quickest(rows: Rows) -> object:
    found = Comparison("osdi00", "requests", points(rows))
    # The figure may differ in its last digit, but belongs to the same policy.
    return [one.rpartition(" (")[0] for one in found.conclusions()]


def marked(rows: Rows) -> object:
    column = _Column("Mean ms", lambda one: one.mean_response_s.value, lambda one: "")
    every = points(rows)
    shown = [f"{row[0]:.4g}" for row in rows]
    return _best(column, list(enumerate(every)), shown), _best(
        dataclasses.replace(column, best=-1), list(enumerate(every)), shown
    )


def halved(rows: Rows) -> object:
    halving = SuccessiveHalving(len(rows), 100, 900)
    while not halving.is_done:
        halving.tell({trial: rows[trial.candidate][0] for trial in halving.ask()})
    return list(halving.ranking)


def selected(rows: Rows) -> object:
    noise = np.random.default_rng(3).normal(scale=1e-4, size=(len(rows), 200))
    procedure = KimNelson(len(rows), 1e-3, first=10)
    while asked := procedure.ask():
        procedure.tell({one: rows[one.system][0] + noise[0, one.seed] for one in asked})
    return procedure.best, procedure.replications


def listed_points(rows: Rows) -> object:
    made = ({"number": at, "figures": {"mean_response_s": row[0]}} for at, row in enumerate(rows))
    return [row["number"] for row in best_points(made)]


def split(rows: Rows) -> object:
    first, second, third = np.array(rows).T
    places = {"a": levels(first), "b": levels(second)}
    a, c = (Figure(name) for name in "ac")
    holds = parse_condition("a < c").truth({a: first, c: third}).holds
    found = one_split(places, holds) if 0 < holds.sum() < len(holds) else None
    return holds.tolist(), None if found is None else (found.rule, found.above)


DECISIONS: dict[str, Callable[[Rows], object]] = {
    "levels": lambda rows: levels(rows).tolist(),
    "ordered": lambda rows: ordered(range(len(rows)), *(lambda at, k=k: rows[at][k] for k in range(3))),
    "front of three": front,
    "groups": lambda rows: groups(range(len(rows)), lambda at: rows[at][0], lambda at: rows[at][1]),
    "ranking by one goal": lambda rows: goals.ranking(judged(rows, 1)),
    "ranking by two goals": lambda rows: goals.ranking(judged(rows, 2)),
    "front of one goal": lambda rows: goals.front(judged(rows, 1).costs, range(len(rows))),
    "front of two goals": lambda rows: goals.front(judged(rows, 2).costs, range(len(rows))),
    "designs with the same": lambda rows: goals.alike(judged(rows, 2).costs, range(len(rows))),
    "best energy": lambda rows: space(rows).best("energy")["at"],
    "best performance": lambda rows: space(rows).best("performance")["at"],
    "best capacity": lambda rows: space(rows).best("capacity")["at"],
    "recommended": lambda rows: space(rows).recommended["at"],
    "quickest policy": quickest,
    "marked in a table": marked,
    "points of a sweep": listed_points,
    "halving": halved,
    "selection": selected,
    "condition and what decides": split,
}


@pytest.mark.parametrize("decision", DECISIONS)
def test_rounding_decides_nothing(decision: str) -> None:
    decide = DECISIONS[decision]
    for rows, other in cases():
        assert decide(other) == decide(rows)


def test_fronts_and_levels_are_what_they_say() -> None:
    for rows, _ in cases():
        costs = np.array(rows)
        beaten = [((costs <= own).all(axis=1) & (costs < own).any(axis=1)).any() for own in costs]
        assert sorted(front(rows)) == [at for at, is_beaten in enumerate(beaten) if not is_beaten]
        first = costs[:, 0].tolist()
        assert levels(first).tolist() == [len({one for one in first if one < own}) for own in first]
        assert best_of(range(len(rows)), first.__getitem__) == first.index(min(first))


def test_a_search_goes_the_same_way_whatever_the_last_bits_are() -> None:
    """The search runs on a function with steps, where many designs are equal."""

    def steps(changes: dict[str, Any]) -> dict[str, float]:
        return {name: round(3 * value, 1) / 7 for name, value in bowl(changes).items()}

    def noisy(changes: dict[str, Any]) -> dict[str, float]:
        by = 1 + 1e-12 * math.sin(1e6 * changes["settle_ms"] + changes["active_tips"])
        return {name: value * by for name, value in steps(changes).items()}

    plain, other = searched(steps, 96), searched(noisy, 96)
    assert plain.places == other.places
    assert plain.ranking() == other.ranking()


def test_what_is_no_number_is_worst_and_equal_to_itself() -> None:
    inf, nan = math.inf, math.nan
    assert levels([nan, inf, 1.0, -inf, nan, inf]).tolist() == [3, 2, 1, 0, 3, 2]
    assert levels([]).tolist() == []
    assert is_less(1.0, inf) and not is_less(inf, inf) and not is_less(1.0, nan)
    assert not is_less(1.0, 1 + ALIKE / 2) and is_less(1.0, 1 + 2 * ALIKE)
    one, other = {"a": (0.1 + 0.2, nan, "x")}, {"a": (0.3, nan, "x")}
    assert one != other and is_same(one, other)
    assert not is_same(one, {"a": (0.3, 0.0, "x")}) and not is_same(one, {"b": (0.3, nan, "x")})


def test_a_difference_is_as_exact_as_what_it_is_of() -> None:
    close = [0.3 - 0.1 - 0.2, 0.0]
    assert levels(close).tolist() == [0, 1]
    assert levels(close, size=0.3).tolist() == [0, 0]
