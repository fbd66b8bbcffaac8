"""004-E-8, Section 8: enhancements, and power policies.

Response and energy with faster probes, switched probes, other actuators or electronics, and power policies.
"""

from functools import partial
from typing import Any

from sledsim import bundled_trace, design, format_space
from sledsim.charts import alt, grouped, names, readable, tips

from ..shared import Result, noted
from .flash import USES, energy_bars
from .inputs import PICKED, STUDIED, model, notes

#: Changed parameters of the enhancements of section 8; a higher rate per probe is a higher access velocity.
_ENHANCEMENTS: dict[str, dict[str, Any]] = {
    "unchanged": {},
    "per-probe rate x 2": {"access_velocity_mm_per_s": 3.2},
    "per-probe rate x 4": {"access_velocity_mm_per_s": 6.4},
    "power net that switches probes": {"tip_supply": "block-tips"},
    "actuators of half the power": {"seek_power_mw": 60.0, "actuation_power_mw": 60.0},
    "electronics of half the power": {"electronics_power_mw": 2.5, "inactive_power_mw": 2.5},
}
#: Designs of section 7.2 with 4096 probes.
_DEVICES = ("M-20-BP", "M-20-BE")
_POLICIES = (
    "always-on",
    *(f"timeout:ms={ms:g}" for ms in (100, 10, 1, 0.1)),
    "immediate",
    "adaptive",
    "oracle",
)
#: Replay rule that keeps idle times. A request that waited for another one when it was captured also waits
#: for that one here.
_REPLAY = "think"


def run(quick: bool) -> Result:
    """Compute response and energy with each enhancement and power policy; `quick` has no effect."""
    rows = [_row(name, what, changes) for name in _DEVICES for what, changes in _ENHANCEMENTS.items()]
    policies = [_row(name, policy, {"power_policy": policy}) for name in _DEVICES for policy in _POLICIES]
    for row in policies:
        oracle = next(
            other for other in policies if other["design"] == row["design"] and other["change"] == "oracle"
        )
        row["energy_over_oracle"] = row["energy_j"] / oracle["energy_j"]
    return Result(
        devices=[model()],
        tables={"Enhancements": rows, "Power policies": policies},
        charts={
            "Energy of enhancements by use": partial(_chart, rows),
            "Energy of power policies by use": partial(_chart, policies),
        },
        notes=[*notes()[1:], *noted("004-E-8", capture=STUDIED)],
    )


def _row(name: str, what: str, changes: dict[str, Any]) -> dict[str, Any]:
    on = model().with_parameters(**changes) if changes else model()
    axes: dict[str, Any] = {axis: [value] for axis, value in zip(design.AXES, PICKED[name], strict=True)}
    found = format_space(bundled_trace(STUDIED), device=on, replay=_REPLAY, **axes).designs[0]
    figures = ("mean_response_s", "p99_response_s", "energy_j", *(f"{use}_j" for use in USES))
    return {"design": name, "change": what, **{figure: found[figure] for figure in figures}}


def _chart(rows: list[dict[str, Any]]) -> Any:
    y = alt.Y("change:N", title=None, sort=names(rows, "change")).axis(labelLimit=260)
    texts = tips("change:N | Device", "use:N | Use", "joules:Q | Energy (J) | ,.4g")
    panels = grouped(rows, "design", lambda own: energy_bars(own, y, tooltip=texts), width=300, height=220)
    return readable(alt.hconcat(*panels, spacing=24), legend_columns=len(USES))
