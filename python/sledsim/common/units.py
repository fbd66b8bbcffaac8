"""Units of figures: the ending of a key states the stored unit, and a table gives the unit to show.

Results, tables and files are in SI units (``mean_response_s``, ``capacity_bytes``); people read milliseconds
and gigabytes.
"""

import math
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

_INCH_M = 0.0254


@dataclass(frozen=True)
class Unit:
    """A unit: the ending of keys that have it, the stored unit, and the unit that tables show.

    Attributes:
        ending: Ending of the keys whose values have this unit, such as ``_bytes_per_s``.
        stored: Unit of the stored values.
        shown: Unit in which tables and messages show the values.
        scale: Factor from the stored to the shown unit.
        noun: Word for the quantity, such as "rate", that replaces the unit in words for a key.
        part: Part of `ending` that is the unit, as ``_bytes`` in ``capacity_bytes``; None if the ending is
            only the unit.
        larger: Larger units for columns with large values: factor from the stored unit, and name.
    """

    ending: str
    stored: str
    shown: str
    scale: float = 1
    noun: str = ""
    part: str | None = None
    larger: tuple[tuple[float, str], ...] = ()

    @property
    def suffix(self) -> str:
        """Part of a key that is its unit."""
        return self.ending if self.part is None else self.part

    def words(self, key: str) -> str:
        """Return a key without its unit, as words."""
        return key.removesuffix(self.suffix).replace("_", " ")

    def number(self, value: float) -> str:
        """Return a value in the shown unit: per cent with two decimals, or four significant digits."""
        # A share is not known more precisely, and -0 prints as 0.
        return f"{round(value * 100, 2) + 0.0:,.2f}" if self.shown == "%" else number(value * self.scale)


def _share(ending: str) -> Unit:
    """Return a unit that shows a share, from 0 to 1, in per cent."""
    return Unit(ending, "", "%", 100, part="")


#: Units in order of priority: the first that fits a key is its unit, and the last fits every key.
UNITS = (
    Unit("_bytes_per_s", "bytes/s", "MiB/s", 2.0**-20, "rate"),
    Unit("_bits_per_s", "bits/s", "Mbit/s", 1e-6, "rate"),
    Unit("_bits_per_m2", "bits/m²", "Gbit/in²", _INCH_M**2 / 1e9),
    Unit("_m_per_s2", "m/s²", "m/s²"),
    Unit("_mm_per_s", "mm/s", "mm/s"),
    Unit("_per_mib", "1/MiB", "/MiB"),
    Unit("_per_s", "1/s", "/s", noun="rate"),
    # All devices share one unit, as is usual.
    Unit("capacity_bytes", "bytes", "GB", 1e-9, part="_bytes"),
    Unit(
        "_bytes",
        "bytes",
        "bytes",
        noun="size",
        larger=((2.0**-10, "KiB"), (2.0**-20, "MiB"), (1e-9, "GB")),
    ),
    Unit("_bits", "bits", "bits"),
    Unit("_hz", "Hz", "Hz"),
    Unit("_nm", "nm", "nm"),
    Unit("_ms", "ms", "ms"),
    Unit("amplitude_m", "m", "nm", 1e9, part="_m"),
    Unit("_m", "m", "µm", 1e6),
    Unit("_s", "s", "ms", 1e3, larger=((1.0, "s"),)),
    # Energy of a request, which is far below a joule.
    Unit("_per_request_j", "J", "mJ", 1e3, part="_j"),
    Unit("_j", "J", "J"),
    Unit("_w", "W", "W"),
    *map(_share, ("share", "share_of_reads", "share_of_writes", "sequentiality", "of_measured_mean")),
    *map(_share, ("mean_error", "increase", "saved", "overhead", "difference", "utilization")),
    Unit("", "", ""),
)


def of(key: str, column: Iterable[float | None] = ()) -> Unit:
    """Return the unit to show for a key: the largest in which all values of `column` are at least 1."""
    unit = next(unit for unit in UNITS if key.endswith(unit.ending))
    sizes = [abs(value) for value in column if value and math.isfinite(value)]
    for scale, shown in unit.larger:
        if sizes and min(sizes) * scale >= 1:
            unit = replace(unit, scale=scale, shown=shown)
    return unit


def of_columns(columns: Mapping[str, Collection[float | None]]) -> dict[str, Unit]:
    """Return the unit of each column; columns with the low and the high end of a range get the same unit."""
    ranges: dict[str, list[float | None]] = {}
    for key, column in columns.items():
        ranges.setdefault(_range(key), []).extend(column)
    return {key: of(key, ranges[_range(key)]) for key in columns}


def _range(key: str) -> str:
    """Return the key of a low or high end without the word ``low`` or ``high``."""
    return re.sub(r"\b(low|high)\b", "", key.replace("_", " "))


