"""Files that are fsynced and noted: each noted file must exist after a power failure.

Run as ``python fsyncing.py write FOLDER NOTES`` until the file system fails, then as ``check``.
"""

import os
import random
import sys
import threading
from pathlib import Path

THREADS = 4


def contents(name: str) -> bytes:
    """Return the contents of a file of that name."""
    draw = random.Random(name)
    return draw.randbytes(draw.choice((100, 4096, 20_000, 100_000)))


def fsynced(path: Path, data: bytes | None = None) -> None:
    """Write a file, or nothing for a folder, and make it durable."""
    handle = os.open(path, os.O_RDONLY if data is None else os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    try:
        while data:
            data = data[os.write(handle, data) :]
        os.fsync(handle)
    finally:
        os.close(handle)


def write(folder: Path, notes: Path) -> None:
    """Write and note until nothing can be written any more."""

    def work(number: int) -> None:
        own = folder / f"{os.getpid()}-{number}"
        try:
            own.mkdir()
            fsynced(folder)
            for count in range(100_000):
                path = own / str(count)
                fsynced(path, contents(f"{own.name}/{count}"))
                fsynced(own)
                with lock, notes.open("a") as file:
                    file.write(f"{own.name}/{count}\n")
                if count % 3 == 2:
                    # A file that is no longer wanted.
                    (own / str(count - 1)).rename(own / f"{count - 1}.old")
                    fsynced(own)
                    with lock, notes.open("a") as file:
                        file.write(f"-{own.name}/{count - 1}\n")
        except OSError:
            return

    lock = threading.Lock()
    threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def check(folder: Path, notes: Path) -> None:
    """Exit with a message if a noted file is missing."""
    noted = notes.read_text().splitlines() if notes.exists() else []
    moved = {name[1:] for name in noted if name.startswith("-")}
    names = [name for name in noted if not name.startswith("-")]
    for name in names:
        # A rename that was not noted may or may not have happened.
        found = [path for path in (folder / name, folder / f"{name}.old") if path.exists()]
        if len(found) != 1 or (name in moved and found[0].suffix != ".old"):
            sys.exit(f"lost: {name}: {found}")
        if found[0].read_bytes() != contents(name):
            sys.exit(f"lost: {name}: other contents")
    print(f"{len(names)} files are there")


if __name__ == "__main__":
    {"write": write, "check": check}[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))
