"""Contents of ledger files: where the row of each key is, and which points of studies are finished."""

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, NamedTuple

from .. import _native
from ..common.grids import some
from ..common.output_files import PathLike, check_file
from .lines import HEAD, LINE_BYTES, content_of, line_of
from .strict import check_line, completed

#: Ending of ledger files.
ENDING = ".ledger"
#: Status of a row that has an error instead of figures.
FAILED = "failed"
#: Columns in which two rows with the same key may differ: they describe the run or the file of the trace, not
#: the result.
_OF_THE_RUN = ("cpu_s", "host", "study", "number", "point", "doubts")


#: Largest number of bytes to read in search of the end of a file's first line.
_HEAD_BYTES = 1 << 12
#: Number of invalid lines at the start of a file after which the file is not a ledger; with fewer, it is a
#: damaged one.
_STRANGE = 3
#: Largest number of damaged lines of a file that a message names.
_TOLD = 5


class Place(NamedTuple):
    """Location of a row (index of the file, offset and length in bytes), its error state, and its version."""

    file: int
    offset: int
    length: int
    failed: bool
    version: str = ""


@dataclass
class Contents:
    """Index of the rows in a folder's ledger files: file, offset and length of each row, by the row's key.

    If shards wrote several rows with the same key, the first row without an error counts; rows with other
    figures are listed in `disagreements`.

    Attributes:
        files: Ledger files of the folder, sorted by name.
        studies: Definition of each study by digest, in the order in which the studies were found.
        places: Location of the row under each key.
        numbers: Keys of the finished points of each study, by the number of the point in the study.
        notes: Sentences about damaged files.
        disagreements: Sentences about keys under which two rows have different figures.
    """

    files: list[Path] = field(default_factory=list)
    studies: dict[str, dict[str, Any]] = field(default_factory=dict)
    places: dict[bytes, Place] = field(default_factory=dict)
    numbers: dict[str, dict[int, bytes]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    disagreements: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, folders: Iterable[PathLike]) -> "Contents":
        """Read all ledger files in one or several folders.

        Raises:
            ParameterError: A file is no ledger.
            OSError: A file cannot be read.
        """
        found = cls()
        for folder in folders:
            for path in sorted(Path(folder).glob(f"*{ENDING}")):
                found.read(path)
        found._leave_out_dangling()
        return found

    def read(self, path: Path) -> int:
        """Add the rows of one file to the index, and return the number of bytes in its complete lines.

        Raises:
            ParameterError: The file is no ledger.
            OSError: The file cannot be read.
        """
        check_file(path)
        self.files.append(path)
        damaged: list[int] = []
        offset, begins, is_one = 0, b"", False
        with path.open("rb") as file:
            for number, line in enumerate(_lines(file), 1):
                begins = begins or line
                if not line.endswith(b"\n"):
                    break  # The line that the process was writing when it ended.
                try:
                    content = content_of(line[:-1])
                    if number > 1:
                        self._add(content, Place(len(self.files) - 1, offset, len(line), False))
                except (ValueError, TypeError, KeyError, OverflowError):
                    damaged.append(number)
                else:
                    if number == 1 and content != HEAD:
                        raise _no_ledger(path, line)
                    is_one = True
                if len(damaged) == number == _STRANGE:
                    break
                offset += len(line)
        # After a power failure, the file may have zero bytes instead of content.
        if not is_one and not line_of(HEAD).startswith(begins.rstrip(b"\0")):
            raise _no_ledger(path, begins)
        if damaged:
            lines = ", ".join(some([f"line {number}" for number in damaged], _TOLD))
            self.notes.append(
                f"{path}: {lines}: expected lines that match their checksums, found damage: repeat the "
                f"command"
                " to run the missing points again"
            )
        return offset

    def check_agreement(self) -> None:
        """Check that all rows with the same key have the same figures.

        Raises:
            TraceError: Two rows with the same key have different figures.
        """
        if self.disagreements:
            shown = "; ".join(some(self.disagreements, _TOLD))
            raise _native.TraceError(
                f"points with two rows of different figures: {len(self.disagreements)}. This is a bug of"
                f" sledsim, or a user's policy keeps state between runs: {shown}"
            )

    def check_sweep(self, folder: PathLike) -> None:
        """Check that the ledger has the definition of a sweep.

        Raises:
            ParameterError: The folder has no sweep, or its definition is damaged.
        """
        if any(asked.get("kind") == "sweep" for asked in self.studies.values()):
            return
        found = "none"
        if self.places:
            found = (
                f"{len(self.places):,} rows without a definition of their study: repeat the command"
                " to write the definition again"
            )
        raise _native.ParameterError(f"{folder}: expected the ledger of a sweep, found {found} in the folder")

    def texts(self) -> set[str]:
        """Return every text in the definitions of the studies, such as names of traces and devices."""
        found: set[str] = set()
        left: list[Any] = [*self.studies.values()]
        while left:
            match left.pop():
                case str() as text:
                    found.add(text)
                case dict() as table:
                    left += table.values()
                case list() as values:
                    left += values
        return found

    def _add(self, content: dict[str, Any], place: Place) -> None:
        check_line(content)
        if "definition" in content:
            self.studies.setdefault(content["study"], content["definition"])
            return
        key = bytes.fromhex(content["key"])
        if "status" in content:
            self.place(key, content, place)
        self.numbers.setdefault(content["study"], {})[int(content["number"])] = key

    def _leave_out_dangling(self) -> None:
        """Drop finished points of which a damaged line held the row or the definition of the study."""
        self.numbers = {study: numbers for study, numbers in self.numbers.items() if study in self.studies}
        for study, numbers in self.numbers.items():
            if not self.places.keys() >= set(numbers.values()):
                there = {number: key for number, key in numbers.items() if key in self.places}
                self.numbers[study] = there

    def place(self, key: bytes, row: Mapping[str, Any], place: Place) -> None:
        """Store where a row is, unless a row without an error is known under the same key."""
        place = place._replace(failed=row["status"] == FAILED, version=sys.intern(row.get("version", "")))
        known = self.places.setdefault(key, place)
        if known is place or place.failed:
            return
        if known.failed:
            self.places[key] = place
        elif result_of(self.row_at(known)) != result_of(row):
            self.disagreements.append(
                f"{key.hex()}: {self.files[known.file]} and {self.files[place.file]} have different figures"
            )

    def row_at(self, place: Place) -> dict[str, Any]:
        """Return the row at a location in the files."""
        with self.files[place.file].open("rb") as file:
            return _row(os.pread(file.fileno(), place.length, place.offset))

    def row(self, key: bytes) -> dict[str, Any]:
        """Return the row under a key, with default values for missing columns."""
        return completed(self.row_at(self.places[key]))

    def rows(self, keys: Iterable[bytes] | None = None) -> Iterator[dict[str, Any]]:
        """Yield the rows under `keys`, in this order; without `keys`, all rows, sorted by key."""
        return map(completed, self.written_rows(keys))

    def written_rows(self, keys: Iterable[bytes] | None = None) -> Iterator[dict[str, Any]]:
        """Yield the rows as `rows` does, but exactly as they are in the files, without default values."""
        descriptors = [os.open(path, os.O_RDONLY | os.O_CLOEXEC) for path in self.files]
        try:
            for key in sorted(self.places) if keys is None else keys:
                place = self.places[key]
                yield _row(os.pread(descriptors[place.file], place.length, place.offset))
        finally:
            for descriptor in descriptors:
                os.close(descriptor)

    def done(self, study: str, failed: bool = True) -> dict[int, bytes]:
        """Return the keys of a study's finished points by number; `failed` includes failed points."""
        rows = self.numbers.get(study, {})
        if failed:
            return rows
        return {number: key for number, key in rows.items() if not self.places[key].failed}

    def of_others(self, study: str) -> str:
        """Return, in words, how many rows of a study other versions of sledsim wrote; empty if none did."""
        versions = Counter(self.places[key].version for key in self.numbers.get(study, {}).values())
        del versions[_native.__version__]
        return ", ".join(f"{count:,} of sledsim {version}" for version, count in sorted(versions.items()))

    def note_of_others(self, study: str) -> tuple[str, ...]:
        """Return a sentence on rows of a study that other versions wrote, as a tuple; empty if none did."""
        others = self.of_others(study)
        return (f"rows: {others}, which may differ from those of {_native.__version__}",) if others else ()

    def check_version(self, study: str) -> None:
        """Check that this version of sledsim wrote all rows of a study, as other versions may differ.

        Raises:
            ParameterError: Another version wrote some of the rows.
        """
        if others := self.of_others(study):
            raise _native.ParameterError(
                f"{self.files[0].parent}: expected rows of sledsim {_native.__version__}, this version,"
                f" found {others}: continue with that version, or give another folder, in which all points "
                f"run"
                " again; the existing rows can still be read"
            )


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a file; a line beyond the greatest valid length is cut in pieces."""
    most = _HEAD_BYTES
    while found := file.readline(most):
        yield found
        most = LINE_BYTES


def _no_ledger(path: Path, line: bytes) -> _native.ParameterError:
    return _native.ParameterError(
        f"{path}: line 1: expected the head of a ledger of sledsim, found {line[:40]!r}"
    )


def result_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of a row that must be equal in all rows with its key."""
    return {name: value for name, value in row.items() if name not in _OF_THE_RUN}


def _row(line: bytes) -> dict[str, Any]:
    return content_of(line[:-1])
