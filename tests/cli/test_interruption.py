"""Ctrl-C in every long command: it ends soon with status 130, without a traceback or leftovers."""

import os
import pty
import random
import shlex
import signal
import subprocess
import sys
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
    INTERRUPTED,
    KEPT,
    NEEDS_PROC,
    NOTHING_YET,
    PROGRAM,
    SAID,
    STEP,
    begun,
    has_begun,
    heed,
    interrupt,
    listening,
    processor_s,
    wait_for,
    works,
)

pytestmark = NEEDS_PROC
#: Most seconds that Python may take to end by itself; a calm machine needs less.
PATIENCE_S = 0.35


@pytest.mark.dear("a program is started and interrupted at its work", every_change="designs")
@pytest.mark.parametrize("name", COMMANDS)
def test_control_c_ends_every_long_command(name: str, tmp_path: Path) -> None:
    words = [PROGRAM, *COMMANDS[name].split()]
    status, errors, took_s = interrupt(words, tmp_path, begun(name, tmp_path), ENDLESS)
    assert (status, errors) == (INTERRUPTED, SAID.get(name, ""))
    assert took_s < ENDED_AFTER_S
    # Only the files that were complete before stay.
    assert [left for left in leftovers(tmp_path) if left.startswith((".", "x.", "run."))] == []


@pytest.mark.dear("a program with processes of its own is interrupted", every_change=True)
def test_control_c_leaves_no_process_of_a_command_behind(tmp_path: Path) -> None:
    """Processes of a command that starts several once waited for each other, and stayed forever."""
    words = [PROGRAM, "paper", "perturb", "003-E-1", "000-E-6", "--option", "metadata:rate=2", "--json"]
    with subprocess.Popen(
        words,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=heed,
        start_new_session=True,
    ) as process:
        while len(alive(process.pid)) < 3:
            assert process.poll() is None
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(GIVEN_UP_AFTER_S) == INTERRUPTED
    begin = time.monotonic()
    while left := alive(process.pid):
        assert time.monotonic() < begin + GIVEN_UP_AFTER_S, left
        time.sleep(0.01)


def alive(session: int) -> list[int]:
    """Return the processes of a session that still run."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[3]) == session and fields[0] != "Z":
                found.append(int(stat.parent.name))
    return found


def started(*code: str) -> "subprocess.CompletedProcess[str]":
    """Interrupt `sledsim list devices` before which this code runs, and return its outcome."""
    code = ("import os, signal, sys", *code, "sys.argv = ['sledsim', 'list', 'devices']")
    code += ("from sledsim.cli import main", "main()")
    words = [sys.executable, "-c", "\n".join(code)]
    return subprocess.run(words, capture_output=True, text=True, check=False, preexec_fn=heed)


@pytest.mark.parametrize(
    "module", ["sledsim.cli.interruption", "sledsim._native", "sledsim.cli.program", "typer", "rich.console"]
)
def test_control_c_ends_the_start_at_any_module(module: str) -> None:
    hook = "lambda event, told: event == 'import' and told[0] == name and os.kill(os.getpid(), signal.SIGINT)"
    done = started(f"name = {module!r}", f"sys.addaudithook({hook})")
    assert (done.returncode, done.stdout, done.stderr) == (INTERRUPTED, "", "")


def test_nothing_is_loaded_before_control_c_is_heard() -> None:
    code = "import importlib, signal, sys; known = set(sys.modules); import sledsim.cli; "
    code += "print(*sorted(set(sys.modules) - known))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "sledsim sledsim.cli sledsim.moved sledsim.public\n"


@pytest.mark.dear("a program is started and interrupted at its work", every_change=True)
def test_control_c_at_the_end_comes_too_late() -> None:
    done = started("import atexit", "atexit.register(os.kill, os.getpid(), signal.SIGINT)")
    assert (done.returncode, done.stderr) == (0, "") and "osdi00" in done.stdout


@pytest.mark.dear("a program is started and interrupted at its work")
@pytest.mark.parametrize("line", ["", "# " * 10_000])
def test_control_c_ends_the_reading_of_nothing(line: str, tmp_path: Path) -> None:
    """Standard input gives lines that make no request."""
    words = [PROGRAM, "trace", "info", "-", "--format", "disksim"]
    assert interrupt(words, tmp_path, works, line)[:2] == (INTERRUPTED, "")


def waits(process: "subprocess.Popen[str]") -> bool:
    """True if a process has done something, and each of its threads sleeps and goes on sleeping.

    A thread that waits for a processor does not count as asleep, however busy the machine is.
    """
    before_s = processor_s(process)
    for _ in range(15):
        time.sleep(0.02)
        if states(process) != {"S"}:
            return False
    return before_s > 0.05 and processor_s(process) == before_s


def states(process: "subprocess.Popen[str]") -> set[str]:
    """Return the states of a process's threads as letters of the kernel: S is asleep, R runs or could run."""
    files = Path(f"/proc/{process.pid}/task").glob("*/stat")
    with suppress(OSError):  # A thread may have ended in between.
        return {file.read_text().rpartition(")")[2].split()[0] for file in files}
    return set()


