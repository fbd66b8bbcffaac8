"""Sensitivities to parameters, subregions, and large requests."""

from typing import Any

import numpy as np
import pytest

import sledsim
from sledsim import studies

from .test_device_studies import MS, rows


def service_ms(table: Any, **wanted: object) -> list[float]:
    return [row["mean_service_s"] / MS for row in rows(table, **wanted)]


@pytest.mark.dear("every study of the device runs", every_change=True)
def test_access_time_over_velocity(first_design: sledsim.Device) -> None:
    table = studies.access_velocity(first_design, values=[1, 10, 20, 30, 40, 60, 80, 100])
    default = dict(
        zip((1, 10, 20, 30, 40, 60, 80, 100), service_ms(table, acceleration_m_per_s2=114.8), strict=True)
    )
    # 002-C12 with straddling, in a separate simulation: 1 %; at 1 mm/s the drawn sizes weigh more: 2 %.
    assert default[1] == pytest.approx(7.95, rel=0.02)
    printed = {10: 2.38, 20: 2.08, 30: 2.01, 40: 2.01, 60: 2.11, 100: 2.55}
    assert {key: default[key] for key in printed} == pytest.approx(printed, rel=0.01)
    fast = service_ms(table, acceleration_m_per_s2=400)
    assert fast[2] == pytest.approx(1.57, rel=0.01)
    assert fast[6] == pytest.approx(1.36, rel=0.01)
    assert min(fast) == fast[6], "still falling up to 80 mm/s"
    slow = rows(table, acceleration_m_per_s2=50)
    assert min(slow, key=lambda row: row["mean_service_s"])["access_velocity_mm_per_s"] == 20
    assert max(row["access_velocity_mm_per_s"] for row in slow) == 60, "more is not reached within the travel"


def test_pairs_without_a_device_are_named(first_design: sledsim.Device) -> None:
    few: dict[str, Any] = {"count": 10}
    study = studies.run("sensitivity-velocity", first_design, accelerations=[50], values=[20, 100], **few)
    keys = ("access_velocity_mm_per_s", "acceleration_m_per_s2")
    pairs = {tuple(row[key] for key in keys) for row in study.table.to_pylist()}
    assert pairs == {(20, 50), (20, 114.8), (100, 114.8)}
    (note,) = study.notes
    assert note.startswith("left out: ")
    assert "access_velocity_mm_per_s = 100" in note
    assert "acceleration_m_per_s2 = 50" in note
    assert studies.run("sensitivity-velocity", first_design, **few).notes == [], "none was asked for"


def test_access_time_over_frequency_and_time_constants(first_design: sledsim.Device) -> None:
    by_frequency = studies.resonant_frequency(first_design, values=[50, 100, 220, 400, 800, 1600])
    assert service_ms(by_frequency) == pytest.approx([4.49, 2.90, 2.08, 1.83, 1.71, 1.65], rel=0.005), (
        "002-C13"
    )
    by_constants = studies.settling_constants(first_design)
    assert service_ms(by_constants) == pytest.approx([1.60, 2.08, 2.76, 3.48, 4.20, 4.93], rel=0.005), (
        "002-C13"
    )
    steps = np.diff(service_ms(by_constants))[1:]
    assert steps == pytest.approx([0.7234] * 4, rel=0.07), "linear beyond one: a time constant each"


def test_access_time_over_bit_width(first_design: sledsim.Device) -> None:
    table = studies.bit_width(first_design, values=[30, 50, 100])
    assert service_ms(table) == pytest.approx([1.96, 2.08, 2.40], rel=0.01), "002-D4"
    wide, narrow = table["capacity_bytes"].to_pylist()[::-2]
    assert narrow / wide == pytest.approx((100 / 30) ** 2, rel=0.05), "as bits in an area"


def test_more_acceleration_is_never_slower(device: sledsim.Device) -> None:
    table = studies.acceleration(device, count=2000)
    assert np.all(np.diff(service_ms(table)) < 0)
    assert 803.6 in table["acceleration_m_per_s2"].to_pylist(), "the device's own"


