"""Studies of seeks: regions, zones, maps, distances and their distribution."""

from typing import Any

import numpy as np
import pytest

import sledsim
from sledsim import studies

from .test_device_studies import MS, rows


def mean_ratios(table: Any, parity: str) -> list[float]:
    thresholds = dict.fromkeys(table["threshold_s"].to_pylist())
    found = [rows(table, parity=parity, threshold_s=threshold) for threshold in thresholds]
    return [float(np.mean([row["ratio"] for row in part])) for part in found]


@pytest.mark.parametrize(
    ("parity", "printed"),
    [("same", [11.1, 5.9, 4.4]), ("opposite", [13.3, 6.2, 4.6]), ("best", [18.6, 8.1, 5.1])],
)
def test_ratios_of_equivalence_regions(hong: sledsim.Device, parity: str, printed: list[float]) -> None:
    # Half the last digit of 000-D5, and a bit at one border, which depends on the place of a bit in its cell.
    assert mean_ratios(studies.equivalence_regions(hong), parity) == pytest.approx(printed, abs=0.06)


def test_regions_start_where_the_paper_starts(hong: sledsim.Device) -> None:
    table = studies.equivalence_regions(hong)
    starts = dict.fromkeys((row["start_x_bit"], row["start_y_bit"]) for row in table.to_pylist())
    assert list(starts) == [(0, 0), (25, 0), (1250, 1250), (1225, 1250)], "000 section 5"
    mapped = studies.seek_map(hong, step_bits=1249)
    found = dict.fromkeys((row["start_x_bit"], row["start_y_bit"]) for row in mapped.to_pylist())
    assert list(found) == list(starts)


def test_the_region_around_the_centre_is_exact_to_the_bit(hong: sledsim.Device) -> None:
    table = studies.equivalence_regions(hong, thresholds_s=[0.3e-3])
    keys = ("x_low_bits", "x_high_bits", "y_low_bits", "y_high_bits")
    (up,) = rows(table, start_x_bit=0, parity="same")
    assert [up[key] for key in keys] == [-36, 36, -274, 718], "000-D5"
    assert (up["width_bits"], up["height_bits"]) == (73, 993)
    (down,) = rows(table, start_x_bit=25, parity="same")
    assert [down[key] for key in keys] == [-36, 36, -718, 274], "an odd column: the mirror image"


@pytest.mark.parametrize(
    ("name", "expected_ms"),
    [
        ("osdi00", [0.3, 0.4, 0.5]),
        ("mascots03", [0.3, 0.4, 0.5]),
        ("sigmetrics00", [0.8, 1.0, 1.2]),
        ("sigmetrics00-cantilevers", [0.1, 0.12, 0.14]),
    ],
)
def test_the_thresholds_suit_the_device(name: str, expected_ms: list[float]) -> None:
    table = studies.equivalence_regions(sledsim.device(name))
    thresholds_s = dict.fromkeys(table["threshold_s"].to_pylist())
    assert [threshold / MS for threshold in thresholds_s] == pytest.approx(expected_ms, rel=1e-12)
    # In each of them the sled gets away from the start along x, and not everywhere.
    everywhere = sledsim.device(name).parameters
    columns = everywhere["stroke_x_nm"] // everywhere["bit_width_nm"]
    assert all(1 < width < columns for width in table["width_bits"].to_pylist())


def test_a_region_ends_where_the_time_is_over(hong: sledsim.Device) -> None:
    bit_m, start_m = 40e-9, -1150 * 40e-9
    (row,) = rows(studies.equivalence_regions(hong, [0.35e-3], [(-1150, -1150)]), parity="best")
    for edge, inside in ((row["x_high_bits"], True), (row["x_high_bits"] + 1, False)):
        assert (hong.seek_x_s(start_m, start_m + edge * bit_m) <= 0.35e-3) == inside
    for edge, inside in ((row["y_high_bits"], True), (row["y_high_bits"] + 1, False)):
        to_m = start_m + edge * bit_m
        best_s = min(hong.seek_y_s(start_m, 1, to_m, direction) for direction in (1, -1))
        assert (best_s <= 0.35e-3) == inside


