"""Texts for figures and designs, in sentences and in columns of tables."""

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
    """Return the heading of a figure's column, with the unit of its values."""
    return "capacity (GiB)" if figure == "capacity_gib" else units.heading(figure)


def scale_of(figure: str) -> float:
    """Return the factor that converts a figure into the unit of its heading."""
    return units.of(figure).scale


def cell(figure: str, value: float) -> str:
    """Return a figure as text in the unit of its column's heading; a dash if the value is not finite."""
    return units.number(value * scale_of(figure)) if math.isfinite(value) else "-"


def said(figure: str, value: float) -> str:
    """Return the name of a figure with a value and the unit, such as ``mean response 1.2 ms``."""
    if figure == "capacity_gib":
        return f"capacity {units.number(value)} GiB"
    return f"{name_of(figure)} {units.quantity(figure, value)}"


def interval(figure: str, estimate: Estimate) -> str:
    """Return the name of a figure with an estimated value, its interval and the unit."""
    unit = "GiB" if figure == "capacity_gib" else units.of(figure).shown
    scale = scale_of(figure)
    text = units.estimate(estimate.value * scale, estimate.half_width * scale)
    return f"{name_of(figure)} {text} {unit}".strip()


def sure(confidence: float) -> str:
    """Return a probability as a percentage with up to ten digits, such as 99.5%."""
    return f"{100 * confidence:.10g}%"


def percent(estimate: Estimate) -> str:
    """Return a share as a percentage with its interval if known: 12.00 % (10.00 to 14.00 %)."""
    if math.isnan(estimate.half_width):
        return f"{_part(estimate.value)} %"
    return f"{_part(estimate.value)} % ({_part(estimate.low)} to {_part(estimate.high)} %)"


def _part(share: float) -> str:
    """Return a share in per cent with two decimals and without a percent sign; -0.00 becomes 0.00."""
    return f"{round(100 * share, 2) + 0.0:.2f}"


def better(share: Estimate) -> str:
    """Return a relative gain as text: "better by 12.00 %", or "worse by" if it is negative."""
    if share.value < -ALIKE:
        return f"worse by {percent(Estimate(-share.value, share.half_width, share.count))}"
    return f"better by {percent(share)}"


def design(values: Mapping[str, Any]) -> str:
    """Return a design as text: the names of its factors with their values, such as ``tips = 640``."""
    return ", ".join(f"{name} = {shown(value)}" for name, value in values.items())


def shown(value: Any) -> str:
    """Return a value of a parameter as text; fractions get six significant digits."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def joined(texts: Iterable[str]) -> str:
    """Return texts joined with commas."""
    return ", ".join(texts)
