"""Functions that turn an estimate and its interval into table columns, and divide two estimates."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from sledsim.estimates import Estimate

__all__ = ["columns", "ends", "over_independent", "with_ends"]


def columns(name: str, found: Estimate | None, half_width: str = "") -> dict[str, float | None]:
    """Return two columns, by name: the value of an estimate and the half width of its interval.

    Values are None for an unknown estimate. The second column is `half_width`, or ``NAME_half_width``.
    """
    width = half_width or f"{name}_half_width"
    return {name: found.value, width: found.half_width} if found else {name: None, width: None}


def ends(name: str, found: Estimate) -> dict[str, float]:
    """Return three columns, by name: the value of an estimate and the two ends of its interval."""
    return {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}


def over_independent(one: Estimate, other: Estimate) -> Estimate:
    """Divide an estimate by an independent one; the relative half widths add up as squares."""
    value = one.value / other.value
    relative = math.hypot(one.half_width / one.value, other.half_width / other.value)
    return Estimate(value, relative * value, min(one.count, other.count))


def with_ends(rows: Iterable[Mapping[str, Any]], name: str, half_width: str = "") -> list[dict[str, Any]]:
    """Return the table rows whose estimate is known, with the ends of its interval as ``low`` and ``high``.

    Args:
        rows: Rows of a table, as columns by name.
        name: Column that holds the value of the estimate.
        half_width: Column that holds the half width of the interval; empty for ``NAME_half_width``.
    """
    width = half_width or f"{name}_half_width"
    known = [row for row in rows if row[name] is not None]
    return [{**row, "low": row[name] - row[width], "high": row[name] + row[width]} for row in known]
