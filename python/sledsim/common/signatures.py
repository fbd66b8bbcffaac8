"""Checks of the arguments of public functions against the types in the signatures of the functions."""

import functools
import inspect
import re
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .. import _native
from .checked import shown

#: Types of which NumPy's `ArrayLike` is a union; an argument of type `ArrayLike` must have numbers.
_ARRAY_LIKE = frozenset(typing.get_args(ArrayLike))
_Masked = np.ma.MaskedArray
_Class = typing.TypeVar("_Class", bound=type)
#: Name of the attribute that marks a class whose methods already check their arguments.
_CHECKED = "_methods_are_checked"
#: Least whole number that the core can hold, and the least one that is too large.
_LEAST, _BEYOND = -(2**63), 2**64


class _Wrong(NamedTuple):
    """A value of a wrong type: its place in the argument, such as ``[2]``, the expected type, and itself."""

    where: str
    expected: str
    value: Any


#: Check of an argument: the allowed types in words, and a function that returns the error, or None if the
#: value fits.
_Kind = tuple[str, Callable[[Any], _Wrong | None]]
_ANYTHING: _Kind = ("anything", lambda value: None)
#: Words for a type in messages, by the name of the type in Python.
_WORDS = {
    "bool": "True or False",
    "bytes": "bytes",
    "NoneType": "None",
    "str": "a text",
    "FaultyDevice": "a Device",
    "EpisodicDevice": "a Device",
    "PathLike": "a path",
}


def checked(function: Callable[..., Any], at_once: bool = False) -> Callable[..., Any]:
    """Decorate a function: if an argument has a wrong type, the error names the argument.

    Errors that the function itself raises about arguments are kept. Another error becomes an error that names
    the argument if an argument has a wrong type; a correct call costs nothing. A masked array is refused at
    once, since the function would ignore the mask. In a function with a group of options, values that Python
    silently accepts are refused at once, too, such as True for a number.

    Args:
        function: Function with types in its signature.
        at_once: True to check the arguments before each call, for a function that keeps them for later use.

    Raises:
        ParameterError: An argument is wrong; the message has its name, the expected type, and the type of the
            given value.
    """
    takes_group = any(
        "Unpack[" in str(one.annotation) for one in inspect.signature(function).parameters.values()
    )

    @functools.wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        if any(hasattr(value, "__array__") for value in (*given, *named.values())):
            given, named = _without_numpy(function, given, named)
        wrong = None
        if at_once or takes_group:
            wrong = _named_wrong(function, _by_name(function, given, named), only_silent=not at_once)
        if wrong is not None:
            raise wrong
        try:
            return function(*given, **named)
        except (_native.ParameterError, _native.TraceError, OSError):
            raise
        except Exception as error:
            wrong = _named_wrong(function, _by_name(function, given, named), isinstance(error, OverflowError))
            if wrong is None:
                raise
            raise wrong from None

    return call


