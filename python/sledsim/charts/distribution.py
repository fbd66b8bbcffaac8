"""Charts of distributions: the share of requests whose response takes longer than t, over t."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from .grammar import alt, log_axis, plot, tips

#: Lower end of the axis of shares: smaller shares are not drawn.
_LEAST = 1e-4


def slower_rows(
    fractions: Iterable[float], quantiles_s: Iterable[float], **named: str
) -> Iterator[dict[str, Any]]:
    """Yield a row for `slower_than` per quantile: the time in ms, and the share of requests that take longer.

    Args:
        fractions: Shares of the requests, ascending, one per quantile: 0.95 means that 95 % take at most the
            time of the quantile.
        quantiles_s: Quantiles of the response time in seconds, one per fraction; times of 0 are skipped, as
            the axis is logarithmic.
        named: Further columns, which have the same text in every row.
    """
    for fraction, response_s in zip(fractions, quantiles_s, strict=True):
        if response_s > 0:
            yield {**named, "ms": _seen(response_s * 1e3), "slower": _seen(1 - fraction)}


def _seen(value: float) -> float:
    """Return a value rounded to five significant digits, because a chart cannot show more."""
    return float(f"{value:.5g}")


def slower_than(
    rows: Sequence[Mapping[str, Any]], told: Sequence[str] = (), *, points: bool = False, **channels: Any
) -> Any:
    """Draw lines through the rows that `slower_rows` yields, with both axes logarithmic.

    Args:
        rows: Rows from `slower_rows`.
        told: Further lines of the tooltip, in the form "field | title | number format" that `tips` takes.
        points: True to draw a point for each row on the line.
        channels: Further Altair channels by name, such as ``color``.
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
