"""Threads of this process: simulations run outside of Python's lock."""

import os
import threading
import time
from collections.abc import Iterator

from ...runs.workers import Workers
from ..evaluation import Row
from .interface import Executor, Keep, Work

#: A row is kept so many seconds after it is done, at the latest when the point after it is done.
_KEEP_EVERY_S = 0.2


def run(work: Work, keep: Keep, _: str) -> None:
    """Run the points, each thread the next one that nobody has taken."""
    numbers = _Shared(iter(work.numbers))
    stop, keeping = threading.Event(), threading.Lock()
    count = min(work.workers or os.cpu_count() or 1, max(1, len(work.numbers)))

    def keep_alone(rows: list[Row]) -> None:
        if rows:
            with keeping:
                keep(rows)
            rows.clear()

    def one_thread(_which: int) -> None:
        evaluator, rows = work.evaluator(work.study), list[Row]()
        kept_s = time.monotonic()
        try:
            for number in numbers:
                if stop.is_set():
                    break
                rows.append(evaluator.row(number))
                if time.monotonic() - kept_s >= _KEEP_EVERY_S:
                    keep_alone(rows)
                    kept_s = time.monotonic()
        except BaseException:
            stop.set()  # The others do not go on to the end before somebody hears of it.
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


class _Shared:
    """Numbers that several threads take, each once."""

    def __init__(self, numbers: Iterator[int]) -> None:
        self._numbers, self._lock = numbers, threading.Lock()

    def __iter__(self) -> "_Shared":
        return self

    def __next__(self) -> int:
        with self._lock:
            return next(self._numbers)


ROW = Executor("threads", "threads", "threads of this process, as many as there are processors", run)
