"""Rows of the medium that each request needs, grouped into sweeps of the sled.

Only the place of each block comes from the core, so that bounds are checked independently.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...model.devices import Device

SECTOR_BYTES = 512
#: Directions of a sweep in y; the device takes the first one if both are equally fast.
UP, DOWN = 0, 1
#: Place in y, in bit widths from the centre, at which a sweep starts or ends, and the direction of the sweep.
Boundary = tuple[int, int]


@dataclass
class Run:
    """Adjacent rows of one track that a request reads or writes in one sweep of the sled."""

    cylinder: int
    sled: int
    track: int
    lowest: int
    highest: int
    write: bool

    def joins(self, row: int) -> bool:
        """Add a row to the sweep and return True if the row is adjacent to it; otherwise return False."""
        if row not in (self.highest + 1, self.lowest - 1):
            return False
        self.lowest, self.highest = min(self.lowest, row), max(self.highest, row)
        return True


class Medium:
    """Geometry of a device's medium: places in whole bit widths from the centre."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.parameters = device.parameters
        self._bit_nm = self.parameters["bit_width_nm"]
        first = device.locate([0])
        x_bits, y_bits = (round(float(first[axis][0]) / (self._bit_nm * 1e-9)) for axis in ("x_m", "y_m"))
        self._x0 = x_bits - int(first["cylinder"][0])
        self._y0 = y_bits - int(first["row"][0]) * self._row_bits

    @property
    def _row_bits(self) -> int:
        return int(self.parameters["servo_bits"] + self.parameters["sector_encoded_bits"])

    def metres(self, bits: Any) -> NDArray[np.float64]:
        """Convert distances in bit widths to metres."""
        found: NDArray[np.float64] = np.asarray(bits, np.int64) * self._bit_nm * 1e-9
        return found

    def x_bits(self, cylinder: int) -> int:
        """Return the place of a cylinder in x, in bit widths from the centre."""
        return int(self._x0 + cylinder)

    def boundary(self, row: int, direction: int) -> Boundary:
        """Return where a sweep passes the lower end of a row: downwards, above the row's servo bits."""
        servo = self.parameters["servo_bits"] if direction == DOWN else 0
        return int(self._y0 + row * self._row_bits + servo), direction

    def begin(self, run: Run, direction: int) -> Boundary:
        """Return the place and direction at which a sweep over adjacent rows starts."""
        return self.boundary(run.lowest if direction == UP else run.highest + 1, direction)

    def end(self, run: Run, direction: int) -> Boundary:
        """Return the place and direction at which a sweep over adjacent rows ends."""
        return self.boundary(run.highest + 1 if direction == UP else run.lowest, direction)

    def centre(self) -> tuple[int, Boundary]:
        """Return where the sled is before the first request: x, y (in bit widths), and a direction in y."""
        shape = self.device.characteristics()
        row = int(shape["rows_per_track"]) // 2
        return self.x_bits(int(shape["cylinders"]) // 2), self.boundary(row, UP)

    def runs(self, lbn: int, sectors: int, write: bool) -> list[Run]:
        """Return the sweeps that serve a request; with ``row_order = "lbn"``, a sweep for each row.

        If a write covers only a part of a block, the block's row is a run that is read just before.
        """
        block_bytes = self.parameters["tips_per_block"] * self.parameters["sector_data_bytes"]
        ends = lbn * SECTOR_BYTES, (lbn + sectors) * SECTOR_BYTES
        first, end = ends[0] // block_bytes, -(-ends[1] // block_bytes)
        at = self.device.locate(np.arange(first, end))
        sleds = at.get("sled", np.zeros_like(at["row"]))
        tracks = np.stack([at["cylinder"], sleds, at["track"], at["row"]], axis=1)
        new = np.append(True, (np.diff(tracks, axis=0) != 0).any(axis=1))
        rows = tracks[new].tolist()
        in_part = {
            at for at, place in zip((0, len(rows) - 1), ends, strict=True) if write and place % block_bytes
        }
        runs: list[Run] = []
        for number, (cylinder, sled, track, row) in enumerate(rows):
            run = Run(cylinder, sled, track, row, row, write)
            last = runs[-1] if runs and self.parameters["row_order"] == "sweep" else None
            if number in in_part:
                runs += [Run(cylinder, sled, track, row, row, write=False), run]
                continue
            same = last and (last.cylinder, last.sled, last.track) == (cylinder, sled, track)
            if not (same and last and last.joins(row)):
                runs.append(run)
        return runs

    def allowed(self, run: Run, single_row: bool) -> tuple[int, ...]:
        """Return the directions in which the access mode allows to access these rows (000-D10, 001-D15)."""
        mode = self.parameters["access_mode"]
        tracks = self.parameters["tips"] // self.parameters["active_tips"]
        if mode == "unidirectional":
            return (UP,)
        if mode == "parity":
            return (run.cylinder % 2,)
        if mode == "serpentine" and not single_row:
            return ((run.cylinder * tracks + run.track) % 2,)
        return UP, DOWN
