"""004-E-6, Figure 6: four designs beside a flash card.

Response and energy of the designs that 004 picks, and of the card, on an own capture.
"""

from functools import partial

from ..shared.claims import noted, stated
from ..shared.experiments import Experiment, Result
from ..shared.perturbations import device
from .flash import CARD, between, chart, compared
from .inputs import DEVICE, PICKED, STUDIED, model

_MS = 1e3


def run(quick: bool) -> Result:
    """Response and energy of each design and of the card; there is nothing to shorten."""
    rows = compared(STUDIED, PICKED)
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
            )
        ],
        tables={"Designs and card": rows},
        charts={"Response and energy": partial(chart, rows)},
        notes=noted("004-card", device=DEVICE),
    )


ROW = Experiment.of(run, 13)
