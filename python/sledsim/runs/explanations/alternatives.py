"""Response times of requests if one thing were different: the policy, the layout or a parameter.

Each alternative is a separate run with the same arrivals, up to the completion of the explained requests.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ... import _native
from ...model.catalogue import devices
from ...model.core_tables import table
from ...model.devices import load_device
from ...model.scheduling import REGISTERED
from ...model.volumes import from_parameters
from ..run_settings import RunSettings
from ..workers import Workers
from .repeating import Requests

#: Kinds of changes to try, with their meanings.
KINDS: Mapping[str, str] = {
    "policy": "another policy for the devices",
    "layout": "another layout of the sled's medium",
    "parameter": "one parameter of the device at an end of its range, or 10 % lower and higher",
}
#: Relative change of a parameter that has no range: 10 %.
_PART = 0.1
#: Endings of parameters that do not affect times, and are therefore not changed.
_NO_TIME = ("_power_mw", "_energy_mj", "description", "name")


@dataclass(frozen=True)
class Alternative:
    """Response time of a request if one thing were different.

    Attributes:
        kind: Kind of the change, a key of `KINDS`.
        name: Name of the other policy or layout, or of the changed parameter. In a volume, a layout or
            parameter follows the role of the members, as in ``disk.rotation_rpm``.
        value: Other value of the parameter; None if the change is a policy or layout.
        response_ns: Response time of the request after the change, in nanoseconds.
    """

    kind: str
    name: str
    value: float | int | None
    response_ns: int


@dataclass(frozen=True)
class Impossible:
    """A change that cannot be tried, as it needs further changes.

    Attributes:
        kind: Kind of the change, a key of `KINDS`.
        name: Name of the other policy or layout, or of the changed parameter.
        value: Other value of the parameter; None if the change is a policy or layout.
        error: Reason why the change cannot be tried.
    """

    kind: str
    name: str
    value: float | int | None
    error: str


class _Case(NamedTuple):
    """A change to try, with all parameters and the policy of the run that tries it."""

    kind: str
    name: str
    value: float | int | None
    parameters: Mapping[str, Any]
    scheduler: str


def alternatives(
    settings: RunSettings,
    requests: Requests,
    arrivals_ns: Mapping[int, int],
    kinds: Sequence[str],
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> dict[int, list[Alternative | Impossible]]:
    """Run all requests once per change, and return the response times of the requests to explain.

    Args:
        settings: Settings of the run.
        requests: All requests of the run.
        arrivals_ns: Arrival, in nanoseconds, of each request to explain, by number of the request.
        kinds: Kinds of changes, keys of `KINDS`.
        workers: Number of threads for the runs; None uses one thread per processor.
        progress: Callback for the number of finished runs.
    """
    cases = list(_cases(settings, kinds))

    def answers(case: _Case) -> list[Alternative | Impossible]:
        return _answers(case, requests, arrivals_ns)

    with Workers(workers, progress) as pool:
        found = pool.map_work(answers, cases)
    return {row: [those[at] for those in found] for at, row in enumerate(arrivals_ns)}


def count_of(settings: RunSettings, kinds: Sequence[str]) -> int:
    """Return the number of changes, and thus of runs, that these kinds of changes need."""
    return sum(1 for _ in _cases(settings, kinds))


def _answers(
    case: _Case, requests: Requests, arrivals_ns: Mapping[int, int]
) -> list[Alternative | Impossible]:
    about = (case.kind, case.name, case.value)
    try:
        target = from_parameters(dict(case.parameters))
        ends, _ = requests.run_until(target, case.scheduler, list(arrivals_ns))
    except (_native.ParameterError, _native.TraceError) as error:
        return [Impossible(*about, str(error)) for _ in arrivals_ns]
    return [Alternative(*about, ends[row] - arrival_ns) for row, arrival_ns in arrivals_ns.items()]


def _cases(settings: RunSettings, kinds: Sequence[str]) -> Iterator[_Case]:
    parameters, scheduler = settings.parameters, settings.scheduler_in_full
    if "policy" in kinds:
        for name in table("schedulers"):
            # A custom policy may take unlimited time.
            if name != settings.scheduler and name not in REGISTERED:
                yield _Case("policy", name, None, _under(parameters, scheduler, name), name)
    for place in _sleds(parameters) if "layout" in kinds else ():
        own = _at(parameters, place)
        for name in table("layouts"):
            # The layout by popularity needs a table of popular extents.
            if name != own["layout"] and name != "by-popularity":
                without = dict.fromkeys(table("layouts")[own["layout"]].keys)
                changed = _changed(parameters, place, {**without, "layout": name})
                yield _Case("layout", _named(place, name), None, changed, scheduler)
    for place in _devices(parameters) if "parameter" in kinds else ():
        for key, value in _values(_at(parameters, place)):
            changed = _changed(parameters, place, {key: value})
            yield _Case("parameter", _named(place, key), value, changed, scheduler)


#: Roles that lead to a device within a volume, from the outermost volume inwards.
_Place = tuple[str, ...]


def _roles(parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the members of a volume by role: parameters of one member, or a list for several members."""
    if "volume" not in parameters:
        return {}
    return {role: those for role, those in parameters.items() if isinstance(those, Mapping | list)}


