"""Threads for simulations, which run outside of Python's lock; results do not depend on their number."""

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
    """Refuse an invalid number of threads or processes.

    Raises:
        ParameterError: The number is not a whole number from 1, or None.
    """
    if count is not None:
        check_whole("workers", count, 1, why=", or None for one per processor")


class StoppedError(Exception):
    """Raised to end a simulation whose result is no longer needed."""


#: Pool to which the current thread belongs.
_THREAD = threading.local()


class Workers:
    """A pool of threads; if its ``with`` block ends in an error, running work is stopped.

    A pool that a thread of another pool makes is stopped together with that pool.

    Args:
        count: Number of threads; None uses one per processor.
        progress: Callback for the work done so far, called in the thread that owns the pool.

    Raises:
        ParameterError: The number of threads is not a whole number from 1.
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
        """Yield the results in the order of the items, each when ready."""
        return self._pool.map(function, items)

    def map_work(self, function: Callable[[_Item], _Result], items: Iterable[_Item]) -> list[_Result]:
        """List the results of `each`, where every item counts as a unit of progress."""
        results = []
        for result in self.each(function, items):
            results.append(result)
            self.report(self._done + 1)
        return results

    def report(self, done: int) -> None:
        """Report the amount of work done, unnecessary work included."""
        self._done = done
        if self._progress:
            self._progress(done)

    def _begin(self) -> None:
        # Threads of a pool receive no signals: the core asks through the pool whether its work is still
        # needed.
        _THREAD.pool = self
        _native.ask_in_this_thread(self._go_on)

    def _go_on(self) -> None:
        if self._stop.is_set():
            raise StoppedError
        if self._outer is not None:
            self._outer._go_on()
