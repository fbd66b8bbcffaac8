"""The paths of a command, none of which takes the place of another: read, written, and made beside those."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ..common.claims import Claim, Register
from ..common.files import STANDARD_OUTPUT

#: The options that name what a command writes, with the endings of the files that it makes beside each.
WRITTEN: dict[str, tuple[str, ...]] = {
    "--certificate": (),
    "--file": (".unreadable",),
    "--history": (".part",),
    "--keep": (),
    "--members": (),
    "--out": (".unreadable",),
    "--perfetto": (),
    "--power": (),
    "--record": (),
    "--report": (),
    "--socket": (),
}
#: Those that are folders whose files the command names; nothing else may stand in them.
FOLDERS = ("--members",)
#: The other options that are paths, and are only read.
READ = ("--faults", "--files", "--space", "--traces")


def claim_paths(register: Register, parameters: Iterable[Any], values: dict[str, Any]) -> None:
    """Claim the paths of a command line.

    Args:
        register: The files of the command.
        parameters: Those of the command.
        values: What each is given, by its name.

    Raises:
        ParameterError: Two are one file, or one is in a folder of files that the command makes.
    """
    for one in parameters:
        for claim in _claims(one, values.get(one.name)):
            register.claim(claim)


def _claims(parameter: Any, value: object) -> Iterator[Claim]:
    """The paths that a parameter names."""
    name = max(parameter.opts, key=len)
    beside = WRITTEN.get(name)
    for given in value if isinstance(value, list | tuple) else (value,):
        # Traces, devices and the like have names, too; an output that may be standard output is a text.
        is_path = isinstance(given, Path) or (
            isinstance(given, str) and (beside is not None or _is_file(given))
        )
        if is_path and str(given) != STANDARD_OUTPUT:
            yield Claim(name, Path(given), beside is not None, beside or (), name in FOLDERS)


def _is_file(text: str) -> bool:
    """Tell whether a text is the path of a file, as no name of something built in is."""
    is_path = os.sep in text or os.extsep in text
    try:
        return is_path and Path(text).is_file()
    except (OSError, ValueError):
        return False
