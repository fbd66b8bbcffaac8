"""How many requests wait in the zone that is being served, and in all: replayed from the record of a run."""

import numpy as np
from numpy.typing import NDArray

from sledsim import Device, Run

#: The zones of 000: cylinders, and bits in y; of either parity.
ZONE = (120, 1200)


def zone_numbers(device: Device, lbn: NDArray[np.int64], zone: tuple[int, int] = ZONE) -> NDArray[np.int64]:
    """A number for the zone of each block: the same for blocks whose cell and column parity are the same."""
    place = device.locate(lbn)
    cylinder = place["cylinder"].astype(np.int64)
    own = device.parameters
    lower_end_bits = np.rint((place["y_m"] + 0.5e-9 * own["stroke_y_nm"]) / (1e-9 * own["bit_width_nm"]))
    # A row belongs to the zone in which the middle of its tip sectors lies.
    middle_bits = lower_end_bits + own["servo_bits"] + own["sector_encoded_bits"] / 2
    row = (middle_bits // zone[1]).astype(np.int64)
    number: NDArray[np.int64] = (cylinder // zone[0] * (row.max() + 1) + row) * 2 + cylinder % 2
    return number


def waiting(run: Run, group: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """How many requests of the same group wait when each request is chosen, itself among them.

    A request waits from when its command is processed: before that no policy knows of it.

    Args:
        run: On a single device.
        group: A number for each request; None puts all in one.

    Returns:
        One number a request, from 1, in the order of the run's rows.
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
