"""``sledsim trace capture``: what a real device is asked."""

import shlex
import subprocess
import time
from pathlib import Path
from typing import Annotated

import typer

from .. import _native
from .interruption import left_to_python
from .output import listed, print_note


def capture(
    device: Annotated[Path, typer.Argument(help="A block device, or a file or folder on one.")],
    command: Annotated[
        list[str] | None, typer.Argument(metavar="[-- COMMAND...]", help="Recorded while it runs.")
    ] = None,
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            metavar="NAME",
            help="Writes NAME.blktrace.0 and so on, one a CPU, in place of an earlier capture of that name.",
        ),
    ] = Path("capture"),
    seconds: Annotated[float | None, typer.Option(help="Records so long; else until Ctrl-C.")] = None,
) -> None:
    """Record the requests of a block device on Linux (as root) into blktrace files."""
    from ..traces.capture import capture as record

    if command and seconds is not None:
        raise _native.ParameterError("--seconds is not for a capture while a command runs")
    if seconds is not None and not 0 < seconds < 1e6:
        raise _native.ParameterError(f"--seconds: expected a number above 0, found {seconds}")

    def wait() -> None:
        if command:
            done = subprocess.run(command, check=False)
            print_note(f"{command[0]} has ended with status {done.returncode}")
            return
        print_note("recording" + (f" for {seconds:g} s" if seconds else "; Ctrl-C ends it"))
        time.sleep(seconds or 1e6)

    # Ctrl-C ends the recording, not the program, and the kernel's tracer is to be as it was.
    with left_to_python():
        files = record(device, out, wait)
    print_note(f"written: {listed(files)}", f"next: sledsim trace info {shlex.quote(str(files[0]))}")
