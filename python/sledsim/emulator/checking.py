"""Runs of a user's command on many disk images in parallel; the command checks if an image is good."""

import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from .. import _native

#: Default time limit of a checker run, in seconds.
CHECKED_S = 60.0
#: Exit statuses with which a shell reports that a command is missing or cannot be run.
_NOT_STARTED = (126, 127)
#: Number of bytes that are kept from the end of a checker's output.
_TAIL_BYTES = 4096
#: Interval of progress reports, in seconds.
_TOLD_EVERY_S = 0.1
#: Function that makes the disk image of a cut and a choice, and returns the path of the image.
Image = Callable[[int, str], Path]


@dataclass(frozen=True, repr=False)
class Verdict:
    """Result of a checker's run on a disk image.

    Attributes:
        status: Exit status of the checker; None if the run exceeded its time limit.
        output: Last 4096 bytes of the checker's output if the image is bad; empty if it is good.
    """

    status: int | None
    output: str

    def __repr__(self) -> str:
        return f"<sledsim.crash.Verdict: {'bad' if self.is_bad else 'good'}, status {self.status}>"

    @property
    def is_bad(self) -> bool:
        """True if the exit status is not 0, or the run exceeded its time limit."""
        return self.status != 0


class Checker:
    """Checker of disk images: a command for ``sh``, with the path of the image in ``$image``.

    Args:
        command: Command for ``sh``; exit status 0 means that the image is good.
        longest_s: Time limit of a run in seconds. A longer run is ended, and the image counts as bad.
    """

    def __init__(self, command: str, longest_s: float = CHECKED_S) -> None:
        self._command, self._longest_s = command, longest_s
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._is_stopped = False

    def run(self, image: Path, cut: int) -> Verdict:
        """Run the command on an image, and return the verdict.

        Raises:
            ParameterError: The command cannot be started.
        """
        with tempfile.TemporaryFile() as output:
            status = self._status(image, cut, output)
            if status in _NOT_STARTED and not self._is_stopped:
                found = f"{self._command!r}: {_tail(output).strip()}"
                raise _native.ParameterError(f"--check: expected a command that can be run, found {found}")
            # The path of the temporary image means nothing to the user.
            return Verdict(status, _tail(output).replace(str(image), "$image") if status != 0 else "")

    def _status(self, image: Path, cut: int, output: IO[bytes]) -> int | None:
        about = {"image": os.fspath(image), "cut": str(cut)}
        with self._lock:
            if self._is_stopped:
                return None
            child = subprocess.Popen(
                ["/bin/sh", "-c", self._command],
                env={**os.environ, **about},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                # A new session, so that all processes of the command can be ended with it.
                start_new_session=True,
            )
            self._running.add(child)
        try:
            status = child.wait(self._longest_s)
            # Shells report a command that a signal ended in this way.
            return status if status >= 0 else 128 - status
        except subprocess.TimeoutExpired:
            return None
        finally:
            with self._lock:
                self._running.discard(child)
            _end(child)

    def stop(self) -> None:
        """End all running commands, and start no further command."""
        with self._lock:
            self._is_stopped = True
            running = [*self._running]
        for child in running:
            _end(child, waits=False)


def _end(child: "subprocess.Popen[bytes]", *, waits: bool = True) -> None:
    """End a running command and all processes that it has started."""
    if child.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        if waits:
            child.wait()


def _tail(output: IO[bytes]) -> str:
    """Return the end of a command's output as text."""
    output.seek(max(0, output.seek(0, os.SEEK_END) - _TAIL_BYTES))
    return output.read().decode(errors="replace")


def first_bad(
    images: Callable[[int], Image],
    tried: Sequence[tuple[int, str]],
    checker: Checker,
    workers: int,
    progress: Callable[[int], object],
) -> tuple[int, Verdict] | None:
    """Return the index and the verdict of the first bad image in the order of `tried`; None if all are good.

    Args:
        images: Function that is called with the number of a worker and returns the function with which this
            worker makes images.
        tried: Cut and choice from which each image is made, in the order of the checks.
        checker: Checker of the images.
        workers: Number of images that are checked in parallel.
        progress: Callback that receives the number of images checked so far.

    Raises:
        ParameterError: The checker cannot be started.
        OSError: An image cannot be written.
    """
    work = _Work(tried, checker)
    threads = [
        threading.Thread(target=work.run, args=(images, number), daemon=True)
        for number in range(min(workers, len(tried)))
    ]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():
                thread.join(_TOLD_EVERY_S)
                progress(work.done)
    finally:
        # However the checks end, also by Ctrl-C, no process of theirs stays.
        work.end()
        for thread in threads:
            if thread.ident is not None:
                thread.join()
    if work.raised is not None:
        raise work.raised
    return work.bad


class _Work:
    """Queue of images, which several workers check in order."""

    def __init__(self, tried: Sequence[tuple[int, str]], checker: Checker) -> None:
        self._tried, self._checker = tried, checker
        self._lock = threading.Lock()
        self._next = 0
        self._is_over = False
        self.done = 0
        self.bad: tuple[int, Verdict] | None = None
        self.raised: BaseException | None = None

    def run(self, images: Callable[[int], Image], worker: int) -> None:
        """Check images until none is left, in the thread of the worker with number `worker`."""
        try:
            image = images(worker)
            while (at := self._take()) is not None:
                cut, choice = self._tried[at]
                verdict = self._checker.run(image(cut, choice), cut)
                self._put(at, verdict)
        except BaseException as error:
            with self._lock:
                self.raised = self.raised or error
                self._is_over = True

    def _take(self) -> int | None:
        """Return the index of the next image to check; None if no image is left or a bad image was found."""
        with self._lock:
            if self._is_over or self._next >= len(self._tried) or self.bad is not None:
                return None
            self._next += 1
            return self._next - 1

    def _put(self, at: int, verdict: Verdict) -> None:
        with self._lock:
            self.done += 1
            # The verdict of a run that was ended early means nothing.
            is_first = self.bad is None or at < self.bad[0]
            if verdict.is_bad and not self._is_over and is_first:
                self.bad = (at, verdict)

    def end(self) -> None:
        """Check no further images, and end the running commands."""
        with self._lock:
            self._is_over = True
            is_left = self._next > self.done
        if is_left:
            self._checker.stop()
