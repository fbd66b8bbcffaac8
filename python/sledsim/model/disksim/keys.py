"""Parameters of an imported drive, by the keys of a device file, with their sources."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .block_parameters import Parameters
from .tokens import Place
from .values import Block, Value, text_of

#: Effects of a parameter of DiskSim without a key here (`Unkeyed.effect`).
MATTERS = "would matter"
HARMLESS = "without effect"
AROUND = "not of the drive"
#: Kinds of numbers: extracted from a real drive, stated by a parameter, or computed from parameters.
MEASURED, STATED, DERIVED = "measured", "stated", "derived"


@dataclass(frozen=True)
class Unkeyed:
    """A parameter of DiskSim without a key here, or whose key keeps only a part of it.

    Attributes:
        name: Name of the parameter, after the names of outer blocks, separated by colons.
        value: Value in the file, as text.
        block: Type and name of the block with the parameter.
        place: Name of the file, and line.
        effect: ``would matter``: with this value, DiskSim's drive behaves differently from the device here;
            ``without effect``: it behaves like the device here; ``not of the drive``: the parameter belongs
            to the rest of the system.
        why: Behaviour of the device here, or what replaces the parameter.
    """

    name: str
    value: str
    block: str
    place: str
    effect: str
    why: str

    @classmethod
    def of(cls, block: Block, name: str, value: Value, effect: str, why: str) -> "Unkeyed":
        """Make the entry of a parameter of a block."""
        return cls(name, text_of(value.content), str(block), value.place.short, effect, why)


@dataclass
class Keys:
    """Parameters of a drive by the keys of a device file, collected during the import."""

    values: dict[str, Any] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    unkeyed: list[Unkeyed] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def put(self, key: str, value: Any, place: Place, said: str, kind: str = STATED) -> None:
        """Set a key to a value, with the source in words and, for numbers, the kind of certainty."""
        self.values[key] = value
        if isinstance(value, int | float | list) and not isinstance(value, bool):
            self.kinds[key] = kind
        self.sources[key] = f"{place.short}: {said}"

    def keep(
        self, key: str, block: Parameters, name: str, value: Any, said: str = "", kind: str = STATED
    ) -> None:
        """Set a key to a value that comes from a parameter; `said` is its source, by default `name`."""
        self.put(key, value, block.place(name), said or name, kind)

    def choose(self, key: str, block: Parameters, name: str, choices: Mapping[int, Any]) -> None:
        """Set a key to the choice that a parameter's number stands for.

        Raises:
            ParameterError: The number stands for no choice.
        """
        number = block.whole(name, min(choices), max(choices))
        self.keep(key, block, name, choices[number], f"{name} {number}")

    def lost(self, block: Block, name: str, value: float, why: str) -> None:
        """Record a parameter that matters although its key keeps only a part of its meaning."""
        place = block.parameters[name].place.short
        self.unkeyed.append(Unkeyed(name, f"{value:g}", str(block), place, MATTERS, why))
