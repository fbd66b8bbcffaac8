"""Output files that are either whole or not there: written beside their place, then renamed."""

import csv
import errno
import fcntl
import io
import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO

from .. import _native
from .arrow import pyarrow
from .command_files import (
    STANDARD_INPUT as STANDARD_INPUT,
    PathLike as PathLike,
    claim_written,
    note_written,
)
from .part_files import belongs_to, part_file

#: Standard output, where a trace or the parameters of a device may go to it.
STANDARD_OUTPUT = "-"
#: The endings of a table's files, and of a chart's.
TABLES = ("parquet", "csv")
CHARTS = ("html", "png", "svg")


def can_be_read_again(path: str) -> bool:
    """Whether a path names a file, not a pipe or standard input, of which each byte can be read once only."""
    try:
        return path != STANDARD_INPUT and Path(path).is_file()
    except OSError:  # It is too long for a name.
        return False


def check_name(path: PathLike) -> None:
    """Find out whether a file can have this name.

    Raises:
        ParameterError: It has half of a character, which no system can say.
    """
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        found = os.fspath(path)
        raise _native.ParameterError(f"expected names in UTF-8, found {found!r}") from None


def check_file(path: PathLike) -> None:
    """Find out whether something is a file where one is expected, before it is waited for or has no end.

    What cannot be looked at is left to whoever opens it.

    Raises:
        ParameterError: It is a FIFO or another pipe, a terminal or another device, or a socket; or no name.
    """
    check_name(path)
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):
        return
    for is_such, what in (
        (stat.S_ISFIFO, "a FIFO"),
        (stat.S_ISCHR, "a terminal or another device"),
        (stat.S_ISBLK, "a block device"),
        (stat.S_ISSOCK, "a socket"),
    ):
        if is_such(mode):
            raise _native.ParameterError(f"{os.fspath(path)}: expected a file, found {what}")


def check_output_name(path: PathLike) -> None:
    """Find out whether something can be written under this name.

    Raises:
        ParameterError: It is no name of a file, or that of standard output, where files do not go.
    """
    check_name(path)
    if os.fspath(path) == STANDARD_OUTPUT:
        raise _native.ParameterError(
            f"expected the name of a file or folder to write, found {STANDARD_OUTPUT!r}: this output does not"
            " go to standard output; give it a name"
        )


def check_replaceable(path: PathLike, *, is_locked: bool = False) -> None:
    """Find out whether a file that is about to be written may take the place of the one that is there.

    Raises:
        ParameterError: The command reads that one, or another process has locked it, as servers lock their
            images and studies their ledgers.
    """
    claim_written(path)
    # It may be written without being readable, or stand in a file system without locks.
    with suppress(OSError, UnicodeError):
        if not is_locked and stat.S_ISREG(Path(path).stat().st_mode):
            file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise _native.ParameterError(
                    f"{os.fspath(path)}: expected a file that may be replaced, found one that another process"
                    " uses, such as the image of a server: end that first, or give another name"
                ) from None
            finally:
                os.close(file)


@contextmanager
def in_use(path: PathLike) -> Iterator[None]:
    """Keep a file that is there from being replaced by other commands, until the block ends."""
    with Path(path).open("rb") as file:
        # A file system may be without locks.
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        yield


@contextmanager
def writing(path: PathLike, *, is_locked: bool = False) -> Iterator[IO[bytes]]:
    """Yield an open file: `path` has what was written when the block ends well, and is as it was when not.

    It is made at once, beside `path`, so that an unwritable folder is found before any work is done, and
    renamed at the end. A character device, such as ``/dev/null``, and a FIFO are written to as they stand:
    they are neither removed nor replaced, and what has gone into them stays there. A FIFO waits for a reader.

    Args:
        path: The file.
        is_locked: Whether this process has locked the one that is there.

    Raises:
        OSError: The file cannot be written; it is named as the user named it.
        ParameterError: It is the name of standard output, or the command reads this file, or another process
            uses it.
    """
    with naming(path):
        check_replaceable(path, is_locked=is_locked)
        if _is_stream(path):
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_NOCTTY | os.O_CLOEXEC), "wb") as file:
                yield file
            return
        # What a link names is replaced, not the link.
        with part_file(Path(os.path.realpath(path))) as file:
            yield file
        note_written(path)


