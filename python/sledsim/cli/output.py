"""How results look: tables for people, JSON for programs, quantities in human units."""

import json
import os
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

#: Wide enough for every table; used where the output is no terminal and so has no width of its own.
_WIDTH_PIPED = 160


def console() -> Console:
    """The console for results: what a user typed is never taken for markup."""
    piped = None if os.isatty(1) else _WIDTH_PIPED
    return Console(markup=False, highlight=False, emoji=False, width=piped)


def print_error(message: str) -> None:
    """Say on stderr what went wrong."""
    errors = Console(stderr=True, markup=False, highlight=False, emoji=False, soft_wrap=True)
    errors.print(Text.assemble(("error:", "bold red"), " ", (message, "red")))


def print_note(message: str) -> None:
    """Say something on stderr that is not part of the result."""
    Console(stderr=True, markup=False, highlight=False, emoji=False, soft_wrap=True).print(message)


def print_json(value: Any) -> None:
    """Print a value as JSON on stdout."""
    print(json.dumps(value, indent=2))


def table(*columns: str, numbers: tuple[str, ...] = ()) -> Table:
    """An empty table; the columns in `numbers` are aligned to the right."""
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        made.add_column(column, justify="right" if column in numbers else "left", overflow="fold")
    return made


def print_table(title: str | None, filled: Table) -> None:
    """Print a table on stdout, under a title that may be wider than it."""
    out = console()
    if title:
        out.print(title, style="bold", soft_wrap=True)
    out.print(filled)


_INCH_M = 0.0254


def quantity(key: str, value: float) -> str:
    """A value in a unit that people use, by the unit at the end of its key."""
    if key.endswith("_bytes_per_s"):
        return f"{value / 2**20:,.2f} MiB/s"
    if key.endswith("_bits_per_s"):
        return f"{value / 1e6:,.4g} Mbit/s"
    if key.endswith("_bits_per_m2"):
        return f"{value * _INCH_M**2 / 1e9:,.4g} Gbit/in²"
    if key.endswith("_per_s"):
        return f"{value:,.4g} /s"
    if key.endswith("_bytes"):
        return _bytes(value)
    if key == "span_s":
        return f"{value:,.3f} s"
    if key.endswith("_s"):
        return f"{value * 1e3:,.4g} ms"
    if key.endswith("_j"):
        return f"{value:,.4g} J"
    if key == "utilization":
        return f"{value:.2%}"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.3f}"


def _bytes(value: float) -> str:
    """Decimal and binary where they differ by enough to be taken for each other."""
    if value >= 1e9:
        return f"{value / 1e9:,.3f} GB ({value / 2**30:,.3f} GiB)"
    if value >= 1e7:
        return f"{value / 1e6:,.3f} MB ({value / 2**20:,.3f} MiB)"
    return f"{value / 2**10:,.4g} KiB" if value >= 2**10 else f"{value:,} bytes"


def milliseconds(seconds: float) -> str:
    """Seconds as milliseconds with four significant digits, never in scientific notation."""
    value = seconds * 1e3
    digits = max(0, 4 - len(str(int(value)))) if value >= 1 else 4
    return f"{value:,.{digits}f}"


def label(key: str) -> str:
    """A key without its unit, as words: ``mean_response_s`` is ``mean response``."""
    if key.endswith("_bytes") and not key.startswith("capacity"):
        key = f"{key.removesuffix('_bytes')}_size"
    for unit in ("_bytes_per_s", "_bits_per_s", "_per_s"):
        if key.endswith(unit):
            return f"{key.removesuffix(unit)}_rate".replace("_", " ")
    for unit in ("_bits_per_m2", "_per_mib", "_bytes", "_s", "_j"):
        if key.endswith(unit):
            key = key.removesuffix(unit)
            break
    return key.replace("_", " ")
