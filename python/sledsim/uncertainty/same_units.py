"""Check of units in an expression: a sum of a time and a capacity, for example, is an error."""

from collections.abc import Callable
from typing import Any

from .. import _native
from .nodes import Comparison, Figure, Measured, Negative, Number, Operation, written

#: Function that takes a figure and returns its unit: ``""`` if it has none, None if it fits any unit.
UnitOf = Callable[[Figure], str | None]


def check_units(tree: Any, unit_of: UnitOf, what: str) -> None:
    """Check that only values of the same unit are added, subtracted and compared.

    A number can have any unit; a value multiplied or divided by a number can, too, so that users can weigh
    figures against each other. A percentage has the unit of the value that it multiplies; alone it has no
    unit.

    Args:
        tree: Syntax tree of the condition, from `Condition.tree`.
        unit_of: Function that takes a figure and returns its unit.
        what: Text with which error messages begin.

    Raises:
        ParameterError: The two sides of a sum, difference or comparison have different units.
    """
    if isinstance(tree, Comparison):
        _same(tree, unit_of, what)
        return
    for name in ("of", "left", "right"):
        if hasattr(tree, name):
            check_units(getattr(tree, name), unit_of, what)


def _unit(node: Any, unit_of: UnitOf, what: str) -> str | None:
    """Return the unit of a number in an expression; ``""`` if it has none, None if it fits any unit."""
    if isinstance(node, Measured):
        return unit_of(node.figure)
    if _is_percentage(node):
        return ""
    if isinstance(node, Negative):
        return _unit(node.of, unit_of, what)
    if isinstance(node, Operation):
        if node.sign in "+-":
            return _same(node, unit_of, what)
        return _of_product(node, unit_of, what)
    return None


def _same(node: Any, unit_of: UnitOf, what: str) -> str | None:
    left, right = (_unit(one, unit_of, what) for one in (node.left, node.right))
    if left is not None and right is not None and left != right:
        sides = (
            f"{written(one)} ({unit or 'no unit'})" for one, unit in ((node.left, left), (node.right, right))
        )
        raise _native.ParameterError(
            f"{what}: expected both sides of {node.sign} in one unit, found {' and '.join(sides)}"
        )
    return right if left is None else left


def _of_product(node: Operation, unit_of: UnitOf, what: str) -> str | None:
    """Return the unit of a product or quotient; None if it is not known, so that it fits any unit."""
    units = [_unit(one, unit_of, what) for one in (node.left, node.right)]
    if node.sign == "*":
        for part, unit in zip((node.left, node.right), reversed(units), strict=True):
            if _is_percentage(part):
                return unit
    elif units[0] is not None and units[0] == units[1]:
        return ""
    return None


def _is_percentage(node: Any) -> bool:
    return isinstance(node, Number) and node.text.endswith("%")
