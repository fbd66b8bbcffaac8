"""Calls of functions in new processes, which have no cached results and end with the program."""

import multiprocessing
import signal
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any

from sledsim import ParameterError


class Fresh:
    """Runner of functions, each in a new process without cached results."""

    def __init__(self) -> None:
        self._running: set[SpawnProcess] = set()
        self._is_over = False
        self._lock = threading.Lock()

    def run(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Call `work`, a function of a module, with `arguments` in a new process, and return its result.

        Raises:
            ParameterError: `end` was called, or the process was killed, before the function returned.
            Exception: Any error that the function raises.
        """
        context = multiprocessing.get_context("spawn")
        mine, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_send, args=(theirs, work, arguments), daemon=True)
        with self._lock:
            if self._is_over:
                raise ParameterError("the run of an experiment was cancelled before its process started")
            # The processes ignore Ctrl-C, because the program handles it and ends them. Otherwise each of
            # them would print an error.
            blocked = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
            try:
                process.start()
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
            self._running.add(process)
        theirs.close()
        try:
            found, error = mine.recv()
        except EOFError:
            raise ParameterError("the process of a run was killed before it returned a result") from None
        finally:
            mine.close()
            process.join()
            with self._lock:
                self._running.discard(process)
        if error is not None:
            raise error
        return found

    def end(self) -> None:
        """End all running processes; later calls of `run` raise an error."""
        with self._lock:
            self._is_over = True
            for process in self._running:
                process.terminate()


def _send(to: Connection, work: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    try:
        found: tuple[Any, Exception | None] = work(*arguments), None
    except Exception as error:
        found = None, error
    to.send(found)
