"""Most popular extents of a trace, as a table for the layout ``by-popularity``."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ... import _native
from ...common.arguments import check_whole
from ...common.output_files import PathLike, write_csv
from ..streams import TraceStream
from ..trace import Trace

#: Headings of the columns of the CSV file.
_HEADINGS = ("first_block", "blocks", "accesses")


@dataclass(frozen=True, eq=False)
class PopularExtents:
    """Extents of a trace, the most requested first; of equally popular ones, the lower address first.

    Adjacent extents with equal numbers of accesses are merged, so that data that are only read or written
    sequentially stay together.

    Attributes:
        source: Source of the requests.
        first_block: First block of 512 bytes of each extent.
        blocks: Number of 512-byte blocks of each extent; the last extent of the trace may be shorter.
        accesses: Number of reads and writes that touch each extent. If several extents were merged, each of
            them has this number.
    """

    source: str
    first_block: NDArray[np.int64]
    blocks: NDArray[np.int64]
    accesses: NDArray[np.int64]

    @property
    def rows(self) -> list[list[int]]:
        """List of [first block, number of blocks] per extent, for ``device(..., layout_popularity=rows)``."""
        pairs: list[list[int]] = np.column_stack([self.first_block, self.blocks]).tolist()
        return pairs

    def write(self, path: PathLike) -> None:
        """Write the extents as a CSV file, which ``layout_popularity`` in a device file can name.

        Raises:
            OSError: The file cannot be written; no part of it is left.
        """
        columns = (self.first_block.tolist(), self.blocks.tolist(), self.accesses.tolist())
        write_csv(path, _HEADINGS, zip(*columns, strict=True))


def popular_extents(
    trace: Trace | TraceStream, extent_blocks: int = 2048, most: int | None = None
) -> PopularExtents:
    """Count the reads and writes that touch each extent, and rank the extents by these counts.

    Args:
        trace: Trace of one device; a stream is read to its end.
        extent_blocks: Number of blocks of 512 bytes in an extent; extents start at multiples of this number.
        most: Largest number of extents to keep, the most popular ones first; None keeps all that requests
            touch.

    Raises:
        ParameterError: An argument is out of range, or the trace has requests to several devices.
        TraceError: The trace has no read or write, or cannot be read.
    """
    check_whole("extent_blocks", extent_blocks, 1, 2**40)
    if most is not None:
        check_whole("most", most, 1)
    counts = _Counts(trace.source, extent_blocks)
    for batch in trace if isinstance(trace, TraceStream) else [trace]:
        counts.add(batch.transfers())
    return counts.ranked(most)


@dataclass
class _Counts:
    """Number of reads and writes that touch each extent, counted batch by batch."""

    source: str
    extent_blocks: int
    extents: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    accesses: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    devices: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    end: int = 0

    def add(self, batch: Trace) -> None:
        """Count the extents that each request of a batch touches."""
        self.devices = np.union1d(self.devices, batch.device)
        if len(self.devices) > 1:
            raise _native.ParameterError(
                f"{self.source}: expected the requests of one device, found requests of several devices:"
                " select one with `sledsim trace slice --traced-device`"
            )
        ends = batch.lbn + batch.blocks
        first, last = batch.lbn // self.extent_blocks, (ends - 1) // self.extent_blocks
        touched = last - first + 1
        within = np.arange(touched.sum()) - np.repeat(touched.cumsum() - touched, touched)
        extents, accesses = np.unique(np.repeat(first, touched) + within, return_counts=True)
        both = np.concatenate([self.extents, extents])
        self.extents, which = np.unique(both, return_inverse=True)
        weights = np.concatenate([self.accesses, accesses])
        self.accesses = np.bincount(which, weights, len(self.extents)).astype(np.int64)
        self.end = max(self.end, int(ends.max(initial=0)))

    def ranked(self, most: int | None) -> PopularExtents:
        """Return the extents by popularity, at most `most`, with adjacent equally popular ones merged."""
        if not len(self.extents):
            raise _native.TraceError(f"{self.source}: expected at least one read or write, found none")
        joins = (np.diff(self.extents) == 1) & (np.diff(self.accesses) == 0)
        starts = np.flatnonzero(np.append(True, ~joins))
        ends = np.append(starts[1:], len(self.extents)) - 1
        order = np.argsort(-self.accesses[starts], kind="stable")[:most]
        first_block = self.extents[starts[order]] * self.extent_blocks
        last_end = np.minimum((self.extents[ends[order]] + 1) * self.extent_blocks, self.end)
        return PopularExtents(self.source, first_block, last_end - first_block, self.accesses[starts[order]])
