"""Findings recorded on real traces, which sledsim does not contain; books without the traces show them.

Users who have the traces record them: ``python -m sledsim.papers.record FOLDER`` (docs/background/papers.md).
"""

import json
from collections.abc import Sequence, Set
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sledsim import ParameterError, __version__
from sledsim.files import PathLike, write_text

from ..shared.experiments import Experiment
from ..shared.findings import Complete, OnInput, completing

#: Folder of the recordings; each experiment has one file.
FOLDER = Path(__file__).with_name("recorded")
#: Fields of a recorded finding that are not fields of its group.
_FINDING = ("input", "ours", "told")
#: Key of a finding: quantity, result in the paper, and input.
_Key = tuple[str, str, str]


@dataclass(frozen=True)
class Group:
    """Recorded findings of one quantity.

    Attributes:
        quantity: Subject of the findings.
        paper: Result in the paper.
        beside: Inputs that every run has, with or without traces, and that are judged together with the
            traces.
        findings: Recorded findings, each with the fields that `_FINDING` names.
    """

    quantity: str
    paper: str
    beside: Sequence[str]
    findings: Sequence[dict[str, Any]]

    def belongs_to(self, found: Sequence[OnInput]) -> bool:
        """Return True if `found` covers the inputs (`beside`) together with which the group is judged."""
        about = {(one.quantity, one.paper) for one in found}
        return about == {(self.quantity, self.paper)} and [one.input for one in found] == self.beside

    def read(self) -> list[OnInput]:
        """The findings."""
        return [OnInput(self.quantity, self.paper, **row, is_recorded=True) for row in self.findings]


@dataclass(frozen=True)
class Recording:
    """Recorded findings of an experiment on real traces.

    Attributes:
        id: Id of the experiment.
        version: Version of sledsim that made the recording.
        groups: Findings by quantity.
    """

    id: str
    version: str
    groups: Sequence[Group]

    def complete(self, found: Sequence[OnInput]) -> Sequence[OnInput]:
        """Return `found`, the findings of a run without traces, completed by the recorded findings."""
        return [*found, *(one for group in self.groups if group.belongs_to(found) for one in group.read())]

    @property
    def note(self) -> str:
        """Note on the origin of the recording."""
        inputs = dict.fromkeys(row["input"] for group in self.groups for row in group.findings)
        return (
            "Recorded, on traces that are not part of sledsim, with version"
            f" {self.version} by `sledsim paper run {self.id} --quick --traces FOLDER`:"
            f" {'; '.join(inputs)}. With --traces FOLDER they are computed anew."
        )


def recording_of(id: str) -> Recording | None:
    """Return the recording of an experiment; None if its claims do not depend on traces."""
    path = FOLDER / f"{id}.json"
    if not path.is_file():
        return None
    plain = json.loads(path.read_text(encoding="utf-8"))
    return Recording(**{**plain, "groups": [Group(**group) for group in plain["groups"]]})


def record(experiment: Experiment, traces: PathLike) -> Recording:
    """Run an experiment without and with real traces, and return the findings that need the traces.

    Raises:
        ParameterError: The experiment uses no traces, or the traces are missing.
        TraceError: A file of the folder is not a trace of the expected format.
    """
    if not experiment.needs:
        raise ParameterError(f"{experiment.id} uses no traces: there is nothing to record")
    without: list[Sequence[OnInput]] = []
    with_traces: list[Sequence[OnInput]] = []
    with completing(_collecting(with_traces)):
        experiment.run(True, traces)
    with completing(_collecting(without)):
        experiment.run(True)
    known = {_key(one) for found in without for one in found}
    groups = list(dict.fromkeys(map(tuple, with_traces)))
    return Recording(experiment.id, __version__, [*filter(None, (_group(g, known) for g in groups))])


def write(recording: Recording, folder: Path = FOLDER) -> Path:
    """Write a recording to the place where `recording_of` finds it."""
    folder.mkdir(exist_ok=True)
    text = json.dumps(asdict(recording), indent=1, ensure_ascii=False)
    return write_text(folder / f"{recording.id}.json", f"{text}\n")


def _group(found: Sequence[OnInput], known: Set[_Key]) -> Group | None:
    """Group the findings that need real traces, with inputs judged beside them; None without findings."""
    beside = [one.input for one in found if _key(one) in known]
    rows = [{name: getattr(one, name) for name in _FINDING} for one in found if _key(one) not in known]
    return Group(found[0].quantity, found[0].paper, beside, rows) if beside and rows else None


def _collecting(into: list[Sequence[OnInput]]) -> Complete:
    def collect(found: Sequence[OnInput]) -> Sequence[OnInput]:
        into.append(found)
        return found

    return collect


def _key(finding: OnInput) -> _Key:
    return finding.quantity, finding.paper, finding.input
