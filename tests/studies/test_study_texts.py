"""Texts of studies on keys, quantities and units, and errors of wrong options."""

import math
from typing import Any

import pytest

import sledsim
from sledsim import studies
from sledsim.common import units

from .test_device_studies import MS, rows


def test_the_data_sheet(device: sledsim.Device) -> None:
    sheet = {row["quantity"]: row for row in rows(studies.data_sheet(device))}
    streaming = sheet["streaming_bytes_per_s"]
    assert streaming["value"] / 2**20 == pytest.approx(75.95, abs=0.005), "001-C5"
    assert (streaming["unit"], streaming["source"][:3]) == ("bytes/s", "001")
    requests_per_s = 1 / sheet["mean_access_4k_s"]["value"]
    gamma = requests_per_s / (streaming["value"] / 2**20)
    assert gamma == pytest.approx(1422 / 75.95, rel=0.01), "001-C6"
    assert sheet["turnaround_inward_s"]["value"] / MS == pytest.approx(0.2596, abs=5e-5), "000-D3"
    for name, value in device.characteristics().items():
        assert sheet[name]["value"] == value


def test_the_picture_of_the_data_sheet_has_every_quantity(device: sledsim.Device) -> None:
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    study = studies.run("data-sheet", device)
    rows_drawn = study.plot().to_dict()["layer"][0]["encoding"]["y"]["sort"]
    assert len(set(rows_drawn)) == study.table.num_rows, "no two lie one upon the other"


# Units ------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "heading", "label"),
    [
        ("mean_response_s", "mean response (ms)", "mean response"),
        ("streaming_bytes_per_s", "streaming (MiB/s)", "streaming rate"),
        ("tip_bits_per_s", "tip (Mbit/s)", "tip rate"),
        ("random_4k_per_s", "random 4k (/s)", "random 4k rate"),
        ("density_bits_per_m2", "density (Gbit/in²)", "density"),
        ("rate_per_s", "rate (/s)", "rate"),
        ("metadata_share_of_writes", "metadata share of writes (%)", "metadata share of writes"),
        ("demerit_of_measured_mean", "demerit of measured mean (%)", "demerit of measured mean"),
        ("gamma_per_mib", "gamma (/MiB)", "gamma"),
        ("capacity_bytes", "capacity (GB)", "capacity"),
        ("row_bytes", "row (bytes)", "row size"),
        ("bit_width_nm", "bit width (nm)", "bit width"),
        ("distance_m", "distance (µm)", "distance"),
        ("amplitude_m", "amplitude (nm)", "amplitude"),
        ("rebuild_share", "rebuild share (%)", "rebuild share"),
        ("saved", "saved (%)", "saved"),
        ("acceleration_m_per_s2", "acceleration (m/s²)", "acceleration"),
        ("access_velocity_mm_per_s", "access velocity (mm/s)", "access velocity"),
        ("tracks_per_cylinder", "tracks per cylinder", "tracks per cylinder"),
    ],
)
def test_a_key_in_words(key: str, heading: str, label: str) -> None:
    assert (units.heading(key), units.label(key)) == (heading, label)


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [
        ("streaming_bytes_per_s", 75.9 * 2**20, "75.9 MiB/s"),
        ("density_bits_per_m2", 1e9 / 0.0254**2, "1 Gbit/in²"),
        ("random_4k_per_s", 1425.7, "1,426/s"),
        ("gamma_per_mib", 18.7654, "18.77/MiB"),
        ("capacity_bytes", 3456000000, "3.456 GB (3.219 GiB)"),
        ("row_bytes", 10240.0, "10 KiB"),
        ("block_bytes", 512, "512 bytes"),
        ("mean_response_s", 12.34567, "12,346 ms"),
        ("mean_response_s", 0.000555551, "0.5556 ms"),
        ("span_s", 3.0, "3.000 s"),
        ("utilization", 0.5, "50.00%"),
        ("saved", -2.22e-16, "0.00%"),
        ("cylinders", 2500.0, "2,500"),
        ("cv2_response", 1.23456, "1.235"),
        ("blocks", 12345678, "12,345,678"),
    ],
)
def test_a_quantity_for_people(key: str, value: float, text: str) -> None:
    assert units.quantity(key, value) == text


@pytest.mark.parametrize(
    ("key", "column", "shown"),
    [
        ("disks_s", (20.0, 2000.0), ("20 s", "2,000 s")),
        ("response_s", (0.5, 2000.0), ("500 ms", "2,000,000 ms")),
        ("wait_s", (0.0, None, math.inf, 3.0), ("0 s", "", "inf s", "3 s")),
        ("sector_bytes", (512, 8192), ("512 bytes", "8,192 bytes")),
        ("sector_bytes", (1024.0, 1536.0, 2.0**21), ("1 KiB", "1.5 KiB", "2,048 KiB")),
        ("capacity_bytes", (3.456e9, 9.1e9), ("3.456 GB", "9.1 GB")),
        ("capacity_bytes", (0.5529e9, 1.408e10), ("0.5529 GB", "14.08 GB")),
    ],
)
def test_a_column_has_a_unit_that_suits_it(
    key: str, column: tuple[float | None, ...], shown: tuple[str, ...]
) -> None:
    unit = units.of(key, column)
    assert units.heading(key, unit).endswith(f" ({shown[0].split()[1]})")
    texts = ["" if value is None else f"{unit.number(value)} {unit.shown}" for value in column]
    assert texts == [*shown]


