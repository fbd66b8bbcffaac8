"""Additions of installed packages: entry points that add devices, policies, formats and commands."""

import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import _native

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

#: Group of entry points of each kind of addition.
GROUPS = {
    "device": "sledsim.devices",
    "scheduler": "sledsim.schedulers",
    "format": "sledsim.formats",
    "study": "sledsim.studies",
    "command": "sledsim.commands",
    "listing": "sledsim.listings",
}
#: Name of the package sledsim, whose own additions count as built in.
OWN = "sledsim"


class PackageWarning(UserWarning):
    """Warning that an addition of an installed package cannot be used."""


@dataclass(frozen=True)
class Added:
    """An addition of an installed package, such as a device or a command.

    Attributes:
        kind: Kind of the addition, a key of `GROUPS`.
        name: Name of the addition, as a user types it.
        package: Name of the package.
        version: Version of the package.
    """

    kind: str
    name: str
    package: str
    version: str
    _point: "EntryPoint"

    def load(self) -> Any:
        """Import the object that the entry point names.

        Raises:
            ParameterError: The import fails; the message names the package, the error and its place.
        """
        if self.package != OWN:
            _LOADED.add(self._point.module.partition(".")[0])
        try:
            return self._point.load()
        except Exception as error:
            raise self.wrong(f"cannot be loaded: {told(error)}") from error

    def wrong(self, what: str) -> _native.ParameterError:
        """Make the error for an addition that cannot be used; `what` is what is wrong with its package."""
        return _native.ParameterError(
            f"{self.kind} = {self.name}: {self.package} {self.version}, an installed package, {what};"
            f" install another version, or uninstall it"
        )

    def described(self, found: object) -> str:
        """Return the description of the addition in lists: first line of its docstring, and its package."""
        said = (getattr(found, "__doc__", None) or "").strip().partition("\n")[0].rstrip(".")
        return self.marked(said)

    def marked(self, said: str) -> str:
        """Add the name of the package to a description, unless the package is sledsim."""
        return said if self.package == OWN else f"{said} (from {self.package})".strip()


def added(kind: str, name: str) -> Added | None:
    """Return the addition of a kind with exactly this name, or None.

    Raises:
        ParameterError: Several packages have an addition with this name.
    """
    one = _all(kind).get(name)
    if isinstance(one, str):
        raise _native.ParameterError(one)
    return one


def find(kind: str, name: str) -> Added | None:
    """Return the addition of a kind with this name in any spelling that the core accepts, or None.

    Raises:
        ParameterError: Several packages have an addition with this name.
    """
    same = (known for known in _all(kind) if _native.normal_name(known) == _native.normal_name(name))
    return added(kind, next(same, name))


def each(kind: str, use: Callable[[Added], object]) -> None:
    """Call `use` with every addition of a kind, and warn of additions that cannot be used."""
    for one in _all(kind).values():
        if isinstance(one, str):
            warn(one)
            continue
        try:
            use(one)
        except _native.ParameterError as error:
            warn(str(error))


def warn(message: str) -> None:
    """Print a warning about an addition, unless it was already printed."""
    if message not in _WARNED:
        _WARNED.add(message)
        say(message)


def owns(module: str) -> bool:
    """Return True if a module belongs to a package from which an addition has been loaded."""
    return module.partition(".")[0] in _LOADED


def _warn(message: str) -> None:
    warnings.warn(message, PackageWarning, stacklevel=2)


#: Function that prints a warning; the command line replaces it.
say: Callable[[str], None] = _warn
#: Names of the top-level modules from which additions have been loaded.
_LOADED: set[str] = set()


def told(error: Exception) -> str:
    """Return an error that a package raised as one line, with the file and line in the package."""
    at = traceback.extract_tb(error.__traceback__)
    others = (__file__, "<frozen")
    inner = [
        frame
        for frame in at
        if not frame.filename.startswith(others)
        # Skip frames of importlib, and of the package that replaces it.
        and not {"importlib", "importlib_metadata"} & {*Path(frame.filename).parts}
    ]
    where = f" ({inner[-1].filename}, line {inner[-1].lineno})" if inner else ""
    if isinstance(error, SyntaxError):
        where = f" ({error.filename}, line {error.lineno})"
    return f"{type(error).__name__}: {getattr(error, 'msg', None) or error}{where}"


#: Warnings that were already printed.
_WARNED: set[str] = set()


def _added(kind: str, point: "EntryPoint") -> Added:
    about = (point.dist.name, point.dist.version) if point.dist else ("?", "?")
    return Added(kind, point.name, *about, point)


@cache
def _all(kind: str) -> dict[str, Added | str]:
    """Return the addition of each name of a kind, or an error text if several packages have the name."""
    from importlib.metadata import entry_points

    found: dict[str, Added | str] = {}
    packages: dict[str, str] = {}
    ones = (_added(kind, point) for point in entry_points(group=GROUPS[kind]))
    for one in sorted(ones, key=lambda one: (one.package != OWN, one.name)):
        name = _native.normal_name(one.name)
        before = packages.setdefault(name, one.package)
        if before == one.package:
            found[one.name] = one
        elif before == OWN:
            warn(str(one.wrong(f"has the name of a built-in {kind}")))
        else:
            both = " and ".join(sorted({before, one.package}))
            same = next(known for known in found if _native.normal_name(known) == name)
            found[same] = (
                f"{kind} = {one.name}: several installed packages have this name: {both};"
                " uninstall one of them"
            )
    return found
