"""The progress of the studies in the ledgers of a folder."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..common.grids import some
from ..ledger import Contents
from ..ledger.point_keys import key_of
from .reasons import reasons

#: Largest number of devices, of workloads and of policies that are listed in the description of a study.
_NAMED = 3


@dataclass(frozen=True)
class Status:
    """The progress of one study; all batches of a search, which differ only in their points, are one study.

    Attributes:
        study: Digest that identifies the study; for a search, the digest of its first batch.
        batches: Number of batches of a search; 1 for other studies.
        about: Description of the study: devices, workloads, factors and policies.
        points: Number of points in the study.
        counts: Number of finished points for each status.
        cpu_s: Processor time of finished points in seconds.
        hosts: Names of the machines that ran the points.
        reasons: Number of failed points for each reason.
    """

    study: str
    batches: int
    about: str
    points: int
    counts: dict[str, int]
    cpu_s: float
    hosts: list[str]
    reasons: dict[str, int]

    @property
    def done(self) -> int:
        """The number of finished points, which have a row."""
        return sum(self.counts.values())

    @property
    def left_cpu_s(self) -> float | None:
        """Estimated processor time of the remaining points in seconds; None before a point is done."""
        return self.cpu_s / self.done * max(0, self.points - self.done) if self.done else None

    def row(self) -> dict[str, Any]:
        """Return all fields of the status by name."""
        return {
            "study": self.study,
            "batches": self.batches,
            "about": self.about,
            "points": self.points,
            "done": self.done,
            "status": self.counts,
            "cpu_s": self.cpu_s,
            "left_cpu_s": self.left_cpu_s,
            "hosts": self.hosts,
            "reasons": self.reasons,
        }


def status_of(contents: Contents) -> list[Status]:
    """Return the progress of each study in some ledgers, without reading traces.

    Raises:
        OSError: A file cannot be read.
    """
    alike: dict[str, list[str]] = {}
    for study, asked in contents.studies.items():
        if asked.get("kind") == "sweep":
            alike.setdefault(key_of(_question(asked)), []).append(study)
    return [_status(contents, studies) for studies in alike.values()]


def _question(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a definition that all batches of a search have in common.

    Only a search has parameters that vary together: it asks for designs in batches, and runs the best of them
    under other seeds and parts of the requests.
    """
    varied = sorted(asked["sample"][0])
    if not varied:
        return dict(asked)
    workloads = [{**one, "part": None, "digest": None} for one in asked["workloads"]]
    return {**asked, "sample": varied, "seed": None, "workloads": workloads}


def _status(contents: Contents, studies: Sequence[str]) -> Status:
    counts: dict[str, int] = {}
    hosts: set[str] = set()
    cpu_s, failed = 0.0, []
    for study in studies:
        for row in contents.rows(contents.done(study).values()):
            counts[row["status"]] = counts.get(row["status"], 0) + 1
            hosts.add(row["host"])
            cpu_s += row["cpu_s"]
            if row["error"] is not None:
                failed.append(row)
    asked = [contents.studies[study] for study in studies]
    points = sum(math.prod(map(len, _axes(one))) for one in asked)
    return Status(
        studies[0],
        len(studies),
        _about(asked[0]),
        points,
        counts,
        cpu_s,
        sorted(hosts - {""}),
        reasons(failed),
    )


def _axes(asked: Mapping[str, Any]) -> list[Sequence[Any]]:
    """Return the lists of values in a definition: one point of the study is one value of each list."""
    names = ("subjects", "workloads", "sample", "scales", "schedulers")
    return [*(asked[name] for name in names), *asked["over"].values()]


def _about(asked: Mapping[str, Any]) -> str:
    """Return the description of a study from its definition."""
    subjects, workloads = ([one["name"] for one in asked[name]] for name in ("subjects", "workloads"))
    varied = [f"{key} ({len(values)} values)" for key, values in asked["over"].items()]
    sampled = [*asked["sample"][0]]
    scales = [] if asked["scales"] == [1.0] else [f"scale {_some(asked['scales'])}"]
    parts = [_some(subjects), _some(workloads), ", ".join(varied), _some(sampled), *scales]
    # If the policy varies with the parameters, the study has no single policy.
    parts += [] if "scheduler" in sampled else [_some(asked["schedulers"])]
    return "; ".join(part for part in parts if part)


def _some(names: Sequence[Any]) -> str:
    told = [f"{name:g}" if isinstance(name, float) else str(name) for name in names]
    return ", ".join(some(told, _NAMED))
