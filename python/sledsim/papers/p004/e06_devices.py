"""004-E-6, Figure 6: four designs beside a flash card.

Response and energy of the designs that 004 picks, and of the card, on one of our captures.
"""

from collections.abc import Sequence
from functools import partial

from ..shared import Bound, Claim, Result, Trial, best, device, noted, reading, stated
from .flash import CARD, between, chart, compared
from .inputs import DEVICE, PICKED, STUDIED, mean_sectors, model, transfer_ms
from .space_claims import SUPPLIES

_MS = 1e3
#: Number of sectors that a write passes a second time (at most the first and the last), by reading of the
#: paper.
_PARTIAL = {"004-partial/plain": 0, "004-partial/read-first": 2}


def run(quick: bool) -> Result:
    """Compute response and energy of each design and of the card; `quick` has no effect."""
    rows, tried = compared(STUDIED, PICKED), [_quickest(*row) for row in _PARTIAL.items()]
    off = compared(STUDIED, PICKED, SUPPLIES["004-probes/off"])
    designs = [row for row in rows if row["device"] in PICKED]
    transfers_ms = [row["mean_transfer_s"] * _MS for row in designs]
    seek_ms = model().characteristics()["mean_seek_s"] * _MS
    seeks_ms = [row["mean_positioning_s"] * _MS for row in designs]
    return Result(
        devices=[model(), device(CARD)],
        claims=[
            stated(
                "004-C13",
                between("read and write time", ("3", "7"), STUDIED, transfers_ms, " ms"),
                between("seek", ("1.0", "1.5"), STUDIED, seeks_ms, " ms"),
                seek_ms=seek_ms,
            ),
            _possible(tried),
        ],
        trials={"Read and write time of M-20-BP": tried},
        tables={"Designs and card": rows, "Designs and card, unused probes without power": off},
        charts={
            "Figure 6: response and energy": partial(chart, rows),
            "Figure 6 with unused probes switched off": partial(chart, off),
        },
        notes=noted("004-card", device=DEVICE),
    )


def _quickest(name: str, extra: int) -> Trial:
    """Return a trial of a reading: longest time in which design M-20-BP transfers the mean request.

    `extra` is the number of sectors that the request passes twice.
    """
    probes, sectors, sector_bytes = PICKED["M-20-BP"]
    blocks = sectors * sector_bytes // 512
    # A request of n blocks touches at most n / blocks + 2 - 2 / blocks sectors of `blocks` blocks each.
    most = mean_sectors() / blocks + 2 - 2 / blocks + extra
    most_ms = most * transfer_ms(probes, sectors, sector_bytes)
    about = "read and write time of M-20-BP for the mean request that Figures 3 and 4 imply"
    return Trial((reading(name),), (Bound(about, "3", high=most_ms, unit="ms"),))


def _possible(tried: Sequence[Trial]) -> Claim:
    chosen = best(tried)
    others = "; ".join(f"{one.name}: {one.findings[0].found}" for one in tried)
    return stated("004-C20", *chosen.findings, readings=chosen.readings, others=others)
