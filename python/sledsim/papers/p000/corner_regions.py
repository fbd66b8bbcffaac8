"""Verdicts on claims 000-C31 and 000-C32: seek-time regions at the corner, and long seeks along x."""

import itertools
from collections.abc import Sequence

import numpy as np

from sledsim import Device, studies
from sledsim.studies import Region, directions

from ..shared import SHAPE, Claim, Statement, Trial, best, device, reading, stated

_NAME = "mascots03"
#: Seek times in seconds from which paper 000 derives the sizes of its zones.
_TIMES_S = (0.3e-3, 0.4e-3)
#: Share of the force that the springs take at the end of the stroke, relative to the printed spring factor,
#: by reading of the paper's text.
_PARTS = {"000-springs/half": 1.0, "000-springs/whole": 0.5}
#: Readings of the size of a region at the corner: the quarter of it towards the centre, or all of it that
#: lies on the medium.
_COUNTED = ("000-corner/quarter", "000-corner/medium")


def trials() -> list[Trial]:
    """Compare sizes of seek-time regions at the corner and at the centre of the medium, for each reading."""
    found = []
    for springs, part in _PARTS.items():
        own = device(_NAME)
        # The factor of the device is scaled, not replaced, so that a perturbation of it has an effect.
        model = own.with_parameters(spring_factor=part * own.parameters["spring_factor"])
        rows = studies.run("equivalence-regions", model, thresholds_s=_TIMES_S).table.to_pylist()
        same = [row for row in rows if row["parity"] == "same"]
        for counted in _COUNTED:
            sizes = [
                _alike(
                    axis, time_s, [_bits(row, axis, counted) for row in same if row["threshold_s"] == time_s]
                )
                for time_s, axis in itertools.product(_TIMES_S, "xy")
            ]
            found.append(Trial((reading(springs), reading(counted)), tuple(sizes)))
    return found


def _bits(row: dict[str, int], axis: str, counted: str) -> int:
    """Return the size of a seek-time region in bits: its columns (axis "x") or its rows (axis "y").

    `row` describes the region. The reading `counted` is the whole region, or the quarter to the lower left.
    """
    if counted == "000-corner/medium":
        return row["width_bits" if axis == "x" else "height_bits"]
    low = row[f"{axis}_low_bits"]
    return 0 if low is None else 1 - low


def _alike(axis: str, time_s: float, bits: Sequence[int]) -> Statement:
    """Compare the sizes in bits of regions around the centre (first two) and around the corner (last two)."""
    centre, corner = sum(bits[:2]), sum(bits[2:])
    ratio = corner / centre if centre else float("nan")
    what = "columns" if axis == "x" else "rows"
    return Statement(
        f"{what} reached in {time_s * 1e3:g} ms at the corner, over those near the centre",
        "approximately the same",
        f"{ratio:.2f}",
        holds=abs(ratio - 1) <= SHAPE,
        in_shape=True,
    )


def corner(tried: Sequence[Trial]) -> Claim:
    """Judge claim 000-C31: regions at the corner are as large as those at the centre, in the best reading."""
    chosen = best(tried)
    others = "; ".join(
        f"with {one.name} {' and '.join(finding.found for finding in one.findings)}"
        for one in tried
        if one is not chosen
    )
    return stated("000-C31", *chosen.findings, readings=chosen.readings, others=others)


def independent_of_y() -> Claim:
    """Judge claim 000-C32: the time of a long seek along x does not depend on its distance along y."""
    model = device(_NAME)
    free = model.with_parameters(settle_ms=0.0)
    found = {start: (_border(model, start), _border(free, start)) for start in Region.of(model).starts(None)}
    return stated(
        "000-C32",
        (
            "; ".join(f"from {start}: {_words(border)}" for start, (border, _) in found.items()),
            all(border is not None for border, _ in found.values()),
        ),
        (
            "; ".join(f"from {start}: {_words(border)}" for start, (_, border) in found.items()),
            all(border is None for _, border in found.values()),
        ),
    )


def _border(model: Device, start: tuple[int, int]) -> tuple[int, int] | None:
    """Return the least distance along x at which a seek never takes longer because of y, and the longest.

    Both are in bits. The result is None if even the longest seek along x may take longer because of y. Seeks
    go left, where most of the medium lies.
    """
    region = Region.of(model)
    right, top = region.corner
    distances = np.arange(1, start[0] + right + 1)
    x_s = model.seek_x_s(region.length_m(start[0]), region.length_m(start[0] - distances))
    rows_m, from_m = region.length_m(np.arange(-top, top + 1)), region.length_m(start[1])
    y_s = max(
        float(np.max(model.seek_y_s(from_m, directions(start[0]), rows_m, direction)))
        for direction in (-1, 1)
    )
    hangs = np.flatnonzero(np.asarray(x_s) < y_s)
    border = int(distances[hangs[-1]]) + 1 if len(hangs) else 1
    return (border, int(distances[-1])) if border <= distances[-1] else None


def _words(border: tuple[int, int] | None) -> str:
    return "none" if border is None else f"from {border[0]:,} bits on, of {border[1]:,}"
