"""Equality of devices and of volumes: two are equal if they were made from equal parameters."""

from typing import Any


class Identity:
    """Base class of devices and volumes, which are equal if they were made from equal parameters.

    They can therefore be sent to other processes, and be keys of dictionaries.
    """

    def _made_from(self) -> tuple[Any, ...]:
        """Return the parameters from which the object was made, for comparison."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._made_from() == other._made_from()

    def __hash__(self) -> int:
        return hash(_hashable(self._made_from()))


def _hashable(value: Any) -> Any:
    """Return a form of a value that can be hashed; equal values, such as 1 and 1.0, give equal forms."""
    if isinstance(value, dict):
        return frozenset((key, _hashable(within)) for key, within in value.items())
    if isinstance(value, list | tuple):
        return tuple(map(_hashable, value))
    return value
