"""Perturbations: deliberately wrong models on which experiments are repeated, to see if verdicts change.

Experiments build their devices, volumes, requests, runs and curves with the functions of this module. While a
perturbation is in force in a process, these functions change every sled or every disk, replace policies, or
set options of workloads. Flash cards are never changed.
"""

import dataclasses
from collections.abc import Callable, Mapping, Sequence, Set
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import sledsim
from sledsim import Device, Run, Trace, Volume
from sledsim.commands import default_of, given_options, row_name
from sledsim.extend import Target
from sledsim.files import toml
from sledsim.listings import workload_options
from sledsim.options import CurveOptions
from sledsim.pages import clipped
from sledsim.results import Curves

#: Function that takes the parameters of a device and returns those that change, with their new values.
_Change = Callable[[Mapping[str, Any]], dict[str, Any]]


def _nothing(_: Mapping[str, Any]) -> dict[str, Any]:
    return {}


@dataclass(frozen=True, eq=False, repr=False)
class Perturbation:
    """A wrong model: a change of devices, policies or workloads with which experiments are repeated.

    Attributes:
        name: Name of the perturbation in tables.
        meaning: Description of the change.
        change: Function that takes all parameters of a device of `kind`, and returns the changed ones with
            new values.
        kind: Kind of device that the perturbation changes, such as ``mems`` or ``disk``.
        policies: Policy to run instead, with its options, by the name of the policy that it replaces.
        options: Options to set on random workloads, by the name of their generator.
    """

    name: str
    meaning: str
    change: _Change = _nothing
    kind: str = "mems"
    policies: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<sledsim.papers.Perturbation {clipped(self.name)}: {clipped(self.meaning, 100)}>"

    def changes(self, asked: Set[str]) -> bool:
        """True if the perturbation changes a kind of device, a policy or a generator that `asked` names."""
        touched = {*self.policies, *self.options} | ({self.kind} if self.change is not _nothing else set())
        return not asked.isdisjoint(touched)

    def of(self, device: Mapping[str, Any]) -> dict[str, Any]:
        """Return the changed parameters of a device, with new values; empty for a device of another kind."""
        # Parameters of a sled do not name their kind.
        return self.change(device) if device.get("kind", "mems") == self.kind else {}


