"""Executors that run points in processes of this machine or of a cluster (dask.distributed).

Each worker gets the study once, with the requests of its traces. A task has the numbers of several points,
which together take about a second. A task whose worker dies is given to another worker. A task that has
killed several workers is divided into single points; a point that still kills workers gets a row that says
so.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from typing import Any

from ... import _native
from ...model.own_classes import loaded
from ...model.typed import load_own
from ..evaluation import Evaluator, Row
from ..point_figures import FAILED
from ..study_points import Study
from .executor_protocol import Executor, Keep, Work

#: Approximate duration of a task in seconds.
_TASK_S = 1.0
#: Number of points in the first task, when the duration of a point is still unknown, and largest number of
#: points in any task.
_FIRST, _MOST = 1, 500
#: Number of tasks that a worker has at the same time, so that the next task is ready when one ends.
_TASKS_EACH = 2
#: Longest waits in seconds: for a connection to a Dask scheduler, for a first worker, and for a client to
#: close.
_CONNECT_S, _WORKER_S, _CLOSE_S = 10.0, 60.0, 10.0
#: Seconds without an answer after which a Dask scheduler counts as frozen.
_FROZEN_S = 90.0
#: Number of workers that may die during a task. If one more dies, the points of the task are run one by one.
_DEATHS = 3
#: Seconds between two checks of the workers while the client waits.
_TICK_S = 0.5


def run_local(work: Work, keep: Keep, where: str) -> None:
    """Run the points of `work` in processes of this machine, and call `keep` with the finished rows.

    `where` is the number of processes as a text; an empty text takes the number of workers of `work`.

    Raises:
        ParameterError: `where` is not a number of processes.
        ModuleNotFoundError: dask.distributed is not installed.
        OSError: The processes do not start.
    """
    distributed = _load()
    count = where or str(work.workers or os.cpu_count() or 1)
    if not count.isdecimal() or not 1 <= int(count) <= 1024:
        raise _native.ParameterError(f"on = 'local:{where}': expected a number of processes from 1 to 1024")
    with ExitStack() as left:
        _quietly(left)
        try:
            with _deaf_children():
                cluster = distributed.LocalCluster(
                    n_workers=int(count),
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address="127.0.0.1:0",
                    host="127.0.0.1",
                    silence_logs=50,
                )
        except RuntimeError as error:
            raise OSError(
                f"on = 'local:{where}': the processes do not start ({error}); a script must call sledsim"
                " below the line: if __name__ == '__main__':"
            ) from None
        left.callback(_close, cluster)
        _run(distributed, cluster, work, keep)


def run_dask(work: Work, keep: Keep, where: str) -> None:
    """Run the points of `work` on the workers of a Dask scheduler that runs at the address `where`.

    Raises:
        ParameterError: `where` is not an address HOST:PORT.
        ModuleNotFoundError: dask.distributed is not installed.
        OSError: No Dask scheduler answers, it has no workers, or its workers have another version of
            sledsim.
    """
    distributed = _load()
    if ":" not in where:
        raise _native.ParameterError(
            f"on = 'dask://{where}': expected dask://HOST:PORT, such as dask://localhost:8786"
        )
    with ExitStack() as left:
        _quietly(left)
        _run(distributed, f"tcp://{where}", work, keep)


def _run(distributed: Any, cluster: Any, work: Work, keep: Keep) -> None:
    try:
        client = distributed.Client(cluster, timeout=_CONNECT_S, set_as_default=False)
    except (OSError, distributed.TimeoutError) as error:
        raise OSError(f"{cluster}: no Dask scheduler answered within {_CONNECT_S:g} s: {error}") from None
    with ExitStack() as left:
        left.callback(_close, client)
        try:
            client.wait_for_workers(1, timeout=_WORKER_S)
        except distributed.TimeoutError:
            raise OSError(
                f"Dask has no worker after {_WORKER_S:g} s: start workers with 'dask worker ADDRESS'"
            ) from None
        _check_versions(client)
        try:
            with client.as_current():
                _Tasks(distributed, client, work.study, work.numbers, keep).run()
        except distributed.comm.CommClosedError as error:
            raise OSError(f"the Dask scheduler is gone; finished points are kept ({error})") from None


def _check_versions(client: Any) -> None:
    try:
        found = set(_answer(client.run, _version).values()) - {_native.__version__}
    except (ImportError, AttributeError) as error:
        raise OSError(f"Dask workers: expected sledsim {_native.__version__}: {error}") from None
    if found:
        raise OSError(
            f"Dask workers: expected sledsim {_native.__version__}, found {', '.join(sorted(found))}"
        )


class _Tasks:
    """The tasks of a study, each a few points: tasks that workers run, and points that still wait."""

    def __init__(
        self, distributed: Any, client: Any, study: Study, numbers: Sequence[int], keep: Keep
    ) -> None:
        self._distributed, self._client, self._keep = distributed, client, keep
        self._study = study
        #: Handle of the study on the workers; None before the study is sent.
        self._sent: Any = None
        self._numbers = iter(numbers)
        self._classes = loaded()
        self._suspected: list[list[int]] = []
        self._under_way: dict[Any, list[int]] = {}
        self._points_a_task = _FIRST
        self._heard_s = time.monotonic()

    def run(self) -> None:
        """Run all tasks, and keep the rows of each finished task."""
        while self._submit() or self._under_way:
            try:
                self._distributed.wait(list(self._under_way), timeout=_TICK_S, return_when="FIRST_COMPLETED")
            except self._distributed.TimeoutError:
                self._check_workers()
                continue
            except CancelledError:
                pass  # The cancelled tasks are found below, by their status.
            self._heard_s = time.monotonic()
            for task in [one for one in self._under_way if one.done()]:
                self._take(task, self._under_way.pop(task))

    def _submit(self) -> int:
        """Submit tasks until every worker has enough; return the number of submitted tasks."""
        added = 0
        wanted = _TASKS_EACH * max(1, self._workers())
        while len(self._under_way) < wanted and (numbers := self._next()):
            task = self._client.submit(_rows, self._sent_study(), numbers, self._classes, pure=False)
            self._under_way[task] = numbers
            added += 1
        return added

    def _sent_study(self) -> Any:
        """Send the study to all workers at the first call, and return Dask's handle of it.

        Raises:
            OSError: No worker is connected.
        """
        if self._sent is None:
            try:
                self._sent = _answer(
                    self._client.scatter, self._study, broadcast=True, hash=False, timeout=_WORKER_S
                )
            except self._distributed.TimeoutError:
                raise self._no_worker() from None
        return self._sent

    def _workers(self) -> int:
        return len(_answer(self._client.nthreads))

    def _next(self) -> list[int]:
        if self._suspected:
            return self._suspected.pop()
        return [*islice(self._numbers, self._points_a_task)]

    def _take(self, task: Any, numbers: list[int]) -> None:
        status = task.status
        if status == "error":
            self._failed(task.exception(timeout=_CLOSE_S), numbers)
        elif status == "pending":  # The worker left after the task was done: it is queued again.
            self._under_way[task] = numbers
        elif status in ("cancelled", "lost") or (result := self._result(task)) is None:
            # The result is lost with a worker or by a scheduler's restart, perhaps together with the study.
            self._suspected.append(numbers)
            self._sent = None
        else:
            rows, took_s = result
            self._keep(rows)
            if len(numbers) >= self._points_a_task:
                # A task has at most twice as many points as before: the next points may take longer.
                fitting = int(_TASK_S / max(took_s / len(numbers), 1e-6))
                self._points_a_task = max(1, min(fitting, 2 * self._points_a_task, _MOST))

    def _result(self, task: Any) -> tuple[list[Row], float] | None:
        """Return the result of a finished task; None if the result is lost because its worker has left."""
        try:
            result: tuple[list[Row], float] = task.result(timeout=_CLOSE_S)
        except (self._distributed.CancelledError, self._distributed.TimeoutError):
            return None
        return result

    def _failed(self, error: BaseException | None, numbers: list[int]) -> None:
        """Split a task whose workers died into tasks of one point; raise any other error of a task."""
        if error is None:  # The worker has come back.
            self._suspected.append(numbers)
        elif not isinstance(error, self._distributed.KilledWorker):
            raise error
        elif len(numbers) > 1:
            self._suspected += [[number] for number in numbers]
        else:
            self._keep([_died(self._study, numbers[0])])

    def _check_workers(self) -> None:
        if self._workers():
            self._heard_s = time.monotonic()
        elif time.monotonic() - self._heard_s > _WORKER_S:
            raise self._no_worker()

    def _no_worker(self) -> OSError:
        return OSError(f"no Dask worker has been connected for {_WORKER_S:g} s; finished points are kept")


def _answer(ask: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """Call the function `ask` in another thread and return its answer, or give up if none arrives in time.

    Raises:
        OSError: No answer arrives in time.
    """
    found: list[Any] = []

    def wait() -> None:
        try:
            found.append((ask(*given, **named), None))
        except BaseException as error:
            found.append((None, error))

    asking = threading.Thread(target=wait, daemon=True)
    asking.start()
    asking.join(_FROZEN_S)
    if not found:
        raise OSError(f"the Dask scheduler has not answered for {_FROZEN_S:g} s; finished points are kept")
    answer, error = found[0]
    if error is not None:
        raise error
    return answer


def _rows(study: Study, numbers: Sequence[int], classes: Sequence[str]) -> tuple[list[Row], float]:
    """Run points on a worker; return their rows, and the time in seconds that all points took together.

    Raises:
        OSError: The worker lacks the file of a custom class of devices or policies.
    """
    begun_s = time.monotonic()
    for text in classes:
        load_own(text)
    evaluator = _evaluator(study)
    return [evaluator.row(number) for number in numbers], time.monotonic() - begun_s


#: Evaluator of the study on this worker, which is kept because it holds data that several points share.
_AT_WORK: list[Evaluator] = []


def _evaluator(study: Study) -> Evaluator:
    if not _AT_WORK or _AT_WORK[0].study is not study:
        _AT_WORK[:] = [Evaluator(study)]
    return _AT_WORK[0]


def _died(study: Study, number: int) -> Row:
    """Return the row of a failed point: a point during which every worker process died."""
    evaluator = Evaluator(study)
    point = evaluator.study.point(number)
    return {
        "key": evaluator.key_of(number),
        "number": number,
        "status": FAILED,
        "point": point.coordinates(),
        "figures": {},
        "half_widths": {},
        "replications": 0,
        "is_precise": None,
        "error": f"{_DEATHS + 1} workers died while they ran this point, for instance for lack of memory",
        "cpu_s": 0.0,
        "host": "",
        "version": _native.__version__,
    }


def _version() -> str:
    """Return the version of sledsim that runs this function; a worker calls it by its name."""
    return _native.__version__


def _load() -> Any:
    try:
        import distributed
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "several processes need dask.distributed: pip install 'sledsim[cluster]'", name=error.name
        ) from None
    return distributed


def _quietly(left: ExitStack) -> None:
    """Silence the log messages and warnings of Dask about workers that join and leave.

    Rows and errors of sledsim report all that matters to the user.
    """
    import logging
    import warnings

    import dask

    left.enter_context(warnings.catch_warnings())
    warnings.simplefilter("ignore")

    left.enter_context(
        dask.config.set(
            {
                "distributed.scheduler.allowed-failures": _DEATHS,
                "distributed.comm.timeouts.connect": f"{_CONNECT_S:g}s",
            }
        )
    )
    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    left.callback(logger.setLevel, before)


@contextmanager
def _deaf_children() -> Iterator[None]:
    """Let processes that start inside this block ignore Ctrl-C: the main process handles it and ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _close(one: Any) -> None:
    """Close a client or a cluster within a limited time, because closing may hang."""
    with suppress(Exception):
        one.close(timeout=_CLOSE_S)


LOCAL = Executor("local", "local:N", "N processes of this machine; needs sledsim[cluster]", run_local)
DASK = Executor(
    "dask", "dask://HOST:PORT", "the workers of a Dask scheduler; needs sledsim[cluster]", run_dask
)
