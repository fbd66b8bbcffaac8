"""Output files: each is written under a temporary name and then renamed, so no partial file is seen."""

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
#: Endings of the files to which a table is written (`TABLES`), and to which a chart is written (`CHARTS`).
TABLES = ("parquet", "csv")
CHARTS = ("html", "png", "svg")


def can_be_read_again(path: str) -> bool:
    """Return True if a path is a regular file; other inputs, such as pipes, can be read only once."""
    try:
        return path != STANDARD_INPUT and Path(path).is_file()
    except OSError:  # The text is too long for a name.
        return False


def check_name(path: PathLike) -> None:
    """Check that the operating system can encode a path as a file name.

    Raises:
        ParameterError: The path has half of a surrogate pair, which is no character.
    """
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        found = os.fspath(path)
        raise _native.ParameterError(f"expected names in UTF-8, found {found!r}") from None


def check_file(path: PathLike) -> None:
    """Check that a path is a regular file; reading a FIFO or a terminal could wait without end.

    A missing or unreadable path passes; opening it raises the error.

    Raises:
        ParameterError: The path is a FIFO, a device such as a terminal, or a socket; or its name cannot be
            encoded.
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
    """Check that an output has a valid file name, which is not ``-``.

    Raises:
        ParameterError: The name cannot be encoded, or is ``-``, which means standard output.
    """
    check_name(path)
    if os.fspath(path) == STANDARD_OUTPUT:
        raise _native.ParameterError(
            f"expected the name of a file or folder to write, found {STANDARD_OUTPUT!r}: this output does not"
            " go to standard output; give a file name"
        )


def check_replaceable(path: PathLike, *, is_locked: bool = False) -> None:
    """Check that a command may replace an existing file.

    Raises:
        ParameterError: The command reads the existing file, or another process has locked it; servers lock
            their images, and studies lock their ledgers.
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
                    f"{os.fspath(path)}: another process uses this file, so it is not replaced:"
                    " end that process, or give another name"
                ) from None
            finally:
                os.close(file)


@contextmanager
def in_use(path: PathLike) -> Iterator[None]:
    """Lock an existing file until the block ends, so that no other command replaces it."""
    with Path(path).open("rb") as file:
        # The file system may have no locks.
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        yield


@contextmanager
def writing(path: PathLike, *, is_locked: bool = False) -> Iterator[IO[bytes]]:
    """Yield an open file that replaces `path` when the block ends, unless the block raises an error.

    The file is created at once under another name in the same folder, so that an unwritable folder raises an
    error before any work. A FIFO or a character device such as ``/dev/null`` is written directly; opening a
    FIFO waits for a reader.

    Args:
        path: The file.
        is_locked: True if this process itself holds a lock on the existing file.

    Raises:
        OSError: The file cannot be written; the error names `path`, not the temporary file.
        ParameterError: The path is ``-``, the command reads the file, or another process uses the file.
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
    """Write a text as UTF-8; halves of surrogate pairs, which UTF-8 does not have, are escaped.

    Raises:
        OSError: The file cannot be written; no partial file is left.
    """
    with writing(path) as file:
        file.write(text.encode("utf-8", "backslashreplace"))
    return Path(path)


def _is_stream(path: PathLike) -> bool:
    """Return True if a path is a character device or a FIFO, which is written directly.

    Raises:
        OSError: The path is a folder, a block device or a socket.
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
            raise OSError(number, f"expected a file, found a {what}", os.fspath(path))
    return not stat.S_ISREG(mode)


@contextmanager
def naming(path: PathLike) -> Iterator[None]:
    """During the block, turn each `OSError` about a temporary file into one about the user's `path`."""
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
    """Error that ends a `writing` block, so that the block leaves no file."""


def check_writable(path: PathLike) -> None:
    """Check before a long run that a file can be written to a path, without leaving a file.

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
    """Check before a long run that a table and a chart can be written to a folder, without leaving files.

    Args:
        folder: Folder of the files, which need not exist.
        name: Name of the files without ending.

    Raises:
        OSError: The files cannot be written.
    """
    there = existing_folder(folder)
    for ending in (*TABLES, *CHARTS):
        try:
            check_writable(there / f"{name}.{ending}")
        except OSError as error:
            # The tested path is above `folder` if that does not exist.
            raise type(error)(error.errno, error.strerror, str(Path(folder) / f"{name}.{ending}")) from None


def existing_folder(folder: PathLike) -> Path:
    """Return the folder if it exists, otherwise the nearest folder above it that exists.

    Raises:
        NotADirectoryError: The path is a file.
        ParameterError: The path is ``-``, standard output.
    """
    check_output_name(folder)
    path = Path(folder)
    there = next(place for place in (path, *path.parents) if place.exists())
    if not there.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "cannot write: is a file, not a folder", os.fspath(there))
    return there


def make_folder(folder: PathLike) -> None:
    """Create a folder, and missing folders above it, unless it exists.

    Raises:
        OSError: The folder cannot be created; NotADirectoryError if the path is a file.
    """
    existing_folder(folder)
    Path(folder).mkdir(parents=True, exist_ok=True)


def write_csv(path: PathLike, headings: Iterable[str], rows: Iterable[Iterable[object]]) -> Path:
    """Write headings and rows to a CSV file.

    Raises:
        OSError: The file cannot be written; no partial file is left.
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([headings, *rows])
    return write_text(path, text.getvalue())


def write_table(table: "pyarrow.Table", folder: PathLike, name: str) -> list[Path]:
    """Write a table as Parquet (with its metadata) and as CSV into a folder, which is created if missing.

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
    """Return a text for use in a file name, with dashes instead of special characters."""
    return re.sub(r"[^\w.-]", "-", text, flags=re.ASCII)
