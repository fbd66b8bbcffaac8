"""004-E-8: section 8, what better probes, power net, actuators and electronics bring; power policies."""

from functools import partial
from typing import Any

from ...runs.design.exploring import format_space
from ...traces.files import bundled_trace
from ..shared.experiments import Experiment, Result
from .inputs import STUDIED, model, notes

#: What is changed of the device, as section 8 calls it; faster probes pass bits faster.
_ENHANCEMENTS: dict[str, dict[str, Any]] = {
    "as it is": {},
    "per-probe rate x 2": {"access_velocity_mm_per_s": 3.2},
    "per-probe rate x 4": {"access_velocity_mm_per_s": 6.4},
    "power net that switches probes": {"tip_supply": "block-tips"},
    "actuators of half the power": {"seek_power_mw": 60.0, "actuation_power_mw": 60.0},
    "electronics of half the power": {"electronics_power_mw": 2.5, "inactive_power_mw": 2.5},
}
#: The devices of section 7.2 with 4096 probes, as axes of a format.
_DEVICES = {
    "M-20-BP": {"probes": [4096], "sectors": [1], "sector_bytes": [4096]},
    "M-20-BE": {"probes": [4096], "sectors": [16], "sector_bytes": [4096]},
}
_POLICIES = (
    "always-on",
    *(f"timeout:ms={ms:g}" for ms in (100, 10, 1, 0.1)),
    "immediate",
    "adaptive",
    "oracle",
)
#: Idle times count here: what waited for a request in the capture waits for the simulated one.
_REPLAY = "think"
_USES = ("seek", "actuation", "tips", "electronics", "idle", "shutdown", "inactive")


def run(quick: bool) -> Result:
    """Response and energy with each enhancement, and under each power policy; there is nothing to shorten."""
    import pyarrow

    rows = [_row(name, what, changes) for name in _DEVICES for what, changes in _ENHANCEMENTS.items()]
    policies = [_row(name, policy, {"power_policy": policy}) for name in _DEVICES for policy in _POLICIES]
    for row in policies:
        oracle = next(
            other for other in policies if other["design"] == row["design"] and other["change"] == "oracle"
        )
        row["energy_over_oracle"] = row["energy_j"] / oracle["energy_j"]
    return Result(
        devices=[model()],
        tables={
            "Enhancements": pyarrow.Table.from_pylist(rows),
            "Power policies": pyarrow.Table.from_pylist(policies),
        },
        charts={
            "Energy of enhancements by what takes it": partial(_chart, rows),
            "Energy of power policies by what takes it": partial(_chart, policies),
        },
        notes=[
            *notes()[1:],
            f"On {STUDIED}; what waited for a request in the capture waits for the simulated one, so that"
            " idle times are those of the use.",
            "The oracle knows how long each idle time lasts: no policy takes less in the same idle times.",
        ],
    )


def _row(name: str, what: str, changes: dict[str, Any]) -> dict[str, Any]:
    on = model().with_parameters(**changes) if changes else model()
    found = format_space(bundled_trace(STUDIED), on=on, replay=_REPLAY, **_axes(name)).designs[0]
    return {
        "design": name,
        "change": what,
        "mean_response_s": found["mean_response_s"],
        "p99_response_s": found["p99_response_s"],
        "energy_j": found["energy_j"],
        **{f"{use}_j": found[f"{use}_j"] for use in _USES},
    }


def _axes(name: str) -> Any:
    return _DEVICES[name]


def _chart(rows: list[dict[str, Any]]) -> Any:
    from ...charts.style import readable
    from ...studies.drawing import alt, colour

    flat = [
        {"design": row["design"], "change": row["change"], "use": use, "joules": row[f"{use}_j"]}
        for row in rows
        for use in _USES
    ]
    order = list(dict.fromkeys(row["change"] for row in rows))
    panels = []
    for name in _DEVICES:
        bars = alt.Chart(alt.InlineData(values=[row for row in flat if row["design"] == name])).mark_bar()
        panels.append(
            bars.encode(
                x=alt.X("joules:Q", title="Energy (J)"),
                y=alt.Y("change:N", title=None, sort=order).axis(labelLimit=260),
                color=colour("use", "What takes it", _USES),
                tooltip=[
                    alt.Tooltip("change:N", title="Device"),
                    alt.Tooltip("use:N", title="What takes it"),
                    alt.Tooltip("joules:Q", title="Energy (J)", format=",.4g"),
                ],
            ).properties(title=name, width=300, height=220)
        )
    return readable(alt.hconcat(*panels, spacing=24).properties(padding=16), legend_columns=len(_USES))


ROW = Experiment(
    "004-E-8",
    "Section 8: enhancements, and power policies",
    "Response and energy with faster probes, a power net, actuators, electronics, and power policies.",
    (),
    run,
)
