"""What a device or volume is to Python: equal, hashed, copied and pickled by what it was made from."""

from typing import Any


class Identity:
    """Something without a state of its own, which is what it was made from.

    Two of one class are equal where that is equal, wherever it came from; so the same device can be handed to
    other processes, and be a key.
    """

    def _made_from(self) -> tuple[Any, ...]:
        """Numbers and names in lists and dictionaries, equal for what cannot be told apart."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._made_from() == other._made_from()

    def __hash__(self) -> int:
        return hash(_hashable(self._made_from()))


def _hashable(value: Any) -> Any:
    """What is equal where that is, 0.0 and -0.0 or 1 and 1.0 too, and can be hashed."""
    if isinstance(value, dict):
        return frozenset((key, _hashable(within)) for key, within in value.items())
    if isinstance(value, list | tuple):
        return tuple(map(_hashable, value))
    return value
