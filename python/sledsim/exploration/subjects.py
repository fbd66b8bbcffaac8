"""What is simulated: devices and volumes that can be varied, under traces and workloads that are drawn."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .. import _native
from ..common.output_files import PathLike
from ..model.devices import Device, load_device
from ..model.volumes import Target, Volume, check_target, from_parameters, load_volume
from ..traces.digests import digest_of
from ..traces.generators import draw, given_options, is_generated
from ..traces.tools import select_devices
from ..traces.trace import Trace
from ..traces.trace_files import bundled_trace, bundled_traces, read_trace

#: So many bytes of drawn requests are kept, because the next point is likely to ask for them again.
_KEPT_BYTES = 64 << 20


@dataclass(frozen=True)
class Subject:
    """A device or volume, of which parameters can be changed.

    Attributes:
        name: As the user names it.
        parameters: Everything that it is, as `from_parameters` takes it.
        certain_in: In which range each of its parameters may be that is not certain: low, high, and whether
            equal ratios are as likely.
        settings: What was set of it by hand.
        state: Of a volume that a program has made what it was made from: its parameters, with policies only
            where members have their own, and the policy of the others.
        made_from: Of a volume what it was made from: its kind or file, and its settings.
    """

    name: str
    parameters: Mapping[str, Any]
    made_from: tuple[str, Mapping[str, Any]] | None = None
    certain_in: Mapping[str, tuple[float, float, bool]] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    state: tuple[Mapping[str, Any], str] | None = None

    @classmethod
    def of(cls, given: Target | PathLike, settings: Mapping[str, Any] | None = None) -> "Subject":
        """A device or volume as it is, or a device by its name or file, with settings."""
        if isinstance(given, Volume):
            return cls(given.name, given.parameters, state=given.state)
        if not isinstance(given, str | os.PathLike):
            check_target(given)
        name = os.fspath(given) if isinstance(given, str | os.PathLike) else given.name
        made = load_device(given, **(settings or {})) if isinstance(given, str | os.PathLike) else given
        ranges = {}
        if isinstance(made, Device):
            for key, said in made.certainty.items():
                if said["low"] is not None:
                    ranges[key] = (said["low"], said["high"], bool(said["log"]))
        return cls(name, made.parameters, None, ranges, dict(settings or {}))

    @classmethod
    def of_volume(cls, name_or_path: str, settings: Mapping[str, Any]) -> "Subject":
        """A kind of volume or a file of one, with settings."""
        made = load_volume(name_or_path, **settings)
        return cls(name_or_path, made.parameters, (name_or_path, dict(settings)), {}, dict(settings))

    def with_changes(self, changes: Mapping[str, Any]) -> Target:
        """The device or volume with some parameters changed.

        Raises:
            ParameterError: A key is unknown, a value is out of range, or there is no such device.
        """
        if self.made_from is not None:
            # Also without changes: one that is made from parameters keeps the policies that these name, and a
            # run's own is for devices that have none.
            name_or_path, settings = self.made_from
            return load_volume(name_or_path, **{**settings, **changes})
        if self.state is not None and not changes:
            return Volume.from_state(dict(self.state[0]), self.state[1])
        made = from_parameters(dict(self.parameters))
        if not changes:
            return made
        if not isinstance(made, Device):
            raise _native.ParameterError(
                f"{next(iter(changes))}: only devices, and volumes by name, are varied; found {self.name}"
            )
        return made.with_parameters(**changes)

    @property
    def nominal(self) -> dict[str, Any]:
        """The parameters of the device; of a volume those of the first of its members that has each."""
        if self.made_from is None:
            return dict(self.parameters)
        # Options of a volume are texts.
        found: dict[str, Any] = {
            key: int(value)
            for key, value in self.parameters.items()
            if isinstance(value, str) and value.isdecimal()
        }
        for members in self._roles().values():
            for member in members:
                found = {**member, **found}
        return found

    def ranges(self) -> dict[str, tuple[float, float, bool]]:
        """In which range each parameter of the device may be, as its file says, and whether in its logarithm.

        A volume has none of its own: its members are described by their parameters alone.
        """
        return dict(self.certain_in)

    def keys_of(self, names: Sequence[str]) -> dict[str, list[str]]:
        """By which keys `with_changes` changes each parameter: none where the device has none of that name.

        In a volume a parameter is an option of the volume itself, or that of all its members that have it;
        ``device.settle_ms`` is that of the members in one role. What has the name of the device or volume
        before it is that of no other one.
        """
        plain = {name: self.own_name(name) for name in names}
        keys = self._keys_of(list(plain.values()))
        return {name: keys[own] for name, own in plain.items()}

    def own_name(self, name: str) -> str:
        """A parameter without the name of this device or volume, if that stands before it."""
        return name.removeprefix(f"{self.name}.")

    def member_keys(self, name: str) -> list[str]:
        """By which keys `with_changes` changes a parameter of the members of a volume, not its options."""
        return [
            f"{role}.{name}"
            for role, members in self._roles().items()
            if any(name in member for member in members)
        ]

    def _keys_of(self, names: Sequence[str]) -> dict[str, list[str]]:
        if self.made_from is None:
            return {name: [name] if name in self.parameters else [] for name in names}
        roles = {role: set().union(*map(set, members)) for role, members in self._roles().items()}
        found = {name: self.member_keys(name) for name in names}
        for name in names:
            role, dot, key = name.partition(".")
            is_option = name in self.parameters and name not in roles
            if is_option or (dot and key in roles.get(role, ())):
                found[name] = [name]
        return found

    def _roles(self) -> dict[str, list[Mapping[str, Any]]]:
        """The devices in each role of a volume: what has a name of a device."""
        found: dict[str, list[Mapping[str, Any]]] = {}
        for role, members in self.parameters.items():
            listed = members if isinstance(members, list) else [members]
            devices: list[Mapping[str, Any]] = [
                one for one in listed if isinstance(one, dict) and "volume" not in one
            ]
            if devices:
                found[role] = devices
        return found

    def definition(self) -> dict[str, Any]:
        """The subject as JSON."""
        return {
            "name": self.name,
            "parameters": self.parameters,
            "made_from": self.made_from,
            "state": self.state,
        }

    @classmethod
    def from_definition(cls, given: Mapping[str, Any]) -> "Subject":
        """The subject that `definition` describes."""
        made_from, state = given.get("made_from"), given.get("state")
        return cls(
            given["name"],
            given["parameters"],
            made_from and (made_from[0], made_from[1]),
            state=state and (state[0], state[1]),
        )


def subjects_of(given: Any) -> list[Subject]:
    """The devices and volumes that are given, or the one."""
    is_one = isinstance(given, str | os.PathLike | Subject) or hasattr(given, "_native")
    if not is_one and not isinstance(given, Iterable):
        check_target(given)
    return [one if isinstance(one, Subject) else Subject.of(one) for one in ([given] if is_one else given)]


def subject_of(device: Target | PathLike | Subject, volume: str | None) -> Subject:
    """A device, or a volume by its kind or file where one is named."""
    if volume is not None:
        return Subject.of_volume(volume, {})
    return device if isinstance(device, Subject) else Subject.of(device)


def refuse_unknown_names(subjects: Sequence[Subject], key: str, values: Iterable[Any]) -> None:
    """Refuse a value of a parameter that is no name that any of the devices knows.

    Before a long run that is a slip of the pen. A name that is known and cannot be there is another matter:
    the points that have it say why.

    Raises:
        ParameterError: A value is such.
    """
    for value in values:
        found = [_refusal(subject, key, value) for subject in subjects] if isinstance(value, str) else []
        unknown = [one for one in found if isinstance(one, _native.UnknownNameError)]
        if unknown and len(unknown) == len(found):
            raise unknown[0]


def _refusal(subject: Subject, key: str, value: Any) -> _native.ParameterError | None:
    keys = subject.keys_of([key])[key] or [key]
    try:
        subject.with_changes(dict.fromkeys(keys, value))
    except _native.ParameterError as error:
        return error
    return None


@dataclass(frozen=True)
class Requests:
    """A workload: a trace, or the name of one that is drawn for each device and seed.

    Attributes:
        name: As the user names it.
        trace: The requests, where they are not drawn.
        digest: Of the requests, where they are not drawn.
        reading: How the file was read: format and mapping.
        part: The first of the requests, and the one behind the last, where these are a part of a trace.
        once: Whether a workload is drawn once for each device, with the seed that its name says or that the
            device has, and is replayed as a trace is.
    """

    name: str
    trace: Trace | None = None
    digest: str | None = None
    reading: Mapping[str, Any] = field(default_factory=dict)
    part: tuple[int, int] | None = None
    once: bool = False

    @classmethod
    def of(
        cls, given: Trace | str, reading: Mapping[str, Any] | None = None, once: bool = False
    ) -> "Requests":
        """A trace as it is, a bundled one, one in a file, or a workload to be drawn.

        Raises:
            ParameterError: A generator or an option is unknown, or a seed is given, which the sweep gives.
            TraceError: A file is no such trace, or the trace is empty.
            OSError: A file cannot be read.
        """
        if isinstance(given, str) and is_generated(given):
            if once:
                return cls(given, once=True)
            if "seed" in given_options(given):
                raise _native.ParameterError(f"{given}: key 'seed' is not for a sweep, which gives the seeds")
            return cls(given)
        how = {key: value for key, value in (reading or {}).items() if value}
        chosen = {key: value for key, value in how.items() if key == "traced_devices"}
        if isinstance(given, Trace):
            trace = given
        elif given in bundled_traces():
            trace, how = bundled_trace(given), chosen
        else:
            trace = read_trace(given, **{key: value for key, value in how.items() if key not in chosen})
        trace = select_devices(trace, chosen.get("traced_devices")).transfers()
        if not len(trace):
            raise _native.TraceError(f"{trace.source}: expected at least one read or write, found none")
        name = given if isinstance(given, str) else trace.source
        return cls(name, trace, digest_of(trace), how)

    @property
    def is_drawn(self) -> bool:
        """Whether other seeds give other requests."""
        return self.trace is None and not self.once

    def cut(self, first: int, end: int) -> "Requests":
        """A part of a trace, from a request on until before another one; the first comes at time 0."""
        assert self.trace is not None, "what is drawn has seeds instead"
        rows = self.trace.rows(slice(first, end))
        rows = replace(rows, arrival_ns=rows.arrival_ns - rows.arrival_ns.min())
        begin = 0 if self.part is None else self.part[0]
        return replace(self, trace=rows, digest=digest_of(rows), part=(begin + first, begin + end))

    def draw(self, target: Target, count: int | None, seed: int | None, drawn: "DrawnTraces") -> Trace:
        """The requests of one replication on a device; without a seed they have that of the name."""
        if self.trace is not None:
            return self.trace
        return drawn.draw(self.name if seed is None else _text(self.name, count, seed), target)

    def content(self, count: int | None) -> dict[str, Any]:
        """What the requests depend on, besides device and seed."""
        if self.digest is not None:
            return {"trace": self.digest}
        options = given_options(self.name)
        generator = _native.row_name("workloads", self.name.partition(":")[0])
        return {"generator": generator, "options": options | ({} if count is None else {"count": str(count)})}

    def definition(self) -> dict[str, Any]:
        """The workload as JSON, without the requests of a trace."""
        found: dict[str, Any] = {"name": self.name, "digest": self.digest, "reading": dict(self.reading)}
        found |= {} if self.part is None else {"part": list(self.part)}
        return found | ({"once": True} if self.once else {})

    @classmethod
    def from_definition(cls, given: Mapping[str, Any], subject: Subject) -> "Requests":
        """The workload that `definition` describes; a trace is read again, or drawn again for a device.

        Raises:
            TraceError: The file is not the one it was.
            OSError: It cannot be read.
        """
        name = given["name"]
        if given.get("digest") is None:
            return cls(name, once=given.get("once", False))
        try:
            drawn = draw(name, subject.with_changes({})) if is_generated(name) else name
            found = cls.of(drawn, given["reading"])
        except FileNotFoundError:
            raise _native.TraceError(
                f"{name}: expected the trace of the study, found no such file from here: its name is"
                " as it was given where the study was started, or it was made by a program"
            ) from None
        if "part" in given:
            found = found.cut(*given["part"])
        if found.digest != given["digest"]:
            made = ", which was made by a program out of that" if is_generated(name) else ""
            raise _native.TraceError(f"{name}: expected the trace of the study{made}, found another one")
        return found


class DrawnTraces:
    """Requests that have been drawn, the last ones first: they depend on the capacity, not on the device."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, int], Trace] = {}

    def draw(self, text: str, target: Target) -> Trace:
        """The requests of a workload with a seed."""
        key = text, _native.sectors(target._native)
        # Taken out and put in again, it is the last to go.
        found = self._kept.pop(key, None) or draw(text, target)
        self._kept[key] = found
        while len(self._kept) > 1 and sum(map(_bytes, self._kept.values())) > _KEPT_BYTES:
            del self._kept[next(iter(self._kept))]
        return found


def _text(name: str, count: int | None, seed: int) -> str:
    given = [name.rstrip(":,")] if name.endswith(":") else [name]
    more = ([] if count is None else [f"count={count}"]) + [f"seed={seed}"]
    joined = ":" if ":" not in given[0] else ","
    return f"{given[0]}{joined}{','.join(more)}"


def _bytes(trace: Trace) -> int:
    return sum(column.nbytes for column in trace.columns().values())
