"""What files leave of the space of the sectors that hold them (004 5.4, internal fragmentation)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..files import PathLike


def file_sizes(sizes: Sequence[int] | NDArray[np.integer]) -> NDArray[np.float64]:
    """Sizes of files in bytes, checked.

    Raises:
        ParameterError: There is none that holds anything, or one is no number from 0.
    """
    try:
        found = np.asarray(sizes, np.float64)
    except (TypeError, ValueError):
        raise _native.ParameterError("file_bytes: expected sizes of files in bytes") from None
    if found.ndim != 1 or not np.isfinite(found).all() or (found < 0).any() or not found.sum() > 0:
        raise _native.ParameterError(
            "file_bytes: expected sizes of files in bytes, each a number from 0, one at least above 0"
        )
    return found


def file_share(sizes: NDArray[np.float64], sector_bytes: int) -> float:
    """Of the sectors that hold such files the part that they fill.

    A file has sectors to itself, and so does not use what is left of its last one.
    """
    return float(sizes.sum() / (np.ceil(sizes / sector_bytes) * sector_bytes).sum())


def read_file_sizes(path: PathLike) -> list[int]:
    r"""Read sizes of files, one a line in bytes, as ``find . -type f -printf '%s\n'`` prints them.

    Raises:
        ParameterError: A line holds something else; the message names file and line.
        OSError: It cannot be read.
    """
    sizes = []
    for number, line in enumerate(_native.read_text(path).splitlines(), 1):
        text = line.strip()
        if not (text.isascii() and text.isdigit() and len(text) < 19):
            raise _native.ParameterError(
                f"{path}:{number}: expected the size of a file in bytes, found {text[:40]!r}"
            )
        sizes.append(int(text))
    if not any(sizes):
        raise _native.ParameterError(f"{path}: expected sizes of files, found none above 0")
    return sizes
