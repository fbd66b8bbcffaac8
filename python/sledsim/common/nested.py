"""Nested lists and dictionaries, which may contain themselves."""

from collections.abc import Callable, Container, Mapping
from typing import Any

#: Deepest nesting that is read; deeper structures stay unchanged.
_DEPTH_MOST = 200


def replaced(value: Any, change: Callable[[Any], Any], keys: Container[str] | None = None) -> Any:
    """Return a structure with a change applied to each value that is no list and no dictionary.

    Each list and each dictionary is changed once, even if it occurs several times. A structure that contains
    itself, or is nested too deeply, stays unchanged there; the reader of the structure refuses it.

    Args:
        value: The structure.
        change: Function that returns the replacement of a value.
        keys: Keys of dictionaries whose values are changed; None changes all.
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
