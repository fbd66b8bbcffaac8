"""The chart of the power of each device over time; needs altair."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..common.arrow import pyarrow
from ..common.units import time_scale
from ..pages.page import Table, table as shown
from ..runs.power_over_time import Power
from .grammar import alt, groups, plot, tips
from .style import readable

_WIDTH, _HEIGHT = 760, 260
#: Largest number of panels, one per device; the subtitle says if further devices are left out.
_PANELS = 8
#: Uses of energy from the bottom of the stack to its top, constant uses first; a use has the same colour in
#: all charts.
_COLOUR = {
    "inactive": "#bbbbbb",
    "idle": "#999933",
    "shutdown": "#000000",
    "startup": "#CC79A7",
    "electronics": "#D55E00",
    "actuation": "#E69F00",
    "settle": "#56B4E9",
    "seek": "#0072B2",
    "tips": "#009E73",
}


def power_chart(power: Power) -> Any:
    """Draw power over time, with one panel per device and the uses of energy stacked."""
    table, title = power.table, power.title
    devices = list(dict.fromkeys(table["device"].to_pylist()))
    about = "Mean power in each time step, by use."
    if len(devices) > _PANELS:
        about += f" The first {_PANELS} of {len(devices)} devices."
    return readable(alt.vconcat(*power_panels(table), spacing=16), title=title, subtitle=about)


def power_panels(table: "pyarrow.Table") -> list[Any]:
    """Return a panel for each device in `table`, a result of `Run.power`; at most `_PANELS` panels."""
    devices = list(dict.fromkeys(table["device"].to_pylist()))
    uses = [use for use in _COLOUR if f"{use}_w" in table.column_names]
    unit_s, unit = time_scale(max(table["to_s"].to_pylist()) - min(table["from_s"].to_pylist()))
    # The legend gives the energy of each use, because thin layers are invisible in the chart.
    labels = _with_energy(table, uses)
    scale = alt.Scale(domain=[labels[use] for use in uses[::-1]], range=[_COLOUR[use] for use in uses[::-1]])
    channels = {
        "x": alt.X("from:Q", title=f"Time since the first arrival ({unit})").scale(nice=False),
        "x2": "to:Q",
        "y": alt.Y("low_mw:Q", title="Power (mW)"),
        "y2": "high_mw:Q",
        "color": alt.Color("use:N", title="Use, and its energy", sort=None, scale=scale).legend(
            labelLimit=300
        ),
        "tooltip": tips(
            *("use:N | Use", "power_mw:Q | Power (mW) | ,.3f"),
            *(f"from:Q | From ({unit}) | ,.4f", f"to:Q | To ({unit}) | ,.4f"),
        ),
    }
    by_device = groups(_rows(table, labels, unit_s), "device")
    more = f" {len(devices) - _PANELS} more devices have no panel." if len(devices) > _PANELS else ""
    return [
        plot(by_device.get(name, []), **channels)
        .mark_rect(strokeWidth=0)
        .properties(
            title=f"Power of {name}" if len(devices) > 1 else "Power over time",
            description="Mean power in each time step, with the uses stacked; areas are"
            f" proportional to energy.{more}",
            width=_WIDTH,
            height=_HEIGHT if len(devices) == 1 else _HEIGHT // 2,
        )
        for name in devices[:_PANELS]
    ]


def power_tables(power: Power) -> list[Table]:
    """Return a table of the energy of each use."""
    table = power.table
    uses = [use for use in _COLOUR if f"{use}_w" in table.column_names]
    energy_j = {use: joules for use, joules in _energy_j(table, uses).items() if joules}
    whole_j = sum(energy_j.values()) or 1.0
    rows = [{"use": use, "energy_j": joules, "share": joules / whole_j} for use, joules in energy_j.items()]
    return [shown("Energy by use", rows)]


def _energy_j(table: "pyarrow.Table", uses: Sequence[str]) -> dict[str, float]:
    """Return the energy in joules of each use, summed over all devices and all time steps."""
    found = table.to_pylist()
    return {use: sum(row[f"{use}_w"] * (row["to_s"] - row["from_s"]) for row in found) for use in uses}


def _with_energy(table: "pyarrow.Table", uses: Sequence[str]) -> dict[str, str]:
    """Return a label per use with its total energy over all devices, and its share of all energy."""
    energy_j = _energy_j(table, uses)
    whole_j = sum(energy_j.values()) or 1.0
    return {use: f"{use}: {joules:.3g} J ({joules / whole_j:.1%})" for use, joules in energy_j.items()}


def _rows(table: "pyarrow.Table", labels: Mapping[str, str], unit_s: float) -> list[dict[str, Any]]:
    """Return one rectangle per use of energy and time step; rectangles of a time step are stacked.

    The edges of time steps are in units of `unit_s` seconds, counted from the first step.
    """
    first_s, uses = min(table["from_s"].to_pylist()), list(labels)
    return [
        {
            "device": row["device"],
            "use": labels[use],
            "from": (row["from_s"] - first_s) / unit_s,
            "to": (row["to_s"] - first_s) / unit_s,
            "low_mw": 1e3 * sum(row[f"{below}_w"] for below in uses[:at]),
            "high_mw": 1e3 * sum(row[f"{below}_w"] for below in uses[: at + 1]),
            "power_mw": 1e3 * row[f"{use}_w"],
        }
        for row in table.to_pylist()
        for at, use in enumerate(uses)
        if row[f"{use}_w"]
    ]
