"""Estimates as columns of tables, and the ends of their intervals for charts."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from sledsim.estimates import Estimate

__all__ = ["columns", "ends", "over_independent", "with_ends"]


def columns(name: str, found: Estimate | None, half_width: str = "") -> dict[str, float | None]:
    """An estimate and the half width of its interval, named after it or otherwise; None if not known."""
    width = half_width or f"{name}_half_width"
    return {name: found.value, width: found.half_width} if found else {name: None, width: None}


def ends(name: str, found: Estimate) -> dict[str, float]:
    """An estimate, and the ends of its interval."""
    return {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}


def over_independent(one: Estimate, other: Estimate) -> Estimate:
    """The ratio of two estimates of independent runs: relative errors add up in squares."""
    value = one.value / other.value
    relative = math.hypot(one.half_width / one.value, other.half_width / other.value)
    return Estimate(value, relative * value, min(one.count, other.count))


def with_ends(rows: Iterable[Mapping[str, Any]], name: str, half_width: str = "") -> list[dict[str, Any]]:
    """The rows in which an estimate is known, with the ends of its interval as ``low`` and ``high``.

    Args:
        rows: Of a table.
        name: The column of the estimate.
        half_width: That of the half width, where it is not named as `columns` does.
    """
    width = half_width or f"{name}_half_width"
    known = [row for row in rows if row[name] is not None]
    return [{**row, "low": row[name] - row[width], "high": row[name] + row[width]} for row in known]
