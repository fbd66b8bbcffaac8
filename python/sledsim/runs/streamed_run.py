"""Runs of workloads that need not fit into memory."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..common import memory
from ..common.errors import add_place
from ..common.files import PathLike
from ..model.catalogue import column_sets
from ..model.systems import Target, from_parameters
from ..traces.streams import TraceStream
from ..traces.trace import Trace
from .run_settings import RunSettings

#: Rules for requests past the end of the device that need not know the whole trace.
_STREAMED_RULES = ("error", "wrap")
#: So many requests are read before a run of a stream begins, which is to know its devices then.
FIRST_REQUESTS = 1 << 20
#: Takes rows of a result as they become final, and the names of the devices.
RowSink = Callable[[dict[str, NDArray[Any]], list[str]], object]
#: What a volume has noted: the member, the sector, words, and whether what was sealed with them is whole.
Note = tuple[int, int, list[int], bool]
#: The columns of some requests.
_Batch = tuple[NDArray[Any], ...]


def can_be_streamed(replay: str, past_end: str) -> bool:
    """Whether requests can be replayed before all of them are known."""
    return replay.strip().lower() == "open" and past_end.strip().lower() in _STREAMED_RULES


def keeps_none(columns: str) -> bool:
    """Whether no columns are to be kept."""
    return columns.strip() == "none"


def check_columns(columns: str, out: PathLike | None) -> None:
    """Find out whether these columns can be kept, and written if they are to be.

    Raises:
        ParameterError: A name is wrong, or there would be nothing to write.
    """
    if not columns.strip():
        sets = ", ".join(column_sets())
        raise _native.ParameterError(
            f"columns: expected columns, sets of them ({sets}) or none, found nothing"
        )
    _native.selected_columns(columns)
    if out is not None and keeps_none(columns):
        raise _native.ParameterError(
            f"columns = none: expected columns to be written to {os.fspath(out)}: name some, or no output"
        )


def _enough_first(batches: Iterator[_Batch]) -> Iterator[_Batch]:
    """The batches, the first ones as one: the devices of a run are those that it has requests for."""
    first: list[_Batch] = []
    while sum(len(batch[0]) for batch in first) < FIRST_REQUESTS and (batch := next(batches, None)):
        first.append(batch)
    if first:
        yield first[0] if len(first) == 1 else tuple(map(np.concatenate, zip(*first, strict=True)))
    yield from batches


def run_stream(
    device: Target,
    stream: TraceStream,
    options: tuple[str | None, float, str, str],
    sink: RowSink | None,
    progress: Callable[[int], object] | None,
    notes: list[Note] | None = None,
) -> tuple[dict[str, NDArray[Any]], dict[str, Any], dict[str, int]]:
    """Replay the requests of a stream as they come.

    Args:
        device: What is simulated.
        stream: The requests; each traced device has one of the first million of them.
        options: Scheduler, scale, rule for the end of the device and columns to be kept, as for `simulate`.
        sink: Given the rows as they become final; without one they are returned.
        progress: Told now and then how many requests are complete.
        notes: Of a volume that starts as after a loss of power, what its members hold for it.

    Returns:
        The columns, if no sink took them; the totals; and what was left out of the stream, by kind.

    Raises:
        TraceError: The stream has no reads or writes, or some that cannot be replayed.
    """
    skipped: Counter[str] = Counter()
    raised: list[BaseException] = []

    def batches() -> Iterator[_Batch]:
        room = memory.Room()
        try:
            for batch in stream:
                if room.is_used_up():
                    raise _native.TraceError(
                        f"{stream.source}: expected requests about as fast as they are served, found more"
                        " waiting than memory is free for: is the unit of time right?"
                    )
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
            device._native, _enough_first(batches()), scheduler, scale, past_end, kept, sink, progress, notes
        )
    except _native.TraceError as error:
        # The stream names its file by itself.
        if error not in raised:
            add_place(error, stream.source)
        raise
    return columns, totals, dict(skipped)


def run_again(
    settings: RunSettings,
    rows: Iterable[Mapping[str, NDArray[Any]]],
    columns: Iterable[str],
    sink: RowSink,
    notes: list[Note] | None = None,
) -> None:
    """Run the requests of a result again that need not fit into memory, as `Run.again` does.

    Args:
        settings: What the result came from.
        rows: Its columns in batches.
        columns: Which are kept.
        sink: Given the rows as they become final, in their order.
        notes: As for `run_stream`.

    Raises:
        TraceError: The requests cannot be replayed.
    """
    # The requests come at the times at which they came, whatever decided them.
    batches = (Trace.from_columns(batch, source=settings.trace) for batch in rows)
    stream = TraceStream(settings.trace, batches, dict)
    options = (settings.scheduler_in_full, 1.0, "error", ",".join(columns))
    run_stream(from_parameters(settings.parameters), stream, options, sink, None, notes)
