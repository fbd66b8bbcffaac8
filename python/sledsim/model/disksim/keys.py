"""Parameters of an imported drive, by key of a device file, with the source of each value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .block_parameters import Parameters
from .tokens import Place
from .values import Block, Value, text_of

#: Effects of losing a parameter of DiskSim in the import (see `Unkeyed.effect`).
MATTERS = "would matter"
HARMLESS = "without effect"
AROUND = "not of the drive"
#: Certainty of a number: measured on a real drive, stated by a parameter, or computed from parameters.
MEASURED, STATED, DERIVED = "measured", "stated", "derived"


@dataclass(frozen=True)
class Unkeyed:
    """A parameter of DiskSim that no key of a device file keeps, or that a key keeps only in part.

    Attributes:
        name: Name of the parameter, after the names of the blocks around it, with colons between.
        value: Value in the file, as text.
        block: Type and name of the block with the parameter.
        place: Name of the file, and number of the line.
        effect: Effect of the loss: ``would matter`` if DiskSim's drive then behaves differently from the
            device here; ``without effect`` if not; ``not of the drive`` for a parameter of the rest of the
            system.
        why: Behaviour of the device here, or what takes the place of the parameter.
    """

    name: str
    value: str
    block: str
    place: str
    effect: str
    why: str

    @classmethod
    def of(cls, block: Block, name: str, value: Value, effect: str, why: str) -> "Unkeyed":
        """Make the record about the parameter `name` of a block."""
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
        """Set a key to a value; `said` is the source in words, and `kind` the certainty of a number."""
        self.values[key] = value
        if isinstance(value, int | float | list) and not isinstance(value, bool):
            self.kinds[key] = kind
        self.sources[key] = f"{place.short}: {said}"

    def keep(
        self, key: str, block: Parameters, name: str, value: Any, said: str = "", kind: str = STATED
    ) -> None:
        """Set a key to a value from the parameter `name`; `said` states the source in words."""
        self.put(key, value, block.place(name), said or name, kind)

    def choose(self, key: str, block: Parameters, name: str, choices: Mapping[int, Any]) -> None:
        """Set a key to the choice in `choices` for the number that is the value of the parameter `name`.

        Raises:
            ParameterError: `choices` has no choice for the number.
        """
        number = block.whole(name, min(choices), max(choices))
        self.keep(key, block, name, choices[number], f"{name} {number}")

    def lost(self, block: Block, name: str, value: float, why: str) -> None:
        """Record that a key keeps only a part of a parameter, so that DiskSim's drive behaves differently."""
        place = block.parameters[name].place.short
        self.unkeyed.append(Unkeyed(name, f"{value:g}", str(block), place, MATTERS, why))
