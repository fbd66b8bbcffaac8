"""Running an experiment, on real traces or with what is recorded of them."""

from collections.abc import Sequence
from dataclasses import replace

from sledsim import ParameterError
from sledsim.files import PathLike

from ..shared.experiments import Chapter, Experiment, Result
from ..shared.findings import completing
from ..shared.hp_disks import check_traces, missing_traces
from .names import experiment
from .recordings import recording_of
from .table import EXPERIMENTS


def run(id: str, quick: bool = False, traces: PathLike | None = None, *, recordings: bool = True) -> Chapter:
    """Run an experiment.

    Args:
        id: As `experiment` takes it.
        quick: Whether to take fewer requests and points, for the same verdicts.
        traces: A folder with the real traces of `hp_disks`, for the experiments that can use them beside
            their synthetic streams.
        recordings: Whether, without real traces, what is recorded of them counts.

    Raises:
        ParameterError: There is no such experiment, it uses no traces, or they are not there.
        TraceError: A file of the folder is not such a trace.
    """
    found = experiment(id)
    if traces is None:
        return Chapter(found, _with_recordings(found, quick) if recordings else found.run(quick), quick)
    using_traces([found], traces)
    return Chapter(found, found.run(quick, traces), quick, traces)


def using_traces(rows: Sequence[Experiment], folder: PathLike) -> list[Experiment]:
    """The experiments that use traces which are in a folder.

    Raises:
        ParameterError: There is none; the message says what is missing.
    """
    able = [row for row in rows if row.needs]
    if not able:
        names = ", ".join(row.id for row in rows)
        others = ", ".join(row.id for row in EXPERIMENTS if row.needs)
        raise ParameterError(f"{names} uses no traces: expected one of {others}")
    there = [row for row in able if not missing_traces(folder, row.needs)]
    if not there:
        check_traces(folder, able[0].needs)
    return there


def _with_recordings(found: Experiment, quick: bool) -> Result:
    """What an experiment finds, with what is recorded of real traces."""
    recording = recording_of(found.id)
    if recording is None:
        return found.run(quick)
    with completing(recording.complete):
        result = found.run(quick)
    return replace(result, notes=[*result.notes, recording.note])
