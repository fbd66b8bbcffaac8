"""The points of a study: every combination of devices, workloads, parameters, scales and policies."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .. import _native
from ..common.arguments import check_whole
from ..common.declared import default_of
from ..common.points import check_points
from ..model.scheduling import REGISTERED, SHARED
from ..runs.intervals import BATCHES, check_confidence
from ..runs.run import settings_of
from ..runs.steady_state import MIN_MEASURED, WARM_UP
from ..traces.generators import given_options
from .parameter_values import checked_numbers, checked_values
from .point_figures import DOUBLINGS, MEANINGS
from .question_options import SweepOptions
from .subjects import DrawnTraces, Requests, Subject, refuse_unknown_names

#: Kind of a study whose rows have no fields but the common ones.
SWEEP = "sweep"
#: Names of the columns that identify a point, without its parameters.
COORDINATES = ("device", "workload", "scale", "scheduler")
#: Largest number of runs of a point.
_MOST_REPLICATIONS = 100_000
#: Number of distinct seeds.
_SEEDS = 2**64


@dataclass(frozen=True)
class Point:
    """A combination of device, workload, parameters, scale and policy in a study.

    Attributes:
        number: Number of the point in the study, from 0.
        subject: Device or volume.
        requests: Workload or trace.
        changes: Values of the parameters of the device that vary, by key.
        scheduler: Name of the policy.
        scale: Speed-up of the arrivals.
        seed: Seed of the requests of this point; None takes the seed of the study.
    """

    number: int
    subject: Subject
    requests: Requests
    changes: Mapping[str, Any]
    scheduler: str
    scale: float
    seed: int | None = None

    def coordinates(self) -> dict[str, Any]:
        """Return device, workload, parameters, speed-up and policy of the point, by their columns' names."""
        return {
            "device": self.subject.name,
            "workload": self.requests.name,
            **self.changes,
            **({} if self.seed is None else {"seed": self.seed}),
            "scale": self.scale,
            "scheduler": self.scheduler,
        }


