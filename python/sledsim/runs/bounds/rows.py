"""Places of requests: the runs of rows that the sled sweeps, found block by block.

Only the place of a block comes from the core, so that bounds are verified independently.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...model.devices import Device

SECTOR_BYTES = 512
#: Directions in the order of the device's preference.
UP, DOWN = 0, 1
#: A row boundary that is passed: bits from the centre in y, and the direction.
Boundary = tuple[int, int]


@dataclass
class Run:
    """Consecutive rows of one track, read or written."""

    cylinder: int
    sled: int
    track: int
    lowest: int
    highest: int
    write: bool

    def joins(self, row: int) -> bool:
        """Add an adjacent row to the run; return False for another row."""
        if row not in (self.highest + 1, self.lowest - 1):
            return False
        self.lowest, self.highest = min(self.lowest, row), max(self.highest, row)
        return True


class Medium:
    """Places of a device, in whole bits from the centre."""

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
        """Bits as metres."""
        found: NDArray[np.float64] = np.asarray(bits, np.int64) * self._bit_nm * 1e-9
        return found

    def x_bits(self, cylinder: int) -> int:
        """Position of a cylinder in x, in bits."""
        return int(self._x0 + cylinder)

    def boundary(self, row: int, direction: int) -> Boundary:
        """The lower end of a row; passed downwards, it is a servo burst higher."""
        servo = self.parameters["servo_bits"] if direction == DOWN else 0
        return int(self._y0 + row * self._row_bits + servo), direction

    def begin(self, run: Run, direction: int) -> Boundary:
        """Start of a sweep over a run."""
        return self.boundary(run.lowest if direction == UP else run.highest + 1, direction)

    def end(self, run: Run, direction: int) -> Boundary:
        """End of a sweep over a run."""
        return self.boundary(run.highest + 1 if direction == UP else run.lowest, direction)

    def centre(self) -> tuple[int, Boundary]:
        """Place of the sled before the first request."""
        shape = self.device.characteristics()
        row = int(shape["rows_per_track"]) // 2
        return self.x_bits(int(shape["cylinders"]) // 2), self.boundary(row, UP)

    def runs(self, lbn: int, sectors: int, write: bool) -> list[Run]:
        """The runs of a request; separate rows where rows are accessed in the order of blocks.

        A row of which a write covers only a part of a block is read just before, by itself.
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
        """Directions in which the access mode allows sweeps over a run (000-D10, 001-D15)."""
        mode = self.parameters["access_mode"]
        tracks = self.parameters["tips"] // self.parameters["active_tips"]
        if mode == "unidirectional":
            return (UP,)
        if mode == "parity":
            return (run.cylinder % 2,)
        if mode == "serpentine" and not single_row:
            return ((run.cylinder * tracks + run.track) % 2,)
        return UP, DOWN
