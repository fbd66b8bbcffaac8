"""Distributions of response times: which part of the requests takes longer than a time."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from .grammar import alt, log_axis, plot, tips

#: Below that part nothing is drawn.
_LEAST = 1e-4


def slower_rows(
    fractions: Iterable[float], quantiles_s: Iterable[float], **named: str
) -> Iterator[dict[str, Any]]:
    """Rows for `slower_than`: the part of the requests that takes longer than each quantile.

    Args:
        fractions: Of the requests, rising.
        quantiles_s: Response times in seconds that so many do not exceed; what takes no time has no place on
            a logarithmic axis.
        named: What else each row says.
    """
    for fraction, response_s in zip(fractions, quantiles_s, strict=True):
        if response_s > 0:
            yield {**named, "ms": _seen(response_s * 1e3), "slower": _seen(1 - fraction)}


def _seen(value: float) -> float:
    """As many digits as are seen in a chart."""
    return float(f"{value:.5g}")


def slower_than(
    rows: Sequence[Mapping[str, Any]], told: Sequence[str] = (), *, points: bool = False, **channels: Any
) -> Any:
    """Lines through `slower_rows`, both axes logarithmic.

    Args:
        rows: What is drawn.
        told: What a pointer is told besides, as for `tips`.
        points: Whether each row is drawn as a point, too.
        channels: Besides those that `slower_rows` fills.
    """
    y = alt.Y("slower:Q", title="Requests slower than t (log scale)").scale(type="log", domain=[_LEAST, 1])
    return plot(
        rows,
        x=log_axis(alt.X, rows or [{"ms": 1.0}], "ms", "Response time t (ms, log scale)"),
        y=y.axis(format="~%", values=[1, 0.1, 0.01, 0.001, _LEAST]),
        order="slower:Q",
        tooltip=tips(*told, "ms:Q | Response time (ms) | ,.4g", "slower:Q | Slower requests | .2%"),
        **channels,
    ).mark_line(strokeWidth=2, clip=True, point=points)
