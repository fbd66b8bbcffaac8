"""Settings for testing the comparisons in papers: devices with ranges, requests, and conditions."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ..common.shown import clipped, counted
from ..model.devices import load_device
from ..model.volumes import Target
from ..traces.generators import draw
from ..traces.trace import Trace
from .subjects import DrawnTraces, Requests, Subject

#: Default number of requests of a drawn load.
COUNT = 3000


@dataclass(frozen=True)
class Varied(Subject):
    """A device or volume whose parameters vary only over the ranges in its file, except those in `held`.

    If two devices have a parameter of the same name, only one of them may have a range for it.

    Attributes:
        held: Parameters that keep their set value, even if the file of the device has a range for them.
    """

    held: frozenset[str] = frozenset()

    def ranges(self) -> dict[str, tuple[float, float, bool]]:
        """Return the ranges in the files of the device or members, without those of held parameters."""
        return {key: found for key, found in super().ranges().items() if key not in self.held}

    def keys_of(self, names: Sequence[str]) -> dict[str, list[str]]:
        """Return the keys of each parameter that has a range, and no key for all others.

        For a volume, only the keys of its members count.
        """
        own = self.ranges()
        found = super().keys_of(names)
        if self.made_from is not None:
            found = {name: self.member_keys(self.own_name(name)) for name in names}
        return {name: keys if self.own_name(name) in own else [] for name, keys in found.items()}


@dataclass(frozen=True)
class Made:
    """A device or volume to build: its name, and the parameters to change.

    Attributes:
        name: Name of a built-in device, or of a kind of volume.
        changes: Parameters that are set to a value and do not vary.
        members: Names of the member devices of a volume, whose files have the ranges; empty for a device.
    """

    name: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    members: Sequence[str] = ()

    def __str__(self) -> str:
        changes = ", ".join(f"{key}={value}" for key, value in self.changes.items())
        return f"{self.name} ({changes})" if changes else self.name

    def subject(self, name: str) -> Varied:
        """Build the device or volume under the name `name`, by which conditions refer to it."""
        if self.members:
            made = Subject.of_volume(self.name, self.changes)
            ranges = {
                key: found for member in self.members for key, found in Subject.of(member).ranges().items()
            }
        else:
            made = Subject.of(load_device(self.name, **self.changes))
            ranges = made.ranges()
        # If a format is calibrated, the numbers that it is made of are no longer parameters.
        known = made.keys_of(list(ranges))
        kept = {key: found for key, found in ranges.items() if known[key]}
        return Varied(name, made.parameters, made.made_from, kept, held=frozenset(self.changes))


@dataclass(frozen=True)
class _Made(Requests):
    """Requests that a function makes from their number and a seed.

    Attributes:
        make: Function ``make(count, seed)`` that returns the requests.
        count: Number of requests.
    """

    make: Callable[[int, int], Trace] | None = None
    count: int = COUNT

    def draw(self, target: Target, count: int | None, seed: int | None, drawn: DrawnTraces) -> Trace:
        """Return the requests of a seed, equal for all devices."""
        assert self.make is not None and seed is not None, "each run has a seed"
        return self.make(self.count, seed)


@dataclass(frozen=True)
class Load:
    """Requests of a paper, or similar requests if the paper's own are not available.

    All policies that are compared on a device have the same requests, `count` in number. On an overloaded
    device, a mean depends on this number, as it depends on the length of the hours in the papers.

    Attributes:
        requests: Name of a random workload; if `make` is given, any name for the requests that it returns.
        count: Number of drawn requests.
        scale: Speed-up of the arrivals.
        replay: Replay rule, one that `replays` lists; None takes the default of `simulate`.
        says: Description of the requests if they are no random workload.
        is_drawn: True if the seed changes the requests.
        arguments: First arguments of `make`.
        make: Function that takes `arguments`, a number of requests and a seed, and returns requests; None
            draws the random workload `requests`.
        maker: Name that stands for the function `make` in the keys of ledgers.
    """

    requests: str
    count: int = COUNT
    scale: float = 1.0
    replay: str | None = None
    says: str = ""
    is_drawn: bool = True
    arguments: Sequence[Any] = ()
    make: Callable[..., Trace] | None = None
    maker: str = ""

    def drawn(self, target: Target, seed: int, count: int | None = None) -> Trace:
        """Return the requests of a seed; `count` overrides the number of requests.

        Raises:
            ParameterError, TraceError: The requests cannot be made for this device.
        """
        number = count or self.count
        if self.make is None:
            return draw(f"{self.requests},count={number},seed={seed}", target)
        return self.make(*self.arguments, number, seed)

    def workload(self, target: Target, count: int | None = None) -> Requests:
        """Return the requests of a study: a trace, or a workload that is drawn for each device by its seed.

        Args:
            target: Device as the paper describes it.
            count: Number of requests in place of the load's own number.
        """
        number = count or self.count
        if not self.is_drawn:
            return Requests.of(self.drawn(target, 0, number))
        if self.make is None:
            return Requests(f"{self.requests},count={number}", once=True)
        made = f"{self.maker}.{self.requests} {tuple(self.arguments)} {number}"
        digest = hashlib.sha256(made.encode()).hexdigest()
        make = partial(self.make, *self.arguments)
        return _Made(self.says, digest=digest, once=True, make=make, count=number)

    def __str__(self) -> str:
        name = self.says or f"{self.requests},count={self.count}"
        return name if self.scale == 1 else f"{name}, {self.scale:g} times as fast"


@dataclass(frozen=True)
class Comparison:
    """A claim of a paper that one policy, layout or system is better than another, as conditions.

    Attributes:
        id: Identifier of the claim, such as ``001-C20``; if the paper's sentence has none, the identifier of
            the experiment.
        says: Claim of the paper in plain words.
        conditions: Conditions that must all hold, in the form of `holds`; a figure may also name a load.
        part: Letter of a part of the claim, such as ``a`` or ``b``; empty if the claim has no parts.
    """

    id: str
    says: str
    conditions: tuple[str, ...]
    part: str = ""

    @property
    def name(self) -> str:
        """The id of the claim followed by its part, such as ``001-C20a``."""
        return f"{self.id}{self.part}"

    @property
    def paper(self) -> str:
        """The number of the paper."""
        return self.id.partition("-")[0]


def said(name: str, says: str, *conditions: str) -> Comparison:
    """Build a `Comparison`; a lower-case letter at the end of the name is the part, as in ``001-C20a``."""
    part = name[-1] if name[-1].islower() else ""
    return Comparison(name.removesuffix(part), says, conditions, part)


@dataclass(frozen=True, repr=False)
class Setting:
    """Claims that are tested on the same devices and requests.

    Attributes:
        name: Name of the setting and of its ledger.
        subjects: Devices and volumes by the names that conditions use; a figure that names none belongs to
            the first.
        loads: Requests by the names that conditions use; a figure that names none is measured under the
            first.
        claims: Claims to test.
        scheduler: Policy of figures that name no policy.
        by_load: True to run the claims a second time, with the arrival rate scaled for each device so that
            the device is as busy under FCFS as the paper's own device.
    """

    name: str
    subjects: Mapping[str, Made]
    loads: Mapping[str, Load]
    claims: Sequence[Comparison]
    scheduler: str = "sptf"
    by_load: bool = False

    def __repr__(self) -> str:
        return f"<sledsim.Setting {clipped(self.name)}: {counted(len(self.claims), 'claim')}>"

    @property
    def paper(self) -> str:
        """The number of the paper."""
        return self.claims[0].paper

    @property
    def is_drawn(self) -> bool:
        """True if other seeds give other requests."""
        return any(load.is_drawn for load in self.loads.values())
