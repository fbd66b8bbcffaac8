"""Real traces that come nearest to those of the papers: disks of HP's traces, and an excerpt of TPC-C.

The traces are not part of sledsim. A folder given by the user, or one of its subfolders, has to hold the HP
traces as decoded tables (CSV, compressed with Zstandard), and may hold the excerpt of TPC-C of MQSim.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.compute
import pyarrow.csv

from sledsim import ParameterError, Trace, TraceError, read_trace
from sledsim.files import PathLike

HP = CELLO, HPLAJW = "cello 2003", "hplajw 1992"
#: Names of HP's traces by the name of the file that holds the trace.
FILES = {"cello-2003-decoded.csv.zst": CELLO, "hplajw-decoded.csv.zst": HPLAJW}
#: Name of the TPC-C excerpt, which may be missing, and name of its file, which has MQSim's trace format.
TPCC, TPCC_FILE = "TPC-C excerpt", "tpcc-small.trace.zst"
_NUMBERS = ("time_us", "offset_bytes", "size_bytes")
_COLUMNS = (*_NUMBERS, "device", "rw", "class")
#: Values of the column ``class`` that mark a request for metadata.
_METADATA = ("superblock", "cylgroup", "inode", "directory", "indirect")
_BLOCK_BYTES = 512
#: Minimum number of requests of a disk: fewer requests say little about policies.
_LEAST_REQUESTS = 4000


@dataclass(frozen=True, eq=False)
class Disk:
    """The requests to one disk.

    Attributes:
        name: Name of trace and disk.
        trace: The requests to the disk.
        sequentiality: Share of requests that start where the previous request ends (000-F24).
    """

    name: str
    trace: Trace
    sequentiality: float


def check_traces(folder: PathLike, needs: Collection[str] = HP) -> None:
    """Check before a long run that a folder has the HP traces whose names `needs` lists.

    Raises:
        ParameterError: A trace is missing; the message names the expected files.
    """
    if missing := missing_traces(folder, needs):
        files = [file for file, name in FILES.items() if name in needs]
        raise ParameterError(
            f"traces: expected {' and '.join(files)} in {folder} or in a subfolder, with the columns"
            f" {', '.join(_COLUMNS)}; found no {' and no '.join(missing)}"
        )


def missing_traces(folder: PathLike, needs: Collection[str]) -> list[str]:
    """Return the names of the files missing in a folder, for the HP traces whose names `needs` lists."""
    return [file for file, name in FILES.items() if name in needs and _file(folder, file) is None]


def read_disks(folder: PathLike, needs: Collection[str] = HP) -> list[Disk]:
    """Read all disks with at least 4,000 requests from HP's traces, by trace and name of the disk.

    Args:
        folder: Folder of the trace files.
        needs: Names of the traces to read.

    Raises:
        ParameterError: The folder lacks a trace.
        TraceError: A file is not a table with the expected columns.
    """
    check_traces(folder, needs)
    paths = {name: path for file, name in FILES.items() if name in needs and (path := _file(folder, file))}
    return [disk for name, path in paths.items() for disk in _disks(path, name)]


def read_tpcc(folder: PathLike) -> list[Trace]:
    """Read the TPC-C excerpt as one trace for each disk; no trace if the folder has no such file.

    Raises:
        TraceError: The file is not a trace.
    """
    path = _file(folder, TPCC_FILE)
    if path is None:
        return []
    trace = read_trace(path)
    return [trace.rows(trace.device == disk) for disk in np.unique(trace.device)]


def _file(folder: PathLike, name: str) -> Path | None:
    """Find the file `name` in a folder, or in the first of its subfolders that has such a file."""
    places = [Path(folder) / name, *sorted(Path(folder).glob(f"*/{name}"))]
    return next((place for place in places if place.is_file()), None)


def _disks(path: Path, name: str) -> Iterator[Disk]:
    try:
        with pyarrow.input_stream(path, compression="zstd") as file:
            table = pyarrow.csv.read_csv(file).select(_COLUMNS)
        # Text before the colon names the drive; text after it names a section of the drive's addresses.
        drives = pyarrow.compute.split_pattern(table["device"].cast(pyarrow.string()), ":", max_splits=1)
        drive = pyarrow.compute.list_element(drives, 0).to_numpy()
        op = pyarrow.compute.equal(table["rw"], "W").to_numpy().astype(np.uint8)
        metadata = pyarrow.compute.is_in(table["class"], pyarrow.array(_METADATA)).to_numpy()
        time_us, offset, size = (table[key].cast(pyarrow.int64()).to_numpy() for key in _NUMBERS)
    except (pyarrow.ArrowException, KeyError, OSError) as error:
        expected = f"expected a table with the columns {', '.join(_COLUMNS)}"
        raise TraceError(f"{path}: {expected}, found {error}") from error
    for unit, count in zip(*np.unique(drive.astype(str), return_counts=True), strict=True):
        if count >= _LEAST_REQUESTS:
            own = drive == unit
            start, end = offset[own], (offset + size)[own]
            trace = Trace(
                arrival_ns=time_us[own] * 1000,
                lbn=start // _BLOCK_BYTES,
                blocks=(-(-size[own] // _BLOCK_BYTES)).astype(np.int32),
                op=op[own],
                metadata=metadata[own],
                source=f"{name}, disk {unit}",
            )
            yield Disk(trace.source, trace, float(np.mean(start[1:] == end[:-1])))
