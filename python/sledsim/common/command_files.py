"""The files of a command, none of which takes the place of another: read, written, and made beside those."""

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from .. import _native

#: A path as a user may give it.
PathLike = str | os.PathLike[str]
#: Standard input, where a path is asked for.
STANDARD_INPUT = "-"
#: What files are called in errors that are not named on the command line.
_INPUT, _OUTPUT = "an input", "an output"


class Claim(NamedTuple):
    """A path that is there for a purpose.

    Attributes:
        name: The option, argument or key that names it.
        path: The file or folder.
        is_written: Whether something is written there, not read.
        beside: The endings of further files that are made beside it.
        has_files: Whether it is a folder all of whose files are made for this purpose.
    """

    name: str
    path: Path
    is_written: bool
    beside: tuple[str, ...] = ()
    has_files: bool = False

    @property
    def paths(self) -> list[Path]:
        """The path, and those of the files beside it; there are none beside a folder without a name."""
        if not self.path.name:
            return [self.path]
        return [self.path, *(self.path.with_name(self.path.name + ending) for ending in self.beside)]


class Register:
    """The files that a command has claimed.

    Files are the same where they have one place, links followed, or one device and inode. Character devices,
    pipes and folders may have several purposes.
    """

    def __init__(self) -> None:
        self._read: dict[object, Claim] = {}
        self._written: dict[object, Claim] = {}
        self._made: set[str] = set()
        # Folders whose files have names of their own, each with the place and the files that it had.
        self._folders: list[tuple[Claim, str, set[object]]] = []
        # What a shell puts there is read by a command that is told '-'.
        with suppress(OSError):
            about = os.fstat(0)
            if stat.S_ISREG(about.st_mode):
                self._read[about.st_dev, about.st_ino] = Claim("standard input", Path(STANDARD_INPUT), False)
        _native.read_files()

    def claim(self, claim: Claim) -> None:
        """Keep a path for a purpose.

        Raises:
            ParameterError: It is the file of another purpose, or one of both is in a folder of the other one
                whose files have names of their own.
        """
        others = [self._written, self._read] if claim.is_written else [self._written]
        for path in claim.paths:
            for claims in others:
                for before in _found(claims, path):
                    raise _two(before, claim, path)
        if claim.has_files:
            self._folders.append((claim, os.path.realpath(claim.path), _files_of(claim.path)))
            for before in {id(one): one for claims in others for one in claims.values()}.values():
                self._check_within(before, self._folders[-1:])
        self._check_within(claim, self._folders)
        for path in claim.paths:
            (self._written if claim.is_written else self._read).update(dict.fromkeys(_keys(path), claim))

    def read(self, path: Path, name: str = _INPUT) -> None:
        """Keep a file that is read; one that the command has written itself is none of its inputs.

        Raises:
            ParameterError: It is to be written by this command.
        """
        if os.path.realpath(path) not in self._made:
            self.claim(Claim(name, path, False))

    def read_by_core(self) -> None:
        """Keep the files that the core has read since the last time.

        Raises:
            ParameterError: One of them is to be written by this command.
        """
        for file in map(Path, _native.read_files()):
            if not _found(self._read, file):
                self.read(file)

    def check_written(self, path: Path) -> None:
        """Find out whether a file can be written, which may be one in a folder that was claimed.

        Raises:
            ParameterError: It is an input, or has been written for another purpose.
        """
        self.read_by_core()
        named = [claim.path.absolute() for claim in _found(self._written, path)]
        if path.is_symlink() and not _has_room(path) and path.absolute() not in named:
            raise _native.ParameterError(
                f"{path}: expected a file, found a link to {os.path.realpath(path)}: a command writes"
                " through a link only where that is named"
            )
        purposes = [*_found(self._written, path), *self._folders_of(path)]
        claim = purposes[0] if purposes else Claim(_OUTPUT, path, True)
        for before in _found(self._read, path):
            raise _two(before, claim, path)
        if len(purposes) > 1 and os.path.realpath(path) in self._made:
            raise _two(claim, purposes[1], path)

    def written(self, path: Path) -> None:
        """Note that a file has been written, which may be read from now on."""
        self._made.add(os.path.realpath(path))

    def _folders_of(self, path: Path) -> list[Claim]:
        """The folders to be written that a path lies in."""
        above = map(str, Path(os.path.realpath(path)).parents)
        return [self._written[place] for place in above if place in self._written]

    def _check_within(self, claim: Claim, folders: Sequence[tuple[Claim, str, set[object]]]) -> None:
        """Refuse a file in one of these folders; a hard link to one of their files is one."""
        for folder, place, files in folders:
            if folder is claim or (not folder.is_written and not claim.is_written):
                continue
            for path in claim.paths:
                if place in map(str, Path(os.path.realpath(path)).parents) or files & {*_keys(path)}:
                    raise _native.ParameterError(
                        f"{folder.name} and {claim.name}: expected a file outside of the folder"
                        f" {folder.path}, whose files {folder.name} makes, found {path}"
                    )


