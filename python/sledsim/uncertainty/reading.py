"""Reading of an expression's text from left to right; error messages mark the place by a caret."""

import re
from typing import NoReturn

from .. import _native

#: Largest number of characters in an expression.
MOST_CHARACTERS = 1000
#: Largest number of characters before and after the place of an error that the message shows.
_SHOWN = 50

_SPACE = re.compile(r"\s*")
_NUMBER = re.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
#: Pattern of names of policies, devices or volumes, with options, that can be written without quotes.
BARE = re.compile(r"[A-Za-z0-9_.:=*+/@%~-]+")


class Reader:
    """Reader of the text of an expression, with the place that it has reached.

    Attributes:
        what: Name of the text, with which error messages begin.
        text: The whole text.
        place: Index in the text of the next character to read, which is never a space.

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
        """Skip this number of characters, and the spaces after them."""
        space = _SPACE.match(self.text, self.place + characters)
        assert space is not None, "no space is space, too"
        self.place = space.end()

    def sign(self, *signs: str) -> str:
        """Read the first of `signs` that comes next in the text, and return it; ``""`` if none does."""
        for sign in signs:
            if self.text.startswith(sign, self.place):
                self.advance(len(sign))
                return sign
        return ""

    def word(self, *words: str) -> str:
        """Return the next word if `words` has it, or any word without `words`; otherwise ``""``."""
        found = _WORD.match(self.text, self.place)
        if found is None or (words and found[0] not in words):
            return ""
        self.advance(len(found[0]))
        return found[0]

    def matched(self, pattern: re.Pattern[str]) -> str:
        """Read what comes next in the text and matches a pattern, and return it; ``""`` without a match."""
        found = pattern.match(self.text, self.place)
        if found is None:
            return ""
        self.advance(len(found[0]))
        return found[0]

    def number(self) -> str:
        """Read the number that comes next in the text, and return it as text; ``""`` if none comes next."""
        return self.matched(_NUMBER)

    def is_at_end(self) -> bool:
        """Return True if the end of the text is reached."""
        return self.place == len(self.text)

    def following(self) -> str:
        """Return what comes next in the text (word, number or sign), quoted for a message, or ``the end``."""
        if self.is_at_end():
            return "the end"
        for pattern in (_NUMBER, _WORD):
            found = pattern.match(self.text, self.place)
            if found is not None:
                return f"{found[0][:_SHOWN]!r}"
        return f"{self.text[self.place]!r}"

    def fail(self, expected: str, found: str | None = None, at: int | None = None) -> NoReturn:
        """Raise an error with what was expected and found, and with a caret below the place in the text.

        Raises:
            ParameterError: Always raised.
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
