"""The settings on which comparing claims are tried: devices with ranges, requests, conditions."""

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

#: Requests that are drawn, where a load does not say another number.
COUNT = 3000


@dataclass(frozen=True)
class Varied(Subject):
    """A device or volume of which only what its own file gives a range is varied.

    Two devices may have a parameter of one name of which only one is uncertain.

    Attributes:
        held: Parameters that stay as they were set, whatever their range.
    """

    held: frozenset[str] = frozenset()

    def ranges(self) -> dict[str, tuple[float, float, bool]]:
        """Those of its device files, without what is held."""
        return {key: found for key, found in super().ranges().items() if key not in self.held}

    def keys_of(self, names: Sequence[str]) -> dict[str, list[str]]:
        """As `Subject.keys_of`, of what is uncertain: of a volume its members, and no option of it."""
        own = self.ranges()
        found = super().keys_of(names)
        if self.made_from is not None:
            found = {name: self.member_keys(self.own_name(name)) for name in names}
        return {name: keys if self.own_name(name) in own else [] for name, keys in found.items()}


@dataclass(frozen=True)
class Made:
    """A device or volume by its name, and what is changed of it.

    Attributes:
        name: Of a built-in device, or of a kind of volume.
        changes: Parameters that are set, and are held at that.
        members: Of a volume the devices in it, whose ranges count; none of a device.
    """

    name: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    members: Sequence[str] = ()

    def __str__(self) -> str:
        changes = ", ".join(f"{key}={value}" for key, value in self.changes.items())
        return f"{self.name} ({changes})" if changes else self.name

    def subject(self, name: str) -> Varied:
        """It, under the name that conditions have for it."""
        if self.members:
            made = Subject.of_volume(self.name, self.changes)
            ranges = {
                key: found for member in self.members for key, found in Subject.of(member).ranges().items()
            }
        else:
            made = Subject.of(load_device(self.name, **self.changes))
            ranges = made.ranges()
        # A calibrated format takes the place of the numbers that it is made of.
        known = made.keys_of(list(ranges))
        kept = {key: found for key, found in ranges.items() if known[key]}
        return Varied(name, made.parameters, made.made_from, kept, held=frozenset(self.changes))


@dataclass(frozen=True)
class _Made(Requests):
    """Requests that a function makes from a number of them and the seed of a device.

    Attributes:
        make: The function.
        count: How many.
    """

    make: Callable[[int, int], Trace] | None = None
    count: int = COUNT

    def draw(self, target: Target, count: int | None, seed: int | None, drawn: DrawnTraces) -> Trace:
        """The requests of a seed, whatever the device."""
        assert self.make is not None and seed is not None, "each run has a seed"
        return self.make(self.count, seed)


@dataclass(frozen=True)
class Load:
    """Requests as a paper has them, or what stands for them: each device has draws of its own.

    All that is compared on a device has the same requests, and `count` of them: where they come faster than
    a device serves them, a mean depends on their number, as it does on the length of the papers' hours.

    Attributes:
        requests: The name of a workload that is drawn, or of what `make` makes.
        count: Requests that are drawn.
        scale: Speed-up.
        replay: One of `replays`; None as `simulate` has it.
        says: What they are, where that is no name of a workload.
        is_drawn: Whether other seeds give other requests.
        arguments: The first ones of `make`.
        make: Makes the requests of its arguments, a number of them and a seed; None draws a workload.
        maker: Who makes them, in the keys by which ledgers know them.
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
        """The requests, another number of them on demand.

        Raises:
            ParameterError, TraceError: They cannot be made.
        """
        number = count or self.count
        if self.make is None:
            return draw(f"{self.requests},count={number},seed={seed}", target)
        return self.make(*self.arguments, number, seed)

    def workload(self, target: Target, count: int | None = None) -> Requests:
        """The requests as a study has them: those of a trace, or drawn with the seed of each device.

        Args:
            target: The paper's own device.
            count: Another number of requests.
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
    """A claim of a paper that compares policies, layouts or systems.

    Attributes:
        id: Of the claim, as ``001-C20``, or of the experiment where the paper's sentence has no number.
        says: What the paper says, in plain words.
        conditions: All are to hold. As `holds` has them; a figure may name a load, too.
        part: Which part of the claim it is, where that has several: ``a``, ``b``.
    """

    id: str
    says: str
    conditions: tuple[str, ...]
    part: str = ""

    @property
    def name(self) -> str:
        """The id with the part."""
        return f"{self.id}{self.part}"

    @property
    def paper(self) -> str:
        """The number of the paper."""
        return self.id.partition("-")[0]


def said(name: str, says: str, *conditions: str) -> Comparison:
    """A comparison; the small letter at the end of its name is the part of the claim."""
    part = name[-1] if name[-1].islower() else ""
    return Comparison(name.removesuffix(part), says, conditions, part)


@dataclass(frozen=True, repr=False)
class Setting:
    """Claims that are tried on the same devices and requests.

    Attributes:
        name: Of its ledger.
        subjects: The devices and volumes by the names in conditions; the first is meant where none is named.
        loads: The requests by the names in conditions; the first is meant where none is named.
        claims: What is compared.
        scheduler: The policy that is meant where none is named.
        by_load: Whether it is also tried with requests so fast for each device that they are the same part
            of what first come, first served can do as the paper's are on the paper's own device.
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
        """Tell whether other seeds give other requests."""
        return any(load.is_drawn for load in self.loads.values())
