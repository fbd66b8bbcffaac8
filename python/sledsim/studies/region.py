"""The tip region: the part of the medium under one tip; bits are counted from its centre, as in 000."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..model.devices import Device
from . import sheet_options as options

#: Bits (x, y) at which seeks start; None stands for the four starts of 000 Figure 2.
Starts: TypeAlias = options.Several[tuple[int, int]] | None

#: Distance in columns between the even and the odd column of the default starts, as in 000 Figure 2.
_APART = 25


@dataclass(frozen=True)
class Region:
    """The region of one tip: all bits that the sled can bring under the tip.

    Bit (x, y) is under the tip if the sled is displaced from its rest position by x and y bit widths.

    Attributes:
        columns: Number of bits along x within the stroke of the sled.
        rows: Number of bits along y within the stroke of the sled.
        bit_m: Width and height of a bit cell in metres.
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
        """The outermost bit (x, y) at the top right; the bit at the bottom left is (-x, -y)."""
        return self.columns // 2, self.rows // 2

    def length_m(self, bits: ArrayLike) -> NDArray[np.float64]:
        """Convert a number of bits to a length in metres: a position from the centre, or a distance."""
        return np.asarray(bits, dtype=np.float64) * self.bit_m

    def half_distances_m(self, points: int) -> NDArray[np.float64]:
        """Return halves of `points` seek distances in metres; the seeks go along x across the centre.

        The distances are evenly spread on a logarithmic scale, from one bit to the whole stroke.

        Raises:
            ParameterError: `points` is below 2.
        """
        spread = options.whole_number("points", points, 2)
        return self.length_m(np.geomspace(1, self.columns - 1, spread)) / 2

    def starts(self, given: object) -> list[tuple[int, int]]:
        """Check the starts of seeks; None takes four bits, at the centre and the top right corner.

        Each of the two places has a bit in an even column and one in an odd column. In a region of
        2500 x 2500 bits, they are the starts of 000 Figure 2: (0, 0), (25, 0), (1250, 1250), (1225, 1250).

        Raises:
            ParameterError: The starts are not pairs of bits of this region.
        """
        right, top = self.corner
        if given is None:
            even, apart = right // 2 * 2, min(_APART, (right - 1) | 1)
            return [(0, 0), (apart, 0), (even, top), (even - apart, top)]
        return options.pairs("starts", given, (-right, -top), (right, top))

    def place(self, x: int, y: int) -> str:
        """Return the name of a bit, such as "centre (0, 0)", or "bit (7, 9)" if it is no usual start."""
        right, top = self.corner
        for name, (at_x, at_y) in {"centre": (0, 0), "top-right corner": (right, top)}.items():
            if abs(x - at_x) <= _APART and y == at_y:
                return f"{name} ({x}, {y})"
        return f"bit ({x}, {y})"


def directions(columns: ArrayLike) -> NDArray[np.int64]:
    """Return the direction of access of columns of bits: +1 for even columns, -1 for odd columns (000-F8)."""
    return np.where(np.asarray(columns) % 2 == 0, 1, -1)
