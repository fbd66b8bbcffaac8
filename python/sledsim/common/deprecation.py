"""Deprecated names: each works with a warning in one version, and is removed in the next one.

Old names of modules are in `sledsim.moved`, which is loaded before this module.
"""

import sys
import warnings
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

from .. import _native

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


class Old(NamedTuple):
    """A deprecated name and its replacement.

    Attributes:
        instead: Rest of a sentence that begins with the deprecated name, such as ``is now --until``.
        gone_in: First version of sledsim without the deprecated name, such as ``0.3.0``.
    """

    instead: str
    gone_in: str


#: New names of commands, by their old names.
COMMANDS = {
    kind: f"list {kind}"
    for kind in (
        *("devices", "volumes", "schedulers", "power-policies", "layouts", "seek-models"),
        *("episodes", "workloads", "replays", "formats", "studies"),
    )
}


def command(name: str) -> str:
    """Return a command in quotes with the name of the program: ``'sledsim run'``."""
    return f"'{' '.join(('sledsim', name))}'"


#: Deprecated options and keys with their replacements, by the words in which a message names them.
GOING = {
    **{command(old): Old(f"is now {command(new)}", "0.3.0") for old, new in COMMANDS.items()},
    "--explain of 'sledsim show'": Old("is no longer needed: meanings are always shown", "0.3.0"),
    "--resume of 'sledsim design'": Old(
        "is no longer needed: finished designs are kept in --out, and not simulated again", "0.3.0"
    ),
    "--device of 'sledsim trace slice'": Old("is now --traced-device", "0.3.0"),
    "--to of 'sledsim run'": Old("is now --until", "0.3.0"),
    "--torn of 'sledsim serve'": Old("is now --power-cut-torn", "0.3.0"),
    "--devices of 'sledsim holds'": Old("is now --samples where it is a number", "0.3.0"),
    "--figures of 'sledsim sweep'": Old("is now --judged", "0.3.0"),
    "figures in the file of a sweep": Old("is now judged", "0.3.0"),
    "--devices of 'sledsim sensitivity'": Old("is now --samples", "0.3.0"),
    "--devices of 'sledsim paper robustness'": Old("is now --samples", "0.3.0"),
}
#: Version of sledsim that no longer has the old names of arguments and attributes.
_NAMES_GONE_IN = "0.3.0"
#: New names of arguments by their old names, for each function.
ARGUMENTS: Mapping[str, Mapping[str, str]] = {
    "compare": {"device": "devices", "trace": "workloads"},
    "FittedWorkload.kept": {"trace": "statistics"},
    "FormatSpace.best": {"target": "goal"},
    "Simulation": {"devices": "copies"},
    "TipCode.decode": {"missing": "erased"},
    "Validation.write_plots": {"out": "folder"},
    "fit_workload": {"source": "trace"},
    "format_space": {"ledger": "folder", "on": "device"},
    "holds": {"devices": "samples", "of": "devices"},
    "optimise": {"run": "runner"},
    "overview": {"target": "device"},
    "read_sweep": {"study": "digest"},
    "response_curves": {"ledger": "folder", "workload": "draw"},
    "schedule_bounds": {"changes": "moves", "requests": "trace"},
    "sensitivity": {"devices": "samples"},
    "simulate": {"out": "path"},
    "sweep": {"figures": "judged"},
    "trace_statistics": {"source": "trace"},
    "tip_placement": {"columns": "tips_per_row"},
    "with_episodes": {"target": "device"},
}
#: New names of attributes by their old names, for each class.
ATTRIBUTES: Mapping[str, Mapping[str, str]] = {
    "Holding": {"devices": "samples"},
    "Sensitivity": {"devices": "samples"},
}


def going() -> dict[str, Old]:
    """Return every deprecated command, option, argument and attribute, each with its replacement."""
    arguments = {
        f"{function}({old}=...)": Old(f"is now {function}({new}=...)", _NAMES_GONE_IN)
        for function, names in ARGUMENTS.items()
        for old, new in names.items()
    }
    attributes = {
        f"{of}.{old}": Old(f"is now {of}.{new}", _NAMES_GONE_IN)
        for of, names in ATTRIBUTES.items()
        for old, new in names.items()
    }
    return {**GOING, **arguments, **attributes}


def notice(name: str) -> str:
    """Return a sentence that names the replacement of a deprecated name and the version of its removal."""
    old = going()[name]
    return f"{name} {old.instead} (gone in sledsim {old.gone_in})"


def warn(name: str) -> None:
    """Warn of a deprecated name; the warning points at the line of the user's code that called sledsim."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "sledsim":
        frame, level = frame.f_back, level + 1
    say(notice(name), level)


def _warn(message: str, level: int) -> None:
    warnings.warn(message, DeprecationWarning, stacklevel=level + 1)


#: Function that warns and points at the caller `level` calls up the stack; the command line replaces it.
say: Callable[[str, int], None] = _warn


def renamed(function: Callable[_Given, _Result]) -> Callable[_Given, _Result]:
    """Make a function accept the old names of its arguments in `ARGUMENTS`, with a warning.

    If an old name is now the name of another argument, a number as value means the old argument: `holds` once
    took a number as ``devices``.

    Raises:
        ParameterError: A call gives an argument by both names.
    """
    name = function.__qualname__.removesuffix(".__init__")
    names = ARGUMENTS[name]
    still_used = {*names.values()}

    @wraps(function)
    def called(*given: Any, **named: Any) -> Any:
        # Old names that are now names of other arguments come first.
        for old in sorted(names.keys() & named.keys(), key=lambda one: (one not in still_used, one)):
            new = names[old]
            is_number = isinstance(named[old], int) and not isinstance(named[old], bool)
            if old in still_used and not is_number:
                continue
            warn(f"{name}({old}=...)")
            if new in named:
                raise _native.ParameterError(f"{new}: given twice, also by its old name {old}")
            named[new] = named.pop(old)
        return function(*given, **named)

    return called


def old_attributes(of: type[_Result]) -> type[_Result]:
    """Give a class its old attribute names in `ATTRIBUTES`, which warn when they are read."""

    def one(old: str, new: str) -> property:
        def read(self: object) -> Any:
            warn(f"{of.__name__}.{old}")
            return getattr(self, new)

        return property(read, doc=f"The old name of `{new}`.")

    for old, new in ATTRIBUTES[of.__name__].items():
        setattr(of, old, one(old, new))
    return of
