"""Recording of a block device's requests as blktrace files, by the block tracer in Linux's ftrace.

The tracer writes the binary records of blktrace; this module adds the rest of blktrace's format:
sequence numbers, names of processes, the time of day, and one file per CPU.
"""

import os
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from .. import _native
from ..common.output_files import PathLike, check_output_name, check_writable, writing

TRACING = Path("/sys/kernel/tracing")
_SYSFS = Path("/sys/dev/block")

#: Fields of a record: magic number, sequence, time, sector, bytes, action, pid, device, cpu, error, bytes of
#: payload.
_RECORD = struct.Struct("=IIQQIIIIIHH")
_MAGIC = 0x65617407
_NOTE_PROCESS = 1 << 26
_NOTE_TIME_OF_DAY = 1 << 26 | 1
_NAME_BYTES = 16

#: Settings of the kernel's tracer during a recording; afterwards the previous settings are restored.
_SETTINGS = {
    "current_tracer": "blk",
    # A monotonic clock in nanoseconds, as in blktrace.
    "trace_clock": "mono",
    "buffer_size_kb": "32768",
    "options/blk_classic": "0",
    "options/bin": "1",
    "options/context-info": "0",
}


def capture(
    device: PathLike,
    out: PathLike,
    during: Callable[[], object],
    tracing: Path = TRACING,
) -> list[Path]:
    """Record the requests to a block device while a function runs.

    Args:
        device: A block device, or any file or folder of a file system on a block device.
        out: Name of the recording: ``NAME`` gives the files ``NAME.blktrace.0``, ``NAME.blktrace.1`` and so
            on, one per CPU. All files of an earlier recording with this name are replaced.
        during: Function to call meanwhile; the recording ends when it returns or Ctrl-C interrupts it.
        tracing: Folder at which the kernel's tracefs is mounted.

    Returns:
        The files of the capture.

    Raises:
        ParameterError: `out` is ``-``, which means standard output.
        OSError: The user is not root, the kernel has no block tracer, another program uses the tracer, or a
            file cannot be written.
        TraceError: The kernel lost events, or recorded no event.
    """
    check_output_name(out)
    _check(tracing)
    check_writable(_cpu_file(out, 0))
    switch = _switch_of(device)
    with ExitStack() as undo:
        for name, value in _SETTINGS.items():
            undo.callback(_write, tracing / name, _chosen((tracing / name).read_text()))
            _write(tracing / name, value)
        _write(tracing / "trace", "")
        recording = _Recording(tracing / "trace_pipe")
        undo.callback(recording.stop)
        undo.callback(_write, switch, "0")
        _write(switch, "1")
        _write(tracing / "tracing_on", "1")
        with suppress(KeyboardInterrupt):
            during()
        _write(switch, "0")
        raw = recording.stop()
        names = _process_names((tracing / "saved_cmdlines").read_text())
    return write_capture(raw, names, out)


def _check(tracing: Path) -> None:
    """Check that the block tracer exists, is not in use and may be used, before settings are changed."""
    if sys.platform != "linux":
        raise OSError(f"a capture needs the block tracer of Linux, and this is {sys.platform}")
    if os.geteuid() != 0:
        raise PermissionError(f"a capture needs root rights for {tracing}: run it with sudo")
    if not (tracing / "current_tracer").exists():
        raise OSError(f"{tracing}: no tracefs is mounted here: run mount -t tracefs tracefs {tracing}")
    if "blk" not in (tracing / "available_tracers").read_text().split():
        raise OSError("this kernel lacks the block tracer (CONFIG_BLK_DEV_IO_TRACE)")
    if (current := (tracing / "current_tracer").read_text().strip()) != "nop":
        raise OSError(f"{tracing}/current_tracer: expected nop, found {current}: another program is tracing")


def _switch_of(device: PathLike) -> Path:
    """Return the kernel's file that switches the tracing of a block device, or of that with a file."""
    about = Path(device).stat()
    is_device = (about.st_mode & 0o170000) == 0o060000
    number = about.st_rdev if is_device else about.st_dev
    folder = _SYSFS / f"{os.major(number)}:{os.minor(number)}"
    for place in (folder, folder.resolve().parent):
        if (place / "trace" / "enable").exists():
            return place / "trace" / "enable"
    raise OSError(
        f"{os.fspath(device)}: expected a block device that can be traced, or a file on such a device"
    )


def _chosen(text: str) -> str:
    """Return the word in brackets, the value in use, from a tracefs file that lists all possible values."""
    words = text.split()
    return next((word.strip("[]") for word in words if word.startswith("[")), words[0] if words else "")