def _scaled(factors: Mapping[str, float], device: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that `factors` names, multiplied by its factors; skip those of other devices."""
    found = {key: device[key] * factor for key, factor in factors.items() if key in device}
    # Integer parameters are rounded, so that they stay integers.
    return {key: round(value) if isinstance(device[key], int) else value for key, value in found.items()}


def _set(settings: Mapping[str, Any], _: Mapping[str, Any]) -> dict[str, Any]:
    return dict(settings)


def _half_the_tips(sled: Mapping[str, Any]) -> dict[str, Any]:
    """Return half the number of active tips, as the parameter (`format` or `active_tips`) that sets it."""
    if "format" not in sled:
        return {"active_tips": sled["active_tips"] // 2}
    active, rest = sled["format"].split("x", 1)
    return {"format": f"{int(active) // 2}x{rest}"}


def _more_overhead(sled: Mapping[str, Any]) -> dict[str, Any]:
    """Return five more overhead bits per tip sector, as the parameter that the device has for these bits."""
    key = "subsector_overhead_bits" if "format" in sled else "servo_bits"
    return {key: sled[key] + 5}


def _quick_disk(disk: Mapping[str, Any]) -> dict[str, Any]:
    """Return a disk's parameters with all times divided by 15; it is then faster than a sled (001-C30)."""
    times = {key: value / 15 for key, value in disk.items() if key.endswith(("_ms", "_ms_per_block"))}
    curves = {
        key: [[start, *(term / 15 for term in terms)] for start, *terms in disk[key]]
        for key in ("seek_curve", "seek_formula")
        if key in disk
    }
    return times | curves | {"rotation_rpm": disk["rotation_rpm"] * 15}


def _quick_seeks(disk: Mapping[str, Any]) -> dict[str, Any]:
    return {"seek_curve": [[cylinders, ms / 4] for cylinders, ms in disk["seek_curve"]]}


#: Functions that change a device, by name of the perturbation, for changes other than factors or fixed
#: values.
_CHANGES: Mapping[str, _Change] = {
    "half-the-tips": _half_the_tips,
    "overhead-bits-5": _more_overhead,
    "disk-15": _quick_disk,
    "disk-seeks-0.25": _quick_seeks,
}


def _listed(
    name: str,
    meaning: str,
    times: Mapping[str, float] | None = None,
    sets: Mapping[str, Any] | None = None,
    **of: Any,
) -> Perturbation:
    change = (
        partial(_scaled, times) if times else partial(_set, sets) if sets else _CHANGES.get(name, _nothing)
    )
    return Perturbation(name, meaning, change, **of)


_FILE = Path(__file__).with_suffix(".toml")
#: Wrong models that ``perturbations.toml`` lists; each is wrong in one way.
PERTURBATIONS = tuple(_listed(name, **row) for name, row in toml.loads(_FILE.read_text("utf-8")).items())
#: Perturbation that is in force in this process; None for the unchanged models.
_IN_FORCE: ContextVar[Perturbation | None] = ContextVar("perturbation", default=None)
#: Kinds of devices, policies and generators that experiments of this process have used.
_ASKED: set[str] = set()


def enforce(perturbation: Perturbation | None) -> None:
    """Put a perturbation in force for all experiments that this process runs from now on; None ends it.

    Results that the process has computed before stay cached, so the caller starts a fresh process.
    """
    _IN_FORCE.set(perturbation)


def in_force() -> Perturbation | None:
    """Return the perturbation in force in this process; None for the unchanged models."""
    return _IN_FORCE.get()


def asked() -> frozenset[str]:
    """Return the kinds of devices, policies and generators that experiments of this process have used."""
    return frozenset(_ASKED)


def own_perturbation(
    settings: Mapping[str, Any], policies: Mapping[str, str], options: Mapping[str, Mapping[str, Any]]
) -> Perturbation:
    """Build a perturbation from parameters, policies and options that a user gives.

    Args:
        settings: Values of parameters to set on every sled, by parameter.
        policies: Policy to run instead, by the policy that it replaces.
        options: Options to set on random workloads, by the name of their generator.

    Raises:
        ParameterError: A name or a value is wrong, or no built-in sled accepts all parameters together.
    """
    policies = {_policy_name(name): _policy_name(other) for name, other in policies.items()}
    for other in policies.values():
        _check_policy(other)
    options = {row_name("workloads", name): _checked(name, given) for name, given in options.items()}
    if settings:
        _check(settings)
    words = [
        *(f"{key}={value}" for key, value in settings.items()),
        *(f"{other} for {name}" for name, other in policies.items()),
        *(f"{name}:{key}={value}" for name, given in options.items() for key, value in given.items()),
    ]
    change = partial(_set, settings) if settings else _nothing
    return Perturbation("own", ", ".join(words), change, policies=policies, options=options)


def _policy_name(text: str) -> str:
    """Return a policy with its name spelled as in the table of policies, and its options unchanged."""
    base = text.partition(":")[0].split("+")[0]
    return row_name("schedulers", base) + text[len(base) :]


def _check_policy(name: str) -> None:
    """Check a policy with its options by running one request under it; wrong options raise an error."""
    target = sledsim.device("mascots03-zones")
    sledsim.simulate(target, sledsim.workload("random", target, rate=1, count=1), name)


def _checked(name: str, given: Mapping[str, Any]) -> dict[str, str]:
    """Return the options `given` of a generator by their usual names, after a check: draw 8 requests."""
    generator = row_name("workloads", name)
    text = ",".join(f"{key}={value}" for key, value in given.items())
    found = given_options(f"{generator}:{text}")
    # Some generators have no default rate; they need a rate unless all requests arrive at once.
    has_rate = workload_options(generator)["rate"][0] or found.get("arrivals") == "asap"
    needed = {} if has_rate else {"rate": "1"}
    sledsim.workload(generator, sledsim.device("atlas10k"), **{**needed, "count": "8", **found})
    return found


def _check(settings: Mapping[str, Any]) -> None:
    """Check that at least one built-in sled accepts `settings`; else raise the error of the first sled."""
    errors = []
    for name in sledsim.devices("mems"):
        try:
            sledsim.device(name, **settings)
        except sledsim.ParameterError as error:
            errors.append(error)
        else:
            return
    raise errors[0]


def device(name: str, **overrides: Any) -> Device:
    """Build a device as `sledsim.device` does, changed by the perturbation in force."""
    made, now = sledsim.device(name, **overrides), _IN_FORCE.get()
    _ASKED.add(made.kind)
    if now is None or made.kind != now.kind:
        return made
    return made.with_parameters(**now.of(made.parameters))


def volume(kind: str, scheduler: str | None = None, **settings: Any) -> Volume:
    """Build a volume as `sledsim.volume` does, with its members changed by the perturbation in force."""
    made, now = sledsim.volume(kind, scheduler, **settings), _IN_FORCE.get()
    _note(made.parameters)
    return made if now is None else Volume.from_parameters(_changed(made.parameters, now))


def _note(part: Any) -> None:
    """Add kinds of devices and policies, as the parameters of a volume state them, to `_ASKED`."""
    if isinstance(part, list):
        for one in part:
            _note(one)
    if isinstance(part, dict):
        for one in part.values():
            _note(one)
        if "scheduler" in part:
            _policy(part["scheduler"])
        if is_device := _kind(part):
            _ASKED.add(is_device)


def _kind(part: Mapping[str, Any]) -> str:
    """Return the kind of device, "mems" or "disk", whose parameters `part` holds; empty for other parts."""
    return "mems" if "acceleration_m_per_s2" in part else "disk" if "rotation_rpm" in part else ""


def _changed(part: Any, now: Perturbation) -> Any:
    """Return a volume's parameters with the changes of the perturbation `now` to devices and policies."""
    if isinstance(part, list):
        return [_changed(one, now) for one in part]
    if not isinstance(part, dict):
        return part
    changed = {key: _changed(value, now) for key, value in part.items()}
    if "scheduler" in changed:
        changed["scheduler"] = _policy(changed["scheduler"])
    return changed | now.of(part) if _kind(part) == now.kind else changed


def workload(name: str, target: Target, **options: Any) -> Trace:
    """Draw requests as `sledsim.workload` does, with the options of the perturbation in force."""
    generator, now = name.partition(":")[0], _IN_FORCE.get()
    _ASKED.add(generator)
    given = given_options(name) if ":" in name else {}
    changed = {} if now is None else now.options.get(generator, {})
    return sledsim.workload(generator, target, **{**given, **options, **changed})


def random_workload(target: Target, *, rate_per_s: float, count: int, seed: int = 1) -> Trace:
    """Draw requests as `sledsim.random_workload` does, with the options of the perturbation in force."""
    return workload("random", target, rate=rate_per_s, count=count, seed=seed)


def simulate(target: Target, trace: Any, scheduler: str, *settings: Any, **named: Any) -> Run:
    """Simulate as `sledsim.simulate` does, but under the replacement of a replaced policy."""
    return sledsim.simulate(target, trace, _policy(scheduler), *settings, **named)


def response_curves(
    target: Any, schedulers: Sequence[str], rates: Sequence[float], **settings: Any
) -> Curves:
    """Compute response curves as `sledsim` does; curves of a replacement have the replaced policy's name."""
    now, count = _IN_FORCE.get(), settings.get("count", default_of(CurveOptions, "count"))
    if "draw" not in settings:
        _ASKED.add("random")
        if now is not None and "random" in now.options:
            settings["draw"] = lambda model, rate_per_s, seed: random_workload(
                model, rate_per_s=rate_per_s, count=count, seed=seed
            )
    return _as_asked(sledsim.response_curves(target, _policies(schedulers), rates, **settings), schedulers)


def trace_curves(
    target: Any, trace: Any, schedulers: Sequence[str], scales: Sequence[float], **settings: Any
) -> Curves:
    """Compute trace curves as `sledsim` does; curves of a replacement have the replaced policy's name."""
    return _as_asked(
        sledsim.trace_curves(target, trace, _policies(schedulers), scales, **settings), schedulers
    )


def _policies(names: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(_policy(name) for name in names))


def _policy(name: str) -> str:
    """Return the policy to run for `name`: its replacement by full name, else by bare name, else itself."""
    now, base = _IN_FORCE.get(), name.partition(":")[0]
    _ASKED.add(base)
    return name if now is None else now.policies.get(name, now.policies.get(base, name))


def _as_asked(curves: Curves, asked: Sequence[str]) -> Curves:
    """Return curves in which each replacement has the name of the policy in `asked` that it replaces."""
    if _policies(asked) == list(asked):
        return curves
    points = [
        dataclasses.replace(point, scheduler=name)
        for load in curves.loads
        for name in asked
        if (point := curves.point(_policy(name), load))
    ]
    return dataclasses.replace(curves, points=points)
