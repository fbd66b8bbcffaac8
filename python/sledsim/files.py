"""Output files that are either whole or not there: written beside their place, then renamed."""

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow

#: A path as a user may give it.
PathLike = str | os.PathLike[str]
#: Standard input, where a path is asked for.
STANDARD_INPUT = "-"
#: The endings of a table's files, and of a chart's.
TABLES = ("parquet", "csv")
CHARTS = ("html", "png", "svg")


def can_be_read_again(path: str) -> bool:
    """Whether a path names a file, not a pipe or standard input, of which each byte can be read once only."""
    return path != STANDARD_INPUT and Path(path).is_file()


#: What is being written by this process.
_unfinished: set[Path] = set()


def remove_unfinished() -> None:
    """Take away what is being written, where this process has to end at once."""
    for part in list(_unfinished):
        with suppress(OSError):
            part.unlink()


@contextmanager
def replacing(path: PathLike) -> Iterator[Path]:
    """Yield a place to write to; it becomes `path` when the block ends well and vanishes when not.

    The place is made at once, so that an unwritable folder is found before any work is done. Where `path` is
    a character device, such as ``/dev/null``, the place is the device itself.

    Raises:
        OSError: The file cannot be written; it is named as the user named it.
    """
    # What a link names is replaced, not the link.
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "cannot write: is a directory", os.fspath(path))
    if target.is_char_device():
        with _named(path):
            yield target
        return
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "cannot write: is a device, not a file", os.fspath(path))
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    _unfinished.add(part)
    try:
        with _named(path):
            part.touch()
            yield part
            part.replace(target)
    finally:
        _unfinished.discard(part)
        with suppress(OSError):
            part.unlink()


@contextmanager
def _named(path: PathLike) -> Iterator[None]:
    """Name in an error the file as the user named it."""
    try:
        yield
    except OSError as error:
        why = f"cannot write: {error.strerror or error}"
        raise OSError(error.errno or errno.EIO, why, os.fspath(path)) from error


class _ProbedError(Exception):
    """Leaves `replacing` without writing."""


def check_writable(path: PathLike) -> None:
    """Find out, before a long run, whether a file can be written there; nothing is left behind.

    Raises:
        OSError: It cannot.
    """
    with suppress(_ProbedError), replacing(path):
        raise _ProbedError


def check_folder(folder: PathLike, name: str) -> None:
    """Find out, before long work, whether a table and a chart of that name can be written to a folder.

    Args:
        folder: Where they are to be written; it need not be there. Nothing is left behind.
        name: Of the files, without ending.

    Raises:
        OSError: They cannot.
    """
    path = Path(folder)
    there = next(place for place in (path, *path.parents) if place.exists())
    for ending in (*TABLES, *CHARTS):
        check_writable(there / f"{name}.{ending}")


def write_table(table: "pyarrow.Table", folder: PathLike, name: str) -> list[Path]:
    """Write a table as Parquet, with its metadata, and as CSV, into a folder that is made if need be.

    Raises:
        OSError: A file cannot be written; no part of it is left.
    """
    import pyarrow.csv
    import pyarrow.parquet

    writers = (pyarrow.parquet.write_table, pyarrow.csv.write_csv)
    Path(folder).mkdir(parents=True, exist_ok=True)
    written = []
    for ending, write in zip(TABLES, writers, strict=True):
        path = Path(folder) / f"{name}.{ending}"
        with replacing(path) as part:
            write(table, part)
        written.append(path)
    return written


def file_name(text: str) -> str:
    """A text as part of a file's name: what a shell or a file system may trip over becomes a dash."""
    return re.sub(r"[^\w.-]", "-", text, flags=re.ASCII)
