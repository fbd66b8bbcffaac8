"""One file out of many: the union of ledgers by key."""

import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from ..common.output_files import PathLike, make_folder, writing
from .contents import ENDING, Contents
from .ledger import _lock, check_own
from .lines import HEAD, line_of


def merge(folder: PathLike, others: Sequence[PathLike] = (), name: str = "study") -> Contents:
    """Make one file of all those of a ledger in some folders: each key once, in the order of the keys.

    Args:
        folder: Where the file goes; what it holds is a part of the union, and is replaced by it.
        others: Further folders, which stay as they are.
        name: Of the file, without its ending.

    Returns:
        What there was. Where two rows of a key disagree, nothing has been written.

    Raises:
        ParameterError: A file is no ledger.
        OSError: A file cannot be read or written, or a process adds to one of the folder now.
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
