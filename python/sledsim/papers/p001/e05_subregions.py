"""001-E-5, Figure 9: seeks inside 25 subregions.

Mean seeks between random places of one subregion, with and without settling, and the effect of springs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pyarrow
import pyarrow.compute as pc
from numpy.typing import NDArray

from sledsim import Device, studies
from sledsim.studies import Study

from ..shared import Calibrated, Claim, Figure, Result, Statement, Verdict, device, half_digit, noted, stated

#: Number of evenly spaced places at which the seeks of each distance start.
_STARTS = 200
#: Mean seeks in ms that Figure 9 prints for the three upper rows of subregions, with settling; the lower two
#: rows mirror the upper two. Then the seeks without settling.
_SETTLED = ((0.42, 0.39, 0.38, 0.39, 0.42), (0.41, 0.38, 0.38, 0.38, 0.41), (0.41, 0.38, 0.37, 0.38, 0.41))
_UNSETTLED = ((0.23, 0.21, 0.20, 0.21, 0.23), (0.22, 0.20, 0.19, 0.20, 0.22), (0.22, 0.20, 0.19, 0.20, 0.22))
#: Settling time in ms that fits Figure 9 best (001-D2); Table 1 prints 0.22 ms, the text 0.2 ms.
_SETTLE_MS = 0.21


def run(quick: bool) -> Result:
    """Average seek times within each of 25 subregions, and measure the effect of the springs."""
    model = device("osdi00")
    study = partial(studies.run, "subregions", model)
    random = study(directions="random", settle_ms=(_SETTLE_MS, 0.0), sector_bits=0)
    own_ms = round(model.characteristics()["settle_s"] * 1e3, 9)
    best = study(directions="best", settle_ms=(_SETTLE_MS, own_ms, 0.0))
    springs = _springs(model)
    return Result(
        devices=[model],
        claims=[_cells(_grid(random.table, _SETTLE_MS), _grid(best.table, 0.0)), _spring_claim(springs)],
        tables={
            "Figure 9 and its readings": _readings(random.table, best.table, own_ms),
            "Seeks in x with springs over those without": springs,
        },
        charts={"Figure 9: subregions, in the readings of the verdict": _used(random, best).plot},
        notes=noted("001-E-5", settle_ms=_SETTLE_MS),
    )


def _used(random: Study, best: Study) -> Study:
    """Return a study with the settled rows of `random` and the unsettled rows of `best`, which are judged."""
    settled = random.table.filter(pc.greater(random.table["settle_s"], 0.0))
    unsettled = best.table.filter(pc.equal(best.table["settle_s"], 0.0))
    return replace(random, table=pyarrow.concat_tables([settled, unsettled]))


def _grid(table: pyarrow.Table, settle_ms: float) -> NDArray[np.float64]:
    """Return the mean seek in ms within each subregion as a 5 x 5 grid, at one settling time in ms."""
    grid = np.zeros((5, 5))
    for row in table.to_pylist():
        if round(row["settle_s"] * 1e3, 9) == settle_ms:
            grid[row["row"], row["column"]] = row["mean_seek_s"] * 1e3
    return grid


def _printed(half: tuple[tuple[float, ...], ...]) -> NDArray[np.float64]:
    """Return the printed seeks of all 25 subregions; `half` has the upper three rows, which are mirrored."""
    return np.array([*half, *half[1::-1]])


def _readings(random: pyarrow.Table, best: pyarrow.Table, own_ms: float) -> pyarrow.Table:
    """Return a table row per subregion: printed seeks and ours, in s, by direction rule and settling."""
    grids = {
        "paper_settled_s": _printed(_SETTLED),
        f"random_settled_{_SETTLE_MS:g}_ms_s": _grid(random, _SETTLE_MS),
        f"best_settled_{_SETTLE_MS:g}_ms_s": _grid(best, _SETTLE_MS),
        f"best_settled_{own_ms:g}_ms_s": _grid(best, own_ms),
        "paper_unsettled_s": _printed(_UNSETTLED),
        "random_unsettled_s": _grid(random, 0.0),
        "best_unsettled_s": _grid(best, 0.0),
    }
    row, column = np.indices((5, 5))
    places = {"row": row.ravel(), "column": column.ravel()}
    return pyarrow.table({**places, **{name: grid.ravel() * 1e-3 for name, grid in grids.items()}})


def _cells(settled: NDArray[np.float64], unsettled: NDArray[np.float64]) -> Claim:
    """Judge claim 001-C12 from the mean seeks in ms of all subregions, with and without settling."""
    halves = {
        "with settling": (_printed(_SETTLED), settled),
        "without settling": (_printed(_UNSETTLED), unsettled),
    }
    ours = " and ".join(f"{_corner(grid):.1f} % {half}" for half, (_, grid) in halves.items())
    return stated(
        "001-C12",
        Calibrated(_cells_beside("with settling", *halves["with settling"]), _fitting(settled)),
        _cells_beside("without settling", *halves["without settling"]),
        *(_corner_beside(half, printed, grid) for half, (printed, grid) in halves.items()),
        ours=ours,
    )


def _fitting(settled: NDArray[np.float64]) -> str:
    """Return, as text, the settling times in ms with which our seeks round to all 25 printed ones.

    Longer settling lengthens all seeks by one time, so `settled`, seeks at one settling time, give the range.
    """
    room_ms = half_digit("0.01")
    off_ms = _printed(_SETTLED) - settled
    least, most = float((off_ms - room_ms).max()), float((off_ms + room_ms).min())
    if least > most:
        return f"no settling time: with {_SETTLE_MS} ms cells are off by up to {np.abs(off_ms).max():.4f} ms"
    return f"{_SETTLE_MS + least:.4f} to {_SETTLE_MS + most:.4f} ms of settling"


def _cells_beside(half: str, printed: NDArray[np.float64], ours: NDArray[np.float64]) -> Statement:
    """Compare the mean seeks in ms within all subregions with the printed ones, each as a `Figure`.

    `half` names the half of Figure 9 in the finding: with or without settling.
    """
    cells = [Figure("", f"{cell:.2f}", here) for cell, here in zip(printed.flat, ours.flat, strict=True)]
    alike = sum(cell.verdict is Verdict.REPRODUCED for cell in cells)
    worst_ms = float(np.abs(ours - printed).max())
    return Statement(
        f"cells {half}",
        f"{len(cells)} figures of two digits",
        f"{alike} alike to ±{cells[0].allowed:g} ms; all within {worst_ms:.4f} ms",
        holds=all(cell.verdict is not Verdict.CONTRADICTS for cell in cells),
        in_shape=alike < len(cells),
    )


def _corner_beside(half: str, printed: NDArray[np.float64], ours: NDArray[np.float64]) -> Statement:
    """Test if our excess of the corner over the centre in % fits the printed seeks before rounding."""
    digit = half_digit("0.01")
    low, high = (_percent(printed[0, 0] - sign * digit, printed[2, 2] + sign * digit) for sign in (1, -1))
    return Statement(
        f"corner over centre {half}",
        f"{_corner(printed):.1f} % by the printed cells, whose rounding allows {low:.1f} to {high:.1f} %",
        f"{_corner(ours):.1f} %",
        holds=low <= _corner(ours) <= high,
    )


def _corner(grid: NDArray[np.float64]) -> float:
    return _percent(grid[0, 0], grid[2, 2])


def _percent(longer: float, shorter: float) -> float:
    return 100 * (longer / shorter - 1)


def _springs(model: Device) -> list[dict[str, float]]:
    """Return a table row per seek distance along x: the mean time with and without springs.

    The means are over starts all along the stroke, without settling.
    """
    sprung = model.with_parameters(settle_ms=0.0)
    free = sprung.with_parameters(spring_factor=0.0)
    stroke_m = model.parameters["stroke_x_nm"] * 1e-9
    bit_m = model.parameters["bit_width_nm"] * 1e-9
    rows = []
    for distance_m in (bit_m, 1e-6, 5e-6, 10e-6, 20e-6, 30e-6, 50e-6, 75e-6, stroke_m):
        starts = np.linspace(-stroke_m / 2, stroke_m / 2 - distance_m, _STARTS)
        ends = np.minimum(starts + distance_m, stroke_m / 2)
        with_s, without_s = (float(np.mean(moved.seek_x_s(starts, ends))) for moved in (sprung, free))
        row = {"distance_m": distance_m, "with_springs_s": with_s, "without_springs_s": without_s}
        rows.append({**row, "ratio": with_s / without_s})
    return rows


def _spring_claim(springs: Sequence[Mapping[str, float]]) -> Claim:
    """Judge claim 001-C24: springs lengthen short seeks along x and shorten long ones."""
    ratios = [row["ratio"] for row in springs]
    is_falling = ratios == sorted(ratios, reverse=True)
    return stated(
        "001-C24",
        (f"{ratios[0]:.2f}", ratios[0] > 1),
        (f"{ratios[-1]:.2f}", ratios[-1] < 1),
        ("falls with every distance" if is_falling else "does not always fall", is_falling),
    )
