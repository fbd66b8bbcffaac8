"""003-E-9, Figures 4 and 5: causes of the improvements.

Ratios between the hierarchies with one change at a time: disk, arrivals, placement of metadata, or table.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from sledsim import Trace
from sledsim.charts import alt, names, plot, readable, side_by_side, ticked, tips
from sledsim.files import PathLike

from ..shared import HPLAJW, Result, device, noted
from .inputs import DISK, DRAWN, MEMS, Input, drawn_days, inputs, notes
from .systems import PAPERS_TABLE, Interval, Observed, observe, systems

#: Number of draws of the beginning of each day, for a quick run and for a full run.
_DRAWS = (4, 8)
_SYSTEMS = ("DISK", "MMD", "MCD", "MMCD")
_AS_READ, _MILDEST = "as read here", "mildest bursts"
_MEAN, _CV2 = "Response", "cv²"
#: Bound in ns of short times between arrivals, for which the text of 003 prints the share of shorter ones.
_BURST_NS = 10_000_000
#: Size in MB of a metadata area that just holds all metadata of an input, instead of 1000 MB. The log begins
#: behind the area.
_NEAR_MB = 200
#: Ratio of largest to smallest value on an axis above which the chart uses a logarithmic axis.
_WIDE = 3.0


def _evenly(trace: Trace) -> Trace:
    """Return the trace with random arrival times over the same span, so that requests come in no bursts."""
    first, last = int(trace.arrival_ns[0]), int(trace.arrival_ns[-1])
    times = np.random.default_rng(1).uniform(first, last, len(trace))
    return replace(trace, arrival_ns=np.sort(times).astype(np.int64))


def _mildly(trace: Trace) -> Trace:
    """Return the trace with each time between arrivals below 10 ms lengthened to almost 10 ms."""
    gaps = np.diff(trace.arrival_ns)
    gaps = np.where(gaps < _BURST_NS, _BURST_NS - 1, gaps)
    return replace(trace, arrival_ns=trace.arrival_ns[0] + np.concatenate(([0], np.cumsum(gaps))))


@dataclass(frozen=True)
class _Cause:
    """A possible cause of differences from the paper: one change of the disk, the metadata or the arrivals.

    Attributes:
        name: Name of the change in tables and charts.
        scheduler: Policy of the disk.
        disk: Changed parameters of the disk.
        table: Options of the volumes that place the metadata and their table.
        arrivals: Function that changes the arrival times of a trace; None leaves them unchanged.
    """

    name: str
    scheduler: str = "fcfs"
    disk: Mapping[str, Any] = field(default_factory=dict)
    table: Mapping[str, Any] = field(default_factory=lambda: PAPERS_TABLE)
    arrivals: Callable[[Trace], Trace] | None = None

    def fits(self, one: Input) -> bool:
        """True if the change can be made on an input: arrival times can only change if the replay is open."""
        return self.arrivals is None or one.replay == "open"

    def observe(self, one: Input) -> Observed:
        """Run all systems on the input with the change, and return the observation."""
        targets = systems(self.scheduler, self.table, self.disk)
        return observe(replace(one, change=self.arrivals), targets, self.scheduler)


_CAUSES = (
    _Cause(_AS_READ),
    _Cause("disk: SPTF", scheduler="sptf"),
    _Cause("disk: C-LOOK", scheduler="clook_lbn"),
    _Cause(_MILDEST, arrivals=_mildly),
    _Cause("no bursts", arrivals=_evenly),
    _Cause("disk writes through", disk={"write_back": False}),
    _Cause("units of 8 KiB", table={**PAPERS_TABLE, "unit_kib": 8}),
    _Cause("metadata near the log", table={**PAPERS_TABLE, "metadata_mb": _NEAR_MB}),
    _Cause("table on the device", table={**PAPERS_TABLE, "table": "device"}),
)


@dataclass(frozen=True)
class _Ratio:
    """A ratio of a figure of one system to that of another, with the range that the text prints.

    Attributes:
        figure: Name of the figure in charts: mean response or cv².
        base: System whose figure is the numerator of the ratio.
        system: System whose figure is the denominator of the ratio.
        low: Lower end of the printed range.
        high: Upper end of the printed range; infinite if the text prints no upper end.
    """

    figure: str
    base: str
    system: str
    low: float
    high: float

    @property
    def title(self) -> str:
        """Title of the ratio in charts."""
        return f"{self.figure}, {self.base} over {self.system}"

    def of(self, seen: Observed) -> Interval:
        """Return the ratio, with its interval, from an observation of both systems."""
        compared = seen.speedup if self.figure == _MEAN else seen.variation
        return compared(self.base, self.system)


_RATIOS = {
    "disk_over_mmd": _Ratio(_MEAN, "DISK", "MMD", 1.28, 1.46),
    "disk_over_mcd": _Ratio(_MEAN, "DISK", "MCD", 2.7, 7.6),
    "disk_over_mmcd": _Ratio(_MEAN, "DISK", "MMCD", 3.3, 8.2),
    "mcd_over_mmcd": _Ratio(_MEAN, "MCD", "MMCD", 8.2 / 7.6, 3.3 / 2.7),
    "cv2_disk_over_mcd": _Ratio(_CV2, "DISK", "MCD", 2.4, 5.7),
    "cv2_mmd_over_disk": _Ratio(_CV2, "MMD", "DISK", 1.0, float("inf")),
}


def run(quick: bool, traces: PathLike | None = None) -> Result:
    """Compute the ratios of Figures 4 and 5 with one change at a time, and compare them with 003's ranges."""
    used = [
        *drawn_days(True, _DRAWS[not quick]),
        *(one for one in inputs(quick, traces) if one.kind != DRAWN),
    ]
    found = {
        (one.name, cause.name): cause.observe(one) for one in used for cause in _CAUSES if cause.fits(one)
    }
    rows = [_row(seen, cause) for (_, cause), seen in found.items()]
    return Result(
        devices=[device(DISK), device(MEMS)],
        tables={
            "Ratios by cause": rows,
            "Mean response by cause": [_means(seen, cause) for (_, cause), seen in found.items()],
        },
        charts={"Figures 4 and 5 by cause": partial(_chart, rows)},
        notes=[*notes(used), *noted("003-E-9", as_read=_AS_READ, mildest=_MILDEST), *_shares(rows)],
    )


