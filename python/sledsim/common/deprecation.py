"""What goes away: it warns in one version, says what has taken its place, and is gone in the next.

Old names of modules, which are found before this is loaded, are in `sledsim.moved`.
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
    """Something that goes away.

    Attributes:
        instead: What to do instead, as the end of a sentence that begins with its name.
        gone_in: The version that does not have it any more; that before warned.
    """

    instead: str
    gone_in: str


#: Commands that have a new name, by the old one.
COMMANDS = {
    kind: f"list {kind}"
    for kind in (
        *("devices", "volumes", "schedulers", "power-policies", "layouts", "seek-models"),
        *("episodes", "workloads", "replays", "formats", "studies"),
    )
}


def command(name: str) -> str:
    """Put a command, with the program before it, between quotes."""
    return f"'{' '.join(('sledsim', name))}'"


#: What goes away, by what a user types.
GOING = {
    **{command(old): Old(f"is now {command(new)}", "0.3.0") for old, new in COMMANDS.items()},
    "--explain of 'sledsim show'": Old("is no longer needed: meanings are always shown", "0.3.0"),
    "--resume of 'sledsim design'": Old(
        "is no longer needed: what is done is kept in --out, and not simulated again", "0.3.0"
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
#: The version that does not know the old names of arguments and attributes any more.
_NAMES_GONE_IN = "0.3.0"
#: Arguments with a new name: of each function its old names, with those of now.
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
#: Attributes with a new name, alike.
ATTRIBUTES: Mapping[str, Mapping[str, str]] = {
    "Holding": {"devices": "samples"},
    "Sensitivity": {"devices": "samples"},
}


def going() -> dict[str, Old]:
    """Everything that goes away: `GOING`, and old names of arguments and attributes."""
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
    """A sentence about something that goes away."""
    old = going()[name]
    return f"{name} {old.instead} (gone in sledsim {old.gone_in})"


def warn(name: str) -> None:
    """Warn, at the line of the user's code that called sledsim, of something that goes away."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "sledsim":
        frame, level = frame.f_back, level + 1
    say(notice(name), level)


def _warn(message: str, level: int) -> None:
    warnings.warn(message, DeprecationWarning, stacklevel=level + 1)


#: The function that says a warning, of the line as many calls up as it is told; the command line has its own.
say: Callable[[str, int], None] = _warn


def renamed(function: Callable[_Given, _Result]) -> Callable[_Given, _Result]:
    """A function that takes its old names of arguments, too, as `ARGUMENTS` has them, with a warning.

    An old name that is now that of another argument is told by its value: `holds` took a number as
    ``devices``.

    Raises:
        ParameterError: At a call: an argument is given by both names.
    """
    name = function.__qualname__.removesuffix(".__init__")
    names = ARGUMENTS[name]
    still_used = {*names.values()}

    @wraps(function)
    def called(*given: Any, **named: Any) -> Any:
        # A name that another argument has now is freed first.
        for old in sorted(names.keys() & named.keys(), key=lambda one: (one not in still_used, one)):
            new = names[old]
            is_number = isinstance(named[old], int) and not isinstance(named[old], bool)
            if old in still_used and not is_number:
                continue
            warn(f"{name}({old}=...)")
            if new in named:
                raise _native.ParameterError(f"{new}: expected it once, found it as {old}, too")
            named[new] = named.pop(old)
        return function(*given, **named)

    return called


def old_attributes(of: type[_Result]) -> type[_Result]:
    """A class with its old names of attributes, as `ATTRIBUTES` has them, which warn when they are read."""

    def one(old: str, new: str) -> property:
        def read(self: object) -> Any:
            warn(f"{of.__name__}.{old}")
            return getattr(self, new)

        return property(read, doc=f"The old name of `{new}`.")

    for old, new in ATTRIBUTES[of.__name__].items():
        setattr(of, old, one(old, new))
    return of