def test_a_settling_time_becomes_a_frequency(device: sledsim.Device) -> None:
    own = studies.settling_constants(device, values=[1])
    assert own["mean_seek_s"][0].as_py() == pytest.approx(device.characteristics()["mean_seek_s"])
    with pytest.raises(sledsim.ParameterError, match="settle_ms = 0: expected a settling time above 0"):
        studies.resonant_frequency(device.with_parameters(settle_ms=0))


# Figures and tables of 001 ------------------------------------------------------------

SETTLED = [
    [0.42, 0.39, 0.38, 0.39, 0.42],
    [0.41, 0.38, 0.38, 0.38, 0.41],
    [0.41, 0.38, 0.37, 0.38, 0.41],
    [0.41, 0.38, 0.38, 0.38, 0.41],
    [0.42, 0.39, 0.38, 0.39, 0.42],
]
UNSETTLED = [
    [0.23, 0.21, 0.20, 0.21, 0.23],
    [0.22, 0.20, 0.19, 0.20, 0.22],
    [0.22, 0.20, 0.19, 0.20, 0.22],
    [0.22, 0.20, 0.19, 0.20, 0.22],
    [0.23, 0.21, 0.20, 0.21, 0.23],
]


def grid_ms(table: Any) -> Any:
    return (table["mean_seek_s"].to_numpy() / MS).reshape(5, 5)


@pytest.mark.dear("every study of the device runs", every_change=True)
def test_figure_9_with_settling(device: sledsim.Device) -> None:
    found = grid_ms(studies.subregions(device, settle_ms=[0.21], directions="random", sector_bits=0))
    assert found.round(2).tolist() == SETTLED, "001-C12: all 25 cells"
    assert grid_ms(studies.subregions(device, settle_ms=[0.22])) == pytest.approx(
        np.array(SETTLED), abs=0.015
    )


@pytest.mark.dear("every study of the device runs", every_change=True)
def test_figure_9_without_settling(device: sledsim.Device) -> None:
    found = grid_ms(studies.subregions(device, settle_ms=[0]))
    assert found == pytest.approx(np.array(UNSETTLED), abs=0.011), "001-C12"
    # Directions that cannot be chosen do not give the figure (001-D8).
    parity = grid_ms(studies.subregions(device.with_parameters(access_mode="parity"), settle_ms=[0]))
    assert np.all(parity - np.array(UNSETTLED) > 0.011)


def test_subregions_are_what_a_simulation_finds(device: sledsim.Device) -> None:
    bare = device.with_parameters(overhead_ms=0.0, bus_mb_per_s=0.0, settle_ms=0.0)
    whole = studies.subregions(bare, grid=1, settle_ms=[0])["mean_seek_s"][0].as_py()
    # One subregion is the whole region: rows start at other places than random ones, within a per cent.
    assert whole == pytest.approx(bare.characteristics()["mean_seek_s"], rel=0.01)


def test_subregions_of_a_small_region_hold_an_access() -> None:
    small = sledsim.device("sigmetrics00-cantilevers")
    parameters = small.parameters
    rows_of_bits = parameters["stroke_y_nm"] // parameters["bit_width_nm"]
    sector_bits = parameters["sector_encoded_bits"] + parameters["servo_bits"]
    assert rows_of_bits // 5 < sector_bits, "a fifth of it does not"
    table = studies.subregions(small)
    assert rows_of_bits // (max(table["row"].to_pylist()) + 1) > sector_bits
    assert max(studies.subregions(small, sector_bits=0)["row"].to_pylist()) == 4


def test_large_requests(device: sledsim.Device) -> None:
    table = studies.large_requests(device, distances_cylinders=[0, 1250, 2499])
    assert table["increase"].to_pylist() == pytest.approx([0, 0.089, 0.113], abs=0.002), "001-C13"
    # At these distances the seek along x hides the whole seek along y.
    far_s = device.seek_x_s(-50e-6, -50e-6 + 2499 * 40e-9)
    assert table["positioning_s"][2].as_py() == pytest.approx(far_s, abs=1e-9)
