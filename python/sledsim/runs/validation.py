"""Validation of a device: replay of a trace with measured response times, and comparison with them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..common.arrow import pyarrow
from ..common.charted import Charted
from ..common.deprecation import renamed
from ..common.grids import Grid
from ..common.output_files import PathLike
from ..common.progress import Progress
from ..common.shown import Form, Result, quoted
from ..model.devices import Device, DeviceOrName, device_of
from ..traces.trace import Trace, check_trace
from .run import Run, simulate

#: Replay mode in which each request follows the previous completion after the measured delay.
CLOSED_LOOP = "think:longest_ms=inf"
#: Fractions of the requests; for each, a table has the response time that this fraction does not exceed.
_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1.0)


@dataclass(frozen=True, eq=False, repr=False)
class Validation(Charted, Result):
    """Comparison of simulated with measured response times, from `validate`.

    Attributes:
        run: The simulated run.
        simulated_s: Simulated response time of each measured request in seconds, shape (n,).
        measured_s: Measured response time of each measured request in seconds, shape (n,).
        unmeasured: Number of requests without a measured response time, which are not compared.
    """

    run: Run
    simulated_s: NDArray[np.float64]
    measured_s: NDArray[np.float64]
    unmeasured: int

    @cached_property
    def distances_s(self) -> NDArray[np.float64]:
        """Simulated minus measured response times in seconds, each list sorted by itself."""
        distances: NDArray[np.float64] = np.sort(self.simulated_s) - np.sort(self.measured_s)
        return distances

    @property
    def demerit_s(self) -> float:
        """The demerit figure: root mean square of `distances_s` (Ruemmler and Wilkes 1994; 002-F12)."""
        return float(np.sqrt(np.mean(self.distances_s**2)))

    @renamed
    def write_plots(
        self,
        folder: PathLike,
        progress: Callable[[int], object] | None = None,
    ) -> list[Path]:
        """Write the plots as `Charted.write_plots` does; the old name of `folder` also works."""
        return super().write_plots(folder, progress)

    def _arrow(self) -> "pyarrow.Table":
        return pyarrow.table({"simulated_s": self.simulated_s, "measured_s": self.measured_s})

    def _form(self) -> Form:
        trace, count = self.run.settings.trace, len(self.measured_s)
        line = f"of {quoted(trace)}: {count:,} measured requests"
        calls = ("plot()", "figures()", "run", "to_pandas()")
        title = f"{trace} on {self.run.device_name}: {count:,} measured requests"
        left = f"not compared, without a measured response time: {self.unmeasured:,} requests"
        return Form(title, self._parts, [left] if self.unmeasured else (), calls, line)

    def _parts(self) -> list[Grid | str]:
        figures = self.figures()
        simulated_ms, measured_ms = (
            [mean_ms, *(np.quantile(times_s, _QUANTILES) * 1e3)]
            for mean_ms, times_s in (
                (figures["mean_ms"], self.simulated_s),
                (figures["measured_mean_ms"], self.measured_s),
            )
        )
        names = ("mean", *(f"{share:.0%} of requests within" for share in _QUANTILES[:-1]), "longest")
        rows = [
            (name, f"{ours:,.3f} ms", f"{theirs:,.3f} ms", f"{ours / theirs - 1:+.2%}")
            for name, ours, theirs in zip(names, simulated_ms, measured_ms, strict=True)
        ]
        keys = ("demerit_ms", "mean_ms", "measured_mean_ms")
        made = Grid(("Response time", ">Simulated", ">Measured", ">Difference"), [*rows])
        return [made, "\n".join(f"{key} {figures[key]:.4f}" for key in keys)]

    def figures(self) -> dict[str, float | int]:
        """Return figures of the validation by name; times in milliseconds."""
        mean_ms, measured_ms = (float(times.mean()) * 1e3 for times in (self.simulated_s, self.measured_s))
        return {
            "requests": len(self.measured_s),
            "unmeasured": self.unmeasured,
            "demerit_ms": self.demerit_s * 1e3,
            "demerit_of_measured_mean": self.demerit_s * 1e3 / measured_ms,
            "mean_ms": mean_ms,
            "measured_mean_ms": measured_ms,
            "mean_error": mean_ms / measured_ms - 1,
        }


def validate(
    device: DeviceOrName,
    trace: Trace,
    scheduler: str = "fcfs",
    replay: str = CLOSED_LOOP,
    progress: Progress = None,
    past_end: str = "error",
) -> Validation:
    """Replay a trace with measured response times, and compare them with the simulated ones.

    Args:
        device: Device, or its name or file, that models the measured device.
        trace: Requests with their measured response times.
        scheduler: Policy that orders waiting requests.
        replay: Replay mode, as for `simulate`; by default, each request follows the previous completion after
            the measured delay.
        progress: Callback or bar for the number of requests done, as for `simulate`.
        past_end: Rule for requests past the end of the device, as for `simulate`.

    Raises:
        ParameterError: A name or value is wrong.
        TraceError: The trace has no measured response times, or exceeds the device.
    """
    model = device_of(device)
    check_trace(trace)
    requests = trace.transfers()
    is_measured = requests.measured_ns > 0
    if not is_measured.any():
        raise _native.TraceError(
            f"{trace.source}: the trace has no measured response times: validation needs a trace "
            "in DiskSim's 'validate' format, or a capture with completions"
        )
    run = simulate(model, trace, scheduler, past_end=past_end, progress=progress, replay=replay)
    moves = run.transfers
    is_in_order = is_measured.all() or np.array_equal(
        moves.columns["lbn"], _placed(model, requests, past_end, run)
    )
    if not is_in_order:
        raise _native.TraceError(
            f"{trace.source}: {int((~is_measured).sum()):,} requests have no measured response time, and the "
            f"replay {replay} changes the order of requests; expected one that keeps it: {CLOSED_LOOP}"
        )
    simulated_s = moves.response_ns[is_measured].astype(np.float64) * 1e-9
    measured_s = requests.measured_ns[is_measured].astype(np.float64) * 1e-9
    return Validation(run, simulated_s, measured_s, int(len(requests) - is_measured.sum()))


def _placed(device: Device, requests: Trace, past_end: str, run: Run) -> NDArray[np.int64]:
    """Return the first sector of each request after the rule `past_end` has moved it, in trace order."""
    if not run.totals["remapped"]:
        return requests.lbn
    return simulate(device, requests, "fcfs", past_end=past_end, replay="open", columns="lbn").columns["lbn"]
