"""Tables with the statistics of a trace."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ..common.grids import Grid
from ..common.units import duration, number, size
from ..traces.statistics import TraceStatistics

#: Largest number of devices in a table, whose last row sums up the others; JSON and files have all devices.
_DEVICES_SHOWN = 20
#: Widths in seconds of the time windows for which the table shows counts of arrivals.
_WINDOWS_S = (1 / 512, 0.125, 1.0, 10.0, 128.0, 1024.0)
_CLASSES = ("all", "reads", "writes", "metadata")

Figures = Mapping[str, Any]


def parts(found: TraceStatistics) -> Iterator[Grid | str]:
    """Yield the tables of a trace's statistics for which the trace has data."""
    overall: Figures = found.figures["overall"]
    yield _kinds(overall)
    yield replace(_whole(found), title="The whole")
    yield replace(_inter_arrivals(overall["arrivals"]), title="Times between arrivals")
    yield replace(_windows(overall["arrivals"]), title="Arrivals in windows of time")
    if overall["response_s"]["count"] or overall["service_s"]["count"]:
        yield replace(_measured(overall), title="Measured times")
    summary = found.summary()
    if overall["classes"]:
        yield _classes(summary["overall"]["classes"])
    if len(summary["devices"]) > 1:
        yield _devices(summary["devices"])
    if found.evidence:
        evidence = ((*one[:2], "; ".join(one.text.splitlines())) for one in found.evidence)
        yield Grid(("Aspect", "Verdict", "Finding"), [*evidence], "Evidence")


def _share(value: float | None) -> str:
    return "" if value is None or math.isnan(value) else f"{value:.1%}"


def _text(show: Callable[[float], str], value: float | None) -> str:
    """Return a figure as text by the function `show`; the text is empty if the figure is missing."""
    return "" if value is None or math.isnan(value) else show(value)


def _kinds(overall: Figures) -> Grid:
    """Return a table of numbers and sizes by operation; flushes and discards have a column if any occur."""
    counts, places = overall["counts"], overall["places"]
    reads, writes = counts["reads"], counts["writes"]
    share = counts["read_share"]
    read, written = counts["read_bytes"], counts["written_bytes"]
    sizes = [overall[kind] for kind in ("reads", "writes", "transfers")]
    bytes_of = (("mean_bytes", "mean size"), ("median_bytes", "median size"), ("max_bytes", "largest"))
    rows = [
        ("requests", *(f"{count:,}" for count in (reads, writes, reads + writes))),
        ("share", _share(share), _share(1 - share), ""),
        ("data", *(f"{value / 1e6:,.1f} MB" for value in (read, written, read + written))),
        *((name, *(_text("{:,.0f} B".format, of[key]) for of in sizes)) for key, name in bytes_of),
        ("sequential", *(_share(places[f"sequential_share{of}"]) for of in ("_of_reads", "_of_writes", ""))),
    ]
    metadata, metadata_writes = counts["metadata"], counts["metadata_writes"]
    if metadata:
        metadata_reads = metadata - metadata_writes
        of_reads = metadata_reads / reads if reads else math.nan
        shares = (of_reads, counts["metadata_share_of_writes"], counts["metadata_share"])
        rows.append(("metadata", *(f"{count:,}" for count in (metadata_reads, metadata_writes, metadata))))
        rows.append(("metadata, share", *map(_share, shares)))
    there = [kind for kind in ("discards", "flushes") if counts[kind]]
    rows[0] = (*rows[0], *(f"{counts[kind]:,}" for kind in there))
    headings = ("", ">Reads", ">Writes", ">Reads + writes", *(f">{kind.title()}" for kind in there))
    return Grid(headings, [*rows])


def _whole(found: TraceStatistics) -> Grid:
    overall: Figures = found.figures["overall"]
    counts, places, footprint = overall["counts"], overall["places"], overall["footprint"]
    idle, runs = overall["arrivals"]["idle"], places["runs"]
    gap = found.figures["interleave_sectors"]
    rows = {
        "first arrival": duration(counts["first_arrival_s"]),
        "mean rate": _text(lambda value: f"{number(value)} requests/s", counts["rate_per_s"]),
        "data rate": _text(lambda value: f"{size(value)}/s", counts["rate_bytes_per_s"]),
        **{
            f"busiest {name}": f"{most['most_requests']:,} requests, at {duration(most['begins_at_s'])}"
            for name in ("second", "minute")
            if (most := overall["arrivals"][f"busiest_{name}"])["most_requests"]
        },
        "discarded": size(counts["discarded_bytes"]) if counts["discards"] else "",
        "logical sequentiality": _share(places["logical_sequentiality"])
        + (f" (adjacent or {gap} sectors apart)" if gap else ""),
        "sequential runs": _text(
            lambda value: f"{number(value)} requests mean, {runs['max']:,.0f} longest", runs["mean"]
        ),
        "median jump": _text(size, places["jumps_bytes"]["median"]),
        "address span": f"{size(places['address_span_bytes'])}, from sector {places['first_sector']:,}",
        "distinct 4 KiB blocks": f"{size(footprint['touched_bytes'])} touched,"
        f" {size(footprint['distinct_written_bytes'])} written",
        "written again": f"{_share(footprint['overwritten_share'])} of the 4 KiB blocks of writes",
        "the last write written again": f"{_share(places['rewrite_share'])} of writes",
        "idle gaps": _idle(idle, counts["span_s"]),
        "Hurst parameter": _text(lambda value: f"{value:.2f} (estimate)", overall["arrivals"]["hurst"]),
    }
    if not counts["writes"]:
        rows["written again"] = rows["the last write written again"] = ""
    if not found.figures["is_footprint_whole"]:
        rows["distinct 4 KiB blocks"] += " (at least; more exceed the memory)"
    return Grid(("Statistic", "Value"), [*((name, text) for name, text in rows.items() if text)])


