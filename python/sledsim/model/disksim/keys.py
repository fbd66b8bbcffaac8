"""What has been found out about the drive: the keys of a device file with their sources."""

from dataclasses import dataclass, field
from typing import Any

from .tokens import Place
from .values import Block

#: What a parameter without a key does in DiskSim.
MATTERS = "would matter"
HARMLESS = "without effect"
AROUND = "not of the drive"


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


@dataclass
class Keys:
    """Values by the keys of a device file, where each comes from, and what is not kept."""

    values: dict[str, Any] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    unkeyed: list[Unkeyed] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def put(self, key: str, value: Any, place: Place, said: str) -> None:
        """A value, and the parameter that it comes from."""
        self.values[key] = value
        self.sources[key] = f"{place.short}: {said}"

    def lost(self, block: Block, name: str, value: float, why: str) -> None:
        """A parameter that its key does not keep whole, and that would matter."""
        place = block.parameters[name].place.short
        self.unkeyed.append(Unkeyed(name, f"{value:g}", str(block), place, MATTERS, why))
