"""004-E-6: Figure 6, four designs beside the flash card, ext3 with blocks of 4 KiB."""

from functools import partial

from ..shared.claims import stated
from ..shared.experiments import Experiment, Result
from ..shared.findings import Elsewhere
from ..shared.perturbations import device
from .flash import CARD, PICKED, chart, compared, notes
from .inputs import STUDIED, model

_MS = 1e3


def run(quick: bool) -> Result:
    """Response and energy of each design and of the card; there is nothing to shorten."""
    import pyarrow

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
                Elsewhere(
                    "read and write time",
                    "3 to 7 ms",
                    STUDIED,
                    f"{min(transfers_ms):.2f} to {max(transfers_ms):.2f} ms",
                    told=min(transfers_ms) >= 3 and max(transfers_ms) <= 7,
                ),
                Elsewhere(
                    "seek",
                    "1.0 to 1.5 ms",
                    STUDIED,
                    f"{min(seeks_ms):.2f} to {max(seeks_ms):.2f} ms",
                    told=min(seeks_ms) >= 1.0 and max(seeks_ms) <= 1.5,
                ),
                reason="The traces are not published. The captures' requests are larger, and nearer to each"
                f" other: a seek between random places takes {seek_ms:.2f} ms on this device.",
            )
        ],
        tables={"Designs and card": pyarrow.Table.from_pylist(rows)},
        charts={"Response and energy": partial(chart, rows)},
        notes=notes(),
    )


ROW = Experiment(
    "004-E-6",
    "Figure 6: four designs beside a flash card",
    "Response and energy of the designs that 004 picks, and of the card, on an own capture.",
    (13,),
    run,
)
