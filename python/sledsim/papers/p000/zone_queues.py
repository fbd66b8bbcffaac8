"""Counts of waiting requests, in all or in the zone of the next request, from the columns of a run."""

import numpy as np
from numpy.typing import NDArray

from sledsim import Device, Run

#: Size of the zones of paper 000: number of cylinders along x, and number of bits along y.
ZONE = (120, 1200)


def zone_numbers(device: Device, lbn: NDArray[np.int64], zone: tuple[int, int] = ZONE) -> NDArray[np.int64]:
    """Return the number of the zone in which each block of `lbn` lies; `zone` is the size of the zones.

    The even and the odd cylinders of a cell are separate zones.
    """
    place = device.locate(lbn)
    cylinder = place["cylinder"].astype(np.int64)
    own = device.parameters
    lower_end_bits = np.rint((place["y_m"] + 0.5e-9 * own["stroke_y_nm"]) / (1e-9 * own["bit_width_nm"]))
    # A row of blocks belongs to the zone that contains the middle of its tip sectors.
    middle_bits = lower_end_bits + own["servo_bits"] + own["sector_encoded_bits"] / 2
    row = (middle_bits // zone[1]).astype(np.int64)
    number: NDArray[np.int64] = (cylinder // zone[0] * (row.max() + 1) + row) * 2 + cylinder % 2
    return number


def waiting(run: Run, group: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """Count, at the time when each request is chosen, the waiting requests of its group, including itself.

    A request waits from the end of its command processing, because no policy knows the request before.

    Args:
        run: Run on a single device.
        group: Number of the group of each request, such as that of its zone; None puts all requests into one
            group.

    Returns:
        Number of waiting requests for each request of the run, in the order of its table; at least 1.
    """
    ready_ns, start_ns = run.columns["arrival_ns"] + run.columns["overhead_ns"], run.columns["start_ns"]
    groups = np.zeros(len(start_ns), np.int64) if group is None else group
    found = np.empty(len(start_ns), np.int64)
    for number in np.unique(groups):
        own = np.flatnonzero(groups == number)
        came = np.searchsorted(np.sort(ready_ns[own]), start_ns[own], side="right")
        went = np.searchsorted(np.sort(start_ns[own]), start_ns[own], side="left")
        found[own] = came - went
    return found
