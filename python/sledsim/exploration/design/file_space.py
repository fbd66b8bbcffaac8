"""What files leave of the space of the sectors that hold them (004 5.4, internal fragmentation)."""

from collections.abc import Iterable
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from ... import _native
from ...common.output_files import PathLike

#: The largest size of a file, in bytes: that of a signed number of 64 bits, as systems count them.
_LARGEST = 2**63 - 1


def file_sizes(sizes: Iterable[int]) -> NDArray[np.float64]:
    """Sizes of files in bytes, checked.

    Raises:
        ParameterError: There is none that holds anything, or one is no whole number from 0 to 2^63 - 1.
    """
    expected = f"file_bytes: expected sizes of files in bytes, whole numbers from 0 to {_LARGEST}"
    if not isinstance(sizes, Iterable) or isinstance(sizes, str | bytes):
        raise _native.ParameterError(f"{expected}; found {sizes!r}")
    found = list(sizes)
    for size in found:
        if not isinstance(size, Integral) or isinstance(size, bool) or not 0 <= size <= _LARGEST:
            raise _native.ParameterError(f"{expected}; found {size!r}")
    if not any(found):
        raise _native.ParameterError(f"{expected}, one at least above 0")
    return np.array(found, np.float64)


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
        is_number = text.isascii() and text.isdigit() and len(text) <= len(str(_LARGEST))
        if not is_number or int(text) > _LARGEST:
            raise _native.ParameterError(
                f"{path}:{number}: expected the size of a file in bytes, a whole number from 0 to {_LARGEST},"
                f" found {text[:40]!r}"
            )
        sizes.append(int(text))
    if not any(sizes):
        raise _native.ParameterError(f"{path}: expected sizes of files, found none above 0")
    return sizes
