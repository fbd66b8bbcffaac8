"""Comparison of a record of served requests with a new simulation of the same requests."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..runs.batches import run_again
from .served import Batch, Record


def difference(served: Record) -> str | None:
    """Return the name of the first column in which the record differs from a new simulation, or None.

    Requests are compared while the simulation runs, so that the record may exceed memory.
    """
    recorded, differs = _Rows(served.batches()), set[str]()

    def compare(found: dict[str, NDArray[Any]], _: Sequence[str]) -> None:
        for rows, columns in recorded.take(len(found["arrival_ns"])):
            differs.update(
                name for name in served.kept if not np.array_equal(columns[name], found[name][rows])
            )

    # A volume that recovered from its members started with these records on them.
    noted = served.how.get("notes")
    notes = None if noted is None else [(n["member"], n["sector"], n["words"], n["whole"]) for n in noted]
    run_again(served.settings, served.batches(), served.kept, compare, notes)
    return next((name for name in served.kept if name in differs), None)


class _Rows:
    """Requests of a record; any number of them can be taken, regardless of the record's batches."""

    def __init__(self, batches: Iterator[Batch]) -> None:
        self._batches = batches
        self._batch: Batch = {}
        self._next = self._rows = 0

    def take(self, count: int) -> Iterator[tuple[slice, Batch]]:
        """Yield the next `count` requests in pieces, each with a slice: its position among these requests."""
        at = 0
        while at < count:
            if self._next == self._rows:
                self._batch, self._next = next(self._batches), 0
                self._rows = len(self._batch["arrival_ns"])
            many = min(count - at, self._rows - self._next)
            here = slice(self._next, self._next + many)
            yield slice(at, at + many), {name: column[here] for name, column in self._batch.items()}
            at, self._next = at + many, self._next + many
