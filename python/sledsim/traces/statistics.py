"""Statistics of the requests, times and addresses of a trace, counted in one pass."""

import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .. import _native
from ..common.arrow import pyarrow
from ..common.charted import Charted
from ..common.checked import finite
from ..common.deprecation import renamed
from ..common.output_files import PathLike, write_table, write_text
from ..common.progress import Progress, told, watched
from ..common.shown import Form, Shown, counted, parts_by, quoted
from ..common.tabular import joined
from ..common.units import duration
from .evidence import Evidence
from .streams import TraceStream, stream_of
from .trace import BLOCK_CLASSES, Trace, check_trace
from .trace_files import open_trace

#: Default memory in bytes to note which blocks requests touch: enough for 9 TB of adjacent blocks.
BITMAP_BYTES = 600_000_000

#: Number of requests to count in one call of the core: few, so that Ctrl-C takes effect soon.
_BATCH_ROWS = 1 << 16
#: Beginning of the keys under which figures have histograms, which only tables show.
_HISTOGRAM = "buckets_"
_CLASSES = ("all", "reads", "writes", "metadata")


@dataclass(frozen=True, eq=False, repr=False)
class TraceStatistics(Charted, Shown):
    """Statistics of a trace, from `trace_statistics`.

    Figures cover reads and writes. Exceptions: other operations have counts, and they also end idle gaps.
    Quantiles are within 1.6 %, the Hurst parameter is an estimate, and all other figures are exact.

    The 1,024 devices with the most requests have separate figures; all other devices share figures, with the
    device None. If the counts of devices need more than 256 MB, devices that have the fewest requests by then
    lose their separate figures.

    Attributes:
        source: Source of the requests.
        figures: All figures by name, in nested dictionaries; a figure without data is NaN.
        device_names: Names of traced devices by number, if the trace has names.
        notes: Sentences on the reading of the trace, such as bad lines.
        evidence: Findings on how far the recording can be believed.
    """

    source: str
    figures: Mapping[str, Any]
    device_names: Mapping[int, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()

    def _form(self) -> Form:
        line = f"of {quoted(self.source)}: {counted(len(self), 'request')}"
        calls = ("plot()", "summary()", "tables()")
        return Form(self._title(), parts_by("of_statistics", self), self.notes, calls, line)

    def _title(self) -> str:
        counts = self.figures["overall"]["counts"]
        # Figures of requests exclude flushes and discards; idle gaps count them.
        there = [f"{counts[name]:,} {name}" for name in ("flushes", "discards") if counts[name]]
        others = f", plus {' and '.join(there)}" if there else ""
        return f"{self.source}: {counts['requests']:,} requests in {duration(counts['span_s'])}{others}"

    def __len__(self) -> int:
        return int(self.figures["overall"]["counts"]["requests"])

    def summary(self) -> dict[str, Any]:
        """Return all figures by name except histograms; a figure without data is None."""
        overall = self.figures["overall"]
        return {
            "source": self.source,
            "overall": _plain(overall),
            "devices": [
                {"device": number, "name": name, **_plain(figures)}
                for number, name, figures in self._devices()
            ],
            "is_footprint_whole": self.figures["is_footprint_whole"],
            "interleave_sectors": self.figures["interleave_sectors"],
            "notes": list(self.notes),
            "evidence": [
                dict(zip(("aspect", "verdict", "finding"), one, strict=True)) for one in self.evidence
            ],
        }

    def _devices(self) -> Iterator[tuple[int | None, str | None, Mapping[str, Any]]]:
        """Yield number, name and figures of each device, in ascending order, and then of all others."""
        for row in self.figures["devices"]:
            yield row["device"], self.device_names.get(row["device"]), row["figures"]
        if others := self.figures.get("others"):
            count = others["devices"]
            yield None, f"{count:,} other{'s' if count > 1 else ''}", others["figures"]

    @property
    def devices(self) -> "pyarrow.Table":
        """Table with one row per device, by ascending number: counts, bytes, shares and rates.

        If some devices have no separate figures, the last row covers them: its ``device`` is None and its
        ``name`` is, for example, ``27,000 others``.
        """
        rows = []
        for device, name, figures in self._devices():
            places, arrivals = figures["places"], figures["arrivals"]
            rows.append(
                joined(
                    {"device": device, "name": name or ""},
                    figures["counts"],
                    {key: figures["transfers"][key] for key in ("mean_bytes", "median_bytes", "max_bytes")},
                    {key: value for key, value in places.items() if not isinstance(value, dict | list)},
                    figures["footprint"],
                    {"cv2_inter_arrival": arrivals["all"]["cv2"], "hurst": arrivals["hurst"]},
                    {f"mean_{key}": figures[key]["mean"] for key in ("response_s", "service_s")},
                )
            )
        return _table(rows)

    @property
    def classes(self) -> "pyarrow.Table":
        """Table with a row per HP-UX block class, most frequent first; empty if the trace has no classes."""
        return _table(_named(self.figures["overall"]["classes"]))

    @property
    def inter_arrivals(self) -> "pyarrow.Table":
        """Table of the distribution of times between arrivals: shares up to a time (003-E-2).

        Columns: ``class`` (all, reads, writes, metadata), ``seconds`` (upper end of a bucket whose width is
        at most 1/32 of its values), and ``share`` of the times between arrivals of this class that are at
        most that long.
        """
        arrivals = self.figures["overall"]["arrivals"]
        return _table(
            {"class": name, "seconds": high * 1e-9, "share": share}
            for name in _CLASSES
            for high, share in _cumulated(arrivals[name]["buckets_ns"])
        )

    @property
    def sizes(self) -> "pyarrow.Table":
        """Table of the number of ``reads`` and ``writes`` of each size; above 1 MiB within 1/32."""
        overall = self.figures["overall"]
        rows: dict[int, dict[str, int]] = {}
        for op in ("reads", "writes"):
            for bucket in overall[op]["buckets_bytes"]:
                sizes = {"low_bytes": bucket["low"], "high_bytes": bucket["high"], "reads": 0, "writes": 0}
                rows.setdefault(bucket["low"], sizes)[op] = bucket["count"]
        return _table([rows[low] for low in sorted(rows)])

    @property
    def runs(self) -> "pyarrow.Table":
        """Table of how many runs of sequential requests have from ``low`` to ``high`` requests."""
        return _table(self.figures["overall"]["places"]["buckets_runs"])

    @property
    def windows(self) -> "pyarrow.Table":
        """Table of requests per time window, a row per width: mean, peak and variance over mean."""
        return _table(self.figures["overall"]["arrivals"]["windows"])

    @property
    def timeline(self) -> "pyarrow.Table":
        """Table of arrivals in each interval of time; ``start_s`` counts from the first arrival."""
        timeline = self.figures["timeline"]
        width_s = timeline["interval_s"]
        rows = enumerate(timeline["intervals"])
        return _table([{"start_s": at * width_s, "width_s": width_s, **row} for at, row in rows])

    @property
    def sample(self) -> "pyarrow.Table":
        """Table of every n-th read and write: ``arrival_s``, ``device``, ``lbn``, ``blocks``, ``write``."""
        columns = {key: values for key, values in self.figures["sample"].items() if key != "one_in"}
        return pyarrow.table(columns)

    def tables(self) -> "dict[str, pyarrow.Table]":
        """Return all tables by name."""
        names = "devices classes inter_arrivals sizes runs windows timeline sample".split()
        return {name: getattr(self, name) for name in names}

    def write(self, folder: PathLike) -> list[Path]:
        """Write all nonempty tables, and `summary` as JSON, into a folder, which is created if needed.

        Raises:
            OSError: A file cannot be written; no part of it is left.
        """
        written = []
        for name, table in self.tables().items():
            if table.num_rows:
                written += write_table(table, folder, name.replace("_", "-"))
        summary = json.dumps(finite(self.summary()), indent=2, allow_nan=False) + "\n"
        return [*written, write_text(Path(folder) / "summary.json", summary)]


@renamed
@watched
def trace_statistics(
    trace: Trace | TraceStream | PathLike | Iterable[Trace],
    *,
    interleave_sectors: int = 0,
    bitmap_bytes: int = BITMAP_BYTES,
    progress: Progress = None,
) -> TraceStatistics:
    """Count the statistics of a trace of any size in one pass, in little memory.

    Args:
        trace: A trace, a trace file, or batches of a trace in the order of arrival.
        interleave_sectors: Gap in sectors that the file system leaves between successive blocks of a file;
            requests with this gap also count as logically sequential (000-F24). 0: no gap.
        bitmap_bytes: Bytes of memory for noting which blocks requests touch. If they do not suffice,
            footprint and overwrites are only of the first requests, and ``is_footprint_whole`` is False.
        progress: Callback or bar for the number of requests counted, as for `simulate`.

    Raises:
        ParameterError: An option is out of range.
        TraceError: The trace cannot be read, or its batches are not in the order of arrival.
        OSError: The file cannot be read.
    """
    sizes = (("interleave_sectors", interleave_sectors, 2**31), ("bitmap_bytes", bitmap_bytes, 2**40))
    for name, value, most in sizes:
        if not 0 <= value <= most:
            raise _native.ParameterError(f"{name} = {value}: expected a whole number from 0 to {most}")
    report = told(progress, len(trace) if isinstance(trace, Trace) else None)
    stream = as_stream(trace)
    counted = _native.TraceStatistics(interleave_sectors, bitmap_bytes)
    done = 0
    for batch in stream:
        columns = batch.columns()
        for first in range(0, len(batch), _BATCH_ROWS):
            rows = slice(first, first + _BATCH_ROWS)
            counted.add({name: column[rows] for name, column in columns.items()})
            if report is not None:
                report(done + min(first + _BATCH_ROWS, len(batch)))
        done += len(batch)
    about = stream.about()
    notes, evidence = (tuple(about.get(name, ())) for name in ("notes", "evidence"))
    return TraceStatistics(stream.source, counted.summary(), about.get("device_names", {}), notes, evidence)


def as_stream(source: Trace | TraceStream | PathLike | Iterable[Trace]) -> TraceStream:
    """Return a stream of requests from a trace, a trace file or batches of a trace."""
    if isinstance(source, Trace):
        return stream_of(source)
    if isinstance(source, str | os.PathLike):
        return open_trace(source)
    if isinstance(source, TraceStream):
        return source
    if not isinstance(source, Iterable):
        check_trace(source, "source")
    found: dict[Evidence, None] = {}
    return TraceStream("python", _noted(source, found), lambda: {"evidence": tuple(found)})


def _noted(batches: Iterable[Trace], found: dict[Evidence, None]) -> Iterator[Trace]:
    """Yield batches of a trace, and note their evidence in `found`."""
    for batch in batches:
        found.update(dict.fromkeys(batch.evidence))
        yield batch


def _named(classes: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the figures of HP-UX block classes, with the name of each class."""
    names = {0: "unknown", **BLOCK_CLASSES}
    return [{"class": row["class"], "name": names.get(row["class"], ""), **row} for row in classes]


def _plain(value: Any) -> Any:
    """Return figures for JSON: NaN becomes None, histograms are left out, block classes get names."""
    if isinstance(value, dict):
        kept = {key: within for key, within in value.items() if not key.startswith(_HISTOGRAM)}
        return {key: _plain(_named(row) if key == "classes" else row) for key, row in kept.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def _cumulated(buckets: Iterable[Mapping[str, int]]) -> Iterator[tuple[int, float]]:
    """Yield for each bucket of a histogram its upper end, and the share of values up to this end."""
    rows = list(buckets)
    total, below = sum(row["count"] for row in rows), 0
    for row in rows:
        below += row["count"]
        yield row["high"], below / total


def _table(rows: Iterable[Mapping[str, Any]]) -> "pyarrow.Table":
    return pyarrow.Table.from_pylist(list(rows))
