"""Turn estimates into table columns and into interval ends for charts."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from sledsim.estimates import Estimate

__all__ = ["columns", "ends", "over_independent", "with_ends"]


def columns(name: str, found: Estimate | None, half_width: str = "") -> dict[str, float | None]:
    """Return an estimate and its half width as columns; None for an unknown estimate."""
    width = half_width or f"{name}_half_width"
    return {name: found.value, width: found.half_width} if found else {name: None, width: None}


def ends(name: str, found: Estimate) -> dict[str, float]:
    """Return an estimate and the ends of its interval as columns."""
    return {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}


def over_independent(one: Estimate, other: Estimate) -> Estimate:
    """Divide two independent estimates; their relative errors add in squares."""
    value = one.value / other.value
    relative = math.hypot(one.half_width / one.value, other.half_width / other.value)
    return Estimate(value, relative * value, min(one.count, other.count))


def with_ends(rows: Iterable[Mapping[str, Any]], name: str, half_width: str = "") -> list[dict[str, Any]]:
    """Return the rows with a known estimate, with the ends of its interval as ``low`` and ``high``.

    Args:
        rows: Rows of a table.
        name: Column of the estimate.
        half_width: Column of the half width, if its name is not the default of `columns`.
    """
    width = half_width or f"{name}_half_width"
    known = [row for row in rows if row[name] is not None]
    return [{**row, "low": row[name] - row[width], "high": row[name] + row[width]} for row in known]
