"""``sledsim crash``: what a loss of power could have left of what was served, under a user's checker."""

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ... import _native
from .. import command_options as options
from ..interruption import left_to_python
from ..output import print_json, print_note, print_table, table
from ..shared import SEED, WORKERS
from ..terminal import counted_progress, progress

if TYPE_CHECKING:
    from ...emulator.crash import Bad, Exploration, History, Write

_of_cuts: Callable[..., Any] = partial(typer.Option, rich_help_panel="Cuts")
_of_checker: Callable[..., Any] = partial(typer.Option, rich_help_panel="Checker")
#: The exit status where an image is bad.
BAD = 1
#: So many writes are named.
_NAMED = 8
#: So many lines of what the checker said are shown.
_LINES = 12


@dataclass(frozen=True)
class Tried:
    """Which images are tried."""

    at: Annotated[
        str,
        _of_cuts(
            metavar="K|K-L|all", help="Power is lost right after write K was asked for, or any of K to L."
        ),
    ] = "all"
    every: Annotated[int, _of_cuts(min=1, help="Of these cuts each so manieth.")] = 1
    samples: Annotated[
        int,
        _of_cuts(
            min=0,
            help="So many subsets of the open writes are drawn at each cut, besides what is always tried.",
        ),
    ] = 4
    atomic: Annotated[
        int,
        _of_cuts(
            min=512,
            help="So many bytes of a write are there or not as a whole: 512, or 4096 as of many disks.",
        ),
    ] = 512
    seed: Annotated[int, SEED(" that choose the cuts and writes", min=0, rich_help_panel="Cuts")] = 1
    torn: Annotated[
        bool, _of_cuts("--torn", help="Try at each cut some sectors that cannot be read, too.")
    ] = False


@dataclass(frozen=True)
class Checking:
    """How they are checked."""

    check: Annotated[
        str | None,
        _of_checker(
            metavar="COMMAND",
            help="A command for sh, such as 'e2fsck -fn $image': status 0 says that the image is good.",
        ),
    ] = None
    workers: Annotated[
        int | None,
        WORKERS(": checkers at a time", min=1, rich_help_panel="Checker"),
    ] = None
    check_s: Annotated[
        float,
        _of_checker(min=0.001, help="A checker that takes longer is ended: bad."),
    ] = 60.0


def crash(
    *,
    history_path: Annotated[
        Path, typer.Argument(metavar="HISTORY", help="What 'sledsim serve --history' has written.")
    ],
    checking: Checking,
    tried: Tried,
    image: Annotated[
        str | None,
        options.of_output(
            metavar="CUT[:CHOICE]",
            help="Write that image, and check nothing: of the open writes those that CHOICE says, such as"
            " lost=3,7; all if not given. With --out.",
        ),
    ] = None,
    out: Annotated[Path | None, options.of_output(help="The file of that image.")] = None,
    keep: Annotated[Path | None, options.of_output(help="Put a bad image into this folder.")] = None,
    as_json: options.JsonOption = False,
) -> None:
    """Try what power could have taken of what was served: images of the medium after a cut at every write.

    A checker is run on each, in parallel, up to the first that is bad; the exit status is then 1. Of that one
    it is said which writes have to be lost, or to be there, for it.

    Without --check it is said what the history has.
    """
    from ...emulator.crash import History

    _check_options(checking.check, image, out, keep)
    try:
        history = History(history_path)
    except OSError as error:
        # Status 1 says that an image is bad.
        part = history_path.with_name(f"{history_path.name}.part")
        killed = f": {part} is what a server that was killed has written" if part.is_file() else ""
        raise _native.ParameterError(f"{history_path}: {error.strerror}{killed}") from error
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
    """Refuse options that do not belong together."""
    if (image is None) != (out is None):
        raise _native.ParameterError("--image and --out: expected both or none, found one")
    if image is not None and check is not None:
        raise _native.ParameterError(
            "--image: expected no --check beside it: it writes an image and checks nothing"
        )
    if keep is not None and check is None:
        raise _native.ParameterError("--keep: expected a --check, which finds what is kept")


