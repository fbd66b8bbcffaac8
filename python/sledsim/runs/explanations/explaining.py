"""Explain requests: repeat the run exactly, and note the course of each request."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ... import _native
from ...model.volumes import from_parameters, name_of
from ..kept_columns import Columns
from ..run_settings import RunSettings
from .alternatives import KINDS, Alternative, Impossible, alternatives, check_kinds, count_of
from .explanation import Explanation
from .parts import Parts
from .repeating import Requests, as_recorded
from .segments import way
from .served_meanwhile import served_before

#: Largest number of rows in one explanation.
MOST_ROWS = 1000
#: Upper bound of the numbers of rows in the core, exclusive.
_ROWS_MAX = 2**32


def explanations(
    columns: Columns,
    settings: RunSettings,
    rows: Sequence[int],
    what_if: Iterable[str] = tuple(KINDS),
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> list[Explanation]:
    """Explain the response times of requests, in the order of the given rows.

    Args:
        columns: Columns of the run.
        settings: Settings of the run.
        rows: Rows of the requests, counted from 0 in the order of arrival.
        what_if: Kinds of changes to try, keys of `KINDS`.
        workers: Number of threads for these runs; None uses one per processor.
        progress: Callback for the number of finished runs, as `runs_needed` counts them.

    Raises:
        ParameterError: A request or kind does not exist, or the policy is unknown.
        TraceError: The repeated requests differ from the result.
        NotKeptError: The run did not keep the columns that a repetition needs.
    """
    kinds, asked = check_kinds(what_if), check_rows(rows, len(columns["arrival_ns"]))
    requests = Requests(columns)
    parts = _again(requests, columns, settings, sorted(set(asked)))
    if progress is not None:
        progress(1)
    arrivals = {row: int(columns["arrival_ns"][row]) for row in sorted(set(asked))}
    otherwise: dict[int, list[Alternative | Impossible]] = {}
    if kinds:
        done = None if progress is None else (lambda runs: progress(1 + runs))
        otherwise = alternatives(settings, requests, arrivals, kinds, workers, done)
    return [_explained(columns, settings, row, parts, otherwise.get(row, ())) for row in asked]


def runs_needed(settings: RunSettings, what_if: Iterable[str]) -> int:
    """Number of runs of an explanation: the repetition, and one for each change."""
    return 1 + count_of(settings, check_kinds(what_if))


def check_rows(rows: Sequence[int], count: int) -> list[int]:
    """The requested rows, if a run with this number of requests has them.

    Raises:
        ParameterError: A row does not exist, or the rows are too many.
    """
    if not rows:
        raise _native.ParameterError("rows: expected one request or more, found none")
    if len(rows) > MOST_ROWS:
        raise _native.ParameterError(f"rows: expected {MOST_ROWS:,} requests or fewer, found {len(rows):,}")
    last = min(count, _ROWS_MAX) - 1
    for row in rows:
        if not _is_whole(row) or not 0 <= row <= last:
            found = int(row) if _is_whole(row) else repr(row)
            raise _native.ParameterError(f"row: expected 0 to {last}, a request of the run, found {found}")
    return [int(row) for row in rows]


def _is_whole(row: object) -> bool:
    """Return True for a whole number of Python or NumPy; truth values do not count."""
    return isinstance(row, int | np.integer) and not isinstance(row, bool)


def _again(requests: Requests, columns: Columns, settings: RunSettings, rows: list[int]) -> Parts:
    """Repeat the requests, check that their times are equal, and return the noted course of some.

    Raises:
        TraceError: The times differ.
    """
    same = as_recorded(columns["completion_ns"], settings.version)
    target = from_parameters(settings.parameters)
    _, noted = requests.run_until(target, settings.policy_again, rows, same, watch=True)
    return Parts(noted)


def _explained(
    columns: Columns,
    settings: RunSettings,
    row: int,
    parts: Parts,
    otherwise: Sequence[Alternative | Impossible],
) -> Explanation:
    arrival_ns, completion_ns = (int(columns[name][row]) for name in ("arrival_ns", "completion_ns"))
    found = way(parts, row, arrival_ns, completion_ns)
    return Explanation(
        row=row,
        trace=settings.trace,
        device_name=name_of(settings.parameters),
        scheduler=settings.scheduler,
        write=bool(columns["write"][row]),
        lbn=int(columns["lbn"][row]),
        blocks=int(columns["blocks"][row]),
        begun_ns=int(columns["arrival_ns"][0]),
        arrival_ns=arrival_ns,
        completion_ns=completion_ns,
        segments=found.segments,
        served=tuple(served_before(parts, found, row, arrival_ns)),
        parts=found.parts,
        alternatives=tuple(one for one in otherwise if isinstance(one, Alternative)),
        impossible=tuple(one for one in otherwise if isinstance(one, Impossible)),
    )
