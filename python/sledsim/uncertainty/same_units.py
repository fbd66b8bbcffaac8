"""Whether an expression adds or compares what has different units, such as a time and a capacity."""

from collections.abc import Callable
from typing import Any

from .. import _native
from .nodes import Comparison, Figure, Measured, Negative, Number, Operation, written

#: The unit of a figure: empty where it has none, None where it may be any.
UnitOf = Callable[[Figure], str | None]


def check_units(tree: Any, unit_of: UnitOf, what: str) -> None:
    """Find out whether only what has the same unit is added, subtracted and compared.

    A number may have any unit, and so has what is multiplied or divided by it: a user may weigh one figure
    against another. A percentage is a part of what it is multiplied by; where it stands alone it has no unit.

    Args:
        tree: A condition, from `Condition.tree`.
        unit_of: The unit of a figure.
        what: What errors begin with.

    Raises:
        ParameterError: Two sides have units that differ.
    """
    if isinstance(tree, Comparison):
        _same(tree, unit_of, what)
        return
    for name in ("of", "left", "right"):
        if hasattr(tree, name):
            check_units(getattr(tree, name), unit_of, what)


def _unit(node: Any, unit_of: UnitOf, what: str) -> str | None:
    """The unit of a number; None where it may be any."""
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
    """That of what a percentage is taken of, or of a ratio of two alike; else it is not followed."""
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
