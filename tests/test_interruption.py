"""Ctrl-C in every command that takes long: it ends soon with 130, without a traceback or anything left."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import leftovers

PROGRAM = Path(sys.executable).with_name("sledsim")
INTERRUPTED = 130
#: So much of the processor's time is more than a start takes: a command is at its work.
UNDER_WAY_S = 1.0
#: A command ends half a second after Ctrl-C. Of the processor's time that may be more, of several threads and
#: for the freeing of much memory; a machine that is busy with other things makes no difference to it.
ENDED_AFTER_S = 1.5
#: Longer than that takes on the busiest machine.
GIVEN_UP_AFTER_S = 60.0


def heed() -> None:
    """What runs in the background of a shell inherits deaf ears for Ctrl-C."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def processor_s(process: "subprocess.Popen[str]") -> float:
    """Seconds of processor time that a process has taken."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def interrupt(
    words: list[str | Path],
    folder: Path,
    is_under_way: Callable[["subprocess.Popen[str]"], bool],
    line: str = "",
) -> tuple[int, str, float]:
    """The status and the errors of a program that is interrupted, and the processor time that it took to end.

    A line comes through its standard input again and again.
    """
    pipe = subprocess.PIPE
    with (
        subprocess.Popen(["yes", line], stdout=pipe, stderr=subprocess.DEVNULL) as feed,
        subprocess.Popen(
            words, cwd=folder, stdin=feed.stdout, stdout=pipe, stderr=pipe, text=True, preexec_fn=heed
        ) as process,
    ):
        try:
            while process.poll() is None and not is_under_way(process):
                time.sleep(0.01)
            assert process.poll() is None, f"it has ended already: {process.communicate()}"
            before_s = processor_s(process)
            process.send_signal(signal.SIGINT)
            begin = time.monotonic()
            after_s = before_s
            while process.poll() is None and time.monotonic() < begin + GIVEN_UP_AFTER_S:
                after_s = max(after_s, _or_zero(processor_s, process))
                time.sleep(0.005)
            assert process.poll() is not None, "it goes on"
            return process.returncode, process.communicate()[1], after_s - before_s
        finally:
            process.kill()
            feed.kill()


def _or_zero(of: Callable[["subprocess.Popen[str]"], float], process: "subprocess.Popen[str]") -> float:
    try:
        return of(process)
    except (OSError, IndexError):
        return 0.0


def works(process: "subprocess.Popen[str]") -> bool:
    return processor_s(process) > UNDER_WAY_S


#: A line without an end of lines: all requests come at once.
ENDLESS = "0.0 0 1000 8 1"
#: None of these ends within a minute by itself; '-' is read without an end.
COMMANDS = {
    "draws": "run random:rate=1000,count=2000000000",
    "draws pairs": "run rmw:rate=1000,count=200000000",
    "draws a day": "run metadata:count=40000000",
    "draws as fitted": "run fitted:count=40000000",
    "simulates": "run random:rate=20000,count=300000 --scheduler sptf:search=linear --out run.parquet",
    "simulates a volume": "run random:rate=20000,count=300000 --volume raid5 --scheduler satf:search=linear",
    "reads for a run": "run - --format disksim",
    "reads to validate": "validate - --format disksim",
    "describes": "trace info - --format disksim",
    "converts": "trace convert - --format disksim --out x.spc",
    "writes Parquet": "trace convert - --format disksim --out x.parquet",
    "cuts": "trace slice - --format disksim --out x.spc",
    "merges": "trace merge - demo --out x.parquet",
    "scales": "trace scale - 2 --format disksim --out x.spc.gz",
    "samples": "trace sample - 0.5 --format disksim --out x.spc.zst",
    "remaps": "trace remap - wrap --onto osdi00 --format disksim --out x.spc",
    "fits": "trace fit - --format disksim --out x.toml",
    "ranks": "trace popularity - --format disksim --out x.csv",
    "bounds": "bounds random:rate=1000,count=4000 --count 4000",
    "compares": "compare random:rate=20000,count=300000 --schedulers sptf:search=linear --out out",
    "draws curves": "compare random: --schedulers sptf --rates 1000:3000:10 --count 2000000 --out out",
    "designs": "design random:rate=100,count=100000 --out out",
    "studies": "study array-survival --out out",
    "runs a paper": "paper run 003-E-1 --out out",
}


@pytest.fixture(autouse=True)
def proc() -> None:
    if not Path("/proc/self/stat").exists():
        pytest.skip("the processor time of a process is read from /proc")


@pytest.mark.parametrize("name", COMMANDS)
def test_control_c_ends_every_long_command(name: str, tmp_path: Path) -> None:
    words = [PROGRAM, *COMMANDS[name].split()]
    status, errors, took_s = interrupt(words, tmp_path, works, ENDLESS)
    assert (status, errors) == (INTERRUPTED, "")
    assert took_s < ENDED_AFTER_S
    # What was complete before stays; there is nothing else.
    assert [left for left in leftovers(tmp_path) if left.startswith((".", "x.", "run."))] == []


@pytest.mark.parametrize("line", ["", "# " * 10_000])
def test_control_c_ends_the_reading_of_nothing(line: str, tmp_path: Path) -> None:
    """Lines of which no request comes."""
    words = [PROGRAM, "trace", "info", "-", "--format", "disksim"]
    assert interrupt(words, tmp_path, works, line)[:2] == (INTERRUPTED, "")


def waits(process: "subprocess.Popen[str]") -> bool:
    """Whether a process has done something and does nothing now."""
    before_s = processor_s(process)
    time.sleep(0.3)
    return before_s > 0.05 and processor_s(process) - before_s < 0.02


@pytest.mark.parametrize("words", [["trace", "info"], ["show"], ["run", "demo", "--faults"]])
def test_control_c_ends_the_waiting_for_a_pipe(words: list[str], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    command = [PROGRAM, *words, "./pipe.toml"]
    status, errors, _ = interrupt(command, tmp_path, waits)
    assert status == INTERRUPTED
    said = "./pipe.toml is a pipe: waiting for what is written to it\n"
    assert errors == (said if words[0] == "trace" else "")


def test_control_c_is_raised_in_python(tmp_path: Path) -> None:
    program = (
        "import sledsim\n"
        "try: sledsim.workload('random:rate=1,count=2000000000', sledsim.device('osdi00'))\n"
        "except KeyboardInterrupt: print('heard')"
    )
    status, errors, took_s = interrupt([sys.executable, "-c", program], tmp_path, works)
    assert (status, errors) == (0, "")
    assert took_s < ENDED_AFTER_S


def test_control_c_ends_what_has_no_ear_for_it(tmp_path: Path) -> None:
    """A sort of a library that hears of no signal, while an output is being written."""
    program = (
        "from sledsim.cli import interruption\n"
        "from sledsim.files import writing\n"
        "import numpy as np\n"
        "numbers = np.random.default_rng(1).random(400_000_000, np.float32)\n"
        "interruption.listen()\n"
        "with writing('x.csv') as file:\n"
        "    file.write(b'half')\n"
        "    numbers.sort()\n"
    )
    sorts = lambda process: works(process) and leftovers(tmp_path) != []  # noqa: E731
    status, errors, _ = interrupt([sys.executable, "-c", program], tmp_path, sorts)
    assert (status, errors, leftovers(tmp_path)) == (INTERRUPTED, "", [])