def _write(path: Path, text: str) -> None:
    path.write_text(f"{text}\n")


class _Recording:
    """Thread that copies the output of the block tracer into memory during a recording."""

    def __init__(self, pipe: Path) -> None:
        self._pipe = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        self._pieces: list[bytes] = []
        self._is_over = threading.Event()
        self._thread: threading.Thread | None = threading.Thread(target=self._take_in)
        self._thread.start()

    def _take_in(self) -> None:
        while True:
            is_last = self._is_over.is_set()
            with suppress(BlockingIOError):
                while piece := os.read(self._pipe, 1 << 20):
                    self._pieces.append(piece)
            if is_last:
                return
            time.sleep(0.05)

    def stop(self) -> bytes:
        """End the recording and return the recorded bytes."""
        if self._thread is not None:
            self._is_over.set()
            self._thread.join()
            self._thread = None
            os.close(self._pipe)
        return b"".join(self._pieces)


def _process_names(text: str) -> dict[int, str]:
    lines = [line.strip().partition(" ") for line in text.splitlines()]
    return {int(pid): name for pid, _, name in lines if pid.isdigit()}


def write_capture(raw: bytes, names: Mapping[int, str], out: PathLike) -> list[Path]:
    """Write the output of the block tracer as blktrace files, one per CPU, in place of an earlier recording.

    Args:
        raw: Output of the tracer: records, each followed by its payload.
        names: Names of processes, by process number.
        out: Name of the recording, to which ``.blktrace.0`` and so on are added.

    Raises:
        TraceError: The tracer recorded no event, or the kernel lost events.
        OSError: A file cannot be written; no part of the files is left.
    """
    cpus: list[list[bytes]] = []
    named: set[int] = set()
    # The clock of the records starts when the machine starts.
    since_ns = time.time_ns() - time.monotonic_ns()
    for fields, payload in _records(raw):
        time_ns, pid, cpu = fields[2], fields[6], fields[8]
        of_day = struct.pack("=II", *divmod(time_ns + since_ns, 10**9))
        # Every CPU up to this number gets a nonempty file, as readers expect.
        missing = range(len(cpus), cpu + 1)
        cpus += [[_record(1, _note(time_ns, _NOTE_TIME_OF_DAY, 0, at), of_day)] for at in missing]
        records = cpus[cpu]
        if pid in names and pid not in named:
            named.add(pid)
            name = names[pid].encode()[: _NAME_BYTES - 1].ljust(_NAME_BYTES, b"\0")
            records.append(_record(len(records) + 1, _note(time_ns, _NOTE_PROCESS, pid, cpu), name))
        records.append(_record(len(records) + 1, fields, payload))
    if not cpus:
        raise _native.TraceError("the device received no request: nothing was recorded")
    files = [_cpu_file(out, cpu) for cpu in range(len(cpus))]
    with ExitStack() as parts:
        for file, records in zip(files, cpus, strict=True):
            parts.enter_context(writing(file)).write(b"".join(records))
    _remove_others(out, files)
    return files


def _cpu_file(out: PathLike, cpu: int) -> Path:
    return Path(f"{os.fspath(out)}.blktrace.{cpu}")


def _remove_others(out: PathLike, files: Sequence[Path]) -> None:
    """Remove those files of an earlier recording that the new one does not replace."""
    first = _cpu_file(out, 0)
    start = first.name.removesuffix("0")
    for path in first.parent.iterdir():
        if path.name.startswith(start) and path.name[len(start) :].isdecimal() and path not in files:
            path.unlink()


def _records(raw: bytes) -> Iterator[tuple[tuple[int, ...], bytes]]:
    at = 0
    while at < len(raw):
        fields = _RECORD.unpack_from(raw, at) if at + _RECORD.size <= len(raw) else (0,)
        if fields[0] != _MAGIC:
            raise _native.TraceError(
                f"the kernel lost events: byte {at} of its output is no record ({raw[at : at + 40]!r}); "
                "trace a device with fewer requests, or for a shorter time"
            )
        end = at + _RECORD.size + fields[-1]
        yield fields, raw[at + _RECORD.size : end]
        at = end


def _note(time_ns: int, action: int, pid: int, cpu: int) -> tuple[int, ...]:
    """Return the fields of a record that has no request, but the name of a process or the time of day."""
    return (_MAGIC, 0, time_ns, 0, 0, action, pid, 0, cpu, 0, 0)


def _record(sequence: int, fields: tuple[int, ...], payload: bytes) -> bytes:
    return _RECORD.pack(_MAGIC, sequence, *fields[2:-1], len(payload)) + payload
