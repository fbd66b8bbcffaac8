"""Seek curves of DiskSim's parameters, of all kinds."""

import math
from collections.abc import Callable

import numpy as np
import pytest

import sledsim

from ..disksim_files import Parameters


def curve_ms(found: sledsim.results.ImportedDisk, cylinders: float) -> float:
    """Return the seek time of a curve and a formula, as devices read them."""
    rows = np.array(found.parameters["seek_curve"])
    if cylinders > rows[-1, 0] and "seek_formula" in found.parameters:
        ((limit, a, b, c, e),) = found.parameters["seek_formula"]
        return a + b * math.sqrt(cylinders) if cylinders < limit else c + e * cylinders
    if cylinders > rows[-1, 0]:
        (x0, y0), (x1, y1) = rows[-2:]
        return float(y0 + (cylinders - x0) * (y1 - y0) / (x1 - x0))
    return float(np.interp(cylinders, rows[:, 0], rows[:, 1]))


HPL = "[ 40, 1.25, 0.5, 3.5, 0.0125, %s ]"
ALL = range(1, 300)


def hpl_ms(cylinders: int, one: float = -1) -> float:
    """Return V2 + V3 sqrt(d) below V1 cylinders, V4 + V5 d from there; V6 for one, unless it is -1."""
    if cylinders == 1 and one != -1:
        return one
    return 1.25 + 0.5 * math.sqrt(cylinders) if cylinders < 40 else 3.5 + 0.0125 * cylinders


@pytest.mark.parametrize("one", [-1, 0.75])
def test_seeks_by_the_formula_of_ruemmler_and_wilkes(
    drive: Callable[..., sledsim.results.ImportedDisk], one: float
) -> None:
    found = drive(mechanics={"Seek type": "hpl", "HPL seek equation values": HPL % one})
    assert [curve_ms(found, d) for d in ALL] == pytest.approx([hpl_ms(d, one) for d in ALL], abs=1e-12)
    assert "HPL seek equation values" in found.sources["seek_formula"]
    assert found.kinds["seek_formula"] == "stated"
    assert found.kinds["seek_curve"] == ("derived" if one == -1 else "stated")


def test_seeks_by_the_formula_all_of_them_long(drive: Callable[..., sledsim.results.ImportedDisk]) -> None:
    found = drive(mechanics={"Seek type": "hpl", "HPL seek equation values": "[1, 9, 9, 2.0, 0.01, -1.0]"})
    assert [curve_ms(found, d) for d in ALL] == pytest.approx([2 + 0.01 * d for d in ALL], abs=1e-12)


def test_seeks_by_ten_times_and_the_formula(drive: Callable[..., sledsim.results.ImportedDisk]) -> None:
    ten = [0.9, 1.1, 1.0, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 2.0]
    mechanics: Parameters = {
        "Seek type": "hplplus10",
        "HPL seek equation values": HPL % "5.0",
        "First ten seek times": ten,
    }
    found = drive(mechanics=mechanics)
    expected = [ten[d - 1] if d <= 10 else hpl_ms(d) for d in ALL]
    assert [curve_ms(found, d) for d in ALL] == pytest.approx(expected, abs=1e-12)
    assert "First ten seek times" in found.sources["seek_curve"]


POINTS: Parameters = {
    "Single cylinder seek time": 1.0,
    "Average seek time": 6.0,
    "Full strobe seek time": 12.0,
}


def test_seeks_by_a_curve_through_three_points(drive: Callable[..., sledsim.results.ImportedDisk]) -> None:
    """Lee and Katz: c + b (d - 1) + a sqrt(d - 1), a and b from the shortest, mean and longest seek."""
    a = (-10 * 1.0 + 15 * 6.0 - 5 * 12.0) / (3 * math.sqrt(300))
    b = (7 * 1.0 - 15 * 6.0 + 8 * 12.0) / (3 * 300)
    found = drive(mechanics={"Seek type": "curve", **POINTS})
    expected = [1.0 + b * (d - 1) + a * math.sqrt(d - 1) for d in ALL]
    assert [curve_ms(found, d) for d in ALL] == pytest.approx(expected, abs=1.001e-4)
    assert len(found.parameters["seek_curve"]) < 150
    assert found.parameters["seek_curve"][-1][0] == 299


def test_seeks_by_lines_through_three_points(drive: Callable[..., sledsim.results.ImportedDisk]) -> None:
    found = drive(mechanics={"Seek type": "linear", **POINTS})
    assert [curve_ms(found, d) for d in (1, 100, 299)] == [1.0, 6.0, 12.0]
    assert curve_ms(found, 50.5) == pytest.approx(3.5)
    assert curve_ms(found, 199.5) == pytest.approx(9.0)


def test_constant_seeks(drive: Callable[..., sledsim.results.ImportedDisk]) -> None:
    found = drive(mechanics={"Seek type": "constant", "Constant seek time": 4.5})
    assert {curve_ms(found, d) for d in ALL} == {4.5}


def test_measured_seeks(drive: Callable[..., sledsim.results.ImportedDisk]) -> None:
    plain = drive(seek="1, 1.5\r\n2,1.75, 0.2\r\n\r\n").parameters["seek_curve"]
    assert plain == [[1, 1.5], [2, 1.75]]
    # Below the first distance DiskSim draws a line from zero time.
    late = drive(seek="Seek distances measured: 3\n4, 2.0\n8, 2.5\n")
    assert late.parameters["seek_curve"] == [[1, 0.5], [4, 2.0], [8, 2.5]]
    assert "a straight line to 0" in late.sources["seek_curve"]
    (note,) = late.notes
    assert "states 3 distances, but the file has 2" in note
    (note,) = drive(seek="0, 0.0\n1, 2.0\n8, 2.5\n").notes
    assert "made-up.seek:1: ignored" in note


def test_the_device_serves_what_the_curve_says(drive: Callable[..., sledsim.results.ImportedDisk]) -> None:
    """Imported seeks are those of the device: the data sheet's shortest and longest."""
    found = drive(mechanics={"Seek type": "hpl", "HPL seek equation values": HPL % "0.75"})
    sheet = found.device().characteristics()
    assert sheet["track_to_track_seek_s"] == pytest.approx(0.75e-3)
    assert sheet["max_seek_s"] == pytest.approx(hpl_ms(299) * 1e-3)
