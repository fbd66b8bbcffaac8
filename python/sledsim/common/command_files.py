"""Register of the files that a command reads and writes: an output must not replace another file of it."""

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from .. import _native

#: A path as a user may give it.
PathLike = str | os.PathLike[str]
#: Text that stands for standard input where a path is expected.
STANDARD_INPUT = "-"
#: Names that error messages use for an input and an output file that the user did not name.
_INPUT, _OUTPUT = "an input", "an output"


class Claim(NamedTuple):
    """A path that a command reads or writes for one purpose.

    Attributes:
        name: Option, argument or key of a file that names the path, for error messages.
        path: The file or folder.
        is_written: True if the path is written, False if it is read.
        beside: Endings that, added to the path, name further files which the command writes, such as
            ``.part``.
        has_files: True if the path is a folder in which only this option or argument may write files.
    """

    name: str
    path: Path
    is_written: bool
    beside: tuple[str, ...] = ()
    has_files: bool = False

    @property
    def paths(self) -> list[Path]:
        """The path, and the further files that the command writes next to it."""
        if not self.path.name:
            return [self.path]
        return [self.path, *(self.path.with_name(self.path.name + ending) for ending in self.beside)]


class Register:
    """Register of the files that a command reads and writes.

    Two paths are the same file if they resolve to the same path or have the same device and inode. Only
    character devices, pipes and folders may have several purposes.
    """

    def __init__(self) -> None:
        self._read: dict[object, Claim] = {}
        self._written: dict[object, Claim] = {}
        self._made: set[str] = set()
        # Folders of named files, each with its resolved path and the files in it.
        self._folders: list[tuple[Claim, str, set[object]]] = []
        # A shell redirects a file to standard input, which a command with '-' reads.
        with suppress(OSError):
            about = os.fstat(0)
            if stat.S_ISREG(about.st_mode):
                self._read[about.st_dev, about.st_ino] = Claim("standard input", Path(STANDARD_INPUT), False)
        _native.read_files()

    def claim(self, claim: Claim) -> None:
        """Register a path with its purpose.

        Raises:
            ParameterError: Another option names the same file, or the path is in a folder in which only
                another option may write.
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
        """Register a file that the command reads; a file that this command has written before may be read.

        Raises:
            ParameterError: The command is registered to write this file.
        """
        if os.path.realpath(path) not in self._made:
            self.claim(Claim(name, path, False))

    def read_by_core(self) -> None:
        """Register the files that the Rust core has read since the last call.

        Raises:
            ParameterError: The command is registered to write one of these files.
        """
        for file in map(Path, _native.read_files()):
            if not _found(self._read, file):
                self.read(file)

    def check_written(self, path: Path) -> None:
        """Check that the command may write a file now, whether or not the file is registered as an output.

        Raises:
            ParameterError: The command also reads this file, or has already written it for another option.
        """
        self.read_by_core()
        named = [claim.path.absolute() for claim in _found(self._written, path)]
        if path.is_symlink() and not _has_room(path) and path.absolute() not in named:
            raise _native.ParameterError(
                f"{path}: expected a file, found a link to {os.path.realpath(path)}: a command writes"
                " to the target of a link only if the user named the link"
            )
        purposes = [*_found(self._written, path), *self._folders_of(path)]
        claim = purposes[0] if purposes else Claim(_OUTPUT, path, True)
        for before in _found(self._read, path):
            raise _two(before, claim, path)
        if len(purposes) > 1 and os.path.realpath(path) in self._made:
            raise _two(claim, purposes[1], path)

    def written(self, path: Path) -> None:
        """Register that the command has finished writing a file, so that it may read the file from now on."""
        self._made.add(os.path.realpath(path))

    def _folders_of(self, path: Path) -> list[Claim]:
        """Return the claims on folders, to be written by the command, that contain a path."""
        above = map(str, Path(os.path.realpath(path)).parents)
        return [self._written[place] for place in above if place in self._written]

    def _check_within(self, claim: Claim, folders: Sequence[tuple[Claim, str, set[object]]]) -> None:
        """Check that a path is outside each of these folders, and no hard link to a file in one."""
        for folder, place, files in folders:
            if folder is claim or (not folder.is_written and not claim.is_written):
                continue
            for path in claim.paths:
                if place in map(str, Path(os.path.realpath(path)).parents) or files & {*_keys(path)}:
                    raise _native.ParameterError(
                        f"{folder.name} and {claim.name}: {path} is in the folder {folder.path}, whose files"
                        f" {folder.name} writes: expected a file outside of this folder"
                    )


#: Registers of the running command and of commands that it runs; empty if a user's program imports sledsim.
_REGISTERS: list[Register] = []


@contextmanager
def registered() -> Iterator[Register]:
    """During the block, keep a register of the files that the command reads and writes."""
    register = Register()
    _REGISTERS.append(register)
    try:
        yield register
    finally:
        _REGISTERS.remove(register)


def claim_read(path: PathLike) -> None:
    """Register a file that the command reads, so that no output replaces it.

    Raises:
        ParameterError: The command is registered to write this file.
    """
    for register in _REGISTERS:
        register.read(Path(path))


def claim_read_by_core() -> None:
    """Register all files that the Rust core has read so far, such as files named in a device file.

    Raises:
        ParameterError: The command is registered to write one of these files.
    """
    for register in _REGISTERS:
        register.read_by_core()


def claim_written(path: PathLike) -> None:
    """Check a file that the command is about to write.

    Raises:
        ParameterError: The command also reads this file, or the path is a link that the user did not type.
    """
    for register in _REGISTERS:
        register.check_written(Path(path))


def note_written(path: PathLike) -> None:
    """Register that the command has finished writing a file, so that it may read the file from now on."""
    for register in _REGISTERS:
        register.written(Path(path))


def _keys(path: Path) -> list[object]:
    """Return what identifies a file: its resolved path and, if it exists, device and inode numbers."""
    keys: list[object] = [os.path.realpath(path)]
    try:
        about = path.stat()
    except (OSError, ValueError):
        return keys
    return [*keys, (about.st_dev, about.st_ino)]


def _found(claims: Mapping[object, Claim], path: Path) -> list[Claim]:
    """Return the claim on a file in a list; empty without a claim, or if several are allowed."""
    found = [claims[key] for key in _keys(path) if key in claims]
    return [] if _has_room(path) else found[:1]


def _two(one: Claim, other: Claim, path: Path) -> _native.ParameterError:
    """Make the error about a file that two options name; `path` is the file as the second option names it."""
    made = [claim.name for claim in (one, other) if claim.is_written and not _is_named(claim, path)]
    here = path.absolute()
    why = f", which {made[0]} makes" if made else ""
    if not made and (names := [claim.path for claim in (one, other) if claim.path.absolute() != here]):
        why = f", which is {names[0]}" if names[0] != Path(STANDARD_INPUT) else ""
    # Prefer the path that the user typed.
    same = [claim.path for claim in (one, other) if claim.path.absolute() == here]
    return _native.ParameterError(
        f"{one.name} and {other.name}: expected two files, found the same file:"
        f" {min([path, *same], key=lambda path: len(str(path)))}{why}"
    )


def _is_named(claim: Claim, path: Path) -> bool:
    return bool({*_keys(claim.path)} & {*_keys(path)})


def _files_of(folder: Path) -> set[object]:
    """Return all identifications (see `_keys`) of the files in a folder."""
    return {key for file in folder.iterdir() for key in _keys(file)} if folder.is_dir() else set()


def _has_room(path: Path) -> bool:
    """Return True if several options may name a path: a folder, a character device or a pipe."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISDIR(mode) or stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)
