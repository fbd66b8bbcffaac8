"""Reader of the parameters of a DiskSim block; it also knows those that the import has not read."""

import difflib
import math
from collections.abc import Iterator
from typing import NoReturn

from .tokens import Place, fault
from .values import Block, Value, text_of

#: Upper bound of all whole numbers in the files; floats represent it exactly.
WHOLE_MAX = 10**15


class Parameters:
    """Reader of the parameters of a block, which notes each parameter that the import reads."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self._taken: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self.block.parameters

    def value(self, name: str) -> Value:
        """Return the value of a parameter that must exist.

        Raises:
            ParameterError: The parameter is missing.
        """
        if name not in self.block.parameters:
            near = difflib.get_close_matches(name, self.block.parameters, 1, 0.8)
            place = self.block.parameters[near[0]].place if near else self.block.place
            hint = f"; is {near[0]!r} a misspelling of it?" if near else ""
            fault(place, f"{self.block.type}: expected the parameter {name!r}, found none{hint}")
        self._taken.add(name)
        return self.block.parameters[name]

    def place(self, name: str) -> Place:
        """Return the file and line of the value of a parameter."""
        return self.value(name).place

    def whole(self, name: str, least: int, most: int = WHOLE_MAX) -> int:
        """Return the value of a parameter as a whole number.

        Raises:
            ParameterError: The value is not a whole number, or is out of range.
        """
        return whole(self.value(name), name, least, most)

    def number(self, name: str, least: float = 0.0, most: float = math.inf) -> float:
        """Return the value of a parameter as a number.

        Raises:
            ParameterError: The value is not a number, or is out of range.
        """
        return number(self.value(name), name, least, most)

    def numbers(self, name: str, count: int) -> list[float]:
        """Return the value of a parameter as a list of `count` numbers.

        Raises:
            ParameterError: The value is not a list of `count` numbers.
        """
        items = self.items(name)
        if len(items) != count:
            fault(self.place(name), f"{name}: expected {count} numbers, found {len(items)}")
        return [number(item, name, -math.inf) for item in items]

    def items(self, name: str) -> list[Value]:
        """Return the value of a parameter as a list.

        Raises:
            ParameterError: The value is not a list.
        """
        value = self.value(name)
        if not isinstance(value.content, list):
            _unlike(value, name, "a list")
        return value.content

    def word(self, name: str) -> str:
        """Return the value of a parameter as a word.

        Raises:
            ParameterError: The value is not a word.
        """
        value = self.value(name)
        if not isinstance(value.content, str):
            _unlike(value, name, "a word")
        return value.content

    def inner(self, name: str, type_: str) -> "Parameters":
        """Return a reader for the block of type `type_` that is the value of the parameter `name`.

        Raises:
            ParameterError: The value is not a block of this type.
        """
        value = self.value(name)
        if not isinstance(value.content, Block) or value.content.type != type_:
            _unlike(value, name, f"a block of the type {type_}")
        return Parameters(value.content)

    def rest(self) -> Iterator[tuple[str, Value]]:
        """Yield each parameter that the import did not read; of a value that is a block, its parameters."""
        for name, value in self.block.parameters.items():
            if name not in self._taken:
                yield from _flat(name, value)


def _flat(name: str, value: Value) -> Iterator[tuple[str, Value]]:
    """Yield name and value of a parameter; if the value is a block, yield those in the block."""
    if not isinstance(value.content, Block):
        yield name, value
        return
    for inner, content in value.content.parameters.items():
        yield from _flat(f"{name}: {inner}", content)


def whole(value: Value, name: str, least: int, most: int = WHOLE_MAX) -> int:
    """Return a value as a whole number; ``5.0`` counts as whole.

    Raises:
        ParameterError: The value is not a whole number, or is out of range.
    """
    content = value.content
    if isinstance(content, float) and content.is_integer():
        content = int(content)
    if not isinstance(content, int) or not least <= content <= most:
        ends = f"of {least} or more" if most == WHOLE_MAX else f"from {least} to {most}"
        _unlike(value, name, f"a whole number {ends}")
    return content


def number(value: Value, name: str, least: float = 0.0, most: float = math.inf) -> float:
    """Return a value as a number.

    Raises:
        ParameterError: The value is not a number, or is out of range.
    """
    content = value.content
    if not isinstance(content, int | float) or not least <= content <= most or abs(content) > WHOLE_MAX:
        ends = "" if least == -math.inf else f" of {least:g} or more"
        ends = ends if most == math.inf else f" from {least:g} to {most:g}"
        _unlike(value, name, f"a number{ends}")
    return float(content)


def _unlike(value: Value, name: str, expected: str) -> NoReturn:
    fault(value.place, f"{name} = {text_of(value.content)}: expected {expected}")
