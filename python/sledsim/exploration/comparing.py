"""Comparisons of devices, volumes and policies under the same requests; a stopped comparison can resume."""

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _native
from ..common.arguments import scheduler_names
from ..common.arrow import pyarrow
from ..common.checked import finite
from ..common.declared import settled
from ..common.deprecation import renamed
from ..common.output_files import PathLike, check_writable, file_name, make_folder
from ..common.progress import Progress, Told, told, watched
from ..ledger import Ledger
from ..ledger.contents import ENDING
from ..model.typed import imported, imported_members
from ..model.volumes import Target
from ..runs.comparison import FRACTIONS, Comparison, Point
from ..runs.intervals import BATCHES, Estimate, batch_slices, correlated_mean
from ..runs.prices import Prices
from ..runs.run import Run, settings_of
from ..runs.workers import check_workers
from ..traces.trace import Trace, check_trace
from .evaluation import Evaluator, Row
from .executors.threads import run_points
from .parameter_values import checked_numbers
from .point_figures import COLUMNS, FAILED, SATURATED, Measured
from .question_options import PriceOptions
from .sensible import Sensible, sensible
from .study_points import Point as StudyPoint, Study
from .subjects import Requests, Subject, subjects_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: Names of the table of results and of the ledger in the folder of a comparison.
SUMMARY, _LEDGER = "summary.csv", "comparison"
#: Kind of the study, and name of the field that a comparison adds to rows; name of the metadata entry in
#: which a results file states the key of its point.
_MORE, _POINT_KEY = "comparison", b"sledsim.point"


@renamed
@watched
def compare(
    devices: Target | str | Sequence[Target | str] | Mapping[str, Target],
    workloads: Trace | str | Sequence[Trace | str],
    schedulers: str | Iterable[str] = "sptf",
    scales: float | Iterable[float] = (1.0,),
    past_end: str = "error",
    folder: PathLike | None = None,
    progress: Progress = None,
    replay: str | None = None,
    workers: int | None = None,
    **costs: "Unpack[PriceOptions]",
) -> Comparison:
    """Run the same requests on every device, under every policy, at every speed-up.

    Redundant combinations are skipped: if several policies are identical on a device, only one of them is
    run, and the notes of the result report it. A point that cannot be run, such as one with requests past
    the end of its device, gets the reason as its result, and the other points still run. The first device
    under the first policy is the baseline.

    Args:
        devices: Devices, volumes, or names or files of devices: one, a list, or a mapping from the names that
            tables show to devices and volumes.
        workloads: Trace, name or file of a trace, or workload such as ``random:rate=900``: one, or a list.
            The requests of such a workload are drawn for each device, with the seed that the workload states.
        schedulers: Name of a policy, one that `schedulers` lists, or a list of such names.
        scales: Speed-up of the arrivals, or a list of speed-ups.
        past_end: Rule, one that `past_end_rules` lists, for requests past the end of a device.
        folder: Folder for ``summary.csv`` and one Parquet file per point with the results of each request;
            None writes nothing. Points in the folder's ledger are not run again.
        progress: Function that is called with the number of requests simulated until now, summed over all
            points; the call may come from any thread.
        replay: Replay rule, one that `replays` lists, as in `simulate`.
        workers: Number of threads, each of which keeps the columns of one run in memory; None takes the
            number of processors. The results do not depend on the number of threads.
        costs: Options of `PriceOptions`.

    Raises:
        ParameterError: A name or value is wrong; no file has been written.
        TraceError: The requests fit on none of the devices.
        OSError: The folder cannot be written to; no point has been run.
    """
    more = settled(costs, PriceOptions, compare)
    volumes = more["volumes"]
    subjects = _subjects(imported(devices)) + [
        Subject.of_volume(imported_members(one), {})
        for one in ([volumes] if isinstance(volumes, str) else volumes)
    ]
    if not isinstance(workloads, Iterable):
        check_trace(workloads, "workloads")
    listed = [workloads] if isinstance(workloads, str | Trace) else list(workloads)
    requests = [Requests.of(one, once=True) for one in listed]
    study = comparison_study(subjects, requests, schedulers, scales, past_end, replay)
    prices = Prices(more["prices"] or {}, more["lifetime_years"], more["kwh_price"])
    chosen = sensible(study)
    work = sum(map(study.requests_of, requests)) * len(chosen.numbers) / len(requests)
    report = told(progress, work)
    return run_comparison(study, folder, prices=prices, chosen=chosen, progress=report, workers=workers)


