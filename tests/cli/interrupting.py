"""Programs that receive a signal while they work."""

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
#: Processor seconds above those of a start: a command that has used them is at work.
UNDER_WAY_S = 1.0
#: Most processor seconds to the end: a command ends half a second after Ctrl-C. Several threads and the
#: freeing of much memory may use more processor time; the load of the machine makes no difference.
ENDED_AFTER_S = 1.5
#: Timeout in seconds, above the time on the busiest machine.
GIVEN_UP_AFTER_S = 60.0
_OVERVIEW = re.compile(
    r"(random:\S+|standard input): (the first )?[0-9,]+ requests in .*\n|doubtful: all 100,000 requests .*\n"
    # A slow machine prints the progress of a command that it has not yet interrupted.
    r"|[A-Z][a-z ]+: (\d+%, .* left|\d+ s so far)\n|-: recognised as disksim\n"
)
#: Folder from which the state of a process is read.
NEEDS_PROC = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="the processor time of a process is read from /proc"
)


def heed() -> None:
    """Restore SIGINT, which a background job of a shell or of nohup inherits as ignored."""
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
    """Return the status and the errors of an interrupted program, and the processor time until its end.

    Lines about input before the run and about progress are no errors. The program reads one line again and
    again from standard input.
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


#: A line without an arrival time that ends it: all requests arrive at once.
ENDLESS = "0.0 0 1000 8 1"
#: Commands of more than a minute; '-' is read without an end.
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

#: The line in which a command reports what it has kept.
KEPT = "stopped: finished results are kept in out; the same command resumes\n"
NOTHING_YET = "stopped: no results in out yet; the same command starts from the beginning\n"
SAID = {
    "runs a paper": "nothing was written to out; to continue: sledsim paper run 003-E-1 --out out\n",
    "compares": NOTHING_YET,
    "draws curves": KEPT,
    "designs": KEPT,
    "asks how far claims hold": KEPT,
}


def begun(name: str, folder: Path) -> Callable[["subprocess.Popen[str]"], bool]:
    """True if a command of `COMMANDS` is at work in a folder, whatever it prints at its end."""
    if SAID.get(name) == KEPT:
        return lambda _: any(folder.rglob("*.ledger"))
    # All modules are loaded then, even if they are compiled for the first time beside other tests.
    return (lambda process: processor_s(process) > 4 * UNDER_WAY_S) if name in SAID else works


#: Step of Python that takes minutes and lets no other thread of Python run.
STEP = "sum(range(10**12))"
#: A later message of another process, since a signal before the step is no signal within the step.
BEGIN = "import subprocess; begin = lambda: subprocess.Popen(['sh', '-c', 'sleep 0.3; : > begun'])"


def listening(*lines: str) -> list[str | Path]:
    """Return a program that handles Ctrl-C as the command line does and marks by a file that it works."""
    first = ("import time", "from sledsim.cli import interruption", "interruption.listen()", BEGIN)
    return [sys.executable, "-c", "\n".join((*first, *lines))]


def has_begun(folder: Path) -> Callable[[object], bool]:
    return lambda _: (folder / "begun").exists()


def wait_for(file: Path, process: "subprocess.Popen[str]") -> None:
    while not file.exists():
        assert process.poll() is None
        time.sleep(0.01)


#: A step that holds Python in the middle of a file.
HALF_WRITTEN = listening(
    "from sledsim.common.output_files import writing",
    "with writing('x.csv') as file:",
    "    file.write(b'half')",
    f"    begin(); {STEP}",
)
