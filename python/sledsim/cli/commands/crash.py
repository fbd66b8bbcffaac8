"""``sledsim crash``: run the user's checker on the disk images that a power failure could have left."""

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..._native import ParameterError
from .. import command_options as options
from ..interruption import left_to_python
from ..output import print_json, print_note, print_table, table
from ..shared import SEED, WORKERS
from ..terminal import counted_progress, progress

if TYPE_CHECKING:
    from ...emulator.crash import Bad, Exploration, History, Write

_of_cuts: Callable[..., Any] = partial(typer.Option, rich_help_panel="Cuts")
_of_checker: Callable[..., Any] = partial(typer.Option, rich_help_panel="Checker")
#: Exit status of ``sledsim crash`` if a disk image is bad.
BAD = 1
#: Largest number of lost writes, and of kept writes, of the first bad image that the output lists.
_NAMED = 8
#: Number of lines that the output shows from the end of what the checker printed.
_LINES = 12


@dataclass(frozen=True)
class Tried:
    """Group of options that choose the disk images to check, by the write after which the power fails."""

    at: Annotated[
        str,
        _of_cuts(
            metavar="K|K-L|all",
            help="Cut the power right after write K is requested (K), after each of the writes K to L (K-L), "
            "or after every write (all).",
        ),
    ] = "all"
    every: Annotated[int, _of_cuts(min=1, metavar="N", help="Cut the power only after every Nth write.")] = 1
    samples: Annotated[
        int,
        _of_cuts(
            min=0,
            help="Number of images per power cut that have a random choice of the unflushed writes.",
        ),
    ] = 4
    atomic: Annotated[
        int,
        _of_cuts(min=512, help="Bytes that a disk writes wholly or not at all: 512, or 4096 on many disks."),
    ] = 512
    seed: Annotated[int, SEED(" that choose the cuts and writes", min=0, rich_help_panel="Cuts")] = 1
    torn: Annotated[
        bool,
        _of_cuts("--torn", help="Try also images in which the sectors of one write are unreadable."),
    ] = False


@dataclass(frozen=True)
class Checking:
    """Group of options that state the command which checks a disk image, and how long it may take."""

    check: Annotated[
        str | None,
        _of_checker(
            metavar="COMMAND",
            help="Shell command that checks an image, such as 'e2fsck -fn $image'; exit status 0 means that "
            "the image is good.",
        ),
    ] = None
    workers: Annotated[
        int | None, WORKERS("; each runs one checker at a time", min=1, rich_help_panel="Checker")
    ] = None
    check_s: Annotated[
        float,
        _of_checker(min=0.001, help="Longest check in s; an image that takes longer counts as bad."),
    ] = 60.0


def crash(
    *,
    history_path: Annotated[
        Path, typer.Argument(metavar="HISTORY", help="A history that 'sledsim serve --history' wrote.")
    ],
    checking: Checking,
    tried: Tried,
    image: Annotated[
        str | None,
        options.of_output(
            metavar="CUT[:CHOICE]",
            help="Write one image, without a check, to the file of --out: the disk after a cut right after "
            "write CUT. CHOICE states which unflushed writes it has: lost=3,7. \\[default: all writes]",
        ),
    ] = None,
    out: Annotated[
        Path | None, options.of_output(help="File for the disk image that --image selects.")
    ] = None,
    keep: Annotated[
        Path | None, options.of_output(help="Folder in which to keep the first bad image; needs --check.")
    ] = None,
    as_json: options.JsonOption = False,
) -> None:
    """Check the disk images that a power failure right after each write could have left.

    Runs a checker on the images, several at a time, up to the first bad image; the exit status is then 1.
    For this image, the command prints which writes must be lost, and which kept, to make it bad.

    Without --check, the command describes the history.
    """
    from ...emulator.crash import History

    _check_options(checking.check, image, out, keep)
    try:
        history = History(history_path)
    except OSError as error:
        # Status 1 means that an image is bad.
        part = history_path.with_name(f"{history_path.name}.part")
        killed = f"; {part} is the history of a server that was killed" if part.is_file() else ""
        raise ParameterError(f"{history_path}: {error.strerror}{killed}") from error
    _tell_end(history)
    if image is not None and out is not None:
        cut, choice = _parse_image(image)
        history.save_image(cut, choice, out)
        print_note(f"image written to {out}")
        return
    if checking.check is None:
        _show_history(history, as_json=as_json)
        return
    explored = _explore(history, checking, tried, keep)
    if as_json:
        print_json({**explored.to_dict(), "again": _again(history, explored.bad)})
    _tell(history, explored, keep, as_json=as_json)
    raise typer.Exit(BAD if explored.bad is not None else 0)


def _check_options(check: str | None, image: str | None, out: Path | None, keep: Path | None) -> None:
    """Raise an error if options are given that exclude each other, or one that needs another option."""
    if (image is None) != (out is None):
        raise ParameterError("--image, --out: expected both options or neither, found only one")
    if image is not None and check is not None:
        raise ParameterError("--image: does not go with --check, as --image writes an image without a check")
    if keep is not None and check is None:
        raise ParameterError("--keep: needs --check COMMAND, which finds the bad image to keep")


