"""Distances, and the policy that uses them, against places computed from LBNs."""

import numpy as np
import pytest
from numpy.typing import NDArray

import sledsim
from sledsim.model.scheduling import Waiting

Whole = NDArray[np.int64]
#: A servo burst of 10 bits lies at either end of a tip sector of 80.
SERVO_BITS, ROW_BITS = 10, 90


def places(device: sledsim.Device, lbn: Whole) -> tuple[Whole, Whole]:
    """Return the cylinder of each block, and the lower end of its row in bits from the centre."""
    at = device.locate(lbn)
    bit_m = device.parameters["bit_width_nm"] * 1e-9
    return at["cylinder"].astype(np.int64), np.rint(at["y_m"] / bit_m).astype(np.int64)


def away(x: Whole, y: Whole, from_x: int, from_y: int) -> Whole:
    """Return squares of distances in bits to the nearer end of each row, in either direction of access."""
    ends = (y, y + ROW_BITS + SERVO_BITS)
    return (x - from_x) ** 2 + np.minimum(*((end - from_y) ** 2 for end in ends))


@pytest.mark.parametrize("access_mode", ["bidirectional", "parity", "serpentine", "unidirectional"])
def test_sdf_serves_the_nearest_end_of_a_row(access_mode: str) -> None:
    device = sledsim.device("osdi00", access_mode=access_mode, idle="hold")
    rng = np.random.default_rng(3)
    trace = sledsim.random_workload(device, rate_per_s=2500, count=1500, seed=4)
    near = rng.integers(0, 40_000, len(trace))
    lbn = np.where(rng.random(len(trace)) < 0.5, near, trace.lbn)
    trace = sledsim.Trace(trace.arrival_ns, lbn, np.ones(len(trace), np.int32), trace.op)
    columns = sledsim.simulate(device, trace, "sdf").columns
    x, y = places(device, trace.lbn)
    ready_ns = columns["arrival_ns"] + columns["overhead_ns"]
    # Over the middle cylinder, at the lower end of the middle row.
    sled = (1250, -50)
    waits = np.ones(len(trace), bool)
    longest = 0
    for row in np.argsort(columns["start_ns"]).tolist():
        known = np.flatnonzero(waits & (ready_ns <= columns["start_ns"][row]))
        squares = away(x[known], y[known], *sled)
        assert known[np.argmin(squares)] == row
        longest = max(longest, len(known))
        waits[row] = False
        # An upward access ends at the beginning of the next row, a downward one above the servo burst below.
        sled = (int(x[row]), int(y[row]) + (ROW_BITS if columns["direction"][row] > 0 else SERVO_BITS))
    assert longest > 20


@pytest.mark.parametrize("access_mode", ["bidirectional", "unidirectional"])
def test_distances_are_those_to_the_first_row(access_mode: str) -> None:
    """Requests of several rows, some of which are swept downwards from their last row."""
    device = sledsim.device("osdi00", access_mode=access_mode, idle="hold")
    seen: list[bool] = []

    def looks(now_s: float, waiting: Waiting) -> int:
        if not seen:
            x, y = places(device, waiting["lbn"])
            expected_m = 40e-9 * np.sqrt(away(x, y, 1250, -50))
            assert waiting["distance_m"] == pytest.approx(expected_m, rel=1e-9)
        seen.append(True)
        return 0

    sledsim.extend.register_scheduler("looks-once", looks)
    for lbn in range(0, 540, 77):
        seen.clear()
        trace = sledsim.Trace(
            np.zeros(1, np.int64), np.array([3_375_000 + lbn]), np.array([200], np.int32), np.zeros(1, bool)
        )
        sledsim.simulate(device, trace, "looks-once")
        assert seen
