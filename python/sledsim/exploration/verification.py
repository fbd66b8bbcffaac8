"""Verification of a ledger: some rows are run again and compared bit for bit."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .. import _native
from ..common.grids import some
from ..common.output_files import PathLike
from ..ledger import Contents
from ..ledger.contents import result_of
from .executors.executor_protocol import Work
from .executors.threads import run
from .study_points import Study, coordinates

#: Largest number of points that a sentence names; further points are only counted.
_NAMED = 3


@dataclass(frozen=True)
class Verified:
    """The result of running rows of a ledger again.

    Attributes:
        rows: Number of rows that were run again.
        of_how_many: Number of rows in the ledger.
        differences: Texts with the old and new value of each figure that differs.
        notes: Remarks on the ledger, and on rows that could not be run again, in sentences.
    """

    rows: int
    of_how_many: int
    differences: list[str]
    notes: tuple[str, ...]


def verify(
    folder: PathLike,
    rows: int = 50,
    seed: int = 1,
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Verified:
    """Run randomly drawn rows of a ledger again, and compare the results.

    Args:
        folder: Folder of the ledger.
        rows: Largest number of rows to run again.
        seed: Seed of the random numbers that choose the rows.
        workers: Number of threads; None takes the number of processors.
        progress: Function that is called with the number of rows done.

    Raises:
        ParameterError: The ledger has no row, another version of sledsim made the rows, or no row can be run
            again because the device or policy is missing.
        TraceError, OSError: No row can be run again because the traces are missing or have changed.
    """
    contents = Contents.of([folder])
    # A row that belongs to several points or studies is run once.
    points = {
        key: (study, number)
        for study in sorted(contents.numbers)
        if contents.studies[study].get("kind") == "sweep"
        for number, key in sorted(contents.numbers[study].items())
    }
    numbered = sorted(points.values())
    if not numbered:
        raise _native.ParameterError(
            f"{folder}: expected the ledger of a sweep with at least one row, found none"
        )
    drawn = random.Random(seed).sample(numbered, min(rows, len(numbered)))
    differences: list[str] = []
    left_out = _LeftOut()
    done = 0
    for digest in sorted({study for study, _ in drawn}):
        numbers = sorted(number for name, number in drawn if name == digest)
        study, numbers = left_out.without(contents.studies[digest], numbers)
        if study is None:
            continue

        def compare(found: Any, numbered: Mapping[int, bytes] = contents.numbers[digest]) -> None:
            nonlocal done
            for row in found:
                key = numbered[row["number"]]
                differences.extend(_differences(row["key"], contents.row(key), row))
            done += len(found)
            if progress:
                progress(done)

        run(Work(study, numbers, workers), compare, "")
    if not done:
        raise left_out.errors[0]
    return Verified(done, len(numbered), sorted(differences), (*contents.notes, *left_out.in_words()))


class _LeftOut:
    """The points of a verification that cannot be run again, by the reason: a missing or changed input."""

    def __init__(self) -> None:
        self.errors: list[Exception] = []
        self._points: dict[str, list[str]] = {}

    def without(
        self, definition: Mapping[str, Any], numbers: Sequence[int]
    ) -> tuple[Study | None, list[int]]:
        """Return the study of a definition, and those of its points `numbers` that can be run again.

        The study is None if it cannot be built, for example because a trace is missing.
        """
        try:
            study = Study.from_definition(definition)
        except (_native.ParameterError, _native.TraceError, OSError) as error:
            self._add(error, definition, numbers)
            return None, []
        found = []
        for number in numbers:
            point = study.point(number)
            try:
                point.subject.with_changes({})
                study.policy_in_full(point.scheduler)
            except (_native.ParameterError, OSError) as error:
                self._add(error, definition, [number])
            else:
                found.append(number)
        return study if found else None, found

    def in_words(self) -> list[str]:
        """Return a sentence per reason, with the points that were not run again for this reason."""
        found = []
        for reason, points in self._points.items():
            are = "row was" if len(points) == 1 else "rows were"
            named = "; ".join(some(points, _NAMED))
            found.append(f"{len(points):,} {are} not run again ({named}): {reason}")
        return found

    def _add(self, error: Exception, definition: Mapping[str, Any], numbers: Sequence[int]) -> None:
        if isinstance(error, _native.UnknownNameError):
            register = "'sledsim --register FILE.py:NAME study sweep verify ...' adds a custom one"
            error = _native.UnknownNameError(f"{error}: {register}")
        self.errors.append(error)
        points = (coordinates(definition, number) for number in numbers)
        texts = (", ".join(f"{key} = {value}" for key, value in point.items()) for point in points)
        self._points.setdefault(str(error), []).extend(texts)


def _differences(key: str, before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    if before["version"] != now["version"]:
        raise _native.ParameterError(
            f"expected rows of sledsim {now['version']}, which is running, found rows of {before['version']}:"
            " that version can verify them"
        )
    if before["key"] != now["key"]:
        return [f"{key}: the same point had the key {before['key']}"]
    old, new = _flat(result_of(before)), _flat(result_of(now))
    return [
        f"{key}: {name}: {old.get(name)} before, {new.get(name)} now"
        for name in sorted({*old, *new})
        if old.get(name) != new.get(name)
    ]


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with flat names: a figure in a nested table is called ``figures.mean_response_s``."""
    found: dict[str, Any] = {}
    for name, value in row.items():
        found |= (
            {f"{name}.{key}": one for key, one in value.items()} if isinstance(value, dict) else {name: value}
        )
    return found
