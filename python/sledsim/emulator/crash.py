"""Disk images that a loss of power could have left of served writes, and checks of these images.

A history is a file of ``sledsim serve --history`` or of `DeviceServer` with ``history``. A *cut* is a moment
at which power may be lost: cut K comes right after the request of write K, counted from 1, and the last cut
is at the end. A write is *open* at a cut if it had no reply or is in a volatile cache. A *choice* states the
open writes that are on the medium: ``none``, ``all``, ``newest``, ``but-oldest``, ``whole=SEED``,
``sectors=SEED``, ``torn=SEED``, or by their numbers ``kept=3,7/0-3`` and ``lost=3,7/0-3``, with only some
sectors of write 7.
"""

import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .. import _native
from ..common.output_files import PathLike, check_file, check_replaceable
from ..common.shown import clipped
from .checking import CHECKED_S, Checker, Verdict, first_bad
from .shrinking import shrunk

#: Value of `History.end` for a history that its server has closed.
WHOLE = "whole"
_NANOS_PER_S = 1e9
_SECTOR_BYTES = 512


@dataclass(frozen=True)
class Write:
    """A write that was open when power was lost.

    Attributes:
        number: Number of the write in the history, counted from 1.
        row: Row of the write in the record of the same run, counted from 0.
        at_s: Time of the request, in seconds of the server's clock.
        offset: First byte of the write.
        bytes: Length in bytes.
        is_answered: True if the client had the reply.
        live: Sectors that could be on the medium or not, such as ``0-3+6``, counted from the first sector of
            the write.
        kept: Sectors that are on the medium.
        torn: Sectors that cannot be read.
    """

    number: int
    row: int
    at_s: float
    offset: int
    bytes: int
    is_answered: bool
    live: str
    kept: str
    torn: str


@dataclass(frozen=True)
class Plan:
    """Distinct images that could be on the medium.

    Attributes:
        images: Cut and choice of each image, in the order of the checks.
        equal: Number of further images that equal an image of the plan.
    """

    images: Sequence[tuple[int, str]]
    equal: int


@dataclass(frozen=True, repr=False)
class Bad:
    """The first bad image, reduced to a small set of lost or kept writes.

    Attributes:
        cut: The cut at which power was lost.
        choice: Reduced choice of the writes on the medium.
        found: Choice of the bad image before its reduction.
        at_s: Time of the cut, in seconds of the server's clock; None at the end.
        status: Exit status of the checker; None if the checker did not end in time.
        output: End of the checker's output.
        is_repeatable: True if the checker failed again on the same image.
        checks: Number of checker runs that reduced the set of writes.
        open: Open writes at the cut.
    """

    cut: int
    choice: str
    found: str
    at_s: float | None
    status: int | None
    output: str
    is_repeatable: bool
    checks: int
    open: tuple[Write, ...]

    def __repr__(self) -> str:
        return f"<sledsim.crash.Bad: cut {self.cut}, choice {clipped(self.choice)}, status {self.status}>"

    @property
    def lost(self) -> tuple[Write, ...]:
        """Open writes that are not complete on the medium."""
        return tuple(write for write in self.open if write.kept != write.live)

    @property
    def kept(self) -> tuple[Write, ...]:
        """Open writes that are at least partly on the medium."""
        return tuple(write for write in self.open if write.kept)


@dataclass(frozen=True, repr=False)
class Exploration:
    """The result of checking a plan.

    Attributes:
        images: Number of images in the plan.
        equal: Number of images that were skipped, as they equal an image in the plan.
        tried: Number of checked images: up to the first bad image, or all images if no image is bad.
        bad: The first bad image, or None.
    """

    images: int
    equal: int
    tried: int
    bad: Bad | None

    def __repr__(self) -> str:
        found = "no image is bad" if self.bad is None else f"bad at cut {self.bad.cut}"
        return f"<sledsim.crash.Exploration: {self.tried:,} of {self.images:,} images tried, {found}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the result for JSON."""
        return asdict(self)


