"""Sweeps: all points of a study are run, except those whose row is already in the ledger."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import _native
from ..common.charted import Charted
from ..common.declared import settled
from ..common.deprecation import renamed
from ..common.output_files import PathLike
from ..common.progress import Progress, told, watched
from ..common.shown import Form, Result, clipped, parts_by, quoted
from ..ledger import Contents, Ledger
from ..model.typed import imported
from ..model.volumes import Target
from ..runs.workers import check_workers
from ..traces.trace import Trace
from .evaluation import Evaluator, Row
from .executors import EXECUTORS, executor
from .executors.executor_protocol import Work
from .ledger_table import table_of
from .question_options import RUNNING, SweepOptions
from .reasons import reasons
from .shards import Shard
from .study_points import Study
from .subjects import Requests, subjects_of

if TYPE_CHECKING:
    import pyarrow
    from typing_extensions import Unpack

#: Name, without ending, of the files of charts.
NAME = "sweep"


class Sweep(Charted, Result):
    """The rows of a study, which stay in the files of the ledger.

    Attributes:
        folder: Folder of the ledger.
        study: Study with the points of the sweep.
        contents: Contents of the ledger.
        notes: Remarks on the sweep, in sentences.
    """

    def __init__(self, folder: PathLike, study: Study, contents: Contents, digest: str) -> None:
        self.folder, self.study, self.contents = Path(folder), study, contents
        self._digest = digest
        self.notes = (*contents.notes, *contents.note_of_others(digest))

    def _form(self) -> Form:
        done = f"{self.done:,} of {len(self.study):,} points"
        title, line = f"Sweep in {clipped(str(self.folder))}: {done}", f"{quoted(str(self.folder))}: {done}"
        calls = ("plot()", "table()", "reasons()", "to_pandas()")
        return Form(title, parts_by("of_sweep", self), self.notes, calls, line)

    def __len__(self) -> int:
        return len(self.study)

    @property
    def done(self) -> int:
        """The number of points with a row."""
        return len(self.contents.done(self._digest))

    def rows(self) -> Iterable[Row]:
        """Yield the rows of all finished points, in the order of the points.

        Each row has ``number``, the coordinates as ``point``, ``status`` (``ok``, ``saturated``, ``not at
        rest``, ``failed``), ``figures`` and ``half_widths`` by name, ``replications``, and, if the point
        failed, the reason as ``error``.
        """
        done = self.contents.done(self._digest)
        numbers = sorted(done)
        for number, row in zip(numbers, self.contents.rows(done[number] for number in numbers), strict=True):
            yield {**row, "number": number, "point": self.study.point(number).coordinates()}

    def table(self) -> "pyarrow.Table":
        """Return a table with a row per point, in the order of the keys, as ``sweep table`` writes it."""
        return table_of(self.contents, self._digest)

    def counts(self) -> dict[str, int]:
        """Return the number of points for each status."""
        return dict(self._tally[0])

    @property
    def imprecise(self) -> int:
        """The number of points that did not reach the precision within the largest number of replications."""
        return self._tally[1]

    @cached_property
    def _tally(self) -> tuple[Counter[str], int]:
        counts: Counter[str] = Counter()
        imprecise = 0
        for row in self.rows():
            counts[row["status"]] += 1
            imprecise += row["is_precise"] is False
        return counts, imprecise

    def doubts(self) -> dict[str, list[str]]:
        """Return sentences on why results may be wrong, for each trace with a doubtful recording."""
        return {row["point"]["workload"]: row["doubts"] for row in self.rows() if "doubts" in row}

    def reasons(self) -> dict[str, int]:
        """Return the number of failed points for each reason, the most frequent reason first."""
        return reasons(self.rows())


@renamed
def sweep(
    workloads: Trace | str | Sequence[Trace | str],
    devices: Target | str | Sequence[Target | str] = "osdi00",
    schedulers: str | Sequence[str] = "sptf",
    *,
    folder: PathLike,
    over: Mapping[str, Any] | None = None,
    scales: float | Sequence[float] = 1.0,
    progress: Progress = None,
    **how: "Unpack[SweepOptions]",
) -> Sweep:
    """Run every combination of devices, workloads, values of parameters, scales and policies.

    Each finished point has a row in the ledger of `folder`. Points that already have a row there, from an
    earlier call or from another study, are not run again: the same call resumes a stopped sweep.

    Args:
        workloads: Trace, file of a trace, bundled trace, or workload such as ``random:rate=900``; or a list
            of them. The requests of a workload are drawn for each device and seed.
        devices: Device, volume, or name or file of a device; or a list of them.
        schedulers: Name of a policy, one that `schedulers` lists, or a list of such names.
        folder: Folder of the ledger, created if needed.
        over: Values of parameters of the devices by key: a list, or a text such as ``0.1:0.4:0.05`` (with
            exact decimal steps) or ``640,1280``.
        scales: Speed-up of the arrivals, or a list of speed-ups.
        progress: Function that is called with the number of finished points of the shard, as for `simulate`.
        how: Options of `SweepOptions`.

    Raises:
        ParameterError: A name or value is wrong, a file of the folder is not a ledger, or another version of
            sledsim began the sweep. If a point cannot be run, no error is raised: its row states the reason.
        TraceError: A trace cannot be used.
        OSError: The ledger cannot be read or written, another process is adding rows of the same shard, or
            the cluster cannot be reached.
    """
    given = settled(how, SweepOptions, sweep)
    running = {name: given.pop(name) for name in RUNNING}
    study = Study(
        subjects_of(imported(devices)),
        [one if isinstance(one, Requests) else Requests.of(one) for one in _listed(workloads)],
        over or {},
        _listed(schedulers),
        scales,  # type: ignore[arg-type]
        **given,
    )
    return run_study(study, folder, progress=progress, **running)


@watched
def run_study(
    study: Study,
    folder: PathLike,
    *,
    shard: str | None = None,
    on: str | None = None,
    workers: int | None = None,
    retry_failed: bool = False,
    progress: Progress = None,
) -> Sweep:
    """Run the points of an existing `Study`, with the options of `sweep`."""
    if not all(value is None or isinstance(value, str) for value in (shard, on)):
        raise _native.ParameterError(
            f"shard = {shard!r}, on = {on!r}: expected texts, such as '3/64' and 'local:4'"
        )
    if not isinstance(folder, str | os.PathLike):
        raise _native.ParameterError(f"folder = {folder!r}: expected the name of a folder")
    part, (row, where) = Shard.of(shard), executor(on)
    check_workers(workers)
    _ = study.policies  # Find a wrong name before a long run.
    if study.policies_here and row is not EXECUTORS["threads"]:
        raise _native.ParameterError(
            f"on = {on!r}: the policy {study.policies_here[0]} exists only in this process:"
            " expected threads, or a policy named as FILE.py:CLASS"
        )
    own = part.numbers(len(study))
    report = told(progress, len(own))
    with Ledger(folder, study.definition(), part.file_name) as ledger:
        _know(study, ledger, own)
        done = ledger.contents.done(ledger.study, failed=not retry_failed)
        todo = [number for number in own if number not in done]
        count = len(own) - len(todo)

        def keep(rows: Sequence[Row]) -> None:
            nonlocal count
            ledger.add(rows)
            count += len(rows)
            if report:
                report(count)

        if report:
            report(count)
        if todo:
            ledger.contents.check_version(ledger.study)
            row.run(Work(study, todo, workers), keep, where)
        if ledger.contents.disagreements:
            raise _native.TraceError(
                "two rows of a point have different figures. This is a bug of sledsim, or a user's policy"
                f" keeps state between runs: {ledger.contents.disagreements[0]}"
            )
        found = Sweep(folder, study, ledger.contents, ledger.study)
        found.notes += _of_own(study)
        return found


def _of_own(study: Study) -> tuple[str, ...]:
    """Return a warning for each policy written in Python: the keys of points do not cover its code."""
    return tuple(
        f"{name} is written in Python: the ledger knows it only by name, so that a changed policy needs"
        " another name or another folder"
        for name in study.own_policies
    )


@renamed
def read_sweep(folder: PathLike, digest: str | None = None) -> Sweep:
    """Read all finished points of the sweep in a folder.

    Args:
        folder: Folder of the ledger.
        digest: Digest of a study, or the beginning of the digest, if the folder has several studies; None
            takes the last study.

    Raises:
        ParameterError: The folder has no such study.
        TraceError, OSError: A trace of the study is missing, or has changed.
    """
    contents = Contents.of([folder])
    found = chosen_study(folder, contents, digest)
    return Sweep(folder, Study.from_definition(contents.studies[found]), contents, found)


def chosen_study(folder: PathLike, contents: Contents, study: str | None) -> str:
    """Return the full digest of the last study in a folder whose digest begins with `study`.

    Raises:
        ParameterError: The folder has no such study.
    """
    known = [digest for digest, what in contents.studies.items() if what.get("kind") == "sweep"]
    found = [digest for digest in known if digest.startswith(study or "")]
    if not found:
        there = f": the folder has the studies {', '.join(known)}" if known else ""
        wanted = "a sweep" if study is None else f"the study {study}"
        raise _native.ParameterError(f"{folder}: expected the ledger of {wanted}, found none{there}")
    return found[-1]


def drawn_study(folder: PathLike) -> str | None:
    """Return the digest of the study in a folder to draw as a chart of a sweep: the last one with an axis.

    None means that the folder has no study of a search (`optimise`, `holds`, `sensitivity`): the last study
    is drawn.

    Raises:
        ParameterError: The folder has only studies of a search. Their points vary all parameters together, so
            that no parameter can be an axis of a chart.
    """
    studies = {
        digest: what for digest, what in Contents.of([folder]).studies.items() if what.get("kind") == "sweep"
    }
    sampled = [digest for digest, what in studies.items() if any(what["sample"])]
    if not sampled:
        return None
    # A search also runs single points, such as the device as given.
    found = [one for one in studies if one not in sampled and _has_axes(studies[one])]
    if not found:
        raise _native.ParameterError(
            f"{folder}: expected the points of a sweep, found those of optimise, holds or sensitivity, which"
            " draw their own charts: 'sledsim sweep table' writes the points"
        )
    return found[-1]


def _has_axes(asked: Mapping[str, Any]) -> bool:
    """Return True if a study has several devices, workloads, speed-ups, policies or parameter values."""
    axes = [asked[name] for name in ("subjects", "workloads", "scales", "schedulers")]
    return any(len(axis) > 1 for axis in [*axes, *asked["over"].values()])


def _know(study: Study, ledger: Ledger, own: Sequence[int]) -> None:
    """Mark as done the points of the study whose rows are in the ledger because of another study."""
    done = ledger.contents.done(ledger.study)
    if len(ledger.contents.places) > len(set(done.values())):
        ledger.known([number for number in own if number not in done], Evaluator(study).key_of)


def _listed(given: Any) -> list[Any]:
    return [given] if isinstance(given, str | Path | Trace | Requests) else list(given)
