"""The space of designs: each is a point of the unit cube, and stands for changes of the device."""

import math
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...uncertainty.factors import Choice, Factor, Factors
from ..sample import check_factors, sampled
from ..subjects import Subject

#: A design as a point of the unit cube: one number from 0 to 1 for each factor.
Place: TypeAlias = tuple[float, ...]
#: Name of the factor that varies the policy; all other factors vary a parameter of the device.
POLICY = "scheduler"
#: Distances of neighbours along a continuous range, as shares of the range. Large steps find a region of good
#: designs; small steps find the best design in it.
_STEPS = (0.25, 0.08, 0.025, 0.008, 0.0025)
#: Largest number of options for which all options count as similar to each other.
_FEW = 12
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")


class Space:
    """The space of all designs of a device or volume.

    Attributes:
        factors: Factors: the parameters that vary, and the policy if it varies.
        subject: Device or volume of the designs.

    Raises:
        ParameterError: The device or volume has no parameter with the name of a factor.
    """

    def __init__(self, factors: Factors, subject: Subject) -> None:
        self.factors, self.subject = factors, subject
        check_factors(factors, [subject], [POLICY])
        self._nominal = subject.nominal

    @cached_property
    def levels(self) -> list[int | None]:
        """The number of values of each factor; None for a continuous range."""
        return [self._levels(factor) for factor in self.factors.varied]

    @property
    def size(self) -> float:
        """The number of designs; infinite if a range is continuous."""
        return math.prod(math.inf if one is None else one for one in self.levels)

    def _levels(self, factor: Factor) -> int | None:
        if isinstance(factor, Choice):
            return len(factor.options)
        nominal = self._nominal.get(factor.name)
        return int(factor.high - factor.low) + 1 if factor.is_whole(nominal) else None

    def snapped(self, places: Sequence[float]) -> Place:
        """Return the design at a point of the unit cube: the centre of all points with the same values.

        Coordinates of continuous ranges remain.
        """
        found = []
        for at, levels in zip(places, self.levels, strict=True):
            inside = min(max(float(at), 0.0), 1.0)
            found.append(inside if levels is None else (min(int(inside * levels), levels - 1) + 0.5) / levels)
        return tuple(found)

    def values(self, places: Sequence[Place]) -> list[dict[str, Any]]:
        """Return the values of the factors and derived parameters by name, for each design.

        Raises:
            ParameterError: The expression of a derived parameter divides by 0.
        """
        columns = self.factors.columns(
            np.array(places).reshape(-1, len(self.levels)), self._nominal, is_strict=False
        )
        lists = {name: column.tolist() for name, column in columns.items()}
        return [{name: column[at] for name, column in lists.items()} for at in range(len(places))]

    def factor_values(self, place: Place) -> dict[str, Any]:
        """Return the values of the factors of a design by name, without derived parameters."""
        return {
            factor.name: factor.values(np.array([at]), self._nominal.get(factor.name)).tolist()[0]
            for factor, at in zip(self.factors.varied, place, strict=True)
        }

    def changes(self, places: Sequence[Place]) -> list[dict[str, Any]]:
        """Return the changes of the device or volume for each design, with the policy if it varies.

        Raises:
            ParameterError: The expression of a derived parameter divides by 0.
        """
        points: NDArray[np.float64] = np.array(places).reshape(-1, len(self.levels))
        return sampled(self.factors, self.subject, points, [POLICY])

    def near(self, place: Place) -> Iterator[Place]:
        """Yield the neighbours of a design, which differ from it in a single factor by one step."""
        for at, levels in enumerate(self.levels):
            for other in self._moves(at, place[at], levels):
                moved = self.snapped([*place[:at], other, *place[at + 1 :]])
                if moved != place:
                    yield moved

    def _moves(self, at: int, now: float, levels: int | None) -> Iterator[float]:
        if isinstance(self.factors.varied[at], Choice):
            assert levels is not None
            yield from ((one + 0.5) / levels for one in self._near_options[at][int(now * levels)])
            return
        steps = _STEPS if levels is None else [step for step in _STEPS if step * levels > 1] + [1 / levels]
        for step in steps:
            yield from (now - step, now + step)

    @cached_property
    def _near_options(self) -> list[list[list[int]]]:
        return [near_options(one.options) if isinstance(one, Choice) else [] for one in self.factors.varied]

    def every(self) -> Iterator[Place]:
        """Yield all designs of a space without a continuous range."""
        counts = [one or 1 for one in self.levels]
        for number in range(math.prod(counts)):
            rest, found = number, list[float]()
            for count in reversed(counts):
                rest, level = divmod(rest, count)
                found.append((level + 0.5) / count)
            yield tuple(reversed(found))


def near_options(options: Sequence[Any]) -> list[list[int]]:
    """Return, for each value in a list of options, the positions of the options that are similar to it.

    In a short list, all options are similar. In a long list of numbers, the two next smaller and the two next
    larger numbers are similar. In a long list of texts, texts that differ in exactly one number are similar,
    such as ``512x2x4096`` and ``512x2x8192``.
    """
    count = len(options)
    everyone = [[other for other in range(count) if other != one] for one in range(count)]
    if count <= _FEW:
        return everyone
    if all(isinstance(option, int | float) for option in options):
        order = sorted(range(count), key=lambda one: options[one])
        rank = {one: at for at, one in enumerate(order)}
        return [
            [order[at] for step in (-2, -1, 1, 2) if 0 <= (at := rank[one] + step) < count]
            for one in range(count)
        ]
    texts = [str(option) for option in options]
    parts = [(_NUMBER.sub("#", text), _NUMBER.findall(text)) for text in texts]
    found = []
    for one, (form, numbers) in enumerate(parts):
        near = [
            other
            for other, (its_form, its_numbers) in enumerate(parts)
            if other != one and (form != its_form or _differing(numbers, its_numbers) == 1)
        ]
        found.append(near or everyone[one])
    return found


def _differing(one: Sequence[str], other: Sequence[str]) -> int:
    return sum(a != b for a, b in zip(one, other, strict=True))
