"""Tips of a block hit by one defect, if the tips of a block are side by side or spread (001-F22)."""

from typing import Any

import numpy as np

from ..charts.grammar import alt, colour, lines, plot, tips
from ..model.devices import Device
from ..model.tip_codes import TipPlacement, most_hits, tip_placement
from . import sheet_options as options
from .drawing import data, titled
from .sheet import defined
from .tables import Table, from_rows

_LARGEST = 6


def tip_spread(device: Device, check_tips: int = 4, count: int = 2000, seed: int = 1) -> Table:
    """Count the tips of a block that one defect of the medium hits, for adjacent tips and for spread tips.

    Args:
        device: Any device of the kind mems; its tips and blocks are used.
        check_tips (from 0): Number of check tips that the error-correcting code across tips adds to a block.
        count (from 1): Number of defects of each size, at random places and of random connected shapes.
        seed (from 0): Seed of the random defects.

    Returns:
        placement of the tips of a block ("adjacent" or "spread"), distance (least distance of two tips of a
        block, in widths of a tip), distance_bound (upper bound of the distance for any placement),
        defect_tips (number of tips under a defect, 1 to 6; media defects have 1 to 4), hits_max (largest
        number of tips of a block that one defect hits), share_twice (share of the defects that hit a block
        more than once).

    Raises:
        ParameterError: An option is wrong.
    """
    own = device.parameters
    blocks = int(own["tips"] // own["active_tips"] * (own["active_tips"] // own["tips_per_block"]))
    tips_per_block = int(own["tips_per_block"]) + options.whole_number("check_tips", check_tips, 0)
    random = np.random.default_rng(options.whole_number("seed", seed, 0))
    patterns = options.whole_number("count", count, 1)
    rows = []
    for name, spread in (("adjacent", False), ("spread", True)):
        placement = tip_placement(blocks, tips_per_block, spread)
        distances = {"distance": placement.distance, "distance_bound": placement.distance_bound}
        about = {"placement": name, **distances}
        for size in range(1, _LARGEST + 1):
            hits = np.array(most_hits(placement, [_defect(placement, size, random) for _ in range(patterns)]))
            found = {"hits_max": int(hits.max()), "share_twice": float(np.mean(hits > 1))}
            rows.append({**about, "defect_tips": size, **found})
    return from_rows(rows)


def _defect(placement: TipPlacement, size: int, random: np.random.Generator) -> set[int]:
    """Return the tips under a defect: a random tip, then random tips that are next to an earlier tip."""
    columns, tips = placement.columns, placement.tips.size
    grown = [int(random.integers(tips))]
    while len(grown) < size:
        free = [tip for at in grown for tip in _beside(at, columns) if 0 <= tip < tips and tip not in grown]
        if not free:
            break
        grown.append(free[random.integers(len(free))])
    return set(grown)


def _beside(tip: int, columns: int) -> list[int]:
    """Return the four neighbours of a tip on the grid of tips; those above and below may be outside it."""
    in_row = [other for other in (tip - 1, tip + 1) if other // columns == tip // columns]
    return [*in_row, tip - columns, tip + columns]


def chart(table: Table) -> Any:
    """Draw the share of defects that hit a block in several tips, over the defect's size in tips."""
    rows = data(table)
    base = plot(
        rows,
        x=alt.X("defect_tips:O", title="Neighbouring tips under a defect").axis(labelAngle=0),
        y=alt.Y("share_twice:Q", title="Defects that hit a block more than once").axis(format="~%"),
        color=colour("placement", "Tips of a block", ["adjacent", "spread"]),
        tooltip=tips("placement:N", "defect_tips:O", "hits_max:Q", "share_twice:Q | | .2%"),
    )
    spread = next(row for row in rows if row["placement"] == "spread")
    subtitle = (
        f"Spread: tips of a block are {spread['distance']:.3g} widths of a tip apart or more;"
        f" no placement can have more than {spread['distance_bound']:.3g}."
    )
    drawn = lines(base, size=50).properties(width=480, height=300)
    return titled(drawn, table, "Defects over neighbouring tips", subtitle)


ROW = defined(tip_spread, chart)
