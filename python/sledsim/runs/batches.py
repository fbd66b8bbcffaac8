"""Runs over batches of requests, which need not fit into memory; a trace in memory is one batch."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..common import memory
from ..common.error_places import add_place
from ..common.output_files import PathLike
from ..model.catalogue import column_sets
from ..model.volumes import Target, from_parameters
from ..traces.streams import TraceStream
from ..traces.trace import Trace
from .run_settings import RunSettings

#: Rules for requests past the end of the device that need not know the whole trace.
_STREAMED_RULES = ("error", "wrap")
#: So many requests are read before a run of a stream begins, which is to know its devices then.
FIRST_REQUESTS = 1 << 20
#: The columns that come from the trace.
TRACE_COLUMNS = ("lbn", "blocks", "write", "metadata", "device")
#: Takes rows of a result as they become final, and the names of the devices.
RowSink = Callable[[dict[str, NDArray[Any]], list[str]], object]
#: What a volume has noted: the member, the sector, words, and whether what was sealed with them is whole.
Note = tuple[int, int, list[int], bool]
#: The columns of some requests.
_Batch = tuple[NDArray[Any], ...]


class Options(NamedTuple):
    """How requests are run: the arguments of `simulate` of these names."""

    scheduler: str | None
    scale: float
    past_end: str
    columns: str
    replay: str = "open"


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


def run_batches(
    device: Target,
    requests: Trace | TraceStream,
    options: Options,
    sink: RowSink | None,
    progress: Callable[[int], object] | None,
    notes: list[Note] | None = None,
) -> tuple[dict[str, NDArray[Any]], dict[str, Any], dict[str, Any]]:
    """Replay requests: a stream open, as it comes; a trace in memory as one batch, in any way.

    Args:
        device: What is simulated.
        requests: Each device of a stream has one of the first million of them.
        options: How.
        sink: Given the rows of a stream as they become final; without one they are returned.
        progress: Told now and then how many requests are complete.
        notes: Of a volume that starts as after a loss of power, what its members hold for it.

    Returns:
        The columns, if no sink took them; the totals; ``seed`` and ``skipped``, as `RunSettings` has them.

    Raises:
        TraceError: There are no reads or writes, or some that cannot be replayed.
    """
    raised: list[BaseException] = []
    moved_no_data: Counter[str] = Counter()
    given: _Batch | Iterator[_Batch]
    if isinstance(requests, Trace):
        requests = requests.transfers()
        given = requests._native_columns()
    else:
        given = _enough_first(_batches(requests, moved_no_data, raised))
    scheduler, scale, past_end, kept, replay = options
    how = (replay, scheduler, scale, past_end, kept, sink, progress, notes)
    try:
        columns, totals = _native.simulate(device._native, given, *how)
    except _native.TraceError as error:
        # The stream names its file by itself.
        if error not in raised:
            add_place(error, requests.source)
        raise
    rows = totals.pop("trace_rows")
    if isinstance(requests, TraceStream):
        about = requests.about()
        skipped = {**moved_no_data, **about.get("skipped", {})}
        return columns, totals, {"seed": about.get("seed"), "skipped": skipped}
    columns["device"] = requests.device
    if rows is not None:
        columns.update({name: columns[name][rows] for name in TRACE_COLUMNS})
    columns = {name: columns[name] for name in _native.selected_columns(kept)}
    return columns, totals, {"seed": requests.seed, "skipped": dict(requests.skipped)}


def _batches(
    stream: TraceStream, moved_no_data: Counter[str], raised: list[BaseException]
) -> Iterator[_Batch]:
    """The reads and writes of a stream; what else there was, and what the stream raised, is noted."""
    room = memory.Room()
    try:
        for batch in stream:
            if room.is_used_up():
                raise _native.TraceError(
                    f"{stream.source}: expected requests about as fast as they are served, found more"
                    " waiting than memory is free for: is the unit of time right?"
                )
            moves = batch.transfers()
            moved_no_data.update(moves.skipped)
            if len(moves):
                extents = (moves.arrival_ns, moves.lbn, moves.blocks)
                yield (*extents, moves.write, moves.metadata, moves.device)
    except BaseException as error:
        raised.append(error)
        raise


def _enough_first(batches: Iterator[_Batch]) -> Iterator[_Batch]:
    """The batches, the first ones as one: the devices of a run are those that it has requests for."""
    first: list[_Batch] = []
    found = 0
    while found < FIRST_REQUESTS and (batch := next(batches, None)):
        first.append(batch)
        found += len(batch[0])
    if first:
        yield first[0] if len(first) == 1 else tuple(map(np.concatenate, zip(*first, strict=True)))
    yield from batches


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
        notes: As for `run_batches`.

    Raises:
        TraceError: The requests cannot be replayed.
    """
    # The requests come at the times at which they came, whatever decided them.
    batches = (Trace.from_columns(batch, source=settings.trace) for batch in rows)
    stream = TraceStream(settings.trace, batches, dict)
    options = Options(settings.scheduler_in_full, 1.0, "error", ",".join(columns))
    run_batches(from_parameters(settings.parameters), stream, options, sink, None, notes)
