"""Energy and response with three ways to save power: early rest, merging requests, partial access (003-F10).

The device rests at once, adjacent requests are merged, and only the needed parts of sectors are accessed.
"""

from typing import Any

import numpy as np

from ..charts.grammar import alt, groups, plot, rule, side_by_side, tips
from ..model.devices import Device
from ..model.volumes import Volume, load_volume
from ..runs.run import Run, simulate
from ..traces.trace import Trace
from ..traces.trace_files import bundled_trace, bundled_traces
from . import sheet_options as options
from .drawing import titled
from .sheet import defined
from .tables import Table, from_rows, origin, with_notes
from .workload import SECTOR_BYTES

#: Strategies by name, each with three flags: the sled rests immediately when idle; only the needed parts of
#: sectors are accessed; adjacent requests are merged.
_STRATEGIES = {
    "none": (False, False, False),
    "aggressive spin-down": (True, False, False),
    "merging": (False, False, True),
    "sub-sector access": (False, True, False),
    "all three": (True, True, True),
}
#: Values of the parameter `tip_supply` by kind of sector: for access to whole sectors, and for access to
#: parts of sectors.
_TIPS = {"block": ("block-tips", "wanted-tips"), "row": ("active-tips", "block-tips")}
_SCHEDULER = "fcfs"
#: Source that a device reports for parameters set by the user.
_SET = "set by the user"
#: Number of digits to which ratios of energies are rounded: further digits are rounding errors of sums.
_KNOWN_DIGITS = 9
#: Largest relative change of energy or response that counts as no change.
_NEARLY = 1e-3


def power_strategies(
    device: Device, traces: options.Several[str] | None = None, depth: int = 2, sector: str = "block"
) -> Table:
    """Simulate captured traces with three strategies to save power, each alone and all together.

    The results are the energy and the mean response. Without a strategy, the device never rests, and all tips
    of the accessed sectors are active. The strategy "aggressive spin-down" is the power policy ``immediate``,
    and "merging" is the volume ``merge``. With "sub-sector access", only the tips of the needed parts of a
    sector are active.

    Args:
        device: Any device of the kind mems.
        traces: Names of bundled traces; None takes all of them.
        depth (from 1): Largest number of requests in the device. Further requests wait in front of it, where
            adjacent requests can be merged.
        sector: Sector that is always accessed as a whole without sub-sector access: a "block", or a "row" of
            all active tips (the logical sector of paper 003). With sub-sector access, the device accesses the
            needed tip sectors of a block, or the needed blocks of a row.

    Returns:
        trace, strategy, energy_j (all energy of the device), energy_ratio (ratio to the energy without a
        strategy), saved (1 - energy_ratio), mean_response_s, response_ratio (ratio to the mean response
        without a strategy), requests (number of requests to the device).

    Raises:
        ParameterError: An option is wrong, or the user has set a parameter that the strategies change.
    """
    for key in _changed("", False):
        if device.sources[key] == _SET:
            value = device.parameters[key]
            options.refuse(key, value, f"the {key} of {device.name} unchanged: each strategy sets its own")
    at_once = options.whole_number("depth", depth, 1)
    whole, part = _TIPS[options.choice("sector", sector, list(_TIPS))]
    given = bundled_traces() if traces is None else options.several("traces", traces, "traces")
    names = [str(name) for name in given]
    rows: list[dict[str, Any]] = []
    for name in names:
        if name not in bundled_traces():
            raise options.unknown("trace", name, bundled_traces())
        trace = bundled_trace(name)
        base: dict[str, Any] = {}
        for strategy, (rests, takes_parts, merges) in _STRATEGIES.items():
            changed = _changed(part if takes_parts else whole, rests)
            run = _simulate(device, trace, changed, at_once if merges else None)
            found = run.summary()
            base = base or found
            energy_j, response_s = found["energy_j"], found["mean_response_s"]
            ratio = round(energy_j / base["energy_j"], _KNOWN_DIGITS)
            saved = round(1 - ratio, _KNOWN_DIGITS)
            rows.append(
                {
                    **{"trace": name, "strategy": strategy},
                    **{"energy_j": energy_j, "energy_ratio": ratio, "saved": saved},
                    "mean_response_s": response_s,
                    "response_ratio": response_s / base["mean_response_s"],
                    "requests": sum(row["requests"] for row in run.devices),
                }
            )
    without_parts = _without_parts(device, sector, [bundled_trace(name) for name in names])
    return with_notes(from_rows(rows), [*without_parts, *_notes(rows, at_once)])


