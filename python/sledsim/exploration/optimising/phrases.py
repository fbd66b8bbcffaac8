"""Figures and designs as text."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from ...common import units
from ...common.ranking import ALIKE
from ...runs.intervals import Estimate


def name_of(figure: str) -> str:
    """Return the name of a figure in words: ``mean_response_s`` becomes ``mean response``."""
    return "capacity" if figure.startswith("capacity") else units.label(figure)


def heading_of(figure: str) -> str:
    """Return the heading of a column of a figure, with its unit."""
    return "capacity (GiB)" if figure == "capacity_gib" else units.heading(figure)


def scale_of(figure: str) -> float:
    """Return the factor that converts a figure into the unit of its heading."""
    return units.of(figure).scale


def cell(figure: str, value: float) -> str:
    """Format a value in the unit of its heading; a dash if it is unknown."""
    return units.number(value * scale_of(figure)) if math.isfinite(value) else "-"


def said(figure: str, value: float) -> str:
    """Format the name of a figure with a value and the unit."""
    if figure == "capacity_gib":
        return f"capacity {units.number(value)} GiB"
    return f"{name_of(figure)} {units.quantity(figure, value)}"


def interval(figure: str, estimate: Estimate) -> str:
    """Format the name of a figure with an estimate, its interval and the unit."""
    unit = "GiB" if figure == "capacity_gib" else units.of(figure).shown
    scale = scale_of(figure)
    text = units.estimate(estimate.value * scale, estimate.half_width * scale)
    return f"{name_of(figure)} {text} {unit}".strip()


def sure(confidence: float) -> str:
    """Format a probability with all its digits."""
    return f"{100 * confidence:.10g}%"


def percent(estimate: Estimate) -> str:
    """Format a share with its interval."""
    if math.isnan(estimate.half_width):
        return f"{_part(estimate.value)} %"
    return f"{_part(estimate.value)} % ({_part(estimate.low)} to {_part(estimate.high)} %)"


def _part(share: float) -> str:
    """Format a share in per cent, without the sign of a zero."""
    return f"{round(100 * share, 2) + 0.0:.2f}"


def better(share: Estimate) -> str:
    """Format a gain or loss with its interval, as "better by" or "worse by" a percentage."""
    if share.value < -ALIKE:
        return f"worse by {percent(Estimate(-share.value, share.half_width, share.count))}"
    return f"better by {percent(share)}"


def design(values: Mapping[str, Any]) -> str:
    """Format the values of a design."""
    return ", ".join(f"{name} = {shown(value)}" for name, value in values.items())


def shown(value: Any) -> str:
    """Format a value of a parameter: a number with six significant digits."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def joined(texts: Iterable[str]) -> str:
    """Join texts with commas."""
    return ", ".join(texts)
