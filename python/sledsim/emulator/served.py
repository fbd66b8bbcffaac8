"""What a simulated device has served: the run, when each answer was due and sent, and on what machine."""

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

#: Under which a file of results says how it was served.
METADATA_KEY = b"sledsim.served"
#: The columns besides those of a run: 1 where zeros were written without data; the number of the connection;
#: when the answer was due and when its last byte was sent, in nanoseconds of the clock, -1 where nobody was
#: left to send it to, or did not read it for five seconds.
COLUMNS = ("zeroes", "connection", "due_ns", "sent_ns")


def _time_scale(key: str, value: Any) -> str:
    """A time scale as text."""
    found: str = text(key, value)
    try:
        if ratio(found) > 0:
            return found
    except (ValueError, ZeroDivisionError):
        pass
    raise WrongError(key, "a time scale, such as 10 or 1/50", shown(value))


_FLOOR = record(p50=number, p99=number)
#: What is to be known of the machine and the settings.
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
    # With what a volume began that came back on its members.
    "notes": optional(array(_NOTE)),
    # How long the answers took of a device that takes no time, before and after.
    "floor_us": optional(record(start=_FLOOR, end=_FLOOR)),
    # The connection of a client of one's own, and how long its answers took, in the order of its requests.
    "probe": optional(record(connection=whole(), latency_ns=array(whole()))),
}
Batch = Mapping[str, NDArray[Any]]


class Record(Protocol):
    """What was served, in memory or in a file."""

    @property
    def settings(self) -> RunSettings:
        """What the run came from."""

    @property
    def how(self) -> Mapping[str, Any]:
        """On what machine it was served, and with what settings: the keys of `HOW`."""

    @property
    def kept(self) -> tuple[str, ...]:
        """The columns of the run."""

    @property
    def requests(self) -> int:
        """How many rows there are."""

    @property
    def last_ns(self) -> int:
        """When the last request was complete, in simulated nanoseconds."""

    def batches(self) -> Iterator[Batch]:
        """The columns of the run and `COLUMNS`, some rows at a time."""


@dataclass(frozen=True, eq=False)
class Served:
    """What a server has served, in memory.

    Attributes:
        run: The simulation, one row a request to the device.
        rows: `COLUMNS`, one row each for the same requests (int64).
        how: On what machine, and with what settings.
    """

    run: Run
    rows: Mapping[str, NDArray[np.int64]]
    how: Mapping[str, Any]

    @property
    def settings(self) -> RunSettings:
        """What the run came from."""
        return self.run.settings

    @property
    def kept(self) -> tuple[str, ...]:
        """The columns of the run."""
        return tuple(self.run.columns)

    @property
    def requests(self) -> int:
        """How many rows there are."""
        return len(self.rows["sent_ns"])

    @property
    def last_ns(self) -> int:
        """When the last request was complete, in simulated nanoseconds."""
        return int(self.run.totals["last_completion_ns"])

    def batches(self) -> Iterator[Batch]:
        """The columns of the run and `COLUMNS`, some rows at a time."""
        columns = {**self.run.columns, **self.rows}
        for start in range(0, self.requests, BATCH_ROWS):
            yield {name: column[start : start + BATCH_ROWS] for name, column in columns.items()}

    def write(self, path: PathLike) -> Path:
        """Write a file of results (`read_run` reads it, too), with all that a certificate is derived from.

        Raises:
            OSError: The file cannot be written; no part of it is left.
        """
        return self.run.write_with(path, self.rows, {METADATA_KEY: dict(self.how)})


@dataclass(frozen=True, eq=False)
class ServedFile:
    """What a server has served, in a file: it may be longer than memory.

    Attributes:
        file: The rows.
        how: On what machine, and with what settings.
    """

    file: RunFile
    how: Mapping[str, Any]

    @property
    def settings(self) -> RunSettings:
        """What the run came from."""
        return self.file.settings

    @property
    def kept(self) -> tuple[str, ...]:
        """The columns of the run."""
        return self.file.kept

    @property
    def requests(self) -> int:
        """How many rows there are."""
        return self.file.rows

    @property
    def last_ns(self) -> int:
        """When the last request was complete, in simulated nanoseconds."""
        return int(self.file.totals["last_completion_ns"])

    def batches(self) -> Iterator[Batch]:
        """The columns of the run and `COLUMNS`, some rows at a time.

        Raises:
            TraceError: The file is damaged.
        """
        return self.file.batches()


def this_machine() -> dict[str, Any]:
    """What is to be known of the machine."""
    return {
        "host": platform.node(),
        "kernel": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processors": os.cpu_count() or 1,
    }


def open_served(path: PathLike) -> ServedFile:
    """Find out what a file says of itself that was written of what was served; its rows are left there.

    Raises:
        TraceError: The file is no such file; the message says what is wrong.
        OSError: The file cannot be read.
    """
    file = open_run(path)
    expected = "expected what 'sledsim serve --record' wrote"
    given = file.said.get(METADATA_KEY)
    if given is None or not {*COLUMNS} <= {*file.others}:
        raise _native.TraceError(f"{path}: {expected}, found another result")
    try:
        how = record(**HOW)("", load("served", given))
    except ValueError as error:
        raise _native.TraceError(f"{path}: {expected}, found another file ({error})") from error
    return ServedFile(file, how)


def read_served(path: PathLike) -> Served:
    """Read what `Served.write` wrote into memory.

    Raises:
        TraceError: The file is no such file; the message says what is wrong.
        OSError: The file cannot be read.
    """
    found = open_served(path)
    batches = [{name: batch[name] for name in COLUMNS} for batch in found.batches()]
    rows = {name: np.concatenate([batch[name] for batch in batches]).astype(np.int64) for name in COLUMNS}
    return Served(read_run(path), rows, found.how)


def canonical(value: object) -> str:
    """A value as text that is the same each time."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def ratio(text: str) -> Fraction:
    """A time scale as a number."""
    over, _, under = text.partition("/")
    return Fraction(over) / Fraction(under or "1")
