"""Processes of this machine or of a cluster, through dask.distributed (``sledsim[cluster]``).

What is asked for, with the requests of its traces, goes to every worker once; a task is the numbers of some
points, which take about a second together. A worker that dies loses its task, which another one is given. A
task that has cost several workers their lives is cut into points, and a point that does so alone has a row
that says so.
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

#: About so many seconds a task is to take.
_TASK_S = 1.0
#: Points of the first tasks, of which it is not known how long they take, and of any task.
_FIRST, _MOST = 1, 500
#: Tasks that a worker has at once: while one runs the next is on its way.
_TASKS_EACH = 2
#: Seconds to wait for a scheduler, for a worker where there is none, and for an end.
_CONNECT_S, _WORKER_S, _CLOSE_S = 10.0, 60.0, 10.0
#: Seconds without any answer after which a scheduler is not waited for.
_FROZEN_S = 90.0
#: So many workers may die under one task before it is suspected.
_DEATHS = 3
#: How often the client looks up from waiting.
_TICK_S = 0.5


def run_local(work: Work, keep: Keep, where: str) -> None:
    """Run the points in processes of this machine.

    Raises:
        ParameterError: `where` is no number of processes.
        ModuleNotFoundError: dask.distributed is not installed.
        OSError: The processes do not come up.
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
                f"on = 'local:{where}': the processes do not come up ({error}); in a script of your own such"
                " calls stand below: if __name__ == '__main__':"
            ) from None
        left.callback(_close, cluster)
        _run(distributed, cluster, work, keep)


def run_dask(work: Work, keep: Keep, where: str) -> None:
    """Run the points by the workers of a scheduler that runs already.

    Raises:
        ParameterError: `where` is no address.
        ModuleNotFoundError: dask.distributed is not installed.
        OSError: There is no scheduler, or it has no workers, or these have another version of sledsim.
    """
    distributed = _load()
    if ":" not in where:
        raise _native.ParameterError(
            f"on = 'dask://{where}': expected dask://HOST:PORT, as dask://localhost:8786"
        )
    with ExitStack() as left:
        _quietly(left)
        _run(distributed, f"tcp://{where}", work, keep)


def _run(distributed: Any, cluster: Any, work: Work, keep: Keep) -> None:
    try:
        client = distributed.Client(cluster, timeout=_CONNECT_S, set_as_default=False)
    except (OSError, distributed.TimeoutError) as error:
        raise OSError(f"{cluster}: no scheduler answers within {_CONNECT_S:g} s: {error}") from None
    with ExitStack() as left:
        left.callback(_close, client)
        try:
            client.wait_for_workers(1, timeout=_WORKER_S)
        except distributed.TimeoutError:
            raise OSError(
                f"no worker within {_WORKER_S:g} s: start some with 'dask worker ADDRESS'"
            ) from None
        _check_versions(client)
        try:
            with client.as_current():
                _Tasks(distributed, client, work.study, work.numbers, keep).run()
        except distributed.comm.CommClosedError as error:
            raise OSError(f"the scheduler of dask is gone; what is done is kept ({error})") from None


def _check_versions(client: Any) -> None:
    try:
        found = set(_answer(client.run, _version).values()) - {_native.__version__}
    except (ImportError, AttributeError) as error:
        raise OSError(f"expected workers with sledsim {_native.__version__}: {error}") from None
    if found:
        raise OSError(
            f"expected workers with sledsim {_native.__version__}, found {', '.join(sorted(found))}"
        )


