"""How seek times are distributed under a random workload (002-E-2, Figure 5b)."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ..models import Device
from . import options
from .tables import from_rows
from .workload import phases_ns, random_run

if TYPE_CHECKING:
    import pyarrow

#: The unit of simulated times.
_RESOLUTION_S = 1e-9
#: The component, and the phases of a request that it is the sum of.
_COMPONENTS = {
    "x": ("seek_x_ns", "settle_ns"),
    "y": ("seek_y_ns", "turnaround_ns"),
    "positioning": ("positioning_ns",),
}
_TITLES = {"x": "x, settling included", "y": "y, turnarounds included", "positioning": "positioning"}


def seek_distribution(
    device: Device, count: int = 100_000, seed: int = 1, bin_s: float = 50e-6
) -> "pyarrow.Table":
    """Shares of the requests of the Random workload (001-F11) by the time of their seek.

    They are simulated first come, first served, without command overhead, bus and queue.

    Args:
        device: Any device.
        count: Requests.
        seed: Of the workload.
        bin_s: The width of a bin, a nanosecond or more: simulated times are whole nanoseconds.

    Returns:
        component ("x" with settling, "y" with turnarounds, "positioning": the longer of both), low_s, high_s
        (the bin, its low end included), share.

    Raises:
        ParameterError: An option is wrong.
    """
    width_ns = options.number("bin_s", bin_s, _RESOLUTION_S) * 1e9
    run = random_run(device, options.whole_number("count", count, 1), options.whole_number("seed", seed, 0))
    rows: list[dict[str, Any]] = []
    for component, phases in _COMPONENTS.items():
        bins = (phases_ns(run, phases) / width_ns).astype(np.int64)
        for low, found in enumerate(np.bincount(bins).tolist()):
            edges = {"low_s": low * width_ns * 1e-9, "high_s": (low + 1) * width_ns * 1e-9}
            rows.append({"component": component, **edges, "share": found / len(bins)})
    return from_rows(rows)


def chart(table: "pyarrow.Table") -> Any:
    """A step line a component."""
    from .drawing import alt, colour, data, titled

    values = data(table)
    for row in values["values"]:
        row["component"] = _TITLES[row["component"]]
    last = {row["component"]: row for row in values["values"]}
    ends = [{**row, "low_ms": row["high_ms"], "share": 0.0} for row in last.values()]
    lines = alt.Chart(alt.InlineData(values=values["values"] + ends), width=640, height=320).mark_area(
        interpolate="step-after", fillOpacity=0.15, line={"strokeWidth": 2}
    )
    chart = lines.encode(
        x=alt.X("low_ms:Q", title="Time (ms)"),
        y=alt.Y("share:Q", title="Share of the requests", stack=None).axis(format="~%"),
        color=colour("component", "Component", list(_TITLES.values())),
        tooltip=[
            "component:N",
            alt.Tooltip("low_ms:Q", title="From (ms)", format=".3f"),
            alt.Tooltip("high_ms:Q", title="To (ms)", format=".3f"),
            alt.Tooltip("share:Q", title="Share", format=".2%"),
        ],
    )
    return titled(chart, table, "Seek times of the Random workload")