def _idle(idle: Figures, span_s: float) -> str:
    gaps = idle["gaps_s"]
    if not gaps["count"] or not span_s:
        return ""
    long = ", ".join(
        f"{row['count']:,} over {duration(row['longer_than_s'])}" for row in idle["longer"] if row["count"]
    )
    return f"{idle['total_s'] / span_s:.1%} of the time, longest {duration(gaps['max'])}" + (
        f"; {long}" if long else ""
    )


def _inter_arrivals(arrivals: Figures) -> Grid:
    headings = (">Count", ">Mean", ">p10", ">Median", ">p90", ">p99", ">Max")
    rows = []
    for name in _CLASSES:
        times = arrivals[name]["seconds"]
        if times["count"]:
            quantiles = (duration(times[key]) for key in ("mean", "p10", "median", "p90", "p99", "max"))
            shares = (_share(arrivals[name][f"share_below_{limit}_ms"]) for limit in (1, 5, 10))
            cv2 = _text(number, arrivals[name]["cv2"])
            rows.append((name, f"{times['count']:,}", *quantiles, *shares, cv2))
    return Grid(("Class", *headings, ">< 1 ms", ">< 5 ms", ">< 10 ms", ">cv²"), [*rows])


def _windows(arrivals: Figures) -> Grid:
    headings = (">Windows", ">Mean requests", ">Peak", ">Peak / mean", ">Variance / mean")
    rows = []
    for row in arrivals["windows"]:
        if row["window_s"] in _WINDOWS_S:
            counts = (f"{row['windows']:,}", number(row["mean"]), f"{row['peak']:,}")
            figures = (_text(number, row[key]) for key in ("peak_over_mean", "dispersion"))
            rows.append((duration(row["window_s"]), *counts, *figures))
    return Grid(("Width", *headings), [*rows])


def _measured(overall: Figures) -> Grid:
    measured = {name: overall[f"{name}_s"] for name in ("response", "service")}
    rows = (
        (name, f"{times['count']:,}", *(duration(times[key]) for key in ("mean", "median", "p95", "max")))
        for name, times in measured.items()
        if times["count"]
    )
    return Grid(("Time", ">Count", ">Mean", ">Median", ">p95", ">Max"), [*rows])


def _classes(rows: list[dict[str, Any]]) -> Grid:
    headings = (">Requests", ">Share", ">Reads", ">Sync", ">Async", ">Daemon", ">Mean size")
    made = Grid(("Class", *headings), [], "Classes of blocks")
    for row in rows:
        counts = (f"{row[key]:,}" for key in ("reads", "sync", "async", "flush_daemon"))
        name = row["name"] or f"class {row['class']}"
        made.add_row(
            name, f"{row['requests']:,}", _share(row["share"]), *counts, f"{row['mean_bytes']:,.0f} B"
        )
    return made


def _devices(rows: list[dict[str, Any]]) -> Grid:
    of = (">Requests", ">Reads", ">Metadata", ">Mean size", ">Data", ">Sequential", ">Footprint", ">Rate")
    flushes = [">Flushes"] if any(row["counts"]["flushes"] for row in rows) else []
    # A row that sums up several devices is no device, and comes last.
    others = [row for row in rows if row["device"] is None]
    busiest = sorted(rows[: len(rows) - len(others)], key=lambda row: -row["counts"]["requests"])
    shown, left = busiest[:_DEVICES_SHOWN], busiest[_DEVICES_SHOWN:]
    made = Grid(("Device", *of, *flushes), [], "Devices, the busiest first")
    for row in [*shown, *others]:
        counts = row["counts"]
        made.add_row(
            " ".join(str(part) for part in (row["device"], row["name"]) if part not in (None, "")),
            f"{counts['requests']:,}",
            _share(counts["read_share"]),
            _share(counts["metadata_share"]),
            _text(size, row["transfers"]["mean_bytes"]),
            size(counts["read_bytes"] + counts["written_bytes"]),
            _share(row["places"]["sequential_share"]),
            size(row["footprint"]["touched_bytes"]),
            _text(lambda value: f"{number(value)}/s", counts["rate_per_s"]),
            *(f"{counts['flushes']:,}" for _ in flushes),
        )
    if left:
        names = ("requests", "read_bytes", "written_bytes")
        requests, read, written = (sum(row["counts"][name] for row in left) for name in names)
        cells = (f"and {len(left):,} more", f"{requests:,}", "", "", "", size(read + written))
        made.rows.insert(len(shown), cells)
    return made
