"""Merging of ledger files into one file with one row per key."""

import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from ..common.output_files import PathLike, make_folder, writing
from .contents import ENDING, Contents
from .ledger import _lock, check_own
from .lines import HEAD, line_of


def merge(folder: PathLike, others: Sequence[PathLike] = (), name: str = "study") -> Contents:
    """Merge all ledger files in some folders into one file: one row per key, sorted by key.

    Args:
        folder: Folder for the merged file, which replaces all ledger files of this folder.
        others: Further folders with ledger files to merge; these files are only read.
        name: Name of the merged file, without ending.

    Returns:
        The contents before the merge. If two rows with the same key have different figures, no file is
        written.

    Raises:
        ParameterError: A file is no ledger.
        OSError: A file cannot be read or written, or a process is writing to a file of the folder.
    """
    make_folder(folder)
    target = Path(folder) / f"{name}{ENDING}"
    with ExitStack() as locks:
        for path in sorted(Path(folder).glob(f"*{ENDING}")):
            check_own(path)
            file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            locks.callback(os.close, file)
            _lock(file, path)
        found = Contents.of([folder, *others])
        if found.disagreements:
            return found
        with writing(target, is_locked=True) as merged:
            merged.write(line_of(HEAD))
            for study, definition in found.studies.items():
                merged.write(line_of({"study": study, "definition": definition}))
            named = set()
            for row in found.written_rows():
                merged.write(line_of(row))
                named.add((row["study"], row["number"]))
            for study in sorted(found.numbers):
                for number, key in sorted(found.numbers[study].items()):
                    if (study, number) not in named:
                        merged.write(line_of({"key": key.hex(), "study": study, "number": number}))
        for path in found.files:
            if path.parent == Path(folder) and path != target:
                path.unlink()
    return found
