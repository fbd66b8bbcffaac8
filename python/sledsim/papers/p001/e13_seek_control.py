"""001-E-13, Section 7: seeks by a linear feedback loop.

Seek times, schedulers over the load, and layouts, with slew and settle and with linear loops.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from sledsim.charts import alt, colour, grouped, names, plot, readable, side_by_side, tips

from ..shared import Result, device, noted
from ..shared.policy_curves import POLICIES
from . import seek_controls as control
from .seek_controls import CONTROLS, CRITICAL, FAST, LINEAR, SLEW

#: Title, in charts, of the colour or axis that shows the seek control.
_CONTROL = "Seek control"
#: Loads, as arrival rate over the number of random 4 KiB requests that the device can serve per second. FCFS
#: is saturated near 1; under every seek control the other policies still keep up there.
_LOADS = (0.3, 0.6, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4)
_LOADS_QUICK = (0.6, 0.8, 1.0, 1.2)
#: Highest load at which the notes compare policies.
_WORDS_AT = 1.0
#: Number of requests per replication and number of replications; then number of files and number of seeds.
#: Each pair is for a quick and for a full run.
_REQUESTS, _REPLICATIONS = (8000, 10_000), (5, 8)
_FILES, _SEEDS = (2000, 10_000), (3, 10)

_Rows = Sequence[Mapping[str, Any]]


def run(quick: bool) -> Result:
    """Compute seek times, response curves of four policies, and file accesses with each seek control."""
    full, loads = not quick, _LOADS_QUICK if quick else _LOADS
    # Seek times under critical damping are slow to compute, so a quick run draws no curves for it.
    closed = [name for name in CONTROLS if name != CRITICAL]
    used = list(CONTROLS) if full else closed
    curves = {name: control.load_curves(name, loads, _REQUESTS[full], _REPLICATIONS[full]) for name in used}
    seeks, costs = control.seek_rows(), list(map(control.cost_row, CONTROLS))
    gaps = [row for name in used for row in control.gap_rows(name, curves[name])]
    regions = list(map(control.subregion_row, used))
    layouts = [row for name in closed for row in control.layout_rows(name, _FILES[full], _SEEDS[full])]
    return Result(
        devices=[device("osdi00")],
        tables={
            "Seeks in x over the distance": seeks,
            "Costs of random requests": costs,
            "SPTF over the other policies": gaps,
            "Seeks within subregions": regions,
            "Layouts of files": layouts,
            **{f"Policies with {name}": found.table() for name, found in curves.items()},
        },
        charts={
            "Seek time over distance": partial(_seek_chart, seeks),
            "SPTF over the other policies": partial(_gap_chart, gaps),
            "Gains of placement": partial(_placement_chart, regions, layouts),
            **{f"Policies with {name}": found.plot for name, found in curves.items()},
        },
        notes=noted("001-E-13", **_longer(seeks), **_scheduling(gaps, costs), **_placement(regions, layouts)),
    )


def _longer(seeks: _Rows) -> dict[str, Any]:
    """Return values for notes: is a seek longer with linear control, and does it depend more on distance?"""
    ms = {(row["control"], round(row["distance_m"] * 1e6, 2)): row["seek_s"] * 1e3 for row in seeks}
    distances = [distance for name, distance in ms if name == SLEW]
    longer = all(ms[LINEAR, distance] > ms[SLEW, distance] for distance in distances)
    more = {name: ms[name, 100.0] - ms[name, 1.0] for name in (SLEW, LINEAR)}
    times = {name: ms[name, 100.0] / ms[name, 1.0] for name in (SLEW, LINEAR)}
    by_ms, by_ratio = (found[LINEAR] > found[SLEW] for found in (more, times))
    return {"longer": longer, "by_ms": by_ms, "more": more, "by_ratio": by_ratio, "times": times}


def _scheduling(gaps: _Rows, costs: _Rows) -> dict[str, Any]:
    """Return values for notes: does SPTF gain more over SSTF_LBN with linear control than otherwise?

    The gains are compared at the highest load up to `_WORDS_AT` at which every control has a mean response.
    """
    ratios_at: dict[float, dict[str, Any]] = {}
    for row in gaps:
        if row["other"] == "sstf_lbn":
            ratios_at.setdefault(row["load"], {})[row["control"]] = row
    controls = {row["control"] for row in gaps}
    load = max(load for load, rows in ratios_at.items() if load <= _WORDS_AT and rows.keys() == controls)
    at = ratios_at[load]
    share = {row["control"]: row["y_decides"] for row in costs}
    ratios = ", ".join(
        f"{row['ratio']:.3f} ({row['ratio_low']:.3f} to {row['ratio_high']:.3f}) by {name}, where y is the"
        f" longer part of {share[name]:.0%} of random seeks"
        for name, row in at.items()
    )
    does, fast_does = (at[name]["ratio_high"] < at[SLEW]["ratio_low"] for name in (LINEAR, FAST))
    return {"does": does, "fast_does": fast_does, "load": load, "ratios": ratios}


def _placement(regions: _Rows, layouts: _Rows) -> dict[str, Any]:
    """Return values for notes: does a good placement of data gain more with linear control than otherwise?"""
    slew, linear = (next(row for row in regions if row["control"] == name) for name in (SLEW, LINEAR))
    saved_ms = [1e3 * (row["anywhere_s"] - row["centre_s"]) for row in (linear, slew)]
    parts = [1 - row["centre_over_anywhere"] for row in (linear, slew)]
    over = {(row["layout"], row["control"]): row["over_random"] for row in layouts}
    files = ", ".join(
        f"{over[layout, LINEAR]:.3f} against {over[layout, SLEW]:.3f} under {layout}"
        for layout in ("organ-pipe", "columnar", "subregioned")
    )
    corner = [row["corner_over_centre"] for row in (linear, slew)]
    further, saves, larger = (linear > slew for linear, slew in (corner, saved_ms, parts))
    found = {"further": further, "saves": saves, "larger": larger, "files": files}
    return {**found, "corner": corner, "saved_ms": saved_ms, "parts": parts}


def _seek_chart(rows: _Rows) -> Any:
    """Draw the seek time over the seek distance under each control, with a logarithmic axis of distances."""
    distance = alt.X("um:Q", title="Distance in x (µm)").scale(type="log", nice=False)
    base = plot(
        [{**row, "um": row["distance_m"] * 1e6, "ms": row["seek_s"] * 1e3} for row in rows],
        x=distance.axis(values=[0.1, 1, 10, 100]),
        y=alt.Y("ms:Q", title="Seek time with settling (ms)"),
        color=colour("control", _CONTROL, names(rows, "control")),
        tooltip=tips("control:N", "um:Q | | g", "ms:Q | | .3f"),
    )
    return readable(base.mark_line(point=True).properties(width=460, height=300))


def _gap_chart(rows: _Rows) -> Any:
    """Draw a panel per compared policy: mean response under SPTF over that under this policy, by load."""
    loads = names(rows, "load")
    scale = alt.Scale(domain=[min(loads), max(loads)], nice=False)
    load = alt.X("load:Q", title="Arrival rate over random accesses per second", scale=scale)
    channels = {"x": load.axis(tickCount=5), "color": colour("control", _CONTROL, names(rows, "control"))}
    ratio = alt.Y("ratio:Q", title="Ratio of mean responses").scale(zero=False)
    told = tips("control:N", "load:Q", "ratio:Q | | .3f", "ratio_low:Q | | .3f", "ratio_high:Q | | .3f")

    def panel(own: _Rows) -> Any:
        base = plot(own, **channels)
        band = base.mark_area(fillOpacity=0.2).encode(y=alt.Y("ratio_low:Q", title=""), y2="ratio_high:Q")
        return alt.layer(band, base.mark_line(point=True).encode(y=ratio, tooltip=told))

    over = [{**row, "over": f"SPTF over {POLICIES[row['other']]}"} for row in rows]
    return readable(alt.hconcat(*grouped(over, "over", panel, width=280, height=260), spacing=24), 3)


def _placement_chart(regions: _Rows, layouts: _Rows) -> Any:
    """Draw two panels by seek control: seeks near the centre over all seeks, and file access by layout."""
    shares = [
        {"control": row["control"], "what": what, "ratio": ratio}
        for row in regions
        for what, ratio in (
            ("centre over corner", 1 / row["corner_over_centre"]),
            ("centre over anywhere", row["centre_over_anywhere"]),
        )
    ]
    files = [
        {"control": row["control"], "what": row["layout"], "ratio": row["over_random"]}
        for row in layouts
        if row["layout"] != "random"
    ]
    left = _bars(shares, "Mean seek in the centremost subregion")
    right = _bars(files, "Mean access to files over random places")
    both = alt.hconcat(left, right, spacing=28)
    return readable(both.resolve_scale(x="independent", xOffset="independent"), 3)


def _bars(rows: _Rows, title: str) -> Any:
    bars = plot(
        rows,
        x=alt.X("what:N", title=None, sort=None).axis(labelAngle=0),
        y=alt.Y("ratio:Q", title="Ratio").scale(zero=True),
        **side_by_side("x", "control", _CONTROL, names(rows, "control")),
        tooltip=tips("control:N", "what:N", "ratio:Q | | .3f"),
    ).mark_bar()
    return bars.properties(title=title, width=400, height=260)
