"""Cost of a request: the device's price, shared by the requests of its lifetime, and the price of energy."""

import math
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields

from .. import _native

#: Number of seconds in a year of 365.25 days.
YEAR_S = 365.25 * 86400
_KWH_J = 3.6e6
_GIB = 2**30
#: Ending of the text of a price per GiB of capacity.
_PER_GIB = "/GiB"


@dataclass(frozen=True)
class Prices:
    """Prices of devices and of energy, all in one currency of the user's choice.

    A request costs ``price / (rate x lifetime) + energy x price of energy``: the price of the device is
    divided by the number of requests that it serves in its lifetime at the rate of the run.

    Attributes:
        of: Price of each device or volume, by name: a number, or a text such as ``"2.5/GiB"`` for a price per
            GiB of its capacity.
        lifetime_years: Lifetime of a device in years.
        kwh_price: Price of a kilowatt hour.

    Raises:
        ParameterError: A value is not a valid number; or a lifetime or price of energy is given without the
            price of any device.
    """

    of: Mapping[str, float | str] = field(default_factory=dict)
    lifetime_years: float = 5.0
    kwh_price: float = 0.0

    def __post_init__(self) -> None:
        for name, given in self.of.items():
            _price(name, given)
        if not (_is_number(self.lifetime_years) and self.lifetime_years > 0):
            found = f"lifetime_years = {self.lifetime_years!r}"
            raise _native.ParameterError(f"{found}: expected a number of years above 0")
        if not (_is_number(self.kwh_price) and self.kwh_price >= 0):
            raise _native.ParameterError(f"kwh_price = {self.kwh_price!r}: expected a price of 0 or more")
        for one in fields(self)[1:]:
            if not self.of and getattr(self, one.name) != one.default:
                raise _native.ParameterError(f"{one.name}: needs the price of a device, found none")

    def check(self, names: Iterable[str]) -> None:
        """Check that each price is for one of the compared devices, `names`.

        Raises:
            ParameterError: A price is for a device that is not compared.
        """
        known = list(names)
        for name in self.of:
            if name not in known:
                raise _native.ParameterError(
                    f"price of {name!r}: expected the name of a compared device: {', '.join(known)}"
                )

    def cost_per_request(
        self, name: str, capacity_bytes: float, rate_per_s: float, energy_j: float
    ) -> float | None:
        """Return the cost of a request in the currency of the prices; None if the device has no price.

        Args:
            name: Name of the device or volume.
            capacity_bytes: Capacity of the device or volume in bytes.
            rate_per_s: Requests that the device serves per second.
            energy_j: Energy of a request in joules.
        """
        if name not in self.of:
            return None
        price, is_per_gib = _price(name, self.of[name])
        whole = price * capacity_bytes / _GIB if is_per_gib else price
        return whole / (rate_per_s * self.lifetime_years * YEAR_S) + energy_j * self.kwh_price / _KWH_J


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _price(name: str, given: object) -> tuple[float, bool]:
    """Return the price of the device `name` as a number, and True if that is a price per GiB."""
    value, is_per_gib = given, False
    if isinstance(given, str):
        is_per_gib = given.endswith(_PER_GIB)
        with suppress(ValueError):
            value = float(given.removesuffix(_PER_GIB))
    if not (_is_number(value) and value >= 0):  # type: ignore[operator]
        expected = f"a number of 0 or more, or a price per GiB, such as 2.5{_PER_GIB}"
        raise _native.ParameterError(f"price of {name} = {given!r}: expected {expected}")
    return float(value), is_per_gib  # type: ignore[arg-type]
