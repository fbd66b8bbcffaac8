"""The points that a comparison runs: of policies that would give equal results, it runs only one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _native
from ..model.volumes import Target, Volume
from ..runs.run import simulate
from ..traces.trace import Trace
from .study_points import Study

#: Text in place of the policy for a volume in which every member has its own policy.
OWN = "own"
#: Requests of a trial run: their number, the largest size in blocks, and the time in ns over which they
#: arrive.
_COUNT, _LONGEST_BLOCKS, _SPAN_NS = 400, 64, 10**9
_FIRST = "fcfs"


@dataclass(frozen=True)
class Sensible:
    """The combinations of a comparison to run, and remarks on skipped combinations.

    Attributes:
        numbers: Numbers of the points to run, ordered by workload, scale, device and policy.
        labels: Text that tables show in place of the policy for each volume whose members all have their own
            policies.
        notes: Sentences on skipped combinations, with the reasons.
    """

    numbers: Sequence[int]
    labels: Mapping[str, str]
    notes: Sequence[str]


def sensible(study: Study) -> Sensible:
    """Return the points of a study without redundant ones; of policies with equal results, one remains."""
    kept: dict[str, list[str]] = {}
    labels: dict[str, str] = {}
    notes: list[str] = []
    for subject in study.subjects:
        kept[subject.name] = [*study.schedulers]
        try:
            target = subject.with_changes({})
            same = _alike(target, [one for one in study.schedulers if one not in study.own_policies])
        except (_native.ParameterError, _native.TraceError, OSError):
            continue  # The points of the device report the reason.
        if _has_own_policies(target):
            kept[subject.name], labels[subject.name] = [study.schedulers[0]], OWN
            notes.append(f"{subject.name}: every member has a policy of its own: one run stands for all")
        elif len(same) > 1:
            kept[subject.name] = [one for one in study.schedulers if one not in same[1:]]
            notes.append(
                f"{subject.name}: position has no effect, so that {', '.join(same[1:])} would serve in"
                f" the order of {same[0]}, which stands for them"
            )
    names = {one.name: at for at, one in enumerate(study.workloads)}
    devices = {one.name: at for at, one in enumerate(study.subjects)}
    points = (point for point in study.points() if point.scheduler in kept[point.subject.name])
    ordered = sorted(
        points,
        key=lambda one: (
            *(names[one.requests.name], study.scales.index(one.scale), devices[one.subject.name]),
            one.number,
        ),
    )
    return Sensible([point.number for point in ordered], labels, notes)


def _has_own_policies(target: Target) -> bool:
    """Return True if every device of a volume has its own policy and ignores the policy of the run."""
    return isinstance(target, Volume) and all(_policies(target.state[0]))


def _policies(part: Mapping[str, Any]) -> Iterable[bool]:
    """Yield, for each device in a volume and in nested volumes, True if it has its own policy."""
    if "volume" not in part:
        yield "scheduler" in part
        return
    for members in part.values():
        for member in members if isinstance(members, list) else [members]:
            if isinstance(member, dict):
                yield from _policies(member)


def _alike(target: Target, schedulers: Sequence[str]) -> list[str]:
    """Return the policies with the same results on `target` as FCFS, if positioning takes no time there.

    A run of a few hundred requests decides. The list is empty if positioning takes time there; otherwise, the
    first policy of the list can stand for all of them.
    """
    if len(schedulers) < 2:
        return []
    trace = _any_requests(_native.sectors(target._native))
    first = simulate(target, trace, _FIRST, columns="times")
    if first.summary()["mean_positioning_s"] > 0:
        return []
    alike = [one for one in schedulers if _is_like(target, trace, one, first.columns["completion_ns"])]
    named = [one for one in alike if one == _FIRST]
    return named + [one for one in alike if one != _FIRST]


def _is_like(target: Target, trace: Trace, scheduler: str, completion_ns: Any) -> bool:
    try:
        run = simulate(target, trace, scheduler, columns="times")
    except _native.ParameterError:
        return False  # The policy is not for this device: its point reports the reason.
    return bool((run.columns["completion_ns"] == completion_ns).all())


def _any_requests(sectors: int) -> Trace:
    """Return the requests of a trial run: random addresses, all sizes, reads and writes, rising rate."""
    drawn = np.random.Generator(np.random.PCG64(1))
    longest = max(1, min(_LONGEST_BLOCKS, sectors // 2))
    columns = {
        "arrival_ns": np.sort((_SPAN_NS * np.sqrt(drawn.random(_COUNT))).astype(np.int64)),
        "lbn": drawn.integers(0, sectors - longest, _COUNT),
        "blocks": drawn.integers(1, longest + 1, _COUNT).astype(np.int32),
        "write": drawn.random(_COUNT) < 0.5,
        "metadata": drawn.random(_COUNT) < 0.2,
        "device": np.zeros(_COUNT, np.int32),
    }
    return Trace.from_columns(columns, source="any requests")
