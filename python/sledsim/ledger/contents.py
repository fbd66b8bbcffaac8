"""Contents of the files of a ledger: the location of each row by key, and the finished points of studies."""

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, NamedTuple

from .. import _native
from ..common.output_files import PathLike, check_file
from .lines import HEAD, LINE_BYTES, content_of, line_of
from .strict import check_line, completed

#: Ending of ledger files.
ENDING = ".ledger"
#: Status of a row with an error in place of figures.
FAILED = "failed"
#: Columns in which two rows of one key may differ: time, machine and study of the run.
_OF_THE_RUN = ("cpu_s", "host", "study", "number", "point")


#: Number of bytes to read for the first line, more than its length.
_HEAD_BYTES = 1 << 12
#: Number of invalid first lines after which a file counts as no ledger instead of a damaged ledger.
_STRANGE = 3
#: Largest number of damaged lines of a file that a note names.
_TOLD = 5


class Place(NamedTuple):
    """The location of a row: the file and the position in the file."""

    file: int
    offset: int
    length: int
    failed: bool
    version: str = ""


@dataclass
class Contents:
    """The rows of a folder by key; the rows stay in their files until they are needed.

    A key has one row. If shards wrote several rows of a key without knowing of each other, the first one
    without an error counts; rows with other figures are listed in `disagreements`.

    Attributes:
        files: Files of the folder, in the order of their names.
        studies: Definition of each study by digest, in the order in which the studies were found.
        places: Location of the row of each key.
        numbers: Keys of the finished points of each study, by the number of the point.
        notes: Notes on the files, in sentences.
        disagreements: Keys that have two rows with different figures, each with the locations of both rows.
    """

    files: list[Path] = field(default_factory=list)
    studies: dict[str, dict[str, Any]] = field(default_factory=dict)
    places: dict[bytes, Place] = field(default_factory=dict)
    numbers: dict[str, dict[int, bytes]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    disagreements: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, folders: Iterable[PathLike]) -> "Contents":
        """Read all ledger files in some folders.

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
        """Add the contents of a file; return the number of bytes in complete lines.

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
        # A loss of power may have left a length without content.
        if not is_one and not line_of(HEAD).startswith(begins.rstrip(b"\0")):
            raise _no_ledger(path, begins)
        if damaged:
            lines = ", ".join(f"line {number}" for number in damaged[:_TOLD])
            lines += f" and {len(damaged) - _TOLD:,} more" if len(damaged) > _TOLD else ""
            self.notes.append(
                f"{path}: {lines}: expected lines that match their checksums, found damage: repeat the "
                f"command"
                " to run the missing points again"
            )
        return offset

    def check_agreement(self) -> None:
        """Check that all rows of a key have the same figures.

        Raises:
            TraceError: Two rows of one key have different figures.
        """
        if self.disagreements:
            shown = "; ".join(self.disagreements[:3])
            raise _native.TraceError(
                f"{len(self.disagreements)} points have two different rows, which is a bug of sledsim,"
                f" or of a user's policy that remembers other runs: {shown}"
            )

    def check_sweep(self, folder: PathLike) -> None:
        """Check that the folder contains a sweep.

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
        raise _native.ParameterError(f"{folder}: expected the ledger of a sweep, found {found}")

    def texts(self) -> set[str]:
        """Return every text in the definitions of studies, including the names of traces and devices."""
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
        """Drop points whose row, or whose definition of the study, is damaged in the files."""
        self.numbers = {study: numbers for study, numbers in self.numbers.items() if study in self.studies}
        for study, numbers in self.numbers.items():
            if not self.places.keys() >= set(numbers.values()):
                there = {number: key for number, key in numbers.items() if key in self.places}
                self.numbers[study] = there

    def place(self, key: bytes, row: Mapping[str, Any], place: Place) -> None:
        """Add the location of a row, unless a better row of the same key is known."""
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
        """Return the row at a location."""
        with self.files[place.file].open("rb") as file:
            return _row(os.pread(file.fileno(), place.length, place.offset))

    def row(self, key: bytes) -> dict[str, Any]:
        """Return the row with a key."""
        return completed(self.row_at(self.places[key]))

    def rows(self, keys: Iterable[bytes] | None = None) -> Iterator[dict[str, Any]]:
        """Yield the rows of some keys, in the order of these keys; by default all rows, sorted by key."""
        return map(completed, self.written_rows(keys))

    def written_rows(self, keys: Iterable[bytes] | None = None) -> Iterator[dict[str, Any]]:
        """Yield the same rows as `rows`, without columns that were not written."""
        descriptors = [os.open(path, os.O_RDONLY | os.O_CLOEXEC) for path in self.files]
        try:
            for key in sorted(self.places) if keys is None else keys:
                place = self.places[key]
                yield _row(os.pread(descriptors[place.file], place.length, place.offset))
        finally:
            for descriptor in descriptors:
                os.close(descriptor)

    def done(self, study: str, failed: bool = True) -> dict[int, bytes]:
        """Return the keys of the finished points of a study by number; `failed` includes failed points."""
        rows = self.numbers.get(study, {})
        if failed:
            return rows
        return {number: key for number, key in rows.items() if not self.places[key].failed}

    def of_others(self, study: str) -> str:
        """Return the numbers of rows from other versions of sledsim as a phrase; empty without any."""
        versions = Counter(self.places[key].version for key in self.numbers.get(study, {}).values())
        del versions[_native.__version__]
        return ", ".join(f"{count:,} of sledsim {version}" for version, count in sorted(versions.items()))

    def note_of_others(self, study: str) -> tuple[str, ...]:
        """Return a note on rows of other versions of sledsim; an empty result without such rows."""
        others = self.of_others(study)
        return (f"rows: {others}, which may differ from those of {_native.__version__}",) if others else ()

    def check_version(self, study: str) -> None:
        """Check that this version of sledsim may continue a study: rows of two versions are not comparable.

        Raises:
            ParameterError: Another version made some of the rows.
        """
        if others := self.of_others(study):
            raise _native.ParameterError(
                f"{self.files[0].parent}: expected rows of sledsim {_native.__version__}, this version,"
                f" found {others}: continue with that version, or give another folder, in which all points "
                f"run"
                " again; the existing rows can still be read"
            )


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a file; reads at most the longest valid line at once, less for the first."""
    most = _HEAD_BYTES
    while found := file.readline(most):
        yield found
        most = LINE_BYTES


def _no_ledger(path: Path, line: bytes) -> _native.ParameterError:
    return _native.ParameterError(
        f"{path}: line 1: expected the head of a ledger of sledsim, found {line[:40]!r}"
    )


def result_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a row that follows from the key alone: without time, machine and study."""
    return {name: value for name, value in row.items() if name not in _OF_THE_RUN}


def _row(line: bytes) -> dict[str, Any]:
    return content_of(line[:-1])