class _Tasks:
    """The tasks of a study, on their way and to come."""

    def __init__(
        self, distributed: Any, client: Any, study: Study, numbers: Sequence[int], keep: Keep
    ) -> None:
        self._distributed, self._client, self._keep = distributed, client, keep
        self._study = study
        #: The study where the workers have it; None where it is to be sent.
        self._sent: Any = None
        self._numbers = iter(numbers)
        self._classes = loaded()
        self._suspected: list[list[int]] = []
        self._under_way: dict[Any, list[int]] = {}
        self._points_a_task = _FIRST
        self._heard_s = time.monotonic()

    def run(self) -> None:
        """Run them all."""
        while self._submit() or self._under_way:
            try:
                self._distributed.wait(list(self._under_way), timeout=_TICK_S, return_when="FIRST_COMPLETED")
            except self._distributed.TimeoutError:
                self._check_workers()
                continue
            except CancelledError:
                pass  # Which of them, they say themselves.
            self._heard_s = time.monotonic()
            for task in [one for one in self._under_way if one.done()]:
                self._take(task, self._under_way.pop(task))

    def _submit(self) -> int:
        """Let every worker have its tasks; how many have been added."""
        added = 0
        wanted = _TASKS_EACH * max(1, self._workers())
        while len(self._under_way) < wanted and (numbers := self._next()):
            task = self._client.submit(_rows, self._sent_study(), numbers, self._classes, pure=False)
            self._under_way[task] = numbers
            added += 1
        return added

    def _sent_study(self) -> Any:
        """The study where the workers have it.

        Raises:
            OSError: There is no worker.
        """
        if self._sent is None:
            try:
                self._sent = _answer(
                    self._client.scatter, self._study, broadcast=True, hash=False, timeout=_WORKER_S
                )
            except self._distributed.TimeoutError:
                raise self._nobody() from None
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
        elif status == "pending":  # Its worker went after it was done: it is on its way again.
            self._under_way[task] = numbers
        elif status in ("cancelled", "lost") or (result := self._result(task)) is None:
            # Its data went with a worker, or a scheduler's restart, and the study perhaps, too.
            self._suspected.append(numbers)
            self._sent = None
        else:
            rows, took_s = result
            self._keep(rows)
            if len(numbers) >= self._points_a_task:
                # No more than twice as many as before: the next points may take longer.
                fitting = int(_TASK_S / max(took_s / len(numbers), 1e-6))
                self._points_a_task = max(1, min(fitting, 2 * self._points_a_task, _MOST))

    def _result(self, task: Any) -> tuple[list[Row], float] | None:
        """What a task that was done has to say; None where its worker has gone in the meantime."""
        try:
            result: tuple[list[Row], float] = task.result(timeout=_CLOSE_S)
        except (self._distributed.CancelledError, self._distributed.TimeoutError):
            return None
        return result

    def _failed(self, error: BaseException | None, numbers: list[int]) -> None:
        """Run again what ended a worker, each point by itself; raise what is not a worker's end."""
        if error is None:  # It is no longer so: its worker has come back.
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
            raise self._nobody()

    def _nobody(self) -> OSError:
        return OSError(f"no worker has been there for {_WORKER_S:g} s; what is done is kept")


def _answer(ask: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """What a scheduler answers, which is waited for in a thread that is left where it is frozen.

    Raises:
        OSError: There is none in time.
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
        raise OSError(f"the scheduler of dask has not answered for {_FROZEN_S:g} s; what is done is kept")
    answer, error = found[0]
    if error is not None:
        raise error
    return answer


def _rows(study: Study, numbers: Sequence[int], classes: Sequence[str]) -> tuple[list[Row], float]:
    """The rows of some points, and how many seconds they took: what a worker does.

    Raises:
        OSError: The worker has no file of a class of devices or of a policy.
    """
    begun_s = time.monotonic()
    for text in classes:
        load_own(text)
    evaluator = _evaluator(study)
    return [evaluator.row(number) for number in numbers], time.monotonic() - begun_s


#: Of a worker: the study that it works on, so that what points share is made once.
_AT_WORK: list[Evaluator] = []


def _evaluator(study: Study) -> Evaluator:
    if not _AT_WORK or _AT_WORK[0].study is not study:
        _AT_WORK[:] = [Evaluator(study)]
    return _AT_WORK[0]


def _died(study: Study, number: int) -> Row:
    """The row of a point that ends every process in which it is run."""
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
        "error": f"{_DEATHS + 1} workers died while they ran it: of too little memory, for instance",
        "cpu_s": 0.0,
        "host": "",
        "version": _native.__version__,
    }


def _version() -> str:
    """The version of a worker, where this function is looked up by its name."""
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
    """Say nothing of workers that come and go: what matters is said by a row or an error."""
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
    """What is started in the block does not hear Ctrl-C: this process does, and ends the others."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _close(one: Any) -> None:
    """End a client or a cluster, which sometimes does not end by itself."""
    with suppress(Exception):
        one.close(timeout=_CLOSE_S)


LOCAL = Executor("local", "local:N", "N processes of this machine; needs sledsim[cluster]", run_local)
DASK = Executor(
    "dask", "dask://HOST:PORT", "the workers of a dask scheduler; needs sledsim[cluster]", run_dask
)
