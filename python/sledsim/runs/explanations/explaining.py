"""Explanation of requests: the run is repeated exactly, and each service and wait is recorded."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ... import _native
from ...model.volumes import from_parameters, name_of
from ..kept_columns import Columns, kind_of
from ..run_settings import RunSettings
from .alternatives import KINDS, Alternative, Impossible, alternatives, check_kinds, count_of
from .explanation import Explanation
from .parts import Parts
from .repeating import Requests, as_recorded
from .segments import way
from .served_meanwhile import served_before

#: Largest number of requests that one call can explain.
MOST_ROWS = 1000
#: Number of requests to which the core can give numbers.
_ROWS_MAX = 2**32


def explanations(
    columns: Columns,
    settings: RunSettings,
    rows: Sequence[int],
    what_if: Iterable[str] = tuple(KINDS),
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> list[Explanation]:
    """Explain the response time of each request in `rows`.

    Args:
        columns: Results of the run's requests, as columns by name.
        settings: Device, policy and options of the run.
        rows: Numbers of the requests, counted from 0 in the order of arrival.
        what_if: Kinds of changes to try, keys of `KINDS`.
        workers: Number of threads for the runs with changes; None uses one thread per processor.
        progress: Callback for the number of finished runs; all runs together are `runs_needed`.

    Raises:
        ParameterError: The run lacks a request of `rows`, or a kind of change or the policy is unknown.
        TraceError: Requests complete at other times in the repeated run than in the result.
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
    """Return the number of runs of an explanation: one repetition, and one run per change to try."""
    return 1 + count_of(settings, check_kinds(what_if))


def check_rows(rows: Sequence[int], count: int) -> list[int]:
    """Check that a run of `count` requests has each request in `rows`; return the numbers as Python ints.

    Raises:
        ParameterError: A request does not exist, or `rows` has no numbers or too many.
    """
    if not rows:
        raise _native.ParameterError("rows: expected the number of at least one request, found none")
    if len(rows) > MOST_ROWS:
        raise _native.ParameterError(f"rows: expected {MOST_ROWS:,} requests at most, found {len(rows):,}")
    last = min(count, _ROWS_MAX) - 1
    for row in rows:
        if not _is_whole(row) or not 0 <= row <= last:
            found = int(row) if _is_whole(row) else repr(row)
            raise _native.ParameterError(f"row: expected the number of a request, 0 to {last}, found {found}")
    return [int(row) for row in rows]


def _is_whole(row: object) -> bool:
    """Return True if a value is a whole number of Python or NumPy; False for a boolean."""
    return isinstance(row, int | np.integer) and not isinstance(row, bool)


def _again(requests: Requests, columns: Columns, settings: RunSettings, rows: list[int]) -> Parts:
    """Repeat the run, check that requests complete as in the result, and return services and waits.

    Raises:
        TraceError: A completion differs from the result.
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
        kind=kind_of(columns, row),
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