def heading(key: str, unit: Unit | None = None) -> str:
    """Return a key as a heading with the shown unit, such as ``seek x (ms)`` for ``seek_x_s``."""
    unit = unit or of(key)
    return f"{unit.words(key)} ({unit.shown})" if unit.shown else unit.words(key)


def label(key: str) -> str:
    """Return a key as words without its unit, such as ``mean response`` for ``mean_response_s``."""
    unit = of(key)
    words = unit.words(key)
    # The words already include the noun for a capacity and for a rate.
    has_noun = words.startswith("capacity") or words.endswith(unit.noun)
    return words if has_noun else f"{words} {unit.noun}"


def number(value: float) -> str:
    """Format a number with four significant digits, or with all digits before the decimal point."""
    return f"{value:,.0f}" if abs(value) >= 1000 or isinstance(value, int) else f"{value:,.4g}"


def is_number(value: Any) -> bool:
    """Return True for a number, including NaN; False for a text, a boolean and None."""
    return isinstance(value, Real) and not isinstance(value, bool)


def text(value: Any, unit: Unit = UNITS[-1]) -> str:
    """Format a value in the unit of its column: yes or no, a number, a text; a dash for None."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value != value:
        return "-"
    return unit.number(value) if is_number(value) else str(value)


def figure(key: str, value: Any) -> str:
    """Format a value with the unit of its key."""
    return quantity(key, value) if is_number(value) else text(value)


def estimate(value: float, half_width: float) -> str:
    """Format a value with its interval's half-width, which gets two digits: ``1.0000 ± 0.0009``.

    A value without an interval has four digits.
    """
    if math.isnan(half_width):
        return number(value)
    # An interval of rounding errors has no meaningful digits.
    size = max(half_width, 1e-8 * abs(value)) if half_width > 0 else abs(value) / 100
    decimals = max(0, 1 - math.floor(math.log10(size))) if size > 0 and math.isfinite(size) else 0
    return f"{value:,.{decimals}f} ± {half_width:,.{decimals}f}"


def milliseconds(seconds: float) -> str:
    """Format seconds as milliseconds with four significant digits, never in scientific notation."""
    value = seconds * 1e3
    digits = max(0, 4 - len(str(int(value)))) if value >= 1 else 4
    return f"{value:,.{digits}f}"


def quantity(key: str, value: float) -> str:
    """Format a value in the readable unit of its key; a dash for a missing value."""
    if math.isnan(value):
        return "-"
    if math.isinf(value):
        return "without end"
    if key == "span_s":
        return f"{value:,.3f} s"
    unit = of(key)
    if unit.stored == "bytes":
        return _size(value)
    space = "" if unit.shown.startswith(("/", "%")) else " "
    return f"{unit.number(value)}{space}{unit.shown}".strip()


#: Units of time: name, seconds per unit, and the least number of seconds that is shown in this unit.
_DURATIONS = (
    *(("days", 86400.0, 172800.0), ("h", 3600.0, 7200.0), ("min", 60.0, 600.0), ("s", 1.0, 1.0)),
    *(("ms", 1e-3, 1e-3), ("µs", 1e-6, 1e-6), ("ns", 1e-9, 0.0)),
)


def duration(seconds: float) -> str:
    """Format a time in a suitable unit, in four digits: ``6.98 days``, ``224 s``, ``78.1 µs``."""
    if seconds == 0:
        return "0 s"
    name, scale, _ = next((unit for unit in _DURATIONS if seconds >= unit[2]), _DURATIONS[-1])
    return f"{number(seconds / scale)} {name}"


def time_scale(seconds: float) -> tuple[float, str]:
    """Return the unit for an axis of times up to `seconds`: seconds per unit, and name of the unit."""
    units = ((86400.0, "days"), (3600.0, "hours"), (60.0, "minutes"), (1.0, "s"), (1e-3, "ms"))
    return next((unit for unit in units if seconds >= 3 * unit[0]), units[-1])


def size(value: float) -> str:
    """Format bytes in the largest binary unit with a value of at least 1, in four digits: ``36.1 KiB``."""
    for scale, unit in ((2.0**40, "TiB"), (2.0**30, "GiB"), (2.0**20, "MiB"), (2.0**10, "KiB")):
        if value >= scale:
            return f"{number(value / scale)} {unit}"
    return f"{number(value)} bytes"


def _size(value: float) -> str:
    """Format a size in decimal and binary units, if they differ enough to be confused."""
    if value >= 1e9:
        return f"{value / 1e9:,.3f} GB ({value / 2**30:,.3f} GiB)"
    if value >= 1e7:
        return f"{value / 1e6:,.3f} MB ({value / 2**20:,.3f} MiB)"
    return f"{number(value / 2**10)} KiB" if value >= 2**10 else f"{number(value)} bytes"