def comparison_study(
    subjects: Sequence[Subject],
    workloads: Sequence[Requests],
    schedulers: str | Iterable[str],
    scales: float | Iterable[float],
    past_end: str = "error",
    replay: str | None = None,
) -> Study:
    """Build the study of a comparison from the arguments of `compare`.

    Raises:
        ParameterError: A name or value is wrong, or a policy is listed twice at the same speed-up.
    """
    if not subjects:
        raise _native.ParameterError("devices: expected at least one device or volume, found none")
    target = subjects[0].with_changes({})
    policies, factors = scheduler_names(schedulers), checked_numbers("scales", scales)
    wanted = [(name, scale) for scale in factors for name in policies]
    spelt = [(_spelt(target, name, scale, past_end, replay), scale) for name, scale in wanted]
    if twice := {point for point in spelt if spelt.count(point) > 1}:
        scheduler, scale = min(twice)
        raise _native.ParameterError(f"schedulers: {scheduler} at scale {scale:g} is given twice")
    names = [name for name, _ in spelt[: len(policies)]]
    study = Study(
        subjects, workloads, schedulers=names, scales=factors, past_end=past_end, replay=replay, kind=_MORE
    )
    _ = study.policies  # Find a wrong name before a long run.
    return study


def _spelt(target: Target, name: str, scale: float, past_end: str, replay: str | None) -> str:
    """Return the policy's name in results, or `name` unchanged if the policy cannot run on `target`."""
    try:
        return settings_of(target, name, scale, past_end, replay).scheduler
    except _native.ParameterError:
        settings_of(target, "fcfs", scale, past_end, replay)
        return name


def run_comparison(
    study: Study,
    folder: PathLike | None = None,
    *,
    prices: Prices | None = None,
    chosen: Sensible | None = None,
    progress: Told | None = None,
    workers: int | None = None,
) -> Comparison:
    """Run the points of an existing `Study`, as `compare` does.

    `chosen` lists the points to run; None chooses them with `sensible`, which skips redundant points.
    """
    check_workers(workers)
    prices = prices or Prices()
    prices.check(subject.name for subject in study.subjects)
    running = _Running(study, chosen or sensible(study), None if folder is None else Path(folder), progress)
    rows = running.rows(workers)
    if all(row["status"] == FAILED for row in rows):
        raise running.broken[min(running.broken)]
    points = [running.point(row) for row in rows]
    devices = ", ".join(subject.name for subject in study.subjects)
    traces = ", ".join(workload.name for workload in study.workloads)
    found = Comparison(devices, traces, points, running.sensible.notes, prices)
    if folder is not None:
        found.write_csv(Path(folder) / SUMMARY)
    return found


def has_ledger(folder: Path | None) -> bool:
    """Return True if a folder holds the ledger of a comparison."""
    return folder is not None and (folder / f"{_LEDGER}{ENDING}").exists()


