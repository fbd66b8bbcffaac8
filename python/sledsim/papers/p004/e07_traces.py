"""004-E-7, Figure 7: four traces beside a flash card.

Response and energy of the fastest design for each of four captures, beside a flash card.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from sledsim import design
from sledsim.results import FormatSpace

from ..shared import SHAPE, Claim, Figure, Result, device, is_as_said, noted, stated
from .flash import CARD, USES, chart, compared
from .inputs import CAPTURES, DEVICE, PICKED, STUDIED, explored, format_of, mean_sectors, model

#: Fastest designs according to section 7.4 of paper 004, by block size of the file system in bytes: probes,
#: sectors side by side, and bytes per sector.
_NAMED = {4096: (4096, 1, 4096), 1024: (4096, 4, 1024)}

#: Mean response of M-10-BE over that of M-20-BP, as the quotient of the ratios to the card that 004 prints:
#: 2.73 and 1.13.
_OVER = "2.42"


def run(quick: bool) -> Result:
    """Find the fastest design on each capture, and compare it with the card; `quick` has no effect."""
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
        claims=[*_claims(four), _picks(best, spaces)],
        tables={"Best performance and card": rows, "Fastest designs, and those that 004 names": picks},
        charts={"Response and energy": partial(chart, rows)},
        notes=[
            *noted("004-card", device=DEVICE),
            *noted(
                "004-E-7",
                later=", ".join(
                    f"{row['named_over_quickest'] - 1:.1%} slower on {row['workload']}" for row in picks
                ),
            ),
        ],
    )


def _quickest(space: FormatSpace) -> dict[str, Any]:
    """Return the fastest design of a space; among equals, one with the largest sectors."""
    soonest = space.best("performance")
    alike = [row for row in space.designs if row["mean_response_s"] == soonest["mean_response_s"]]
    return max(alike, key=lambda row: (row["sector_bytes"], -row["probes"]))


def _axes(row: Mapping[str, Any]) -> list[int]:
    return [row[axis] for axis in design.AXES]


def _pick(name: str, space: FormatSpace, best: Mapping[str, Any]) -> dict[str, Any]:
    named = space.best("performance", **_named(name))
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
    later = [
        named["mean_response_s"] / row["mean_response_s"]
        for name, row in best.items()
        for named in [spaces[name].best("performance", **_named(name))]
    ]
    return stated(
        "004-C17",
        (
            "four captures",
            f"{min(later):.3f} to {max(later):.3f}:"
            f" {', '.join(f'{format_of(_axes(row))} on {name}' for name, row in best.items())}",
            max(later) <= 1 + SHAPE,
        ),
        medians=medians,
        means=means,
        mean_kib=mean_sectors() / 2,
    )


def _named(name: str) -> dict[str, int]:
    return dict(zip(design.AXES, _NAMED[CAPTURES[name]], strict=True))


def _claims(four: Sequence[Mapping[str, Any]]) -> list[Claim]:
    """Judge claims 004-C12 and 004-C23, from the table rows of the four designs that paper 004 picks."""
    designs = {row["device"]: row for row in four if row["device"] in PICKED}
    slow, quick = designs["M-10-BE"], designs["M-20-BP"]
    ratio = Figure("", _OVER, slow["mean_response_s"] / quick["mean_response_s"])
    leading = {name: max(USES, key=lambda use: row[f"{use}_j"]) for name, row in designs.items()}
    shares = [row["inactive_j"] / row["energy_j"] for row in designs.values()]
    return [
        stated(
            "004-C12",
            (STUDIED, ratio.found, is_as_said(ratio)),
            "the card's responses to the four traces",
            "the card's powers",
            "the card's powers",
        ),
        stated(
            "004-C23",
            (
                STUDIED,
                f"{', '.join(f'{use} in {name}' for name, use in leading.items())}; inactivity takes"
                f" {min(shares):.0%} to {max(shares):.0%}",
                all(use == "inactive" for use in leading.values()),
            ),
        ),
    ]
