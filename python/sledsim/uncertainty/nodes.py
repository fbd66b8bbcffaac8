"""What expressions are made of: numbers, figures, and what is done with them, as a tree.

A part of an expression is a number or a truth. `Truth` has three answers, as Kleene's logic has (1938): it
holds, it does not, or that is not known, because a figure is not. What does not depend on the unknown figure
is known all the same: ``a < b or c < d`` holds wherever ``a < b`` does.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..common.ranking import ALIKE
from .reading import BARE

Floats: TypeAlias = NDArray[np.float64]
Bools: TypeAlias = NDArray[np.bool_]


class Figure(NamedTuple):
    """A figure of an expression, such as ``p99(sptf)``.

    Attributes:
        name: Of what is measured, as ``p99``.
        arguments: Of the policy, device or volume that it is of; none where the name stands alone.
    """

    name: str
    arguments: tuple[str, ...] = ()


#: The value of each figure, of shapes that fit each other.
Values: TypeAlias = Mapping[Figure, Floats]


@dataclass(frozen=True)
class Truth:
    """The answers to a condition.

    Attributes:
        holds: Whether it is known to hold.
        undefined: Whether that is not known.
        margin: By how much it holds, or does not where it is below 0; NaN where that is not known.
    """

    holds: Bools
    undefined: Bools
    margin: Floats

    @property
    def fails(self) -> Bools:
        """Whether it is known not to hold."""
        return ~(self.holds | self.undefined)


@dataclass(frozen=True)
class Number:
    """A number, which its text is kept of."""

    value: float
    text: str

    def number(self, _: Values) -> Floats:
        """The number itself."""
        return np.asarray(self.value)

    def size(self, values: Values) -> Floats:
        """How large what it is made of is, whatever the signs."""
        return np.abs(self.number(values))


@dataclass(frozen=True)
class Measured:
    """A figure whose values are given."""

    figure: Figure

    def number(self, values: Values) -> Floats:
        """The values that are given for it."""
        return values[self.figure]

    def size(self, values: Values) -> Floats:
        """How large they are, whatever the signs."""
        return np.abs(values[self.figure])


@dataclass(frozen=True)
class Negative:
    """A number with the other sign."""

    of: "Numeric"

    def number(self, values: Values) -> Floats:
        """The number with the other sign."""
        return np.asarray(-self.of.number(values))

    def size(self, values: Values) -> Floats:
        """How large what it is made of is, whatever the signs."""
        return self.of.size(values)


@dataclass(frozen=True)
class Operation:
    """Two numbers that are added, subtracted, multiplied or divided."""

    sign: str
    left: "Numeric"
    right: "Numeric"

    def number(self, values: Values) -> Floats:
        """The result: NaN of a division by 0, and of infinities that cancel."""
        left, right = self.left.number(values), self.right.number(values)
        with np.errstate(all="ignore"):
            if self.sign == "+":
                return np.asarray(left + right)
            if self.sign == "-":
                return np.asarray(left - right)
            if self.sign == "*":
                return np.asarray(left * right)
            return np.where(right == 0, np.nan, left / right)

    def size(self, values: Values) -> Floats:
        """How large what it is made of is, whatever the signs: of ``a - b`` it is a and b together."""
        if self.sign in "+-":
            return np.asarray(self.left.size(values) + self.right.size(values))
        return np.abs(self.number(values))


@dataclass(frozen=True)
class Comparison:
    """Two numbers of which one is to be the larger."""

    sign: str
    left: "Numeric"
    right: "Numeric"

    def truth(self, values: Values) -> Truth:
        """Whether it holds, by the distance as a part of the right side, or as it is where that is 0.

        The right side is as large as what is added or subtracted there. Numbers that are `ALIKE` are equal.
        """
        left, right = np.broadcast_arrays(self.left.number(values), self.right.number(values))
        size = np.broadcast_to(self.right.size(values), right.shape)
        undefined = np.isnan(left) | np.isnan(right)
        with np.errstate(all="ignore"):
            sizes = np.maximum(size, np.broadcast_to(self.left.size(values), left.shape))
            equal = (left == right) | (np.abs(right - left) <= ALIKE * np.where(np.isinf(sizes), 0, sizes))
            distance = np.where(equal, 0, right - left) / np.where(size == 0, 1, size)
        # Something infinite is infinitely far from everything else.
        distance = np.where(np.isinf(right) & ~equal, right, distance)
        is_less = self.sign.startswith("<")
        compared = (np.less if is_less else np.greater)(left, right)
        holds = np.where(equal, self.sign.endswith("="), compared)
        margin = np.where(undefined, np.nan, distance if is_less else -distance)
        return Truth(np.asarray(holds & ~undefined), np.asarray(undefined), margin + 0.0)


@dataclass(frozen=True)
class Not:
    """The opposite of a condition."""

    of: "Logical"

    def truth(self, values: Values) -> Truth:
        """The opposite, by the same margin."""
        found = self.of.truth(values)
        return Truth(found.fails, found.undefined, 0.0 - found.margin)


@dataclass(frozen=True)
class Both:
    """Two conditions that are to hold."""

    left: "Logical"
    right: "Logical"

    def truth(self, values: Values) -> Truth:
        """Whether both hold, by the smaller margin, or by that of one that decides."""
        left, right = self.left.truth(values), self.right.truth(values)
        holds = left.holds & right.holds
        undefined = ~(holds | left.fails | right.fails)
        margin = np.where(undefined, np.nan, np.fmin(left.margin, right.margin))
        return Truth(np.asarray(holds), np.asarray(undefined), margin)


@dataclass(frozen=True)
class Either:
    """Two conditions of which one is to hold."""

    left: "Logical"
    right: "Logical"

    def truth(self, values: Values) -> Truth:
        """Whether one holds, by the larger margin, or by that of one that decides."""
        left, right = self.left.truth(values), self.right.truth(values)
        holds = left.holds | right.holds
        undefined = ~(holds | (left.fails & right.fails))
        margin = np.where(undefined, np.nan, np.fmax(left.margin, right.margin))
        return Truth(np.asarray(holds), np.asarray(undefined), margin)


Numeric: TypeAlias = Number | Measured | Negative | Operation
Logical: TypeAlias = Comparison | Not | Both | Either
Node: TypeAlias = Numeric | Logical

#: How tightly each kind holds together, in texts.
_BINDING = {Either: 1, Both: 2, Not: 3, Comparison: 4, Operation: 5, Negative: 7, Number: 8, Measured: 8}


def figures(node: Any) -> Iterator[Figure]:
    """The figures of an expression, from left to right, each as often as it stands there."""
    if isinstance(node, Measured):
        yield node.figure
    for name in ("of", "left", "right"):
        if hasattr(node, name):
            yield from figures(getattr(node, name))


def written(node: Any) -> str:
    """An expression as a text that means the same, without needless parentheses."""
    if isinstance(node, Number):
        return node.text
    if isinstance(node, Measured):
        name, arguments = node.figure
        return f"{name}({', '.join(map(_argument, arguments))})" if arguments else name
    own = _binding(node)
    if isinstance(node, Negative | Not):
        sign = "-" if isinstance(node, Negative) else "not "
        return sign + _within(node.of, own)
    sign = {Either: "or", Both: "and"}.get(type(node)) or node.sign
    # Signs of one kind go from left to right; comparisons do not follow each other.
    left = _within(node.left, own + isinstance(node, Comparison))
    return f"{left} {sign} {_within(node.right, own + 1)}"


def _binding(node: Any) -> int:
    return _BINDING[type(node)] + (isinstance(node, Operation) and node.sign in "*/")


def _within(node: Any, least: int) -> str:
    text = written(node)
    return text if _binding(node) >= least else f"({text})"


def _argument(name: str) -> str:
    return name if BARE.fullmatch(name) else f"'{name}'"
