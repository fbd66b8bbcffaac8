"""Members of a served volume; each member keeps its contents in a file of one folder."""

import json
import secrets
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from .. import _native
from ..common.checked import WrongError, array, load, record, text, whole
from ..common.command_files import note_written
from ..common.output_files import PathLike, check_file, naming, writing
from ..model.volumes import Target, Volume
from .power_cut import PowerCut
from .served import ratio

#: Name of the file that describes the volume, in the folder of the members.
ABOUT = "volume.json"
_FORMAT = "sledsim members 1"
_ABOUT = record(format=text, volume=text, members=array(text), salt=whole())
_SALTS = 2**63


@dataclass(frozen=True)
class Members:
    """Members of a served volume that keep the volume's contents.

    Attributes:
        files: Path of each member's file; empty if the members keep their contents in memory.
        salt: Random number that identifies the metadata that this volume writes to its members.
        restart: Reads by which the volume recovers from its members when the server starts
            (`Volume.restart`); empty if the members are new.
        were_used: True if an earlier server has stored contents on the members.
    """

    files: list[Path]
    salt: int
    restart: list[dict[str, Any]]
    were_used: bool

    @property
    def native(self) -> SimpleNamespace:
        """Members as the argument that the server of the core takes."""
        return SimpleNamespace(files=self.files, salt=self.salt, were_used=self.were_used)

    def restarts_s(self, time_scale: str) -> float:
        """Return the seconds of the clock that recovery takes, with all members read in parallel."""
        return max((row["time_s"] for row in self.restart), default=0.0) * float(ratio(time_scale))


def members_of(
    device: Target,
    folder: PathLike | None,
    *,
    image: PathLike | None,
    history: PathLike | None,
    cache: str,
    is_read_only: bool,
    power_cut: PowerCut,
) -> Members | None:
    """Return the members that keep a volume's contents; None if the server keeps the contents itself.

    Members keep the contents if a folder is given, or if a power failure is planned. Missing files are
    created.

    Raises:
        ParameterError: Two options exclude each other, or the folder has other files, or members of another
            volume.
        OSError: A file cannot be read or written.
    """
    if folder is None and not (isinstance(device, Volume) and power_cut.is_planned):
        return None
    if not isinstance(device, Volume):
        raise _native.ParameterError(
            f"members: expected a volume, found {device.name}, which keeps its contents in one file"
        )
    wrong = "members: the members of the volume keep the contents"
    for found, instead in (
        (image is not None, "expected no image in addition; a volume needs only --members FOLDER"),
        (history is not None, "expected no history, which only a single device can have"),
        (cache != "none", f"expected cache none, as the volume has its own cache, found {cache}"),
        (is_read_only, "expected no read-only server, as the volume writes by itself"),
    ):
        if found:
            raise _native.ParameterError(f"{wrong}: {instead}")
    if folder is None:
        return Members([], secrets.randbelow(_SALTS), [], were_used=False)
    path = Path(folder)
    if path.exists() and not path.is_dir():
        raise _native.ParameterError(f"{path}: expected a folder for the members of a volume, found a file")
    with naming(path):
        path.mkdir(parents=True, exist_ok=True)
        there = sorted(entry.name for entry in path.iterdir())
    if ABOUT in there:
        return _found(device, path)
    if there:
        raise _native.ParameterError(
            f"{path}: expected an empty folder, or a folder with the members of a volume, found {there[0]}"
        )
    return _made(device, path)


def _made(device: Volume, folder: Path) -> Members:
    """Create the folder's files for new members, which have no contents yet."""
    names, salt = [row["member"] for row in device.restart()], secrets.randbelow(_SALTS)
    if any("/" in name for name in names):
        raise _native.ParameterError(
            f"members: expected a volume of devices, found a volume of volumes: {device.name}"
        )
    files = [_file(folder, name) for name in names]
    about = {"format": _FORMAT, "volume": device.name, "members": names, "salt": salt}
    with writing(folder / ABOUT) as file:
        file.write((json.dumps(about, indent=2) + "\n").encode())
    for path in files:
        with naming(path):
            path.touch()
    return Members(files, salt, [], were_used=False)


def _found(device: Volume, folder: Path) -> Members:
    """Check the files of members that the volume has used before, and return these members."""
    path = folder / ABOUT
    check_file(path)
    # The file is part of the folder that the user named, and thus no separate input.
    note_written(path)
    content = _native.read_text(path).encode()
    try:
        about = _ABOUT("", load("", content))
    except WrongError as error:
        raise _native.ParameterError(f"{path}: {error}") from None
    if about["format"] != _FORMAT:
        raise _native.ParameterError(f"{path}: format: expected {_FORMAT!r}, found {about['format']!r}")
    restart = device.restart()
    for key, expected, found in (
        ("volume", about["volume"], device.name),
        ("members", about["members"], [row["member"] for row in restart]),
    ):
        if found != expected:
            raise _native.ParameterError(
                f"{path}: the folder belongs to another volume: expected {key} {expected}, found {found}"
            )
    files = [_file(folder, name) for name in about["members"]]
    for file in files:
        if not file.is_file():
            found = "another kind of file" if file.exists() else "no such file"
            raise _native.ParameterError(
                f"{file}: expected a file with the contents of a member, found {found}"
            )
    return Members(files, about["salt"], restart, were_used=any(file.stat().st_size for file in files))


def _file(folder: Path, name: str) -> Path:
    return folder / f"{name.replace(' ', '-')}.img"
