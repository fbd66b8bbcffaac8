"""Lists and dictionaries within each other, of which one may hold itself."""

from collections.abc import Callable, Container, Mapping
from typing import Any

#: So deep structures are read; what is deeper stays as it is.
_DEPTH_MOST = 200


def replaced(value: Any, change: Callable[[Any], Any], keys: Container[str] | None = None) -> Any:
    """A structure in which each value that is no list and no dictionary has been changed.

    Each list and each dictionary is changed once, however often it comes; one that holds itself, or lies very
    deep, stays there as it is, for whoever reads the structure to refuse.

    Args:
        value: The structure.
        change: Makes of a value what is to stand in its place.
        keys: Of dictionaries only what stands under these is changed; None is all of it.
    """
    # What was seen is kept, so that no other one gets its number.
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
