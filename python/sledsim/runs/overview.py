"""Overview of a trace before a run: amount of data, rate, load of the device, suspicious properties."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from .. import _native
from ..common import units
from ..common.deprecation import renamed
from ..common.grids import facts
from ..common.shown import Form, Shown, counted
from ..model.volumes import Target, TargetOrName, target_of
from ..traces.evidence import clock_of, doubts
from ..traces.streams import TraceStream
from ..traces.trace import Trace, check_trace
from .run import simulate
from .trace_fit import reach_bytes

#: Largest number of requests of a stream that an overview reads.
FIRST = 100_000
#: Number of requests to simulate for the estimate of the load, and number of places in the trace from which
#: they are taken.
_SAMPLED, _STRETCHES = 1000, 10
#: Load, as a multiple of what the device can serve, above which the trace's unit of time seems wrong.
_BUSIEST = 20
#: Mean time between requests in seconds above which the trace's unit of time seems wrong.
_SLOWEST_S = 100.0
#: Share of requests at the time of the request before, from which a long tick makes bursts.
_SHARED = 0.01
#: Least number of requests of a trace for which its unit of time is doubted.
_FEWEST = 100
_SECTOR_BYTES = 512


@dataclass(frozen=True, repr=False)
class Overview(Shown):
    """Overview of a trace: amount of data, rate, load of the device, suspicious properties.

    Attributes:
        requests: Number of reads and writes.
        span_s: Seconds from the first arrival to the last arrival, after the speed-up.
        rate_per_s: Requests that arrive per second; NaN if all arrive at once.
        read_share: Share of reads among the requests.
        mean_bytes: Mean size of a request in bytes.
        reach_bytes: Highest address of all requests to one traced device, in bytes.
        devices: Number of traced devices.
        busy_share: Share of the time in which a device would be busy if it served requests one by one, from
            simulating a thousand requests; above 1 the requests arrive faster than that. NaN if unknown.
        doubts: Sentences about suspicious properties of the trace.
        is_whole: True if the overview covers all requests; False if it covers only the first ones of a
            stream.
    """

    requests: int
    span_s: float
    rate_per_s: float
    read_share: float
    mean_bytes: float
    reach_bytes: int
    devices: int
    busy_share: float
    doubts: tuple[str, ...]
    is_whole: bool = True

    def _form(self) -> Form:
        figures = {name: value for name, value in asdict(self).items() if name != "doubts"}
        return Form(
            "Overview of a trace",
            [facts(figures)],
            notes=self.doubts,
            calls=("sentence(device_name)",),
            line=f"of {counted(self.requests, 'request')}: busy for {self.busy_share:.3g} of the time",
        )

    def sentence(self, device_name: str) -> str:
        """Return the overview as one sentence; `device_name` names the device in it."""
        several = f" on {self.devices} devices" if self.devices > 1 else ""
        rate = f", {units.number(self.rate_per_s)} a second" if np.isfinite(self.rate_per_s) else ""
        noun = "request" if self.requests == 1 else "requests"
        first = "" if self.is_whole else "the first "
        told = (
            f"{first}{self.requests:,} {noun}{several} in {units.duration(self.span_s)}{rate};"
            f" {self.read_share:.0%} reads, mean size {units.size(self.mean_bytes)},"
            f" up to {units.size(self.reach_bytes)}"
        )
        if np.isnan(self.busy_share):
            return told
        if self.busy_share > 1:
            return f"{told}; they arrive {self.busy_share:.3g} times as fast as {device_name} serves singly"
        about = "less than 1%" if self.busy_share < 0.01 else f"about {self.busy_share:.0%}"
        return f"{told}; they would keep {device_name} busy for {about} of the time"

    def row(self) -> dict[str, Any]:
        """Return all fields by name, as numbers, texts and lists for JSON."""
        return {**asdict(self), "doubts": list(self.doubts)}


@renamed
def overview(trace: Trace | TraceStream, device: TargetOrName, scale: float = 1.0) -> Overview:
    """Describe a trace before it is replayed: amount of data, rate, load and suspicious properties.

    Args:
        trace: Trace or stream; of a stream, the first 100,000 requests are read, and stay in it.
        device: The device or volume, or its name or file.
        scale: Speed-up: the times between arrivals are divided by this number.

    Raises:
        TraceError: The trace has no read or write.
    """
    if isinstance(trace, TraceStream):
        moves = trace.first(FIRST)
    else:
        check_trace(trace)
        moves = trace.transfers()
    target = target_of(device)
    if not len(moves):
        raise _native.TraceError(f"{trace.source}: expected at least one read or write, found none")
    count = len(moves)
    span_s = float(moves.arrival_ns[-1] - moves.arrival_ns[0]) * 1e-9 / scale
    rate = (count - 1) / span_s if span_s else np.nan
    cost_s = _cost_s(moves, target)
    busy = cost_s * rate
    return Overview(
        requests=count,
        span_s=span_s,
        rate_per_s=rate,
        read_share=1.0 - float(moves.write.mean()),
        mean_bytes=float(moves.blocks.mean()) * _SECTOR_BYTES,
        reach_bytes=reach_bytes(moves),
        devices=len(np.unique(moves.device)),
        busy_share=busy,
        doubts=(
            *_doubts(count, span_s, busy, scale),
            *_clock_doubts(moves, cost_s, scale),
            *doubts(() if isinstance(trace, TraceStream) else trace.evidence),
        ),
        is_whole=isinstance(trace, Trace) or count < FIRST,
    )


def _cost_s(moves: Trace, target: Target) -> float:
    """Return the mean time in seconds for which a request keeps the device busy, served alone."""
    length = max(1, min(len(moves), _SAMPLED) // _STRETCHES)
    starts = np.linspace(0, max(0, len(moves) - length), _STRETCHES).astype(int)
    rows = np.zeros(len(moves), np.bool_)
    rows[(starts[:, None] + np.arange(length)).ravel()] = True
    try:
        run = simulate(
            target, moves.rows(rows), "fcfs", past_end="wrap", replay="closed:outstanding=1", columns="times"
        )
    except (_native.ParameterError, _native.TraceError):
        return np.nan  # The run itself reports the reason.
    return float(np.mean(run.totals["busy_s"])) / int(rows.sum())


def _doubts(count: int, span_s: float, busy: float, scale: float) -> list[str]:
    if count < _FEWEST:
        return []
    ask = "is the unit of time right? For a CSV file, '--map time=COLUMN:UNIT' sets another unit"
    if span_s == 0:
        return [f"all {count:,} requests arrive at the same time: {ask}"]
    if busy > _BUSIEST:
        return [
            f"{count:,} requests in {units.duration(span_s)} are {busy:,.0f} times as many as the device can"
            f" serve: {ask}; '--scale {float(f'{0.5 / busy:.1g}'):g}' slows them down"
        ]
    if span_s / count > _SLOWEST_S:
        return [f"the mean time between two requests is {units.duration(span_s / count)}: {ask}"]
    return []


def _clock_doubts(moves: Trace, cost_s: float, scale: float) -> list[str]:
    """Return a doubt if requests share times of a clock whose tick is long beside the time of a service."""
    clock = clock_of(moves.arrival_ns)
    tick_s = (clock.tick_ns() or 0) * 1e-9 / scale
    if clock.shared() < _SHARED or not tick_s > cost_s / 2:
        return []
    at = "" if scale == 1 else f" ({units.duration(tick_s)} at speed-up {scale:g})"
    ways = "'--spread poisson' spreads them within the tick"
    if moves.measured_ns.any():
        ways += ", and '--replay think' takes the recorded response times into account"
    return [
        f"the clock of the trace has ticks of about {units.duration(tick_s * scale)}{at}, and a service takes"
        f" {units.duration(cost_s)}: response times are those of bursts that the clock made; {ways}"
    ]
