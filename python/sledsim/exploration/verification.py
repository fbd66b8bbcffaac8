"""Run some rows of a ledger again, and compare them bit for bit."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .. import _native
from ..common.files import PathLike
from ..ledger import Contents
from ..ledger.contents import result_of
from .executors.interface import Work
from .executors.threads import run
from .study import Study


@dataclass(frozen=True)
class Verified:
    """What came of running rows again.

    Attributes:
        rows: How many were run again.
        of_how_many: How many the ledger has.
        differences: Of each row that came out differently, what it was and what it is now.
        notes: What is to be known of the ledger, in sentences, and which rows could not be run again.
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
    """Run rows of a ledger again that are drawn at random.

    Args:
        folder: Where the ledger is.
        rows: How many, if there are as many.
        seed: Which ones.
        workers: Threads; None takes as many as there are processors.
        progress: Called with the number of rows done.

    Raises:
        ParameterError: There is no row, or the rows were made by another version.
        TraceError, OSError: No row could be run again: the traces are not there any more, or are others.
    """
    contents = Contents.of([folder])
    # Of a row that is of several points or studies one is enough.
    points = {
        key: (study, number)
        for study in sorted(contents.numbers)
        if contents.studies[study].get("kind") == "sweep"
        for number, key in sorted(contents.numbers[study].items())
    }
    numbered = sorted(points.values())
    if not numbered:
        raise _native.ParameterError(
            f"{folder}: expected the ledger of a sweep with a row or more, found none"
        )
    drawn = random.Random(seed).sample(numbered, min(rows, len(numbered)))
    differences: list[str] = []
    left_out: dict[Exception, int] = {}
    done = 0
    for digest in sorted({study for study, _ in drawn}):
        numbers = sorted(number for name, number in drawn if name == digest)
        try:
            study = Study.from_definition(contents.studies[digest])
        except (_native.ParameterError, _native.TraceError, OSError) as error:
            left_out[error] = len(numbers)
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
        raise next(iter(left_out))
    notes = [f"{count:,} rows were not run again: {error}" for error, count in left_out.items()]
    return Verified(done, len(numbered), sorted(differences), (*contents.notes, *notes))


def _differences(key: str, before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    if before["version"] != now["version"]:
        raise _native.ParameterError(
            f"expected rows of sledsim {now['version']}, which this is, found some of {before['version']}:"
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
    """A row with a name for each figure of it."""
    found: dict[str, Any] = {}
    for name, value in row.items():
        found |= (
            {f"{name}.{key}": one for key, one in value.items()} if isinstance(value, dict) else {name: value}
        )
    return found