@dataclass(frozen=True)
class Study:
    """Every combination of the axes of a study, and the settings for the runs.

    Attributes:
        subjects: Devices and volumes.
        workloads: Traces, and names of workloads that are drawn for each device and seed.
        over: Values of each parameter that varies, by its key.
        sample: Sets of values of several parameters, by key, such as plausible devices: each set gives a
            point. A set may also have a ``scheduler``, a ``scale`` and a ``seed`` of the requests.
        schedulers: Names of the policies.
        scales: Speed-ups of the arrivals.
        replications: Number of runs of a random workload, each with its own seed.
        count: Number of requests per run; None takes the number that the workload states.
        seed: Seed of the first replication; replication k uses ``seed + k - 1``.
        precision: Relative half-width of the intervals to reach; None runs exactly `replications`.
        judged: Figures whose intervals must reach the precision.
        confidence: Confidence level of the intervals.
        past_end: Rule, one that `past_end_rules` lists, for requests past the end of a device.
        replay: Replay rule, one that `replays` lists; None takes the default of `simulate`.
        kind: Kind of the study. Rows of kinds other than a sweep have additional fields, and their keys
            differ.

    Raises:
        ParameterError: A name or value is wrong, or the study has no points.
    """

    subjects: Sequence[Subject]
    workloads: Sequence[Requests]
    over: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    schedulers: Sequence[str] = ("sptf",)
    scales: Sequence[float] = (1.0,)
    replications: int = default_of(SweepOptions, "replications")
    count: int | None = None
    seed: int = default_of(SweepOptions, "seed")
    precision: float | None = None
    judged: Sequence[str] = default_of(SweepOptions, "judged")
    confidence: float = default_of(SweepOptions, "confidence")
    past_end: str = "error"
    replay: str | None = None
    sample: Sequence[Mapping[str, Any]] = ({},)
    kind: str = SWEEP

    def __post_init__(self) -> None:
        changed = {
            "over": {key: checked_values(key, values) for key, values in self.over.items()},
            "schedulers": checked_values("schedulers", self.schedulers),
            "scales": checked_numbers("scales", self.scales),
            "judged": checked_values("judged", self.judged),
        }
        for name, value in changed.items():
            object.__setattr__(self, name, value)
        for name in ("schedulers", "judged"):
            for value in changed[name]:
                if not isinstance(value, str):
                    raise _native.ParameterError(f"{name}: expected names, found {value!r}")
        self._check_measuring()
        for what, rows in (("device", self.subjects), ("workload", self.workloads)):
            checked_values(what, [row.name for row in rows])
        for key in self.over:
            if key in COORDINATES:
                raise _native.ParameterError(
                    f"{key}: expected a parameter of a device; a separate option varies {key}"
                )
            if any(key in (subject.settings or {}) for subject in self.subjects):
                raise _native.ParameterError(
                    f"{key}: expected either one setting or several values, found both"
                )
            self._check_parameter(key)
            refuse_unknown_names(self.subjects, key, self.over[key])
        check_points(self._named_axes(), "take fewer values, or draw some of all with 'sledsim sensitivity'")

    def _check_measuring(self) -> None:
        check_whole("replications", self.replications, 1, _MOST_REPLICATIONS)
        most = self.replications << (DOUBLINGS if self.precision is not None else 0)
        check_whole("seed", self.seed, 0, _SEEDS - most, f": {most} replications use {most} seeds in a row")
        if self.count is not None:
            check_whole("count", self.count, 1, 2**63 - 1)
        check_confidence(self.confidence)
        for requests in self.workloads:
            if requests.is_drawn:
                self._check_count(requests.name)
        for name in self.judged:
            if name not in MEANINGS:
                raise _native.ParameterError(
                    f"judged: {name!r} is unknown: expected one of {', '.join(MEANINGS)}"
                )
        if self.precision is None:
            return
        if isinstance(self.precision, str):
            raise _native.ParameterError(f"precision = {self.precision!r}: expected a number, such as 0.01")
        if not 0 < self.precision < 1:
            raise _native.ParameterError(
                f"precision = {self.precision}: must be a relative half-width between 0 and 1, such as 0.05"
            )
        if self.replications < 2:
            raise _native.ParameterError(
                "precision: expected at least 2 replications for an interval, found 1"
            )

    def _check_count(self, name: str) -> None:
        """Refuse a count of requests that is given twice, and runs that are too short to be measured."""
        given = given_options(name).get("count")
        if given is not None and self.count is not None:
            raise _native.ParameterError(
                f"{name}: the count is given twice: in this workload and as an option for all"
            )
        count = self.count if given is None else int(given) if given.isdecimal() else None
        measured = MIN_MEASURED if count is None else count - int(WARM_UP * count)
        if measured < MIN_MEASURED:
            least = f"at least {MIN_MEASURED} requests after the warm-up of {WARM_UP:.0%}"
            raise _native.ParameterError(f"{name}: count = {count}: expected {least}, found {measured}")

    def _check_parameter(self, key: str) -> None:
        """Refuse a parameter if none of its values is possible for any device.

        Raises:
            ParameterError: No device accepts any of the values; the message is that of the first device for
                the first value.
        """
        first: _native.ParameterError | None = None
        for subject in self.subjects:
            for value in self.over[key]:
                try:
                    subject.with_changes({key: value})
                    return
                except _native.ParameterError as error:
                    first = first or error
        if first is not None:
            raise first

    def __len__(self) -> int:
        return math.prod(map(len, self._axes))

    @property
    def _axes(self) -> tuple[Sequence[Any], ...]:
        """The lists of values whose combinations are the points; the policy changes fastest.

        Successive points then use the same requests, which are drawn only once.
        """
        first = (self.subjects, self.workloads, self.sample)
        return (*first, *self.over.values(), self.scales, self.schedulers)

    def point(self, number: int) -> Point:
        """Return the point with this number.

        Raises:
            ParameterError: The number is out of range.
        """
        check_whole("point", number, 0, len(self) - 1)
        subject, requests, changes, scale, scheduler = _combination(self._axes, [*self.over], number)
        seed = changes.pop("seed", None)
        return Point(number, subject, requests, changes, scheduler, scale, seed)

    def points(self) -> Iterator[Point]:
        """Yield all points in the order of their numbers."""
        return map(self.point, range(len(self)))

    @property
    def varied(self) -> list[str]:
        """The names of the coordinates that have several values in the study."""
        sampled = list(self.sample[0]) if len(self.sample) > 1 else []
        return sampled + [
            name for name, axis in self._named_axes() if axis is not self.sample and len(axis) > 1
        ]

    def _named_axes(self) -> Iterator[tuple[str, Sequence[Any]]]:
        """Yield the name and the values of each axis; the sets of `sample` are a single axis."""
        names = ("device", "workload", "sample", *self.over, "scale", "scheduler")
        return zip(names, self._axes, strict=True)

    @cached_property
    def policies(self) -> dict[str, str]:
        """Each policy of the study by its name, as text with all its options.

        Raises:
            ParameterError: A policy is unknown, or an option is wrong.
        """
        sampled = {one["scheduler"] for one in self.sample if "scheduler" in one}
        names = [*self.schedulers, *sorted(sampled - {*self.schedulers})]
        return {name: self.policy_in_full(name) for name in names}

    def policy_in_full(self, name: str) -> str:
        """Return the policy with this name as text with all its options.

        Raises:
            ParameterError: The policy is unknown, or an option is wrong.
        """
        if name not in self._in_full:
            self._in_full[name] = self._found_in_full(name)
        return self._in_full[name]

    @cached_property
    def _in_full(self) -> dict[str, str]:
        return {}

    def _found_in_full(self, name: str) -> str:
        first: Exception | None = None
        for subject in self.subjects:
            try:
                target = subject.with_changes({})
                return settings_of(target, name, 1.0, self.past_end, self.replay).scheduler_in_full
            except (_native.ParameterError, OSError) as error:
                first = first or error  # The policy may be for another device.
            except Exception:  # The custom policy is broken: its points report the error.
                return name
        assert first is not None, "there is a device"
        raise first

    @property
    def own_policies(self) -> list[str]:
        """The names of the policies written in Python; the keys of points do not cover their code."""
        names = {name: re.split(r"[:+]", name)[0] for name in self.policies}
        return [name for name, inner in names.items() if inner in REGISTERED]

    @property
    def policies_here(self) -> list[str]:
        """The policies written in Python whose code is neither in a file nor in an installed package.

        Other processes cannot load such a policy.
        """
        names = {name: re.split(r"[:+]", name)[0] for name in self.own_policies}
        return [name for name, inner in names.items() if inner not in SHARED]

    @property
    def most_replications(self) -> int:
        """The largest number of runs of a random workload at a point."""
        return self.replications << (0 if self.precision is None else DOUBLINGS)

    def measuring(self, requests: Requests, seed: int | None = None) -> dict[str, Any]:
        """Return the settings of the measurement that are part of a point's key.

        Args:
            requests: Workload or trace of the point.
            seed: Seed of the requests of the point; None takes the seed of the study.
        """
        how: dict[str, Any] = {} if self.kind == SWEEP else {"rows": self.kind}
        how["confidence"] = self.confidence
        if not requests.is_drawn:
            how["batches"] = BATCHES
            return how if seed is None else how | {"seed": seed}
        how |= {
            "seed": self.seed if seed is None else seed,
            "replications": self.replications,
            "warm_up": WARM_UP,
        }
        if self.precision is not None:
            how |= {"precision": self.precision, "judged": sorted(self.judged)}
        return how

    def requests_of(self, workload: Requests) -> int:
        """Return the number of requests of a workload without running it.

        Raises:
            ParameterError: The name of a workload, or an option of it, is wrong.
        """
        return len(workload.draw(self.subjects[0].with_changes({}), None, None, DrawnTraces()))

    def definition(self) -> dict[str, Any]:
        """Return the study as values for JSON, without the requests of traces."""
        return {
            "kind": self.kind,
            "subjects": [subject.definition() for subject in self.subjects],
            "workloads": [requests.definition() for requests in self.workloads],
            "over": {key: list(values) for key, values in self.over.items()},
            "order": list(self.over),
            "sample": [dict(one) for one in self.sample],
            **{name: list(getattr(self, name)) for name in _LISTS},
            **{name: getattr(self, name) for name in _PLAIN},
        }

    @classmethod
    def from_definition(cls, given: Mapping[str, Any]) -> "Study":
        """Build the study from a result of `definition`; its traces are read again.

        Raises:
            ParameterError: This version cannot build the study.
            TraceError: A trace has changed.
            OSError: A trace cannot be read.
        """
        subjects = [Subject.from_definition(one) for one in given["subjects"]]
        others: Any = {name: given.get(name) for name in (*_LISTS, *_PLAIN)}
        return cls(
            subjects,
            [Requests.from_definition(one, subjects[0]) for one in given["workloads"]],
            {key: given["over"][key] for key in given["order"]},
            sample=given["sample"],
            **others,
        )


