"""The requests of a trace in batches."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, final

from .trace import ABOUT, Trace

#: Requests of a trace in memory that are gone through at once.
_BATCH = 1 << 19


@final
class TraceStream:
    """The requests of a trace in batches, in order of arrival: a trace of any size in little memory.

    It can be gone through once. What is known of the trace besides its requests is complete when it has been.

    Attributes:
        source: Where the requests come from, as a user would name it.
    """

    def __init__(self, source: str, batches: Iterable[Trace], about: Callable[[], Mapping[str, Any]]) -> None:
        self.source = source
        self._batches = iter(batches)
        self._about = about

    def __iter__(self) -> Iterator[Trace]:
        return self._batches

    def about(self) -> dict[str, Any]:
        """What `Trace` knows besides its requests, by the names of its fields."""
        return dict(self._about())

    def changed(self, change: Callable[[Trace], Trace]) -> "TraceStream":
        """A stream of these batches, each of them changed."""
        return TraceStream(self.source, filter(len, map(change, self._batches)), self._about)


def stream_of(trace: Trace) -> TraceStream:
    """A trace in memory as a stream; no batch of it keeps anybody waiting."""
    about = {name: getattr(trace, name) for name in ABOUT}
    starts = range(0, len(trace), _BATCH)
    batches = (trace.rows(slice(start, start + _BATCH)) for start in starts) if len(starts) > 1 else [trace]
    return TraceStream(trace.source, batches, lambda: about)
