"""Subjects of simulations: devices and volumes with variable parameters, traces and random workloads."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .. import _native
from ..common.output_files import PathLike
from ..model.devices import Device, load_device
from ..model.volumes import Target, Volume, check_target, from_parameters, load_volume
from ..traces.digests import digest_of
from ..traces.evidence import doubts
from ..traces.generators import draw, given_options, is_generated
from ..traces.tools import select_devices
from ..traces.trace import Trace
from ..traces.trace_files import bundled_trace, bundled_traces, read_trace

#: Largest memory for requests that are kept, in bytes, because the next points often need the same requests.
_KEPT_BYTES = 64 << 20


@dataclass(frozen=True)
class Subject:
    """A device or volume whose parameters can be changed.

    Attributes:
        name: Name that the user gave.
        parameters: All parameters, in the form that `from_parameters` takes.
        made_from: Kind of volume (or file of a volume) and settings from which the volume was built; None for
            a device, or for a volume that a program built.
        certain_in: Range of each uncertain parameter by key: lowest value, highest value, and True if the
            range is logarithmic (equal ratios are equally likely).
        settings: Parameters that the user set, with their values.
        state: State of a volume that a program built: its parameters, with the policy of each member that has
            its own, and the policy of all other members; None for other subjects.
    """

    name: str
    parameters: Mapping[str, Any]
    made_from: tuple[str, Mapping[str, Any]] | None = None
    certain_in: Mapping[str, tuple[float, float, bool]] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    state: tuple[Mapping[str, Any], str] | None = None

    @classmethod
    def of(cls, given: Target | PathLike, settings: Mapping[str, Any] | None = None) -> "Subject":
        """Build a subject from a device or volume, or from the name or file of a device with settings."""
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
        """Build a subject from a kind of volume, or from the file of a volume, with settings."""
        made = load_volume(name_or_path, **settings)
        return cls(name_or_path, made.parameters, (name_or_path, dict(settings)), {}, dict(settings))

    def with_changes(self, changes: Mapping[str, Any]) -> Target:
        """Return the device or volume with some parameters changed.

        Raises:
            ParameterError: A key is unknown, a value is out of range, or such a device is impossible.
        """
        if self.made_from is not None:
            # Without changes, too, the volume is loaded: if built from parameters, it would keep their
            # policies, but the policy of a run is for members without their own.
            name_or_path, settings = self.made_from
            return load_volume(name_or_path, **{**settings, **changes})
        if self.state is not None and not changes:
            return Volume.from_state(dict(self.state[0]), self.state[1])
        made = from_parameters(dict(self.parameters))
        if not changes:
            return made
        if not isinstance(made, Device):
            raise _native.ParameterError(
                f"{next(iter(changes))}: expected a device, or a volume by kind or file, found {self.name}"
            )
        return made.with_parameters(**changes)

    @property
    def nominal(self) -> dict[str, Any]:
        """The parameters and their values; for a volume, those of the first member that has them."""
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
        """Return the range of each uncertain parameter, as the file of the device states it (`certain_in`).

        A volume has no ranges: it describes its members by their parameters alone.
        """
        return dict(self.certain_in)

    def keys_of(self, names: Sequence[str]) -> dict[str, list[str]]:
        """Return, for each parameter name, the keys of `with_changes` that set it; empty if it is unknown.

        In a volume, a name such as ``settle_ms`` means an option of the volume itself, or else the parameter
        of all members that have it. ``device.settle_ms`` means the parameter of the members in the role
        ``device``. A name with the name of the device or volume as a prefix belongs to no other subject.
        """
        plain = {name: self.own_name(name) for name in names}
        keys = self._keys_of(list(plain.values()))
        return {name: keys[own] for name, own in plain.items()}

    def own_name(self, name: str) -> str:
        """Return the name of a parameter; a prefix with the name of this device or volume is removed."""
        return name.removeprefix(f"{self.name}.")

    def member_keys(self, name: str) -> list[str]:
        """Return the keys of `with_changes` that set a parameter of all members of a volume: one per role."""
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
        """Return the parameters of the member devices of a volume, as a list for each role."""
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
        """Return the subject as values for JSON."""
        return {
            "name": self.name,
            "parameters": self.parameters,
            "made_from": self.made_from,
            "state": self.state,
        }

    @classmethod
    def from_definition(cls, given: Mapping[str, Any]) -> "Subject":
        """Build the subject from a result of `definition`."""
        made_from, state = given.get("made_from"), given.get("state")
        return cls(
            given["name"],
            given["parameters"],
            made_from and (made_from[0], made_from[1]),
            state=state and (state[0], state[1]),
        )


def subjects_of(given: Any) -> list[Subject]:
    """Return one or several devices, volumes or names of devices as subjects."""
    is_one = isinstance(given, str | os.PathLike | Subject) or hasattr(given, "_native")
    if not is_one and not isinstance(given, Iterable):
        check_target(given)
    return [one if isinstance(one, Subject) else Subject.of(one) for one in ([given] if is_one else given)]


def subject_of(device: Target | PathLike | Subject, volume: str | None) -> Subject:
    """Return the subject for a kind or file of a volume, or for `device` if `volume` is None."""
    if volume is not None:
        return Subject.of_volume(volume, {})
    return device if isinstance(device, Subject) else Subject.of(device)


def refuse_unknown_names(subjects: Sequence[Subject], key: str, values: Iterable[Any]) -> None:
    """Raise an error if a value of a parameter is a name that none of the devices knows.

    The name is probably misspelt, which should be found before a long run. A known name that is impossible
    for a device is accepted: the rows of its points report the reason.

    Raises:
        ParameterError: A value is a name that no device knows.
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
    """A workload: a trace, or the name of a workload that is drawn for each device and seed.

    Attributes:
        name: Name that the user gave.
        trace: The trace; None if the requests are drawn.
        digest: Digest of the requests; None if they are drawn.
        reading: Trace format and other options with which the file was read.
        part: Range of requests if the workload is a part of a trace: number of its first request, and number
            of the first request after it. None for a whole trace.
        once: True to draw the requests once per device, and then replay them like a trace. The seed is that
            of the device, or the one in the workload's name.
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
        """Build a workload from a trace, the name of a bundled trace, a trace file, or a random workload.

        Raises:
            ParameterError: A workload or an option is unknown, or a seed is given although the sweep sets it.
            TraceError: A file is not a trace in the given format, or the trace is empty.
            OSError: A file cannot be read.
        """
        if isinstance(given, str) and is_generated(given):
            if once:
                return cls(given, once=True)
            if "seed" in given_options(given):
                raise _native.ParameterError(f"{given}: expected no key 'seed', as a sweep sets the seeds")
            return cls(given)
        how = {key: value for key, value in (reading or {}).items() if value}
        chosen = {key: value for key, value in how.items() if key == "traced_devices"}
        if isinstance(given, Trace):
            trace = given
        elif given in bundled_traces():
            trace, how = bundled_trace(given), chosen
        else:
            trace = read_trace(given, **{key: value for key, value in how.items() if key not in chosen})
        trace = select_devices(trace, chosen.get("traced_devices")).replayed()
        if not len(trace.transfers()):
            raise _native.TraceError(f"{trace.source}: expected at least one read or write, found none")
        name = given if isinstance(given, str) else trace.source
        return cls(name, trace, digest_of(trace), how)

    @property
    def is_drawn(self) -> bool:
        """True if other seeds give other requests."""
        return self.trace is None and not self.once

    def cut(self, first: int, end: int) -> "Requests":
        """Return requests `first` to `end` - 1 of a trace; the first of these arrives at time 0."""
        assert self.trace is not None, "drawn requests have seeds instead"
        rows = self.trace.rows(slice(first, end))
        rows = replace(rows, arrival_ns=rows.arrival_ns - rows.arrival_ns.min())
        begin = 0 if self.part is None else self.part[0]
        return replace(self, trace=rows, digest=digest_of(rows), part=(begin + first, begin + end))

    def draw(self, target: Target, count: int | None, seed: int | None, drawn: "DrawnTraces") -> Trace:
        """Return the requests of one replication on a device.

        `seed` None takes the seed in the name of the workload.
        """
        if self.trace is not None:
            return self.trace
        return drawn.draw(self.name if seed is None else _text(self.name, count, seed), target)

    def content(self, count: int | None) -> dict[str, Any]:
        """Return all that determines the requests, apart from the device and the seed."""
        if self.digest is not None:
            return {"trace": self.digest}
        options = given_options(self.name)
        generator = _native.row_name("workloads", self.name.partition(":")[0])
        return {"generator": generator, "options": options | ({} if count is None else {"count": str(count)})}

    def told(self) -> dict[str, list[str]]:
        """Return the doubts about a recording as the column ``doubts`` of its rows; empty without doubts."""
        found = doubts(() if self.trace is None else self.trace.evidence)
        return {"doubts": [*found]} if found else {}

    def definition(self) -> dict[str, Any]:
        """Return the workload as values for JSON, without the requests of a trace."""
        found: dict[str, Any] = {"name": self.name, "digest": self.digest, "reading": dict(self.reading)}
        found |= {} if self.part is None else {"part": list(self.part)}
        return found | ({"once": True} if self.once else {})

    @classmethod
    def from_definition(cls, given: Mapping[str, Any], subject: Subject) -> "Requests":
        """Build the workload from a result of `definition`; a trace is read again from its file.

        A trace that was drawn from a workload is drawn again for `subject`.

        Raises:
            TraceError: The trace file is missing, or the trace has changed.
            OSError: The file cannot be read.
        """
        name = given["name"]
        if given.get("digest") is None:
            return cls(name, once=given.get("once", False))
        try:
            drawn = draw(name, subject.with_changes({})) if is_generated(name) else name
            found = cls.of(drawn, given["reading"])
        except FileNotFoundError:
            raise _native.TraceError(
                f"{name}: expected the trace of the study, found no such file: run from the"
                " folder in which the study was started; traces made by a program cannot be read again"
            ) from None
        if "part" in given:
            found = found.cut(*given["part"])
        if found.digest != given["digest"]:
            made = ", which a program made from this trace" if is_generated(name) else ""
            raise _native.TraceError(f"{name}: expected the trace of the study{made}, found a different one")
        return found


class DrawnTraces:
    """A store of recently drawn requests, which devices of equal capacity share."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, int], Trace] = {}

    def draw(self, text: str, target: Target) -> Trace:
        """Return the requests of a workload on a device; `text` is its name, with the seed."""
        key = text, _native.sectors(target._native)
        # A trace that is taken out and put in again becomes the last one to be dropped.
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
