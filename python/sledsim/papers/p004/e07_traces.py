"""004-E-7, Figure 7: four traces beside a flash card.

The design of best performance for each of four own captures, and the card.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ...runs.design import FormatSpace
from ...runs.design.space import AXES
from ..shared.claims import Claim, noted, stated
from ..shared.experiments import Experiment, Result
from ..shared.findings import OnInput
from ..shared.perturbations import device
from .flash import CARD, between, chart, compared
from .inputs import CAPTURES, DEVICE, PICKED, STUDIED, explored, format_of, mean_sectors, model

#: The design of best performance that 004 names, by the bytes of a block of the file system (section 7.4).
_NAMED = {4096: (4096, 1, 4096), 1024: (4096, 4, 1024)}


def run(quick: bool) -> Result:
    """Search each capture's best performance, and put it beside the card; nothing to shorten."""
    spaces = {name: explored(name) for name in CAPTURES}
    best = {name: _quickest(space) for name, space in spaces.items()}
    rows = [
        {**row, "format": format_of(axes)}
        for name, axes in ((name, _axes(best[name])) for name in CAPTURES)
        for row in compared(name, {"best": axes})
    ]
    four = compared(STUDIED, PICKED)
    picks = [_pick(name, spaces[name], best[name]) for name in CAPTURES]
    return Result(
        devices=[model(), device(CARD)],
        claims=[_claim(rows, four), _picks(best, spaces)],
        tables={"Best performance and card": rows, "Quickest designs, and those that 004 names": picks},
        charts={"Response and energy": partial(chart, rows)},
        notes=[
            *noted("004-card", device=DEVICE),
            *noted(
                "004-E-7",
                later=", ".join(
                    f"{row['named_over_quickest'] - 1:.1%} later on {row['workload']}" for row in picks
                ),
            ),
        ],
    )


def _quickest(space: FormatSpace) -> dict[str, Any]:
    """Of the designs that respond soonest that with the largest sectors."""
    soonest = space.best("performance")
    alike = [row for row in space.designs if row["mean_response_s"] == soonest["mean_response_s"]]
    return max(alike, key=lambda row: (row["sector_bytes"], -row["probes"]))


def _axes(row: Mapping[str, Any]) -> list[int]:
    return [row[axis] for axis in AXES]


def _pick(name: str, space: FormatSpace, best: Mapping[str, Any]) -> dict[str, Any]:
    axes = dict(zip(AXES, _NAMED[CAPTURES[name]], strict=True))
    named = space.best("performance", **axes)
    return {
        "workload": name,
        "block_bytes": CAPTURES[name],
        "quickest": format_of(_axes(best)),
        "quickest_response_s": best["mean_response_s"],
        "named": format_of(_axes(named)),
        "named_response_s": named["mean_response_s"],
        "named_over_quickest": named["mean_response_s"] / best["mean_response_s"],
    }


def _picks(best: Mapping[str, Mapping[str, Any]], spaces: Mapping[str, FormatSpace]) -> Claim:
    medians = ", ".join(
        f"{space.about_workload['median_request_bytes'] / 1024:g}" for space in spaces.values()
    )
    means = ", ".join(f"{space.about_workload['mean_request_bytes'] / 1024:.1f}" for space in spaces.values())
    return stated(
        "004-C17",
        *(
            OnInput(
                what,
                ", ".join(f"{_NAMED[CAPTURES[name]][at]} on {name}" for name in best),
                "four captures",
                ", ".join(f"{row[axis]} on {name}" for name, row in best.items()),
                told=all(row[axis] == _NAMED[CAPTURES[name]][at] for name, row in best.items()),
            )
            for at, (axis, what) in enumerate(
                zip(AXES, ("active probes", "sectors side by side", "bytes of a sector"), strict=True)
            )
        ),
        medians=medians,
        means=means,
        mean_kib=mean_sectors() / 2,
    )


def _claim(rows: Sequence[Mapping[str, Any]], four: Sequence[Mapping[str, Any]]) -> Claim:
    best = "four captures", [row for row in rows if row["device"] == "best"]
    designs = STUDIED, [row for row in four if row["device"] in PICKED]
    return stated(
        "004-C12",
        *(
            between(f"{what}, over that of the card", printed, where, [row[column] for row in found])
            for what, printed, (where, found), column in (
                ("response, four designs", ("1.13", "2.73"), designs, "response_over_card"),
                ("response, best designs", ("0.95", "1.25"), best, "response_over_card"),
                ("energy, four designs", ("1.01", "1.11"), designs, "energy_over_card"),
                ("energy, best designs", ("1.02", "1.19"), best, "energy_over_card"),
            )
        ),
    )


ROW = Experiment.of(run, 12, 17)
