"""``sledsim study`` as a user types it."""

import inspect
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest

import sledsim
from sledsim import studies
from sledsim.cli import output
from sledsim.cli.command_options import parse_values
from sledsim.studies.sheet_options import Option
from sledsim.studies.workload import random_run

from ..conftest import Cli, leftovers
from .test_cli_errors import refused


def test_the_list_of_studies(cli: Cli) -> None:
    printed = cli("study").stdout
    assert all(study.name in printed for study in studies.STUDIES)
    listed = json.loads(cli("list", "studies", "--json").stdout)
    assert [row["name"] for row in listed] == [study.name for study in studies.STUDIES]
    assert next(row["source"] for row in listed if row["name"] == "seek-map") == "000-E-1, Fig. 2"
    assert "000-" not in printed
    (row,) = [row for row in listed if row["name"] == "slew-limit"]
    assert row["options"]["rise_ms"] == {
        "unit": "ms",
        "default": "[0.005, 0.02, 0.05, 0.1]",
        "range": "above 0",
        "description": "Times that the actuators need from no force to full force.",
    }


@pytest.mark.parametrize("study", studies.STUDIES, ids=lambda study: study.name)
def test_every_option_has_its_default_and_meaning(study: studies.Definition) -> None:
    options = studies.described(study.table)
    assert [option.name for option in options] == studies.option_names(study.table)
    given = parse_values("-O", [option.given for option in options if option.default])
    for option in options:
        assert len(option.meaning) > 5 and "None" not in option.meaning
        default = inspect.signature(study.table).parameters[option.name].default
        assert given.get(option.name) == (list(default) if isinstance(default, tuple) else default)


LIMITED = [
    pytest.param(study, option, id=f"{study.name} {option.name}")
    for study in studies.STUDIES
    for option in studies.described(study.table)
    if option.range
]


@pytest.mark.parametrize(("study", "option"), LIMITED)
def test_what_is_outside_of_the_range_of_an_option_is_refused(
    study: studies.Definition, option: Option
) -> None:
    word, low, *to = option.range.split(" ", 3)
    beyond = [float(low) if word == "above" else float(low) - 1]
    beyond += [float(to[1]) + 1 if to[1].isdigit() else 10.0**9] if to else []
    for value in map(int, beyond):
        with pytest.raises(sledsim.ParameterError, match=option.name):
            studies.run(study.name, sledsim.device("osdi00"), **{option.name: value})


def test_numbers_have_a_range() -> None:
    without = {
        option.name
        for study in studies.STUDIES
        for option in studies.described(study.table)
        if not option.range
    }
    names = {
        "columns",
        "models",
        "directions",
        "access_modes",
        "detection",
        "block_check",
        "traces",
        "sector",
    }
    assert without == {*names, "starts", "zones"}, "names, and places, of which the device has the limits"


def test_units_of_options_are_named_where_names_leave_them_open(cli: Cli) -> None:
    values = {
        study.name: option.unit
        for study in studies.STUDIES
        for option in studies.described(study.table)
        if option.name == "values"
    }
    assert values == {
        "sensitivity-acceleration": "m/s²",
        "sensitivity-velocity": "mm/s",
        "sensitivity-bit-width": "nm",
        "sensitivity-frequency": "Hz",
        "sensitivity-settling": "time constants",
    }
    printed = " ".join(cli("list", "studies", "sensitivity-velocity").stdout.split())
    assert (
        "values computed mm/s above 0 Access velocities; the device's own is added. By default 1 to"
        in printed
    )
    assert "count 20000 from 1 Number of requests of" in printed


def test_a_short_table_is_printed_whole(cli: Cli) -> None:
    done = cli("study", "zone-threshold", "--device", "mascots03")
    assert done.returncode == 0
    for words in ("zone x (bits)", "centre x (ms)", "0.3087", "2,400", ": mascots03"):
        assert words in done.stdout, words
    assert " of 3 rows" not in done.stdout
    assert done.stderr == ""


def test_the_data_sheet_stands_beside_the_paper(cli: Cli) -> None:
    printed = cli("study", "data-sheet").stdout
    expected = ("3.456 GB", "3.436 GB", "001 Table 1: 3.2 GB (binary)", "0.7014 ms", "0.703 ms")
    for words in (*expected, "75.95 MiB/s", " 75.9 MiB/s", "403.2 Gbit/in²", "gamma ", "1,422/s"):
        assert words in printed, words


def test_a_long_table_is_digested(cli: Cli) -> None:
    done = cli("study", "seek-distance")
    assert "Digest of 250 rows: 'table', --json and --out DIR have all." in done.stdout
    assert done.stdout.count("\n") < 60


def test_the_digest_of_a_distribution_has_its_quantiles() -> None:
    study = studies.run("seek-distribution", sledsim.device("osdi00"), count=500, bin_s=1e-6)
    run = random_run(sledsim.device("osdi00"), 500, 1)
    assert study.definition.digest
    row = study.definition.digest(study.table).to_pylist()[-1]
    assert row["component"] == "positioning"
    times_s = np.sort(run.columns["positioning_ns"]) * 1e-9
    for share in (0.05, 0.25, 0.5, 0.75, 0.95, 1.0):
        exact_s = times_s[round(share * 500) - 1]
        assert exact_s < row[f"within_{share:.0%}_s"] <= exact_s + 1.001e-6


