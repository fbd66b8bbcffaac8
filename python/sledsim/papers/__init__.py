"""The papers, executable: every experiment computes the paper's figures again and says how each claim stands.

A new experiment is one file here and one row in `EXPERIMENTS` (table.py).
"""

import difflib
import re
from dataclasses import replace

from .. import _native
from ..files import PathLike
from .book import check_book, write_book, write_perturbed
from .claims import Claim, claim
from .experiments import PAPERS, Chapter, Experiment, Result
from .figures import Bound, Effect, Figure, Range
from .findings import Calibrated, Elsewhere, Finding, Statement, Unpublished, completing
from .hp_disks import check_traces
from .items import ITEMS, Item
from .perturbations import PERTURBATIONS, Perturbation
from .reactions import Reaction, Reactions, plain_reactions, react, runs_of
from .reactions_page import reactions_page
from .recordings import recording_of
from .records import Record
from .table import EXPERIMENTS
from .verdict_table import verdict_rows
from .verdicts import Verdict

__all__ = [
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
    "experiment",
    "plain_reactions",
    "react",
    "reactions_page",
    "run",
    "runs_of",
    "verdict_rows",
    "write_book",
    "write_perturbed",
]


def experiment(id: str) -> Experiment:
    """Find an experiment: ``002-E-1``, also as ``002-e-1``, ``E-002-1`` or ``002E1``.

    Raises:
        ParameterError: There is none; the message names the nearest ids.
    """
    known = {_normal(row.id): row for row in EXPERIMENTS}
    wanted = _normal(id)
    if wanted in known:
        return known[wanted]
    nearest = difflib.get_close_matches(wanted, known, n=3, cutoff=0.5) or list(known)
    names = ", ".join(known[name].id for name in nearest)
    raise _native.ParameterError(f"unknown experiment {id!r}: expected one like {names}")


def _normal(id: str) -> str:
    """Paper and number: the E and the dashes may stand anywhere or nowhere."""
    found = re.fullmatch(r"E?-?(\d{3})-?E?-?(\d+)", id.strip().upper())
    return f"{found[1]}-E-{int(found[2])}" if found else id.strip().upper()


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
    if found.on_traces is None:
        able = ", ".join(row.id for row in EXPERIMENTS if row.on_traces)
        raise _native.ParameterError(f"{found.id} uses no traces: expected one of {able}")
    return Chapter(found, found.on_traces(quick, traces), quick, traces)


def _with_recordings(found: Experiment, quick: bool) -> Result:
    """What an experiment finds, with what is recorded of real traces."""
    recording = recording_of(found.id)
    if recording is None:
        return found.run(quick)
    with completing(recording.complete):
        result = found.run(quick)
    return replace(result, notes=[*result.notes, recording.note])
