"""Threads of this process as an executor; they run in parallel, outside of Python's global lock."""

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from ...runs.workers import Workers
from ..evaluation import Evaluator, Row
from .executor_protocol import Executor, Keep, Work

#: Least time in seconds between two writes of finished rows to the ledger.
_KEEP_EVERY_S = 0.2


def run_points(
    make: Callable[[], Callable[[Sequence[int]], list[Row]]],
    numbers: Sequence[int],
    keep: Keep,
    workers: int | None = None,
    at_once: int = 1,
) -> None:
    """Run points in threads; each thread takes the next points that no other thread has taken.

    Args:
        make: Function that each thread calls once. It returns another function, which runs the points with
            some numbers and returns their rows.
        numbers: Numbers of the points to run.
        keep: Function that receives finished rows.
        workers: Number of threads; None for the number of processors.
        at_once: Number of points that a thread takes at a time.
    """
    batches = _Shared(iter(numbers), at_once)
    stop, keeping = threading.Event(), threading.Lock()
    count = min(workers or os.cpu_count() or 1, max(1, len(numbers)))

    def keep_alone(rows: list[Row]) -> None:
        if rows:
            with keeping:
                keep(rows)
            rows.clear()

    def one_thread(_which: int) -> None:
        rows_of, rows = make(), list[Row]()
        kept_s = time.monotonic()
        try:
            while (batch := batches.take()) and not stop.is_set():
                rows += rows_of(batch)
                if time.monotonic() - kept_s >= _KEEP_EVERY_S:
                    keep_alone(rows)
                    kept_s = time.monotonic()
        except BaseException:
            stop.set()  # The other threads stop before the error is raised.
            raise
        finally:
            keep_alone(rows)

    try:
        with Workers(count) as pool:
            for _done in pool.each(one_thread, range(count)):
                pass
    except BaseException:
        stop.set()
        raise


def run(work: Work, keep: Keep, _: str) -> None:
    """Run the points of a study in threads."""
    run_points(lambda: Evaluator(work.study).rows, work.numbers, keep, work.workers)


class _Shared:
    """A queue of point numbers that threads share; each number is taken by one thread only."""

    def __init__(self, numbers: Iterator[int], at_once: int) -> None:
        self._numbers, self._at_once, self._lock = numbers, at_once, threading.Lock()

    def take(self) -> list[int]:
        """Take the next `at_once` numbers from the queue; return an empty list if all are taken."""
        with self._lock:
            return list(islice(self._numbers, self._at_once))


ROW = Executor("threads", "threads", "threads of this process, one per processor", run)
