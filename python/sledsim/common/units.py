"""Quantities for people: the unit is the end of a key, and here is what becomes of it, in one table.

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
    """A row of the table `UNITS`.

    Attributes:
        ending: Of the keys that have this unit.
        stored: The unit of the value under such a key.
        shown: The unit in which people read it.
        scale: By which a value is multiplied to be in the unit that is shown.
        noun: What the key is called where its unit is left out of its name.
        part: What of the ending is the unit, if not all of it.
        larger: Scale and name of larger units, for columns of which every value is one or more of these.
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
        """What a key says of its unit."""
        return self.ending if self.part is None else self.part

    def words(self, key: str) -> str:
        """A key without its unit, as words."""
        return key.removesuffix(self.suffix).replace("_", " ")

    def number(self, value: float) -> str:
        """A value in the unit that is shown: a share to hundredths of a per cent, others in four digits."""
        # Nothing is known of a share beyond that, and less than nothing is none.
        return f"{round(value * 100, 2) + 0.0:,.2f}" if self.shown == "%" else number(value * self.scale)


def _share(ending: str) -> Unit:
    """Keys of parts of something, of which people read per cent."""
    return Unit(ending, "", "%", 100, part="")


#: The first that fits a key is its unit; the last fits every key.
UNITS = (
    Unit("_bytes_per_s", "bytes/s", "MiB/s", 2.0**-20, "rate"),
    Unit("_bits_per_s", "bits/s", "Mbit/s", 1e-6, "rate"),
    Unit("_bits_per_m2", "bits/m²", "Gbit/in²", _INCH_M**2 / 1e9),
    Unit("_m_per_s2", "m/s²", "m/s²"),
    Unit("_mm_per_s", "mm/s", "mm/s"),
    Unit("_per_mib", "1/MiB", "/MiB"),
    Unit("_per_s", "1/s", "/s", noun="rate"),
    # One unit for those of all devices, as everybody has it.
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
    # Of a request, which takes far less than a joule.
    Unit("_per_request_j", "J", "mJ", 1e3, part="_j"),
    Unit("_j", "J", "J"),
    Unit("_w", "W", "W"),
    *map(_share, ("share", "share_of_reads", "share_of_writes", "sequentiality", "of_measured_mean")),
    *map(_share, ("mean_error", "increase", "saved", "overhead", "difference", "utilization")),
    Unit("", "", ""),
)


def of(key: str, column: Iterable[float | None] = ()) -> Unit:
    """The unit of the quantity under a key; of a column of such values one that suits the least of them."""
    unit = next(unit for unit in UNITS if key.endswith(unit.ending))
    sizes = [abs(value) for value in column if value and math.isfinite(value)]
    for scale, shown in unit.larger:
        if sizes and min(sizes) * scale >= 1:
            unit = replace(unit, scale=scale, shown=shown)
    return unit


def of_columns(columns: Mapping[str, Collection[float | None]]) -> dict[str, Unit]:
    """The units of the columns of a table; the two ends of a range have one unit."""
    ranges: dict[str, list[float | None]] = {}
    for key, column in columns.items():
        ranges.setdefault(_range(key), []).extend(column)
    return {key: of(key, ranges[_range(key)]) for key in columns}


def _range(key: str) -> str:
    """What the key of an end of a range is without saying which end: both have the same."""
    return re.sub(r"\b(low|high)\b", "", key.replace("_", " "))


def heading(key: str, unit: Unit | None = None) -> str:
    """A key as the heading of a column, with the unit that is shown: ``seek_x_s`` is ``seek x (ms)``."""
    unit = unit or of(key)
    return f"{unit.words(key)} ({unit.shown})" if unit.shown else unit.words(key)


def label(key: str) -> str:
    """A key without its unit, as words: ``mean_response_s`` is ``mean response``."""
    unit = of(key)
    words = unit.words(key)
    # A capacity is a size already, and a rate one rate.
    is_said = words.startswith("capacity") or words.endswith(unit.noun)
    return words if is_said else f"{words} {unit.noun}"


