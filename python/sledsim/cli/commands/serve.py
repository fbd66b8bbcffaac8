"""``sledsim serve``: serve a simulated device to real programs."""

import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.parse
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.live import Live

from ..._native import ParameterError
from .. import command_options as options
from ..completion import complete_device
from ..interruption import left_to_python
from ..output import print_note, runnable
from ..serve_options import Contents, Power, Timing
from ..shell import Command
from ..targets import Episodes, OneTarget
from ..terminal import Terminal
from .certify import NOT_CERTIFIED, ReportOption, StrictOption, show_certificate

if TYPE_CHECKING:
    from ...emulator.power_cut import Loss
    from ...emulator.serving import DeviceServer
    from ...model.volumes import Target

#: Placeholder, in the command after ``--``, that is replaced by the address of the server.
_URI = "$uri"
#: Seconds between two checks for signals while the server waits for the command to end.
_WAITS_S = 0.2
_HINTS = """\
In another terminal, for instance:
  nbdinfo '{uri}'
  qemu-system-x86_64 -drive file='{uri}',format=raw,if=virtio
  nbd-client {where} /dev/nbd0      (a block device: as root, with the kernel's module nbd)
  mkdir mnt; nbdfuse mnt/disk '{uri}' &
  losetup -f --show mnt/disk      (a block device without that module)
Ctrl-C ends it.
"""


class ServeCommand(Command):
    """A command whose line may end with another command after ``--``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the words before ``--``; the words after it are kept as the command to run."""
        if "--" in args:
            at = args.index("--")
            args, ctx.meta[_URI] = args[:at], args[at + 1 :]
        return super().parse_args(ctx, args)


@dataclass(frozen=True)
class Served(OneTarget):
    """Group of options that describe the device or volume to serve, with the device as the first argument."""

    device_name: Annotated[
        str | None,
        typer.Argument(
            metavar="DEVICE",
            help="A built-in device or a device file; with --volume, the device of each member. "
            "\\[default: osdi00]",
            autocompletion=complete_device,
        ),
    ] = None


@dataclass(frozen=True)
class Kept:
    """Group of options that name the files to write: record, certificate and web page."""

    record: Annotated[
        Path | None, options.of_output(help="Write every request and its times to this Parquet file.")
    ] = None
    certificate: Annotated[
        Path | None, options.of_output(help="Write the timing certificate to this file.")
    ] = None
    report: ReportOption = None
    strict: StrictOption = False

    @property
    def paths(self) -> list[Path]:
        """Files for record, certificate and web page that the user asked for."""
        return [path for path in (self.record, self.certificate, self.report) if path is not None]


def serve(
    *,
    ctx: typer.Context,
    onto: Served,
    episodes: Episodes,
    contents: Contents,
    timing: Timing,
    power: Power,
    kept: Kept,
) -> None:
    """Serve a simulated device to real programs over NBD, with replies at the simulated times.

    A command after -- is run with $uri replaced by the address; the server ends when the command ends.

    Ctrl-C ends the server: it replies to outstanding requests, writes the files and certifies the timing.
    SIGUSR1 ends the server like a power failure.
    """
    from ...emulator.served import open_served

    command: Sequence[str] = ctx.meta.get(_URI, ())
    _check_files(contents, kept)
    _check_command(command)
    server = _server(episodes.on(onto.model()), onto.scheduler, contents, timing, power)
    with server, left_to_python(), tempfile.TemporaryDirectory(prefix="sledsim-") as folder:
        path = kept.record or Path(folder) / "record.parquet"
        status, was_used = _run(server, command, path, timing.realtime, contents.once)
        _tell_history(server, contents.history)
        if server.loss is not None:
            print_note(str(server.loss), *_left(server.loss, contents))
        if not was_used:
            print_note("no client read or wrote anything: no record and no certificate written")
            older = [path for path in kept.paths if path.is_file()]
            for one in older:
                print_note(f"error: {one} is left from an earlier run; this run did not write it")
            raise typer.Exit(status or (NOT_CERTIFIED if kept.strict else bool(older)))
        if kept.record is not None:
            again = runnable("certify", kept.record)
            print_note(f"requests written to {kept.record}; to certify again: {again}")
        is_certified = show_certificate(open_served(path), kept.certificate, kept.report)
    raise typer.Exit(status or (NOT_CERTIFIED if kept.strict and not is_certified else 0))


