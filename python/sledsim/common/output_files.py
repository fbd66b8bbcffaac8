"""Output files that are either complete or absent: each is written to a part file, then renamed."""

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

#: Name of standard output, for traces and device parameters.
STANDARD_OUTPUT = "-"
#: Endings of the files of a table, and of a chart.
TABLES = ("parquet", "csv")
CHARTS = ("html", "png", "svg")


def can_be_read_again(path: str) -> bool:
    """Return True if a path names a file, not a pipe or standard input, whose bytes can be read only once."""
    try:
        return path != STANDARD_INPUT and Path(path).is_file()
    except OSError:  # The text is too long for a name.
        return False


def check_name(path: PathLike) -> None:
    """Check that a file can have this name.

    Raises:
        ParameterError: The name has a lone surrogate, which no encoding has.
    """
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        found = os.fspath(path)
        raise _native.ParameterError(f"expected names in UTF-8, found {found!r}") from None


def check_file(path: PathLike) -> None:
    """Check that a path is a regular file, before a read that would wait or never end.

    A path that cannot be inspected passes; opening it raises the error.

    Raises:
        ParameterError: The path is a FIFO or another pipe, a terminal or another device, a socket, or no
            valid name.
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
    """Check that an output can be written under this name.

    Raises:
        ParameterError: The name is no file name, or that of standard output, which takes no files.
    """
    check_name(path)
    if os.fspath(path) == STANDARD_OUTPUT:
        raise _native.ParameterError(
            f"expected the name of a file or folder to write, found {STANDARD_OUTPUT!r}: this output does not"
            " go to standard output; give a file name"
        )


def check_replaceable(path: PathLike, *, is_locked: bool = False) -> None:
    """Check that a file to be written may replace the existing file.

    Raises:
        ParameterError: The command reads the existing file, or another process has locked it, as servers lock
            their images and studies their ledgers.
    """
    claim_written(path)
    # The file may be writable but not readable, or its file system may have no locks.
    with suppress(OSError, UnicodeError):
        if not is_locked and stat.S_ISREG(Path(path).stat().st_mode):
            file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise _native.ParameterError(
                    f"{os.fspath(path)}: expected a file that may be replaced, found a file that another"
                    " process uses, such as the image of a server: end that process, or give another name"
                ) from None
            finally:
                os.close(file)


@contextmanager
def in_use(path: PathLike) -> Iterator[None]:
    """Keep other commands from replacing an existing file until the block ends."""
    with Path(path).open("rb") as file:
        # The file system may have no locks.
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        yield


@contextmanager
def writing(path: PathLike, *, is_locked: bool = False) -> Iterator[IO[bytes]]:
    """Yield an open file for `path`, which is replaced if the block ends well, and otherwise unchanged.

    A part file is created at once next to `path`, so that an unwritable folder raises an error before any
    work, and renamed at the end. A character device, such as ``/dev/null``, and a FIFO are written directly:
    they are neither removed nor replaced, and written data stays. A FIFO waits for a reader.

    Args:
        path: The file.
        is_locked: True if this process has locked the existing file.

    Raises:
        OSError: The file cannot be written; the error names it as the user did.
        ParameterError: The path is the name of standard output, the command reads this file, or another
            process uses it.
    """
    with naming(path):
        check_replaceable(path, is_locked=is_locked)
        if _is_stream(path):
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_NOCTTY | os.O_CLOEXEC), "wb") as file:
                yield file
            return
        # Replace the target of a link, not the link.
        with part_file(Path(os.path.realpath(path))) as file:
            yield file
        note_written(path)


def write_text(path: PathLike, text: str) -> Path:
    """Write a text as UTF-8; lone surrogates, which UTF-8 does not have, are escaped.

    Raises:
        OSError: The file cannot be written; no partial file is left.
    """
    with writing(path) as file:
        file.write(text.encode("utf-8", "backslashreplace"))
    return Path(path)


def _is_stream(path: PathLike) -> bool:
    """Return True if a path names a device or a FIFO, which takes bytes as they come.

    Raises:
        OSError: The path names a folder, a block device or a socket.
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
    """Name the file as the user did in an error of writing; errors of other files stay unchanged."""
    check_output_name(path)
    target = Path(os.path.realpath(path))
    try:
        yield
    except OSError as error:
        named = Path(error.filename or path)
        if named != Path(path) and not belongs_to(target, named):
            raise
        why = f"cannot write: {error.strerror or error}"
        # On a closed standard output a command ends silently; this is another pipe.
        number = errno.EIO if error.errno in (None, errno.EPIPE) else error.errno
        raise OSError(number, why, os.fspath(path)) from error


class _ProbedError(Exception):
    """A signal to leave `writing` without writing."""


def check_writable(path: PathLike) -> None:
    """Check before a long run that a file can be written to a path; nothing is left behind.

    Raises:
        OSError: The file cannot be written.
    """
    with naming(path):
        if _is_stream(path):
            # Opening a FIFO would wait for its reader, and closing it would end the reader.
            if not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
            return
    with suppress(_ProbedError), writing(path):
        raise _ProbedError


def check_folder(folder: PathLike, name: str) -> None:
    """Check before long work that a table and a chart of that name can be written to a folder.

    Args:
        folder: Folder of the files, which may be missing. Nothing is left behind.
        name: File name without ending.

    Raises:
        OSError: The files cannot be written.
    """
    there = existing_folder(folder)
    for ending in (*TABLES, *CHARTS):
        try:
            check_writable(there / f"{name}.{ending}")
        except OSError as error:
            # The tested file may stand above the folder that is meant.
            raise type(error)(error.errno, error.strerror, str(Path(folder) / f"{name}.{ending}")) from None


def existing_folder(folder: PathLike) -> Path:
    """Return the nearest existing folder: the folder itself, or one above it, in which it can be created.

    Raises:
        NotADirectoryError: The path is a file.
        ParameterError: The path is the name of standard output.
    """
    check_output_name(folder)
    path = Path(folder)
    there = next(place for place in (path, *path.parents) if place.exists())
    if not there.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "cannot write: is not a folder", os.fspath(there))
    return there


def make_folder(folder: PathLike) -> None:
    """Create a folder and those above it, if missing.

    Raises:
        OSError: The folder cannot be created; NotADirectoryError if a file stands in its place.
    """
    existing_folder(folder)
    Path(folder).mkdir(parents=True, exist_ok=True)


def write_csv(path: PathLike, headings: Iterable[str], rows: Iterable[Iterable[object]]) -> Path:
    """Write rows as CSV.

    Raises:
        OSError: The file cannot be written; no partial file is left.
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([headings, *rows])
    return write_text(path, text.getvalue())


def write_table(table: "pyarrow.Table", folder: PathLike, name: str) -> list[Path]:
    """Write a table as Parquet, with its metadata, and as CSV, into a folder, which is created if missing.

    Raises:
        OSError: A file cannot be written; no partial file is left.
    """
    writers = (pyarrow.parquet.write_table, pyarrow.csv.write_csv)
    make_folder(folder)
    written = [Path(folder) / f"{name}.{ending}" for ending in TABLES]
    with ExitStack() as left:
        # Rename both files, or none.
        files = [left.enter_context(writing(path)) for path in written]
        for file, write in zip(files, writers, strict=True):
            write(table, file)
    return written


def file_name(text: str) -> str:
    """Return a text as part of a file name, with dashes for characters that shells or file systems reject."""
    return re.sub(r"[^\w.-]", "-", text, flags=re.ASCII)
