"""001-E-12, Section 7: power policies, over the time-out and the load.

Energy and mean response under each power policy over those of an oracle, at low to high loads.
"""

from functools import partial
from typing import Any

import numpy as np

from sledsim import Device
from sledsim.charts import alt, colour, names, plot, readable, tips

from ..shared import Result, Statement, device, noted, random_workload, simulate, stated

#: Arrival rates in requests/s, from a mostly idle to a busy device.
_RATES = (1.0, 10.0, 100.0, 1000.0)
_TIMEOUTS_MS = (0.1, 1.0, 10.0, 100.0, 1000.0)
_POLICIES = (
    "always-on",
    *(f"timeout:ms={ms:g}" for ms in reversed(_TIMEOUTS_MS)),
    "immediate",
    "adaptive",
    "oracle",
)
#: Number of requests of a quick run, and of a full run.
_COUNT = (500, 5000)
_MS = 1e3
#: Energy of the device as a share of a low-power disk's energy (printed range), and time in s to restart the
#: device (printed).
_SHARES, _RESTART_S = (0.08, 0.22), 0.5e-3
#: Arrival rate in requests/s at which the device seldom rests, and percentile of the added response time by
#: which the restart is judged.
_BUSY, _USUAL = 100.0, 99


def run(quick: bool) -> Result:
    """Measure energy and response under every power policy at each rate, also relative to the oracle."""
    model = device("osdi00-power")
    rows = [row for rate in _RATES for row in _rows(model, rate, _COUNT[not quick])]
    return Result(
        devices=[model],
        claims=[
            stated(
                "001-C19",
                "the powers of both devices, which 001 cites from a report",
                _delay(model, _COUNT[not quick]),
                rare_w=_implied(rows, _RATES[0]),
                rare=_RATES[0],
                busy_w=_implied(rows, _BUSY),
                busy=_BUSY,
            )
        ],
        tables={"Policies over the load": rows},
        charts={"Energy and response over those of the oracle": partial(_chart, rows)},
        notes=noted("001-E-12"),
    )


def _rows(model: Device, rate: float, count: int) -> list[dict[str, Any]]:
    trace = random_workload(model, rate_per_s=rate, count=count, seed=1)
    runs = {
        policy: simulate(model.with_parameters(power_policy=policy), trace, "fcfs") for policy in _POLICIES
    }
    oracle = runs["oracle"].summary()
    return [
        {
            "rate_per_s": rate,
            "power_policy": policy,
            "mean_response_s": summary["mean_response_s"],
            "p99_response_s": summary["p99_response_s"],
            "energy_j": summary["energy_j"],
            "mean_power_w": summary["energy_j"] / (float(run.columns["completion_ns"].max()) * 1e-9),
            **{f"{use}_j": joules for use, joules in run.energy_by_use_j.items()},
            "energy_over_oracle": summary["energy_j"] / oracle["energy_j"],
            "response_over_oracle": summary["mean_response_s"] / oracle["mean_response_s"],
        }
        for policy, run, summary in ((policy, run, run.summary()) for policy, run in runs.items())
    ]


def _implied(rows: list[dict[str, Any]], rate: float) -> str:
    """Return, as text, the range of a disk's mean power in W that fits the printed shares of energy.

    The device's own power is that of the policy which rests at once after each request.
    """
    (power_w,) = (
        row["mean_power_w"] for row in rows if (row["rate_per_s"], row["power_policy"]) == (rate, "immediate")
    )
    least, most = (power_w / share for share in reversed(_SHARES))
    return f"{least:.2f} to {most:.2f} W"


def _delay(model: Device, count: int) -> Statement:
    """Test the printed restart time by the longer responses of requests that find the device at rest.

    Delays are measured at the lowest rate, with rest at once after each request.
    """
    trace = random_workload(model, rate_per_s=_RATES[0], count=count, seed=1)
    rested, ready = (
        simulate(model.with_parameters(power_policy=policy), trace, "fcfs").response_ns * 1e-9
        for policy in ("immediate", "always-on")
    )
    added_s = rested - ready
    usual_s = float(np.percentile(added_s, _USUAL))
    return Statement(
        f"restart from rest (001-F29), added to the response of {_USUAL} of 100 requests",
        "less than 0.5 ms",
        f"{usual_s * _MS:.3f} ms at most; at most {added_s.max() * _MS:.3f} ms for any request",
        holds=usual_s < _RESTART_S,
        in_shape=bool(added_s.max() >= _RESTART_S),
    )


def _chart(rows: list[dict[str, Any]]) -> Any:
    shown = [{**row, "load": f"{row['rate_per_s']:g}/s"} for row in rows]
    panels = [
        plot(
            shown,
            x=alt.X("power_policy:N", title=None, sort=list(_POLICIES)),
            y=alt.Y(f"{column}:Q", title=title).scale(zero=False),
            color=colour("load", "Requests", names(shown, "load")),
            tooltip=tips("power_policy:N | Policy", "load:N | Requests", f"{column}:Q | {title} | .3f"),
        )
        .mark_line(point=True)
        .properties(width=340, height=260)
        for column, title in (
            ("energy_over_oracle", "Energy over that of the oracle"),
            ("response_over_oracle", "Mean response over that of the oracle"),
        )
    ]
    return readable(alt.hconcat(*panels, spacing=28))
