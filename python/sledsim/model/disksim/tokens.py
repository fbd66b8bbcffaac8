"""Words and punctuation of DiskSim's parameter files, with included files (``source NAME``) inserted."""

import codecs
import errno
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, NoReturn

from ... import _native
from ...common.command_files import claim_read

#: Largest size of all files together, in bytes; larger files would take long to read.
BYTES_MAX = 2 << 20
#: Largest depth of files that include another file by ``source``; DiskSim has the same limit.
DEPTH_MAX = 32
#: Largest number of files of one import.
FILES_MAX = 1000
#: Largest number of characters of a word in a file.
WORD_MAX = 1000
#: Largest number of characters of a wrong word that an error message shows.
_SHOWN = 40
_CONTROL = re.compile(r"[\0-\x08\x0b\x0e-\x1f\x7f-\x9f]")
_TOKEN = re.compile(
    r"(?P<line>\n)|(?P<comment>#[^\n]*)|(?P<mark>[;{},\[\]:?=])|(?P<word>[^\s;{},\[\]:?=]+)|(?P<space>[^\S\n]+)"
)


class Place(NamedTuple):
    """A line of a file, counted from 1."""

    path: Path
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"

    @property
    def short(self) -> str:
        """Line as ``NAME:LINE``, without the folder, for texts that may be read on another machine."""
        return f"{self.path.name}:{self.line}"


class Token(NamedTuple):
    """A word or a punctuation mark, with its place."""

    text: str
    place: Place
    is_word: bool

    def __str__(self) -> str:
        return shown(self.text)


def shown(text: str) -> str:
    """Return a text in quotes, shortened if it is long."""
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")


def fault(place: object, said: str) -> NoReturn:
    """Raise an error with the place, a line of a file, and the text `said`.

    Raises:
        ParameterError: Always raised; the message begins with file and line.
    """
    raise _native.ParameterError(f"{place}: {said}")


class Files:
    """Reader of all files of one import, which limits their total size, their number and their nesting."""

    def __init__(self) -> None:
        self._open: list[str] = []
        self._bytes = 0
        #: Files that were read, in the order of reading.
        self.paths: list[Path] = []

    def tokens(self, path: Path, asked_by: Place | None = None) -> Iterator[Token]:
        """Yield the words and marks of a file and of the files that it includes, in order.

        Raises:
            ParameterError: A file is not text, is too large, or includes itself.
            OSError: A file cannot be read.
        """
        here = os.path.realpath(path)
        if here in self._open:
            circle = " -> ".join(map(os.path.basename, (*self._open[self._open.index(here) :], here)))
            fault(asked_by, f"source {path.name}: the files include each other in a circle: {circle}")
        if len(self._open) >= DEPTH_MAX:
            fault(asked_by, f"source {path.name}: expected at most {DEPTH_MAX} nested files")
        text = self.text(path, asked_by)
        self._open.append(here)
        source: Place | None = None
        for token in _split(path, text):
            if source is not None:
                if not token.is_word:
                    fault(token.place, f"expected the name of a file after 'source', found {token}")
                yield from self.tokens(path.parent / token.text, source)
                source = None
            elif token.text == "source":
                source = token.place
            else:
                yield token
        if source is not None:
            fault(source, "expected the name of a file after 'source', found the end of the file")
        self._open.pop()

    def text(self, path: Path, asked_by: Place | None = None) -> str:
        """Read a file as text.

        Raises:
            ParameterError: The file is not text, or the files together are too large.
            OSError: The file cannot be read; the message names the file that includes it.
        """
        try:
            # A pipe or a device would never end.
            if not (path.is_file() or path.is_dir()) and path.exists():
                raise OSError(errno.EINVAL, "is a device or a pipe, not a file", os.fspath(path))
            claim_read(path)
            with path.open("rb") as file:
                data = file.read(BYTES_MAX + 1 - self._bytes)
        except OSError as error:
            if asked_by is None:
                raise
            raise OSError(f"{asked_by}: cannot read {os.fspath(path)}: {error.strerror or error}") from error
        self._bytes += len(data)
        self.paths.append(path)
        if self._bytes > BYTES_MAX:
            fault(path, f"expected at most {BYTES_MAX >> 20} MiB of parameter files")
        if len(self.paths) > FILES_MAX:
            fault(asked_by, f"expected at most {FILES_MAX:,} files")
        return _decoded(path, data)


def _decoded(path: Path, data: bytes) -> str:
    """Decode a file as UTF-8; other bytes are allowed in comments, but control characters are an error."""
    text = data.removeprefix(codecs.BOM_UTF8).decode("utf-8", errors="replace")
    if strange := _CONTROL.search(text):
        line = text.count("\n", 0, strange.start()) + 1
        fault(Place(path, line), f"expected text, found the control character {ord(strange.group()):#04x}")
    return text


def _split(path: Path, text: str) -> Iterator[Token]:
    place = Place(path, 1)
    for match in _TOKEN.finditer(text):
        if match.lastgroup == "line":
            place = Place(path, place.line + 1)
        elif match.lastgroup in ("mark", "word"):
            word = match.group()
            if len(word) > WORD_MAX:
                fault(place, f"expected words of at most {WORD_MAX:,} characters, found {shown(word)}")
            yield Token(word, place, match.lastgroup == "word")
