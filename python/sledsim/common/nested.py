"""Replacement of all values in nested lists and dictionaries, even in ones that contain themselves."""

from collections.abc import Callable, Container, Mapping
from typing import Any

#: Largest depth of nesting at which `replaced` still changes values.
_DEPTH_MOST = 200


def replaced(value: Any, change: Callable[[Any], Any], keys: Container[str] | None = None) -> Any:
    """Return a nested structure in which `change` has replaced each value that is no list or dictionary.

    A list or dictionary that occurs several times is changed once. Where a structure contains itself or is
    nested more deeply than `_DEPTH_MOST`, it stays unchanged.

    Args:
        value: Structure of nested lists and dictionaries.
        change: Function that returns the replacement of a value.
        keys: Keys of dictionaries below which values are changed; None changes values below all keys.
    """
    # Keep references to the seen objects, so that no other object gets the id of one.
    seen: dict[int, tuple[Any, Any]] = {}

    def within(value: Any, depth: int = 0) -> Any:
        if not isinstance(value, list | tuple | Mapping):
            return change(value)
        if depth > _DEPTH_MOST:
            return value
        if id(value) not in seen:
            seen[id(value)] = value, value
            if isinstance(value, Mapping):
                made: Any = {
                    key: within(one, depth + 1) if keys is None or key in keys else one
                    for key, one in value.items()
                }
            else:
                made = [within(one, depth + 1) for one in value]
            seen[id(value)] = value, made
        return seen[id(value)][1]

    return within(value)
