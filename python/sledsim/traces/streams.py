"""Streams: the requests of a trace in batches, for traces larger than memory."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, final

import numpy as np

from .. import _native
from ..common.shown import Form, Shown, quoted
from .trace import ABOUT, COLUMNS, Trace, recorded_replay

#: Number of requests per batch in a stream of a trace in memory.
_BATCH = 1 << 19


@final
class TraceStream(Shown):
    """Requests of a trace in batches, in the order of arrival: a trace of any size in little memory.

    A stream can be read once; its metadata are complete after the last batch.

    Attributes:
        source: Name of the trace in messages.
    """

    def __init__(self, source: str, batches: Iterable[Trace], about: Callable[[], Mapping[str, Any]]) -> None:
        self.source = source
        self._batches = self._through(batches)
        self._about = about
        self._is_over = False

    def __iter__(self) -> Iterator[Trace]:
        if self._is_over:
            raise _native.TraceError(
                f"{self.source}: all requests of the stream were already read: open it again"
            )
        return self._batches

    def _through(self, batches: Iterable[Trace]) -> Iterator[Trace]:
        yield from batches
        self._is_over = True

    def _form(self) -> Form:
        line = f"{quoted(self.source)}{', at its end' if self._is_over else ''}"
        notes = ("Batches of requests, for a single iteration.",)
        calls = ("read()", "sledsim.simulate(device, stream)", "sledsim.trace_statistics(stream)")
        return Form(f"Stream {self.source}", line=line, notes=notes, calls=calls)

    def about(self) -> dict[str, Any]:
        """Return the metadata of the trace: the fields of `Trace` that are not columns, by name."""
        return dict(self._about())

    @property
    def recorded_replay(self) -> str:
        """Replay mode that suits the way in which the trace was recorded (`Trace.recorded_replay`)."""
        return recorded_replay(self.about()["format"])

    def read(self) -> Trace:
        """Read all requests that are left in the stream into memory."""
        batches = [*self]
        if not batches:
            raise _native.TraceError(f"{self.source}: expected at least one request, found none")
        return self._joined(batches, **self.about())

    def first(self, count: int) -> Trace:
        """Return the next `count` reads and writes, or all if fewer are left; they stay in the stream."""
        taken: list[Trace] = []
        found, batches = 0, iter(self)
        while found < count and (batch := next(batches, None)) is not None:
            taken.append(batch)
            found += len(batch.transfers())
        self._batches, self._is_over = self._through(chain(taken, batches)), False
        return self._joined([batch.transfers() for batch in taken]).rows(slice(0, count))

    def _joined(self, batches: Sequence[Trace], **about: Any) -> Trace:
        columns = {
            name: np.concatenate([np.empty(0, kind), *(getattr(batch, name) for batch in batches)])
            for name, kind in COLUMNS.items()
        }
        return Trace.from_columns(columns, source=self.source, **about)

    def changed(self, change: Callable[[Trace], Trace]) -> "TraceStream":
        """Return a stream in which `change` was applied to each batch, without batches that become empty."""
        return TraceStream(self.source, filter(len, map(change, self)), self._about)


def stream_of(trace: Trace, batch: int = _BATCH) -> TraceStream:
    """Return a trace in memory as a stream of batches with `batch` requests each; the last may have fewer."""
    about = {name: getattr(trace, name) for name in (*ABOUT, "seed")}
    starts = range(0, len(trace), batch or 1)
    batches = (trace.rows(slice(start, start + batch)) for start in starts) if len(starts) > 1 else [trace]
    return TraceStream(trace.source, batches, lambda: about)
