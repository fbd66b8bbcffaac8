"""HP-UX block classes of the requests of a run, from the trace that it replayed."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..traces.trace import Trace
from .run import Run


def block_classes(run: Run, asked: Trace) -> NDArray[Any] | None:
    """Return the HP-UX block class of each request of a run; None if these are not the requests `asked`."""
    columns = run.columns
    if np.array_equal(asked.lbn, columns["lbn"]):
        return asked.block_class
    if len(asked) != len(columns["lbn"]):
        return None
    # Requests past the end of the device were moved and not changed otherwise.
    moved = np.count_nonzero(asked.lbn != columns["lbn"]) == run.totals["remapped"]
    kept = ("blocks", "write", "metadata", "device")
    alike = moved and all(np.array_equal(getattr(asked, name), columns[name]) for name in kept)
    return asked.block_class if alike and _is_in_order(run, asked.arrival_ns) else None


def _is_in_order(run: Run, recorded_ns: NDArray[np.int64]) -> bool:
    """Return True if requests arrived in the order of the trace; think times can change the order."""
    if run.settings.replay.startswith("closed"):
        return True
    since_ns, recorded_since_ns = (times - times[0] for times in (run.columns["arrival_ns"], recorded_ns))
    scale = (since_ns[-1] or 1) / (recorded_since_ns[-1] or 1)
    # Each time is rounded, the last one included.
    return np.allclose(since_ns, recorded_since_ns * scale, rtol=1e-12, atol=2)
