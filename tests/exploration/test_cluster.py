"""A user's cluster of dask: workers die, and then its scheduler."""

import concurrent.futures
import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from sledsim.exploration.executors import cluster
from sledsim.exploration.executors.cluster import _Tasks
from sledsim.ledger import Contents

from .test_sweep import ask, bytes_of


def start(*words: str | Path) -> "subprocess.Popen[bytes]":
    program = Path(sys.executable).with_name("dask")
    return subprocess.Popen([program, *words], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


@pytest.mark.dear("a cluster is started and killed")
def test_a_cluster_loses_workers_and_then_its_scheduler(tmp_path: Path) -> None:
    """A cluster with its own scheduler: a worker is killed, later the scheduler, and no study hangs."""
    pytest.importorskip("distributed", reason="needs sledsim[cluster]")
    address = tmp_path / "scheduler.json"
    file = ("--scheduler-file", address, "--no-dashboard")
    with start("scheduler", "--host", "127.0.0.1", "--port", "0", *file) as scheduler:
        workers = [start("worker", *file, "--nthreads", "1", "--no-nanny") for _ in range(2)]
        try:
            while not address.exists() or not address.read_text().endswith("}"):
                time.sleep(0.05)
            where = json.loads(address.read_text())["address"].replace("tcp", "dask")

            def lose(done: int) -> None:
                if done >= 3:
                    workers[0].kill()

            ask(tmp_path / "out", on=where, progress=lose)
            ask(tmp_path / "alone")
            assert bytes_of(tmp_path / "out") == bytes_of(tmp_path / "alone")

            def end(done: int) -> None:
                if done >= 30:
                    scheduler.kill()

            with pytest.raises(OSError, match=r"the Dask scheduler is gone; finished points are kept"):
                ask(tmp_path / "out", on=where, over={"settle_ms": "0.1:0.3:0.001"}, progress=end)
            assert len(Contents.of([tmp_path / "out"]).places) >= 30
        finally:
            for process in (scheduler, *workers):
                process.kill()
                process.wait()


@pytest.mark.dear("a cluster is started and killed")
def test_processes_of_this_machine_listen_on_the_loopback_alone(tmp_path: Path) -> None:
    psutil = pytest.importorskip("psutil", reason="needs sledsim[cluster], which brings it")
    pytest.importorskip("distributed", reason="needs sledsim[cluster]")
    found: set[str] = set()

    def look(done: object) -> None:
        this = psutil.Process()
        for process in (this, *this.children(recursive=True)):
            sockets = process.net_connections("tcp")
            found.update(socket.laddr.ip for socket in sockets if socket.status == psutil.CONN_LISTEN)

    ask(tmp_path / "out", on="local:1", progress=look)
    assert found == {"127.0.0.1"}


class Told:
    """A task with a list of statuses that its scheduler reports in turn."""

    def __init__(self, *told: object, numbers: list[int]) -> None:
        self.told, self.numbers = [*told], numbers

    @property
    def status(self) -> str:
        return str(self.told[0] if isinstance(self.told[0], str) else "finished")

    def done(self) -> bool:
        return self.status != "pending"

    def result(self, timeout: float) -> tuple[list[object], float]:
        if isinstance(self.told[0], Exception):
            raise self.told[0]
        return [*self.numbers], 0.001

    def exception(self, timeout: float) -> BaseException | None:
        return None


class Scheduler:
    """The parts of dask and of a client that `_Tasks` uses; its first tasks get the given statuses."""

    class KilledWorker(Exception):  # noqa: N818
        """The error of dask with this name."""

    CancelledError, TimeoutError = concurrent.futures.CancelledError, TimeoutError

    def __init__(self, *stories: tuple[object, ...]) -> None:
        self.stories = [*stories]
        self.sent = 0

    def nthreads(self) -> dict[str, int]:
        return {"worker": 1}

    def scatter(self, study: object, broadcast: bool, hash: bool, timeout: float) -> int:
        self.sent += 1
        return self.sent

    def submit(self, function: object, study: object, numbers: list[int], *_: object, pure: bool) -> Told:
        return Told(*(self.stories.pop(0) if self.stories else ("finished",)), numbers=numbers)

    def wait(self, tasks: list[Told], timeout: float, return_when: str) -> tuple[list[Told], list[Told]]:
        for task in tasks:
            if len(task.told) > 1:
                task.told.pop(0)
        if any(task.status == "cancelled" for task in tasks):
            raise concurrent.futures.CancelledError
        return tasks, []


def test_tasks_whose_worker_goes_when_they_are_done_are_run_again() -> None:
    """A finished task can lose its rows before they are fetched; each point is still kept once."""
    stories: list[tuple[object, ...]] = [
        ("finished", "pending", "finished"),
        ("finished", "cancelled"),
        ("finished", "lost"),
        ("finished", concurrent.futures.CancelledError()),
        ("finished", TimeoutError()),
        ("finished", "error"),  # Once its rows are fetched, the task is no longer finished.
    ]
    kept: list[object] = []
    scheduler = Scheduler(*stories)
    _Tasks(scheduler, scheduler, None, range(40), kept.extend).run()  # type: ignore[arg-type]
    assert sorted(kept, key=str) == sorted(range(40), key=str)
    assert scheduler.sent > 1, "the study may have gone with the worker, too"


@pytest.mark.dear("a cluster is started and killed")
def test_workers_that_all_go_at_once_cost_no_study(tmp_path: Path) -> None:
    """The study stops with the last worker, and is sent to the workers that come."""
    pytest.importorskip("distributed", reason="needs sledsim[cluster]")
    address = tmp_path / "scheduler.json"
    file = ("--scheduler-file", address, "--no-dashboard")
    worker = ("worker", *file, "--nthreads", "1", "--no-nanny")
    with start("scheduler", "--host", "127.0.0.1", "--port", "0", *file) as scheduler:
        workers = [start(*worker)]
        try:
            while not address.exists() or not address.read_text().endswith("}"):
                time.sleep(0.05)

            def lose(done: int) -> None:
                if done >= 3 and len(workers) == 1:
                    workers[0].kill()
                    workers.append(start(*worker))

            ask(
                tmp_path / "out",
                on=json.loads(address.read_text())["address"].replace("tcp", "dask"),
                progress=lose,
            )
            ask(tmp_path / "alone")
            assert len(workers) == 2 and bytes_of(tmp_path / "out") == bytes_of(tmp_path / "alone")
        finally:
            for process in (scheduler, *workers):
                process.kill()
                process.wait()


def test_a_scheduler_that_is_frozen_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_FROZEN_S", 0.1)
    never = threading.Event()
    with pytest.raises(OSError, match=r"has not answered for 0.1 s; finished points are kept"):
        cluster._answer(never.wait)
    never.set()
    monkeypatch.undo()
    assert cluster._answer(lambda: 7) == 7
    with pytest.raises(ValueError, match="why"):
        cluster._answer(lambda: (_ for _ in ()).throw(ValueError("why")))
