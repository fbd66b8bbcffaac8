"""What parameter files define: values, blocks of parameters, components, and what is made from what."""

import re
from dataclasses import dataclass, field
from typing import TypeAlias

from .tokens import Place, shown

#: What is shown of a list.
_SHOWN_ITEMS = 10
#: Numbers as words; libparam has fewer ways to write them.
WHOLE = re.compile(r"-?(\d+|0x[0-9a-fA-F]+)", re.ASCII)
DECIMAL = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Value:
    """What a parameter or an item of a list is, and where it stands."""

    content: "Content"
    place: Place


@dataclass
class Block:
    """Parameters by name, of some type.

    Attributes:
        type: As written: a type of DiskSim, or the name of the block that this one changes.
        name: By which it is used elsewhere; none of a block in its place.
        parameters: Those of the block that it changes among them.
        place: Where it begins.
        changes: The block that it changes.
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
        """Its type in DiskSim."""
        return self.line()[-1].type

    def line(self) -> "list[Block]":
        """It, the one that it changes, and so on."""
        line = [self]
        while (changed := line[-1].changes) is not None:
            line.append(changed)
        return line


@dataclass(frozen=True)
class Node:
    """A component in the topology, with those below it."""

    type: str
    name: str
    below: "list[Value]"
    place: Place


Content: TypeAlias = "int | float | str | list[Value] | Block | Node"


@dataclass
class SetUp:
    """What a parameter file defines.

    Attributes:
        blocks: Those with a name, in order.
        instances: The name of the block that each component is made from, by the component.
        topology: The components at the top, with those below them.
        notes: What DiskSim does with it that a reader may not expect, in sentences.
    """

    blocks: dict[str, Block] = field(default_factory=dict)
    instances: dict[str, str] = field(default_factory=dict)
    topology: list[Node] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def scalar(text: str) -> int | float | str:
    """A word as a number, if it is one."""
    if WHOLE.fullmatch(text):
        return int(text, 16 if "x" in text else 10)
    if DECIMAL.fullmatch(text):
        return float(text)
    return text


def text_of(content: Content) -> str:
    """A value as it might be written, short."""
    if isinstance(content, list):
        items = [text_of(item.content) for item in content[:_SHOWN_ITEMS]]
        return f"[{', '.join(items + ['...'] * (len(content) > _SHOWN_ITEMS))}]"
    if isinstance(content, Block):
        return f"{content.type} {{...}}"
    if isinstance(content, Node):
        return f"{content.type} {content.name}"
    return content if isinstance(content, str) else shown(repr(content)).strip("'")