def _explore(history: "History", checking: Checking, tried: Tried, keep: Path | None) -> "Exploration":
    from ...emulator.crash import explore

    assert checking.check is not None
    first, last = _parse_cuts(tried.at, history.last_cut)
    with progress("finding images that differ", last - first + 1) as report:
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
    with left_to_python(), counted_progress("checking", len(plan.images), "images") as report:
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
    """The first and the last cut.

    Raises:
        ParameterError: It is no such text.
    """
    if text == "all":
        return 1, last
    found = re.fullmatch(r"(\d*)(-?)(\d*)", text.strip())
    if found is None or not (found[1] or found[3]):
        raise _native.ParameterError(
            f"--at: expected a cut, as 5, or cuts, as 5-9, 5- or all, found {text!r}"
        )
    first = int(found[1] or 1)
    return first, int(found[3] or last) if found[2] else first


def _parse_image(text: str) -> tuple[int, str]:
    """A cut and a choice.

    Raises:
        ParameterError: It is no such text.
    """
    cut, _, choice = text.partition(":")
    if not cut.isdecimal():
        raise _native.ParameterError(f"--image: expected a cut, as 5 or 5:lost=3, found {text!r}")
    return int(cut), choice or "all"


def _tell_end(history: "History") -> None:
    notes = {
        "cut off": "the history was not closed: it has what was written up to its last whole record",
        "overrun": "the history ends early: its disk could not keep up with the server",
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
    print_table("History", table("What", "Value", rows=rows))


def _tell(history: "History", explored: "Exploration", keep: Path | None, *, as_json: bool) -> None:
    """Say what was found."""
    bad = explored.bad
    counts = f"{explored.tried:,} of {explored.images:,} images tried, {explored.equal:,} equal ones left out"
    if bad is None:
        print_note(f"none is bad: {counts}")
        return
    if not as_json:
        print_table("The first bad image", table("What", "Value", rows=_rows(history, bad)))
    print_note(f"bad: {counts}")
    if keep is not None:
        print_note(f"the image is {keep / f'cut-{bad.cut}.img'}")
    print_note(f"this writes it again: {_again(history, bad)}")


def _again(history: "History", bad: "Bad | None") -> str | None:
    """The command that writes the image again."""
    if bad is None:
        return None
    image = shlex.quote(f"{bad.cut}:{bad.choice}")
    return f"sledsim crash {shlex.quote(str(history.path))} --image {image} --out bad.img"


def _rows(history: "History", bad: "Bad") -> list[tuple[str, str]]:
    status = "did not end in time" if bad.status is None else f"status {bad.status}"
    if not bad.is_repeatable:
        status += ", but not when it was asked again"
    said = [line.rstrip() for line in bad.output.splitlines() if line.strip()][-_LINES:]
    when = (
        "at the end"
        if bad.at_s is None
        else f"at {bad.at_s:.6f} s, right after write {bad.cut} was asked for"
    )
    return [
        ("Cut", f"{bad.cut} of {history.last_cut}: {when}"),
        ("On the medium", f"{bad.choice} of {len(bad.open)} open writes (found as {bad.found})"),
        *((f"Lost: write {write.number}", _in_words(write, write.kept)) for write in bad.lost[:_NAMED]),
        *_more(bad.lost, "lost"),
        *((f"There: write {write.number}", _in_words(write, write.kept)) for write in bad.kept[-_NAMED:]),
        *_more(bad.kept, "there"),
        ("Checker", f"{status}; asked {bad.checks} times to find what it takes"),
        *(("", line) for line in said),
    ]


def _more(writes: "Sequence[Write]", what: str) -> list[tuple[str, str]]:
    left = len(writes) - _NAMED
    return [("", f"and {left:,} more that are {what}")] if left > 0 else []


def _in_words(write: "Write", kept: str) -> str:
    words = f"{write.bytes:,} bytes from {write.offset:,} on, at {write.at_s:.6f} s, row {write.row:,}"
    words += ", answered" if write.is_answered else ", not answered"
    if kept and kept != write.live:
        words += f"; of its sectors there are {kept}"
    return words + (f"; torn are {write.torn}" if write.torn else "")


COMMANDS = {"crash": crash}
