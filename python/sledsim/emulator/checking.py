"""A user's checker, run on many images at a time."""

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

#: A checker that takes longer, in seconds, is ended.
CHECKED_S = 60.0
#: What shells say of a command that is not there or cannot be run.
_NOT_STARTED = (126, 127)
#: So much of what a checker said last is kept, in bytes.
_TAIL_BYTES = 4096
#: How often it is told how far the work is, in seconds.
_TOLD_EVERY_S = 0.1
#: Gives the image of a cut and a choice.
Image = Callable[[int, str], Path]


@dataclass(frozen=True, repr=False)
class Verdict:
    """What a checker said of an image.

    Attributes:
        status: Its exit status; none if it did not end in time.
        output: What it said in the end, if the image is bad.
    """

    status: int | None
    output: str

    def __repr__(self) -> str:
        return f"<sledsim.crash.Verdict: {'bad' if self.is_bad else 'good'}, status {self.status}>"

    @property
    def is_bad(self) -> bool:
        """Whether the image is bad."""
        return self.status != 0


class Checker:
    """A command for ``sh``, in which ``$image`` is the path of an image.

    Args:
        command: The command.
        longest_s: If it takes longer, in seconds, it is ended.
    """

    def __init__(self, command: str, longest_s: float = CHECKED_S) -> None:
        self._command, self._longest_s = command, longest_s
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._is_stopped = False

    def run(self, image: Path, cut: int) -> Verdict:
        """Check an image.

        Raises:
            ParameterError: The command cannot be started.
        """
        with tempfile.TemporaryFile() as output:
            status = self._status(image, cut, output)
            if status in _NOT_STARTED and not self._is_stopped:
                found = f"{self._command!r}: {_tail(output).strip()}"
                raise _native.ParameterError(f"check: expected a command that can be run, found {found}")
            # Where the image was then nobody wants to know.
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
                # All that it starts can be ended with it.
                start_new_session=True,
            )
            self._running.add(child)
        try:
            status = child.wait(self._longest_s)
            # Of what a signal has ended, as shells say it.
            return status if status >= 0 else 128 - status
        except subprocess.TimeoutExpired:
            return None
        finally:
            with self._lock:
                self._running.discard(child)
            _end(child)

    def stop(self) -> None:
        """End what runs, and start nothing more."""
        with self._lock:
            self._is_stopped = True
            running = [*self._running]
        for child in running:
            _end(child, waits=False)


def _end(child: "subprocess.Popen[bytes]", *, waits: bool = True) -> None:
    """End a command and all that it has started."""
    if child.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        if waits:
            child.wait()


def _tail(output: IO[bytes]) -> str:
    """The end of what was said."""
    output.seek(max(0, output.seek(0, os.SEEK_END) - _TAIL_BYTES))
    return output.read().decode(errors="replace")


def first_bad(
    images: Callable[[int], Image],
    tried: Sequence[tuple[int, str]],
    checker: Checker,
    workers: int,
    progress: Callable[[int], object],
) -> tuple[int, Verdict] | None:
    """The number of the first bad image, and what was said of it; all before it are good.

    Args:
        images: Gives each worker, by its number, what gives it images.
        tried: Cut and choice of each image.
        checker: What says which is bad.
        workers: How many are checked at a time.
        progress: Told now and then how many are done.

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
        # However it ends, by Ctrl-C, too, nothing goes on behind it.
        work.end()
        for thread in threads:
            if thread.ident is not None:
                thread.join()
    if work.raised is not None:
        raise work.raised
    return work.bad


class _Work:
    """Images in their order, which workers share."""

    def __init__(self, tried: Sequence[tuple[int, str]], checker: Checker) -> None:
        self._tried, self._checker = tried, checker
        self._lock = threading.Lock()
        self._next = 0
        self._is_over = False
        self.done = 0
        self.bad: tuple[int, Verdict] | None = None
        self.raised: BaseException | None = None

    def run(self, images: Callable[[int], Image], worker: int) -> None:
        """What a worker does."""
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
        """The next image; none behind the first that is known to be bad."""
        with self._lock:
            if self._is_over or self._next >= len(self._tried) or self.bad is not None:
                return None
            self._next += 1
            return self._next - 1

    def _put(self, at: int, verdict: Verdict) -> None:
        with self._lock:
            self.done += 1
            # What is ended says nothing of its image.
            is_first = self.bad is None or at < self.bad[0]
            if verdict.is_bad and not self._is_over and is_first:
                self.bad = (at, verdict)

    def end(self) -> None:
        """Take no more, and end what runs."""
        with self._lock:
            self._is_over = True
            is_left = self._next > self.done
        if is_left:
            self._checker.stop()
