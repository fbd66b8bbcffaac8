"""The studies of the bare device against the papers and independent checks (reading notes)."""

import functools
import itertools
import re
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
from sledsim.model.core_tables import entry

from ..conftest import is_long, leftovers

MS = 1e-3
NAMES = [study.name for study in studies.STUDIES]
#: Seek models before other tests register theirs.
SEEK_MODELS = [name for name in entry("kinds", "mems").choices["seek_model"] if name != "measured"]


def rows(table: Any, **wanted: object) -> list[dict[str, Any]]:
    """Return the rows of a table with these values."""
    return [row for row in table.to_pylist() if all(row[key] == value for key, value in wanted.items())]


# Every study, every device ------------------------------------------------------------


@functools.cache
@functools.cache
def made(name: str, device_name: str = "osdi00") -> studies.Study:
    """Run a study, with few values and requests if it simulates."""
    # Studies of whole devices and of blocks with codes take long.
    count = {"data-loss": 20, "error-correction": 10}.get(name, 200) if not is_long() else 200
    few = {
        **{"count": count, "values": [30], "step_bits": 51, "models": SEEK_MODELS},
        **{"traces": ["demo"], "simulated_requests": 2000},
    }
    options = {key: few[key] for key in studies.option_names(studies.find(name).table) if key in few}
    return studies.run(name, sledsim.device(device_name), **options)


@pytest.mark.parametrize("study", studies.STUDIES, ids=NAMES)
def test_a_study_is_a_function_of_the_package(study: studies.Definition) -> None:
    """The attribute is the function and not the module with the same name."""
    assert getattr(studies, study.table.__name__) is study.table


@pytest.mark.dear(
    "every study of the device runs",
    cases=(
        "array-survival-hong03",
        "array-survival-osdi00",
        "array-survival-sigmetrics00",
        "data-loss-hong03",
        "data-loss-osdi00",
        "data-loss-sigmetrics00",
        "subregions-hong03",
        "subregions-osdi00",
    ),
)
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
    said = studies.returned(study.definition.table)
    for column in study.table.column_names:
        assert re.search(rf"\b{column}\b", said), "the docstring says what it means"
        if column.endswith("_s") and not column.endswith("_per_s"):
            assert np.all(study.table[column].drop_null().to_numpy() >= 0), column


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("sensitivity")])
def test_defaults_of_which_there_is_no_device_are_left_out(name: str) -> None:
    small = sledsim.device("sigmetrics00-cantilevers")
    assert studies.run(name, small, count=5).table.num_rows > 1


@pytest.mark.dear("every study of the device runs", cases=("subregions",))
@pytest.mark.parametrize("name", ["seek-map", "subregions", "large-requests", "sensitivity-settling"])
def test_what_the_metadata_says_makes_the_same_table(name: str) -> None:
    study = made(name)
    device = sledsim.Device.from_parameters(study.origin["parameters"])
    assert studies.run(name, device, **study.origin["options"]).table.equals(study.table)


@pytest.mark.dear("every study of the device runs", cases=("array-survival", "data-loss"))
@pytest.mark.parametrize("name", NAMES)
def test_every_study_is_written_whole(name: str, tmp_path: Path) -> None:
    study = made(name)
    tables = study.write_table(tmp_path / "deep" / "folder")
    assert leftovers(tmp_path) == [f"{name}.csv", f"{name}.parquet"]
    parquet = pyarrow.parquet.read_table(tables[0])
    assert parquet.equals(study.table)
    assert studies.origin(parquet) == study.origin
    assert pyarrow.csv.read_csv(tables[1]).column_names == study.table.column_names


@pytest.mark.dear("every study of the device runs", every_change="large-requests")
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
    """Yield every text of a drawn chart: role, text, alignment, place and size."""
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

    def save(chart: Any, path: Path, about: Any) -> Path:
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


@pytest.mark.dear("every study of the device runs", every_change=True)
def test_importing_sledsim_costs_nothing() -> None:
    assert "studies" in dir(sledsim)
    code = (
        "import sledsim, sys; heavy = {'numpy', 'pyarrow', 'altair'}; assert not heavy & set(sys.modules);"
        "sledsim.studies.STUDIES; assert not {'pyarrow', 'altair'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# Equivalence regions and zones (000) ------------------------------------------------------------


@pytest.mark.dear("every study of the device runs", every_change=True)
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
def test_progress_is_shown(device: sledsim.Device, name: str) -> None:
    seen: list[int] = []
    studies.run(name, device, progress=seen.append, count=10)
    assert seen == sorted(seen)
    assert seen[-1] == 100