@pytest.mark.dear("a program is started and interrupted at its work", every_change="words0")
@pytest.mark.parametrize("words", [["trace", "info"], ["run"]])
def test_control_c_ends_the_waiting_for_a_pipe(words: list[str], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    status, errors, _ = interrupt([PROGRAM, *words, "./pipe"], tmp_path, waits)
    assert status == INTERRUPTED
    assert errors == "./pipe is a pipe: waiting for data\n"


@pytest.mark.dear("a program is started and interrupted at its work")
@pytest.mark.parametrize("words", [["show"], ["run", "demo", "--faults"]])
def test_control_c_ends_the_waiting_for_a_text(words: list[str], tmp_path: Path) -> None:
    command = ["bash", "-c", f"exec {shlex.join([str(PROGRAM), *words])} <(exec sleep 60 2>/dev/null)"]
    assert interrupt(command, tmp_path, waits)[:2] == (INTERRUPTED, "")


@pytest.mark.dear("a program is started and interrupted at its work")
def test_control_c_is_raised_in_python(tmp_path: Path) -> None:
    program = (
        "import sledsim\n"
        "try: sledsim.workload('random:rate=1,count=2000000000', sledsim.device('osdi00'))\n"
        "except KeyboardInterrupt: print('heard')"
    )
    status, errors, took_s = interrupt([sys.executable, "-c", program], tmp_path, works)
    assert (status, errors) == (0, "")
    assert took_s < ENDED_AFTER_S


#: Commands that end by themselves, and draw charts as pages and pictures after their work.
DRAWN = {
    "compares": "compare demo --schedulers sptf,fcfs --out out",
    "plots power": "run demo --power out",
    "describes": "trace info demo --out out",
    "loses data": "study data-loss --option count=20 --out out",
    "designs": "design demo --out out",
}


def of_children_s() -> float:
    used = os.times()
    return used.children_user + used.children_system


@pytest.mark.dear("a program is started and interrupted at its work")
@pytest.mark.parametrize("name", DRAWN)
def test_control_c_ends_work_and_drawing_at_any_moment(name: str, tmp_path: Path) -> None:
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    words = [PROGRAM, *DRAWN[name].split()]
    whole = tmp_path / "whole"
    whole.mkdir()
    before_s = of_children_s()
    subprocess.run(words, cwd=whole, check=True, capture_output=True)
    whole_s = of_children_s() - before_s
    draw = random.Random(name)
    for attempt in range(4):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        # The signal arrives while the first command draws: the table exists.
        moment_s = draw.uniform(0.2, 0.6) * whole_s if attempt else 0.0

        def is_there(
            process: "subprocess.Popen[str]", moment_s: float = moment_s, folder: Path = folder
        ) -> bool:
            return processor_s(process) > moment_s if moment_s else any(folder.rglob("*.csv"))

        status, errors, took_s = interrupt(words, folder, is_there)
        assert "Traceback" not in errors
        assert took_s < ENDED_AFTER_S, moment_s
        left = leftovers(folder)
        assert [name for name in left if name.startswith(".")] == []
        # A faster machine may have finished; then the command only ends.
        assert status == INTERRUPTED or left == leftovers(whole), f"{status} after {moment_s} s: {errors}"


@pytest.mark.dear("a program is started and interrupted at its work", every_change=True)
def test_control_c_ends_a_step_that_holds_python(tmp_path: Path) -> None:
    status, errors, took_s = interrupt(HALF_WRITTEN, tmp_path, has_begun(tmp_path))
    assert (status, errors, leftovers(tmp_path)) == (INTERRUPTED, "", ["begun"])
    assert took_s < ENDED_AFTER_S


def test_control_c_ends_who_has_heard_it_and_goes_on(tmp_path: Path) -> None:
    program = listening(
        "try:\n    begin()\n    while True: time.sleep(0.1)",
        "except KeyboardInterrupt: time.sleep(600)",
    )
    assert interrupt(program, tmp_path, has_begun(tmp_path))[:2] == (INTERRUPTED, "")


@pytest.mark.parametrize(("interrupts", "status"), [(True, INTERRUPTED), (False, 1)])
def test_a_lock_that_ctrl_c_leaves_half_released_is_no_error(interrupts: bool, status: int) -> None:
    """`threading.Condition` raises RuntimeError if Ctrl-C arrives while it takes its lock."""
    lines = (
        "import os, signal, time",
        "from sledsim import cli",
        "from sledsim.cli import interruption, program",
        "def run():",
        "    with interruption.kept_in(None):",
        "        try:",
        f"            if {interrupts}: os.kill(os.getpid(), signal.SIGINT); time.sleep(9)",
        "        finally: raise RuntimeError('cannot notify on un-acquired lock')",
        "program.run = run",
        "cli.main()",
    )
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], preexec_fn=heed, capture_output=True, text=True
    )
    assert done.returncode == status, done.stderr
    assert ("un-acquired lock" in done.stderr) is not interrupts
    assert done.stderr.startswith("stopped: no results are kept") is interrupts


