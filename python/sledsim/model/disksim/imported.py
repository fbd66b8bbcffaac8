"""Result of the import of a drive from DiskSim's parameter files."""

import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, final

from ... import _native
from ...common.error_places import without_place
from ...common.grids import of_rows
from ...common.output_files import PathLike, write_text
from ...common.shown import Form, Shown, clipped, quoted
from ..devices import Device
from .device_toml import device_file
from .keys import Unkeyed


@final
@dataclass(frozen=True, repr=False)
class ImportedDisk(Shown):
    """A drive from DiskSim's parameter files, the result of `import_disksim`.

    Attributes:
        name: Name of the drive's block in the file.
        origin: File that was read.
        parameters: Parameters by the keys of a device file, in the order of the file.
        sources: Source of each value, by key: file, line, parameter of DiskSim, and computation.
        unkeyed: DiskSim's parameters that no key of a device file keeps, or that a key keeps only in part.
        notes: Sentences for the user about unexpected contents of the files.
        files: All files that were read.
        kinds: Certainty of each number, by key: ``measured`` on a drive, ``stated`` by a parameter, or
            ``derived`` from parameters.
    """

    name: str
    origin: Path
    parameters: dict[str, Any]
    sources: dict[str, str]
    unkeyed: tuple[Unkeyed, ...]
    notes: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    kinds: dict[str, str] = field(default_factory=dict)

    def device(self) -> Device:
        """Make a `Device` from the imported parameters.

        Raises:
            ParameterError: The drive is impossible; the message names the key and its source.
        """
        try:
            return Device.from_parameters({"kind": "disk", "name": self.name, **self.parameters})
        except _native.ParameterError as error:
            source = next((self.sources[key] for key in error.places if key in self.sources), None)
            said = without_place(error, "parameters")
            raise _native.ParameterError(
                f"{self.origin}: {said}" + (f" ({source})" if source else "")
            ) from error

    def text(self) -> str:
        """Return the text of the device file."""
        return device_file(self.parameters, self.sources, self.kinds, self.origin.name, self.unkeyed)

    def write(self, path: PathLike) -> None:
        """Write the device file.

        Raises:
            ParameterError: The drive was read from this file, which must not be replaced.
            OSError: The file cannot be written; no part of it is left.
        """
        for file in self.files:
            with suppress(OSError):
                if Path(path).samefile(file):
                    said = "the drive was read from this file, which would be lost: give another name"
                    raise _native.ParameterError(f"{os.fspath(path)}: {said}")
        write_text(path, self.text())

    def _form(self) -> Form:
        rows = [{"parameter": key, "value": value} for key, value in self.parameters.items()]
        title = f"Drive {self.name} from {clipped(os.fspath(self.origin))}"
        line = f"{quoted(self.name)} from {quoted(os.fspath(self.origin))}"
        calls = ("device()", "text()", "sources", "unkeyed")
        return Form(title, [of_rows(rows)], self.notes, calls, line)
