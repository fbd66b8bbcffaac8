"""The seek model "piecewise" against DiskSim's iteration: the same numbers."""

import numpy as np
import pytest

import sledsim

from .. import golden

pytestmark = golden.needs_golden
CASES = [(generation, spring) for generation in ("G1", "G2", "G3") for spring in ("0", "0.75")]


def device(generation: str, spring_factor: str) -> sledsim.Device:
    key = f"disksim-{generation.lower()}"
    return sledsim.device(key, seek_model="piecewise", spring_factor=float(spring_factor))


def seeks(axis: str, generation: str, spring_factor: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Begin and end in m, and DiskSim's time in s: without settling and turnarounds."""
    columns = golden.read(f"seek/{axis}_seek.csv.gz")
    chosen = (
        (columns["gen"] == generation)
        & (columns["seek_function"] == "piecewise")
        & (columns["spring_factor"] == spring_factor)
    )
    assert chosen.sum() >= 625
    from_m, to_m = (golden.numbers(columns, f"{axis}{end}_nm")[chosen] * 1e-9 for end in (0, 1))
    return from_m, to_m, golden.numbers(columns, "raw_seek_s")[chosen]


def check(ours_s: float | np.ndarray, disksim_s: np.ndarray) -> None:
    ours_s = np.asarray(ours_s)
    moved = disksim_s > 0
    assert not ours_s[~moved].any()
    assert np.abs(ours_s[moved] / disksim_s[moved] - 1).max() < 1e-9


@pytest.mark.dear("many seeks are compared", every_change=True)
@pytest.mark.parametrize(("generation", "spring_factor"), CASES)
def test_seeks_in_x(generation: str, spring_factor: str) -> None:
    from_m, to_m, disksim_s = seeks("x", generation, spring_factor)
    sled = device(generation, spring_factor)
    settle_s = np.where(from_m == to_m, 0, sled.characteristics()["settle_s"])
    check(sled.seek_x_s(from_m, to_m) - settle_s, disksim_s)


@pytest.mark.dear("many seeks are compared", every_change=True)
@pytest.mark.parametrize(("generation", "spring_factor"), CASES)
def test_seeks_in_y(generation: str, spring_factor: str) -> None:
    from_m, to_m, disksim_s = seeks("y", generation, spring_factor)
    way = np.where(to_m >= from_m, 1, -1)
    check(device(generation, spring_factor).seek_y_s(from_m, way, to_m, way), disksim_s)
