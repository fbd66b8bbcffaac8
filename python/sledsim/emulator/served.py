"""Records of served requests: the simulated run, the times of replies, and data on machine and server."""

import json
import os
import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..common.checked import WrongError, array, load, number, optional, record, shown, text, truth, whole
from ..common.output_files import PathLike
from ..runs.result_files import BATCH_ROWS, RunFile, open_run, read_run
from ..runs.run import Run
from ..runs.run_settings import RunSettings

#: Key in the metadata of a result file for the data on machine and server.
METADATA_KEY = b"sledsim.served"
#: Columns of a record in addition to those of a run: ``zeroes`` is 1 for a write of zeros without data;
#: ``connection`` is the number of the connection; ``due_ns`` and ``sent_ns`` are the clock times in
#: nanoseconds at which the reply was due and its last byte was sent (-1 if it was not sent).
COLUMNS = ("zeroes", "connection", "due_ns", "sent_ns")


def _time_scale(key: str, value: Any) -> str:
    """Check that a value is a time scale, such as ``10`` or ``1/50``, above 0; return it as text."""
    found: str = text(key, value)
    try:
        if ratio(found) > 0:
            return found
    except (ValueError, ZeroDivisionError):
        pass
    raise WrongError(key, "a time scale, such as 10 or 1/50", shown(value))


_FLOOR = record(p50=number, p99=number)
#: Check of a note, which is metadata that a volume stores in a sector of a member.
_NOTE = record(member=whole(), sector=whole(), words=array(whole(0, 2**64 - 1)), whole=truth)
HOW = {
    "host": text,
    "kernel": text,
    "processors": whole(1),
    "realtime": truth,
    "spin_us": number,
    "lead_us": number,
    "time_scale": _time_scale,
    "cache": text,
    # Records on the members from which the volume recovered.
    "notes": optional(array(_NOTE)),
    # Latency of a device with zero service time, before and after serving.
    "floor_us": optional(record(start=_FLOOR, end=_FLOOR)),
    # Connection of the probe, and its response times, in the order of its requests.
    "probe": optional(record(connection=whole(), latency_ns=array(whole()))),
}
Batch = Mapping[str, NDArray[Any]]


class Record(Protocol):
    """Record of served requests, in memory or in a file."""

    @property
    def settings(self) -> RunSettings:
        """Device, policy and options of the simulated run."""

    @property
    def how(self) -> Mapping[str, Any]:
        """Data on the machine and settings of the server, with the keys of `HOW`."""

    @property
    def kept(self) -> tuple[str, ...]:
        """Names of the columns of the simulated run that the record has."""

    @property
    def requests(self) -> int:
        """Number of requests to the simulated device."""

    @property
    def last_ns(self) -> int:
        """Completion time of the last request, in simulated nanoseconds."""

    def batches(self) -> Iterator[Batch]:
        """Yield batches of requests, with the columns `kept` of the run and the columns `COLUMNS`."""


@dataclass(frozen=True, eq=False)
class Served:
    """Record of served requests in memory.

    Attributes:
        run: Result of the simulation of the requests to the device.
        rows: Each column of `COLUMNS` by name: an int64 array with one value per request of `run`.
        how: Data on the machine and settings of the server, with the keys of `HOW`.
    """

    run: Run
    rows: Mapping[str, NDArray[np.int64]]
    how: Mapping[str, Any]

    @property
    def settings(self) -> RunSettings:
        """Device, policy and options of the simulated run."""
        return self.run.settings

    @property
    def kept(self) -> tuple[str, ...]:
        """Names of the columns of the simulated run that the record has."""
        return tuple(self.run.columns)

    @property
    def requests(self) -> int:
        """Number of requests to the simulated device."""
        return len(self.rows["sent_ns"])

    @property
    def last_ns(self) -> int:
        """Completion time of the last request, in simulated nanoseconds."""
        return int(self.run.totals["last_completion_ns"])

    def batches(self) -> Iterator[Batch]:
        """Yield batches of requests, with the columns `kept` of the run and the columns `COLUMNS`."""
        columns = {**self.run.columns, **self.rows}
        for start in range(0, self.requests, BATCH_ROWS):
            yield {name: column[start : start + BATCH_ROWS] for name, column in columns.items()}

    def write(self, path: PathLike) -> Path:
        """Write the record as a result file, which `read_served` and `read_run` can read.

        Raises:
            OSError: The file cannot be written; no partial file is left.
        """
        return self.run.write_with(path, self.rows, {METADATA_KEY: dict(self.how)})


@dataclass(frozen=True, eq=False)
class ServedFile:
    """Record of served requests in a file, which may be larger than the memory.

    Attributes:
        file: The result file.
        how: Data on the machine and settings of the server, with the keys of `HOW`.
    """

    file: RunFile
    how: Mapping[str, Any]

    @property
    def settings(self) -> RunSettings:
        """Device, policy and options of the simulated run."""
        return self.file.settings

    @property
    def kept(self) -> tuple[str, ...]:
        """Names of the columns of the simulated run that the record has."""
        return self.file.kept

    @property
    def requests(self) -> int:
        """Number of requests to the simulated device."""
        return self.file.rows

    @property
    def last_ns(self) -> int:
        """Completion time of the last request, in simulated nanoseconds."""
        return int(self.file.totals["last_completion_ns"])

    def batches(self) -> Iterator[Batch]:
        """Yield batches of requests, with the columns `kept` of the run and the columns `COLUMNS`.

        Raises:
            TraceError: The file is damaged.
        """
        return self.file.batches()


def this_machine() -> dict[str, Any]:
    """Return the name, kernel and number of processors of this machine."""
    return {
        "host": platform.node(),
        "kernel": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processors": os.cpu_count() or 1,
    }


def open_served(path: PathLike) -> ServedFile:
    """Open a record of served requests in a file; its requests are read later, in batches.

    Raises:
        TraceError: The file is not a record of served requests; the message gives the reason.
        OSError: The file cannot be read.
    """
    file = open_run(path)
    expected = "expected a record of 'sledsim serve --record'"
    given = file.said.get(METADATA_KEY)
    if given is None or not {*COLUMNS} <= {*file.others}:
        raise _native.TraceError(f"{path}: {expected}, found a result without times of replies")
    try:
        how = record(**HOW)("", load("served", given))
    except ValueError as error:
        raise _native.TraceError(f"{path}: {expected}, found another file ({error})") from error
    return ServedFile(file, how)


def read_served(path: PathLike) -> Served:
    """Read a record of served requests from a file into memory.

    Raises:
        TraceError: The file is not a record of served requests; the message gives the reason.
        OSError: The file cannot be read.
    """
    found = open_served(path)
    batches = [{name: batch[name] for name in COLUMNS} for batch in found.batches()]
    rows = {name: np.concatenate([batch[name] for batch in batches]).astype(np.int64) for name in COLUMNS}
    return Served(read_run(path), rows, found.how)


def canonical(value: object) -> str:
    """Return a value as JSON with sorted keys, so that equal values give equal texts."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def ratio(text: str) -> Fraction:
    """Return a time scale, such as ``10`` or ``1/50``, as a fraction."""
    over, _, under = text.partition("/")
    return Fraction(over) / Fraction(under or "1")
