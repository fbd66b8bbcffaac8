"""Contents of DiskSim's parameter files: values, blocks of parameters and components."""

import re
from dataclasses import dataclass, field
from typing import TypeAlias

from .tokens import Place, shown

#: Largest number of items of a list that an error message shows.
_SHOWN_ITEMS = 10
#: Pattern of whole numbers, decimal or hexadecimal; DiskSim's parser accepts a few notations less.
WHOLE = re.compile(r"-?(\d+|0x[0-9a-fA-F]+)", re.ASCII)
DECIMAL = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Value:
    """Value of a parameter, or an item of a list, with its file and line."""

    content: "Content"
    place: Place


@dataclass
class Block:
    """A block of parameters.

    Attributes:
        type: Type as the file has it: a type of DiskSim, or the name of another block that this one modifies.
        name: Name by which other blocks refer to this block; empty without a name.
        parameters: Values by name of the parameter, including those of the block that this block modifies.
        place: File and line at which the block begins.
        changes: Block of which this one is a modified copy; None if it is no copy.
    """

    type: str
    name: str
    parameters: dict[str, Value]
    place: Place
    changes: "Block | None" = None

    def __str__(self) -> str:
        return f"{self.base_type} {self.name}".rstrip()

    @property
    def base_type(self) -> str:
        """Type of the block in DiskSim, such as ``disksim_disk``."""
        return self.line()[-1].type

    def line(self) -> "list[Block]":
        """Return the block, then the block of which it is a modified copy, and so on."""
        line = [self]
        while (changed := line[-1].changes) is not None:
            line.append(changed)
        return line


@dataclass(frozen=True)
class Node:
    """A component in the topology, with the components connected below it."""

    type: str
    name: str
    below: "list[Value]"
    place: Place


Content: TypeAlias = "int | float | str | list[Value] | Block | Node"


@dataclass
class SetUp:
    """Contents of a parameter file.

    Attributes:
        blocks: Blocks by name, in the order of the file.
        instances: Name of the block of each component, by name of the component.
        topology: Components at the top of the topology, each with the components below it.
        notes: Sentences on parts of the file that DiskSim treats in an unexpected way.
    """

    blocks: dict[str, Block] = field(default_factory=dict)
    instances: dict[str, str] = field(default_factory=dict)
    topology: list[Node] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def scalar(text: str) -> int | float | str:
    """Return a word of a file as a number if it has the form of one, otherwise as text."""
    if WHOLE.fullmatch(text):
        return int(text, 16 if "x" in text else 10)
    if DECIMAL.fullmatch(text):
        return float(text)
    return text


def text_of(content: Content) -> str:
    """Return a value as it would stand in a parameter file, shortened if it is a long list or a block."""
    if isinstance(content, list):
        items = [text_of(item.content) for item in content[:_SHOWN_ITEMS]]
        return f"[{', '.join(items + ['...'] * (len(content) > _SHOWN_ITEMS))}]"
    if isinstance(content, Block):
        return f"{content.type} {{...}}"
    if isinstance(content, Node):
        return f"{content.type} {content.name}"
    return content if isinstance(content, str) else shown(repr(content)).strip("'")
