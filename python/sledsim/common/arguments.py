"""Checks of arguments that several functions have: policies, names and whole numbers."""

import math
from collections.abc import Iterable, Mapping
from typing import TypeVar

import numpy as np

from .. import _native

Row = TypeVar("Row")


def scheduler_names(schedulers: str | Iterable[str]) -> list[str]:
    """Return a list of policy names from one name or several; ``all`` stands for all built-in policies.

    Raises:
        ParameterError: An element of `schedulers` is not a text.
    """
    names = [schedulers] if isinstance(schedulers, str) else list(schedulers)
    for name in names:
        if not isinstance(name, str):
            raise _native.ParameterError(f"scheduler = {name!r}: expected the name of a policy")
    every = [row["name"] for row in _native.tables()["schedulers"]]
    return [each for name in names for each in (every if name == "all" else [name])]


def chosen(rows: Mapping[str, Row], name: str, what: str) -> Row:
    """Return the value of the dictionary `rows` for `name`, which a user typed.

    Raises:
        ParameterError: `rows` has no such name. The message begins with `what`, the kind of thing that `name`
            should be.
    """
    if name not in rows:
        raise _native.ParameterError(f"{what}: expected one of {', '.join(rows)}, found {name!r}")
    return rows[name]


def check_whole(key: str, value: object, least: int, most: float = math.inf, why: str = "") -> None:
    """Check that `value` is a whole number from `least` to `most`; errors name `key` and end with `why`.

    Raises:
        ParameterError: The value is not a whole number, or is out of range.
    """
    if not (isinstance(value, (int, np.integer)) and least <= value <= most):
        to = "" if most == math.inf else f" to {most}"
        raise _native.ParameterError(f"{key} = {value!r}: must be a whole number from {least}{to}{why}")
