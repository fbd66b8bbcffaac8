"""What the files of a ledger hold: where the row of each key stands, and which points of a study have one."""

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

#: The ending of the files of a ledger.
ENDING = ".ledger"
#: The status of a row that has a reason in place of figures.
FAILED = "failed"
#: What two rows of one key may differ in: when and where they were made, and for which study.
_OF_THE_RUN = ("cpu_s", "host", "study", "number", "point")


#: More bytes than the first line has.
_HEAD_BYTES = 1 << 12
#: A file whose first lines are all no lines of a ledger is none that is damaged, but something else.
_STRANGE = 3
#: So many damaged lines of a file are named.
_TOLD = 5


class Place(NamedTuple):
    """Where a row stands."""

    file: int
    offset: int
    length: int
    failed: bool
    version: str = ""


@dataclass
class Contents:
    """The rows of a folder by key, which stay in their files until they are asked for.

    A key has one row. Of several that were written, by shards that did not know of each other, the first one
    without an error counts; those that say something else are `disagreements`.

    Attributes:
        files: The files, in the order of their names.
        studies: What each study asked for, by its digest, in the order in which they are found.
        places: Where the row of each key stands.
        numbers: Of each study the points that have a row, with its key.
        notes: What is to be known of the files, in sentences.
        disagreements: Keys of which there are rows that differ in their figures, with the two places.
    """

    files: list[Path] = field(default_factory=list)
    studies: dict[str, dict[str, Any]] = field(default_factory=dict)
    places: dict[bytes, Place] = field(default_factory=dict)
    numbers: dict[str, dict[int, bytes]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    disagreements: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, folders: Iterable[PathLike]) -> "Contents":
        """Those of all files of a ledger in some folders.

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
        """Add what a file holds; how many bytes of it are whole lines.

        Raises:
            ParameterError: It is no file of a ledger.
            OSError: It cannot be read.
        """
        check_file(path)
        self.files.append(path)
        damaged: list[int] = []
        offset, begins, is_one = 0, b"", False
        with path.open("rb") as file:
            for number, line in enumerate(_lines(file), 1):
                begins = begins or line
                if not line.endswith(b"\n"):
                    break  # What was being written when the process ended.
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
                f"{path}: {lines}: expected what agrees with its checksum, found damage: the same command as"
                " before runs again what is missing"
            )
        return offset

    def check_agreement(self) -> None:
        """Find out whether all rows of a key say the same.

        Raises:
            TraceError: Two of them do not.
        """
        if self.disagreements:
            shown = "; ".join(self.disagreements[:3])
            raise _native.TraceError(
                f"{len(self.disagreements)} points have two rows that disagree, which is a fault of sledsim,"
                f" or of a policy of your own that remembers other runs: {shown}"
            )

    def check_sweep(self, folder: PathLike) -> None:
        """Find out whether there is a sweep.

        Raises:
            ParameterError: There is none, or what was asked for is damaged.
        """
        if any(asked.get("kind") == "sweep" for asked in self.studies.values()):
            return
        found = "none"
        if self.places:
            found = (
                f"{len(self.places):,} rows of which it is not known what was asked for: the same command as"
                " before writes that again"
            )
        raise _native.ParameterError(f"{folder}: expected the ledger of a sweep, found {found}")

    def texts(self) -> set[str]:
        """Every text in the definitions of studies; those that name a trace or a device are among them."""
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
        """Forget points whose row, or whose study, stands in no file any more, but is damaged."""
        self.numbers = {study: numbers for study, numbers in self.numbers.items() if study in self.studies}
        for study, numbers in self.numbers.items():
            if not self.places.keys() >= set(numbers.values()):
                there = {number: key for number, key in numbers.items() if key in self.places}
                self.numbers[study] = there

    def place(self, key: bytes, row: Mapping[str, Any], place: Place) -> None:
        """Add where a row stands, unless a better one of its key is known."""
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
        """The row that stands there."""
        with self.files[place.file].open("rb") as file:
            return _row(os.pread(file.fileno(), place.length, place.offset))

    def row(self, key: bytes) -> dict[str, Any]:
        """The row of a key."""
        return completed(self.row_at(self.places[key]))

    def rows(self, keys: Iterable[bytes] | None = None) -> Iterator[dict[str, Any]]:
        """The rows of some keys in their order; if none are given all, in the order of the keys."""
        return map(completed, self.written_rows(keys))

    def written_rows(self, keys: Iterable[bytes] | None = None) -> Iterator[dict[str, Any]]:
        """The rows as `rows` has them, without what was not written."""
        descriptors = [os.open(path, os.O_RDONLY | os.O_CLOEXEC) for path in self.files]
        try:
            for key in sorted(self.places) if keys is None else keys:
                place = self.places[key]
                yield _row(os.pread(descriptors[place.file], place.length, place.offset))
        finally:
            for descriptor in descriptors:
                os.close(descriptor)

    def done(self, study: str, failed: bool = True) -> dict[int, bytes]:
        """The points of a study that have a row, with its key; on demand without those that failed."""
        rows = self.numbers.get(study, {})
        if failed:
            return rows
        return {number: key for number, key in rows.items() if not self.places[key].failed}

    def of_others(self, study: str) -> str:
        """How many rows of a study other versions of sledsim made, in words; empty if there are none."""
        versions = Counter(self.places[key].version for key in self.numbers.get(study, {}).values())
        del versions[_native.__version__]
        return ", ".join(f"{count:,} of sledsim {version}" for version, count in sorted(versions.items()))

    def note_of_others(self, study: str) -> tuple[str, ...]:
        """The sentence that a reader of rows of other versions has to know, if there are any."""
        others = self.of_others(study)
        return (f"rows: {others}, which may differ from those of {_native.__version__}",) if others else ()

    def check_version(self, study: str) -> None:
        """Find out whether this version may go on with a study: rows of two versions are not comparable.

        Raises:
            ParameterError: Another version made some of its rows.
        """
        if others := self.of_others(study):
            raise _native.ParameterError(
                f"{self.files[0].parent}: expected rows of sledsim {_native.__version__}, which this is,"
                f" found {others}: go on with that version, or give another folder, where all points run"
                " again; what is there can be read as it is"
            )


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    """The lines of a file; of the first, which is short, and of what is no line, no more than lines have."""
    most = _HEAD_BYTES
    while found := file.readline(most):
        yield found
        most = LINE_BYTES


def _no_ledger(path: Path, line: bytes) -> _native.ParameterError:
    return _native.ParameterError(
        f"{path}: line 1: expected the head of a ledger of sledsim, found {line[:40]!r}"
    )


def result_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """What a row says that depends on its key alone."""
    return {name: value for name, value in row.items() if name not in _OF_THE_RUN}


def _row(line: bytes) -> dict[str, Any]:
    return content_of(line[:-1])
