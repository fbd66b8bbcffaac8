"""The effect of each parameter in the search: the best design with each value of the parameter."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...common.ranking import best_of, ordered
from ...uncertainty.factors import Choice
from .archive import Archive
from .goals import Numbers, scores

#: Number of sections of equal length into which a range is divided.
_PARTS = 5


@dataclass(frozen=True)
class Value:
    """A value of a parameter (or a section of its range), and the results of all designs with this value.

    Attributes:
        factor: Name of the parameter.
        value: Value, or section of the range, as text.
        designs: Number of designs that were run with the value.
        feasible: Number of these designs that have figures and meet the constraints.
        behind: Relative difference by which the best of these designs is worse than the best design of the
            search; None if none of these designs is feasible.
        figures: Figures of the best of these designs, one per goal; empty if none of them is feasible.
    """

    factor: str
    value: str
    designs: int
    feasible: int
    behind: float | None
    figures: Sequence[float]


def learnt(archive: Archive, reference: Numbers) -> list[Value]:
    """Return the values of each factor, sorted by the best design with each value; the best value first."""
    judged = archive.judged
    found = scores(judged.costs, reference)
    found[~judged.feasible] = math.inf
    least = float(found.min(initial=math.inf))
    rows = []
    for at, factor in enumerate(archive.space.factors.varied):
        groups: dict[str, list[int]] = {}
        for number, place in enumerate(archive.places):
            groups.setdefault(_named(archive, factor, at, place[at]), []).append(number)
        own = [_value(archive, factor.name, name, members, found, least) for name, members in groups.items()]
        by_name = sorted(own, key=lambda one: one.value)
        rows += ordered(by_name, lambda one: math.inf if one.behind is None else one.behind, size=1)
    return rows


def _named(archive: Archive, factor: Any, at: int, place: float) -> str:
    levels = archive.space.levels[at]
    if isinstance(factor, Choice):
        assert levels is not None
        return str(factor.options[min(int(place * levels), levels - 1)])
    nominal = archive.space.subject.nominal.get(factor.name)
    if levels is not None and levels <= _PARTS:
        return str(factor.values(np.array([place]), nominal)[0])
    part = min(int(place * _PARTS), _PARTS - 1)
    ends = factor.values(np.array([part / _PARTS, (part + 1) / _PARTS]), nominal).tolist()
    return f"{ends[0]:.4g} to {ends[1]:.4g}"


def _value(
    archive: Archive, factor: str, name: str, members: list[int], found: Numbers, least: float
) -> Value:
    best = best_of(members, found.__getitem__, size=1)
    known = bool(np.isfinite(found[best]))
    goals = archive.aims.goals
    costs = archive.judged.costs[best]
    return Value(
        factor=factor,
        value=name,
        designs=len(members),
        feasible=int(np.isfinite(found[members]).sum()),
        behind=float(found[best] - least) if known else None,
        figures=[goal.sign * float(cost) for goal, cost in zip(goals, costs, strict=True)] if known else [],
    )
