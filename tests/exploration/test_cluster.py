"""A cluster of dask of one's own: workers die, and then its scheduler."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sledsim.ledger import Contents

from .test_sweep import ask, bytes_of


def start(*words: str | Path) -> "subprocess.Popen[bytes]":
    program = Path(sys.executable).with_name("dask")
    return subprocess.Popen([program, *words], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def test_a_cluster_loses_workers_and_then_its_scheduler(tmp_path: Path) -> None:
    """A scheduler of its own, of which a worker is killed; later it is killed itself, which is no hang."""
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

            with pytest.raises(OSError, match=r"the scheduler of dask is gone; what is done is kept"):
                ask(tmp_path / "out", on=where, over={"settle_ms": "0.1:0.3:0.001"}, progress=end)
            assert len(Contents.of([tmp_path / "out"]).places) >= 30
        finally:
            for process in (scheduler, *workers):
                process.kill()
                process.wait()
