"""Verdicts on claims of paper 004 about its design space (sections 6 and 7.2): trends, optimum, and picks."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from sledsim.charts import groups
from sledsim.results import FormatSpace

from ..shared import Claim, OnInput, Trial, best, reading, stated
from .inputs import PICKED, STUDIED, explored, format_of, model

#: Value of the parameter `tip_supply` for each reading of the power that unused probes draw.
SUPPLIES = {"004-probes/on": "active-tips", "004-probes/off": "block-tips"}
#: Designs that take the lowest energy according to paper 004, by number of probes (section 7.2).
_CHEAPEST = {4096: "M-20-BE", 2048: "M-10-BE"}
#: Relative difference up to which two energies count as equal, for rounding errors of sums.
_ALIKE = 1e-9
_FIGURES = ("mean_response_s", "energy_j")
Rows = Sequence[Mapping[str, Any]]


def trials(space: FormatSpace) -> list[Trial]:
    """Return a trial per reading: the designs with the lowest energy, beside those that paper 004 names.

    `space` has all designs of the device with its own `tip_supply`.
    """
    own = model().parameters["tip_supply"]
    spaces = {
        name: space if supply == own else explored(STUDIED, model().with_parameters(tip_supply=supply))
        for name, supply in SUPPLIES.items()
    }
    return [
        Trial((reading(name),), tuple(_cheapest(found, probes) for probes in _CHEAPEST))
        for name, found in spaces.items()
    ]


def energy_picks(tried: Sequence[Trial]) -> Claim:
    """Judge claim 004-C19 on the designs with the lowest energy, in the reading that supports most."""
    chosen = best(tried)
    found = {one.name: " and ".join(finding.found for finding in one.findings) for one in tried}
    others = "; ".join(f"with {name}, {words}" for name, words in found.items() if name != chosen.name)
    return stated("004-C19", *chosen.findings, readings=chosen.readings, others=others)


def _cheapest(space: FormatSpace, probes: int) -> OnInput:
    axes = PICKED[_CHEAPEST[probes]]
    named, cheapest = space.best("energy", **_axes(axes)), space.best("energy", probes=probes)
    least = [
        format_of((row["probes"], row["sectors"], row["sector_bytes"]))
        for row in space.designs
        if row["probes"] == probes and row["energy_j"] <= cheapest["energy_j"] * (1 + _ALIKE)
    ]
    more = named["energy_j"] / cheapest["energy_j"] - 1
    return OnInput(
        f"lowest energy of {probes} probes",
        format_of(axes),
        STUDIED,
        f"{' or '.join(least)}; the design that 004 names takes {more:.1%} more",
        told=format_of(axes) in least,
    )


def _axes(axes: Sequence[int]) -> dict[str, Any]:
    return dict(zip(("probes", "sectors", "sector_bytes"), axes, strict=True))


def trends(designs: Rows) -> list[Claim]:
    """Judge the claims on trends A and B of Figure 5a, on the lack of an optimum, and on energy."""
    by_layout = [
        sorted(own, key=lambda row: row["probes"])
        for own in groups(
            [{**row, "layout": f"{row['sectors']}x{row['sector_bytes']}"} for row in designs], "layout"
        ).values()
    ]
    sooner = [_falls(rows, "mean_response_s") for rows in by_layout if len(rows) > 1]
    cheaper = [_falls(rows, "actuation_j") for rows in by_layout if len(rows) > 1]
    turned = [rows for rows in by_layout if _turns(rows)]
    smallest = next((rows for rows in by_layout if rows[0]["layout"] == "1x512"), [])
    optimal = pareto(designs)
    return [
        stated(
            "004-C21",
            (STUDIED, f"{sum(sooner)} of {len(sooner)}", all(sooner)),
            (
                STUDIED,
                f"{len(turned)} of {len(sooner)}, with one sector of 512 bytes"
                f"{'' if smallest in turned else ' not'} among them",
                smallest in turned,
            ),
        ),
        stated("004-C22", (STUDIED, f"{len(optimal)} of {len(designs)}", len(optimal) > 1)),
        stated("004-C24", (STUDIED, f"{sum(cheaper)} of {len(cheaper)}", all(cheaper))),
    ]


def _falls(rows: Rows, figure: str) -> bool:
    return all(after[figure] < before[figure] for before, after in itertools.pairwise(rows))


def _turns(rows: Rows) -> bool:
    """True if the energy falls from the first row to the second, and is above its minimum in the last."""
    energies = [row["energy_j"] for row in rows]
    return len(energies) > 2 and energies[1] < energies[0] and energies[-1] > min(energies)


def pareto(designs: Rows) -> list[Mapping[str, Any]]:
    """Return the designs that no other design equals or beats in response, energy and capacity at once."""

    def merits(row: Mapping[str, Any]) -> tuple[float, ...]:
        return *(float(row[figure]) for figure in _FIGURES), -float(row["capacity_bytes"])

    every = [merits(row) for row in designs]
    return [
        row
        for row, own in zip(designs, every, strict=True)
        if not any(other != own and all(a <= b for a, b in zip(other, own, strict=True)) for other in every)
    ]
