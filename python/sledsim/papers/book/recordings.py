"""Recorded findings: results of an earlier run on real traces, for books made without these traces.

The traces are not part of sledsim. Users who have the traces record findings on them with
``python -m sledsim.papers.record FOLDER`` (docs/background/papers.md).
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

#: Folder of the recordings, with a file for each experiment that has a recording.
FOLDER = Path(__file__).with_name("recorded")
#: Fields that a recording keeps of each finding, besides those of its group.
_FINDING = ("input", "ours", "told")
#: Key of a finding: quantity, result in the paper, and input.
_Key = tuple[str, str, str]


@dataclass(frozen=True)
class Group:
    """Recorded findings on one quantity, such as a ratio of mean responses.

    Attributes:
        quantity: The quantity that is compared.
        paper: Result of the paper for the quantity, as a text.
        beside: Names of the inputs on which runs without real traces make findings on the quantity. The
            recorded findings are judged together with those.
        findings: Recorded findings, each with the fields that `_FINDING` names.
    """

    quantity: str
    paper: str
    beside: Sequence[str]
    findings: Sequence[dict[str, Any]]

    def belongs_to(self, found: Sequence[OnInput]) -> bool:
        """True if findings of a run without real traces belong together with those of this group.

        They must have the same quantity and result of the paper, and be on the inputs `beside`.
        """
        about = {(one.quantity, one.paper) for one in found}
        return about == {(self.quantity, self.paper)} and [one.input for one in found] == self.beside

    def read(self) -> list[OnInput]:
        """Return the recorded findings as `OnInput` objects."""
        return [OnInput(self.quantity, self.paper, **row, is_recorded=True) for row in self.findings]


@dataclass(frozen=True)
class Recording:
    """Recorded findings of an experiment on real traces.

    Attributes:
        id: Id of the experiment.
        version: Version of sledsim that made the recording.
        groups: Recorded findings, grouped by quantity.
    """

    id: str
    version: str
    groups: Sequence[Group]

    def complete(self, found: Sequence[OnInput]) -> Sequence[OnInput]:
        """Return the findings `found` of a run without real traces, and recorded ones on their quantity."""
        return [*found, *(one for group in self.groups if group.belongs_to(found) for one in group.read())]

    @property
    def note(self) -> str:
        """Note for readers of the book: recorded inputs, and version and command of the recording."""
        inputs = dict.fromkeys(row["input"] for group in self.groups for row in group.findings)
        return (
            "Recorded, on traces that are not part of sledsim, with version"
            f" {self.version} by `sledsim paper run {self.id} --quick --traces FOLDER`:"
            f" {'; '.join(inputs)}. With --traces FOLDER they are computed anew."
        )


def recording_of(id: str) -> Recording | None:
    """Return the recording of the experiment `id`; None if the experiment has no recording."""
    path = FOLDER / f"{id}.json"
    if not path.is_file():
        return None
    plain = json.loads(path.read_text(encoding="utf-8"))
    return Recording(**{**plain, "groups": [Group(**group) for group in plain["groups"]]})


def record(experiment: Experiment, traces: PathLike) -> Recording:
    """Run an experiment with and without real traces, and return its findings on these traces as a recording.

    Raises:
        ParameterError: The experiment uses no traces, or the traces are missing.
        TraceError: A file of the folder is not a trace of the expected format.
    """
    if not experiment.needs:
        raise ParameterError(f"{experiment.id}: expected an experiment that uses real traces")
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
    """Write a recording into a folder, by default that of `recording_of`, and return the path of the file."""
    folder.mkdir(exist_ok=True)
    text = json.dumps(asdict(recording), indent=1, ensure_ascii=False)
    return write_text(folder / f"{recording.id}.json", f"{text}\n")


def _group(found: Sequence[OnInput], known: Set[_Key]) -> Group | None:
    """Return the findings of `found` on real traces as a group; None without such or without other findings.

    `known` has the keys of all findings of a run without real traces.
    """
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
