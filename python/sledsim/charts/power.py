"""The chart of power over time; needs altair."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..common.units import time_scale
from ..model.systems import from_parameters
from ..runs.run import Run
from .style import alt, readable

if TYPE_CHECKING:
    import pyarrow

_WIDTH, _HEIGHT = 760, 260
#: Panels, one a device; of more devices the others are left out, and the title says so.
_PANELS = 8
#: The uses from the bottom up: what is there all the time lies below; each has its colour in every chart.
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


def run_power_chart(run: Run) -> Any:
    """Power over time in a run, one panel a device."""
    on = from_parameters(run.settings.parameters).name
    return power_chart(run.power(), f"{run.settings.trace} on {on}")


def power_chart(table: "pyarrow.Table", title: str) -> Any:
    """Power over time, one panel a device, its parts by use one above another.

    Args:
        table: From `Run.power`.
        title: What ran on what.
    """
    names = list(dict.fromkeys(table["device"].to_pylist()))
    shown = names[:_PANELS]
    uses = [use for use in _COLOUR if f"{use}_w" in table.column_names]
    unit_s, unit = time_scale(max(table["to_s"].to_pylist()) - min(table["from_s"].to_pylist()))
    rows = _rows(table, uses, unit_s)
    # The legend has them in the order in which they lie, with the energy of what is too thin to be seen.
    labels = _with_energy(table, uses)
    rows = [row | {"use": labels[row["use"]]} for row in rows]
    colour = (
        alt.Color("use:N", title="Use, and its energy", sort=None)
        .scale(domain=[labels[use] for use in uses[::-1]], range=[_COLOUR[use] for use in uses[::-1]])
        .legend(labelLimit=300)
    )
    bars = (
        alt.Chart()
        .mark_rect(strokeWidth=0)
        .encode(
            x=alt.X("from:Q", title=f"Time since the first arrival ({unit})").scale(nice=False),
            x2="to:Q",
            y=alt.Y("low_mw:Q", title="Power (mW)"),
            y2="high_mw:Q",
            color=colour,
            tooltip=[
                alt.Tooltip("use:N", title="Use"),
                alt.Tooltip("power_mw:Q", title="Power (mW)", format=",.3f"),
                alt.Tooltip("from:Q", title=f"From ({unit})", format=",.4f"),
                alt.Tooltip("to:Q", title=f"To ({unit})", format=",.4f"),
            ],
        )
    )
    panels = [
        bars.properties(
            data=alt.InlineData(values=[row for row in rows if row["device"] == name]),
            title=name if len(names) > 1 else "",
            width=_WIDTH,
            height=_HEIGHT if len(names) == 1 else _HEIGHT // 2,
        )
        for name in shown
    ]
    about = "Mean power in each step, by use."
    if len(names) > _PANELS:
        about += f" The first {_PANELS} of {len(names)} devices."
    headline = alt.TitleParams(title, subtitle=about)
    return readable(alt.vconcat(*panels, spacing=16).properties(title=headline, padding=16))


def _with_energy(table: "pyarrow.Table", uses: Sequence[str]) -> dict[str, str]:
    """Each use with its energy over all devices and the whole time, and its share."""
    found = table.to_pylist()
    energy_j = {use: sum(row[f"{use}_w"] * (row["to_s"] - row["from_s"]) for row in found) for use in uses}
    whole_j = sum(energy_j.values()) or 1.0
    return {use: f"{use}: {joules:.3g} J ({joules / whole_j:.1%})" for use, joules in energy_j.items()}


def _rows(table: "pyarrow.Table", uses: Sequence[str], unit_s: float) -> list[dict[str, Any]]:
    """A rectangle for each use in each step, on top of those of the uses before it."""
    first_s = min(table["from_s"].to_pylist())
    return [
        {
            "device": row["device"],
            "use": use,
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
