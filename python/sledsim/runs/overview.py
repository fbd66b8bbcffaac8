"""What a trace is, in a line that is read before a run: how much, how fast, and whether that can be."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from .. import _native
from ..common import units
from ..common.deprecation import renamed
from ..common.grids import facts
from ..common.shown import Form, Shown, counted
from ..model.volumes import Target, TargetOrName, target_of
from ..traces.streams import TraceStream
from ..traces.trace import Trace, check_trace
from .run import simulate
from .trace_fit import reach_bytes

#: Of a stream so many requests are looked at.
FIRST = 100_000
#: So many requests, in so many stretches of the trace, tell what a request costs the device.
_SAMPLED, _STRETCHES = 1000, 10
#: Requests that come so many times as fast as the device serves them are more likely in another unit of time.
_BUSIEST = 20
#: As are those between which so many seconds pass, in the mean.
_SLOWEST_S = 100.0
#: Fewer requests than this say nothing of a rate.
_FEWEST = 100
_SECTOR_BYTES = 512


@dataclass(frozen=True, repr=False)
class Overview(Shown):
    """What a trace is.

    Attributes:
        requests: Reads and writes.
        span_s: Seconds from the first to the last, sped up as they will be.
        rate_per_s: Requests a second; NaN where all come at once.
        read_share: The part of them that are reads.
        mean_bytes: Of a request.
        reach_bytes: How far they reach on one of the traced devices.
        devices: How many of these there are.
        busy_share: For which part of the time each device would be busy if it served them one by one,
            estimated from a thousand of them; above 1 they come faster than that. NaN where it is not known.
        doubts: What is suspicious, in sentences.
        is_whole: Whether these are all requests, or the first ones of a stream.
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
        """All of it in a line."""
        several = f" on {self.devices} devices" if self.devices > 1 else ""
        rate = f", {units.number(self.rate_per_s)} a second" if np.isfinite(self.rate_per_s) else ""
        noun = "request" if self.requests == 1 else "requests"
        first = "" if self.is_whole else "the first "
        told = (
            f"{first}{self.requests:,} {noun}{several} in {units.duration(self.span_s)}{rate};"
            f" {self.read_share:.0%} reads, {units.size(self.mean_bytes)} in the mean,"
            f" up to {units.size(self.reach_bytes)}"
        )
        if np.isnan(self.busy_share):
            return told
        if self.busy_share > 1:
            return f"{told}; they come {self.busy_share:.3g} times as fast as {device_name} serves one by one"
        about = "less than 1%" if self.busy_share < 0.01 else f"about {self.busy_share:.0%}"
        return f"{told}; they would keep {device_name} busy for {about} of the time"

    def row(self) -> dict[str, Any]:
        """All of it by name, as JSON has it."""
        return {**asdict(self), "doubts": list(self.doubts)}


@renamed
def overview(trace: Trace | TraceStream, device: TargetOrName, scale: float = 1.0) -> Overview:
    """Look at a trace before it is run.

    Args:
        trace: The requests; of a stream the first 100,000, which it keeps.
        device: The device or volume, or its name or file.
        scale: Speed-up of the requests.

    Raises:
        TraceError: There is no read or write.
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
        doubts=tuple(_doubts(count, span_s, busy, scale)),
        is_whole=isinstance(trace, Trace) or count < FIRST,
    )


def _cost_s(moves: Trace, target: Target) -> float:
    """How long each device is busy for a request, in the mean, if one is served after the other."""
    length = max(1, min(len(moves), _SAMPLED) // _STRETCHES)
    starts = np.linspace(0, max(0, len(moves) - length), _STRETCHES).astype(int)
    rows = np.zeros(len(moves), np.bool_)
    rows[(starts[:, None] + np.arange(length)).ravel()] = True
    try:
        run = simulate(
            target, moves.rows(rows), "fcfs", past_end="wrap", replay="closed:outstanding=1", columns="times"
        )
    except (_native.ParameterError, _native.TraceError):
        return np.nan  # The run itself says why it cannot be.
    return float(np.mean(run.totals["busy_s"])) / int(rows.sum())


def _doubts(count: int, span_s: float, busy: float, scale: float) -> list[str]:
    if count < _FEWEST:
        return []
    ask = "is the unit of time right? '--map time=COLUMN:UNIT' says another of a CSV file"
    if span_s == 0:
        return [f"all {count:,} requests come at the same time: {ask}"]
    if busy > _BUSIEST:
        return [
            f"{count:,} requests in {units.duration(span_s)} are {busy:,.0f} times as many as the device can"
            f" serve: {ask}; '--scale {float(f'{0.5 / busy:.1g}'):g}' slows them down"
        ]
    if span_s / count > _SLOWEST_S:
        return [f"{units.duration(span_s / count)} pass between two requests, in the mean: {ask}"]
    return []
