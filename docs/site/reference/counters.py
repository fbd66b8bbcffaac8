"""The page of the counters of devices."""

from collections.abc import Iterator

from sledsim import _native
from sledsim.common.units import label

from ..markdown import code, joined, plain, table

_WHEN = {
    "Faults": "Counted under a [plan of faults](../how-to/faults.md).",
    "Erasing": "Counted if the medium must be erased before it is written again (`erase_block_kib`).",
    "Partial writes": "Counted if a logical block is larger than a sector of 512 bytes, as on `emsoft08`.",
}


def pages() -> Iterator[tuple[str, str]]:
    """Yield the page of counters."""
    sections = []
    for group, counters in _native.device_counters():
        rows = ((code(name), label(name), plain(text)) for name, text in dict(counters).items())
        sections += [f"## {group}", _WHEN.get(group, ""), table(("key", "shown as", "meaning"), rows)]
    yield (
        "generated/counters.md",
        joined(
            "# Every counter of devices",
            "Find the meaning of the counters below the summary of a run. The counters of a volume are on the"
            " [page of the volume](volumes/index.md).",
            *sections,
        ),
    )
