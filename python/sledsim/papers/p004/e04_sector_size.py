"""004-E-4, Section 5.3: the size of a sector.

Response, energy and utilization over the size of a sector that 256 probes read.
"""

import itertools
from functools import partial
from typing import Any

from ..shared import OnInput, Result, noted, stated, together
from .inputs import BLOCKS_OF_4K, CAPTURES, best_at, chart, model, notes, relative

_PROBES = 256
_SMALL = 512
_SIZES = (512, 1024, 2048, 4096, 8192)
#: Block size in bytes of the file systems on which the claim is tested.
_BLOCK = 4096
_NAMES = tuple(dict.fromkeys((*CAPTURES, *BLOCKS_OF_4K)))


def run(quick: bool) -> Result:
    """Compare one large sector with small sectors side by side that hold as many bytes, over the size."""
    large = {name: _over(name, (1,), _SIZES, "sector_bytes") for name in _NAMES}
    beside = {
        name: _over(name, tuple(size // _SMALL for size in _SIZES), (_SMALL,), "sectors") for name in _NAMES
    }
    rows = [
        {**row, "mean_response_side_by_side_s": other["mean_response_s"]}
        for name in _NAMES
        for row, other in zip(large[name], beside[name], strict=True)
    ]
    return Result(
        devices=[model()],
        claims=[stated("004-C18", *together([_trend(name, large[name]) for name in BLOCKS_OF_4K]))],
        tables={"Over the size of a sector": rows},
        charts={
            "Response, energy and utilization": partial(chart, rows, "sector_bytes", "Bytes of a sector")
        },
        notes=[
            *notes(),
            *noted("004-E-4", later=", ".join(_beside(name, large[name], beside[name]) for name in _NAMES)),
        ],
    )


def _over(name: str, sectors: tuple[int, ...], sizes: tuple[int, ...], axis: str) -> list[dict[str, Any]]:
    return relative(name, axis, probes=[_PROBES], sectors=sectors, sector_bytes=sizes)


def _beside(name: str, large: list[dict[str, Any]], beside: list[dict[str, Any]]) -> str:
    by = large[-1]["mean_response_s"] / beside[-1]["mean_response_s"] - 1
    return (
        f"on {name} a sector of {_SIZES[-1] // 1024} KiB responds {by:.1%} slower than sixteen side by side"
    )


def _trend(name: str, rows: list[dict[str, Any]]) -> OnInput:
    grows = all(more["utilization"] > less["utilization"] for less, more in itertools.pairwise(rows))
    what = "fastest sector size, and that with the lowest energy"
    return best_at(name, what, _BLOCK, "bytes", "sector_bytes", rows, grows)
