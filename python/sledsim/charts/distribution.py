"""Distributions of response times: the share of requests slower than a time."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from .grammar import alt, log_axis, plot, tips

#: Least share of slower requests that is drawn.
_LEAST = 1e-4


def slower_rows(
    fractions: Iterable[float], quantiles_s: Iterable[float], **named: str
) -> Iterator[dict[str, Any]]:
    """Yield the rows for `slower_than`: each quantile with the share of slower requests.

    Args:
        fractions: Fractions of the requests, in ascending order.
        quantiles_s: Quantiles of the response time in seconds, one per fraction. Times of 0 are skipped, as
            the axis is logarithmic.
        named: Further columns of each row.
    """
    for fraction, response_s in zip(fractions, quantiles_s, strict=True):
        if response_s > 0:
            yield {**named, "ms": _seen(response_s * 1e3), "slower": _seen(1 - fraction)}


def _seen(value: float) -> float:
    """Round a value to the five digits that a chart shows."""
    return float(f"{value:.5g}")


def slower_than(
    rows: Sequence[Mapping[str, Any]], told: Sequence[str] = (), *, points: bool = False, **channels: Any
) -> Any:
    """Draw lines through rows from `slower_rows`, with both axes logarithmic.

    Args:
        rows: Rows to draw.
        told: Further lines of the tooltip, in the form that `tips` takes.
        points: True to draw a point at each row, too.
        channels: Further channels, in addition to those from `slower_rows`.
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