class History:
    """A history of served writes, opened for reading.

    Attributes:
        path: Path of the file.
        device: Name of the device.
        bytes: Size of the device in bytes, as clients saw it.
        cache: Data that a loss of power can destroy: ``none``, ``volatile`` or ``lying``.
        writes: Number of writes.
        flushes: Number of flushes.
        last_cut: Number of the last cut; the first is 1.
        end: ``whole``; ``cut off``, if the server or the machine died; ``overrun``, if the disk could not
            keep up.

    Raises:
        ParameterError: The file is no history, or damaged; the message names the place.
        OSError: The file cannot be read.
    """

    def __init__(self, path: PathLike) -> None:
        if not hasattr(_native, "CrashHistory"):
            raise _native.ParameterError("histories need Linux, as 'sledsim serve' does")
        self.path = Path(path)
        check_file(self.path)
        self._native = _native.CrashHistory(self.path)
        about = self._native.about()
        self.device: str = about["device"]
        self.bytes: int = about["bytes"]
        self.cache: str = about["cache"]
        self.writes: int = about["writes"]
        self.flushes: int = about["flushes"]
        self.last_cut: int = about["last_cut"]
        self.end: str = about["end"]

    def plan(
        self,
        *,
        first: int = 1,
        last: int | None = None,
        every: int = 1,
        samples: int = 4,
        atomic_bytes: int = _SECTOR_BYTES,
        seed: int = 1,
        torn: bool = False,
        progress: Callable[[int], object] | None = None,
    ) -> Plan:
        """Find the distinct images, without building any.

        Args:
            first: The first cut.
            last: The last cut; None is the cut at the end.
            every: Step between cuts; N takes every Nth cut from the first on.
            samples: Number of random subsets of the open writes at each cut, alternately of whole writes and
                of sectors.
            atomic_bytes: Number of bytes that the device writes completely or not at all: 512, or 4096.
            seed: Seed of the random choices.
            torn: True to draw one more subset per cut, in which the row under the tips cannot be read.
            progress: Function that takes the number of inspected cuts at intervals.

        Raises:
            ParameterError: The history has no such cuts.
        """
        last = self.last_cut if last is None else last
        for name, value, least, most in (
            ("first cut", first, 1, self.last_cut),
            ("last cut", last, first, self.last_cut),
            ("every", every, 1, None),
            ("samples", samples, 0, None),
            ("atomic_bytes", atomic_bytes, _SECTOR_BYTES, 2**31),
            ("seed", seed, 0, 2**64 - 1),
        ):
            if value < least or (most is not None and value > most):
                upwards = f"{least} or more" if most is None else f"{least} to {most}"
                raise _native.ParameterError(f"{name}: expected {upwards}, found {value}")
        unit, rest = divmod(atomic_bytes, _SECTOR_BYTES)
        if rest:
            raise _native.ParameterError(
                f"atomic_bytes: expected a multiple of {_SECTOR_BYTES}, found {atomic_bytes}"
            )
        images, equal = self._native.plan(first, last, every, samples, unit, seed, torn, progress)
        return Plan(images, equal)

    def open_writes(self, cut: int, choice: str) -> tuple[Write, ...]:
        """Return the open writes at a cut, with the state of each under a choice.

        Raises:
            ParameterError: The cut or the choice does not exist.
        """
        return tuple(
            Write(
                number=found["number"],
                row=found["row"],
                at_s=found["submitted_ns"] / _NANOS_PER_S,
                offset=found["offset"],
                bytes=found["bytes"],
                is_answered=found["is_answered"],
                live=found["live"],
                kept=found["kept"],
                torn=found["torn"],
            )
            for found in self._native.fates(cut, choice)
        )

    def at_s(self, cut: int) -> float | None:
        """Return the time of a cut, in seconds of the server's clock; None for the last cut."""
        if cut > self.writes:
            return None
        return float(self._native.write(cut)["submitted_ns"]) / _NANOS_PER_S

    def save_image(self, cut: int, choice: str, path: PathLike) -> Path:
        """Write the contents that could be on the medium into a sparse file.

        The file ``NAME.unreadable`` lists the sectors that cannot be read.

        Raises:
            ParameterError: The cut or the choice does not exist.
            OSError: The file cannot be written.
        """
        for made in (Path(path), Path(path).with_name(f"{Path(path).name}.unreadable")):
            check_replaceable(made)
        with tempfile.TemporaryDirectory(prefix="sledsim-crash-") as folder:
            self._native.image(Path(folder) / "medium").write_to(cut, choice, path)
        return Path(path)


