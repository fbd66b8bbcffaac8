"""001-E-9, Section 6.2: RAID-5 and striping.

Mean response of arrays of five devices with parity and of four without, of disks and of MEMS devices.
"""

from functools import partial
from typing import Any

import numpy as np

from sledsim.charts import alt, colour, groups, lines, names, plot, readable, rule, tips

from ..shared import (
    Calibrated,
    Figure,
    Result,
    Statement,
    device,
    noted,
    random_workload,
    simulate,
    stated,
    volume,
)

#: Number of devices of the array without parity, and of the array with parity (001-F27).
_STRIPED, _PARITY = 4, 5
#: Arrival rates at the whole array in requests/s, by device; paper 001 prints neither rate nor stripe unit.
_RATES = {"atlas10k": (25, 50, 75, 100, 150), "osdi00": (100, 200, 300, 400, 500)}
_UNITS_KIB = (8, 64)
#: Stripe unit in KiB with which the claim is judged.
_UNIT_KIB = 64
_COUNT, _COUNT_QUICK = 100_000, 30_000
#: Mean response in ms that 001 prints for striping and for RAID-5, and increase of RAID-5 over striping; by
#: device.
_PRINTED = {"atlas10k": ("8.04", "14.3", 0.77), "osdi00": ("1.07", "1.36", 0.27)}

#: Largest rounding error of the printed increases: half a per cent.
_ROUNDING = 0.005


def run(quick: bool) -> Result:
    """Measure the mean response of RAID-5 and of striping over the arrival rate, with two stripe units."""
    rows = [
        _row(name, unit_kib, rate, _COUNT_QUICK if quick else _COUNT)
        for name, rates in _RATES.items()
        for unit_kib in _UNITS_KIB
        for rate in rates
    ]
    return Result(
        devices=[device(name) for name in _RATES],
        claims=[
            stated(
                "001-C17",
                *(finding for name in _RATES for finding in (_ratio(rows, name), _response(rows, name))),
            )
        ],
        tables={"Mean response of striping and of RAID-5": rows},
        charts={"RAID-5 over striping": partial(_chart, rows)},
        notes=noted("001-E-9"),
    )


def _row(name: str, unit_kib: int, rate_per_s: float, count: int) -> dict[str, Any]:
    arrays = {
        kind: volume(kind, devices=devices, stripe_unit_kib=unit_kib, device=name)
        for kind, devices in (("stripe", _STRIPED), ("raid5", _PARITY))
    }
    smallest = min(arrays.values(), key=lambda array: array.capacity_bytes)
    trace = random_workload(smallest, rate_per_s=rate_per_s, count=count)
    runs = {kind: simulate(array, trace, "sptf").summary() for kind, array in arrays.items()}
    stripe_s, raid5_s = (float(runs[kind]["mean_response_s"]) for kind in ("stripe", "raid5"))
    return {
        "device": name,
        "stripe_unit_bytes": unit_kib * 1024,
        "rate_per_s": rate_per_s,
        "stripe_response_s": stripe_s,
        "raid5_response_s": raid5_s,
        "ratio": raid5_s / stripe_s,
        "stripe_utilization": runs["stripe"]["utilization"],
        "raid5_utilization": runs["raid5"]["utilization"],
    }


def _ratio(rows: list[dict[str, Any]], name: str) -> Statement:
    """Test if the increase by parity that 001 prints lies within our increases over all arrival rates."""
    own = _own(rows, name)
    stripe_ms, raid5_ms, more = _PRINTED[name]
    near = min(own, key=lambda row: abs(row["ratio"] - 1 - more))
    low, high = min(row["ratio"] for row in own) - 1, max(row["ratio"] for row in own) - 1
    return Statement(
        f"RAID-5 over striping on {name}",
        f"+{more:.0%} ({raid5_ms} ms over {stripe_ms} ms)",
        f"{low:+.0%} to {high:+.0%} over {own[0]['rate_per_s']:g} to {own[-1]['rate_per_s']:g} requests/s; at"
        f" {near['rate_per_s']:g}/s {near['ratio'] - 1:+.0%} ({near['raid5_response_s'] * 1e3:.2f} ms over"
        f" {near['stripe_response_s'] * 1e3:.2f} ms)",
        holds=low <= more <= high,
        in_shape=True,
    )


def _response(rows: list[dict[str, Any]], name: str) -> Calibrated:
    """Compare the mean response of striping at the rate at which our increase is the printed one.

    Rate and response are interpolated between the rates of the device `name`.
    """
    own, (printed, _, more) = _own(rows, name), _PRINTED[name]
    rates, ratios, responses_s = (
        [row[key] for row in own] for key in ("rate_per_s", "ratio", "stripe_response_s")
    )
    # Increases grow with the rate. If the printed one is beyond the simulated rates, the nearest rate counts.
    low, rate, high = np.interp([1 + more + by for by in (-_ROUNDING, 0, _ROUNDING)], ratios, rates)
    return Calibrated(
        Figure(
            f"mean response of striping on {name} at the rate of the printed ratio",
            printed,
            float(np.interp(rate, rates, responses_s)) * 1e3,
            "ms",
        ),
        f"{low:.0f} to {high:.0f} requests/s",
    )


def _own(rows: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    """Return the table rows of the device `name` with the stripe unit `_UNIT_KIB`."""
    return [row for row in rows if row["device"] == name and row["stripe_unit_bytes"] == _UNIT_KIB * 1024]


def _chart(rows: list[dict[str, Any]]) -> Any:
    values = [
        {**row, "which": f"{row['device']}, {row['stripe_unit_bytes'] // 1024} KiB", "more": row["ratio"] - 1}
        for row in rows
    ]
    channels = {
        "x": alt.X("rate_per_s:Q", title="Arrival rate (requests/s)"),
        "y": alt.Y("more:Q", title="RAID-5 slower than striping by").axis(format="%"),
        "color": colour("which", "Device, stripe unit", names(values, "which")).legend(labelLimit=400),
        "tooltip": tips("rate_per_s:Q | Rate (/s)", "more:Q | slower by | .1%"),
    }
    panels = [
        lines(plot(own, **channels), rule("y", _PRINTED[name][-1], strokeDash=[4, 4])).properties(
            title=f"{name}; dashed: printed", width=330, height=260
        )
        for name, own in groups(values, "device").items()
    ]
    return readable(alt.hconcat(*panels, spacing=28))
