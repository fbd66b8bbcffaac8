"""Running the tests of one mutant."""

import os
import re
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .table import REACHED, SWITCH, MismatchError

#: Seconds above the duration of any tests that are named together: longer tests do not end.
LONGEST_S = 600
#: Seconds that a test may take with a mutant on, besides five times its time without one.
LEAST_S = 20
#: Property tests draw the same cases each time; a failure is enough, and its smallest case is not needed.
SETTINGS = {"PROPTEST_RNG_SEED": "1", "PROPTEST_MAX_SHRINK_ITERS": "0", "RUST_BACKTRACE": "0"}


@dataclass(frozen=True)
class Tests:
    """Results of tests: their number, the failures, and their time."""

    count: int
    failed: list[str]
    took_s: float


@dataclass(frozen=True)
class Reach:
    """A test, with the mutants that it reaches and its time without any of them."""

    program: Path
    name: str
    numbers: frozenset[int]
    took_s: float


def reach(program: Path, folder: Path) -> list[Reach]:
    """Return the mutants that each test of a program reaches; it cannot find any other.

    Raises:
        MismatchError: If a test fails without any mutant.
    """
    command = [str(program), "--list", "--format=terse"]
    listed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    names = re.findall(r"^(\S+): test$", listed.stdout, re.MULTILINE)

    def one(name: str) -> Reach:
        with tempfile.TemporaryDirectory() as own:
            told = Path(own, "reached")
            begun = time.monotonic()
            if (code := _code(program, folder, name, {REACHED: str(told)}, LONGEST_S)) != 0:
                raise MismatchError(f"{program.name}: without any mutant {name} ends with {code}")
            numbers = told.read_text().split() if told.exists() else ()
            return Reach(program, name, frozenset(map(int, numbers)), time.monotonic() - begun)

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        return list(threads.map(one, names))


def finds(tests: Sequence[Reach], folder: Path, number: int) -> str:
    """Return a test that fails with a mutant on, trying quick tests first; empty if none does."""
    reaching = sorted((one for one in tests if number in one.numbers), key=lambda one: one.took_s)
    found = threading.Event()

    def fails(test: Reach) -> str:
        if found.is_set():
            return ""
        code = _code(test.program, folder, test.name, {SWITCH: str(number)}, LEAST_S + 5 * test.took_s)
        if code == 0:
            return ""
        found.set()
        return test.name if code is not None else f"{test.name} (it does not end)"

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        return next((name for name in list(threads.map(fails, reaching)) if name), "")


def _code(program: Path, folder: Path, name: str, switches: dict[str, str], longest_s: float) -> int | None:
    """Return the exit status of a process with one test; None if it does not end."""
    with subprocess.Popen(
        [program, "--exact", name],
        cwd=folder / "crates/sledsim",
        env=os.environ | SETTINGS | switches,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        try:
            return process.wait(longest_s)
        except subprocess.TimeoutExpired:
            return None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def run(program: Path, folder: Path, names: Sequence[str], number: int) -> Tests:
    """Run the tests of a program with one of these in their names, with a mutant on; 0 is no mutant."""
    begun = time.monotonic()
    env = os.environ | SETTINGS | {SWITCH: str(number)}
    try:
        done = subprocess.run(
            [str(program), *names],
            cwd=folder / "crates/sledsim",
            env=env,
            timeout=LONGEST_S,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Tests(1, ["(they do not end)"], time.monotonic() - begun)
    count = sum(int(found) for found in re.findall(r"^running (\d+) tests?$", done.stdout, re.MULTILINE))
    failed = re.findall(r"^test (\S+).* \.\.\. FAILED$", done.stdout, re.MULTILINE)
    if done.returncode and not failed:
        failed = [f"(the program ends with {done.returncode})"]
    return Tests(count, failed, time.monotonic() - begun)