@pytest.mark.dear("a program is started and interrupted at its work", every_change=True)
@pytest.mark.parametrize("is_there", [True, False])
def test_kept_rows_are_reported_even_if_python_is_not_awaited(is_there: bool, tmp_path: Path) -> None:
    (tmp_path / "out" / "within").mkdir(parents=True)
    if is_there:
        (tmp_path / "out" / "within" / "study.ledger").touch()
    program = listening(
        "from pathlib import Path", "with interruption.kept_in(Path('out')):", f"    begin(); {STEP}"
    )
    status, errors, _ = interrupt(program, tmp_path, has_begun(tmp_path))
    assert (status, errors) == (INTERRUPTED, KEPT if is_there else NOTHING_YET)


def test_a_second_control_c_is_not_kept_waiting(tmp_path: Path) -> None:
    program = listening(f"begin(); {STEP}")
    took_s = []
    # One of several attempts is not disturbed by the load of the machine.
    while len(took_s) < 20 and min(took_s, default=PATIENCE_S) > PATIENCE_S / 2:
        with subprocess.Popen(program, cwd=tmp_path, preexec_fn=heed, text=True) as process:
            wait_for(tmp_path / "begun", process)
            begin = time.monotonic()
            process.send_signal(signal.SIGINT)
            # Two signals at once may count as one.
            time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            assert process.wait(GIVEN_UP_AFTER_S) == INTERRUPTED
            took_s.append(time.monotonic() - begin)
        (tmp_path / "begun").unlink()
    assert min(took_s) < PATIENCE_S / 2


@pytest.mark.dear("a program is started and interrupted at its work", every_change=True)
def test_control_c_gives_the_terminal_back(tmp_path: Path) -> None:
    """The progress bar hides the cursor, which must be visible again."""
    program = listening(
        "from sledsim.cli.terminal import progress",
        "with progress('Working', 100) as report:",
        "    report(10)",
        f"    begin(); {STEP}",
    )
    ours, theirs = pty.openpty()
    with subprocess.Popen(program, cwd=tmp_path, stderr=theirs, preexec_fn=heed, text=True) as process:
        os.close(theirs)
        shown = b""
        while b"\x1b[?25l" not in shown:
            shown += os.read(ours, 1000)
        wait_for(tmp_path / "begun", process)
        process.send_signal(signal.SIGINT)
        assert process.wait(GIVEN_UP_AFTER_S) == INTERRUPTED
    os.set_blocking(ours, False)
    try:
        while piece := os.read(ours, 1000):
            shown += piece
    except OSError:  # All output is read.
        os.close(ours)
    assert shown.rfind(b"\x1b[?25h") > shown.rfind(b"\x1b[?25l")


def test_cleanup_is_left_to_python(tmp_path: Path) -> None:
    program = listening(
        "with interruption.left_to_python():",
        "    try:\n        begin()\n        while True: time.sleep(0.1)",
        "    except KeyboardInterrupt: time.sleep(1); print('undone', flush=True)",
    )
    with subprocess.Popen(
        program, cwd=tmp_path, stdout=subprocess.PIPE, preexec_fn=heed, text=True
    ) as process:
        wait_for(tmp_path / "begun", process)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=GIVEN_UP_AFTER_S)[0] == "undone\n"
    assert process.returncode == 0


@pytest.mark.dear("a program is started and interrupted at its work", every_change=True)
def test_control_c_ends_a_pool_of_processes(tmp_path: Path) -> None:
    """A terminal sends the signal to each process of a user's own program, which handles it separately."""
    (tmp_path / "pool.py").write_text(
        "import multiprocessing, sledsim\n"
        "def work(seed):\n"
        "    open(f'begun{seed}', 'w').close()\n"
        "    device, count = sledsim.device('osdi00'), 200_000_000\n"
        "    sledsim.random_workload(device, rate_per_s=1000, count=count, seed=seed)\n"
        "if __name__ == '__main__':\n"
        "    with multiprocessing.get_context('spawn').Pool(2) as pool:\n"
        "        try: pool.map(work, [1, 2])\n"
        "        except KeyboardInterrupt: print('heard', flush=True)\n"
    )
    with subprocess.Popen(
        [sys.executable, "pool.py"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        preexec_fn=heed,
        start_new_session=True,
    ) as process:
        for seed in (1, 2):
            wait_for(tmp_path / f"begun{seed}", process)
        os.killpg(process.pid, signal.SIGINT)
        # The pipe closes when the last process has ended.
        assert process.communicate(timeout=GIVEN_UP_AFTER_S)[0] == "heard\n"
    assert process.returncode == 0
