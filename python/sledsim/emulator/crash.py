"""What a loss of power could have left of what was served, and whether a program can live with it.

A history is what ``sledsim serve --history`` or `DeviceServer` with ``history`` has written. A *cut* is a
moment at which power can be lost: cut K comes right after write K was asked for, counted from 1 on, and the
last one at the end. Of the writes that are *open* there, because they were not answered or are in a volatile
cache, a *choice* says which are on the medium: ``none``, ``all``, ``newest``, ``but-oldest``, ``whole=SEED``,
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

#: How a history ends whose server has ended it.
WHOLE = "whole"
_NANOS_PER_S = 1e9
_SECTOR_BYTES = 512


@dataclass(frozen=True)
class Write:
    """A write that was open when power was lost.

    Attributes:
        number: Its number in the history, counted from 1 on.
        row: Its row in the record of the same run, counted from 0 on.
        at_s: When it was asked for, in seconds of the server's clock.
        offset: Where it begins, in bytes.
        bytes: How long it is, in bytes.
        is_answered: Whether the client was told that it is done.
        live: Its sectors that could be there or not, as ``0-3+6``, counted from its first one on.
        kept: Those that are there.
        torn: Those that cannot be read.
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
    """Images that could be on the medium and differ.

    Attributes:
        images: Cut and choice of each, in the order in which they are tried.
        equal: How many more would have been equal to one of them.
    """

    images: Sequence[tuple[int, str]]
    equal: int


@dataclass(frozen=True, repr=False)
class Bad:
    """The first image that a checker does not like, with as little lost, or as little there, as that takes.

    Attributes:
        cut: When power was lost.
        choice: What was on the medium then.
        found: The choice with which it was found.
        at_s: When that was, in seconds of the server's clock; none at the end.
        status: The exit status of the checker; none if it did not end in time.
        output: What it said in the end.
        is_repeatable: Whether the checker said so again when it was asked again.
        checks: How often it was asked to find out what it takes.
        open: The writes that were open.
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
        """The open writes of which something is not there."""
        return tuple(write for write in self.open if write.kept != write.live)

    @property
    def kept(self) -> tuple[Write, ...]:
        """The open writes of which something is there."""
        return tuple(write for write in self.open if write.kept)


@dataclass(frozen=True, repr=False)
class Exploration:
    """What became of a plan.

    Attributes:
        images: Images of the plan.
        equal: Images that were not tried because they are equal to one of these.
        tried: Images up to the first bad one and with it; all, if there is none.
        bad: The first bad one.
    """

    images: int
    equal: int
    tried: int
    bad: Bad | None

    def __repr__(self) -> str:
        found = "none is bad" if self.bad is None else f"one is bad, at cut {self.bad.cut}"
        return f"<sledsim.crash.Exploration: {self.tried:,} of {self.images:,} images tried, {found}>"

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)


class History:
    """A history that is read.

    Attributes:
        path: The file.
        device: The name of the device.
        bytes: The size of the device that clients saw.
        cache: What a loss of power can take: ``none``, ``volatile`` or ``lying``.
        writes: How many writes it has.
        flushes: How many flushes.
        last_cut: The number of the last cut; the first is 1.
        end: ``whole``; ``cut off``, if the server or the machine died; ``overrun``, if the disk could not
            keep up.

    Raises:
        ParameterError: It is no history, or damaged; the message says where.
        OSError: It cannot be read.
    """

    def __init__(self, path: PathLike) -> None:
        if not hasattr(_native, "CrashHistory"):
            raise _native.ParameterError("histories need Linux, as what writes them does")
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
        """Find out which images differ; none is built for that.

        Args:
            first: The first cut.
            last: The last one; that at the end, if not given.
            every: Of the cuts from the first on each so manieth.
            samples: Subsets of the open writes that are drawn at each cut, of whole writes and of sectors in
                turn.
            atomic_bytes: What the device writes as a whole or not at all: 512, or 4096.
            seed: The same gives the same.
            torn: Whether one more is drawn, in which the row under the tips cannot be read.
            progress: Told now and then how many cuts have been looked at.

        Raises:
            ParameterError: There are no such cuts.
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
        """The writes that are open at a cut, and what a choice says of each.

        Raises:
            ParameterError: There is no such cut or choice.
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
        """When a cut is, in seconds of the server's clock; none of the last one."""
        if cut > self.writes:
            return None
        return float(self._native.write(cut)["submitted_ns"]) / _NANOS_PER_S

    def save_image(self, cut: int, choice: str, path: PathLike) -> Path:
        """Write what could be on the medium into a sparse file.

        Sectors that cannot be read are listed beside it, in ``NAME.unreadable``.

        Raises:
            ParameterError: There is no such cut or choice.
            OSError: It cannot be written.
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
    """Run a checker on all images of a plan, up to the first that is bad, and find out what that takes.

    Whatever the number of workers, it is the same one. Images are in the folder for temporary files.

    Args:
        history: What was written.
        check: A command for ``sh``, with the path of the image in ``$image`` and the number of the cut in
            ``$cut``. The exit status 0 says that the image is good. It may change the image, which is a copy.
        plan: What is tried; `History.plan` as it is, if not given.
        workers: How many checkers run at a time; one for each processor, if not given.
        check_s: A checker that takes longer, in seconds, is ended, and the image is bad.
        keep: A folder for the bad image, ``cut-K.img``.
        progress: Told now and then how many images have been tried.

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
    """Makes for each worker what gives it images."""

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
    """Find out what it takes that the checker does not like an image."""
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
    # What is torn has no other name.
    if is_repeatable and not any(write.torn for write in writes):
        smaller, more = shrunk({write.number: (write.live, write.kept) for write in writes}, fails)
        checks += more
        # Said in other words it is the same image; if the checker wavers, it is what was found.
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
