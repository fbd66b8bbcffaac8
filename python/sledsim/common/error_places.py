"""Beginnings of error messages that name a file, member or key; and errors about unknown names."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from .._native import ParameterError, TraceError, UnknownNameError

_Error = TypeVar("_Error", bound=ParameterError | TraceError)


def add_place(error: _Error, place: str) -> _Error:
    """Put `place` and a colon before an error's message, unless the message already begins with `place`.

    Args:
        error: Error whose message is changed.
        place: Name of a file, of a member of a volume, or of a key.

    Returns:
        The same error.
    """
    if error.places[:1] != (place,):
        error.args = (f"{place}: {error}",)
        error.places = (place, *error.places)
    return error


@contextmanager
def errors_at(place: str) -> Iterator[None]:
    """During the block, put `place` and a colon before the messages of errors that sledsim raises."""
    try:
        yield
    except (ParameterError, TraceError) as error:
        add_place(error, place)
        raise


def without_place(error: BaseException, place: str) -> str:
    """Return the message of an error; without `place` if the message begins with it."""
    places = getattr(error, "places", ())
    return str(error)[len(place) :].lstrip(": ") if places[:1] == (place,) else str(error)


def unknown(kind: str, name: str, known: Iterable[str]) -> UnknownNameError:
    """Make the error for an unknown name, with the nearest names, or all names if none is near."""
    from difflib import get_close_matches

    names = list(known)
    near = [f'"{match}"' for match in get_close_matches(name, names, cutoff=0.5)]
    hint = f"did you mean {' or '.join(near)}?" if near else f"expected one of {', '.join(names)}"
    return UnknownNameError(f'unknown {kind} "{name}": {hint}')