def _check_files(contents: Contents, kept: Kept) -> None:
    """Check before serving that the files can be written.

    Raises:
        ParameterError: The name of the record does not end in ``.parquet``.
        OSError: A file cannot be written.
    """
    from ...common.endings import PARQUET, ending_of
    from ...common.output_files import check_writable

    if kept.record is not None:
        ending_of(kept.record, (PARQUET,), bare=PARQUET)
    for path in (*kept.paths, *([] if contents.history is None else [contents.history])):
        check_writable(path)


def _check_command(command: Sequence[str]) -> None:
    """Refuse an unknown command before any file is created.

    Raises:
        ParameterError: No program has the name of the command.
    """
    if command and shutil.which(command[0]) is None:
        raise ParameterError(f"{command[0]}: expected a command that can be run, found no such program")


def _server(
    model: "Target", scheduler: str | None, contents: Contents, timing: Timing, power: Power
) -> "DeviceServer":
    """Start a server of a device or volume, with the options of the command line."""
    from ...emulator.serving import DeviceServer

    return DeviceServer(
        model,
        scheduler,
        socket=contents.socket,
        tcp=contents.tcp,
        allow_remote=contents.allow_remote,
        size_bytes=contents.size_bytes,
        image=contents.image,
        members=contents.members,
        cache=contents.cache,
        history=contents.history,
        is_read_only=contents.read_only,
        time_scale=timing.time_scale,
        spin_us=timing.spin_us,
        lead=timing.lead,
        probe=timing.probe,
        power_cut=power.cut,
    )


def _tell_history(server: "DeviceServer", path: Path | None) -> None:
    """Print where the history of writes was written, or why it lacks the last writes."""
    if path is None:
        return
    if server.history_error is not None:
        part, why = Path(server.history_error.filename), server.history_error.strerror
        # An errno is an error of the system; otherwise the error of another program says which part is left.
        early = ": the history ends early; this file has the records before the error"
        print_note(f"error: {part}: {why}{early if server.history_error.errno else ''}")
        return
    again = f"sledsim crash {shlex.quote(str(path))} --check COMMAND"
    print_note(f"history written to {path}: '{again}' tries a power failure at every write")
    if not server.history_is_whole:
        print_note(
            "the history ends early: the disk that stores it could not keep up with the server, and later"
            " writes are missing"
        )


def _left(loss: "Loss", contents: Contents) -> list[str]:
    """Return sentences on what a power failure left: place of the contents, and unreadable sectors."""
    kept = contents.image or contents.members
    if kept is None:
        return [
            "the contents were in memory and are lost; to keep them, add --file FILE, or for a volume"
            " --members FOLDER"
        ]
    left = [f"the contents after the cut are in {kept}"]
    if loss.torn_sectors:
        lists = f"{kept}.unreadable" if contents.members is None else f"{kept / '*.unreadable'}"
        left.append(f"torn sectors fail with EIO until they are written again, and are listed in {lists}")
    return left


def _greeting(server: "DeviceServer", *, with_hints: bool) -> list[str]:
    """Return the lines that the server prints when it starts.

    The lines state the device, its address, and what a volume reads first to recover from a power failure;
    `with_hints` adds commands that the user can try.
    """
    return [
        *(["the socket of a server that no longer runs is taken over"] if server.took_over else []),
        f"serving {server.device.name}, {server.size_bytes / 1e9:,.3f} GB, at {server.uri}",
        *(
            f"recovery reads {row['bytes'] / 1e6:,.3f} MB of {row['member']} first:"
            f" {row['time_s']:,.3f} simulated seconds"
            for row in server.restart
        ),
        *(_hints(server.uri).splitlines() if with_hints else ()),
    ]


def _hints(uri: str) -> str:
    """Return commands that the user can try with the served device."""
    found = urllib.parse.urlparse(uri)
    if found.scheme == "nbd":
        where = f"{found.hostname} {found.port}"
    else:
        where = f"-unix {shlex.quote(urllib.parse.parse_qs(found.query)['socket'][0])}"
    return _HINTS.format(uri=uri, where=where)


