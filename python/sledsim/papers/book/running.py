"""Functions that run an experiment, with real traces or with findings recorded on them."""

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
    """Run an experiment and return it with its result.

    Args:
        id: Id of the experiment, in any spelling that `experiment` accepts.
        quick: True to use fewer requests and points; the verdicts stay the same.
        traces: Folder with the real traces of `hp_disks`, which some experiments use besides random requests;
            None for a run without real traces.
        recordings: True to include stored findings of earlier runs on real traces if `traces` is None.

    Raises:
        ParameterError: The experiment does not exist. Or `traces` is given, and the experiment uses no real
            traces or the folder lacks them.
        TraceError: A file of the folder is not a trace of the expected format.
    """
    found = experiment(id)
    if traces is None:
        return Chapter(found, _with_recordings(found, quick) if recordings else found.run(quick), quick)
    using_traces([found], traces)
    return Chapter(found, found.run(quick, traces), quick, traces)


def using_traces(rows: Sequence[Experiment], folder: PathLike) -> list[Experiment]:
    """Return the experiments of `rows` that use real traces, if a folder has all traces of the experiment.

    Raises:
        ParameterError: No experiment of `rows` uses real traces, or the folder has not all traces of any of
            them.
    """
    able = [row for row in rows if row.needs]
    if not able:
        names = ", ".join(row.id for row in rows)
        others = ", ".join(row.id for row in EXPERIMENTS if row.needs)
        raise ParameterError(f"{names}: expected an experiment that uses real traces, one of {others}")
    there = [row for row in able if not missing_traces(folder, row.needs)]
    if not there:
        check_traces(folder, able[0].needs)
    return there


def _with_recordings(found: Experiment, quick: bool) -> Result:
    """Run an experiment without real traces, and add the findings recorded on them to its result."""
    recording = recording_of(found.id)
    if recording is None:
        return found.run(quick)
    with completing(recording.complete):
        result = found.run(quick)
    return replace(result, notes=[*result.notes, recording.note])
