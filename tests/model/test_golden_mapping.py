"""The layouts against DiskSim's, block by block and bit by bit."""

import numpy as np
import pytest

import sledsim

from .. import golden


@golden.needs_golden
@pytest.mark.parametrize("generation", ["G1", "G2"])
@pytest.mark.parametrize("layout", ["layout6_simple", "layout7_streaming"])
def test_every_block_lies_where_disksim_puts_it(generation: str, layout: str) -> None:
    expected = golden.read(f"mapping/{generation}_{layout}.csv.gz")
    device = sledsim.device(f"disksim-{generation.lower()}", layout=layout.partition("_")[2])
    at = device.locate(expected["lbn"].astype(np.int64))
    bit_m = device.parameters["bit_width_nm"] * 1e-9

    def bits(name: str) -> np.ndarray:
        return expected[name].astype(np.int64)

    assert np.array_equal(at["cylinder"], bits("cylinder"))
    assert np.array_equal(at["track"], bits("column"))
    assert np.array_equal(at["slot"] * 64 + at["track"] * device.parameters["active_tips"], bits("tip_start"))
    assert np.array_equal(np.rint(at["x_m"] / bit_m), bits("x_bit"))
    assert np.array_equal(np.rint(at["y_m"] / bit_m), bits("up_servo_start_y"))
    rows = 90 * at["row"] + bits("up_servo_start_y")[0]
    assert np.array_equal(rows, bits("up_servo_start_y"))


def test_third_generation_by_hand() -> None:
    # 3333 cylinders, 2 tracks, 36 rows, 50 blocks a row; an even number of tracks turns the odd ones only.
    device = sledsim.device("disksim-g3")
    at = device.locate([0, 49, 50, 1800, 3599, 3600, 11_998_799])
    assert at["cylinder"].tolist() == [0, 0, 0, 0, 0, 1, 3332]
    assert at["track"].tolist() == [0, 0, 0, 1, 1, 0, 1]
    assert at["row"].tolist() == [0, 0, 1, 35, 0, 0, 0]
    assert at["slot"].tolist() == [0, 49, 0, 0, 49, 0, 49]
    assert at["x_m"][[0, -1]] == pytest.approx([-1666 * 30e-9, 1666 * 30e-9], rel=1e-12)
