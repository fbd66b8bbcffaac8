"""Findings on real traces that are not part of the package, recorded, so that a book without them has them.

Whoever has the traces records them: ``python -m sledsim.papers.record FOLDER`` (docs/background/papers.md).
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

#: One file an experiment.
FOLDER = Path(__file__).with_name("recorded")
#: What is kept of a finding beside its quantity and what the paper says of that.
_FINDING = ("input", "ours", "told")
#: A quantity, what the paper found of it, and an input.
_Key = tuple[str, str, str]


@dataclass(frozen=True)
class Group:
    """What was found of one quantity on real traces.

    Attributes:
        quantity: What it is about.
        paper: What the paper found.
        beside: The inputs that every run has, with which the traces are judged together.
        findings: What was found, by `_FINDING`.
    """

    quantity: str
    paper: str
    beside: Sequence[str]
    findings: Sequence[dict[str, Any]]

    def belongs_to(self, found: Sequence[OnInput]) -> bool:
        """Whether these are the findings on the inputs that every run has."""
        about = {(one.quantity, one.paper) for one in found}
        return about == {(self.quantity, self.paper)} and [one.input for one in found] == self.beside

    def read(self) -> list[OnInput]:
        """The findings."""
        return [OnInput(self.quantity, self.paper, **row, is_recorded=True) for row in self.findings]


@dataclass(frozen=True)
class Recording:
    """What an experiment found on real traces.

    Attributes:
        id: Of the experiment.
        version: Of sledsim, with which it was found.
        groups: What was found, by quantity.
    """

    id: str
    version: str
    groups: Sequence[Group]

    def complete(self, found: Sequence[OnInput]) -> Sequence[OnInput]:
        """The findings on the inputs that every run has, with those recorded beside them."""
        return [*found, *(one for group in self.groups if group.belongs_to(found) for one in group.read())]

    @property
    def note(self) -> str:
        """How it was made."""
        inputs = dict.fromkeys(row["input"] for group in self.groups for row in group.findings)
        return (
            "Recorded, on traces that are not part of sledsim, with version"
            f" {self.version} by `sledsim paper run {self.id} --quick --traces FOLDER`:"
            f" {'; '.join(inputs)}. With --traces FOLDER they are found anew."
        )


def recording_of(id: str) -> Recording | None:
    """What is recorded of an experiment; nothing where it needs no traces, or tells nothing by them."""
    path = FOLDER / f"{id}.json"
    if not path.is_file():
        return None
    plain = json.loads(path.read_text(encoding="utf-8"))
    return Recording(**{**plain, "groups": [Group(**group) for group in plain["groups"]]})


def record(experiment: Experiment, traces: PathLike) -> Recording:
    """Run an experiment without and with real traces: what is found only with them is to be recorded.

    Raises:
        ParameterError: The experiment uses no traces, or they are not there.
        TraceError: A file of the folder is not such a trace.
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
    """Write it where `recording_of` finds it."""
    folder.mkdir(exist_ok=True)
    text = json.dumps(asdict(recording), indent=1, ensure_ascii=False)
    return write_text(folder / f"{recording.id}.json", f"{text}\n")


def _group(found: Sequence[OnInput], known: Set[_Key]) -> Group | None:
    """What only a run on real traces has, if anything, and what it is judged with."""
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