def _each(members: Any, change: Callable[[Mapping[str, Any]], dict[str, Any]]) -> Any:
    """Apply `change` to the parameters of one member, or to those of each member in a list."""
    return change(members) if isinstance(members, Mapping) else [change(one) for one in members]


def _devices(parameters: Mapping[str, Any]) -> Iterator[_Place]:
    """Yield for each device of a volume the roles that lead to it; members of equal role share these."""
    if "volume" not in parameters:
        yield ()
    for role in _roles(parameters):
        for place in _devices(_at(parameters, (role,))):
            yield (role, *place)


def _sleds(parameters: Mapping[str, Any]) -> Iterable[_Place]:
    return (place for place in _devices(parameters) if "layout" in _at(parameters, place))


def _under(parameters: Mapping[str, Any], own: str, policy: str) -> dict[str, Any]:
    """Return parameters of a volume in which `policy` stands wherever the policy of the run stood.

    A device of the volume whose policy differs from `own`, the policy of the run, keeps its policy.
    """
    roles = _roles(parameters)
    changed = {role: _each(those, lambda one: _under(one, own, policy)) for role, those in roles.items()}
    if parameters.get("scheduler") == own:
        changed["scheduler"] = policy
    return {**parameters, **changed}


def _at(parameters: Mapping[str, Any], place: _Place) -> Mapping[str, Any]:
    """Return the parameters of the first device to which the roles `place` lead."""
    for role in place:
        members = parameters[role]
        parameters = members if isinstance(members, Mapping) else members[0]
    return parameters


def _changed(parameters: Mapping[str, Any], place: _Place, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters with `changes` in every device to which `place` leads; None removes a parameter."""
    if not place:
        changed = {**parameters, **changes}
        return {key: value for key, value in changed.items() if value is not None}
    role, *below = place
    return {
        **parameters,
        role: _each(parameters[role], lambda one: _changed(one, tuple(below), changes)),
    }


def _named(place: _Place, name: str) -> str:
    return ".".join((*place, name))


def _values(parameters: Mapping[str, Any]) -> Iterator[tuple[str, float | int]]:
    """Yield each numeric parameter with two other values: the ends of its range, or 10 % less and more."""
    certainty = _certainty(parameters)
    for key, value in parameters.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or key.endswith(_NO_TIME):
            continue
        known = certainty.get(key, {})
        if known.get("low") is not None:
            ends = (known["low"], known["high"])
        elif isinstance(value, int):
            step = max(1, round(abs(value) * _PART))
            ends = (value - step, value + step)
        else:
            ends = (value * (1 - _PART), value * (1 + _PART))
        yield from ((key, end) for end in ends if end != value)


def _certainty(parameters: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    """Return the ranges of parameters that a built-in device states, if their values are unchanged."""
    if parameters["name"] not in devices():
        return {}
    built_in = load_device(parameters["name"])
    own = built_in.parameters
    return {key: one for key, one in built_in.certainty.items() if own.get(key) == parameters.get(key)}


def check_kinds(kinds: Iterable[str]) -> tuple[str, ...]:
    """Check kinds of changes to try, and return them in the order of `KINDS`.

    Raises:
        ParameterError: A kind is unknown.
    """
    asked = [kinds] if isinstance(kinds, str) else list(kinds)
    for kind in asked:
        if kind not in KINDS:
            raise _native.ParameterError(f"what_if: expected some of {', '.join(KINDS)}, found {kind!r}")
    return tuple(kind for kind in KINDS if kind in asked)