@pytest.mark.parametrize("name", ["seek-models", "slew-limit"])
def test_a_digest_compares_at_the_same_distances(name: str) -> None:
    # Models that other tests register stay, and may raise.
    models = {"models": ["bang-bang", "first-order", "table", "slew-limited", "linear-system"]}
    study = studies.run(name, sledsim.device("osdi00"), **(models if name == "seek-models" else {}))
    assert study.definition.digest
    rows = study.definition.digest(study.table).to_pylist()
    distances = sorted({row["distance_m"] for row in study.table.to_pylist()})
    assert sorted({row["distance_m"] for row in rows}) == [distances[at] for at in (0, 10, 20, 29, 39)]
    if name == "slew-limit":
        assert len(rows) == 20
        assert all(row in study.table.to_pylist() for row in rows)
        return
    for row in study.table.to_pylist():
        for found in rows:
            if found["distance_m"] == row["distance_m"]:
                assert found[f"{row['seek_model']}_s"] == row["seek_s"]


@pytest.mark.dear("commands simulate and draw")
def test_some_rows_of_a_table_without_a_digest(cli: Cli) -> None:
    done = cli("study", "subregions", "-O", "settle_ms=[0, 0.1, 0.2]")
    assert "30, evenly spread, of" in done.stdout


@pytest.mark.dear("commands simulate and draw")
def test_json_is_the_study(cli: Cli) -> None:
    words = (
        "--set",
        "settle_ms=0.3",
        "-O",
        "settle_ms=[0.1, 0]",
        "-O",
        "grid=1",
        "--option",
        "directions=random",
        "--json",
    )
    found = json.loads(cli("study", "subregions", *words).stdout)
    device = sledsim.device("osdi00", settle_ms=0.3)
    study = studies.run("subregions", device, settle_ms=[0.1, 0], grid=1, directions="random")
    assert found == {**study.origin, "rows": study.table.to_pylist()}
    assert found["parameters"]["settle_ms"] == 0.3
    assert found["options"]["settle_ms"] == [0.1, 0]


@pytest.mark.dear("commands simulate and draw")
def test_everything_is_written(tmp_path: Path) -> None:
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    # Other tests check the charts: here it is enough that the command asks for one.
    code = (
        "import sys, sledsim.charts.style\n"
        "def save(chart, path, about): path.touch(); return path\n"
        "sledsim.charts.style.save_chart = save\n"
        "sys.argv = 'sledsim study read-modify-write --device hong03 --out deep/out'.split()\n"
        "from sledsim.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    names = [f"read-modify-write.{kind}" for kind in ("csv", "html", "parquet", "png", "svg")]
    assert leftovers(tmp_path) == names
    assert all(name in done.stderr for name in names)
    table = pyarrow.parquet.read_table(tmp_path / "deep" / "out" / "read-modify-write.parquet")
    assert studies.origin(table)["device"] == "hong03"


@pytest.mark.dear("commands simulate and draw")
def test_plots_without_their_libraries_are_left_out(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['altair'] = None\n"
        "sys.argv = 'sledsim study zone-threshold --out out'.split()\n"
        "from sledsim.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "pip install 'sledsim[plot]'" in done.stderr
    assert leftovers(tmp_path) == ["zone-threshold.csv", "zone-threshold.parquet"]


@pytest.mark.dear("commands simulate and draw", every_change=True)
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("subregions", "-O", "grid=5", "-O", "grid=6"), "--option: expected grid once, found it twice"),
        (("slew-limit", "-O", "rise_ms=x"), "rise_ms = 'x': expected a number above 0"),
    ],
)
def test_wrong_words(cli: Cli, tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    refused(cli("study", *words, "--out", "out"), 2, message)
    assert leftovers(tmp_path) == []


def test_omitted_points_are_reported(cli: Cli) -> None:
    words = ("-O", "count=5", "-O", "values=[100]", "-O", "accelerations=[50]", "-d", "sigmetrics00")
    done = cli("study", "sensitivity-velocity", *words)
    assert done.returncode == 0
    assert "left out: " in done.stderr
    assert "acceleration_m_per_s2 = 50" in done.stderr


# Narrow terminals ------------------------------------------------------------

NUMBERS = ["0.3087", "0.00012345", "3.436 GB (3.200 GiB)"]


@pytest.mark.parametrize("width", [20, 60, 90, 200])
def test_numbers_and_words_are_not_broken(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(output, "_WIDTH_PIPED", width)
    headings = [f">mean of number {at} (ms)" for at in range(len(NUMBERS))]
    filled = output.table("Words", *headings)
    filled.add_row("a remarkably talkative row", *NUMBERS)
    output.print_table(None, filled)
    printed = capsys.readouterr().out
    for word in (*NUMBERS, "remarkably", "talkative", "number", "(ms)"):
        assert word in printed, word
    if width >= 60:
        assert max(map(len, printed.splitlines())) <= width


def test_a_word_that_is_very_long_is_broken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(output, "_WIDTH_PIPED", 40)
    filled = output.table("Path", ">Size")
    filled.add_row("/a/very/long/path" * 4, "12,345")
    output.print_table(None, filled)
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 40
    assert "12,345" in printed


def test_completion_knows_the_names(complete: Callable[[str], str]) -> None:
    assert "sensitivity-velocity" in complete("sledsim study sens")
    assert "size_bytes=" in complete("sledsim study large-requests -O si")
    assert "hong03" in complete("sledsim study seek-map --device ho")
