"""What goes to a terminal: text that says what it is, and moves no cursor."""

import re
from collections.abc import Iterator
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

#: Controls of C0 and C1 but tabs and ends of lines, marks that turn the direction of writing, and halves of
#: characters, which no encoding has.
_UNSEEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def seen(text: str) -> str:
    """A text with control characters escaped: names of devices and traces come from anywhere."""
    return _UNSEEN.sub(lambda found: found.group().encode("unicode_escape").decode(), text)


def in_line(text: str) -> str:
    """A text as one line, with control characters escaped."""
    return seen(text).replace("\n", "\\n")


class Terminal(Console):
    """The only way to stdout and stderr: nothing that is printed is taken for markup or for a command."""

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, highlight=False, emoji=False, **options)

    def render_str(self, text: str, **options: Any) -> Text:
        """As rich does it, which would leave out bells and carriage returns without a word."""
        return super().render_str(seen(text), **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        """As rich does it, with every text written out; what is of rich itself, such as a colour, stays."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(seen(segment.text), segment.style)
