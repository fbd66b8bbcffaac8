"""Output files that are either whole or not there: written beside their place, then renamed."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

#: A path as a user may give it.
PathLike = str | os.PathLike[str]


@contextmanager
def replacing(path: PathLike) -> Iterator[Path]:
    """Yield a place to write to; it becomes `path` when the block ends well and vanishes when not.

    The place is made at once, so that an unwritable folder is found before any work is done.

    Raises:
        OSError: The file cannot be written; it is named as the user named it.
    """
    # What a link names is replaced, not the link.
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "cannot write: is a directory", os.fspath(path))
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "cannot write: is a device, not a file", os.fspath(path))
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        part.touch()
        yield part
        part.replace(target)
    except OSError as error:
        why = f"cannot write: {error.strerror or error}"
        raise OSError(error.errno or errno.EIO, why, os.fspath(path)) from error
    finally:
        with suppress(OSError):
            part.unlink()


class _ProbedError(Exception):
    """Leaves `replacing` without writing."""


def check_writable(path: PathLike) -> None:
    """Find out, before a long run, whether a file can be written there; nothing is left behind.

    Raises:
        OSError: It cannot.
    """
    with suppress(_ProbedError), replacing(path):
        raise _ProbedError