def write_text(path: PathLike, text: str) -> Path:
    """Write a text as UTF-8; half of a surrogate pair, which UTF-8 has not, is written as its escape.

    Raises:
        OSError: The file cannot be written; no part of it is left.
    """
    with writing(path) as file:
        file.write(text.encode("utf-8", "backslashreplace"))
    return Path(path)


def _is_stream(path: PathLike) -> bool:
    """Whether a path names a device or a FIFO that takes bytes as they come.

    Raises:
        OSError: It names a folder, a block device or a socket.
    """
    try:
        mode = Path(path).stat().st_mode
    except FileNotFoundError:
        return False
    for is_such, number, what in (
        (stat.S_ISDIR, errno.EISDIR, "directory"),
        (stat.S_ISBLK, errno.EINVAL, "block device"),
        (stat.S_ISSOCK, errno.EINVAL, "socket"),
    ):
        if is_such(mode):
            raise OSError(number, f"is a {what}", os.fspath(path))
    return not stat.S_ISREG(mode)


@contextmanager
def naming(path: PathLike) -> Iterator[None]:
    """Say in an error that a file cannot be written, as the user named it; errors of other files stay."""
    check_output_name(path)
    target = Path(os.path.realpath(path))
    try:
        yield
    except OSError as error:
        named = Path(error.filename or path)
        if named != Path(path) and not belongs_to(target, named):
            raise
        why = f"cannot write: {error.strerror or error}"
        # Where standard output is closed a command ends without a word: this is another pipe.
        number = errno.EIO if error.errno in (None, errno.EPIPE) else error.errno
        raise OSError(number, why, os.fspath(path)) from error


class _ProbedError(Exception):
    """Leaves `writing` without writing."""


def check_writable(path: PathLike) -> None:
    """Find out, before a long run, whether a file can be written there; nothing is left behind.

    Raises:
        OSError: It cannot.
    """
    with naming(path):
        if _is_stream(path):
            # To open a FIFO would wait for its reader, and to close it again would be the end for him.
            if not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
            return
    with suppress(_ProbedError), writing(path):
        raise _ProbedError


def check_folder(folder: PathLike, name: str) -> None:
    """Find out, before long work, whether a table and a chart of that name can be written to a folder.

    Args:
        folder: Where they are to be written; it need not be there. Nothing is left behind.
        name: Of the files, without ending.

    Raises:
        OSError: They cannot.
    """
    there = existing_folder(folder)
    for ending in (*TABLES, *CHARTS):
        try:
            check_writable(there / f"{name}.{ending}")
        except OSError as error:
            # The file that was tried may stand above the folder that is meant.
            raise type(error)(error.errno, error.strerror, str(Path(folder) / f"{name}.{ending}")) from None


def existing_folder(folder: PathLike) -> Path:
    """A folder, or the nearest above it that there is, in which it can be made.

    Raises:
        NotADirectoryError: It is a file.
        ParameterError: It is the name of standard output.
    """
    check_output_name(folder)
    path = Path(folder)
    there = next(place for place in (path, *path.parents) if place.exists())
    if not there.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "cannot write: is not a folder", os.fspath(there))
    return there


def make_folder(folder: PathLike) -> None:
    """Make a folder if need be, and those above it.

    Raises:
        OSError: It cannot be made; NotADirectoryError where a file stands in its place.
    """
    existing_folder(folder)
    Path(folder).mkdir(parents=True, exist_ok=True)


def write_csv(path: PathLike, headings: Iterable[str], rows: Iterable[Iterable[object]]) -> Path:
    """Write rows as CSV.

    Raises:
        OSError: The file cannot be written; no part of it is left.
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([headings, *rows])
    return write_text(path, text.getvalue())


def write_table(table: "pyarrow.Table", folder: PathLike, name: str) -> list[Path]:
    """Write a table as Parquet, with its metadata, and as CSV, into a folder that is made if need be.

    Raises:
        OSError: A file cannot be written; no part of it is left.
    """
    writers = (pyarrow.parquet.write_table, pyarrow.csv.write_csv)
    make_folder(folder)
    written = [Path(folder) / f"{name}.{ending}" for ending in TABLES]
    with ExitStack() as left:
        # Both take their names or none does.
        files = [left.enter_context(writing(path)) for path in written]
        for file, write in zip(files, writers, strict=True):
            write(table, file)
    return written


def file_name(text: str) -> str:
    """A text as part of a file's name: what a shell or a file system may trip over becomes a dash."""
    return re.sub(r"[^\w.-]", "-", text, flags=re.ASCII)
