"""The page of what devices count in a run."""

from collections.abc import Iterator

from sledsim import _native
from sledsim.common.units import label

from ..markdown import code, joined, plain, table

_WHEN = {
    "Faults": "Under a [plan of faults](../how-to/faults.md).",
    "Erasing": "Where the medium has to be erased before it is written again (`erase_block_kib`).",
    "Partial writes": "Where a logical block is larger than a sector of 512 bytes, as on `emsoft08`.",
}


def pages() -> Iterator[tuple[str, str]]:
    """One page."""
    sections = []
    for group, counters in _native.device_counters():
        rows = ((code(name), label(name), plain(text)) for name, text in dict(counters).items())
        sections += [f"## {group}", _WHEN.get(group, ""), table(("key", "shown as", "meaning"), rows)]
    yield (
        "generated/counters.md",
        joined(
            "# What devices count",
            "Look up here what the counters below the summary of a run mean. What a volume counts is on the"
            " [page of the volume](volumes/index.md).",
            *sections,
        ),
    )
