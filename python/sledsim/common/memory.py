"""How much memory is free: a small file may have more requests than there is room for."""

import resource
from contextlib import suppress
from pathlib import Path

from .. import _native

#: Bytes that a request needs in memory while it is read and replayed.
BYTES_PER_REQUEST = 200
#: Where Linux says how much is free, and how much a group of processes may have and has.
_FREE = Path("/proc/meminfo")
_OF_GROUP = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current"))
_OF_PROCESS = Path("/proc/self/statm")


def free_bytes() -> int | None:
    """The memory that this process can still have without that of others; None where that is not known."""
    found = []
    with suppress(OSError, ValueError, StopIteration):
        line = next(line for line in _FREE.read_text().splitlines() if line.startswith("MemAvailable:"))
        found.append(int(line.split()[1]) << 10)
    with suppress(OSError, ValueError):
        most, now = (int(path.read_text()) for path in _OF_GROUP)
        found.append(most - now)
    with suppress(OSError, ValueError):
        most, _ = resource.getrlimit(resource.RLIMIT_AS)
        if most != resource.RLIM_INFINITY:
            found.append(most - int(_OF_PROCESS.read_text().split()[0]) * resource.getpagesize())
    return max(0, min(found)) if found else None


class Room:
    """The memory that is free now, of which half is for work that begins: what grows may double at once."""

    def __init__(self) -> None:
        free = free_bytes()
        self._most = None if free is None else _own_bytes() + free // 2

    def is_used_up(self) -> bool:
        """Whether this process has taken that half since."""
        return self._most is not None and _own_bytes() > self._most


def _own_bytes() -> int:
    """The memory of this process, or its addresses where these have a limit; 0 where that is not known."""
    has_limit = resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY
    with suppress(OSError, ValueError):
        return int(_OF_PROCESS.read_text().split()[0 if has_limit else 1]) * resource.getpagesize()
    return 0


def most_requests(bytes_each: int = BYTES_PER_REQUEST) -> int:
    """How many requests there is room for, each of which needs so many bytes."""
    free = free_bytes()
    return 2**62 if free is None else free // bytes_each


def check_requests(count: int, source: str, most: int | None = None) -> None:
    """Find out whether there is room for so many requests of a trace or a workload.

    Raises:
        TraceError: There is none.
    """
    most = most_requests() if most is None else most
    if count > most:
        raise _native.TraceError(
            f"{source}: expected at most {most} requests, for which memory is free, found more:"
            " ask for fewer at a time"
        )
