"""Identity of devices and volumes: equality, hashes, copies and pickles by their construction."""

from typing import Any


class Identity:
    """An object without a state of its own, identified by its construction.

    Two objects of one class are equal if they were constructed equally. An object can therefore be sent to
    other processes and be a key.
    """

    def _made_from(self) -> tuple[Any, ...]:
        """Numbers and names in lists and dictionaries, equal for indistinguishable objects."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._made_from() == other._made_from()

    def __hash__(self) -> int:
        return hash(_hashable(self._made_from()))


def _hashable(value: Any) -> Any:
    """A hashable value that is equal for equal values, such as 0.0 and -0.0 or 1 and 1.0."""
    if isinstance(value, dict):
        return frozenset((key, _hashable(within)) for key, within in value.items())
    if isinstance(value, list | tuple):
        return tuple(map(_hashable, value))
    return value
