"""The region of the medium under one tip, counted in bits from its lower left corner as the papers do."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..models import Device
from . import options

#: Columns between the even and the odd start of 000 Figure 2.
_APART = 25

#: Which way the even columns are accessed; the odd ones go the other way.
WAYS = ("up", "down")


@dataclass(frozen=True)
class Region:
    """The bits that the sled can bring under one tip.

    Attributes:
        columns: Bits along x.
        rows: Bits along y.
        bit_m: The width and height of a bit cell.
    """

    columns: int
    rows: int
    bit_m: float

    @classmethod
    def of(cls, device: Device) -> "Region":
        """The region of a device: as many whole bits as the travel of the sled holds."""
        parameters = device.parameters
        columns, rows = (parameters[f"stroke_{axis}_nm"] // parameters["bit_width_nm"] for axis in "xy")
        return cls(columns, rows, parameters["bit_width_nm"] * 1e-9)

    def x_m(self, bits: ArrayLike) -> NDArray[np.float64]:
        """The displacement of the sled at which these columns lie under the tip."""
        return self.length_m(np.asarray(bits) - self.columns / 2)

    def y_m(self, bits: ArrayLike) -> NDArray[np.float64]:
        """The displacement of the sled at which these rows of bits lie under the tip."""
        return self.length_m(np.asarray(bits) - self.rows / 2)

    def length_m(self, bits: ArrayLike) -> NDArray[np.float64]:
        """A number of bits as a length."""
        return np.asarray(bits, dtype=np.float64) * self.bit_m

    def starts(self, given: object) -> list[tuple[int, int]]:
        """Check where seeks start; None is a corner and the centre, an even and an odd column of each.

        On a region of 2500 bits these are the starts of 000 Figure 2: (0, 0), (25, 0), (1250, 1250) and
        (1225, 1250).

        Raises:
            ParameterError: They are no pairs of bits of this region.
        """
        if given is None:
            x, y = self.columns // 4 * 2, self.rows // 2
            return [(0, 0), (_APART, 0), (x, y), (x - _APART, y)]
        return options.pairs("starts", given, 0, (self.columns - 1, self.rows - 1))


def directions(columns: ArrayLike, even_columns: str) -> NDArray[np.int64]:
    """The direction, +1 or -1, in which columns are accessed where their parity decides it (000-F8).

    Raises:
        ParameterError: `even_columns` is neither "up" nor "down".
    """
    up = options.choice("even_columns", even_columns, WAYS) == "up"
    return np.where((np.asarray(columns) % 2 == 0) == up, 1, -1)