def _without_parts(device: Device, sector: str, traces: list[Trace]) -> list[str]:
    """Return a note if sub-sector access saves nothing because all requests consist of whole sectors."""
    found = device.characteristics()
    block_bytes, per_row = int(found["block_bytes"]), int(found["blocks_per_row"])
    if sector == "row" and per_row == 1:
        return [f"A row is one block of {block_bytes} bytes: it has no smaller part to access."]
    whole_bytes = block_bytes * (per_row if sector == "row" else 1)
    sectors = whole_bytes // SECTOR_BYTES
    if not any(np.any(column % sectors) for trace in traces for column in (trace.lbn, trace.blocks)):
        return [f"Every request is for whole {sector}s of {whole_bytes} bytes: no request needs a part."]
    return []


def _notes(rows: list[dict[str, Any]], depth: int) -> list[str]:
    """Return notes on merging without savings, and on responses that are longer with all three strategies."""
    by_strategy = groups(rows, "strategy")
    plain, merged, together = (by_strategy[name] for name in ("none", "merging", "all three"))
    fewer = all(row["requests"] < before["requests"] for row, before in zip(merged, plain, strict=True))
    alone = [by_strategy[name] for name in list(_STRATEGIES)[1:-1]]
    later = [
        row["trace"]
        for row, *each in zip(together, *alone, strict=True)
        if row["response_ratio"] > max(other["response_ratio"] for other in each) + _NEARLY
    ]
    notes = []
    if fewer and all(abs(row["saved"]) < _NEARLY for row in merged):
        notes.append(
            "Merged requests take less time, but no less energy: a device that waits takes as much power as"
            " one that seeks."
        )
    if later:
        notes.append(
            f"All three together respond later than each alone on {', '.join(later)}: while the command of"
            f" the next request is processed, the device, which holds at most {depth}, is idle and rests."
        )
    return notes


def _changed(tip_supply: str, rests: bool) -> dict[str, str]:
    return {"power_policy": "immediate" if rests else "always-on", "tip_supply": tip_supply}


def _simulate(device: Device, trace: Trace, changed: dict[str, str], depth: int | None) -> Run:
    """Simulate a trace on a device with changed parameters; with a `depth`, a volume merges requests."""
    made = device.with_parameters(**changed)
    if depth is None:
        return simulate(made, trace, _SCHEDULER, past_end="wrap")
    member = {**made.parameters, "scheduler": _SCHEDULER}
    merging = Volume.from_parameters({**load_volume("merge", depth=depth).parameters, "device": member})
    return simulate(merging, trace, _SCHEDULER, past_end="wrap")


def chart(table: Table) -> Any:
    """Draw energy and mean response under each strategy, as ratios to the values without any strategy."""
    names = list(_STRATEGIES)[1:]
    base = plot(
        (row for row in table.to_pylist() if row["strategy"] in names),
        y=alt.Y("trace:N", title=None),
        **side_by_side("y", "strategy", "Strategy", names),
    ).properties(width=320, height=alt.Step(16))
    figures = {
        "energy_ratio": "Energy relative to no strategy",
        "response_ratio": "Mean response relative to no strategy",
    }
    panels = [
        base.mark_bar().encode(
            x=alt.X(f"{key}:Q", title=title),
            tooltip=tips("trace:N", "strategy:N", "energy_j:Q | | .4g", f"{key}:Q | {title} | .3f"),
        )
        # The line at 1 separates gains from losses.
        + rule("x", 1, strokeWidth=1.5)
        for key, title in figures.items()
    ]
    subtitle = ["Captures of file systems. The line at 1 is without a strategy.", *origin(table)["notes"]]
    return titled(alt.hconcat(*panels, spacing=32), table, "Ways of saving power", subtitle)


ROW = defined(power_strategies, chart)