def coordinates(definition: Mapping[str, Any], number: int) -> dict[str, Any]:
    """Return the coordinates of a point by name, from the definition of its study, which lists all values.

    Traces are not read.
    """
    subjects, workloads = ([one["name"] for one in definition[name]] for name in ("subjects", "workloads"))
    over = [definition["over"][key] for key in definition["order"]]
    axes = [subjects, workloads, definition["sample"], *over, definition["scales"], definition["schedulers"]]
    subject, requests, changes, scale, scheduler = _combination(axes, definition["order"], number)
    return {"device": subject, "workload": requests, **changes, "scale": scale, "scheduler": scheduler}


def _combination(
    axes: Sequence[Sequence[Any]], keys: Sequence[str], number: int
) -> tuple[Any, Any, dict[str, Any], float, str]:
    """Return device, workload, changes, scale and policy of a point, from the axes of its study."""
    chosen = []
    for axis in reversed(axes):
        number, at = divmod(number, len(axis))
        chosen.append(axis[at])
    scheduler, scale, *values, sampled, requests, subject = chosen
    changes = {**sampled, **dict(zip(keys, reversed(values), strict=True))}
    own = changes.pop("scale", scale), changes.pop("scheduler", scheduler)
    return subject, requests, changes, *own


#: Fields of a study's definition, its form for JSON: those that are lists, and those that are single values.
_LISTS = ("schedulers", "scales", "judged")
_PLAIN = ("replications", "count", "seed", "precision", "confidence", "past_end", "replay")
