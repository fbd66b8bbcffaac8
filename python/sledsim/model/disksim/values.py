"""Contents of DiskSim's parameter files: values, blocks of parameters and components."""

import re
from dataclasses import dataclass, field
from typing import TypeAlias

from .tokens import Place, shown

#: Largest number of items of a list in errors.
_SHOWN_ITEMS = 10
#: Pattern of whole numbers; libparam accepts fewer notations.
WHOLE = re.compile(r"-?(\d+|0x[0-9a-fA-F]+)", re.ASCII)
DECIMAL = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Value:
    """Value of a parameter or an item of a list, with its place."""

    content: "Content"
    place: Place


@dataclass
class Block:
    """A block of parameters.

    Attributes:
        type: Type in the file: a type of DiskSim, or the name of the block that this block changes.
        name: Name by which other blocks refer to this block; empty if it has no name.
        parameters: Parameters, including the parameters of the block that this block changes.
        place: File and line at which the block begins.
        changes: Block that this block changes; None if it changes no block.
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
        """Type of the block in DiskSim."""
        return self.line()[-1].type

    def line(self) -> "list[Block]":
        """Return the block, the block that it changes, and so on."""
        line = [self]
        while (changed := line[-1].changes) is not None:
            line.append(changed)
        return line


@dataclass(frozen=True)
class Node:
    """A component in the topology, with the components below it."""

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
        notes: Sentences on unexpected behaviour of DiskSim with this file.
    """

    blocks: dict[str, Block] = field(default_factory=dict)
    instances: dict[str, str] = field(default_factory=dict)
    topology: list[Node] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def scalar(text: str) -> int | float | str:
    """Return a word as a number if it is one, otherwise unchanged."""
    if WHOLE.fullmatch(text):
        return int(text, 16 if "x" in text else 10)
    if DECIMAL.fullmatch(text):
        return float(text)
    return text


def text_of(content: Content) -> str:
    """Return a value as text in the form of a parameter file, shortened."""
    if isinstance(content, list):
        items = [text_of(item.content) for item in content[:_SHOWN_ITEMS]]
        return f"[{', '.join(items + ['...'] * (len(content) > _SHOWN_ITEMS))}]"
    if isinstance(content, Block):
        return f"{content.type} {{...}}"
    if isinstance(content, Node):
        return f"{content.type} {content.name}"
    return content if isinstance(content, str) else shown(repr(content)).strip("'")
