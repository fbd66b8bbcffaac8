"""Running the tests of one mutant."""

import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .table import SWITCH

#: Longer than any tests that are named together: what takes longer does not end.
LONGEST_S = 600
#: Property tests draw the same cases each time; that one fails is enough, whatever the smallest is that does.
SETTINGS = {"PROPTEST_RNG_SEED": "1", "PROPTEST_MAX_SHRINK_ITERS": "0", "RUST_BACKTRACE": "0"}


@dataclass(frozen=True)
class Tests:
    """What came of tests: how many there were, which failed, and how long they took."""

    count: int
    failed: list[str]
    took_s: float


def finds(program: Path, folder: Path, number: int, longest_s: float) -> str:
    """The first test of a program that fails with a mutant on; empty if none does."""
    env = os.environ | SETTINGS | {SWITCH: str(number)}
    with subprocess.Popen(
        [program],
        **{"cwd": folder / "crates/sledsim", "env": env, "text": True, "start_new_session": True},
        **{"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL},
    ) as process:
        alarm = threading.Timer(longest_s, lambda: os.killpg(process.pid, signal.SIGKILL))
        alarm.start()
        try:
            for line in process.stdout or ():
                if found := re.match(r"test (\S+).* \.\.\. FAILED$", line):
                    return found[1]
            if process.wait() == 0:
                return ""
            return "(they do not end)" if not alarm.is_alive() else f"(it ends with {process.returncode})"
        finally:
            alarm.cancel()
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def run(program: Path, folder: Path, names: Sequence[str], number: int) -> Tests:
    """Runs the tests of a program whose names have one of these in them, with a mutant on; 0: with none."""
    begun = time.monotonic()
    env = os.environ | SETTINGS | {SWITCH: str(number)}
    try:
        done = subprocess.run(
            [program, *names],
            **{"cwd": folder / "crates/sledsim", "env": env, "timeout": LONGEST_S},
            **{"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True, "check": False},
        )
    except subprocess.TimeoutExpired:
        return Tests(1, ["(they do not end)"], time.monotonic() - begun)
    count = sum(int(found) for found in re.findall(r"^running (\d+) tests?$", done.stdout, re.MULTILINE))
    failed = re.findall(r"^test (\S+).* \.\.\. FAILED$", done.stdout, re.MULTILINE)
    if done.returncode and not failed:
        failed = [f"(the program ends with {done.returncode})"]
    return Tests(count, failed, time.monotonic() - begun)
