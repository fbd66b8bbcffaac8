"""What 004-E-6 and E-7 share: designs beside the flash card, under captures."""

from collections.abc import Mapping
from typing import Any

from ...model.devices import Device
from ...runs.design.space import AXES
from ...traces.files import bundled_trace
from ..shared.perturbations import device, simulate
from .inputs import DEVICE, REPLAY, model

CARD = "cf-card"
#: The devices of section 7.2.
PICKED = {
    "M-20-BE": "4096x16x4096",
    "M-20-BP": "4096x1x4096",
    "M-10-BE": "2048x16x2048",
    "M-10-BP": "2048x1x4096",
}
#: Energy counts idle times: what waited for a request in the capture waits for the simulated one.
_IN_USE = "think"
USES = ("seek", "actuation", "tips", "electronics", "idle", "shutdown", "inactive")


def compared(capture: str, designs: Mapping[str, str]) -> list[dict[str, Any]]:
    """Response one request at a time, and energy in use, of designs and of the card."""
    devices = {name: model().with_parameters(format=text) for name, text in designs.items()}
    rows = [_row(capture, name, on) for name, on in {**devices, "card": device(CARD)}.items()]
    card = rows[-1]
    for row in rows:
        row["response_over_card"] = row["mean_response_s"] / card["mean_response_s"]
        row["energy_over_card"] = row["energy_j"] / card["energy_j"]
    return rows


def _row(capture: str, name: str, on: Device) -> dict[str, Any]:
    trace = bundled_trace(capture)
    alone = simulate(on, trace, "fcfs", past_end="wrap", replay=REPLAY)
    in_use = simulate(on, trace, "fcfs", past_end="wrap", replay=_IN_USE)
    found, uses = alone.summary(), in_use.energy_by_use_j
    return {
        "workload": capture,
        "device": name,
        "mean_response_s": found["mean_response_s"],
        "mean_positioning_s": found["mean_positioning_s"],
        "mean_transfer_s": float(alone.columns["transfer_ns"].mean()) * 1e-9,
        "energy_j": in_use.summary()["energy_j"],
        **{f"{use}_j": uses[use] for use in USES},
    }


def format_of(row: Mapping[str, Any]) -> str:
    """The format of a design, as a device file has it."""
    return "x".join(str(row[axis]) for axis in AXES)


def notes() -> list[str]:
    """What the figures rest on."""
    return [
        "004's traces of a PDA are not published, nor what its card took: own captures stand for the traces.",
        "Of the card the latency is calibrated, so that M-20-BP takes 1.13 times as long for a mean request"
        " of 004, and its powers are assumed: no energy over that of the card is more than an assumption."
        " docs/reference/devices.md has the equations.",
        f"Of {DEVICE}, acceleration and springs are derived or calibrated.",
        "Response is that of one request at a time; energy is that of the use, with its idle times.",
    ]


def chart(rows: list[dict[str, Any]]) -> Any:
    """Response and energy of each device, one panel a capture."""
    from ...charts.style import readable
    from ...studies.drawing import alt, colour

    names = list(dict.fromkeys(row["device"] for row in rows))
    flat = [
        {"workload": row["workload"], "device": row["device"], "use": use, "joules": row[f"{use}_j"]}
        for row in rows
        for use in USES
    ]
    panels = []
    for name in dict.fromkeys(row["workload"] for row in rows):
        y = alt.Y("device:N", title=None, sort=names)
        own = [{**row, "ms": row["mean_response_s"] * 1e3} for row in rows if row["workload"] == name]
        # In a colour that the legend of the energy does not have.
        response = (
            alt.Chart(alt.InlineData(values=own))
            .mark_bar(color="#888888")
            .encode(x=alt.X("ms:Q", title="Mean response (ms)"), y=y)
        )
        bars = alt.Chart(alt.InlineData(values=[row for row in flat if row["workload"] == name])).mark_bar()
        energy = bars.encode(
            x=alt.X("joules:Q", title="Energy (J)"), y=y, color=colour("use", "What takes it", USES)
        )
        size = {"width": 300, "height": 150}
        panels.append(
            alt.hconcat(
                response.properties(title=f"{name}: response", **size),
                energy.properties(title=f"{name}: energy", **size),
            )
        )
    return readable(alt.vconcat(*panels, spacing=24).properties(padding=16))