def number(value: float) -> str:
    """Four significant digits, more where there are more before the decimal point; thousands set apart."""
    return f"{value:,.0f}" if abs(value) >= 1000 or isinstance(value, int) else f"{value:,.4g}"


def is_number(value: Any) -> bool:
    """Tell a number, which may be NaN, from a text, a yes or no, and None."""
    return isinstance(value, Real) and not isinstance(value, bool)


def text(value: Any, unit: Unit = UNITS[-1]) -> str:
    """A value of any kind in the unit of its column: yes or no, a number, a text; a dash for none."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value != value:
        return "-"
    return unit.number(value) if is_number(value) else str(value)


def figure(key: str, value: Any) -> str:
    """A value of any kind with the unit of its key."""
    return quantity(key, value) if is_number(value) else text(value)


def estimate(value: float, half_width: float) -> str:
    """A value with half of its interval, both with the decimals of two digits of that: ``1.0000 ± 0.0009``.

    Where there is no interval, four digits of the value.
    """
    if math.isnan(half_width):
        return number(value)
    # An interval of rounding errors has no digits worth showing.
    size = max(half_width, 1e-8 * abs(value)) if half_width > 0 else abs(value) / 100
    decimals = max(0, 1 - math.floor(math.log10(size))) if size > 0 and math.isfinite(size) else 0
    return f"{value:,.{decimals}f} ± {half_width:,.{decimals}f}"


def milliseconds(seconds: float) -> str:
    """Seconds as milliseconds with four significant digits, never in scientific notation."""
    value = seconds * 1e3
    digits = max(0, 4 - len(str(int(value)))) if value >= 1 else 4
    return f"{value:,.{digits}f}"


def quantity(key: str, value: float) -> str:
    """A value in the unit that people use for the quantity under a key; a dash where there is none."""
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


#: The units of a time: its name, its seconds, and from how many seconds on it is used.
_DURATIONS = (
    *(("days", 86400.0, 172800.0), ("h", 3600.0, 7200.0), ("min", 60.0, 600.0), ("s", 1.0, 1.0)),
    *(("ms", 1e-3, 1e-3), ("µs", 1e-6, 1e-6), ("ns", 1e-9, 0.0)),
)


def duration(seconds: float) -> str:
    """A time in a unit that suits its length: ``6.98 days``, ``224 s``, ``78.1 µs``; four digits."""
    if seconds == 0:
        return "0 s"
    name, scale, _ = next((unit for unit in _DURATIONS if seconds >= unit[2]), _DURATIONS[-1])
    return f"{number(seconds / scale)} {name}"


def time_scale(seconds: float) -> tuple[float, str]:
    """The unit in which an axis shows so long a time: its seconds and its name."""
    units = ((86400.0, "days"), (3600.0, "hours"), (60.0, "minutes"), (1.0, "s"), (1e-3, "ms"))
    return next((unit for unit in units if seconds >= 3 * unit[0]), units[-1])


def size(value: float) -> str:
    """Bytes in the largest binary unit of which there is one or more, with four digits: ``36.1 KiB``."""
    for scale, unit in ((2.0**40, "TiB"), (2.0**30, "GiB"), (2.0**20, "MiB"), (2.0**10, "KiB")):
        if value >= scale:
            return f"{number(value / scale)} {unit}"
    return f"{number(value)} bytes"


def _size(value: float) -> str:
    """Decimal and binary where they differ by enough to be taken for each other."""
    if value >= 1e9:
        return f"{value / 1e9:,.3f} GB ({value / 2**30:,.3f} GiB)"
    if value >= 1e7:
        return f"{value / 1e6:,.3f} MB ({value / 2**20:,.3f} MiB)"
    return f"{number(value / 2**10)} KiB" if value >= 2**10 else f"{number(value)} bytes"
