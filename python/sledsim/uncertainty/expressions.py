"""Conditions and arithmetic as text, such as ``p99(sptf) < 95% * p99(clook_lbn)``.

Operators from the lowest to the highest precedence: ``or``; ``and``; ``not``; one of ``< <= > >=`` between
two
numbers; ``+ -``; ``* /``; a minus before a number. Operands are numbers (``12``, ``0.4``, ``1e-3``,
``5%``), figures (``p99(sptf)``, ``mean(clook_lbn, osdi00)``, ``capacity_gib``) and parentheses. The
arguments of a figure are policies, devices and volumes with their options: ``p99(zsptf:zone=120x1200)``; in
single quotes if they have other characters: ``p99('priority:of=sptf,levels=2')``. A text is never executed as
Python code.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .. import _native
from .nodes import (
    Bools,
    Both,
    Comparison,
    Either,
    Figure,
    Floats,
    Logical,
    Measured,
    Negative,
    Node,
    Not,
    Number,
    Numeric,
    Operation,
    Truth,
    Values,
    figures,
    written,
)
from .reading import BARE, Reader

#: Largest number of operations in an expression, and largest depth of its parentheses.
MOST_OPERATIONS = 100
MOST_NESTED = 20

_QUOTED = re.compile(r"'[^']+'")
_NUMERIC = (Number, Measured, Negative, Operation)
_WORDS = ("and", "or", "not")
_A_NUMBER = "a number, a figure or '('"
#: Units that users may write after a number. They are an error, as the unit of each figure is fixed.
_UNITS = frozenset("s ms us µs ns j mj uj w mw b kb mb gb kib mib gib".split())


@dataclass(frozen=True)
class Condition:
    """A condition, from `parse_condition` or `parse_constraint`.

    Attributes:
        tree: Syntax tree of the text; texts that differ only in spaces or needless parentheses have equal
            trees.
    """

    tree: Logical

    @property
    def figures(self) -> list[Figure]:
        """Figures in the condition, each once, in the order of the text."""
        return list(dict.fromkeys(figures(self.tree)))

    def truth(self, values: Mapping[Figure, ArrayLike]) -> Truth:
        """Evaluate the condition for arrays of values of its figures: answers, unknown answers, and margins.

        The answer is unknown where it depends on a figure that is NaN or on a division by 0.

        Args:
            values: Array of values of each figure in `figures`; the arrays must have shapes that broadcast.

        Returns:
            Arrays of the common shape. ``margin`` is above 0 where the condition holds and below 0 elsewhere:
                for a comparison the distance of both sides as a share of the size of the right one, or the
                distance if that is 0; for ``and`` the smaller margin, for ``or`` the larger one.

        Raises:
            ParameterError: The values of a figure are missing or not numbers.
        """
        arrays = _arrays("condition", self.figures, values)
        found = self.tree.truth(arrays)
        shape = np.broadcast_shapes(found.holds.shape, *(array.shape for array in arrays.values()))
        return Truth(
            np.broadcast_to(found.holds, shape),
            np.broadcast_to(found.undefined, shape),
            np.broadcast_to(found.margin, shape),
        )

    def holds(self, values: Mapping[Figure, ArrayLike]) -> tuple[Bools, Bools]:
        """Return two arrays: True where the condition holds, and True where the answer is unknown."""
        found = self.truth(values)
        return found.holds, found.undefined

    def margin(self, values: Mapping[Figure, ArrayLike]) -> Floats:
        """Return how clearly the condition holds (see `truth`): above 0 where it holds, below 0 elsewhere."""
        return self.truth(values).margin

    def __str__(self) -> str:
        return written(self.tree)


@dataclass(frozen=True)
class Arithmetic:
    """An expression that computes a number from named numbers, from `parse_arithmetic`.

    Attributes:
        tree: Syntax tree of the text.
    """

    tree: Numeric

    @property
    def names(self) -> list[str]:
        """Names in the expression, each once, in the order of the text."""
        return list(dict.fromkeys(figure.name for figure in figures(self.tree)))

    def value(self, values: Mapping[str, ArrayLike]) -> Floats:
        """Compute the number for arrays of values of the names; NaN where a divisor is 0.

        Args:
            values: Array of values of each name in `names`; the arrays must have shapes that broadcast.

        Raises:
            ParameterError: The value of a name is missing or not a number.
        """
        named = {Figure(name): value for name, value in values.items()}
        return self.tree.number(_arrays("expression", list(map(Figure, self.names)), named))

    def __str__(self) -> str:
        return written(self.tree)


def parse_condition(text: str, what: str = "condition") -> Condition:
    """Read a condition, such as ``p99(sptf) < p99(clook_lbn)``.

    Args:
        text: Text of at most 1,000 characters and 100 operations, with parentheses at most 20 deep.
        what: Text with which error messages begin.

    Raises:
        ParameterError: The text is not a condition; the message shows the place by a caret.
    """
    return Condition(_Parser(Reader(what, text), with_arguments=True).condition())


def parse_constraint(text: str, what: str = "constraint") -> Condition:
    """Read a condition in which figures have no arguments, such as ``capacity_gib >= 2``.

    Raises:
        ParameterError: The text is not a condition; the message shows the place by a caret.
    """
    return Condition(_Parser(Reader(what, text), with_arguments=False).condition())


def parse_arithmetic(text: str, what: str = "expression") -> Arithmetic:
    """Read a number computed from names, such as ``50 * acceleration_m_per_s2 / 803.6``.

    Raises:
        ParameterError: The text is not arithmetic on names; the message shows the place by a caret.
    """
    return Arithmetic(_Parser(Reader(what, text), with_arguments=False).arithmetic())


class _Parser:
    """Recursive-descent parser of expressions, with one method per level of precedence."""

    def __init__(self, reader: Reader, with_arguments: bool) -> None:
        self.reader = reader
        self.with_arguments = with_arguments
        self.operations = 0
        self.nested = 0

    def condition(self) -> Logical:
        found = self.either()
        self.end(found)
        return self.logical(found, 0)

    def arithmetic(self) -> Numeric:
        found = self.either()
        self.end(found)
        return self.numeric(found, 0)

    def end(self, before: Node) -> None:
        if self.reader.is_at_end():
            return
        is_number = isinstance(before, _NUMERIC)
        found = self.reader.following()
        is_unit = found.strip("'").lower() in _UNITS
        self.reader.fail(
            "an operation such as + or <, or the end" if is_number else "'and', 'or' or the end",
            f"{found}: times are in s, energies in J, sizes in bytes, such as 20e-3 for 20 ms"
            if is_unit
            else found,
        )

    def either(self) -> Node:
        start = self.reader.place
        found = self.both()
        while self.reader.word("or"):
            self.count()
            left, right_start = self.logical(found, start), self.reader.place
            found = Either(left, self.logical(self.both(), right_start))
        return found

    def both(self) -> Node:
        start = self.reader.place
        found = self.negated()
        while self.reader.word("and"):
            self.count()
            left, right_start = self.logical(found, start), self.reader.place
            found = Both(left, self.logical(self.negated(), right_start))
        return found

    def negated(self) -> Node:
        if not self.reader.word("not"):
            return self.comparison()
        self.count()
        start = self.reader.place
        return Not(self.logical(self.negated(), start))

    def comparison(self) -> Node:
        start = self.reader.place
        found = self.sum()
        sign = self.reader.sign("<=", ">=", "<", ">")
        if not sign:
            return found
        self.count()
        left, right_start = self.numeric(found, start), self.reader.place
        return Comparison(sign, left, self.numeric(self.sum(), right_start))

    def sum(self) -> Node:
        start = self.reader.place
        found = self.product()
        while sign := self.reader.sign("+", "-"):
            self.count()
            left, right_start = self.numeric(found, start), self.reader.place
            found = Operation(sign, left, self.numeric(self.product(), right_start))
        return found

    def product(self) -> Node:
        start = self.reader.place
        found = self.signed()
        while sign := self.reader.sign("*", "/"):
            self.count()
            left, right_start = self.numeric(found, start), self.reader.place
            found = Operation(sign, left, self.numeric(self.signed(), right_start))
        return found

    def signed(self) -> Node:
        if not self.reader.sign("-"):
            return self.single()
        self.count()
        start = self.reader.place
        return Negative(self.numeric(self.signed(), start))

    def single(self) -> Node:
        start = self.reader.place
        if self.reader.sign("("):
            return self.parenthesised(start)
        if digits := self.reader.number():
            return self.number(digits, start)
        name = self.reader.word()
        if not name or name in _WORDS:
            self.reader.fail(_A_NUMBER, f"{name!r}" if name else None, at=start)
        return Measured(Figure(name, self.arguments(name)))

    def parenthesised(self, start: int) -> Node:
        self.nested += 1
        if self.nested > MOST_NESTED:
            self.reader.fail(f"parentheses up to {MOST_NESTED} deep", "more", at=start)
        found = self.either()
        if not self.reader.sign(")"):
            self.reader.fail("an operation such as + or <, or ')'")
        self.nested -= 1
        return found

    def number(self, digits: str, start: int) -> Number:
        percent = self.reader.sign("%")
        value = float(digits) / (100 if percent else 1)
        if not math.isfinite(value):
            self.reader.fail("a number up to 1.8e308", f"{digits[:20]!r}", at=start)
        return Number(value, digits + percent)

    def arguments(self, name: str) -> tuple[str, ...]:
        start = self.reader.place
        if not self.reader.sign("("):
            return ()
        if not self.with_arguments:
            self.reader.fail(
                f"an operation such as + or <, or the end, behind the name {name}", "'('", at=start
            )
        found = [self.argument()]
        while self.reader.sign(","):
            found.append(self.argument())
        if not self.reader.sign(")"):
            self.reader.fail("',' or ')', or the name in '...'")
        return tuple(found)

    def argument(self) -> str:
        quoted = self.reader.matched(_QUOTED)
        found = quoted[1:-1] if quoted else self.reader.matched(BARE)
        if not found:
            self.reader.fail(
                "the name of a policy, a device or a volume, in '...' if it has special characters"
            )
        return found

    def count(self) -> None:
        self.operations += 1
        if self.operations > MOST_OPERATIONS:
            self.reader.fail(f"up to {MOST_OPERATIONS} operations", "more")

    def logical(self, node: Node, start: int) -> Logical:
        """Raise an error if a node is a number, not a condition; `start` is its index in the text."""
        if isinstance(node, _NUMERIC):
            self.reader.fail("a condition, such as a comparison by <", "a number", at=start)
        return node

    def numeric(self, node: Node, start: int) -> Numeric:
        """Raise an error if a node is a condition, not a number; `start` is its index in the text."""
        if not isinstance(node, _NUMERIC):
            self.reader.fail("a number", "a condition", at=start)
        return node


def _arrays(what: str, needed: list[Figure], values: Mapping[Figure, ArrayLike]) -> Values:
    """Return the values of each figure in `needed` as an array; error messages begin with `what`."""
    arrays = {}
    for figure in needed:
        name = written(Measured(figure))
        if figure not in values:
            raise _native.ParameterError(f"{what}: {name}: expected an array of values, found none")
        try:
            arrays[figure] = np.asarray(values[figure], np.float64)
        except (TypeError, ValueError):
            raise _native.ParameterError(
                f"{what}: {name}: expected numbers, found {values[figure]!r:.60}"
            ) from None
    try:
        np.broadcast_shapes(*(array.shape for array in arrays.values()))
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in arrays.values())
        raise _native.ParameterError(f"{what}: expected shapes that broadcast, found {shapes}") from None
    return arrays
