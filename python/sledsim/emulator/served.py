"""What a simulated device has served: the run, when each answer was due and sent, and on what machine."""

import json
import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..common.arrow import pyarrow
from ..common.checked import load, number, record, text, truth, whole
from ..common.files import PathLike
from ..runs.result_files import read_run
from ..runs.run import Run

#: Under which a file of results says how it was served.
METADATA_KEY = b"sledsim.served"
#: The columns besides those of a run: 1 where zeros were written without data; the number of the connection;
#: when the answer was due and when it was sent, in nanoseconds of the clock, -1 where nobody was left to send
#: it to.
COLUMNS = ("zeroes", "connection", "due_ns", "sent_ns")
#: What is to be known of the machine and the settings.
HOW = {
    "host": text,
    "kernel": text,
    "processors": whole(1),
    "realtime": truth,
    "spin_us": number,
    "lead_us": number,
    "time_scale": text,
    "cache": text,
}


@dataclass(frozen=True, eq=False)
class Served:
    """What a server has served.

    Attributes:
        run: The simulation, one row a request to the device.
        rows: `COLUMNS`, one row each for the same requests (int64).
        how: On what machine, and with what settings.
    """

    run: Run
    rows: Mapping[str, NDArray[np.int64]]
    how: Mapping[str, Any]

    def write(self, path: PathLike) -> Path:
        """Write a file of results (`read_run` reads it, too), with all that a certificate is derived from.

        Raises:
            OSError: The file cannot be written; no part of it is left.
        """
        return self.run.write_with(path, self.rows, {METADATA_KEY: dict(self.how)})


def this_machine() -> dict[str, Any]:
    """What is to be known of the machine."""
    return {
        "host": platform.node(),
        "kernel": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processors": os.cpu_count() or 1,
    }


def read_served(path: PathLike) -> Served:
    """Read what `Served.write` wrote.

    Raises:
        TraceError: The file is no such file; the message says what is wrong.
        OSError: The file cannot be read.
    """
    run = read_run(path)
    expected = "expected what 'sledsim serve --record' wrote"
    file = pyarrow.parquet.ParquetFile(path)
    given = (file.metadata.metadata or {}).get(METADATA_KEY)
    if given is None or not {*COLUMNS} <= {*file.schema.names}:
        raise _native.TraceError(f"{path}: {expected}, found another result")
    try:
        how = record(**HOW)("", load("served", given))
    except ValueError as error:
        raise _native.TraceError(f"{path}: {expected}, found another file ({error})") from error
    found = file.read(columns=[*COLUMNS])
    rows = {name: found[name].to_numpy().astype(np.int64) for name in COLUMNS}
    return Served(run, rows, how)


def canonical(value: object) -> str:
    """A value as text that is the same each time."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
