"""Threads that run simulations in parallel; results do not depend on the number of threads."""

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from .. import _native
from ..common.arguments import check_whole

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def check_workers(count: int | None) -> None:
    """Check a number of threads or processes.

    Raises:
        ParameterError: The number is neither None nor a whole number of 1 or more.
    """
    if count is not None:
        check_whole("workers", count, 1, why=", or None for one thread per processor")


class StoppedError(Exception):
    """Raised to end a simulation whose result is no longer needed."""


#: Storage in which each thread has the pool to which it belongs, as the attribute ``pool``.
_THREAD = threading.local()


class Workers:
    """A pool of threads that run simulations; an error in its ``with`` block stops those in progress.

    If a thread of this pool makes another pool, the other pool is stopped together with this one.

    Args:
        count: Number of threads; None uses one thread per processor.
        progress: Callback that takes the amount of finished work; the thread that made the pool calls it.

    Raises:
        ParameterError: The number of threads is not a whole number of 1 or more.
    """

    def __init__(self, count: int | None = None, progress: Callable[[int], object] | None = None) -> None:
        check_workers(count)
        self._stop = threading.Event()
        self._outer: Workers | None = getattr(_THREAD, "pool", None)
        self._pool = ThreadPoolExecutor(count or os.cpu_count(), initializer=self._begin)
        self._progress = progress
        self._done = 0

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, error: object, *_: object) -> None:
        if error is not None:
            self._stop.set()
        self._pool.shutdown(cancel_futures=error is not None)

    def each(self, function: Callable[[_Item], _Result], items: Iterable[_Item]) -> Iterator[_Result]:
        """Apply a function to each item in the threads, and yield the results in the order of the items."""
        return self._pool.map(function, items)

    def map_work(self, function: Callable[[_Item], _Result], items: Iterable[_Item]) -> list[_Result]:
        """Apply a function to each item in the threads, and return the results; report progress per item."""
        results = []
        for result in self.each(function, items):
            results.append(result)
            self.report(self._done + 1)
        return results

    def report(self, done: int) -> None:
        """Report the amount of finished work; work that proved unnecessary counts as finished."""
        self._done = done
        if self._progress:
            self._progress(done)

    def _begin(self) -> None:
        # Threads of a pool receive no signals. The core calls `_go_on` to ask if its work is still needed.
        _THREAD.pool = self
        _native.ask_in_this_thread(self._go_on)

    def _go_on(self) -> None:
        if self._stop.is_set():
            raise StoppedError
        if self._outer is not None:
            self._outer._go_on()
