"""Simulation of requests in batches, so that traces larger than memory can run."""

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
from ..traces.evidence import doubts
from ..traces.streams import TraceStream
from ..traces.trace import Trace
from .run_settings import RunSettings

#: Rules for requests past the end that work before the whole trace is known.
_STREAMED_RULES = ("error", "wrap")
#: Number of requests to read before the run of a stream begins; every traced device must occur among them.
FIRST_REQUESTS = 1 << 20
#: Columns of a result that are copied from the trace.
TRACE_COLUMNS = ("lbn", "blocks", "write", "metadata", "device")
#: Callback that takes results which no later request can change: columns by name, and the names of the
#: devices.
RowSink = Callable[[dict[str, NDArray[Any]], list[str]], object]
#: A record that a volume stores on a member: index of the member, sector of the record, words of the record,
#: and True if the data that it describes were written completely.
Note = tuple[int, int, list[int], bool]
#: Columns of a batch of requests.
_Batch = tuple[NDArray[Any], ...]


class Options(NamedTuple):
    """Options of a run: the arguments of `simulate` with these names."""

    scheduler: str | None
    scale: float
    past_end: str
    columns: str
    replay: str = "open"


def can_be_streamed(replay: str, past_end: str) -> bool:
    """Return True if the replay mode and the rule `past_end` work without knowledge of the whole trace."""
    return replay.strip().lower() == "open" and past_end.strip().lower() in _STREAMED_RULES


def keeps_none(columns: str) -> bool:
    """Return True if the option ``columns`` is ``none``: the run keeps only totals, no column."""
    return columns.strip() == "none"


def check_columns(columns: str, out: PathLike | None) -> None:
    """Check the names in the option ``columns``; a run that writes a file must keep at least one column.

    Raises:
        ParameterError: The name of a column is unknown, or the run writes a file but keeps no column.
    """
    if not columns.strip():
        sets = ", ".join(column_sets())
        raise _native.ParameterError(
            f"columns: expected names of columns, sets of columns ({sets}) or none, found an empty text"
        )
    _native.selected_columns(columns)
    if out is not None and keeps_none(columns):
        raise _native.ParameterError(
            f"columns = none: expected names of the columns to write to {os.fspath(out)}; or omit the output"
        )


def run_batches(
    device: Target,
    requests: Trace | TraceStream,
    options: Options,
    sink: RowSink | None,
    progress: Callable[[int], object] | None,
    notes: list[Note] | None = None,
) -> tuple[dict[str, NDArray[Any]], dict[str, Any], dict[str, Any]]:
    """Replay a trace in memory as one batch, or a stream batch by batch, which needs the replay mode open.

    Args:
        device: Device or volume to simulate.
        requests: Trace or stream. Every traced device of a stream must occur among its first million
            requests.
        options: Options of the run.
        sink: Callback that takes results of a stream when no later request can change them; None returns them
            at the end.
        progress: Callback that takes the number of completed requests.
        notes: Records that a volume finds on its members when it starts after a power failure.

    Returns:
        The columns (empty if `sink` took them), the totals, and ``seed``, ``skipped`` and ``doubts`` for
        `RunSettings`.

    Raises:
        TraceError: The input has no read or write, or a request that cannot be replayed.
    """
    raised: list[BaseException] = []
    discarded: Counter[str] = Counter()
    given: _Batch | Iterator[_Batch]
    if isinstance(requests, Trace):
        requests = requests.replayed()
        given = requests._native_columns()
    else:
        given = _enough_first(_batches(requests, discarded, raised))
    scheduler, scale, past_end, kept, replay = options
    how = (replay, scheduler, scale, past_end, kept, sink, progress, notes)
    try:
        columns, totals = _native.simulate(device._native, given, *how)
    except _native.TraceError as error:
        # The stream adds the name of its file.
        if error not in raised:
            add_place(error, requests.source)
        raise
    if totals["flushes"] == totals["requests"]:
        raise _native.TraceError(f"{requests.source}: expected at least one read or write, found none")
    rows = totals.pop("trace_rows")
    if isinstance(requests, TraceStream):
        about = requests.about()
        skipped = {**discarded, **about.get("skipped", {})}
        found = doubts(about.get("evidence") or ())
        return columns, totals, {"seed": about.get("seed"), "skipped": skipped, "doubts": found}
    columns["device"] = requests.device
    if rows is not None:
        columns.update({name: columns[name][rows] for name in (*TRACE_COLUMNS, "kind")})
    columns = {name: columns[name] for name in _native.selected_columns(kept)}
    found = doubts(requests.evidence)
    return columns, totals, {"seed": requests.seed, "skipped": dict(requests.skipped), "doubts": found}


def _batches(stream: TraceStream, discarded: Counter[str], raised: list[BaseException]) -> Iterator[_Batch]:
    """Yield the requests of a stream in batches; count its discards, and note its error."""
    room = memory.Room()
    try:
        for batch in stream:
            if room.is_used_up():
                raise _native.TraceError(
                    f"{stream.source}: more requests are outstanding than fit into free memory: they arrive"
                    " faster than the device serves them; check the unit of time of the trace"
                )
            requests = batch.replayed()
            discarded.update(requests.skipped)
            if len(requests):
                yield (*requests._requested(), requests.device)
    except BaseException as error:
        raised.append(error)
        raise


def _enough_first(batches: Iterator[_Batch]) -> Iterator[_Batch]:
    """Yield batches, the first of `FIRST_REQUESTS` requests: every traced device must occur in it."""
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
    """Run the requests of a result again, as `Run.again` does, but batch by batch in little memory.

    Args:
        settings: Settings of the result.
        rows: Requests of the result in batches: for each batch, the columns by name.
        columns: Names of the columns to keep.
        sink: Callback that takes results, in the order of arrival, when no later request can change them.
        notes: Records that a volume finds on its members when it starts after a power failure.

    Raises:
        TraceError: A request cannot be replayed.
    """
    # Requests arrive at their recorded arrivals, whatever replay made them.
    batches = (Trace.from_columns(batch, source=settings.trace) for batch in rows)
    stream = TraceStream(settings.trace, batches, dict)
    options = Options(settings.scheduler_in_full, 1.0, "error", ",".join(columns))
    run_batches(from_parameters(settings.parameters), stream, options, sink, None, notes)
