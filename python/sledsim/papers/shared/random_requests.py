"""The random workload of 001 and 002 on an idle device: service times of single requests without a queue."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sledsim import Device
from sledsim.studies import random_run

_NS = 1e-9


@dataclass(frozen=True, eq=False)
class Costs:
    """Components of the service time of each request, in seconds.

    Attributes:
        positioning_s: Positioning time, the longer of the two axes.
        x_s: Seek time along x, settling included.
        y_s: Seek time along y, turnarounds included.
        turnaround_s: Time of turnarounds before the first row.
        turnarounds: Number of turnarounds before the first row.
        transfer_s: Time of rows passing under the tips, with track and cylinder switches.
        rows: Number of rows that a request covers.
    """

    positioning_s: NDArray[np.float64]
    x_s: NDArray[np.float64]
    y_s: NDArray[np.float64]
    turnaround_s: NDArray[np.float64]
    turnarounds: NDArray[np.int64]
    transfer_s: NDArray[np.float64]
    rows: NDArray[np.int64]

    @property
    def service_s(self) -> NDArray[np.float64]:
        """Service time: positioning plus transfer (002 Eq 1)."""
        return self.positioning_s + self.transfer_s


def random_costs(device: Device, count: int = 100_000, seed: int = 1) -> Costs:
    """Serve random requests (002-F13) first come, first served, and return the components of each service."""
    columns = random_run(device, count, seed).columns
    seconds = {name: column * _NS for name, column in columns.items() if name.endswith("_ns")}
    return Costs(
        positioning_s=seconds["positioning_ns"],
        x_s=seconds["seek_x_ns"] + seconds["settle_ns"],
        y_s=seconds["seek_y_ns"] + seconds["turnaround_ns"],
        turnaround_s=seconds["turnaround_ns"],
        turnarounds=columns["turnarounds"],
        transfer_s=seconds["transfer_ns"] + seconds["switch_ns"],
        rows=columns["rows"],
    )
