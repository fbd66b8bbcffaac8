"""Plug-ins: devices, policies, formats and commands that installed packages add by entry points."""

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

#: Name of the entry point group for each kind of thing that a package can add.
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
    """Warning that something which an installed package adds cannot be used."""


@dataclass(frozen=True)
class Added:
    """Something that an installed package adds, such as a device or a command.

    Attributes:
        kind: Kind of what is added, a key of `GROUPS`, such as ``device``.
        name: Name of what is added, as a user types it.
        package: Name of the installed package.
        version: Version of the installed package.
    """

    kind: str
    name: str
    package: str
    version: str
    _point: "EntryPoint"

    def load(self) -> Any:
        """Import the object that the entry point names.

        Raises:
            ParameterError: The import fails; the message has the package, the error, and the file and line
                that raised it.
        """
        if self.package != OWN:
            _LOADED.add(self._point.module.partition(".")[0])
        try:
            return self._point.load()
        except Exception as error:
            raise self.wrong(f"cannot be loaded: {told(error)}") from error

    def wrong(self, what: str) -> _native.ParameterError:
        """Make the error about something unusable in a package; `what`, "cannot be loaded", says why."""
        return _native.ParameterError(
            f"{self.kind} = {self.name}: {self.package} {self.version}, an installed package, {what};"
            f" install another version, or uninstall it"
        )

    def described(self, found: object) -> str:
        """Return a description for lists: the first line of the docstring of `found`, and the package."""
        said = (getattr(found, "__doc__", None) or "").strip().partition("\n")[0].rstrip(".")
        return self.marked(said)

    def marked(self, said: str) -> str:
        """Return a description followed by the package's name; unchanged if the package is sledsim itself."""
        return said if self.package == OWN else f"{said} (from {self.package})".strip()


def added(kind: str, name: str) -> Added | None:
    """Return what a package adds under exactly this name and kind; None if no package does.

    Raises:
        ParameterError: Several packages add something of this kind under this name.
    """
    one = _all(kind).get(name)
    if isinstance(one, str):
        raise _native.ParameterError(one)
    return one


def find(kind: str, name: str) -> Added | None:
    """Return what a package adds under this name and kind, in any spelling; None if no package does.

    Raises:
        ParameterError: Several packages add something of this kind under this name.
    """
    same = (known for known in _all(kind) if _native.normal_name(known) == _native.normal_name(name))
    return added(kind, next(same, name))


def each(kind: str, use: Callable[[Added], object]) -> None:
    """Call `use` with everything of a kind that packages add; warn if that fails for one of them."""
    for one in _all(kind).values():
        if isinstance(one, str):
            warn(one)
            continue
        try:
            use(one)
        except _native.ParameterError as error:
            warn(str(error))


def warn(message: str) -> None:
    """Print a warning about something that a package adds, unless it was already printed."""
    if message not in _WARNED:
        _WARNED.add(message)
        say(message)


def owns(module: str) -> bool:
    """Return True if a module belongs to a package of which sledsim has loaded something."""
    return module.partition(".")[0] in _LOADED


def _warn(message: str) -> None:
    warnings.warn(message, PackageWarning, stacklevel=2)


#: Function that prints a warning; the command line replaces it.
say: Callable[[str], None] = _warn
#: Names of the top-level modules of packages of which sledsim has loaded something.
_LOADED: set[str] = set()


def told(error: Exception) -> str:
    """Return an error from the code of a package as one line, with the file and line that raised it."""
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
    """Return all that packages add of a kind, by name; an error text for a name that several packages use."""
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
