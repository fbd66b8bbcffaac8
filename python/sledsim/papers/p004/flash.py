"""Code that 004-E-6 and 004-E-7 share: designs compared with the flash card on captures."""

from collections.abc import Mapping, Sequence
from typing import Any

from sledsim import Device, bundled_trace
from sledsim.charts import alt, colour, groups, names, plot, readable, unfolded

from ..shared import OnInput, Range, device, is_as_said, simulate
from .inputs import REPLAY, formatted

CARD = "cf-card"
#: Replay rule that keeps idle times. A request that waited for another one when it was captured also waits
#: for that one here.
_IN_USE = "think"
USES = ("seek", "actuation", "tips", "electronics", "idle", "shutdown", "inactive")


def compared(
    capture: str, designs: Mapping[str, Sequence[int]], supply: str | None = None
) -> list[dict[str, Any]]:
    """Return a table row per design, and one for the card: response without queue, energy with idle times.

    Args:
        capture: Name of the capture.
        designs: Probes, sectors side by side and bytes per sector of each design, by name.
        supply: Value of the parameter `tip_supply`, which sets the tips that draw power; None for the value
            of the device.
    """
    devices = {name: formatted(axes) for name, axes in designs.items()}
    if supply is not None:
        devices = {name: one.with_parameters(tip_supply=supply) for name, one in devices.items()}
    rows = [_row(capture, name, on) for name, on in {**devices, "card": device(CARD)}.items()]
    card = rows[-1]
    for row in rows:
        row["response_over_card"] = row["mean_response_s"] / card["mean_response_s"]
        row["energy_over_card"] = row["energy_j"] / card["energy_j"]
    return rows


def _row(capture: str, name: str, on: Device) -> dict[str, Any]:
    trace = bundled_trace(capture).transfers()
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


def between(
    quantity: str, printed: tuple[str, str], where: str, values: Sequence[float], unit: str = ""
) -> OnInput:
    """Test that `values`, one for each design, lie in a printed range, each judged as a `Range`.

    `where` names the input in the finding.
    """
    low, high = min(values), max(values)
    told = all(is_as_said(Range(quantity, *printed, value)) for value in (low, high))
    return OnInput(quantity, " to ".join(printed) + unit, where, f"{low:.2f} to {high:.2f}{unit}", told)


def chart(rows: list[dict[str, Any]]) -> Any:
    """Draw two panels per capture: mean response of each device, and energy of each device by use."""
    devices = names(rows, "device")
    shown = [{**row, "ms": row["mean_response_s"] * 1e3} for row in rows]
    panels = []
    for name, own in groups(shown, "workload").items():
        y = alt.Y("device:N", title=None, sort=devices)
        # The bars are grey, a colour that the legend of the energy does not have.
        response = plot(own, x=alt.X("ms:Q", title="Mean response (ms)"), y=y).mark_bar(color="#888888")
        size = {"width": 300, "height": 150}
        panels.append(
            alt.hconcat(
                response.properties(title=f"{name}: response", **size),
                energy_bars(own, y).properties(title=f"{name}: energy", **size),
            )
        )
    return readable(alt.vconcat(*panels, spacing=24))


def energy_bars(rows: Sequence[Mapping[str, Any]], y: Any, **channels: Any) -> Any:
    """Draw a bar of energy per value of the axis `y`, stacked by use, with one colour for each use."""
    parts = unfolded(rows, {f"{use}_j": use for use in USES}, "use", "joules")
    x, color = alt.X("joules:Q", title="Energy (J)"), colour("use", "Use", USES)
    return plot(parts, x=x, y=y, color=color, **channels).mark_bar()
