"""004-E-7: Figure 7, the best-performance design of each of four traces beside the flash card."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from .claims import Claim, claim
from .experiments import Result
from .findings import Elsewhere
from .p004_flash import CARD, PICKED, chart, compared, format_of, notes
from .p004_inputs import STUDIED, explored, model
from .perturbations import device

#: The captures that are of the kind of 004's traces.
_CAPTURES = ("ext3-4k", "ext3-1k", "ext2-4k", "ext2-1k")
#: Where the whole space is not searched for each capture.
_QUICK_AXES: dict[str, Any] = {"probes": [4096], "sectors": [1, 4, 16], "sector_bytes": [1024, 4096, 8192]}


def run(quick: bool) -> Result:
    """Search each capture's best performance, and put it beside the card."""
    import pyarrow

    axes = _QUICK_AXES if quick else {}
    best = {name: format_of(explored(name, **axes).best("performance")) for name in _CAPTURES}
    rows = [
        {**row, "format": best[name]} for name in _CAPTURES for row in compared(name, {"best": best[name]})
    ]
    four = compared(STUDIED, PICKED)
    return Result(
        devices=[model(), device(CARD)],
        claims=[_claim(rows, four)],
        tables={"Best performance and card": pyarrow.Table.from_pylist(rows)},
        charts={"Response and energy": partial(chart, rows)},
        notes=[
            *notes(),
            "004's best formats: 4096x4x1024 for blocks of 1 KiB, 4096x1x4096 for 4 KiB; found here: "
            + ", ".join(f"{text} for {name}" for name, text in best.items())
            + ".",
        ],
    )


def _claim(rows: Sequence[Mapping[str, Any]], four: Sequence[Mapping[str, Any]]) -> Claim:
    best = [row for row in rows if row["device"] == "best"]
    designs = [row for row in four if row["device"] in PICKED]
    return claim(
        "004-C12",
        "Designs take 1 to 19 % more energy than the card, and up to 25 % longer; one responds 5 % sooner.",
        _ratio("response, four designs", (1.13, 2.73), STUDIED, designs, "response_over_card"),
        _ratio("response, best designs", (0.95, 1.25), "four captures", best, "response_over_card"),
        _ratio("energy, four designs", (1.01, 1.11), STUDIED, designs, "energy_over_card"),
        _ratio("energy, best designs", (1.02, 1.19), "four captures", best, "energy_over_card"),
        reason="Neither traces nor the energies of the card are published. Here responses rest on a latency"
        " of the card that is calibrated, energies on powers of it that are assumed.",
    )


def _ratio(
    what: str, paper: tuple[float, float], where: str, rows: Sequence[Mapping[str, Any]], column: str
) -> Elsewhere:
    """Over that of the card: it holds if every design is as far from the card as in the paper."""
    found, (low, high) = [float(row[column]) for row in rows], paper
    text = f"{min(found):.2f} to {max(found):.2f}"
    is_as_far = low <= min(found) and max(found) <= high
    return Elsewhere(f"{what}, over that of the card", f"{low:.2f} to {high:.2f}", where, text, is_as_far)
