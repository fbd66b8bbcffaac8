"""The parameters of a block, taken one by one; what is left has no key here."""

import difflib
import math
from collections.abc import Iterator
from typing import NoReturn

from .tokens import Place, fault
from .values import Block, Value, text_of

#: More than any parameter counts, and exact as a float.
WHOLE_MAX = 10**15


class Parameters:
    """Reads a block strictly, and remembers which of its parameters have been read."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self._taken: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self.block.parameters

    def value(self, name: str) -> Value:
        """A parameter that has to be there.

        Raises:
            ParameterError: It is not.
        """
        if name not in self.block.parameters:
            near = difflib.get_close_matches(name, self.block.parameters, 1, 0.8)
            place = self.block.parameters[near[0]].place if near else self.block.place
            hint = f"; is {near[0]!r} meant to be it?" if near else ""
            fault(place, f"{self.block.type}: expected the parameter {name!r}, found none{hint}")
        self._taken.add(name)
        return self.block.parameters[name]

    def place(self, name: str) -> Place:
        """Where the value of a parameter stands."""
        return self.value(name).place

    def whole(self, name: str, least: int, most: int = WHOLE_MAX) -> int:
        """A whole number.

        Raises:
            ParameterError: It is none, or out of range.
        """
        return whole(self.value(name), name, least, most)

    def number(self, name: str, least: float = 0.0, most: float = math.inf) -> float:
        """A number.

        Raises:
            ParameterError: It is none, or out of range.
        """
        return number(self.value(name), name, least, most)

    def numbers(self, name: str, count: int) -> list[float]:
        """A list of that many numbers.

        Raises:
            ParameterError: It is none.
        """
        items = self.items(name)
        if len(items) != count:
            fault(self.place(name), f"{name}: expected {count} numbers, found {len(items)}")
        return [number(item, name, -math.inf) for item in items]

    def items(self, name: str) -> list[Value]:
        """A list.

        Raises:
            ParameterError: It is none.
        """
        value = self.value(name)
        if not isinstance(value.content, list):
            _unlike(value, name, "a list")
        return value.content

    def word(self, name: str) -> str:
        """A word.

        Raises:
            ParameterError: It is none.
        """
        value = self.value(name)
        if not isinstance(value.content, str):
            _unlike(value, name, "a word")
        return value.content

    def inner(self, name: str, type_: str) -> "Parameters":
        """A block of that type.

        Raises:
            ParameterError: It is none.
        """
        value = self.value(name)
        if not isinstance(value.content, Block) or value.content.type != type_:
            _unlike(value, name, f"a block of the type {type_}")
        return Parameters(value.content)

    def rest(self) -> Iterator[tuple[str, Value]]:
        """What has not been taken; the parameters of inner blocks each on its own."""
        for name, value in self.block.parameters.items():
            if name not in self._taken:
                yield from _flat(name, value)


def _flat(name: str, value: Value) -> Iterator[tuple[str, Value]]:
    """A parameter, or those of the block that it is."""
    if not isinstance(value.content, Block):
        yield name, value
        return
    for inner, content in value.content.parameters.items():
        yield from _flat(f"{name}: {inner}", content)


def whole(value: Value, name: str, least: int, most: int = WHOLE_MAX) -> int:
    """A value as a whole number, which may be written as a decimal.

    Raises:
        ParameterError: It is none, or out of range.
    """
    content = value.content
    if isinstance(content, float) and content.is_integer():
        content = int(content)
    if not isinstance(content, int) or not least <= content <= most:
        ends = f"of {least} or more" if most == WHOLE_MAX else f"from {least} to {most}"
        _unlike(value, name, f"a whole number {ends}")
    return content


def number(value: Value, name: str, least: float = 0.0, most: float = math.inf) -> float:
    """A value as a number.

    Raises:
        ParameterError: It is none, or out of range.
    """
    content = value.content
    if not isinstance(content, int | float) or not least <= content <= most or abs(content) > WHOLE_MAX:
        ends = "" if least == -math.inf else f" of {least:g} or more"
        ends = ends if most == math.inf else f" from {least:g} to {most:g}"
        _unlike(value, name, f"a number{ends}")
    return float(content)


def _unlike(value: Value, name: str, expected: str) -> NoReturn:
    fault(value.place, f"{name} = {text_of(value.content)}: expected {expected}")
