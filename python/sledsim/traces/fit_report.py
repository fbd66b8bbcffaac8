"""Comparison of the statistics of a trace with the statistics of the workload fitted to it."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..common.arrow import pyarrow
from .statistics import TraceStatistics
from .trace import BLOCK_CLASSES

Figures = Mapping[str, Any]

#: Largest difference of a share that counts as kept, and largest one that counts as roughly kept.
OF_SHARES = (0.02, 0.05)
RELATIVE = (0.05, 0.25)
#: Least share of the requests that an operation or class must have for its statistics to be compared.
_LEAST_SHARE = 0.01


@dataclass(frozen=True)
class Row:
    """A statistic that is compared between a trace and the workload fitted to it.

    Attributes:
        name: Name of the statistic.
        unit: Unit of the statistic, or ``share``; empty without a unit.
        path: Place of the statistic in `TraceStatistics.figures`: keys, with dots between them.
        of: Key of the count of requests that the statistic is about; if these are few, it is not compared.
        is_relative: True if differences are divided by the statistic of the trace.
    """

    name: str
    unit: str
    path: str
    of: str = "requests"
    is_relative: bool = True

    def value(self, figures: Figures) -> float:
        """Return the value of the statistic in the figures of a trace; NaN without data."""
        value: Any = figures
        for key in self.path.split("."):
            value = value[key]
        return float(value)


#: Statistics to compare, apart from those of time windows and of HP-UX block classes.
ROWS = (
    Row("mean rate", "1/s", "counts.rate_per_s"),
    Row("reads", "share", "counts.read_share"),
    Row("metadata", "share", "counts.metadata_share"),
    Row("metadata of writes", "share", "counts.metadata_share_of_writes", of="writes"),
    Row("mean size of reads", "bytes", "reads.mean_bytes", of="reads"),
    Row("median size of reads", "bytes", "reads.median_bytes", of="reads"),
    Row("mean size of writes", "bytes", "writes.mean_bytes", of="writes"),
    Row("median size of writes", "bytes", "writes.median_bytes", of="writes"),
    Row("flushes", "requests", "counts.flushes", of="writes"),
    Row("sequential", "share", "places.sequential_share"),
    Row("sequential, of reads", "share", "places.sequential_share_of_reads", of="reads"),
    Row("sequential, of writes", "share", "places.sequential_share_of_writes", of="writes"),
    Row("mean sequential run", "requests", "places.runs.mean"),
    Row("median jump", "bytes", "places.jumps_bytes.median"),
    Row("touched", "bytes", "footprint.touched_bytes"),
    Row("touched by writes", "bytes", "footprint.distinct_written_bytes", of="writes"),
    Row("written again", "share", "footprint.overwritten_share", of="writes"),
    Row("the last write written again", "share", "places.rewrite_share", of="writes"),
    Row("times between arrivals, median", "s", "arrivals.all.seconds.median"),
    Row("times between arrivals, cv²", "", "arrivals.all.cv2"),
    *(
        Row(f"times between {name}, < {limit} ms", "share", f"arrivals.{key}.share_below_{limit}_ms", of=of)
        for key, name, of in (
            ("all", "arrivals", "requests"),
            *((kind, kind, kind) for kind in ("reads", "writes", "metadata")),
        )
        for limit in (1, 10)
    ),
    Row("Hurst parameter", "", "arrivals.hurst", is_relative=False),
)
#: Widths in seconds of the time windows in which requests are counted; variance over mean of the counts is
#: compared.
_WINDOWS_S = (0.125, 1.0, 10.0)


def kept_table(trace: TraceStatistics, fitted: TraceStatistics) -> "pyarrow.Table":
    """Return a table that compares the statistics of a trace with those of a workload fitted to it."""
    return pyarrow.Table.from_pylist(list(_rows(trace.figures["overall"], fitted.figures["overall"])))


def _rows(trace: Figures, fitted: Figures) -> Iterator[dict[str, Any]]:
    counts = trace["counts"]
    for row in (row for row in ROWS if counts[row.of] >= _LEAST_SHARE * counts["requests"]):
        yield from _compared(row, row.value(trace), row.value(fitted))
    dispersions = [{row["window_s"]: row for row in of["arrivals"]["windows"]} for of in (trace, fitted)]
    for width_s in _WINDOWS_S:
        if all(width_s in of for of in dispersions):
            row = Row(f"variance / mean in {width_s:g} s", "", "")
            yield from _compared(row, *(float(of[width_s]["dispersion"]) for of in dispersions))
    classes = {row["class"]: row for row in fitted["classes"]}
    for of_class in trace["classes"]:
        if of_class["share"] >= _LEAST_SHARE:
            number = of_class["class"]
            name = BLOCK_CLASSES.get(number, f"class {number}")
            alike = classes.get(number, {"share": 0.0, "mean_bytes": math.nan})
            for key, words, unit in (("share", "", "share"), ("mean_bytes", ", mean size", "bytes")):
                yield from _compared(Row(name + words, unit, ""), of_class[key], alike[key])


def _compared(row: Row, trace: float, fitted: float) -> Iterator[dict[str, Any]]:
    """Yield a row of the table for one statistic; no row if the trace has no data for it."""
    if math.isnan(trace):
        return
    is_relative = row.is_relative and row.unit != "share"
    difference = fitted - trace
    if is_relative and difference:
        difference = difference / abs(trace) if trace else math.copysign(math.inf, difference)
    kept, roughly = RELATIVE if is_relative else OF_SHARES
    yield {
        "statistic": row.name,
        "unit": row.unit,
        "trace": trace,
        "fitted": fitted,
        "difference": difference,
        "is_relative": is_relative,
        "kept": "yes" if abs(difference) <= kept else "roughly" if abs(difference) <= roughly else "no",
    }
