"""000-E-10, Introduction: MEMS devices and disks.

Ratio of the mean seek time of disks to that of the MEMS device.
"""

from collections.abc import Sequence
from typing import Any

from sledsim import Device, devices as device_names
from sledsim.charts import alt, colour, names, plot, readable
from sledsim.estimates import ordered

from ..shared import Claim, OnInput, Range, Result, Verdict, device, noted, stated, together

#: Range that paper 000 prints for the mean seek of a disk over that of the MEMS device (abstract and
#: introduction).
_FASTER = "10", "20"
_SQUARE_INCH_M2 = 0.0254**2


def run(quick: bool) -> Result:
    """Divide the mean seek times of disks by that of the MEMS device; `quick` has no effect."""
    model = device("mascots03")
    disks = [device(name) for name in device_names("disk")]
    rows = _rows(model, disks)
    return Result(
        devices=[model, *disks],
        claims=[_promises(model, rows)],
        tables={"Seeks of disks and of the MEMS device": rows},
        charts={"Seeks of disks over those of the MEMS device": lambda: _chart(rows)},
        notes=noted("000-E-10"),
    )


def _rows(model: Device, disks: Sequence[Device]) -> list[dict[str, Any]]:
    """Return a table row with the ratios of seek times for each disk; the quickest disk comes first."""
    own_s = model.characteristics()["mean_seek_s"]
    rows = []
    for disk in disks:
        sheet = disk.characteristics()
        seek_s, turn_s = sheet["mean_seek_s"], sheet["mean_rotational_latency_s"]
        row = {"disk": disk.name, "disk_seek_s": seek_s, "disk_half_turn_s": turn_s, "mems_seek_s": own_s}
        rows.append(row | {"ratio": seek_s / own_s, "ratio_with_turn": (seek_s + turn_s) / own_s})
    return ordered(rows, lambda row: row["ratio"])


def _promises(model: Device, rows: Sequence[dict[str, Any]]) -> Claim:
    cell_m2 = (model.parameters["bit_width_nm"] * 1e-9) ** 2
    density = _SQUARE_INCH_M2 / cell_m2 / 1e9
    return stated(
        "000-C20",
        *together([_faster(row) for row in rows]),
        f"the density of the paper's disks; cells of this device give {density:,.0f} Gbit/in²",
        "the power of the device, which Table 1 does not print, and that of the disks",
    )


def _faster(row: dict[str, Any]) -> OnInput:
    low, high = _FASTER
    printed = Range("", low, high, row["ratio"])
    return OnInput(
        "mean seek of a disk over that of the MEMS device",
        printed.paper,
        row["disk"],
        f"{printed.found}, {row['ratio_with_turn']:.1f} with half a turn",
        printed.verdict is Verdict.REPRODUCED,
    )


def _chart(rows: Sequence[dict[str, Any]]) -> Any:
    """Draw for each disk the ratio of its mean seek to that of the device, and the range that 000 prints."""
    kinds = {"ratio": "seek", "ratio_with_turn": "seek and half a turn"}
    points = plot(
        [{"disk": row["disk"], "what": kinds[key], "ratio": row[key]} for row in rows for key in kinds],
        x=alt.X("ratio:Q", title="Ratio to the mean seek of the MEMS device").scale(zero=True),
        y=alt.Y("disk:N", title=None, sort=names(rows, "disk")),
        color=colour("what", "Time of the disk", list(kinds.values())),
    ).mark_point(filled=True, size=70)
    low, high = map(float, _FASTER)
    band = plot([{"low": low, "high": high}], x="low:Q", x2="high:Q").mark_rect(
        fillOpacity=0.2, color="#888888"
    )
    layers = alt.layer(band, points).properties(width=520, height=220)
    return readable(layers, title="Seeks of disks over those of the MEMS device; grey: 10 to 20 times (000)")
