"""What has been found out about the drive: keys of a device file, where each comes from and what it is."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .block_parameters import Parameters
from .tokens import Place
from .values import Block, Value, text_of

#: What a parameter without a key does in DiskSim.
MATTERS = "would matter"
HARMLESS = "without effect"
AROUND = "not of the drive"
#: What a number is: extracted from the drive, said by a parameter, or computed from what parameters say.
MEASURED, STATED, DERIVED = "measured", "stated", "derived"


@dataclass(frozen=True)
class Unkeyed:
    """A parameter of DiskSim that has no key here, or whose key does not keep all of it.

    Attributes:
        name: As in the file; that of an inner block behind those around it.
        value: As in the file.
        block: The type of the block that it is in, and its name.
        place: File and line, without folders.
        effect: ``would matter``: for its value DiskSim's drive is another one than ours; ``without effect``:
            its value means what our drive does; ``not of the drive``: of the system around it.
        why: What our drive does, or what takes its place here.
    """

    name: str
    value: str
    block: str
    place: str
    effect: str
    why: str

    @classmethod
    def of(cls, block: Block, name: str, value: Value, effect: str, why: str) -> "Unkeyed":
        """A parameter of a block, or of one inside it."""
        return cls(name, text_of(value.content), str(block), value.place.short, effect, why)


@dataclass
class Keys:
    """Values by the keys of a device file, where each comes from and what it is, and what is not kept."""

    values: dict[str, Any] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    unkeyed: list[Unkeyed] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def put(self, key: str, value: Any, place: Place, said: str, kind: str = STATED) -> None:
        """A value, the parameter that it comes from, and, of a number or rows of them, what it is."""
        self.values[key] = value
        if isinstance(value, int | float | list) and not isinstance(value, bool):
            self.kinds[key] = kind
        self.sources[key] = f"{place.short}: {said}"

    def keep(
        self, key: str, block: Parameters, name: str, value: Any, said: str = "", kind: str = STATED
    ) -> None:
        """What a parameter of a block says; its name is the source, if nothing else is `said`."""
        self.put(key, value, block.place(name), said or name, kind)

    def choose(self, key: str, block: Parameters, name: str, choices: Mapping[int, Any]) -> None:
        """What the number of a parameter stands for.

        Raises:
            ParameterError: It is none of these numbers, which follow one another.
        """
        number = block.whole(name, min(choices), max(choices))
        self.keep(key, block, name, choices[number], f"{name} {number}")

    def lost(self, block: Block, name: str, value: float, why: str) -> None:
        """A parameter that its key does not keep whole, and that would matter."""
        place = block.parameters[name].place.short
        self.unkeyed.append(Unkeyed(name, f"{value:g}", str(block), place, MATTERS, why))