def test_the_ends_of_a_range_have_one_unit() -> None:
    columns = {"low_s": [0.0], "high_s": [1.0], "x_low_m": [0.0], "follow_s": [1e-3], "slow_s": [2.0]}
    shown = {key: unit.shown for key, unit in units.of_columns(columns).items()}
    assert shown == {"low_s": "s", "high_s": "s", "x_low_m": "µm", "follow_s": "ms", "slow_s": "s"}


def test_every_ending_can_be_met() -> None:
    assert [units.of(f"x{unit.ending}") for unit in units.UNITS] == list(units.UNITS)


# Options ------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("seek-maps", {}, 'unknown study "seek-maps": did you mean "seek-map"'),
        ("zzz", {}, 'unknown study "zzz": expected one of data-sheet, seek-map'),
        ("data-sheet", {"seed": 1}, "unknown option `seed`: this study has no options"),
        ("subregions", {"grids": 5}, "unknown option `grids`: expected grid or region_bits"),
        ("subregions", {"grid": 2.5}, "grid = 2.5: expected a whole number from 1"),
        (
            "subregions",
            {"grid": 100},
            r"sector_bits = 90: expected less than the 25 bits of a subregion \(a smaller grid",
        ),
        ("subregions", {"region_bits": 501}, "region_bits = 501: expected a whole number from 1 to 500"),
        ("subregions", {"directions": "up"}, "directions = 'up': expected one of device, random, best"),
        ("subregions", {"settle_ms": [-1]}, "settle_ms = -1: expected a number from 0"),
        ("seek-map", {"step_bits": 10}, "step_bits = 10: expected an odd number"),
        ("seek-map", {"step_bits": 11, "columns": "even"}, "step_bits = 11: expected an even number"),
        ("seek-map", {"columns": "odd"}, "columns = 'odd': expected one of all, even"),
        ("seek-map", {"starts": [(0, -1251)]}, "starts = -1251: expected a whole number from -1250 to 1250"),
        ("seek-map", {"starts": [(0, 1, 2)]}, r"starts = \(0, 1, 2\): expected two whole numbers, x and y"),
        ("seek-map", {"starts": 5}, r"starts = \[5\]: expected two whole numbers, x and y"),
        ("seek-map", {"starts": []}, r"starts = \[\]: expected a list of at least one"),
        ("seek-models", {"models": []}, r"models = \[\]: expected a list of at least one value: seek models"),
        ("seek-models", {"models": 5}, "models = 5: expected one of bang-bang, "),
        ("seek-models", {"models": ["bang-bong"]}, "models = 'bang-bong': expected one of bang-bang, "),
        ("slew-limit", {"rise_ms": []}, r"rise_ms = \[\]: expected a list of at least one value: numbers"),
        ("slew-limit", {"rise_ms": "x"}, "rise_ms = 'x': expected a number above 0"),
        ("slew-limit", {"rise_ms": {"x": 1}}, "rise_ms = {'x': 1}: expected a number above 0"),
        ("slew-limit", {"rise_ms": [0]}, "rise_ms = 0: expected a number above 0"),
        ("equivalence-regions", {"thresholds_s": [0]}, "thresholds_s = 0: expected a number above 0"),
        ("zone-threshold", {"zones": [(60, 2501)]}, "zones = 2501: expected a whole number from 1 to 2500"),
        ("seek-distance", {"points": True}, "points = True: expected a whole number from 2"),
        ("seek-distribution", {"bin_s": 0}, "bin_s = 0: expected a number from 1e-09"),
        ("seek-distribution", {"bin_s": 1e-15}, "bin_s = 1e-15: expected a number from 1e-09"),
        ("seek-distribution", {"count": 0}, "count = 0: expected a whole number from 1"),
        ("sensitivity-bit-width", {"values": [30.5]}, "values = 30.5: expected a whole number from 1"),
        ("sensitivity-velocity", {"values": ["fast"]}, "values = 'fast': expected a number"),
        ("sensitivity-velocity", {"values": [0]}, "values = 0: expected a number above 0"),
        ("sensitivity-velocity", {"accelerations": [0]}, "accelerations = 0: expected a number above 0"),
        (
            "sensitivity-velocity",
            {"values": [28, 1e9]},
            "values = 1000000000.0: expected a number with which a device is possible: ",
        ),
        ("sensitivity-acceleration", {"values": [0]}, "values = 0: expected a number above 0"),
        ("large-requests", {"size_bytes": 1000}, "size_bytes = 1000: expected whole sectors of 512 bytes"),
        (
            "large-requests",
            {"size_bytes": 3_456_000_000},
            "size_bytes = 3456000000: expected whole sectors of 512 bytes, at most 3,454,617,600 bytes",
        ),
        (
            # Designs without a block check, which are possible, take minutes before these.
            "error-correction",
            {"check_tips": 191},
            "check_tips = 191 .* expected check_tips of at most 190",
        ),
        ("large-requests", {"distances_cylinders": [2500]}, "distances_cylinders = 2500: expected"),
        ("read-modify-write", {"blocks": [541]}, "blocks = 541: expected a whole number from 1 to 540"),
    ],
)
def test_wrong_options(device: sledsim.Device, name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(sledsim.ParameterError, match=message):
        studies.run(name, device, **options)
