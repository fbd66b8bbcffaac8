"""Threads for simulations, which run outside of Python's lock; what they give does not depend on how many."""

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
    """Refuse a number of threads or processes that is none.

    Raises:
        ParameterError: It is no whole number from 1, or None.
    """
    if count is not None:
        check_whole("workers", count, 1, why=", or None for as many as there are processors")


class StoppedError(Exception):
    """Ends a simulation whose result nobody waits for."""


#: Of a thread of a pool: that pool.
_THREAD = threading.local()


class Workers:
    """A pool of threads; where its ``with`` block ends in an error, what still runs is stopped.

    A pool that one of the threads of another one makes is stopped together with that.

    Args:
        count: How many; None takes as many as there are processors.
        progress: Called in the thread that owns the pool with the work done so far.

    Raises:
        ParameterError: There would be none.
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
        """The results in the order of the items, each when it is there."""
        return self._pool.map(function, items)

    def map_work(self, function: Callable[[_Item], _Result], items: Iterable[_Item]) -> list[_Result]:
        """All of `each`, where every item is a piece of work that counts as progress."""
        results = []
        for result in self.each(function, items):
            results.append(result)
            self.report(self._done + 1)
        return results

    def report(self, done: int) -> None:
        """Say how much work is done, that which has turned out to be unnecessary included."""
        self._done = done
        if self._progress:
            self._progress(done)

    def _begin(self) -> None:
        # Threads of a pool hear of no signals: the core asks there whether somebody still waits for its work.
        _THREAD.pool = self
        _native.ask_in_this_thread(self._go_on)

    def _go_on(self) -> None:
        if self._stop.is_set():
            raise StoppedError
        if self._outer is not None:
            self._outer._go_on()