def test_a_start_out_of_reach_has_no_region(first_design: sledsim.Device) -> None:
    (row,) = rows(studies.equivalence_regions(first_design, [0.3e-3], [(0, 0)]), parity="opposite")
    assert (row["y_low_bits"], row["height_bits"], row["ratio"]) == (None, 0, 0)


def test_zones(hong: sledsim.Device) -> None:
    columns = ("centre_x_s", "centre_ahead_s", "centre_behind_s", "pairwise_x_s", "pairwise_y_s")
    small, medium, large = (
        [row[column] / MS for column in columns] for row in rows(studies.zone_threshold(hong))
    )
    # 000-D6 settles for 0.2154 ms, this device for 0.215: 0.4 us less in x.
    assert small == pytest.approx([0.292, 0.181, 0.309, 0.324, 0.386], abs=1e-3)
    assert medium == pytest.approx([0.324, 0.271, 0.392, 0.368, 0.483], abs=1e-3)
    assert large[:3] == pytest.approx([0.368, 0.397, 0.506], abs=1e-3)


# Seek map ------------------------------------------------------------


def test_the_seek_map_is_the_longer_of_both_seeks(hong: sledsim.Device) -> None:
    table = studies.seek_map(hong, starts=[(-1225, -1210)], step_bits=51)
    assert table.num_rows == 50 * 49, "the column of the start stands beside the grid"
    for row in table.to_pylist()[::97]:
        x0, y0, x1, y1 = (row[key] * 40e-9 for key in ("start_x_bit", "start_y_bit", "x_bit", "y_bit"))
        direction = 1 if row["x_bit"] % 2 == 0 else -1
        expected = max(hong.seek_x_s(x0, x1), hong.seek_y_s(y0, -1, y1, direction))
        assert row["seek_s"] == pytest.approx(expected, rel=1e-12)


def test_even_columns_are_smooth_and_all_columns_are_jagged(hong: sledsim.Device) -> None:
    def jumps(columns: str) -> float:
        table = studies.seek_map(hong, starts=[(-1250, -1250)], columns=columns)
        side = len(set(table["x_bit"].to_pylist()))
        seek_s = table["seek_s"].to_numpy().reshape(side, -1)
        # Near the start in x and far from it in y, y decides.
        return float(np.abs(np.diff(seek_s[1:4, 80:], axis=0)).max())

    assert jumps("even") == 0
    lowest_m = (80 * 25 - 1250) * 40e-9
    assert jumps("all") == pytest.approx(hong.turnaround_s(lowest_m, 1)), "opposite directions, a turnaround"
    even = studies.seek_map(hong, columns="even")
    assert not np.any(even["x_bit"].to_numpy() % 2)


@pytest.mark.dear("every study of the device runs", every_change=True)
def test_the_pictures_of_a_map_are_named_after_their_starts(hong: sledsim.Device) -> None:
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    panels = studies.run("seek-map", hong, step_bits=249).plot().concat
    starts = ["centre (0, 0)", "centre (25, 0)", "top-right corner (1250, 1250)"]
    assert [panel.title for panel in panels[:3]] == [f"From {start}" for start in starts]
    (elsewhere,) = studies.run("seek-map", hong, starts=[(-1250, 1250)], step_bits=249).plot().concat
    assert elsewhere.title == "From bit (-1250, 1250)"


@pytest.mark.parametrize("options", [{"columns": "even"}, {"step_bits": 11}, {"step_bits": 149}])
def test_the_picture_of_a_map_is_the_region_and_no_more(
    hong: sledsim.Device, options: dict[str, Any]
) -> None:
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    cells = studies.run("seek-map", hong, starts=[(0, 0)], **options).plot().concat[0].layer[0].data.values
    for low, high in (("x", "x2"), ("y", "y2")):
        assert (min(cell[low] for cell in cells), max(cell[high] for cell in cells)) == (-1250, 1250)
    area = sum((cell["x2"] - cell["x"]) * (cell["y2"] - cell["y"]) for cell in cells)
    assert area == 2500**2, "no gap, no overlap"


