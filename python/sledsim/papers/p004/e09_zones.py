"""004-E-9, Section 7.3: scheduling by zones.

Positioning time, response and energy under several policies, over the load and on captures.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from sledsim.charts import alt, colour, grouped, groups, names, plot, readable, tips

from ..shared import Result, noted
from . import zones
from .inputs import STUDIED, model, notes
from .zones import JOINED, POLICIES, ZSPTF

#: Arrival rates as shares of the throughput of first come, first served, for a full run and for a quick run.
_LOADS, _LOADS_QUICK = (0.2, 0.4, 0.6, 0.8, 0.9, 1.05, 1.1), (0.3, 0.9, 1.05)
_DESIGNS, _DESIGNS_QUICK = ("M-20-BP", "M-20-BE", "M-10-BP", "M-10-BE"), ("M-20-BP", "M-20-BE")
#: Requests per replication, and number of replications, each for a quick run and for a full run.
_COUNT, _REPLICATIONS = (5000, 10_000), (4, 8)
_CAPTURES = (STUDIED, "ext2-4k")
_OUTSTANDING = (1, 4, 16)
_BEST = "M-20-BP"
#: Titles of the policies in the two short tables.
_COMPARED = tuple(POLICIES[name] for name in (ZSPTF, JOINED, "pyramid", "clook_lbn", "sptf"))

_Rows = Sequence[Mapping[str, Any]]


def run(quick: bool) -> Result:
    """Run policies on random requests over the load, and on captures with several requests outstanding."""
    designs, loads = (_DESIGNS_QUICK, _LOADS_QUICK) if quick else (_DESIGNS, _LOADS)
    size = _COUNT[not quick], _REPLICATIONS[not quick]
    devices = {name: zones.design(name) for name in designs}
    curves = {name: zones.load_curves(on, loads, *size) for name, on in devices.items()}
    over_load = [row for name, found in curves.items() for row in zones.positioning_rows(name, found)]
    energy = [
        row
        for name, on in devices.items()
        for row in zones.energy_rows(
            name, on, [load for load in curves[name].loads if load < zones.served_per_s(on)], *size
        )
    ]
    captured = [
        row
        for capture in _CAPTURES
        for name in designs
        for outstanding in _OUTSTANDING
        for row in zones.capture_rows(capture, name, outstanding)
    ]
    return Result(
        devices=[model()],
        tables={
            f"Positioning of {STUDIED} on {_BEST} over that under FCFS": _waiting(captured),
            "Random requests relative to FCFS at nine tenths utilization": _random(over_load),
            "Positioning and response over the load": over_load,
            "Energy per request over the load": energy,
            "Captures with requests outstanding": captured,
            **{f"Response of {name}": found.table() for name, found in curves.items()},
        },
        charts={
            "Positioning over the load": partial(_positioning_chart, over_load),
            "Captures with requests outstanding": partial(_capture_chart, captured),
            **{f"Response of {name}": found.plot for name, found in curves.items()},
        },
        notes=[*notes()[1:], *noted("004-E-9", **_captures(captured), **_energy(energy, captured))],
    )


def _over_fcfs(rows: _Rows) -> dict[tuple[int, str], float]:
    """Return the mean positioning time over that under FCFS, by pair of requests outstanding and policy.

    The values are those of the capture `STUDIED` on the design `_BEST`.
    """
    own = [row for row in rows if (row["capture"], row["design"]) == (STUDIED, _BEST)]
    return {(row["outstanding"], row["scheduler"]): row["positioning_over_fcfs"] for row in own}


def _captures(rows: _Rows) -> dict[str, Any]:
    """Return values for the notes: do zones shorten positioning on the capture `STUDIED`?"""
    over = _over_fcfs(rows)
    most = max(_OUTSTANDING)
    one = [over[1, title] for title in POLICIES.values()]
    zoned, split, look, sptf = (over[most, POLICIES[name]] for name in (JOINED, ZSPTF, "clook_lbn", "sptf"))
    lower = {"alone": min(one) < 1, "waiting": zoned < 1, "than_look": zoned < look, "as_sptf": zoned <= sptf}
    return {"capture": STUDIED, "design": _BEST, "most": most, **lower, "apart": split > zoned}


def _waiting(rows: _Rows) -> list[dict[str, Any]]:
    """Return a table row per policy: positioning over that under FCFS with 4 and 16 requests outstanding."""
    over = _over_fcfs(rows)
    return [
        {
            "scheduler": title,
            **{f"with {count} outstanding": over[count, title] for count in _OUTSTANDING[1:]},
        }
        for title in _COMPARED
    ]


def _random(rows: _Rows) -> list[dict[str, Any]]:
    """Return a table row per design and policy: random requests at the highest rate that FCFS sustains."""
    found = []
    judged = [row for row in rows if row["response_over_fcfs"] is not None]
    for own in groups(judged, "design").values():
        rate = max(row["rate_per_s"] for row in own)
        at = {row["scheduler"]: row for row in own if row["rate_per_s"] == rate}
        kept = ("design", "rate_per_s", "scheduler", "positioning_over_fcfs", "response_over_fcfs")
        found += [{key: at[title][key] for key in kept} for title in _COMPARED]
    return found


def _energy(energy: _Rows, captured: _Rows) -> dict[str, Any]:
    """Return values for the notes: least energy over that under FCFS, and largest share of seeking in it."""
    part = {
        name: max(row["seek_j"] / row["energy_j"] for row in own)
        for name, own in groups(energy, "design").items()
    }
    least = min(row["energy_over_fcfs"] for row in energy)
    least_captured = min(row["energy_over_fcfs"] for row in captured)
    seeks = ", ".join(f"{share:.0%} on {name}" for name, share in part.items())
    return {"least": least, "least_captured": least_captured, "seeks": seeks}


def _positioning_chart(rows: _Rows) -> Any:
    """Draw one panel per design: the mean positioning time under each policy over the arrival rate."""
    shown = [{**row, "ms": row["mean_positioning_s"] * 1e3} for row in rows]
    x = alt.X("rate_per_s:Q", title="Arrival rate (requests/s)").scale(zero=False)
    y = alt.Y("ms:Q", title="Mean positioning (ms)").scale(zero=False)
    return _policies(shown, "design", x, y, "rate_per_s:Q", "ms:Q | | .3f")


def _capture_chart(rows: _Rows) -> Any:
    """Draw one panel per capture and design: positioning over FCFS's, by number of requests outstanding."""
    shown = [{**row, "on": f"{row['capture']} on {row['design']}"} for row in rows]
    x = alt.X("outstanding:O", title="Requests outstanding").axis(labelAngle=0)
    y = alt.Y("positioning_over_fcfs:Q", title="Mean positioning over FCFS").scale(zero=False)
    return _policies(shown, "on", x, y, "outstanding:O")


def _policies(rows: _Rows, panel: str, x: Any, y: Any, *told: str) -> Any:
    """Draw one panel per value of the column `panel`, with a line per policy over axis `x`."""
    color = colour("scheduler", "Scheduler", names(rows, "scheduler"))
    texts = tips("scheduler:N", *told, "positioning_over_fcfs:Q | | .3f")
    panels = grouped(
        rows,
        panel,
        lambda own: plot(own, x=x, y=y, color=color, tooltip=texts).mark_line(point=True),
        width=330,
        height=260,
    )
    return readable(alt.concat(*panels, columns=2, spacing=24))
