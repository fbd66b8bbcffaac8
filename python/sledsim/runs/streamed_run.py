"""Runs of workloads that need not fit into memory."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from numpy.typing import NDArray

from .. import _native
from ..model.systems import Target
from ..traces.streams import TraceStream

#: Rules for requests past the end of the device that need not know the whole trace.
_STREAMED_RULES = ("error", "wrap")
#: Takes rows of a result as they become final, and the names of the devices.
RowSink = Callable[[dict[str, NDArray[Any]], list[str]], object]


def can_be_streamed(replay: str, past_end: str) -> bool:
    """Whether requests can be replayed before all of them are known."""
    return replay.strip().lower() == "open" and past_end.strip().lower() in _STREAMED_RULES


def keeps_none(columns: str) -> bool:
    """Whether no columns are to be kept."""
    return columns.strip().lower() == "none"


def run_stream(
    device: Target,
    stream: TraceStream,
    options: tuple[str | None, float, str, str],
    sink: RowSink | None,
    progress: Callable[[int], object] | None,
) -> tuple[dict[str, NDArray[Any]], dict[str, Any], dict[str, int]]:
    """Replay the requests of a stream as they come.

    Args:
        device: What is simulated.
        stream: The requests; each traced device has one of the first of them.
        options: Scheduler, scale, rule for the end of the device and columns to be kept, as for `simulate`.
        sink: Given the rows as they become final; without one they are returned.
        progress: Told now and then how many requests are complete.

    Returns:
        The columns, if no sink took them; the totals; and what was left out of the stream, by kind.

    Raises:
        TraceError: The stream has no reads or writes, or some that cannot be replayed.
    """
    skipped: Counter[str] = Counter()
    raised: list[BaseException] = []

    def batches() -> Iterator[tuple[NDArray[Any], ...]]:
        try:
            for batch in stream:
                moves = batch.transfers()
                skipped.update(moves.skipped)
                if len(moves):
                    extents = (moves.arrival_ns, moves.lbn, moves.blocks)
                    yield (*extents, moves.write, moves.metadata, moves.device)
        except BaseException as error:
            raised.append(error)
            raise

    scheduler, scale, past_end, kept = options
    try:
        columns, totals = _native.simulate_stream(
            device._native, batches(), scheduler, scale, past_end, kept, sink, progress
        )
    except _native.TraceError as error:
        # The stream names its file by itself.
        if error in raised:
            raise
        raise _native.TraceError(f"{stream.source}: {error}") from None
    return columns, totals, dict(skipped)