#: Those of the command that is run, and of commands that it runs; a library has none.
_REGISTERS: list[Register] = []


@contextmanager
def registered() -> Iterator[Register]:
    """Hold apart what is read and what is written, until the block ends."""
    register = Register()
    _REGISTERS.append(register)
    try:
        yield register
    finally:
        _REGISTERS.remove(register)


def claim_read(path: PathLike) -> None:
    """Say that a command reads a file, which none of its outputs may replace.

    Raises:
        ParameterError: It is to be written by this command.
    """
    for register in _REGISTERS:
        register.read(Path(path))


def claim_read_by_core() -> None:
    """Say that a command reads what the core has read until now, such as the files that a file names.

    Raises:
        ParameterError: One of them is to be written by this command.
    """
    for register in _REGISTERS:
        register.read_by_core()


def claim_written(path: PathLike) -> None:
    """Say that a command is about to write a file.

    Raises:
        ParameterError: The command reads it, or it is a link that was not named on the command line.
    """
    for register in _REGISTERS:
        register.check_written(Path(path))


def note_written(path: PathLike) -> None:
    """Say that a command has written a file, which it may read from now on."""
    for register in _REGISTERS:
        register.written(Path(path))


def _keys(path: Path) -> list[object]:
    """What a file is known by: its place, and its device and inode if it is there."""
    keys: list[object] = [os.path.realpath(path)]
    try:
        about = path.stat()
    except (OSError, ValueError):
        return keys
    return [*keys, (about.st_dev, about.st_ino)]


def _found(claims: Mapping[object, Claim], path: Path) -> list[Claim]:
    """The claim of a file, if there is one; none of what takes several purposes."""
    found = [claims[key] for key in _keys(path) if key in claims]
    return [] if _has_room(path) else found[:1]


def _two(one: Claim, other: Claim, path: Path) -> _native.ParameterError:
    """What is said of one file for two purposes; `path` is that of the second."""
    made = [claim.name for claim in (one, other) if claim.is_written and not _is_named(claim, path)]
    here = path.absolute()
    why = f", which {made[0]} makes" if made else ""
    if not made and (names := [claim.path for claim in (one, other) if claim.path.absolute() != here]):
        why = f", which is {names[0]}" if names[0] != Path(STANDARD_INPUT) else ""
    # As it was typed, if it was.
    same = [claim.path for claim in (one, other) if claim.path.absolute() == here]
    return _native.ParameterError(
        f"{one.name} and {other.name}: expected two files, found one for both:"
        f" {min([path, *same], key=lambda path: len(str(path)))}{why}"
    )


def _is_named(claim: Claim, path: Path) -> bool:
    return bool({*_keys(claim.path)} & {*_keys(path)})


def _files_of(folder: Path) -> set[object]:
    """What the files of a folder are known by."""
    return {key for file in folder.iterdir() for key in _keys(file)} if folder.is_dir() else set()


def _has_room(path: Path) -> bool:
    """Tell whether a path is a folder, a character device or a pipe, where one thing replaces no other."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISDIR(mode) or stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)
