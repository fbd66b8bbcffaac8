"""The text of an expression, read from left to right; errors show the place by a caret."""

import re
from typing import NoReturn

from .. import _native

#: Largest number of characters in an expression.
MOST_CHARACTERS = 1000
#: Number of characters of a long text that an error shows on each side of the place.
_SHOWN = 50

_SPACE = re.compile(r"\s*")
_NUMBER = re.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
#: Name of a policy, a device or a volume, with options after a colon.
BARE = re.compile(r"[A-Za-z0-9_.:=*+/@%~-]+")


class Reader:
    """A place in a text, and the text after it.

    Attributes:
        what: Name of the text, for errors.
        text: The whole text.
        place: Number of characters before the next one that is not a space.

    Raises:
        ParameterError: The argument is not a text, or is too long.
    """

    def __init__(self, what: str, text: str) -> None:
        if not isinstance(text, str):
            raise _native.ParameterError(f"{what}: expected a text, found {type(text).__name__}")
        if len(text) > MOST_CHARACTERS:
            raise _native.ParameterError(
                f"{what}: expected up to {MOST_CHARACTERS} characters, found {len(text)}"
            )
        self.what = what
        self.text = text
        self.place = 0
        self.advance(0)

    def advance(self, characters: int) -> None:
        """Skip a number of characters and the space after them."""
        space = _SPACE.match(self.text, self.place + characters)
        assert space is not None, "no space is space, too"
        self.place = space.end()

    def sign(self, *signs: str) -> str:
        """Read one of some signs if it comes next, the first that matches; return an empty text otherwise."""
        for sign in signs:
            if self.text.startswith(sign, self.place):
                self.advance(len(sign))
                return sign
        return ""

    def word(self, *words: str) -> str:
        """Read the next word if it is among the given words, or any word if no words are given."""
        found = _WORD.match(self.text, self.place)
        if found is None or (words and found[0] not in words):
            return ""
        self.advance(len(found[0]))
        return found[0]

    def matched(self, pattern: re.Pattern[str]) -> str:
        """Read the next text that matches a pattern."""
        found = pattern.match(self.text, self.place)
        if found is None:
            return ""
        self.advance(len(found[0]))
        return found[0]

    def number(self) -> str:
        """Read the digits of the next number."""
        return self.matched(_NUMBER)

    def is_at_end(self) -> bool:
        """Return True at the end of the text."""
        return self.place == len(self.text)

    def following(self) -> str:
        """Describe the next text for errors: a word, a number, a sign or the end."""
        if self.is_at_end():
            return "the end"
        for pattern in (_NUMBER, _WORD):
            found = pattern.match(self.text, self.place)
            if found is not None:
                return f"{found[0][:_SHOWN]!r}"
        return f"{self.text[self.place]!r}"

    def fail(self, expected: str, found: str | None = None, at: int | None = None) -> NoReturn:
        """Raise an error with the expected and the found text, and a caret at the place.

        Raises:
            ParameterError: Always.
        """
        place = self.place if at is None else at
        first = max(0, place - _SHOWN)
        shown = "".join(
            one if one.isprintable() and not one.isspace() else " "
            for one in self.text[first : place + _SHOWN]
        )
        raise _native.ParameterError(
            f"{self.what}: expected {expected}, found {self.following() if found is None else found}\n"
            f"  {shown.rstrip()}\n  {' ' * (place - first)}^"
        )
