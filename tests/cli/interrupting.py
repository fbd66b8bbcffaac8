"""Programs that are sent a signal while they are under way."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

PROGRAM = Path(sys.executable).with_name("sledsim")
INTERRUPTED = 130
#: So much of the processor's time is more than a start takes: a command is at its work.
UNDER_WAY_S = 1.0
#: A command ends half a second after Ctrl-C. Of the processor's time that may be more, of several threads and
#: for the freeing of much memory; a machine that is busy with other things makes no difference to it.
ENDED_AFTER_S = 1.5
#: Longer than that takes on the busiest machine.
GIVEN_UP_AFTER_S = 60.0
_OVERVIEW = re.compile(
    r"(random:\S+|standard input): (the first )?[0-9,]+ requests in .*\n|doubtful: all 100,000 requests .*\n"
)
#: What is asked of a process is read from there.
NEEDS_PROC = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="the processor time of a process is read from /proc"
)


def heed() -> None:
    """What runs in the background of a shell, or under nohup, inherits deaf ears."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def processor_s(process: "subprocess.Popen[str]") -> float:
    """Seconds of processor time that a process has taken."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def interrupt(
    words: list[str | Path],
    folder: Path,
    is_under_way: Callable[["subprocess.Popen[str]"], bool],
    line: str = "",
    number: int = signal.SIGINT,
) -> tuple[int, str, float]:
    """The status and the errors of a program that is interrupted, and the processor time that it took to end.

    The line that says what a drawn workload is, before it is run, is no error. A line comes through its
    standard input again and again.
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
            process.send_signal(number)
            begin = time.monotonic()
            after_s = before_s
            while process.poll() is None and time.monotonic() < begin + GIVEN_UP_AFTER_S:
                after_s = max(after_s, _or_zero(processor_s, process))
                time.sleep(0.005)
            assert process.poll() is not None, "it goes on"
            return process.returncode, _OVERVIEW.sub("", process.communicate()[1]), after_s - before_s
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
    "writes on the way": "run random:rate=900,count=2000000000 --scheduler fcfs --out run.parquet",
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
    "loses data": "study data-loss --option count=100000 --out out",
    "runs a paper": "paper run 003-E-1 --out out",
    "asks how far claims hold": "paper robustness --out out",
}

#: What a command says of what it has kept.
KEPT = "stopped: finished results are kept in out; the same command resumes\n"
NOTHING_YET = "stopped: no results in out yet; the same command starts again\n"
SAID = {
    "runs a paper": "nothing was written to out; to continue: sledsim paper run 003-E-1 --out out\n",
    "compares": NOTHING_YET,
    "draws curves": KEPT,
    "designs": KEPT,
    "asks how far claims hold": KEPT,
}


def begun(name: str, folder: Path) -> Callable[["subprocess.Popen[str]"], bool]:
    """Whether a command of `COMMANDS` is at its work in a folder, with whatever it says of it at its end."""
    if SAID.get(name) == KEPT:
        return lambda _: any(folder.rglob("*.ledger"))
    # All is loaded then, even where modules are compiled for the first time beside others.
    return (lambda process: processor_s(process) > 4 * UNDER_WAY_S) if name in SAID else works


#: One step of Python, of minutes, that lets no other thread of Python run.
STEP = "sum(range(10**12))"
#: Another process says so somewhat later, for a signal between both is no signal within the step.
BEGIN = "import subprocess; begin = lambda: subprocess.Popen(['sh', '-c', 'sleep 0.3; : > begun'])"


def listening(*lines: str) -> list[str | Path]:
    """A program whose Ctrl-C is that of the command line; it can say by a file that it is at its work."""
    first = ("import time", "from sledsim.cli import interruption", "interruption.listen()", BEGIN)
    return [sys.executable, "-c", "\n".join((*first, *lines))]


def has_begun(folder: Path) -> Callable[[object], bool]:
    return lambda _: (folder / "begun").exists()


def wait_for(file: Path, process: "subprocess.Popen[str]") -> None:
    while not file.exists():
        assert process.poll() is None
        time.sleep(0.01)


#: One that holds Python in the middle of a file.
HALF_WRITTEN = listening(
    "from sledsim.common.output_files import writing",
    "with writing('x.csv') as file:",
    "    file.write(b'half')",
    f"    begin(); {STEP}",
)
