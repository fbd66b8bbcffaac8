"""000-E-9, Section 7: the two traces.

Counts, rates, times between arrivals and sequentiality of the streams that replace 000's traces.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sledsim import Trace, estimates
from sledsim.charts import alt, colour, plot, readable
from sledsim.estimates import Estimate

from ..shared import NEAR, Calibrated, Figure, Result, columns, half_digit, noted, stated
from .hours import REQUESTS
from .inputs import OWN_RATE, SEQUENTIALITY, SLEDS, zoned_device
from .sequential_streams import bursty_stream, stream

#: Number of requests that the paper prints for the hour of each trace (section 7), and an hour in seconds.
_REQUESTS, _HOUR_S = {"server": "118760", "user": "75304"}, 3600.0
#: Bound in seconds below which the paper counts times between arrivals of the user trace (section 7).
_SHORT_S = 5e-3
#: Number of requests to draw per mean number in an hour: the excess is seven standard deviations of the
#: bursty counts, so that every hour is complete.
_ENOUGH = 1.4
_SEEDS = 20, 60
_ARRIVALS = {"bursty": bursty_stream, "Poisson": stream}
#: Printed percentage of sequential requests of each trace (section 7).
_SEQUENTIAL = {"server": "0.5", "user": "82.9"}
#: Assumed gap between interleaved sequential requests: 16 blocks, an 8 KiB block of a file system, because
#: the paper prints no gap.
_INTERLEAVE_BLOCKS = 16
#: Times between arrivals in seconds at which the chart shows the share of shorter ones.
_LIMITS_S = np.geomspace(1e-4, 10, 101)


def run(quick: bool) -> Result:
    """Draw hours like each trace, with bursty and with Poisson arrivals, and count their requests."""
    seeds = _SEEDS[not quick]
    hours = {(like, arrivals): _hours(like, arrivals, seeds) for like in OWN_RATE for arrivals in _ARRIVALS}
    rows = [row for (like, arrivals), found in hours.items() for row in _rows(like, arrivals, found)]
    shares = [
        {"arrivals": arrivals, "interval_s": float(limit), "share_below": float(part)}
        for arrivals in _ARRIVALS
        for limit, part in zip(_LIMITS_S, hours["user", arrivals]["below"].mean(axis=0), strict=True)
    ]
    requests = {like: estimates.mean(hours[like, "bursty"]["requests"]) for like in OWN_RATE}
    senses = [_senses(like, gap) for like in OWN_RATE for gap in (0, _INTERLEAVE_BLOCKS)]
    return Result(
        devices=[zoned_device(sleds) for sleds in SLEDS.values()],
        claims=[
            # The paper prints count and rate of the same hour, so a stream drawn at the rate must have the
            # count.
            stated("000-C22", *(_count(like, found) for like, found in requests.items())),
            stated("000-C34", *(_sequential(row) for row in senses)),
        ],
        tables={
            "The traces and the streams": rows,
            "Times between arrivals": shares,
            "Sequential requests of the bursty streams": senses,
        },
        charts={"Times between arrivals of the user trace": lambda: _chart(shares)},
        notes=noted("000-E-9", seeds=seeds),
    )


def _hours(like: str, arrivals: str, seeds: int) -> dict[str, NDArray[np.float64]]:
    """Draw hours that resemble a trace, one per seed; return each figure as an array over the hours."""
    model, rate = zoned_device(SLEDS[like]), OWN_RATE[like]
    draw = _ARRIVALS[arrivals](SEQUENTIALITY[like], int(_ENOUGH * rate * _HOUR_S))
    hours = [_hour(draw(model, rate, seed)) for seed in range(1, seeds + 1)]
    return {name: np.array([hour[name] for hour in hours], float) for name in hours[0]}


def _hour(trace: Trace) -> dict[str, Any]:
    at_s = trace.arrival_ns * 1e-9
    count = int(np.searchsorted(at_s, _HOUR_S))
    between_s = np.sort(np.diff(at_s[:count]))
    follows = trace.lbn[1:count] == (trace.lbn + trace.blocks)[: count - 1]
    below = np.searchsorted(between_s, [_SHORT_S, *_LIMITS_S]) / len(between_s)
    figures = {"requests": count, "rate_per_s": count / _HOUR_S, "sequentiality": follows.mean()}
    return {**figures, "below_5_ms": below[0], "below": below[1:]}


def _rows(like: str, arrivals: str, found: Mapping[str, NDArray[np.float64]]) -> list[dict[str, Any]]:
    """Return a table row per printed figure of a trace: printed value, and mean of the drawn hours."""
    printed = {
        "requests": float(_REQUESTS[like]),
        "rate_per_s": OWN_RATE[like],
        "below_5_ms": 0.753 if like == "user" else None,
        "sequentiality": SEQUENTIALITY[like],
    }
    return [
        {
            **{"trace": like, "arrivals": arrivals, "figure": name, "printed": paper},
            **columns("drawn", estimates.mean(found[name])),
        }
        for name, paper in printed.items()
    ]


def _senses(like: str, gap_blocks: int) -> dict[str, Any]:
    """Return the share of sequential requests in a drawn hour, in the two senses that the paper may mean.

    A request follows directly on the previous one, or also after a gap of `gap_blocks` blocks. The hour
    resembles the trace `like`.
    """
    draw = bursty_stream(SEQUENTIALITY[like], REQUESTS[like], gap_blocks)
    trace = draw(zoned_device(SLEDS[like]), OWN_RATE[like], 1)
    behind = trace.lbn[1:] - (trace.lbn + trace.blocks)[:-1]
    return {
        "trace": like,
        "interleave_blocks": gap_blocks,
        "adjacent": float(np.mean(behind == 0)),
        "adjacent_or_interleaved": float(np.mean((behind == 0) | (behind == gap_blocks))),
    }


def _sequential(row: Mapping[str, Any]) -> Calibrated:
    printed, gap = _SEQUENTIAL[row["trace"]], row["interleave_blocks"]
    half = half_digit(printed)
    where = f"adjacent or {gap} blocks apart" if gap else "adjacent"
    return Calibrated(
        Figure(
            f"sequential requests of the bursty {row['trace']}-like hour, {where}",
            printed,
            100 * row["adjacent_or_interleaved"],
            "%",
        ),
        f"{float(printed) - half:.2f} to {float(printed) + half:.2f} % that follow the previous request",
    )


def _count(like: str, found: Estimate) -> Calibrated:
    printed = _REQUESTS[like]
    low, high = (OWN_RATE[like] * float(printed) * part / found.value for part in (1 - NEAR, 1 + NEAR))
    return Calibrated(
        Figure(f"requests in an hour of the bursty {like}-like stream", printed, found.value),
        f"{low:.1f} to {high:.1f} requests/s",
    )


def _chart(rows: Sequence[dict[str, Any]]) -> Any:
    """Draw the share of times between arrivals below each bound, and the share below 5 ms that 000 prints."""
    x, y = alt.X("ms:Q").scale(type="log"), "percent:Q"
    lines = plot(
        [{**row, "ms": row["interval_s"] * 1e3, "percent": 100 * row["share_below"]} for row in rows],
        x=x.title("Time between arrivals (ms)").axis(values=[10.0**n for n in range(-1, 5)], format=",~g"),
        y=alt.Y(y, title="Share of the times below (%)"),
        color=colour("arrivals", "Arrivals", list(_ARRIVALS)),
    ).mark_line()
    printed = plot([{"ms": _SHORT_S * 1e3, "percent": 75.3, "text": "000: 75.3 % below 5 ms"}], x="ms:Q", y=y)
    point = printed.mark_point(filled=True, size=70, color="black")
    words = printed.mark_text(align="right", dx=-8, dy=-4).encode(text="text:N")
    layers = alt.layer(lines, point, words).properties(width=520, height=300)
    return readable(layers, title="Times between arrivals of the user-like streams at 20.9 requests/s")
