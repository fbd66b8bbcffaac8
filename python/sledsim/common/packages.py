"""Entry points by which installed distributions extend sledsim, read when they are named or listed."""

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

#: Groups of entry points, by the word for an addition in errors.
GROUPS = {
    "device": "sledsim.devices",
    "scheduler": "sledsim.schedulers",
    "format": "sledsim.formats",
    "study": "sledsim.studies",
    "command": "sledsim.commands",
    "listing": "sledsim.listings",
}
#: The distribution of this package; its own additions count as built in.
OWN = "sledsim"


class PackageWarning(UserWarning):
    """A warning about an unusable addition of an installed package."""


@dataclass(frozen=True)
class Added:
    """An addition of an installed distribution.

    Attributes:
        kind: A key of `GROUPS`.
        name: Name that a user types.
        package: Name of the distribution.
        version: Version of the distribution.
    """

    kind: str
    name: str
    package: str
    version: str
    _point: "EntryPoint"

    def load(self) -> Any:
        """Import the addition.

        Raises:
            ParameterError: The import fails; the message names the distribution, the error and its place.
        """
        if self.package != OWN:
            _LOADED.add(self._point.module.partition(".")[0])
        try:
            return self._point.load()
        except Exception as error:
            raise self.wrong(f"cannot be loaded: {told(error)}") from error

    def wrong(self, what: str) -> _native.ParameterError:
        """Make the error of an invalid addition."""
        return _native.ParameterError(
            f"{self.kind} = {self.name}: {self.package} {self.version}, an installed package, {what};"
            f" install another version of it, or uninstall it"
        )

    def described(self, found: object) -> str:
        """Return the line of the addition in listings: first line of the docstring, and the distribution."""
        said = (getattr(found, "__doc__", None) or "").strip().partition("\n")[0].rstrip(".")
        return self.marked(said)

    def marked(self, said: str) -> str:
        """Add the name of the distribution to a line, unless it is sledsim."""
        return said if self.package == OWN else f"{said} (from {self.package})".strip()


def added(kind: str, name: str) -> Added | None:
    """Return the addition of exactly this name, or None.

    Raises:
        ParameterError: Several distributions have the name.
    """
    one = _all(kind).get(name)
    if isinstance(one, str):
        raise _native.ParameterError(one)
    return one


def find(kind: str, name: str) -> Added | None:
    """Return the addition of a name, compared as the core compares names, or None.

    Raises:
        ParameterError: Several distributions have the name.
    """
    same = (known for known in _all(kind) if _native.normal_name(known) == _native.normal_name(name))
    return added(kind, next(same, name))


def each(kind: str, use: Callable[[Added], object]) -> None:
    """Use every addition of a kind, and warn of unusable ones."""
    for one in _all(kind).values():
        if isinstance(one, str):
            warn(one)
            continue
        try:
            use(one)
        except _native.ParameterError as error:
            warn(str(error))


def warn(message: str) -> None:
    """Warn once of an unusable addition."""
    if message not in _WARNED:
        _WARNED.add(message)
        say(message)


def owns(module: str) -> bool:
    """Return True if a module belongs to an installed package that has been loaded."""
    return module.partition(".")[0] in _LOADED


def _warn(message: str) -> None:
    warnings.warn(message, PackageWarning, stacklevel=2)


#: Function that prints a warning; the command line replaces it.
say: Callable[[str], None] = _warn
#: Names of the top-level modules and packages that were loaded.
_LOADED: set[str] = set()


def told(error: Exception) -> str:
    """Return an error of a package in one line, with its place in the package."""
    at = traceback.extract_tb(error.__traceback__)
    others = (__file__, "<frozen")
    inner = [
        frame
        for frame in at
        if not frame.filename.startswith(others)
        # Skip frames of Python's library, and of the package that stands for it.
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
    """Map each name to its addition, or to the error if several distributions have it."""
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
                f"{kind} = {one.name}: expected this name in one installed package, found it in {both}:"
                " uninstall one of them"
            )
    return found
