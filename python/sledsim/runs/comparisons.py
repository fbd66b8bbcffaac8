"""One workload under several schedulers at several arrival rates: points, tables and files."""

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from .. import _native
from ..common.arguments import scheduler_names
from ..common.arrow import pyarrow
from ..common.charted import Charted
from ..common.files import PathLike, check_writable, file_name, make_folder, write_csv
from ..common.progress import Progress, told, watched
from ..common.shown import Form, Shown, counted, quoted
from ..common.tabular import Tabular
from ..model.systems import Target
from ..traces.trace import Trace
from .intervals import Estimate, batch_means
from .run import Run, settings_of, simulate
from .steady_state import is_saturated, observe
from .workers import Workers

#: The fractions of requests at which the distribution of response times is kept, denser towards the tail.
FRACTIONS = np.unique(np.concatenate([np.linspace(0, 0.9, 46), 1 - np.logspace(-1, -4, 61)]))


#: The figures that a notebook shows.
_SHOWN = (
    *("scheduler", "scale", "saturated", "mean_response_s", "p99_response_s", "cv2_response"),
    *("mean_queue_length", "utilization", "energy_j"),
)


@dataclass(frozen=True)
class Point:
    """One scheduler at one scale factor.

    Attributes:
        scheduler: The policy.
        scale: What the times between arrivals were divided by.
        summary: As `Run.summary` gives it.
        mean_response_s: With its interval from batch means; a trace of few requests has none.
        saturated: As `steady_state.is_saturated` finds it: requests come faster than the device can serve
            them, so that the response times say more about the length of the trace than about the device.
        response_quantiles_s: Response times in seconds at `FRACTIONS` of the requests.
        file: The results of each request, where they were written.
    """

    scheduler: str
    scale: float
    summary: dict[str, float | int]
    mean_response_s: Estimate
    saturated: bool
    response_quantiles_s: list[float]
    file: Path | None = None


@dataclass(frozen=True, repr=False)
class Comparison(Charted, Tabular, Shown):
    """The points of a comparison, scheduler by scheduler within each scale factor."""

    device: str
    trace: str
    points: Sequence[Point]

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary a point: scheduler, scale, saturated, the summary, and the file's name.

        After the summary comes half of the 95 % interval of the mean response time, NaN where there is none.
        """
        return [
            {
                "scheduler": point.scheduler,
                "scale": point.scale,
                "saturated": point.saturated,
                **point.summary,
                "mean_response_half_width_s": point.mean_response_s.half_width,
                "file": point.file.name if point.file else "",
            }
            for point in self.points
        ]

    def _arrow(self) -> "pyarrow.Table":
        return pyarrow.Table.from_pylist(self.rows())

    def _in_line(self) -> str:
        points = counted(len(self.points), "point")
        return f"of {quoted(self.trace)} on {quoted(self.device)}: {points}"

    def _form(self) -> Form:
        rows = [{name: row[name] for name in _SHOWN} for row in self.rows()]
        title = f"Comparison: {self.trace} on {self.device}"
        return Form(title, rows=rows, calls=("plot()", "points", "rows()", "to_pandas()"))

    def write_csv(self, path: PathLike) -> Path:
        """Write `rows` as CSV, unit in the column's name.

        Raises:
            OSError: The file cannot be written; no part of it is left.
        """
        rows = self.rows()
        return write_csv(path, rows[0], [row.values() for row in rows])


@watched
def compare(
    device: Target,
    trace: Trace,
    schedulers: str | Iterable[str],
    scales: Iterable[float] = (1.0,),
    past_end: str = "error",
    folder: PathLike | None = None,
    progress: Progress = None,
    replay: str | None = None,
    workers: int | None = None,
) -> Comparison:
    """Run a trace under every scheduler at every scale factor.

    Args:
        device: From `device` or `volume`.
        trace: The requests.
        schedulers: Names out of `schedulers`, or one.
        scales: Speed-ups of the trace.
        past_end: One of `past_end_rules`.
        folder: Where the results of each request are written, one Parquet file a point, and
            ``summary.csv``; None writes nothing.
        progress: As for `simulate`, with the number of requests done, over all points, in any thread.
        replay: What decides when requests come, as in `simulate`.
        workers: Threads, each of which holds the columns of a run; None takes as many as there are
            processors. The results do not depend on it.

    Raises:
        ParameterError: A name or value is wrong; nothing has been written.
        TraceError: The trace does not fit the device; no result has been written.
        OSError: The folder cannot be written to; nothing has been run.
    """
    policies, trace = scheduler_names(schedulers), trace.transfers()
    wanted = [(scheduler, scale) for scale in scales for scheduler in policies]
    settings = [settings_of(device, name, scale, past_end, replay) for name, scale in wanted]
    names = [(one.scheduler, one.scale) for one in settings]
    if twice := {point for point in names if names.count(point) > 1}:
        scheduler, scale = min(twice)
        raise _native.ParameterError(f"{scheduler} at scale {scale:g} is asked for twice")
    pool = Workers(workers)
    if folder is not None:
        make_folder(folder)
        check_writable(Path(folder) / "summary.csv")
    tell = told(progress, len(wanted) * len(trace))
    done, lock = [0] * len(wanted), threading.Lock()

    def report(index: int, requests: int) -> None:
        with lock:
            done[index] = requests
            if tell:
                tell(sum(done))

    def point(index: int) -> Point:
        scheduler, scale = wanted[index]
        run = simulate(device, trace, scheduler, scale, past_end, partial(report, index), replay)
        report(index, len(trace))
        return _point(run, folder)

    with pool:
        points = list(pool.each(point, range(len(wanted))))
    comparison = Comparison(device.name, trace.source, points)
    if folder is not None:
        comparison.write_csv(Path(folder) / "summary.csv")
    return comparison


def _point(run: Run, folder: PathLike | None) -> Point:
    """What a run tells; its requests are written into a folder, if there is one."""
    settings, file = run.settings, None
    if folder is not None:
        name = f"{file_name(settings.scheduler)}-x{str(settings.scale).removesuffix('.0')}.parquet"
        file = run.write(Path(folder) / name)
    saturated = is_saturated([observe(run, warm_up=0)], warm_up=0)
    quantiles_s = (np.quantile(run.response_ns, FRACTIONS) * 1e-9).tolist()
    mean_s = batch_means(run.response_ns * 1e-9)
    return Point(settings.scheduler, settings.scale, run.summary(), mean_s, saturated, quantiles_s, file)
