"""Keys of a device file for an imported drive, with the source and kind of each value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .block_parameters import Parameters
from .tokens import Place
from .values import Block, Value, text_of

#: Effects that a parameter without a key has in DiskSim.
MATTERS = "would matter"
HARMLESS = "without effect"
AROUND = "not of the drive"
#: Kinds of numbers: extracted from the drive, given by a parameter, or computed from parameters.
MEASURED, STATED, DERIVED = "measured", "stated", "derived"


@dataclass(frozen=True)
class Unkeyed:
    """A parameter of DiskSim without a key here, or whose key keeps only a part of it.

    Attributes:
        name: Name in the file; a parameter of an inner block follows the names of the outer blocks.
        value: Value in the file.
        block: Type and name of the block with the parameter.
        place: File and line, without folders.
        effect: ``would matter``: the value makes DiskSim's drive differ from ours; ``without effect``: the
            value means what our drive does; ``not of the drive``: the parameter is of the surrounding system.
        why: Behaviour of our drive, or the replacement for the parameter here.
    """

    name: str
    value: str
    block: str
    place: str
    effect: str
    why: str

    @classmethod
    def of(cls, block: Block, name: str, value: Value, effect: str, why: str) -> "Unkeyed":
        """Make an entry for a parameter of a block or of an inner block."""
        return cls(name, text_of(value.content), str(block), value.place.short, effect, why)


@dataclass
class Keys:
    """Values by the keys of a device file, with sources and kinds, and the parameters that are not kept."""

    values: dict[str, Any] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    unkeyed: list[Unkeyed] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def put(self, key: str, value: Any, place: Place, said: str, kind: str = STATED) -> None:
        """Set a value with its source parameter and, for numbers and rows of numbers, their kind."""
        self.values[key] = value
        if isinstance(value, int | float | list) and not isinstance(value, bool):
            self.kinds[key] = kind
        self.sources[key] = f"{place.short}: {said}"

    def keep(
        self, key: str, block: Parameters, name: str, value: Any, said: str = "", kind: str = STATED
    ) -> None:
        """Set a key to the value of a parameter; `said` replaces the parameter's name as the source."""
        self.put(key, value, block.place(name), said or name, kind)

    def choose(self, key: str, block: Parameters, name: str, choices: Mapping[int, Any]) -> None:
        """Set a key to the meaning of a parameter's number.

        Raises:
            ParameterError: The number has no meaning in DiskSim.
        """
        number = block.whole(name, min(choices), max(choices))
        self.keep(key, block, name, choices[number], f"{name} {number}")

    def lost(self, block: Block, name: str, value: float, why: str) -> None:
        """Note a parameter that matters and whose key keeps only a part of its meaning."""
        place = block.parameters[name].place.short
        self.unkeyed.append(Unkeyed(name, f"{value:g}", str(block), place, MATTERS, why))