def _explore(history: "History", checking: Checking, tried: Tried, keep: Path | None) -> "Exploration":
    from ...emulator.crash import explore

    assert checking.check is not None
    first, last = _parse_cuts(tried.at, history.last_cut)
    with progress("Finding images that differ", last - first + 1) as report:
        plan = history.plan(
            first=first,
            last=last,
            every=tried.every,
            samples=tried.samples,
            atomic_bytes=tried.atomic,
            seed=tried.seed,
            torn=tried.torn,
            progress=report,
        )
    with left_to_python(), counted_progress("Checking", len(plan.images), "images") as report:
        return explore(
            history,
            checking.check,
            plan,
            workers=checking.workers,
            check_s=checking.check_s,
            keep=keep,
            progress=report.both,
        )


def _parse_cuts(text: str, last: int) -> tuple[int, int]:
    """Return the numbers of the first and last write of ``--at``; the power fails after each.

    Raises:
        ParameterError: The text is not the number of a write (``K``), a range (``K-L`` or ``K-``) or ``all``.
    """
    if text == "all":
        return 1, last
    found = re.fullmatch(r"(\d*)(-?)(\d*)", text.strip())
    if found is None or not (found[1] or found[3]):
        raise ParameterError(
            "--at: expected the number of a write such as 5, a range such as 5-9 or 5-, or all,"
            f" found {text!r}"
        )
    first = int(found[1] or 1)
    return first, int(found[3] or last) if found[2] else first


def _parse_image(text: str) -> tuple[int, str]:
    """Return the write after which the power fails, and the choice of unflushed writes, from ``--image``.

    Raises:
        ParameterError: The text of ``--image`` does not begin with the number of a write.
    """
    cut, _, choice = text.partition(":")
    if not cut.isdecimal():
        raise ParameterError(
            f"--image: expected the number of a write, such as 5 or 5:lost=3, found {text!r}"
        )
    return int(cut), choice or "all"


def _tell_end(history: "History") -> None:
    notes = {
        "cut off": "the history was not closed: it ends at its last complete record",
        "overrun": "the history ends early: the disk that stores it could not keep up with the server",
    }
    if history.end in notes:
        print_note(notes[history.end])


def _show_history(history: "History", *, as_json: bool) -> None:
    about: Mapping[str, Any] = {
        "device": history.device,
        "bytes": history.bytes,
        "cache": history.cache,
        "writes": history.writes,
        "flushes": history.flushes,
        "cuts": history.last_cut,
        "end": history.end,
    }
    if as_json:
        print_json(about)
        return
    rows = [
        (name.capitalize(), f"{value:,}" if isinstance(value, int) else value)
        for name, value in about.items()
    ]
    print_table("History", table("Property", "Value", rows=rows))


def _tell(history: "History", explored: "Exploration", keep: Path | None, *, as_json: bool) -> None:
    """Print the result of checking the disk images; `keep` is the folder with the first bad image."""
    bad = explored.bad
    counts = f"{explored.tried:,} of {explored.images:,} images tried, {explored.equal:,} duplicates skipped"
    if bad is None:
        print_note(f"no image is bad: {counts}")
        return
    if not as_json:
        print_table("The first bad image", table("Property", "Value", rows=_rows(history, bad)))
    print_note(f"bad: {counts}")
    if keep is not None:
        print_note(f"the first bad image is {keep / f'cut-{bad.cut}.img'}")
    print_note(f"to write the image again: {_again(history, bad)}")


def _again(history: "History", bad: "Bad | None") -> str | None:
    """Return the ``sledsim crash`` command that writes the first bad image; None if no image is bad."""
    if bad is None:
        return None
    image = shlex.quote(f"{bad.cut}:{bad.choice}")
    return f"sledsim crash {shlex.quote(str(history.path))} --image {image} --out bad.img"


def _rows(history: "History", bad: "Bad") -> list[tuple[str, str]]:
    status = "did not end in time" if bad.status is None else f"exit status {bad.status}"
    if not bad.is_repeatable:
        status += ", but another exit status in a second run"
    said = [line.rstrip() for line in bad.output.splitlines() if line.strip()][-_LINES:]
    when = (
        "at the end"
        if bad.at_s is None
        else f"at {bad.at_s:.6f} s, right after write {bad.cut} was requested"
    )
    return [
        ("Cut", f"{bad.cut} of {history.last_cut}: {when}"),
        ("On the medium", f"{bad.choice} of {len(bad.open)} open writes (found as {bad.found})"),
        *((f"Lost: write {write.number}", _in_words(write, write.kept)) for write in bad.lost[:_NAMED]),
        *_more(bad.lost, "lost"),
        *((f"Kept: write {write.number}", _in_words(write, write.kept)) for write in bad.kept[-_NAMED:]),
        *_more(bad.kept, "kept"),
        ("Checker", f"{status}; {bad.checks} runs to find these writes"),
        *(("", line) for line in said),
    ]


def _more(writes: "Sequence[Write]", what: str) -> list[tuple[str, str]]:
    left = len(writes) - _NAMED
    return [("", f"and {left:,} more {what} writes")] if left > 0 else []


def _in_words(write: "Write", kept: str) -> str:
    words = f"{write.bytes:,} bytes from {write.offset:,} on, at {write.at_s:.6f} s, record row {write.row:,}"
    words += ", replied" if write.is_answered else ", no reply"
    if kept and kept != write.live:
        words += f"; kept sectors: {kept}"
    return words + (f"; torn: {write.torn}" if write.torn else "")


COMMANDS = {"crash": crash}
