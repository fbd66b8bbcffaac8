"""Parser of libparam, the format of DiskSim's parameter files.

::

    file    = { TYPE NAME "{" parameters "}" | "instantiate" list "as" NAME | "topology" node }
    parameters = [ parameter { "," parameter } ]
    parameter  = ( WORD { WORD } | list ) "=" value          a list: the same value for several names
    value   = number | WORD | list | [ NAME ] TYPE "{" parameters "}" | node
    list    = "[" [ item { "," item } ] "]"                  item = value | WORD ".." WORD
    node    = TYPE NAME list
"""

import re
from collections.abc import Iterator
from pathlib import Path

from .tokens import Files, Place, Token, fault, shown
from .values import Block, Node, SetUp, Value, scalar

#: Largest depth of blocks and lists inside each other.
NESTING_MAX = 64
#: Largest number of names in a range such as ``disk0 .. disk17``.
RANGE_MAX = 10_000
_NUMBERED = re.compile(r"(?P<stem>.*?)(?P<number>\d{1,9})", re.ASCII | re.DOTALL)


def read_set_up(path: Path, files: Files) -> SetUp:
    """Read a parameter file, and all files that it includes by ``source``.

    Raises:
        ParameterError: The file does not follow the format; the message names the file and line.
        OSError: A file cannot be read.
    """
    return _Parser(path, files.tokens(path)).set_up()


class _Parser:
    def __init__(self, path: Path, tokens: Iterator[Token]) -> None:
        self._tokens = tokens
        #: Next token of the file, not yet parsed.
        self._now = next(tokens, None)
        self._behind: list[Token | None] = []
        self._last = Place(path, 1)
        self._depth = 0
        self._found = SetUp()

    def set_up(self) -> SetUp:
        while self._now is not None:
            if self._is("instantiate"):
                self._instantiate()
            elif self._is("topology"):
                self._next("")
                self._found.topology.append(self._node(self._word("a type")))
            else:
                self._define(self._word("the type of a block, 'instantiate' or 'topology'"))
        return self._found

    def _is(self, text: str) -> bool:
        return self._now is not None and self._now.text == text

    def _is_behind(self, text: str) -> bool:
        if not self._behind:
            self._behind.append(next(self._tokens, None))
        return self._behind[0] is not None and self._behind[0].text == text

    def _next(self, expected: str) -> Token:
        token = self._now
        if token is None:
            fault(self._last, f"expected {expected}, found the end of the file")
        self._last = token.place
        self._now = self._behind.pop() if self._behind else next(self._tokens, None)
        return token

    def _word(self, expected: str) -> Token:
        token = self._next(expected)
        if not token.is_word:
            fault(token.place, f"expected {expected}, found {token}")
        return token

    def _mark(self, mark: str, before: str = "") -> None:
        token = self._next(f"'{mark}'{before}")
        if token.text != mark:
            fault(token.place, f"expected '{mark}'{before}, found {token}")

    def _define(self, type_: Token) -> None:
        block = self._block(type_, self._word("the name of the block"))
        if block.name in self._found.blocks:
            first = self._found.blocks[block.name].place
            said = f"{block.name} is defined again and ignored, as DiskSim does; the first is at {first}"
            self._found.notes.append(f"{block.place}: {said}")
            return
        block.changes = self._found.blocks.get(block.type)
        if block.changes is not None:
            block.parameters = {**block.changes.parameters, **block.parameters}
        self._found.blocks[block.name] = block

    def _instantiate(self) -> None:
        place = self._next("").place
        names = self._list()
        if not self._is("as"):
            self._mark("as", " and the name of a block")
        self._next("")
        block = self._word("the name of a block")
        if block.text not in self._found.blocks:
            known = ", ".join(self._found.blocks) or "none"
            fault(block.place, f"expected a block that is defined before, found {block}; known: {known}")
        for name in names:
            if not isinstance(name.content, str):
                fault(place, "expected the names of components in the list")
            self._found.instances[name.content] = block.text

    def _block(self, type_: Token, name: Token | None) -> Block:
        parameters: dict[str, Value] = {}
        for _ in self._parts("{", "a parameter", "}", type_.place):
            names = self._names()
            self._mark("=")
            value = self._value()
            for given in names:
                if given.text in parameters:
                    fault(given.place, f"{given} is given twice, first at {parameters[given.text].place}")
                parameters[given.text] = value
        return Block(type_.text, name.text if name else "", parameters, type_.place)

    def _names(self) -> list[Token]:
        """Parse the name on the left of ``=``, or a list of names that get the same value."""
        if self._is("["):
            items = [(item.content, item.place) for item in self._list()]
            names = [Token(text, place, True) for text, place in items if isinstance(text, str)]
            if len(names) < len(items):
                fault(self._last, "expected the names of parameters in the list")
            return names
        first = self._word("the name of a parameter")
        name = first.text
        while not self._is("="):
            word = self._word(f"'=' behind {shown(name)}")
            name = f"{name} {word.text}"
        return [Token(name, first.place, True)]

    def _value(self) -> Value:
        opened = self._now
        if opened is not None and opened.text == "[":
            return Value(self._list(), opened.place)
        token = self._next("a value")
        if not token.is_word:
            fault(token.place, f"expected a value, found {token}")
        if self._is("{"):
            return Value(self._block(token, None), token.place)
        if self._now is not None and self._now.is_word and not self._is(".."):
            if self._is_behind("{"):
                return Value(self._block(token, self._next("")), token.place)
            if self._is_behind("["):
                return Value(self._node(token), token.place)
        return Value(scalar(token.text), token.place)

    def _list(self) -> list[Value]:
        return [item for _ in self._parts("[", "a value", "]") for item in self._items()]

    def _parts(self, opening: str, part: str, closing: str, place: Place | None = None) -> Iterator[None]:
        """Parse a list in brackets: yield before each element, which the caller parses, and skip commas."""
        self._mark(opening)
        self._depth += 1
        if self._depth > NESTING_MAX:
            fault(place or self._last, f"expected at most {NESTING_MAX} nested blocks and lists")
        while not self._is(closing):
            yield
            if self._is(closing):
                break
            self._mark(",", f" or '{closing}'")
            if self._is(closing):
                fault(self._next("").place, f"expected {part} after ',', found '{closing}'")
        self._next(f"'{closing}'")
        self._depth -= 1

    def _items(self) -> list[Value]:
        first = self._value()
        if not self._is(".."):
            return [first]
        self._next("")
        last = self._word("the last name of a range")
        ends = [_NUMBERED.fullmatch(str(name)) for name in (first.content, last.text)]
        if ends[0] is None or ends[1] is None or ends[0]["stem"] != ends[1]["stem"]:
            fault(
                last.place, f"expected a range such as disk0 .. disk3, found {first.content} .. {last.text}"
            )
        stem, numbers = ends[0]["stem"], range(int(ends[0]["number"]), int(ends[1]["number"]) + 1)
        if not 1 <= len(numbers) <= RANGE_MAX:
            fault(last.place, f"expected a range of 1 to {RANGE_MAX:,} names, found {len(numbers):,}")
        return [Value(f"{stem}{number}", first.place) for number in numbers]

    def _node(self, type_: Token) -> Node:
        name = self._word("the name of a component")
        return Node(type_.text, name.text, self._list(), type_.place)
