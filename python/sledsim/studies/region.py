"""The region of the medium under one tip, whose bits count from its centre, as in 000."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..model.devices import Device
from . import sheet_options as options

#: Bits (x, y) from which seeks start; None for those of 000.
Starts: TypeAlias = options.Several[tuple[int, int]] | None

#: Columns between the even and the odd start of 000 Figure 2.
_APART = 25


@dataclass(frozen=True)
class Region:
    """The bits that the sled can bring under one tip.

    Bit (x, y) lies under the tip where the sled is displaced by x and y bit widths from its rest.

    Attributes:
        columns: Number of bits along x within the travel of the sled.
        rows: Number of bits along y.
        bit_m: Width and height of a bit cell.
    """

    columns: int
    rows: int
    bit_m: float

    @classmethod
    def of(cls, device: Device) -> "Region":
        """Return the region of a device."""
        return cls.from_parameters(device.parameters)

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> "Region":
        """Return the region of a device with these parameters."""
        columns, rows = (parameters[f"stroke_{axis}_nm"] // parameters["bit_width_nm"] for axis in "xy")
        return cls(columns, rows, parameters["bit_width_nm"] * 1e-9)

    @property
    def corner(self) -> tuple[int, int]:
        """The outermost bit at the top right; the one at the bottom left has the negative numbers."""
        return self.columns // 2, self.rows // 2

    def length_m(self, bits: ArrayLike) -> NDArray[np.float64]:
        """Convert a number of bits to a length, and so a bit's number to the displacement of the sled."""
        return np.asarray(bits, dtype=np.float64) * self.bit_m

    def half_distances_m(self, points: int) -> NDArray[np.float64]:
        """Return halves of distances along x from one bit to the whole stroke, spread logarithmically.

        Raises:
            ParameterError: Fewer than two distances exist.
        """
        spread = options.whole_number("points", points, 2)
        return self.length_m(np.geomspace(1, self.columns - 1, spread)) / 2

    def starts(self, given: object) -> list[tuple[int, int]]:
        """Check the starts of seeks; None for the centre and the corner, an even and an odd column of each.

        On a region of 2500 bits these are the starts of 000 Figure 2: (0, 0), (25, 0), (1250, 1250) and
        (1225, 1250).

        Raises:
            ParameterError: The starts are not pairs of bits of this region.
        """
        right, top = self.corner
        if given is None:
            even, apart = right // 2 * 2, min(_APART, (right - 1) | 1)
            return [(0, 0), (apart, 0), (even, top), (even - apart, top)]
        return options.pairs("starts", given, (-right, -top), (right, top))

    def place(self, x: int, y: int) -> str:
        """Name the place of a bit: near the centre or the corner, as 000's starts are, or by numbers."""
        right, top = self.corner
        for name, (at_x, at_y) in {"centre": (0, 0), "top-right corner": (right, top)}.items():
            if abs(x - at_x) <= _APART and y == at_y:
                return f"{name} ({x}, {y})"
        return f"bit ({x}, {y})"


def directions(columns: ArrayLike) -> NDArray[np.int64]:
    """Return the direction of access of columns by parity: +1 if even, -1 if odd (000-F8)."""
    return np.where(np.asarray(columns) % 2 == 0, 1, -1)
