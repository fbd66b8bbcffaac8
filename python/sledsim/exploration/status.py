"""How far the sweeps of a folder are."""

from dataclasses import dataclass
from typing import Any

from .. import _native
from ..common.files import PathLike
from ..ledger import Contents
from .sweep import reasons

#: The axes of a definition, whose lengths multiply.
_AXES = ("subjects", "workloads", "sample", "scales", "schedulers")


@dataclass(frozen=True)
class Status:
    """A study of a folder.

    Attributes:
        study: The digest of what it asks for.
        points: How many it has.
        counts: How many are done, by their state.
        cpu_s: Seconds of processors that they took.
        hosts: The machines that ran them.
        reasons: Why points failed, and how many for each reason.
    """

    study: str
    points: int
    counts: dict[str, int]
    cpu_s: float
    hosts: list[str]
    reasons: dict[str, int]

    @property
    def done(self) -> int:
        """How many points have a row."""
        return sum(self.counts.values())

    @property
    def left_cpu_s(self) -> float | None:
        """Seconds of a processor that the others will take, if they are like those; None without any."""
        return self.cpu_s / self.done * (self.points - self.done) if self.done else None

    def row(self) -> dict[str, Any]:
        """All of it by name."""
        return {
            "study": self.study,
            "points": self.points,
            "done": self.done,
            "status": self.counts,
            "cpu_s": self.cpu_s,
            "left_cpu_s": self.left_cpu_s,
            "hosts": self.hosts,
            "reasons": self.reasons,
        }


def status_of(folder: PathLike) -> list[Status]:
    """How far each study of a folder is; traces are not read for it.

    Raises:
        ParameterError: There is none, or a file is no ledger.
        OSError: A file cannot be read.
    """
    contents = Contents.of([folder])
    found = [
        _status(contents, study, asked)
        for study, asked in contents.studies.items()
        if asked.get("kind") == "sweep"
    ]
    if not found:
        raise _native.ParameterError(f"{folder}: expected the ledger of a sweep, found none")
    return found


def _status(contents: Contents, study: str, asked: dict[str, Any]) -> Status:
    points = 1
    for axis in (*(asked[name] for name in _AXES), *asked["over"].values()):
        points *= len(axis)
    counts: dict[str, int] = {}
    hosts: set[str] = set()
    cpu_s, failed = 0.0, []
    for row in contents.rows(contents.done(study).values()):
        counts[row["status"]] = counts.get(row["status"], 0) + 1
        hosts.add(row["host"])
        cpu_s += row["cpu_s"]
        if row["error"] is not None:
            failed.append(row)
    return Status(study, points, counts, cpu_s, sorted(hosts - {""}), reasons(failed))