def explore(
    history: History,
    check: str,
    plan: Plan | None = None,
    *,
    workers: int | None = None,
    check_s: float = CHECKED_S,
    keep: PathLike | None = None,
    progress: Callable[[int], object] = lambda done: None,
) -> Exploration:
    """Run a checker on all images of a plan up to the first bad one, and reduce that image.

    The result does not depend on the number of workers. Images are in the folder for temporary files.

    Args:
        history: The history.
        check: A command for ``sh``, with the path of the image in ``$image`` and the number of the cut in
            ``$cut``. Exit status 0 means that the image is good. The command may change the image, which is a
            copy.
        plan: Images to check, by default ``history.plan()``.
        workers: Number of checkers that run in parallel, by default one per processor.
        check_s: Time limit of a checker run in seconds; a longer run is ended, and the image is bad.
        keep: Folder for the bad image, ``cut-K.img``.
        progress: Function that takes the number of finished images at intervals.

    Raises:
        ParameterError: The checker cannot be started.
        OSError: An image cannot be written.
    """
    plan = plan or history.plan()
    checker = Checker(check, check_s)
    workers = len(os.sched_getaffinity(0)) if workers is None else workers
    if workers < 1:
        raise _native.ParameterError(f"workers: expected 1 or more, found {workers}")
    with tempfile.TemporaryDirectory(prefix="sledsim-crash-") as folder:
        found = first_bad(_Images(history, Path(folder)), plan.images, checker, workers, progress)
        if found is None:
            return Exploration(len(plan.images), plan.equal, len(plan.images), None)
        at, verdict = found
        cut, choice = plan.images[at]
        bad = _shrink(history, cut, choice, verdict, checker, Path(folder))
        if keep is not None:
            Path(keep).mkdir(parents=True, exist_ok=True)
            history.save_image(bad.cut, bad.choice, Path(keep) / f"cut-{bad.cut}.img")
    return Exploration(len(plan.images), plan.equal, at + 1, bad)


class _Images:
    """A function that returns, for each worker, a function that makes images."""

    def __init__(self, history: History, folder: Path) -> None:
        self._history, self._folder = history, folder

    def __call__(self, worker: object) -> Callable[[int, str], Path]:
        native = self._history._native.image(self._folder / f"medium-{worker}")
        path = self._folder / f"image-{worker}"

        def image(cut: int, choice: str) -> Path:
            native.write_to(cut, choice, path)
            return path

        return image


def _shrink(history: History, cut: int, choice: str, verdict: Verdict, checker: Checker, folder: Path) -> Bad:
    """Reduce a bad image to the writes that the failure needs."""
    image = _Images(history, folder)("shrinking")
    last: dict[str, Verdict] = {choice: verdict}

    def fails(tried: str) -> bool:
        found = checker.run(image(cut, tried), cut)
        if found.is_bad:
            last[tried] = found
        return found.is_bad

    is_repeatable = fails(choice)
    smaller, checks = choice, 1
    writes = history.open_writes(cut, choice)
    # A torn image has no other choice.
    if is_repeatable and not any(write.torn for write in writes):
        smaller, more = shrunk({write.number: (write.live, write.kept) for write in writes}, fails)
        checks += more
        # Another choice may name the same image; if the checker is not repeatable, keep the found choice.
        if smaller not in last and not fails(smaller):
            smaller = choice
    return Bad(
        cut=cut,
        choice=smaller,
        found=choice,
        at_s=history.at_s(cut),
        status=last[smaller].status,
        output=last[smaller].output,
        is_repeatable=is_repeatable,
        checks=checks,
        open=history.open_writes(cut, smaller),
    )