def _row(seen: Observed, cause: str) -> dict[str, Any]:
    row: dict[str, Any] = {"input": seen.name, "cause": cause}
    for name, ratio in _RATIOS.items():
        interval = ratio.of(seen)
        row |= interval.columns(name)
        row[f"{name}_place"] = _place(interval, ratio)
    return row


def _place(interval: Interval, ratio: _Ratio) -> str:
    """Return the place of a ratio relative to the printed range: "above", "below", "within", "reaches in".

    A ratio reaches in if its interval overlaps the range, but its value lies outside.
    """
    if interval.low > ratio.high:
        return "above"
    if interval.high < ratio.low:
        return "below"
    return "within" if ratio.low <= interval.value <= ratio.high else "reaches in"


def _means(seen: Observed, cause: str) -> dict[str, Any]:
    row: dict[str, Any] = {"input": seen.name, "cause": cause}
    for system in _SYSTEMS:
        row |= seen.mean_s(system).columns(f"{system.lower()}_mean_response", "_s")
    for system in ("MCD", "MMD", "MMCD"):
        for kind in ("metadata_response_s", "other_mems_response_s"):
            row[f"{system.lower()}_{kind}"] = seen.averages(system)[kind]
    return row


def _shares(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a note per input and ratio outside its printed range: the changes that bring it inside."""
    said = []
    for base in (row for row in rows if row["cause"] == _AS_READ):
        others = [row for row in rows if row["input"] == base["input"] and row is not base]
        for name, ratio in _RATIOS.items():
            if base[f"{name}_place"] == "within":
                continue
            there = [
                f"{row['cause']} ({row[name]:.2f})" for row in others if row[f"{name}_place"] == "within"
            ]
            printed = f"{ratio.low:.3g} to {ratio.high:.3g}" if np.isfinite(ratio.high) else "above 1"
            mildest = next((row[name] for row in others if row["cause"] == _MILDEST), base[name])
            if min(mildest, base[name]) <= ratio.high and max(mildest, base[name]) >= ratio.low:
                there.append(f"bursts between those drawn and the mildest ({mildest:.2f})")
            brings = (
                f"in the range with {', '.join(there)}" if there else "in the range with no single change"
            )
            said.append(f"{base['input']}, {ratio.title}: {base[name]:.2f}, printed {printed}; {brings}.")
    return said


def _chart(rows: list[dict[str, Any]]) -> Any:
    """Draw a panel per ratio, with a line per change and a point (with interval) per input."""
    inputs = names(rows, "input")
    panels = []
    for name, ratio in _RATIOS.items():
        shown = [
            {**row, "ratio": row[name], "low": row[f"{name}_low"], "high": row[f"{name}_high"]}
            for row in rows
        ]
        least, most = min(row["low"] for row in shown), max(row["high"] for row in shown)
        x = alt.X("ratio:Q", title="Ratio").scale(zero=False, nice=False, padding=8)
        if most > _WIDE * least:
            x = ticked(alt.X("ratio:Q", title="Ratio (log scale)"), (least, most), "~g", padding=8)
        base = plot(
            shown,
            y=alt.Y("cause:N", title=None, sort=[cause.name for cause in _CAUSES]),
            **side_by_side("y", "input", "Input", inputs),
            tooltip=tips(
                "input:N | Input",
                "cause:N | Change",
                f"ratio:Q | {ratio.title} | .3f",
                "low:Q | from | .3f",
                "high:Q | to | .3f",
            ),
        )
        end = ratio.high if np.isfinite(ratio.high) else most
        printed = plot([{"low": ratio.low, "high": end}], x="low:Q", x2="high:Q")
        panels.append(
            alt.layer(
                printed.mark_rect(opacity=0.15, color="black"),
                base.mark_rule(strokeWidth=2, opacity=0.6).encode(x="low:Q", x2="high:Q"),
                base.mark_point(filled=True, size=50, opacity=1).encode(x=x),
            ).properties(width=300, height=alt.Step(13), title=ratio.title)
        )
    return readable(
        alt.concat(*panels, columns=2, spacing=24),
        title="Ratios with one change at a time",
        subtitle="Points with 95 % intervals. The grey area is the range that the text of 003 prints.",
    )


#: Names of the real traces that the experiment can use.
NEEDS = (HPLAJW,)
