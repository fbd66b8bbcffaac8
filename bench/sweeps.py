"""Measure the overhead of a sweep, and the losses of a sweep that is killed.

python bench/sweeps.py [POINTS [KILLS]]: the overhead on 20 ms points; POINTS tiny ones (20,000); and a
process and the workers of a cluster, each killed KILLS times (10) at random times.
"""

import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import sledsim
from sledsim.exploration import ledger_table
from sledsim.exploration.evaluation import Evaluator
from sledsim.exploration.study_points import Study
from sledsim.exploration.subjects import Requests, Subject
from sledsim.exploration.sweeping import run_study
from sledsim.ledger import Contents
from sledsim.runs.workers import Workers

THREADS = 2
#: Number of requests of a point of about 20 ms.
LONG = 12_000
#: Program of the sweep to kill: points of some milliseconds, each logged at its start.
KILLED = """
import os, sys
import sledsim
from sledsim.exploration.evaluation import Evaluator

log = os.open(os.environ["BEGUN"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
run_one = Evaluator.row

def logged(self, number):
    os.write(log, b"%d\\n" % number)
    return run_one(self, number)

Evaluator.row = logged

if __name__ == "__main__":
    sledsim.sweep(
        "random:rate=900,count=2000", "osdi00", ["fcfs", "sptf"], folder=sys.argv[1], on=sys.argv[2] or None,
        over={"settle_ms": "0.1:0.299:0.001", "active_tips": [320, 640, 1280, 2560, 3200]}, replications=1,
        workers=2,
    )
"""
POINTS_KILLED = 2000


def study(points: int, count: int) -> Study:
    """Return a study with this number of points, of two policies, each of one run of `count` requests."""
    settles = [round(0.1 + 0.3 * at / points, 9) for at in range(points // 2)]
    over: dict[str, Any] = {"settle_ms": settles}
    requests = [Requests.of(f"random:rate=900,count={count}")]
    return Study([Subject.of("osdi00")], requests, over, ["fcfs", "sptf"], replications=1)


def overhead() -> None:
    """Compare a sweep with the same points without a ledger, alternating, in two threads each."""
    asked = study(200, LONG)

    def bare() -> float:
        begun = time.perf_counter()
        evaluators = [Evaluator(asked) for _ in range(THREADS)]

        def half(which: int) -> None:
            for number in range(which, len(asked), THREADS):
                point = asked.point(number)
                evaluators[which]._measure(point, point.subject.with_changes(point.changes))

        with Workers(THREADS) as pool:
            list(pool.each(half, range(THREADS)))
        return time.perf_counter() - begun

    def swept() -> float:
        with tempfile.TemporaryDirectory() as folder:
            begun = time.perf_counter()
            run_study(asked, folder, workers=THREADS)
            return time.perf_counter() - begun

    pairs = [(bare(), swept()) for _ in range(7)]
    ratios = [with_ledger / alone for alone, with_ledger in pairs]
    a_point_ms = median(alone for alone, _ in pairs) * THREADS / len(asked) * 1e3
    print(f"overhead of a sweep at {a_point_ms:.1f} ms a point: {median(ratios) - 1:+.1%}", flush=True)


def many(points: int) -> None:
    """Run tiny points and make their table."""
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        found = run_study(study(points, 200), folder, workers=THREADS)
        took_s = time.perf_counter() - begun
        begun = time.perf_counter()
        rows = ledger_table.write(found.contents, Path(folder) / "table.parquet")
        table_s = time.perf_counter() - begun
        begun = time.perf_counter()
        again = run_study(study(points, 200), folder, workers=THREADS)
        again_s = time.perf_counter() - begun
        assert again.done == rows == points
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{points:,} points of 200 requests: {took_s:.0f} s, {took_s / points * 1e3:.2f} ms each; their table"
        f" {table_s:.1f} s; the same call again {again_s:.1f} s; at most {peak_mb:.0f} MB",
        flush=True,
    )


def kills(times: int, on: str) -> None:
    """Compare a sweep that is killed repeatedly, or whose workers are, with an undisturbed one."""
    draw = random.Random(times)
    with tempfile.TemporaryDirectory() as undisturbed, tempfile.TemporaryDirectory() as folder:
        script, log = Path(undisturbed) / "killed.py", Path(undisturbed) / "begun"
        script.write_text(KILLED)
        words = [sys.executable, str(script)]
        told = {**os.environ, "BEGUN": str(log)}
        begun = time.perf_counter()
        subprocess.run([*words, undisturbed, on], check=True, env=told)
        alone_s = time.perf_counter() - begun
        killed = rounds = again = 0
        while killed < times:
            for path in Path(folder).iterdir():
                path.unlink()
            log.unlink()
            rows, rounds = 0, rounds + 1
            while rows < POINTS_KILLED:
                with subprocess.Popen([*words, folder, on], stderr=subprocess.DEVNULL, env=told) as process:
                    while process.poll() is None:
                        time.sleep(draw.uniform(0.5, 0.5 + alone_s / 3))
                        if process.poll() is None and killed < times:
                            killed += _kill(process, on, draw)
                contents = Contents.of([folder])
                assert len(contents.places) >= rows, "rows are lost"
                rows = len(contents.places)
            lines = sum(path.read_bytes().count(b'"figures"') for path in Path(folder).glob("*.ledger"))
            assert lines == rows, "rows are there twice"
            assert _table(folder) == _table(undisturbed)
            again += len(log.read_text().split()) - rows
        print(
            f"{on or 'threads'}: killed {killed} times in {rounds} sweeps of {POINTS_KILLED:,} points: no row"
            f" lost, no row twice, {again / killed:.1f} points repeated per kill; tables of the same bytes"
            " as of an undisturbed one",
            flush=True,
        )


def _kill(process: "subprocess.Popen[bytes]", on: str, draw: random.Random) -> int:
    """Kill the process, or a worker of a cluster; return the number of kills."""
    if not on:
        process.kill()
        return 1
    ask = ["pgrep", "-f", "multiprocessing.spawn", "-P", str(process.pid)]
    found = subprocess.run(ask, capture_output=True, text=True, check=False).stdout.split()
    if not found:
        return 0
    done = subprocess.run(["kill", "-9", draw.choice(found)], check=False, stderr=subprocess.DEVNULL)
    return int(done.returncode == 0)


def _table(folder: str) -> bytes:
    path = Path(folder) / "table.csv"
    ledger_table.write(Contents.of([folder]), path)
    return path.read_bytes()


def main() -> None:
    """Print all measurements."""
    given = [*map(int, sys.argv[1:])]
    points, times = [*given, *(20_000, 10)[len(given) :]]
    print(f"sledsim {sledsim.__version__}")
    overhead()
    many(points)
    kills(times, "")
    kills(times, "local:2")


if __name__ == "__main__":
    main()
