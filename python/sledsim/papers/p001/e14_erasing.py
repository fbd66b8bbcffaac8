"""001-E-14, Section 7: media that require erasing.

Responses on captures and random requests, with erasing at each write, and with logs that hide the erasing.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from sledsim import Device, Trace, bundled_trace
from sledsim.charts import alt, colour, lines, log_axis, names, plot, readable, side_by_side, tips
from sledsim.listings import bundled_traces

from ..shared import Result, device, noted, random_workload, simulate

_REWRITABLE, _IN_PLACE, _NOT_LEFT, _LOG = (
    "rewritable",
    "erased in place",
    "log, immediate erasing",
    "log, deferred erasing",
)
_MEDIA = (_REWRITABLE, _IN_PLACE, _NOT_LEFT, _LOG)
#: Arrival rates in requests/s for a full and for a quick run. Media that erase in place have lower rates,
#: because a write there takes seconds.
_RATES, _RATES_QUICK = (25.0, 50.0, 100.0, 200.0), (25.0,)
_RATES_IN_PLACE = (0.02, 0.1, 0.2)
#: Number of requests of a quick run, and of a full run. In a full run, the first half of the requests fills
#: the log and starts cleaning.
_COUNT = (20_000, 600_000)
_COUNT_IN_PLACE = 1000
#: Counters of the device that concern erasing.
_COUNTED = ("erased_blocks", "copied_blocks", "waited_for_cleaning", "cleaned_before_writes")
_MS = 1e3

_Rows = Sequence[Mapping[str, Any]]


def media() -> dict[str, Device]:
    """Return the device of paper 001 with each kind of medium, by the name of the kind."""
    log = device("osdi00-erase")
    return {
        _REWRITABLE: device("osdi00"),
        _IN_PLACE: log.with_parameters(erase_management="in-place"),
        _NOT_LEFT: log.with_parameters(erase_slice_ms=log.parameters["erase_ms"]),
        _LOG: log,
    }


def run(quick: bool) -> Result:
    """Measure response times with each medium, for captures and for random requests at several rates."""
    log = device("osdi00-erase")
    captures = ["demo"] if quick else list(bundled_traces())
    captured = [_row(on, name, bundled_trace(name)) for name in captures for on in media().items()]
    drawn = [
        {
            "rate_per_s": rate,
            **_row(on, "random", random_workload(log, rate_per_s=rate, count=count, seed=1), count // 2),
        }
        for rates, count, left_out in (
            # Runs of this number of requests do not fill a log.
            (_RATES_IN_PLACE, _COUNT_IN_PLACE, (_LOG, _NOT_LEFT)),
            (_RATES_QUICK if quick else _RATES, _COUNT[not quick], (_IN_PLACE,)),
        )
        for rate in rates
        for on in media().items()
        if on[0] not in left_out
    ]
    return Result(
        devices=[device("osdi00"), log],
        tables={"Captures": captured, "Random requests": drawn},
        charts={
            "Captures on each medium": partial(_capture_chart, captured),
            "Random requests over their rate": partial(_rate_chart, drawn),
        },
        notes=[_hiding(captured), *([] if quick else [_steady(drawn)]), *noted("001-E-14")],
    )


def _row(on: tuple[str, Device], workload: str, trace: Trace, skipped: int = 0) -> dict[str, Any]:
    name, model = on
    made = simulate(model, trace, "fcfs", past_end="wrap")
    response_s = made.response_ns[skipped:] * 1e-9
    median_s, p99_s = np.percentile(response_s, [50, 99]).tolist()
    # A medium without erasing has no counters, so they count as 0.
    counts = made.device_counts.get("device", {})
    return {
        "workload": workload,
        "medium": name,
        "mean_response_s": float(response_s.mean()),
        "p50_response_s": median_s,
        "p99_response_s": p99_s,
        "max_response_s": float(response_s.max()),
        "cv2_response": float((response_s.std() / response_s.mean()) ** 2),
        "energy_j": made.summary()["energy_j"],
        **{key: int(counts.get(key, 0)) for key in _COUNTED},
    }


def _hiding(rows: _Rows) -> str:
    """Return a note on captures: mean response on each medium over that on a rewritable medium."""
    by = {(row["workload"], row["medium"]): row for row in rows}

    def ratios(medium: str, figure: str) -> str:
        found = [by[name, medium][figure] / by[name, _REWRITABLE][figure] for name in names(rows, "workload")]
        texts = dict.fromkeys(f"{value:,.3g}" for value in (min(found), max(found)))
        return " to ".join(texts)

    return (
        f"On captures, mean response over that of a rewritable medium: erased in place"
        f" {ratios(_IN_PLACE, 'mean_response_s')} (it cannot keep up), log with immediate erasing"
        f" {ratios(_NOT_LEFT, 'mean_response_s')}, log with deferred erasing"
        f" {ratios(_LOG, 'mean_response_s')}; 99th percentile {ratios(_NOT_LEFT, 'p99_response_s')} and"
        f" {ratios(_LOG, 'p99_response_s')}. A log writes scattered blocks in sequence and can be faster"
        " than the rewritable medium."
    )


def _steady(rows: _Rows) -> str:
    """Return a note on random requests: mean responses on three media, and blocks copied per erasing."""
    by = {(row["rate_per_s"], row["medium"]): row for row in rows}
    texts = [
        f"{rate:g}/s: {by[rate, _REWRITABLE]['mean_response_s'] * _MS:.2f} ms rewritable,"
        f" {by[rate, _LOG]['mean_response_s'] * _MS:.2f} ms with a log,"
        f" {by[rate, _NOT_LEFT]['mean_response_s'] * _MS:,.0f} ms with immediate erasing"
        for rate in _RATES
    ]
    log = by[_RATES[0], _LOG]
    copied = log["copied_blocks"] / log["erased_blocks"]
    return (
        f"Random requests on a full log that is cleaned continuously: {'; '.join(texts)}."
        f" Before an erase block is erased, {copied:,.0f} blocks of 512 bytes are copied on average."
    )


def _capture_chart(rows: _Rows) -> Any:
    shown = [
        {**row, "mean_ms": row["mean_response_s"] * _MS, "p99_ms": row["p99_response_s"] * _MS}
        for row in rows
    ]
    panels = [
        plot(
            shown,
            x=log_axis(alt.X, shown, figure, f"{title} (ms, log scale)"),
            y=alt.Y("workload:N", title=None),
            **side_by_side("y", "medium", "Medium", _MEDIA),
            tooltip=tips("workload:N", "medium:N", f"{figure}:Q | {title} (ms) | ,.3f"),
        )
        .mark_point(filled=True, size=90)
        .properties(width=330, height=alt.Step(16))
        for figure, title in (("mean_ms", "Mean response"), ("p99_ms", "99th percentile"))
    ]
    return readable(alt.hconcat(*panels, spacing=28))


def _rate_chart(rows: _Rows) -> Any:
    shown = [{**row, "mean_ms": row["mean_response_s"] * _MS} for row in rows]
    base = plot(
        shown,
        x=log_axis(alt.X, shown, "rate_per_s", "Arrival rate (requests/s, log scale)"),
        y=log_axis(alt.Y, shown, "mean_ms", "Mean response (ms, log scale)"),
        color=colour("medium", "Medium", _MEDIA),
        tooltip=tips("medium:N", "rate_per_s:Q", "mean_ms:Q | | ,.3f"),
    )
    return readable(lines(base).properties(width=520, height=300))
