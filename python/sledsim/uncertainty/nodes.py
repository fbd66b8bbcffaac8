"""Nodes of the syntax tree of an expression: numbers, figures, operations, comparisons, conditions.

A condition has three answers, as in Kleene's logic (1938): true, false, or unknown because a figure is
unknown. An answer that does not depend on the unknown figure is known: ``a < b or c < d`` holds wherever ``a
< b`` does.
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
    """A figure named in an expression, such as ``p99(sptf)``.

    Attributes:
        name: Name of the figure, such as ``p99``.
        arguments: Names in parentheses, of a policy, device or volume; empty without parentheses.
    """

    name: str
    arguments: tuple[str, ...] = ()


#: Values of each figure, as arrays whose shapes broadcast.
Values: TypeAlias = Mapping[Figure, Floats]


@dataclass(frozen=True)
class Truth:
    """Answers to a condition for arrays of values.

    Attributes:
        holds: True where the condition holds, as an array.
        undefined: True where the answer is unknown, as an array.
        margin: Relative distance from the edge of the condition: above 0 where it holds, below 0 where it
            fails, NaN where the answer is unknown.
    """

    holds: Bools
    undefined: Bools
    margin: Floats

    @property
    def fails(self) -> Bools:
        """True where the condition fails."""
        return ~(self.holds | self.undefined)


@dataclass(frozen=True)
class Number:
    """A number in an expression, with the text by which the user wrote it."""

    value: float
    text: str

    def number(self, _: Values) -> Floats:
        """Return the number, for any values of the figures."""
        return np.asarray(self.value)

    def size(self, values: Values) -> Floats:
        """Return the magnitude of the number, to which distances from it are related."""
        return np.abs(self.number(values))


@dataclass(frozen=True)
class Measured:
    """A figure in an expression; its values are given when the expression is evaluated."""

    figure: Figure

    def number(self, values: Values) -> Floats:
        """Return the values of the figure."""
        return values[self.figure]

    def size(self, values: Values) -> Floats:
        """Return the magnitudes of the values, to which distances from them are related."""
        return np.abs(values[self.figure])


@dataclass(frozen=True)
class Negative:
    """Node for a minus sign before a number."""

    of: "Numeric"

    def number(self, values: Values) -> Floats:
        """Return the value of the operand with the opposite sign."""
        return np.asarray(-self.of.number(values))

    def size(self, values: Values) -> Floats:
        """Return the magnitude of the operand, to which distances from it are related."""
        return self.of.size(values)


_SIGNS = {"+": np.add, "-": np.subtract, "*": np.multiply}


@dataclass(frozen=True)
class Operation:
    """Node for the sum, difference, product or quotient of two numbers."""

    sign: str
    left: "Numeric"
    right: "Numeric"

    def number(self, values: Values) -> Floats:
        """Return the result of the operation; NaN for a division by 0, or for infinity minus infinity."""
        left, right = self.left.number(values), self.right.number(values)
        with np.errstate(all="ignore"):
            if self.sign == "/":
                return np.where(right == 0, np.nan, left / right)
            return np.asarray(_SIGNS[self.sign](left, right))

    def size(self, values: Values) -> Floats:
        """Return the magnitude of the result; for a sum or difference, the sum of both magnitudes."""
        if self.sign in "+-":
            return np.asarray(self.left.size(values) + self.right.size(values))
        return np.abs(self.number(values))


@dataclass(frozen=True)
class Comparison:
    """Node for a comparison of two numbers by <, >, <= or >=."""

    sign: str
    left: "Numeric"
    right: "Numeric"

    def truth(self, values: Values) -> Truth:
        """Compare the two sides; the margin is their difference, relative to the size of the right side.

        If that size is 0, the margin is the distance. Sides whose relative difference is at most `ALIKE` are
        equal.
        """
        left, right = np.broadcast_arrays(self.left.number(values), self.right.number(values))
        size = np.broadcast_to(self.right.size(values), right.shape)
        undefined = np.isnan(left) | np.isnan(right)
        with np.errstate(all="ignore"):
            sizes = np.maximum(size, np.broadcast_to(self.left.size(values), left.shape))
            equal = (left == right) | (np.abs(right - left) <= ALIKE * np.where(np.isinf(sizes), 0, sizes))
            distance = np.where(equal, 0, right - left) / np.where(size == 0, 1, size)
        # The distance of an infinite value from all other values is infinite.
        distance = np.where(np.isinf(right) & ~equal, right, distance)
        is_less = self.sign.startswith("<")
        compared = (np.less if is_less else np.greater)(left, right)
        holds = np.where(equal, self.sign.endswith("="), compared)
        margin = np.where(undefined, np.nan, distance if is_less else -distance)
        return Truth(np.asarray(holds & ~undefined), np.asarray(undefined), margin + 0.0)


@dataclass(frozen=True)
class Not:
    """Node for the negation of a condition."""

    of: "Logical"

    def truth(self, values: Values) -> Truth:
        """Return the answers of the operand negated, and its margins with the opposite sign."""
        found = self.of.truth(values)
        return Truth(found.fails, found.undefined, 0.0 - found.margin)


@dataclass(frozen=True)
class Both:
    """Node for two conditions joined by ``and``."""

    left: "Logical"
    right: "Logical"

    def truth(self, values: Values) -> Truth:
        """Return where both conditions hold; the margin is the smaller one of the two that are known."""
        left, right = self.left.truth(values), self.right.truth(values)
        holds = left.holds & right.holds
        undefined = ~(holds | left.fails | right.fails)
        margin = np.where(undefined, np.nan, np.fmin(left.margin, right.margin))
        return Truth(np.asarray(holds), np.asarray(undefined), margin)


@dataclass(frozen=True)
class Either:
    """Node for two conditions joined by ``or``."""

    left: "Logical"
    right: "Logical"

    def truth(self, values: Values) -> Truth:
        """Return where at least one condition holds; the margin is the larger one of those that are known."""
        return Not(Both(Not(self.left), Not(self.right))).truth(values)


Numeric: TypeAlias = Number | Measured | Negative | Operation
Logical: TypeAlias = Comparison | Not | Both | Either
Node: TypeAlias = Numeric | Logical

#: Precedence of each kind of node; higher numbers bind more tightly.
_BINDING = {Either: 1, Both: 2, Not: 3, Comparison: 4, Operation: 5, Negative: 7, Number: 8, Measured: 8}


def figures(node: Any) -> Iterator[Figure]:
    """Yield the figures in an expression from left to right, each as often as it occurs."""
    if isinstance(node, Measured):
        yield node.figure
    for name in ("of", "left", "right"):
        if hasattr(node, name):
            yield from figures(getattr(node, name))


def written(node: Any) -> str:
    """Return an expression as text, without needless parentheses."""
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
    # Operators of one kind associate to the left; comparisons do not chain.
    left = _within(node.left, own + isinstance(node, Comparison))
    return f"{left} {sign} {_within(node.right, own + 1)}"


def _binding(node: Any) -> int:
    return _BINDING[type(node)] + (isinstance(node, Operation) and node.sign in "*/")


def _within(node: Any, least: int) -> str:
    text = written(node)
    return text if _binding(node) >= least else f"({text})"


def _argument(name: str) -> str:
    return name if BARE.fullmatch(name) else f"'{name}'"
