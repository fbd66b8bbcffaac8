"""Trace formats that installed packages add through the entry point ``sledsim.formats``."""

import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

from .. import _native
from ..common import packages
from ..common.command_files import claim_read
from ..common.output_files import STANDARD_INPUT
from ..model.core_tables import Entry
from .compression import decompressing
from .evidence import clock_of, with_clock

if TYPE_CHECKING:
    from .streams import TraceStream
    from .trace import Trace


class TraceFormat(Protocol):
    """Interface of a trace format in an installed package: an object or module with a function `read`.

    A writable format has ``write(trace: Trace, file: IO[bytes])``, which returns the number of
    requests that the format cannot store, or None. Lists of formats show the first line of its docstring.
    """

    def read(self, file: IO[bytes]) -> "Trace":
        """Read the requests of a trace, in the order of arrival, from an open, decompressed file."""
        ...


@dataclass(frozen=True)
class Installed:
    """A format of an installed package.

    Attributes:
        added: Name of the format, and the installed package that has it.
        summary: Description of the format in lists.
        reading: Function that reads a trace from an open file.
        writing: Function that writes a trace into an open file; None if the format can only be read.
    """

    added: packages.Added
    summary: str
    reading: Callable[[IO[bytes]], "Trace"]
    writing: Callable[["Trace", IO[bytes]], int | None] | None

    @property
    def row(self) -> Entry:
        """Row about the format, in the form of the core's table of formats."""
        return Entry(self.added.name, (), self.summary, "", "", (), (), is_writable=self.writing is not None)

    def read(self, path: str, source: str, map: str | None, skip_bad: bool) -> "Trace":
        """Read a trace file of this format.

        Args:
            path: Path of the file; ``-`` is standard input.
            source: Name of the trace in messages.
            map: Option of built-in formats only, so always None.
            skip_bad: Option of built-in formats only, so always False.

        Raises:
            TraceError: The file is not a trace of this format, or code of the package raises an error.
            ParameterError: `map` or `skip_bad` is given.
            OSError: The file cannot be read.
        """
        from .trace import Trace

        for option, value in (("map", map), ("skip_bad", skip_bad)):
            if value:
                raise _native.ParameterError(
                    f"{option} = {value}: only built-in formats have this option, not the format"
                    f" {self.added.name} of {self.added.package}"
                )
        if path != STANDARD_INPUT:
            claim_read(path)
        with nullcontext(sys.stdin.buffer) if path == STANDARD_INPUT else Path(path).open("rb") as raw:
            found = self._called(source, self.reading, decompressing(raw))
        if not isinstance(found, Trace):
            raise self.added.wrong(f"expected read() to return a Trace, found {type(found).__name__}")
        evidence = with_clock(found.evidence, clock_of(found.arrival_ns))
        return replace(found, source=source, format=self.added.name, evidence=evidence)

    def write(self, stream: "TraceStream", file: IO[bytes]) -> int:
        """Write a trace into an open file; return how many of its requests the format cannot store.

        Raises:
            TraceError: The trace has no requests, or code of the package raises an error.
            ParameterError: The format can only be read, not written.
        """
        if self.writing is None:
            raise _native.ParameterError(f"format {self.added.name} can only be read, not written")
        return int(self._called(stream.source, self.writing, stream.read(), file) or 0)

    def _called(self, source: str, function: Callable[..., Any], *given: object) -> Any:
        try:
            return function(*given)
        except (_native.ParameterError, _native.TraceError) as error:
            raise _native.TraceError(f"{source}: {self.added.name}: {error}") from None
        except OSError:
            raise
        except Exception as error:
            raise _native.TraceError(
                f"{source}: the format {self.added.name} of {self.added.package} failed:"
                f" {packages.told(error)}"
            ) from error


def find(name: str) -> Installed | None:
    """Find a format of an installed package by name; return None if no package has it.

    Raises:
        ParameterError: The package that has the format cannot be loaded.
    """
    one = packages.find("format", name)
    return None if one is None else _loaded(one)


def each(taken: frozenset[str]) -> dict[str, Installed]:
    """Load the formats of installed packages by name; warn of unusable ones and of names in `taken`."""
    found: dict[str, Installed] = {}

    def add(one: packages.Added) -> None:
        if _native.normal_name(one.name) in map(_native.normal_name, taken):
            raise one.wrong("has the name of a built-in format")
        found[one.name] = _loaded(one)

    packages.each("format", add)
    return found


def _loaded(one: packages.Added) -> Installed:
    made = one.load()
    reading, writing = getattr(made, "read", None), getattr(made, "write", None)
    if not callable(reading):
        raise one.wrong(f"expected an object or module with a function read(file), found {made!r}")
    return Installed(one, one.described(made), reading, writing if callable(writing) else None)