class _Running:
    """A comparison while its points run: the files to write, the progress and the errors."""

    def __init__(self, study: Study, chosen: Sensible, folder: Path | None, progress: Told | None) -> None:
        self.study, self.sensible, self.folder = study, chosen, folder
        self.broken: dict[int, Exception] = {}
        self._progress, self._lock = progress, threading.Lock()
        self._counts = {one.name: study.requests_of(one) for one in study.workloads} if progress else {}
        self._done = dict.fromkeys(chosen.numbers, 0)
        self.files = {} if folder is None else self._files(folder)

    def _files(self, folder: Path) -> dict[int, Path]:
        """Return the results file of each point, named after its workload, device, policy and speed-up."""
        found: dict[int, Path] = {}
        for number in self.sensible.numbers:
            point, study = self.study.point(number), self.study
            parts = [point.requests.name] if len(study.workloads) > 1 else []
            parts += [point.subject.name] if len(study.subjects) > 1 else []
            scale = str(float(point.scale)).removesuffix(".0")
            name = "-".join(map(file_name, (*parts, point.scheduler, f"x{scale}")))
            # Names of devices may differ in characters that a file name cannot have.
            path = folder / f"{name}.parquet"
            found[number] = folder / f"{name}-{number}.parquet" if path in found.values() else path
        return found

    def rows(self, workers: int | None) -> list[Row]:
        """Return the rows of all points, in order; points in the ledger are not run again."""
        if self.folder is not None:
            make_folder(self.folder)
            check_writable(self.folder / SUMMARY)
        # If no point fits, no file is left behind.
        with Ledger(self.folder, self.study.definition(), _LEDGER, is_late=True) as ledger:
            rows = self._known(ledger)
            for number in rows:
                self.report(number, None)

            def keep(new: Sequence[Row]) -> None:
                rows.update({row["number"]: row for row in new})
                ledger.add(row for row in new if row["status"] != FAILED and not self._is_own(row["number"]))

            todo = [number for number in self.sensible.numbers if number not in rows]
            run_points(lambda: _Comparing(self, self.study).rows, todo, keep, workers)
        return [rows[number] for number in self.sensible.numbers]

    def _known(self, ledger: Ledger) -> dict[int, Row]:
        """Return the rows of points that need no run: their row and their results file already exist."""
        if not ledger.contents.places:
            return {}
        numbers = [number for number in self.sensible.numbers if not self._is_own(number)]
        keys = ledger.known(numbers, Evaluator(self.study).key_of)
        return {
            number: {**ledger.contents.row(bytes.fromhex(key)), "number": number}
            for number, key in keys.items()
            if _is_of(self.files[number], key)
        }

    def _is_own(self, number: int) -> bool:
        """Return True if the point's policy is written in Python, so that the key ignores its code."""
        return self.study.point(number).scheduler in self.study.own_policies

    def report(self, number: int, requests: int | None) -> None:
        """Report that `requests` requests of a point have been simulated; None reports all of the point."""
        if self._progress is None:
            return
        with self._lock:
            whole = self._counts[self.study.point(number).requests.name]
            self._done[number] = whole if requests is None else requests
            self._progress(sum(self._done.values()))

    def point(self, row: Row) -> Point:
        """Return the `Point` of a comparison for a row of its ledger."""
        point = self.study.point(row["number"])
        scheduler = self.sensible.labels.get(point.subject.name, point.scheduler)
        device, workload = point.subject.name, point.requests.name
        if row["status"] == FAILED:
            nothing = Estimate(np.nan, np.nan, 0)
            return Point(
                *(scheduler, point.scale, {}, nothing, False, []),
                device=device,
                workload=workload,
                error=row["error"],
                doubts=row.get("doubts", ()),
            )
        more = row[_MORE]
        summary = {name: np.nan if value is None else value for name, value in more["summary"].items()}
        means_s = more["batch_means_s"]
        half_width = correlated_mean(means_s, self.study.confidence).half_width if means_s else np.nan
        return Point(
            scheduler,
            point.scale,
            summary,
            Estimate(summary["mean_response_s"], half_width, len(means_s)),
            row["status"] == SATURATED,
            more["response_quantiles_s"],
            self.files.get(row["number"]),
            device,
            workload,
            row["figures"]["capacity_bytes"],
            more["copies"],
            means_s,
            doubts=row.get("doubts", ()),
        )


class _Comparing(Evaluator):
    """The evaluator of a comparison: it also reports progress and writes the requests of each run to a file.

    For confidence intervals of differences, the rows also have the mean responses of batches of requests.
    """

    def __init__(self, running: _Running, study: Study) -> None:
        super().__init__(study)
        self._running = running

    def row(self, number: int) -> Row:
        """Return the row of a point, and report that the point is done."""
        row = super().row(number)
        self._running.report(number, None)
        return row

    def reason(self, point: StudyPoint, broken: Exception) -> str:
        """Return the text of the error for the row if the requests do not fit the device; raise others."""
        if not isinstance(broken, _native.ParameterError | _native.TraceError):
            raise broken
        self._running.broken[point.number] = broken
        return super().reason(point, broken)

    def simulate(self, point: StudyPoint, target: Target, trace: Trace, **_: Any) -> Run:
        """Run a point once; keep all columns of the run if its requests are written to a file."""
        columns = "all" if self._running.files else f"{COLUMNS},device"
        progress = partial(self._running.report, point.number)
        return super().simulate(point, target, trace, columns=columns, progress=progress)

    def measure_trace(self, point: StudyPoint, target: Target, run: Run) -> Measured:
        """Return the figures of a run; if the comparison has a folder, write the run's results there."""
        if file := self._running.files.get(point.number):
            run.write_with(file, {}, {_POINT_KEY: self.key(point, target)})
        response_s = run.transfers.response_ns * 1e-9
        batches = batch_slices(len(response_s)) if len(response_s) >= 2 * BATCHES else []
        more = {
            "summary": finite(run.summary()),
            "copies": len(np.unique(run.columns["device"])),
            "batch_means_s": [float(response_s[batch].mean()) for batch in batches],
            "response_quantiles_s": (np.quantile(run.transfers.response_ns, FRACTIONS) * 1e-9).tolist(),
        }
        return replace(super().measure_trace(point, target, run), more={_MORE: more})


def _is_of(path: Path, key: str) -> bool:
    """Return True if `path` is a results file of the point with this key, as the file's metadata state."""
    try:
        said = pyarrow.parquet.read_metadata(path).metadata or {}
    except (OSError, pyarrow.ArrowInvalid):
        return False
    return bool(said.get(_POINT_KEY) == f'"{key}"'.encode())


def _subjects(given: Any) -> list[Subject]:
    if isinstance(given, Mapping):
        return [replace(Subject.of(one), name=str(name)) for name, one in given.items()]
    return subjects_of(given)
