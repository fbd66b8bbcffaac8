"""SIGTERM and SIGHUP end a command as Ctrl-C does: nothing is left, and the status names the signal."""

import fcntl
import os
import pty
import signal
import subprocess
import sys
import termios
import time
from contextlib import suppress
from pathlib import Path

import pytest

from ..conftest import leftovers
from .interrupting import (
    COMMANDS,
    ENDED_AFTER_S,
    ENDLESS,
    GIVEN_UP_AFTER_S,
    HALF_WRITTEN,
    NEEDS_PROC,
    PROGRAM,
    SAID,
    UNDER_WAY_S,
    begun,
    has_begun,
    heed,
    interrupt,
    processor_s,
    works,
)

pytestmark = NEEDS_PROC
ENDING = [signal.SIGTERM, signal.SIGHUP]


@pytest.mark.dear("a program is started and interrupted at its work", every_change="designs-1")
@pytest.mark.parametrize("number", ENDING)
@pytest.mark.parametrize(
    "name", ["simulates", "writes on the way", "converts", "writes Parquet", "draws curves", "designs"]
)
def test_other_signals_end_as_control_c_does(name: str, number: int, tmp_path: Path) -> None:
    words = [PROGRAM, *COMMANDS[name].split()]
    status, errors, took_s = interrupt(words, tmp_path, begun(name, tmp_path), ENDLESS, number)
    assert (status, errors) == (128 + number, SAID.get(name, ""))
    assert took_s < ENDED_AFTER_S
    assert [left for left in leftovers(tmp_path) if left.startswith((".", "x.", "run."))] == []


@pytest.mark.dear("a program is started and interrupted at its work", every_change=True)
@pytest.mark.parametrize("number", ENDING)
def test_other_signals_end_a_step_that_holds_python(number: int, tmp_path: Path) -> None:
    status, errors, _ = interrupt(HALF_WRITTEN, tmp_path, has_begun(tmp_path), number=number)
    assert (status, errors, leftovers(tmp_path)) == (128 + number, "", ["begun"])


@pytest.mark.dear("a program is started and interrupted at its work")
def test_a_signal_that_is_ignored_stays_so(tmp_path: Path) -> None:
    """A command under nohup goes on after SIGHUP, and the next signal ends it."""
    code = "import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN); "
    code += "os.execv(sys.argv[1], sys.argv[1:])"
    words = [sys.executable, "-c", code, PROGRAM, *COMMANDS["writes on the way"].split()]

    def goes_on(process: "subprocess.Popen[str]") -> bool:
        if not works(process):
            return False
        process.send_signal(signal.SIGHUP)
        return processor_s(process) > 2 * UNDER_WAY_S

    assert interrupt(words, tmp_path, goes_on, number=signal.SIGTERM)[:2] == (128 + signal.SIGTERM, "")
    assert leftovers(tmp_path) == []


def has_something(folder: Path) -> bool:
    """True if a file has content; a file that only tests whether writing is possible disappears."""
    with suppress(FileNotFoundError):
        return any(path.stat().st_size for path in folder.iterdir())
    return False


@pytest.mark.dear("a program is started and interrupted at its work")
def test_the_end_of_a_terminal_ends_what_is_shown_there(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()

    def lead() -> None:
        """Make the terminal that of a new session."""
        heed()
        os.setsid()
        fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)

    words = [PROGRAM, *COMMANDS["writes on the way"].split()]
    streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    with subprocess.Popen(words, cwd=tmp_path, preexec_fn=lead, text=True, **streams) as process:
        try:
            os.close(theirs)
            while not has_something(tmp_path):
                assert process.poll() is None
                time.sleep(0.01)
            os.close(ours)
            assert process.wait(GIVEN_UP_AFTER_S) == 128 + signal.SIGHUP
        finally:
            process.kill()
    assert leftovers(tmp_path) == []
