"""Capacity that files leave unused in their last sectors (004 5.4, internal fragmentation)."""

from collections.abc import Iterable
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from ... import _native
from ...common.output_files import PathLike

#: Largest accepted size of a file in bytes: the largest signed 64-bit number, as in file systems.
_LARGEST = 2**63 - 1


def file_sizes(sizes: Iterable[int]) -> NDArray[np.float64]:
    """Check sizes of files in bytes, and return them as an array.

    Raises:
        ParameterError: All files are empty, or a size is not a whole number from 0 to 2^63 - 1.
    """
    expected = f"sizes of files in bytes, whole numbers from 0 to {_LARGEST}"
    if not isinstance(sizes, Iterable) or isinstance(sizes, str | bytes):
        raise _native.ParameterError(f"file_bytes: expected {expected}; found {sizes!r}")
    found = list(sizes)
    for size in found:
        if not isinstance(size, Integral) or isinstance(size, bool) or not 0 <= size <= _LARGEST:
            raise _native.ParameterError(f"file_bytes: expected {expected}; found {size!r}")
    if not any(found):
        raise _native.ParameterError(f"file_bytes: expected {expected}; found no size above 0")
    return np.array(found, np.float64)


def file_share(sizes: NDArray[np.float64], sector_bytes: int) -> float:
    """Return the used share of the sectors that files of these sizes occupy.

    No two files share a sector, so that the rest of the last sector of each file is unused.
    """
    return float(sizes.sum() / (np.ceil(sizes / sector_bytes) * sector_bytes).sum())


def read_file_sizes(path: PathLike) -> list[int]:
    r"""Read sizes of files, one per line in bytes, as ``find . -type f -printf '%s\n'`` prints them.

    Raises:
        ParameterError: A line is not the size of a file; the message names the file and the line.
        OSError: The file cannot be read.
    """
    sizes = []
    for number, line in enumerate(_native.read_text(path).splitlines(), 1):
        text = line.strip()
        is_number = text.isascii() and text.isdigit() and len(text) <= len(str(_LARGEST))
        if not is_number or int(text) > _LARGEST:
            raise _native.ParameterError(
                f"{path}:{number}: expected the size of a file in bytes, a whole number from 0 to {_LARGEST},"
                f" found {text[:40]!r}"
            )
        sizes.append(int(text))
    if not any(sizes):
        raise _native.ParameterError(f"{path}: expected at least one size above 0, found none")
    return sizes