@pytest.mark.dear("every study of the device runs", every_change=True)
def test_the_digest_of_a_map_counts_every_target(hong: sledsim.Device) -> None:
    study = studies.run("seek-map", hong)
    assert study.definition.digest
    digest = study.definition.digest(study.table)
    for start in {(row["start_x_bit"], row["start_y_bit"]) for row in digest.to_pylist()}:
        shares = [row["share"] for row in rows(digest, start_x_bit=start[0], start_y_bit=start[1])]
        assert sum(shares) == pytest.approx(1)
    assert max(digest["high_s"].to_pylist()) <= 0.8001 * MS, "000-C5: no seek takes longer"


# Seeks of 002 ------------------------------------------------------------


def test_seek_over_distance_of_the_first_design(first_design: sledsim.Device) -> None:
    table = studies.seek_distance(first_design)
    settle_s = first_design.characteristics()["settle_s"]
    turnaround_s = first_design.characteristics()["turnaround_s"]
    for with_settling in rows(table, settle=True):
        distance_m = with_settling["distance_m"]
        (without,) = rows(table, axis="x", settle=False, distance_m=distance_m)
        assert with_settling["mean_s"] - without["mean_s"] == pytest.approx(settle_s)
        # Without springs the place does not matter (002 Eq 2).
        assert [without["min_s"], without["max_s"]] == pytest.approx([2 * np.sqrt(distance_m / 114.8)] * 2)
    for none in rows(table, turnarounds=0):
        for count in (1, 2):
            (some,) = rows(table, turnarounds=count, distance_m=none["distance_m"])
            assert some["mean_s"] - none["mean_s"] == pytest.approx(count * turnaround_s, rel=1e-9), (
                "002 Eq 4"
            )


def test_a_model_that_does_not_settle_has_no_settling_to_leave_out(device: sledsim.Device) -> None:
    controlled = device.with_parameters(seek_model="linear-system")
    table = studies.seek_distance(controlled, points=5)
    times = ("distance_m", "mean_s", "min_s", "max_s")
    with_settling, without = (
        [[row[key] for key in times] for row in rows(table, settle=settle)] for settle in (True, False)
    )
    assert without == with_settling
    grid = studies.subregions(controlled, grid=1, region_bits=20, sector_bits=0)
    assert grid["settle_s"].to_pylist() == [0], "the same once, not twice"


def test_springs_degrade_short_seeks_and_improve_long_ones(device: sledsim.Device) -> None:
    stiff, loose = (
        rows(studies.seek_distance(each), axis="x", settle=False)
        for each in (device, device.with_parameters(spring_factor=0))
    )
    assert [stiff[at]["distance_m"] / 40e-9 for at in (0, 22, -1)] == pytest.approx([1, 505, 2499])
    ratios = [stiff[at]["mean_s"] / loose[at]["mean_s"] for at in (0, 22, -1)]
    assert ratios == pytest.approx([1.13, 1.00, 0.79], abs=0.01), "001-C24"


def test_the_distribution_of_seeks(first_design: sledsim.Device) -> None:
    table = studies.seek_distribution(first_design, bin_s=10e-6)

    def mean_s(component: str) -> float:
        part = rows(table, component=component)
        assert sum(row["share"] for row in part) == pytest.approx(1)
        return sum(row["share"] * (row["low_s"] + row["high_s"]) / 2 for row in part)

    # The means of these requests and over all places: a sample of 100,000, half a per cent.
    found = first_design.characteristics()
    assert mean_s("positioning") == pytest.approx(found["mean_seek_s"], rel=5e-3)
    longest_s = max(row["high_s"] for row in rows(table, component="x") if row["share"])
    assert longest_s <= found["max_seek_s"] + 10e-6
    assert mean_s("x") > mean_s("y"), "002-C14: x dominates"
