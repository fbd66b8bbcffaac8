"""The papers, executable: every experiment computes the paper's figures again and says how each claim stands.

A new experiment is one file here and one row in `EXPERIMENTS` (table.py).
"""

from collections.abc import Sequence
from dataclasses import replace

from .. import _native
from ..files import PathLike
from .book import check_book, write_book, write_perturbed
from .claims import Claim, claim
from .experiments import PAPERS, Chapter, Experiment, Result
from .figures import Bound, Effect, Figure, Range
from .findings import Calibrated, Elsewhere, Finding, Statement, Unpublished, completing
from .hp_disks import check_traces, missing_traces
from .items import ITEMS, Item
from .names import ALL, claimed, experiment, experiments, shortest, spellings
from .perturbations import PERTURBATIONS, Perturbation
from .reactions import Reaction, Reactions, plain_reactions, react, runs_of
from .reactions_page import reactions_page
from .recordings import recording_of
from .records import Record
from .statements import statements
from .table import EXPERIMENTS
from .verdict_table import verdict_rows
from .verdicts import Verdict

__all__ = [
    "ALL",
    "EXPERIMENTS",
    "ITEMS",
    "PAPERS",
    "PERTURBATIONS",
    "Bound",
    "Calibrated",
    "Chapter",
    "Claim",
    "Effect",
    "Elsewhere",
    "Experiment",
    "Figure",
    "Finding",
    "Item",
    "Perturbation",
    "Range",
    "Reaction",
    "Reactions",
    "Record",
    "Result",
    "Statement",
    "Unpublished",
    "Verdict",
    "check_book",
    "check_traces",
    "claim",
    "claimed",
    "experiment",
    "experiments",
    "plain_reactions",
    "react",
    "reactions_page",
    "run",
    "runs_of",
    "shortest",
    "spellings",
    "statements",
    "using_traces",
    "verdict_rows",
    "write_book",
    "write_perturbed",
]


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
    assert found.on_traces is not None
    return Chapter(found, found.on_traces(quick, traces), quick, traces)


def using_traces(rows: Sequence[Experiment], folder: PathLike) -> list[Experiment]:
    """The experiments that use traces which are in a folder.

    Raises:
        ParameterError: There is none; the message says what is missing.
    """
    able = [row for row in rows if row.on_traces]
    if not able:
        names = ", ".join(row.id for row in rows)
        others = ", ".join(row.id for row in EXPERIMENTS if row.on_traces)
        raise _native.ParameterError(f"{names} uses no traces: expected one of {others}")
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
