"""What experiments run on, and models that could be wrong: a verdict that notices none of them says little.

Experiments make devices, volumes, runs and curves here. While a perturbation is in force in a process, every
sled that they make is another one, or a policy is another one; disks and cards stay as they are.
"""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from ...model import devices, systems
from ...model.devices import Device
from ...model.systems import Target, Volume
from ...runs import run, sweeps
from ...runs.curves import Curves
from ...runs.run import Run

#: Changes of the parameters of a sled, from those that it has.
_Change = Callable[[Mapping[str, Any]], dict[str, Any]]


@dataclass(frozen=True)
class Perturbation:
    """One way in which a model could be wrong.

    Attributes:
        name: As the command line and the table have it.
        meaning: What is changed, in words.
        change: The parameters that it gives to a sled, from those that this has.
        policies: Policies that run instead of others.
    """

    name: str
    meaning: str
    change: _Change = lambda _: {}
    policies: Mapping[str, str] = field(default_factory=dict)


def _times(factor: float, *keys: str) -> _Change:
    """A parameter times a factor: where there are several ways to say it, the one that the device uses."""
    return lambda sled: {key: sled[key] * factor for key in keys if key in sled}


def _half_the_tips(sled: Mapping[str, Any]) -> dict[str, Any]:
    """Where a format says how many are active, in the format."""
    if "format" not in sled:
        return {"active_tips": sled["active_tips"] // 2}
    active, rest = sled["format"].split("x", 1)
    return {"format": f"{int(active) // 2}x{rest}"}


#: Models that are wrong, each in one thing.
PERTURBATIONS = (
    Perturbation("acceleration-0.8", "4/5 of the acceleration", _times(0.8, "acceleration_m_per_s2")),
    Perturbation("acceleration-1.25", "5/4 of the acceleration", _times(1.25, "acceleration_m_per_s2")),
    Perturbation("velocity-1.15", "15 % more access velocity", _times(1.15, "access_velocity_mm_per_s")),
    Perturbation("no-springs", "a sled without springs", lambda _: {"spring_factor": 0.0}),
    Perturbation("settling-1.3", "30 % longer settling", _times(1.3, "settle_ms", "settle_time_constants")),
    Perturbation("half-the-tips", "half of the active tips", _half_the_tips),
    Perturbation(
        "bits-1.1",
        "bits that are 10 % wider",
        lambda sled: {"bit_width_nm": round(sled["bit_width_nm"] * 1.1)},
    ),
    Perturbation(
        "sptf-is-sstf",
        "SSTF by block numbers wherever SPTF is asked for, first come, first served in zones for ZSPTF",
        policies={"sptf": "sstf_lbn", "zsptf": "zfcfs"},
    ),
)
#: The one in force.
_IN_FORCE: ContextVar[Perturbation | None] = ContextVar("perturbation", default=None)


def enforce(perturbation: Perturbation | None) -> None:
    """From now on experiments run on what a perturbation makes of their devices, in this process.

    What a process has computed before stays as it is: it takes a fresh one.
    """
    _IN_FORCE.set(perturbation)


def device(name: str, **overrides: Any) -> Device:
    """As `sledsim.device`; a sled as the perturbation in force has it."""
    made, now = devices.load_device(name, **overrides), _IN_FORCE.get()
    if now is None or made.kind != "mems":
        return made
    return made.with_parameters(**now.change(made.parameters))


def volume(kind: str, scheduler: str | None = None, **settings: Any) -> Volume:
    """As `sledsim.volume`, of what `device` makes of its members."""
    made, now = systems.load_volume(kind, scheduler, **settings), _IN_FORCE.get()
    return made if now is None else Volume.from_parameters(_changed(made.parameters, now))


def _changed(part: Any, now: Perturbation) -> Any:
    """The parameters of a volume with other sleds and policies in it."""
    if isinstance(part, list):
        return [_changed(one, now) for one in part]
    if not isinstance(part, dict):
        return part
    changed = {key: _changed(value, now) for key, value in part.items()}
    if "scheduler" in changed:
        changed["scheduler"] = now.policies.get(changed["scheduler"], changed["scheduler"])
    return changed | now.change(part) if "acceleration_m_per_s2" in part else changed


def simulate(target: Target, trace: Any, scheduler: str, *settings: Any, **named: Any) -> Run:
    """As `sledsim.simulate`, under the policy that the perturbation in force puts in its place."""
    return run.simulate(target, trace, _policy(scheduler), *settings, **named)


def response_curves(
    target: Any, schedulers: Sequence[str], rates: Sequence[float], **settings: Any
) -> Curves:
    """As `sledsim.response_curves`; the curves of another policy keep the name of the one asked for."""
    return _as_asked(sweeps.response_curves(target, _policies(schedulers), rates, **settings), schedulers)


def trace_curves(
    target: Any, trace: Any, schedulers: Sequence[str], scales: Sequence[float], **settings: Any
) -> Curves:
    """As `sledsim.trace_curves`; the curves of another policy keep the name of the one asked for."""
    return _as_asked(
        sweeps.trace_curves(target, trace, _policies(schedulers), scales, **settings), schedulers
    )


def _policies(asked: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(_policy(name) for name in asked))


def _policy(name: str) -> str:
    now = _IN_FORCE.get()
    return name if now is None else now.policies.get(name, name)


def _as_asked(curves: Curves, asked: Sequence[str]) -> Curves:
    """Curves with those of each policy asked for, by its name."""
    if _policies(asked) == list(asked):
        return curves
    points = [
        dataclasses.replace(point, scheduler=name)
        for load in curves.loads
        for name in asked
        if (point := curves.point(_policy(name), load))
    ]
    return dataclasses.replace(curves, points=points)
