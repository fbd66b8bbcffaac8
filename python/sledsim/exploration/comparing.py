"""Devices, volumes and policies under the same requests: every combination that makes sense, with resume."""

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

#: The files that a folder of a comparison has besides those of its points.
SUMMARY, _LEDGER = "summary.csv", "comparison"
#: The kind of such studies, under which their rows have more, and where a file says of which point it is.
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
    """Run the same requests on every device, under every policy, at every scale factor.

    What makes no sense is not run: of policies that are one and the same on a device one is, and the notes of
    the result say so. A point that cannot be run, as where requests are past the end of its device, says why,
    and the others go on. The first device under the first policy is what the others are compared with.

    Args:
        devices: From `device` or `volume`, names or files of devices; several as a list, or by the names
            under which tables are to have them.
        workloads: Requests, the name or file of a trace, or a workload such as ``random:rate=900``, which is
            drawn for each device with the seed of its name; several as a list.
        schedulers: Names out of `schedulers`, or one.
        scales: Speed-ups of the requests, or one.
        past_end: One of `past_end_rules`.
        folder: Where the results of each request are written, one Parquet file a point, and ``summary.csv``;
            None writes nothing. What a ledger there has already is not run again.
        progress: Called now and then with the number of requests done, over all points, in any thread.
        replay: What decides when requests come, as in `simulate`.
        workers: Threads, each of which holds the columns of a run; None takes as many as there are
            processors. The results do not depend on it.
        costs: The options of `PriceOptions`.

    Raises:
        ParameterError: A name or value is wrong; nothing has been written.
        TraceError: The requests fit on none of the devices.
        OSError: The folder cannot be written to; nothing has been run.
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
    """What a comparison asks for.

    Raises:
        ParameterError: A name or value is wrong, or a point is asked for twice.
    """
    if not subjects:
        raise _native.ParameterError("devices: expected a device or a volume, or several, found none")
    target = subjects[0].with_changes({})
    policies, factors = scheduler_names(schedulers), checked_numbers("scales", scales)
    wanted = [(name, scale) for scale in factors for name in policies]
    spelt = [(_spelt(target, name, scale, past_end, replay), scale) for name, scale in wanted]
    if twice := {point for point in spelt if spelt.count(point) > 1}:
        scheduler, scale = min(twice)
        raise _native.ParameterError(f"{scheduler} at scale {scale:g} is asked for twice")
    names = [name for name, _ in spelt[: len(policies)]]
    study = Study(
        subjects,
        workloads,
        schedulers=names,
        scales=factors,
        past_end=past_end,
        replay=replay,
        kind=_MORE,
    )
    _ = study.policies  # A wrong name is found before a long run.
    return study


def _spelt(target: Target, name: str, scale: float, past_end: str, replay: str | None) -> str:
    """A policy as results name it; one that is not for this device as it is given."""
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
    """As `compare`, of a study that is there; `chosen` are its points, if they are known."""
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
    """Whether a folder has kept what was done of a comparison."""
    return folder is not None and (folder / f"{_LEDGER}{ENDING}").exists()


class _Running:
    """The points of a comparison while they are run."""

    def __init__(self, study: Study, chosen: Sensible, folder: Path | None, progress: Told | None) -> None:
        self.study, self.sensible, self.folder = study, chosen, folder
        self.broken: dict[int, Exception] = {}
        self._progress, self._lock = progress, threading.Lock()
        self._counts = {one.name: study.requests_of(one) for one in study.workloads} if progress else {}
        self._done = dict.fromkeys(chosen.numbers, 0)
        self.files = {} if folder is None else self._files(folder)

    def _files(self, folder: Path) -> dict[int, Path]:
        """The file of each point: what there is only one of is not named."""
        found: dict[int, Path] = {}
        for number in self.sensible.numbers:
            point, study = self.study.point(number), self.study
            parts = [point.requests.name] if len(study.workloads) > 1 else []
            parts += [point.subject.name] if len(study.subjects) > 1 else []
            scale = str(float(point.scale)).removesuffix(".0")
            name = "-".join(map(file_name, (*parts, point.scheduler, f"x{scale}")))
            # Names of devices may differ in what no name of a file has.
            path = folder / f"{name}.parquet"
            found[number] = folder / f"{name}-{number}.parquet" if path in found.values() else path
        return found

    def rows(self, workers: int | None) -> list[Row]:
        """The rows of all points in their order; those that a ledger has are not run again."""
        if self.folder is not None:
            make_folder(self.folder)
            check_writable(self.folder / SUMMARY)
        # Where nothing fits, nothing is left behind.
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
        """The rows that are there, with the file of their requests."""
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
        """Whether the policy was written in Python: no key has its content."""
        return self.study.point(number).scheduler in self.study.own_policies

    def report(self, number: int, requests: int | None) -> None:
        """So many requests of a point are done: all, where no number is given."""
        if self._progress is None:
            return
        with self._lock:
            whole = self._counts[self.study.point(number).requests.name]
            self._done[number] = whole if requests is None else requests
            self._progress(sum(self._done.values()))

    def point(self, row: Row) -> Point:
        """What a row says, as a point of the result."""
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
        )


class _Comparing(Evaluator):
    """Runs points of a comparison: tells how far they are, keeps their requests, and what pairs them."""

    def __init__(self, running: _Running, study: Study) -> None:
        super().__init__(study)
        self._running = running

    def row(self, number: int) -> Row:
        """The row of a point."""
        row = super().row(number)
        self._running.report(number, None)
        return row

    def reason(self, point: StudyPoint, broken: Exception) -> str:
        """Why requests cannot go to a device; whatever else breaks is not the point's."""
        if not isinstance(broken, _native.ParameterError | _native.TraceError):
            raise broken
        self._running.broken[point.number] = broken
        return super().reason(point, broken)

    def simulate(self, point: StudyPoint, target: Target, trace: Trace, **_: Any) -> Run:
        """One run, with all columns where its requests are kept."""
        columns = "all" if self._running.files else f"{COLUMNS},device"
        progress = partial(self._running.report, point.number)
        return super().simulate(point, target, trace, columns=columns, progress=progress)

    def measure_trace(self, point: StudyPoint, target: Target, run: Run) -> Measured:
        """What the run tells; its requests are written into a folder, if there is one."""
        if file := self._running.files.get(point.number):
            run.write_with(file, {}, {_POINT_KEY: self.key(point, target)})
        response_s = run.response_ns * 1e-9
        batches = batch_slices(len(response_s)) if len(response_s) >= 2 * BATCHES else []
        more = {
            "summary": finite(run.summary()),
            "copies": len(np.unique(run.columns["device"])),
            "batch_means_s": [float(response_s[batch].mean()) for batch in batches],
            "response_quantiles_s": (np.quantile(run.response_ns, FRACTIONS) * 1e-9).tolist(),
        }
        return replace(super().measure_trace(point, target, run), more={_MORE: more})


def _is_of(path: Path, key: str) -> bool:
    """Whether a file has the requests of the point of a key."""
    try:
        said = pyarrow.parquet.read_metadata(path).metadata or {}
    except (OSError, pyarrow.ArrowInvalid):
        return False
    return bool(said.get(_POINT_KEY) == f'"{key}"'.encode())


def _subjects(given: Any) -> list[Subject]:
    if isinstance(given, Mapping):
        return [replace(Subject.of(one), name=str(name)) for name, one in given.items()]
    return subjects_of(given)
