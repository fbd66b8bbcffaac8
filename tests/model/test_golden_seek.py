"""Seeks against DiskSim's: equal where DiskSim is exact, within its own error where it iterates."""

import numpy as np
import pytest

import sledsim

from .. import golden

pytestmark = golden.needs_golden
GENERATIONS = ["G1", "G2", "G3"]


def device(generation: str, spring_factor: float, seek_function: str) -> sledsim.Device:
    """Return a device; DiskSim's closed form ("hong") has half the stiffness of its iteration."""
    factor = spring_factor / 2 if seek_function.startswith("hong") else spring_factor
    return sledsim.device(f"disksim-{generation.lower()}", spring_factor=factor)


def rows(columns: golden.Columns, generation: str) -> list[tuple[str, float, np.ndarray]]:
    found = []
    for function in sorted(set(columns["seek_function"])):
        for spring in sorted(set(columns["spring_factor"])):
            chosen = (
                (columns["gen"] == generation)
                & (columns["seek_function"] == function)
                & (columns["spring_factor"] == spring)
            )
            if chosen.any():
                found.append((function, float(spring), chosen))
    return found


def deviation(disksim_s: np.ndarray, ours_s: np.ndarray) -> np.ndarray:
    moved = ours_s > 0
    assert np.array_equal(moved, disksim_s > 0)
    return disksim_s[moved] / ours_s[moved] - 1


@pytest.mark.parametrize("generation", GENERATIONS)
def test_seeks_in_x(generation: str) -> None:
    columns = golden.read("seek/x_seek.csv.gz")
    for function, spring, chosen in rows(columns, generation):
        sled = device(generation, spring, function)
        x0_m, x1_m = (golden.numbers(columns, name)[chosen] * 1e-9 for name in ("x0_nm", "x1_nm"))
        settle_s = golden.numbers(columns, "settle_s")[chosen]
        ours_s = sled.seek_x_s(x0_m, x1_m) - np.where(x0_m == x1_m, 0, sled.characteristics()["settle_s"])
        found = deviation(golden.numbers(columns, "raw_seek_s")[chosen], np.maximum(ours_s, 0))
        assert settle_s.max() == pytest.approx(sled.characteristics()["settle_s"], rel=1e-7)
        check(function, spring, found, -0.0021, 0.0357)


@pytest.mark.dear("many seeks are compared", every_change=True)
@pytest.mark.parametrize("generation", GENERATIONS)
def test_seeks_in_y(generation: str) -> None:
    columns = golden.read("seek/y_seek.csv.gz")
    for function, spring, chosen in rows(columns, generation):
        sled = device(generation, spring, function)
        y0_m, y1_m = (golden.numbers(columns, name)[chosen] * 1e-9 for name in ("y0_nm", "y1_nm"))
        way = np.where(y1_m >= y0_m, 1, -1)
        ours_s = sled.seek_y_s(y0_m, way, y1_m, way)
        found = deviation(golden.numbers(columns, "raw_seek_s")[chosen], ours_s)
        check(function, spring, found, -0.0087, 0.0303)


def check(function: str, spring: float, found: np.ndarray, low: float, high: float) -> None:
    if function.startswith("hong"):
        assert np.abs(found).max() < 1e-4
    elif spring == 0:
        assert np.abs(found).max() < 1e-7, "DiskSim's iteration is exact without springs"
    else:
        assert low <= found.min() <= found.max() <= high


def test_turnarounds() -> None:
    columns = golden.read("seek/turnaround.csv.gz")
    for generation in GENERATIONS:
        for spring in sorted(set(columns["spring_factor"])):
            inside = np.abs(golden.numbers(columns, "y_nm")) <= 50_020
            chosen = inside & (columns["gen"] == generation) & (columns["spring_factor"] == spring)
            sled = device(generation, float(spring), "piecewise")
            y_m = golden.numbers(columns, "y_nm")[chosen] * 1e-9
            d = columns["vy_sign_before"][chosen].astype(int)
            found = golden.numbers(columns, "turnaround_s")[chosen] / sled.turnaround_s(y_m, d) - 1
            # DiskSim takes the spring force as constant during the reversal.
            assert np.abs(found).max() < (0.075 if float(spring) else 1e-9)
            centre = np.abs(y_m) < 1e-9
            assert np.abs(found[centre]).max() < 0.006
