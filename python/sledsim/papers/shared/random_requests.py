"""Service times of the random workload of papers 001 and 002, with one request at a time."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sledsim import Device
from sledsim.studies import random_run

_NS = 1e-9


@dataclass(frozen=True, eq=False)
class Costs:
    """Components of the service time of requests, as arrays with one value per request.

    Attributes:
        positioning_s: Positioning time: the longer of `x_s` and `y_s`.
        x_s: Time of the seek along x, including settling.
        y_s: Time of the seek along y, including turnarounds.
        turnaround_s: Time of the turnarounds before the first row.
        turnarounds: Number of turnarounds before the first row.
        transfer_s: Time in which the rows pass under the tips, including track and cylinder switches.
        rows: Number of rows that the request covers.
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
        """Service time of each request: positioning plus transfer (002 Eq 1)."""
        return self.positioning_s + self.transfer_s


def random_costs(device: Device, count: int = 100_000, seed: int = 1) -> Costs:
    """Serve `count` random requests (002-F13), each without a queue; return the parts of their service."""
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