def _run(
    server: "DeviceServer", command: Sequence[str], record: Path, realtime: str, once: bool
) -> tuple[int, bool]:
    """Serve until a signal arrives or the command ends; with `once`, until the last client disconnects.

    Returns:
        The exit status of the command (0 without a command), and True if a client read or wrote data.
    """
    with _signals() as came, _power_signal(server), _live(not command) as show:
        # Signals are handled from the moment at which the note says how to end the server.
        print_note(*_greeting(server, with_hints=not command and not once))
        server.measure_floor(realtime)
        child = _start(command, server.uri) if command else None
        is_over = is_ending = has_printed = False

        def observe(status: Mapping[str, Any] | None) -> bool:
            nonlocal is_over, is_ending, has_printed
            if status is not None:
                show(status)
                if is_ending and status["waiting"] and not has_printed:
                    has_printed = True
                    waits = f"waiting for {status['waiting']:,} requests"
                    print_note(f"{waits} to complete: press Ctrl-C again to end at once")
                is_ending = False
            if came:
                came.pop()
                is_ending = True
                return False
            if child is not None and not is_over and child.poll() is not None:
                is_over = True
                return False
            return True

        status = 0
        try:
            was_used = server.serve(record, observe, realtime, once=once)
        except OSError as error:
            if error is not server.history_error:
                raise
            # The other files are complete and reported.
            was_used, status = record.exists(), 1
        finally:
            if child is not None and server.loss is None:
                child.terminate()
        status = (0 if child is None else _wait(child, came)) or status
        # Shells report a command that a signal ended in this way.
        return status if status >= 0 else 128 - status, was_used


def _wait(child: "subprocess.Popen[bytes]", came: list[int]) -> int:
    """Wait until the command ends, and return its exit status; end it if `came` has a received signal."""
    while True:
        try:
            return child.wait(_WAITS_S)
        except subprocess.TimeoutExpired:
            if came:
                came.clear()
                child.terminate()


def _start(command: Sequence[str], uri: str) -> "subprocess.Popen[bytes]":
    """Start the user's command; ``$uri`` in its words, and its variable ``uri``, are the server's address."""
    try:
        return subprocess.Popen(
            [word.replace(_URI, uri) for word in command], env={**os.environ, _URI[1:]: uri}
        )
    except OSError as error:
        raise ParameterError(
            f"{command[0]}: expected a command that can be run, found an error: {error.strerror}"
        ) from error


@contextmanager
def _signals() -> Iterator[list[int]]:
    """Yield a list to which each signal to end the server (Ctrl-C, SIGTERM, SIGHUP) adds its number."""
    came: list[int] = []

    def end(number: int, _: FrameType | None) -> None:
        came.append(number)

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _power_signal(server: "DeviceServer") -> Iterator[None]:
    """During the block, let the signal SIGUSR1 cut the power of the served device."""

    def cut(_: int, frame: FrameType | None) -> None:
        if server.can_lose_power:
            server.cut_power()
        else:
            why = "a volume can lose power only with --members FOLDER"
            print_note(f"SIGUSR1 is ignored: {server.device.name}: {why}")

    before = signal.signal(signal.SIGUSR1, cut)
    try:
        yield
    finally:
        signal.signal(signal.SIGUSR1, before)


@contextmanager
def _live(is_shown: bool) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """Yield a function that shows the state of the server; it shows nothing unless stderr is a terminal."""
    console = Terminal(stderr=True)
    if not is_shown or not console.is_terminal:
        yield lambda status: None
        return
    before = (time.monotonic(), 0)

    def show(status: Mapping[str, Any]) -> None:
        nonlocal before
        now, answered = time.monotonic(), status["answered"]
        rate = (answered - before[1]) / max(now - before[0], 1e-3)
        before = (now, answered)
        live.update(_line(status, rate), refresh=True)

    with Live(console=console, auto_refresh=False, transient=True) as live:
        yield show


def _line(status: Mapping[str, Any], rate: float) -> str:
    """Return the state of the server in one line; `rate` is the number of replies per second."""
    parts = [f"{rate:,.0f} requests/s", f"{status['waiting']} waiting", f"{status['clients']} clients"]
    if status["latest_ns"] is not None:
        parts.append(f"latest reply {status['latest_ns'] / 1e3:,.0f} us late")
    parts += [f"{name} {value:,.6g}" for name, value in status["location"].items()]
    return ", ".join(parts)


COMMANDS = {"serve": serve}
