"""The studies of the bare device against the papers and independent checks (reading notes)."""

import functools
import itertools
import math
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.csv
import pyarrow.parquet
import pytest

import sledsim
from sledsim import studies
from sledsim.common import units

from ..conftest import is_long, leftovers

MS = 1e-3
NAMES = [study.name for study in studies.STUDIES]


@pytest.fixture(scope="module")
def hong() -> sledsim.Device:
    return sledsim.device("mascots03")


@pytest.fixture(scope="module")
def first_design() -> sledsim.Device:
    return sledsim.device("sigmetrics00")


def rows(table: Any, **wanted: object) -> list[dict[str, Any]]:
    """The rows of a table with these values."""
    return [row for row in table.to_pylist() if all(row[key] == value for key, value in wanted.items())]


# Every study, every device ------------------------------------------------------------


@functools.cache
@functools.cache
def made(name: str, device_name: str = "osdi00") -> studies.Study:
    """A study, with few values and requests where it simulates."""
    # Of whole devices and of blocks with codes each takes long.
    count = {"data-loss": 20, "error-correction": 10}.get(name, 200) if not is_long() else 200
    few = {
        **{"count": count, "values": [30], "step_bits": 51},
        **{"traces": ["demo"], "simulated_requests": 2000},
    }
    options = {key: few[key] for key in studies.option_names(studies.find(name).table) if key in few}
    return studies.run(name, sledsim.device(device_name), **options)


@pytest.mark.parametrize("device_name", ["osdi00", "sigmetrics00", "hong03"])
@pytest.mark.parametrize("name", NAMES)
def test_every_study_takes_any_device(name: str, device_name: str) -> None:
    study = made(name, device_name)
    assert (study.name, study.device) == (name, device_name)
    assert study.table.num_rows > 0
    about = study.origin
    assert about["parameters"] == sledsim.device(device_name).parameters
    assert (about["study"], about["version"]) == (name, sledsim.__version__)
    assert list(about["options"]) == studies.option_names(study.definition.table)
    for column in study.table.column_names:
        if column.endswith("_s") and not column.endswith("_per_s"):
            assert np.all(study.table[column].drop_null().to_numpy() >= 0), column


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("sensitivity")])
def test_defaults_of_which_there_is_no_device_are_left_out(name: str) -> None:
    small = sledsim.device("sigmetrics00-cantilevers")
    assert studies.run(name, small, count=5).table.num_rows > 1


@pytest.mark.parametrize("name", ["seek-map", "subregions", "large-requests", "sensitivity-settling"])
def test_what_the_metadata_says_makes_the_same_table(name: str) -> None:
    study = made(name)
    device = sledsim.Device.from_parameters(study.origin["parameters"])
    assert studies.run(name, device, **study.origin["options"]).table.equals(study.table)


@pytest.mark.parametrize("name", NAMES)
def test_every_study_is_written_whole(name: str, tmp_path: Path) -> None:
    study = made(name)
    tables = study.write_table(tmp_path / "deep" / "folder")
    assert leftovers(tmp_path) == [f"{name}.csv", f"{name}.parquet"]
    parquet = pyarrow.parquet.read_table(tables[0])
    assert parquet.equals(study.table)
    assert studies.origin(parquet) == study.origin
    assert pyarrow.csv.read_csv(tables[1]).column_names == study.table.column_names


@pytest.mark.parametrize("name", NAMES)
def test_every_chart_renders_and_its_labels_stand_apart(name: str) -> None:
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    converter = pytest.importorskip("vl_convert", reason="plots are an extra: pip install 'sledsim[plot]'")
    specification = made(name).plot().to_json(indent=None, validate=False)
    assert len(specification) < 2_000_000, "with its scripts, a page stays below 3 MB"
    texts = list(placed_texts(converter.vegalite_to_scenegraph(specification)["scenegraph"], (0.0, 0.0)))
    assert any(": osdi00" in text for role, text, *_ in texts if role == "title-text"), "it names the device"
    below = [each for each in texts if each[0] == "axis-label" and each[3] == "top"]
    assert {align for _, _, align, *_ in below} <= {"center"}, "a label stands under its tick"
    # In DejaVu Sans a digit takes 0.64 of the size of the font, a point or comma half of that.
    ends = sorted(
        (y, x - half, x + half)
        for _, text, _, _, x, y, size in below
        for half in [0.32 * size * (len(text) - text.count(",") / 2 - text.count(".") / 2)]
    )
    for (y, _, right), (next_y, left, _) in itertools.pairwise(ends):
        assert next_y != y or left > right, f"two labels touch at {right:.0f}, {y:.0f}"


