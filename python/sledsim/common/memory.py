"""Free memory of the machine, and the number of requests that fit into it."""

import resource
from contextlib import suppress
from pathlib import Path

from .. import _native

#: Bytes of memory per request while it is read and replayed.
BYTES_PER_REQUEST = 200
#: Files in which Linux states the free memory of the machine, the limit and use of memory of the control
#: group, and the memory of this process.
_FREE = Path("/proc/meminfo")
_OF_GROUP = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current"))
_OF_PROCESS = Path("/proc/self/statm")


def free_bytes() -> int | None:
    """Return the free memory that this process can use, in bytes; None if unknown."""
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
    """Limit on this process's memory: half of the memory free at the start, as arrays may double."""

    def __init__(self) -> None:
        free = free_bytes()
        self._most = None if free is None else _own_bytes() + free // 2

    def is_used_up(self) -> bool:
        """Return True if this process has taken half of the memory that was free when the limit was made."""
        return self._most is not None and _own_bytes() > self._most


def _own_bytes() -> int:
    """Return the memory in use by this process in bytes (address space, if that is limited); 0 if unknown."""
    has_limit = resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY
    with suppress(OSError, ValueError):
        return int(_OF_PROCESS.read_text().split()[0 if has_limit else 1]) * resource.getpagesize()
    return 0


def most_requests(bytes_each: int = BYTES_PER_REQUEST) -> int:
    """Return how many requests fit into the free memory, if each needs `bytes_each` bytes."""
    free = free_bytes()
    return 2**62 if free is None else free // bytes_each


def check_requests(count: int, source: str, most: int | None = None) -> None:
    """Check that `count` requests of a trace or a workload fit into free memory.

    Raises:
        TraceError: The requests do not fit.
    """
    most = most_requests() if most is None else most
    if count > most:
        raise _native.TraceError(
            f"{source}: expected at most {most} requests, which fit into free memory, found more:"
            " read or draw fewer requests at a time"
        )
