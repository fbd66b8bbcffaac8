"""Disk images that a power failure during served writes could have left, and checks of these images.

A history is a file that ``sledsim serve --history`` or `DeviceServer` with ``history`` wrote. A *cut* is a
moment at which power may fail: cut K is right after write K was requested (counted from 1), and the last cut
is
at the end. A write is *open* at a cut if it had no reply, or was in a volatile cache. A *choice* says which
open
writes reached the medium: ``none``, ``all``, ``newest``, ``but-oldest``, random ones (``whole=SEED``,
``sectors=SEED``, ``torn=SEED``), or writes by number: ``kept=3,7/0-3`` (write 3, and sectors 0 to 3 of write
7)
or ``lost=3,7/0-3``.
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

#: Value of `History.end` for a history with all writes.
WHOLE = "whole"
_NANOS_PER_S = 1e9
_SECTOR_BYTES = 512


@dataclass(frozen=True)
class Write:
    """A write that was open when power failed.

    Attributes:
        number: Number of the write in the history, counted from 1.
        row: Row of the request in the record that ``sledsim serve --record`` writes, counted from 0.
        at_s: Time at which the client sent the write, in seconds of the server's clock.
        offset: Offset of the write on the device, in bytes.
        bytes: Length of the write in bytes.
        is_answered: True if the server had replied to the write.
        live: Sectors of the write whose data may or may not be on the medium, such as ``0-3+6``, counted from
            the first sector of the write.
        kept: Sectors of the write that are on the medium, in the same form as `live`.
        torn: Sectors of the write that cannot be read any more, in the same form as `live`.
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
    """Distinct disk images that power failures could have left.

    Attributes:
        images: Cut (moment of the power failure) and choice of the kept writes of each image, in the order of
            the checks.
        equal: Number of other cuts and choices; each of them would give an image that is already in `images`.
    """

    images: Sequence[tuple[int, str]]
    equal: int


@dataclass(frozen=True, repr=False)
class Bad:
    """The first bad image. The checker also fails for `choice`, which has few lost or kept writes.

    Attributes:
        cut: Number of the cut (moment of the power failure) of the image, counted from 1.
        choice: Choice of kept writes in the reduced image, which is still bad.
        found: Choice of kept writes in the image that the checker first found to be bad.
        at_s: Time of the power failure in seconds of the server's clock; None for the last cut.
        status: Exit status of the checker; None if the checker exceeded its time limit.
        output: Last 4096 bytes of the checker's output.
        is_repeatable: True if the checker failed again when it was run a second time on the same image.
        checks: Number of runs of the checker that reduced the set of writes.
        open: Writes that were open (not yet certainly on the medium) at the cut.
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
        """Open writes with at least one sector that did not reach the medium."""
        return tuple(write for write in self.open if write.kept != write.live)

    @property
    def kept(self) -> tuple[Write, ...]:
        """Open writes with at least one sector that reached the medium."""
        return tuple(write for write in self.open if write.kept)


@dataclass(frozen=True, repr=False)
class Exploration:
    """Result of `explore`: the checks of the images of a plan.

    Attributes:
        images: Number of images in the plan.
        equal: Number of cuts and choices that were not checked, because their images equal an image in the
            plan.
        tried: Number of checked images: those up to the first bad image, or all images if none is bad.
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
        """Return all fields by name, as numbers, texts and lists for JSON."""
        return asdict(self)


class History:
    """History of the writes to a served device, read from a file.

    Attributes:
        path: Path of the file.
        device: Name of the device.
        bytes: Size of the device in bytes, as clients see it.
        cache: Kind of cache, which determines the data that a power failure can destroy: ``none``,
            ``volatile`` or ``lying``.
        writes: Number of writes.
        flushes: Number of flushes.
        last_cut: Number of the last cut (moment at which power may fail); the first cut is 1.
        end: ``whole`` if the history has all writes; ``cut off`` if the server or the machine died;
            ``overrun`` if writing the history file was slower than the server.

    Raises:
        ParameterError: The file is not a history, or is damaged; the message gives the offset of the fault in
            the file.
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
        """Return the distinct images of a range of cuts, without writing image files.

        Args:
            first: Number of the first cut; cut K is the moment after the submission of write K.
            last: Number of the last cut; None stands for the last cut of the history.
            every: Distance between cuts: with N, every Nth cut is used, beginning with the first one.
            samples: Number of random choices at each cut: in turn, one of whole writes and one of parts of
                writes.
            atomic_bytes: Number of bytes that the device writes completely or not at all, a multiple of 512.
            seed: Seed of the random choices.
            torn: True to add, at each cut, a random choice in which the row under the tips is unreadable.
            progress: Callback that receives the number of the current cut.

        Raises:
            ParameterError: An argument is out of range; for instance, the history does not have such a cut.
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
        """Return the writes that are open at a cut, each with the sectors that a choice keeps.

        Raises:
            ParameterError: The history has no such cut, or the choice is invalid.
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
        """Return the time of a cut in seconds of the server's clock; None for the last cut."""
        if cut > self.writes:
            return None
        return float(self._native.write(cut)["submitted_ns"]) / _NANOS_PER_S

    def save_image(self, cut: int, choice: str, path: PathLike) -> Path:
        """Write the disk image of a cut and a choice to a sparse file, and return its path.

        A second file, ``NAME.unreadable``, lists the sectors that cannot be read.

        Raises:
            ParameterError: The history has no such cut, or the choice is invalid.
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
    """Check the images of a plan up to the first bad image, and reduce the writes that make it bad.

    The result does not depend on the number of workers. Images are written to the system's temporary folder.

    Args:
        history: History of the served writes.
        check: A command for ``sh``, with the path of the image in ``$image`` and the number of the cut in
            ``$cut``. Exit status 0 means that the image is good. The command may change the image, which is a
            copy.
        plan: Images to check; None uses ``history.plan()``.
        workers: Number of checkers that run in parallel; None runs one per processor.
        check_s: Time limit of a checker run in seconds; a longer run is ended, and the image is bad.
        keep: Folder to which the reduced bad image is written, as ``cut-K.img`` for cut K; None writes no
            image.
        progress: Callback that receives the number of images checked so far.

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
    """Maker of images; called with a worker's name, it returns a function that makes images."""

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
    """Find a small set of lost or kept writes for which the image of the cut `cut` is still bad."""
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
    # An image with torn sectors has no smaller choice.
    if is_repeatable and not any(write.torn for write in writes):
        smaller, more = shrunk({write.number: (write.live, write.kept) for write in writes}, fails)
        checks += more
        # The final choice may not have been checked itself; if its image is good, keep the first choice.
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