def placed_texts(mark: dict[str, Any], origin: tuple[float, float]) -> Iterator[tuple[Any, ...]]:
    """Every text of a drawn chart: role, text, how it is aligned, where it stands, and its size."""
    for item in mark["items"]:
        x, y = origin[0] + item.get("x", 0), origin[1] + item.get("y", 0)
        for below in item.get("items", []):
            yield from placed_texts(below, (x, y))
        if mark["marktype"] == "text" and item.get("opacity", 1):
            aligned = item.get("align"), item.get("baseline")
            yield mark.get("role"), str(item.get("text")), *aligned, x, y, item.get("fontSize")


def test_a_study_is_drawn_as_page_picture_and_vectors(
    hong: sledsim.Device, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    from sledsim.charts import style

    def save(chart: Any, path: Path) -> Path:
        path.write_text(chart.title.text)
        return path

    monkeypatch.setattr(style, "save_chart", save)
    seen: list[int] = []
    study = studies.run("zone-threshold", hong)
    written = study.write(tmp_path, progress=seen.append)
    assert [path.name for path in written] == [
        f"zone-threshold.{kind}" for kind in ("parquet", "csv", "html", "png", "svg")
    ]
    assert seen == [33, 66, 100]
    assert written[-1].read_text() == "Seeks in a zone: mascots03"


def test_importing_sledsim_costs_nothing() -> None:
    assert "studies" in dir(sledsim)
    code = (
        "import sledsim, sys; heavy = {'numpy', 'pyarrow', 'altair'}; assert not heavy & set(sys.modules);"
        "sledsim.studies.STUDIES; assert not {'pyarrow', 'altair'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# Equivalence regions and zones (000) ------------------------------------------------------------


def mean_ratios(table: Any, parity: str) -> list[float]:
    thresholds = dict.fromkeys(table["threshold_s"].to_pylist())
    found = [rows(table, parity=parity, threshold_s=threshold) for threshold in thresholds]
    return [float(np.mean([row["ratio"] for row in part])) for part in found]


@pytest.mark.parametrize(
    ("parity", "printed"),
    [("same", [11.1, 5.9, 4.4]), ("opposite", [13.3, 6.2, 4.6]), ("best", [18.6, 8.1, 5.1])],
)
def test_ratios_of_equivalence_regions(hong: sledsim.Device, parity: str, printed: list[float]) -> None:
    # Half the last digit of 000-D5, and a bit at one border, which depends on where in its cell a bit lies.
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
    # In each of them one gets away from the start along x, and not everywhere.
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
        # Near the start in x and far from it in y, where y decides.
        return float(np.abs(np.diff(seek_s[1:4, 80:], axis=0)).max())

    assert jumps("even") == 0
    lowest_m = (80 * 25 - 1250) * 40e-9
    assert jumps("all") == pytest.approx(hong.turnaround_s(lowest_m, 1)), "opposite directions, a turnaround"
    even = studies.seek_map(hong, columns="even")
    assert not np.any(even["x_bit"].to_numpy() % 2)


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


def service_ms(table: Any, **wanted: object) -> list[float]:
    return [row["mean_service_s"] / MS for row in rows(table, **wanted)]


def test_access_time_over_velocity(first_design: sledsim.Device) -> None:
    table = studies.access_velocity(first_design, values=[1, 10, 20, 30, 40, 60, 80, 100])
    default = dict(
        zip((1, 10, 20, 30, 40, 60, 80, 100), service_ms(table, acceleration_m_per_s2=114.8), strict=True)
    )
    # 002-C12, straddling included, a simulation of its own: 1 %; at 1 mm/s the sizes drawn weigh more: 2 %.
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


def test_figure_9_with_settling(device: sledsim.Device) -> None:
    found = grid_ms(studies.subregions(device, settle_ms=[0.21], directions="random", sector_bits=0))
    assert found.round(2).tolist() == SETTLED, "001-C12: all 25 cells"
    assert grid_ms(studies.subregions(device, settle_ms=[0.22])) == pytest.approx(
        np.array(SETTLED), abs=0.015
    )


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
    # At these distances the seek along x hides all of that along y.
    far_s = device.seek_x_s(-50e-6, -50e-6 + 2499 * 40e-9)
    assert table["positioning_s"][2].as_py() == pytest.approx(far_s, abs=1e-9)


def test_read_modify_write(device: sledsim.Device) -> None:
    table = studies.read_modify_write(device)
    for operation in ("read-modify-write", "verify-after-write"):
        small, large = rows(table, operation=operation, device="osdi00")
        parts = ("first_s", "reposition_s", "second_s", "total_s")
        assert [small[key] / MS for key in parts] == pytest.approx([0.13, 0.07, 0.13, 0.33], abs=0.005)
        # 001-C15: the total that is printed is the sum of rounded parts.
        assert [large[key] / MS for key in parts[:3]] == pytest.approx([2.19, 0.07, 2.19], abs=0.005)
        assert large["total_s"] / MS == pytest.approx(4.45, abs=0.015)


def test_the_disk_beside_it_waits_for_a_rotation(device: sledsim.Device) -> None:
    turn_s = sledsim.device("atlas10k").characteristics()["revolution_s"]
    small, large = rows(studies.read_modify_write(device), operation="read-modify-write", device="atlas10k")
    for row, blocks in ((small, 8), (large, 334)):
        # From the start of the read to that of the write the disk turns once (001-C16).
        assert row["first_s"] + row["reposition_s"] == pytest.approx(turn_s)
        assert row["second_s"] == row["first_s"] == pytest.approx(turn_s * blocks / 334)
    # At random places tracks are as long, or shorter.
    assert 0.9 * small["reposition_s"] < small["mean_reposition_s"] <= small["reposition_s"]
    longer = studies.read_modify_write(device, blocks=[335])
    assert set(longer["device"].to_pylist()) == {"osdi00"}, "no track of the disk holds as much"


def test_a_fixed_direction_has_to_go_back(device: sledsim.Device) -> None:
    table = studies.read_modify_write(device.with_parameters(access_mode="parity"), blocks=[8])
    back_s = table["reposition_s"][0].as_py()
    bits_m = 45 * 40e-9
    assert back_s == pytest.approx(device.seek_y_s(bits_m, 1, -bits_m, 1))
    assert back_s > 2 * device.turnaround_s(0, 1)


@pytest.mark.parametrize("mode", ["bidirectional", "parity"])
def test_a_write_of_a_part_of_a_block_takes_its_read_in_the_study(mode: str) -> None:
    """A row of emsoft08 is one block of 8 sectors: by hand, each pass over it and each way back."""
    device = sledsim.device("emsoft08", access_mode=mode)
    shape = device.characteristics()
    row_s = float(shape["row_s"])
    half_m = 0.5 * row_s * device.parameters["access_velocity_mm_per_s"] * 1e-3
    back_s = device.turnaround_s(0, 1) if mode == "bidirectional" else device.seek_y_s(half_m, 1, -half_m, 1)
    table = studies.read_modify_write(device, blocks=[1, 8], count=2)
    for row in rows(table, device="emsoft08"):
        is_part = row["blocks"] < 8
        reads_first = row["operation"] == "read-modify-write"
        once_s, twice_s = row_s, 2 * row_s + back_s if is_part else row_s
        expected = (once_s, back_s, twice_s) if reads_first else (twice_s, back_s, once_s)
        found = [row[key] for key in ("first_s", "reposition_s", "second_s")]
        # Rows end half a row from the centre, where turning round takes a little less or more.
        assert found == pytest.approx(expected, rel=0.01), row
        assert row["total_s"] == pytest.approx(sum(found))
    # The simulation of pairs one after the other agrees: it counts the same passes.
    (pairs,) = rows(
        studies.read_modify_write_sequence(device, blocks=[1], access_modes=[mode], count=50),
        device="emsoft08",
        operation="read-modify-write",
        order="each pair before the next",
    )
    (alone, _) = rows(table, device="emsoft08", blocks=1)
    assert alone["total_s"] <= pairs["operation_s"] <= alone["total_s"] + 3 * back_s + row_s


def test_read_modify_write_in_sequence(device: sledsim.Device) -> None:
    table = studies.read_modify_write_sequence(device, blocks=[20, 540])
    turn_s, row_s = device.turnaround_s(0, 1), float(device.characteristics()["row_s"])
    for operation in ("read-modify-write", "verify-after-write"):
        for size in (20, 540):
            for drive in ("bidirectional", "serpentine"):
                found = rows(table, operation=operation, blocks=size, drive=drive)
                once, pairs, twice = (row["operation_s"] for row in found)
                assert [row["factor"] for row in found] == pytest.approx([1, pairs / once, twice / once])
                # All that is between the two passes is one seek back: 1 ms over 500 requests.
                assert twice == pytest.approx(2 * once, rel=2e-3)
                if size == 20:
                    # A row that was gone over twice has to be gone over once more to the next one.
                    assert pairs / once == pytest.approx(3.785, abs=5e-4), "3.8 in docs/reference/studies.md"
                elif drive == "bidirectional":
                    # A sled that has written a whole track backwards is where the next one begins.
                    assert pairs == pytest.approx(twice, rel=0.01)
                else:
                    # Tracks are crossed in turn, up and down: it goes back to where the track began.
                    assert 1.05 * twice < pairs < 1.1 * twice
                assert pairs > 2 * (size // 20) * row_s + turn_s
    _, pairs, _ = rows(table, operation="read-modify-write", blocks=20, drive="without cache")
    revolution_s = sledsim.device("atlas10k").characteristics()["revolution_s"]
    # A disk waits for what it read to come by again; what it reads next comes right behind (001-C16).
    assert pairs["operation_s"] == pytest.approx(revolution_s * (1 + 20 / 334), rel=0.05)
    assert pairs["reposition_share"] > 0.85
    cached = rows(table, operation="read-modify-write", blocks=20, drive="with cache")
    assert [row["reposition_share"] for row in cached] == [None] * 3 and cached[1]["factor"] > 4


def test_in_sequence_there_is_a_place_for_all(device: sledsim.Device) -> None:
    with pytest.raises(sledsim.ParameterError, match="expected requests that fit on osdi00"):
        studies.read_modify_write_sequence(device, blocks=[500], count=20_000)
    with pytest.raises(sledsim.ParameterError, match="access_mode"):
        studies.read_modify_write_sequence(device, access_modes=["sideways"])


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
        ("seek-map", {"starts": []}, r"starts = \[\]: expected at least one"),
        ("seek-models", {"models": []}, r"models = \[\]: expected at least one of the seek models"),
        ("seek-models", {"models": 5}, "models = 5: expected one of bang-bang, "),
        ("seek-models", {"models": ["bang-bong"]}, "models = 'bang-bong': expected one of bang-bang, "),
        ("slew-limit", {"rise_ms": []}, r"rise_ms = \[\]: expected at least one of the numbers"),
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
            "values = 1000000000.0: expected a number with which there is a device: ",
        ),
        ("sensitivity-acceleration", {"values": [0]}, "values = 0: expected a number above 0"),
        ("large-requests", {"size_bytes": 1000}, "size_bytes = 1000: expected whole sectors of 512 bytes"),
        (
            "large-requests",
            {"size_bytes": 3_456_000_000},
            "size_bytes = 3456000000: expected whole sectors of 512 bytes, 3,454,617,600 bytes at most",
        ),
        (
            # Before those without a block check, which are possible, are tried for minutes.
            "error-correction",
            {"check_tips": 191},
            "check_tips = 191: .* expected at most 190",
        ),
        ("large-requests", {"distances_cylinders": [2500]}, "distances_cylinders = 2500: expected"),
        ("read-modify-write", {"blocks": [541]}, "blocks = 541: expected a whole number from 1 to 540"),
    ],
)
def test_wrong_options(device: sledsim.Device, name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(sledsim.ParameterError, match=message):
        studies.run(name, device, **options)


@pytest.mark.parametrize(
    ("name", "option", "value", "others"),
    [
        ("seek-models", "models", "first-order", {"points": 3}),
        ("slew-limit", "rise_ms", 0.05, {"points": 3}),
        ("equivalence-regions", "thresholds_s", 0.3e-3, {}),
        ("equivalence-regions", "starts", (0, 25), {}),
        ("zone-threshold", "zones", [60, 600], {}),
        ("sensitivity-bit-width", "values", np.int64(30), {"count": 5}),
        ("sensitivity-velocity", "accelerations", 803.6, {"values": 28, "count": 5}),
        ("subregions", "settle_ms", 0.21, {"grid": 2}),
        ("read-modify-write", "blocks", 20, {"count": 5}),
        ("read-modify-write-sequence", "access_modes", "serpentine", {"blocks": 20, "count": 5}),
        ("error-correction", "check_tips", 2, {"detection": "crc8", "count": 5}),
        ("data-loss", "check_tips", 4, {"spare_tips": 16, "defect_tips": 1, "count": 5}),
        ("power-strategies", "traces", "demo", {}),
        ("start-up", "devices", 5, {}),
    ],
)
def test_one_value_is_a_list_of_one(
    device: sledsim.Device, name: str, option: str, value: Any, others: dict[str, Any]
) -> None:
    one = studies.run(name, device, **{option: value}, **others)
    assert one.table.equals(studies.run(name, device, **{option: [value]}, **others).table)
    assert one.table.num_rows > 0


def test_a_sensitivity_to_anything(device: sledsim.Device) -> None:
    table = studies.sensitivity(device, "active_tips", [640, 1280], count=100)
    assert table.column_names[0] == "active_tips"
    slow, fast = table["streaming_bytes_per_s"].to_pylist()
    assert fast == pytest.approx(2 * slow)
    with pytest.raises(sledsim.ParameterError, match="unknown key `active_tip`"):
        studies.sensitivity(device, "active_tip", [640])


@pytest.mark.parametrize("name", ["sensitivity-settling", "error-correction"])
def test_progress_is_told(device: sledsim.Device, name: str) -> None:
    seen: list[int] = []
    studies.run(name, device, progress=seen.append, count=10)
    assert seen == sorted(seen)
    assert seen[-1] == 100