def _without_numpy(
    function: Callable[..., Any], given: tuple[Any, ...], named: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return a call's arguments with NumPy numbers as Python numbers, and arrays as lists where needed."""
    given, named = _with_lists(function, given, named)
    if any(isinstance(value, _Masked) for value in (*given, *named.values())):
        _check_masks(_by_name(function, given, named))
    return tuple(map(_plain_number, given)), {name: _plain_number(one) for name, one in named.items()}


def _with_lists(
    function: Callable[..., Any], given: tuple[Any, ...], named: Mapping[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments of a call; an array becomes a list if the signature wants a list of numbers."""
    lists, order = _signature(function).lists, _signature(function).order

    def plain(name: str, value: Any) -> Any:
        is_many = name in lists and hasattr(value, "__array__") and not isinstance(value, _Masked)
        return np.asarray(value).tolist() if is_many else value

    names = [*order, *[""] * len(given)]
    return (
        tuple(plain(name, value) for name, value in zip(names, given)),  # noqa: B905 - names are more.
        {name: plain(name, value) for name, value in named.items()},
    )


def _plain_number(value: Any) -> Any:
    """Return a NumPy number as a Python number, which result files can hold; leave other values unchanged."""
    return value.item() if _is_scalar(value) else value


def _is_scalar(value: Any) -> bool:
    return isinstance(value, np.integer | np.floating | np.bool_) and not isinstance(value, np.timedelta64)


def _by_name(
    function: Callable[..., Any], given: tuple[Any, ...], named: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the arguments of a call by their names."""
    return {**dict(zip(_signature(function).order, given)), **named}  # noqa: B905 - Python refuses extra arguments.


def _check_masks(arguments: Mapping[str, Any]) -> None:
    for name, value in arguments.items():
        if isinstance(value, _Masked) and (masked := int(np.ma.getmaskarray(value).sum())):
            found = f"{masked} of {value.size} masked: compressed() leaves those out"
            raise _native.ParameterError(f"{name}: expected numbers without a mask, found {found}")


def _named_wrong(
    function: Callable[..., Any],
    arguments: Mapping[str, Any],
    is_overflow: bool = False,
    only_silent: bool = False,
) -> Exception | None:
    """Return an error about the first argument that has a wrong type or is out of range; None if all fit."""
    kinds = _signature(function).kinds
    for name, value in arguments.items():
        kind = kinds.get(name) or kinds.get("**", _ANYTHING)
        if only_silent and not _may_be_silent(kind[0], value):
            continue
        if wrong := kind[1](value):
            where, expected, found = wrong
            return _native.ParameterError(f"{name}{where}: expected {expected}, found {_found(found)}")
    if is_overflow and (beyond := _beyond(arguments)):
        return _native.ParameterError(f"{beyond[0]} = {beyond[1]}: out of range")
    return None


def _may_be_silent(words: str, value: Any) -> bool:
    """Return True if Python may accept `value` without an error although it has not the types in `words`."""
    if isinstance(value, bool):
        return True
    if isinstance(value, str):
        return "True or False" in words and "text" not in words
    is_text = ("a text" in words or "a path" in words) and "number" not in words and "list" not in words
    return is_text and isinstance(value, int | float | list | dict | tuple)


def _beyond(arguments: Mapping[str, Any]) -> tuple[str, int] | None:
    """Return name and value of the first whole number outside 0 to 2^31 - 1, which the core may refuse."""
    found = [(name, value) for name, value in arguments.items() if _is_whole(value)]
    return next(((name, int(value)) for name, value in found if not 0 <= value < 2**31), None)


def check_methods(of: type) -> None:
    """Decorate all public methods of a class by `checked`, including inherited methods."""
    for base in of.__mro__:
        if not base.__module__.startswith("sledsim.") or _CHECKED in vars(base):
            continue
        for name, method in list(vars(base).items()):
            if name.startswith("_"):
                continue
            if inspect.isfunction(method):
                setattr(base, name, checked(method))
            elif isinstance(method, classmethod | staticmethod):
                setattr(base, name, type(method)(checked(method.__func__)))
        setattr(base, _CHECKED, True)


def called_by_users(of: _Class) -> _Class:
    """Decorate a class of which users make objects, so that constructor and methods check arguments."""
    check_methods(of)
    of.__init__ = checked(of.__init__, at_once=not hasattr(of, "__post_init__"))  # type: ignore[misc]
    return of


def _found(value: Any) -> str:
    if value is None:
        return "None"
    if isinstance(value, str | bytes | bool | int | float | complex):
        return shown(value)
    return f"the class {value.__name__}" if isinstance(value, type) else _with_article(type(value).__name__)


def _with_article(name: str) -> str:
    return f"{'an' if name[0] in 'AEIOaeio' else 'a'} {name}"


class _Signature(NamedTuple):
    """Names and types of the arguments of a function.

    Attributes:
        kinds: Allowed types of each argument, by name.
        order: Names of the arguments that a call may give without a name, in order.
        lists: Names of the arguments that may be a list of numbers.
    """

    kinds: dict[str, _Kind]
    order: list[str]
    lists: set[str]


@functools.cache
def _signature(function: Callable[..., Any]) -> _Signature:
    try:
        hints = typing.get_type_hints(function)
    except NameError:  # Some types are only imported for type checkers.
        hints = {}
    found = _Signature({}, [], set())
    for name, one in inspect.signature(function).parameters.items():
        own = {"**" if one.kind is one.VAR_KEYWORD else name: hints.get(name, one.annotation)}
        for key, stated in {**options_of(function, one), **own}.items():
            found.kinds[key] = _kind(stated)
            if _takes_numbers(stated):
                found.lists.add(key)
        if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD):
            found.order.append(name)
    return found


def _takes_numbers(stated: Any) -> bool:
    """Return True if a type in a signature is a list of numbers, or a union of types that includes one."""
    origin, within = typing.get_origin(stated), typing.get_args(stated)
    if origin in (typing.Union, types.UnionType):
        return any(map(_takes_numbers, within))
    return inspect.isclass(origin) and issubclass(origin, Iterable) and within in ((int,), (float,))


def options_of(function: Callable[..., Any], parameter: inspect.Parameter) -> dict[str, Any]:
    """Return the options of a parameter such as ``**how: Unpack[Measuring]``: their types by name."""
    found = re.fullmatch(r"Unpack\[(\w+)\]", str(parameter.annotation))
    if parameter.kind is not parameter.VAR_KEYWORD or found is None:
        return {}
    return typing.get_type_hints(inspect.unwrap(function).__globals__[found[1]])


def names_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the types of a function's arguments by name, including the options of a group of options."""
    found = {}
    for name, one in inspect.signature(function).parameters.items():
        found.update(options_of(function, one) or {name: one.annotation})
    return found


def _kind(stated: Any) -> _Kind:
    """Return the check for a type in a signature; the check accepts any value if the type has no check."""
    if isinstance(stated, typing.TypeVar):
        return _kind(stated.__bound__ or typing.Union[stated.__constraints__ or (Any,)])  # noqa: UP007
    origin, within = typing.get_origin(stated), typing.get_args(stated)
    if origin in (typing.Union, types.UnionType):
        kinds = [_kind(one) for one in within if one not in _ARRAY_LIKE]
        return _one_of([_NUMBERS, *kinds] if set(within) >= _ARRAY_LIKE else [_kind(one) for one in within])
    if origin is typing.Literal:
        return _plain(" or ".join(map(repr, within)), lambda value: value in within)
    if stated in _NUMERIC:
        return _NUMERIC[stated]
    if origin is np.ndarray or stated is np.ndarray:
        return _ARRAY
    if inspect.isclass(origin):
        return _generic(origin, () if origin.__name__ == "Callable" else tuple(map(_kind, within)))
    is_protocol = getattr(stated, "_is_protocol", False)
    if not inspect.isclass(stated) or stated in (inspect.Parameter.empty, object, Any) or is_protocol:
        return _ANYTHING
    words = _WORDS.get(stated.__name__) or _with_article(stated.__name__)
    return _plain(words, lambda value: isinstance(value, stated))


def _plain(words: str, fits: Callable[[Any], bool]) -> _Kind:
    return words, lambda value: None if fits(value) else _Wrong("", words, value)


def _is_number(value: Any) -> bool:
    return (
        isinstance(value, Real) and not isinstance(value, bool | np.timedelta64) and _is_finite_in_size(value)
    )


def _is_finite_in_size(value: Any) -> bool:
    return not isinstance(value, int) or -(2**1023) < value < 2**1023


def _is_whole(value: Any) -> bool:
    is_one = isinstance(value, Integral) and not isinstance(value, bool | np.timedelta64)
    return is_one and _LEAST <= value < _BEYOND


def _wrong_numbers(value: Any) -> _Wrong | None:
    """Return the error about a value that is neither a number nor several numbers; None if it is."""
    if isinstance(value, np.ndarray):
        fits = value.dtype.kind in "biuf"
    elif isinstance(value, str | bytes | Mapping) or value is None:
        fits = False
    elif isinstance(value, Real):
        fits = _is_finite_in_size(value) and not isinstance(value, np.timedelta64)
    else:
        fits = hasattr(value, "__array__") or isinstance(value, Iterable)
    return None if fits else _Wrong("", "numbers", value)


_NUMBERS: _Kind = ("numbers", _wrong_numbers)
_ARRAY: _Kind = (
    "an array of numbers",
    lambda value: (
        _Wrong("", "an array of numbers", value) if isinstance(value, Real) else _wrong_numbers(value)
    ),
)
_NUMERIC: Mapping[Any, _Kind] = {
    float: _plain("a number", _is_number),
    int: _plain("a whole number of 64 bits", _is_whole),
    bool: _plain(_WORDS["bool"], lambda value: isinstance(value, bool | np.bool_)),
}


def _one_of(kinds: list[_Kind]) -> _Kind:
    """Return the check for a union of types; for a list or mapping, its error names the wrong element."""
    words = list(dict.fromkeys(kind[0] for kind in kinds))
    said = f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]

    def wrong(value: Any) -> _Wrong | None:
        all_wrong = []
        for _, of_kind in kinds:
            found = of_kind(value)
            if found is None:
                return None
            all_wrong.append(found)
        inside = [found for found in all_wrong if found.where]
        return inside[0] if inside else _Wrong("", said, value)

    return said, wrong


def _generic(origin: type, within: tuple[_Kind, ...]) -> _Kind:
    """Return the check for a generic type, such as a list of numbers."""
    if origin is type:
        return _plain("a class", lambda value: isinstance(value, type))
    if issubclass(origin, Mapping):
        return _mapping(within)
    words = {"Callable": "a function", "PathLike": "a path"}.get(origin.__name__)
    if words or not issubclass(origin, Iterable) or origin is tuple or len(within) != 1:
        return _plain(words or _with_article(origin.__name__), lambda value: isinstance(value, origin))
    element = within[0]
    many = f"a list, each of it {element[0]}"

    def wrong(value: Any) -> _Wrong | None:
        is_text = isinstance(value, str | bytes)
        if (
            not isinstance(value, origin | np.ndarray)
            or isinstance(value, Mapping)
            or (is_text and element[1](value))
        ):
            return _Wrong("", many, value)
        if isinstance(value, list | tuple | np.ndarray):
            for at, one in enumerate(value):
                if found := element[1](one):
                    return found._replace(where=f"[{at}]{found.where}")
        return None

    return many, wrong


def _mapping(within: tuple[_Kind, ...]) -> _Kind:
    key_kind, value_kind = within or (_ANYTHING, _ANYTHING)

    def wrong(value: Any) -> _Wrong | None:
        if not isinstance(value, Mapping):
            return _Wrong("", "a mapping", value)
        for key, one in value.items():
            if key_kind[1](key):
                return _Wrong("", f"keys, each {key_kind[0]}", key)
            if found := value_kind[1](one):
                return found._replace(where=f"[{key!r}]{found.where}")
        return None

    return "a mapping", wrong
