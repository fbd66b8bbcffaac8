"""Distribution of the seek times of the Random workload (002-E-2, Fig. 5b)."""

from typing import Any

import numpy as np

from ..charts.grammar import alt, groups, plot, tips
from ..charts.style import COLOURS
from ..common import units
from ..model.devices import Device
from . import sheet_options as options
from .drawing import data, titled
from .sheet import defined
from .tables import Table, from_rows
from .workload import phases_ns, random_run

#: Unit of simulated times, in seconds.
_RESOLUTION_S = 1e-9
#: Components of a seek: for each, the phases of a request whose times are added.
_COMPONENTS = {
    "x": ("seek_x_ns", "settle_ns"),
    "y": ("seek_y_ns", "turnaround_ns"),
    "positioning": ("positioning_ns",),
}
#: Quantiles of the seek time in the short table, which screens show: 0.95 is the time that 95 % do not
#: exceed.
_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
_TITLES = {"x": "x, settling included", "y": "y, turnarounds included", "positioning": "positioning"}


def seek_distribution(device: Device, count: int = 100_000, seed: int = 1, bin_s: float = 50e-6) -> Table:
    """Compute the distribution of seek times of the Random workload (001-F11), as shares of the requests.

    Requests are served under the policy fcfs, without command overhead, bus and queue.

    Args:
        device: Any device.
        count (from 1): Number of requests.
        seed (from 0): Seed of the random requests.
        bin_s (from 1e-09): Width of a bin, at least a nanosecond, as simulated times are whole nanoseconds.

    Returns:
        component ("x" with settling, "y" with turnarounds, "positioning": the longer of both), low_s, high_s
        (ends of the bin, which includes low_s), share (share of the requests in the bin), mean_s (mean of the
        component over all requests).

    Raises:
        ParameterError: An option is wrong.
    """
    width_ns = options.number("bin_s", bin_s, _RESOLUTION_S) * 1e9
    run = random_run(device, options.whole_number("count", count, 1), options.whole_number("seed", seed, 0))
    rows: list[dict[str, Any]] = []
    for component, phases in _COMPONENTS.items():
        times_ns = phases_ns(run, phases)
        bins, mean_s = (times_ns / width_ns).astype(np.int64), float(times_ns.mean()) * 1e-9
        for low, found in enumerate(np.bincount(bins).tolist()):
            edges = {"low_s": low * width_ns * 1e-9, "high_s": (low + 1) * width_ns * 1e-9}
            rows.append({"component": component, **edges, "share": found / len(bins), "mean_s": mean_s})
    return from_rows(rows)


def quantiles(table: Table) -> Table:
    """Return quantiles of the seek times, one row per component."""
    rows: dict[str, dict[str, Any]] = {}
    reached = dict.fromkeys(_COMPONENTS, 0.0)
    for row in table.to_pylist():
        component = row["component"]
        reached[component] += row["share"]
        found = rows.setdefault(component, {"component": component})
        for share in _QUANTILES:
            # Shares add up to 1 except for rounding.
            if reached[component] >= share - 1e-9:
                found.setdefault(f"within_{share:.0%}_s", row["high_s"])
    return from_rows(list(rows.values()))


def chart(table: Table) -> Any:
    """Draw the distribution with one panel per component; all panels have the same axes."""
    rows = data(table)
    # The axis ends a little above the highest bar.
    tops = (max(row["high_ms"] for row in rows), 1.08 * max(row["share"] for row in rows))
    panels = [
        _panel(own, own_colour, *tops).properties(
            title=f"{_TITLES[name]}: mean {own[0]['mean_ms']:.3f} ms", width=640, height=130
        )
        for (name, own), own_colour in zip(groups(rows, "component").items(), COLOURS[:3], strict=True)
    ]
    subtitle = [
        f"In steps of {units.duration(rows[0]['high_s'])}. The line is the mean."
        " Positioning takes as long as the longer of x and y.",
        "Along y there are few distances, from row to row: in narrow steps (bin_s=5e-6) they show as peaks.",
    ]
    return titled(alt.vconcat(*panels, spacing=12), table, "Seek times of the Random workload", subtitle)


def _panel(rows: list[dict[str, Any]], own_colour: str, most_ms: float, most_share: float) -> Any:
    share = alt.Y("share:Q", title="Share of requests").axis(format="~%", tickCount=5)
    bars = plot(
        rows,
        x=alt.X("low_ms:Q", title="Time (ms)", bin="binned").scale(domain=[0, most_ms]),
        x2="high_ms:Q",
        y=share.scale(domain=[0, most_share]),
        tooltip=tips("low_ms:Q | From (ms) | .3f", "high_ms:Q | To (ms) | .3f", "share:Q | Share | .2%"),
    ).mark_bar(color=own_colour, opacity=0.6, binSpacing=0)
    mean = plot([{"mean_ms": rows[0]["mean_ms"]}], x="mean_ms:Q").mark_rule(strokeWidth=2)
    return bars + mean


ROW = defined(seek_distribution, chart, quantiles)
