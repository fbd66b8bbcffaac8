"""``sledsim study`` as a user types it."""

import json
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet
import pytest

import sledsim
from sledsim import device_studies as studies

from .conftest import Cli, leftovers
from .test_cli_errors import refused


def test_the_list_of_studies(cli: Cli) -> None:
    printed = cli("study").stdout
    assert all(study.name in printed for study in studies.STUDIES)
    listed = json.loads(cli("studies", "--json").stdout)
    assert [row["name"] for row in listed] == [study.name for study in studies.STUDIES]
    assert {"size_bytes", "seed"} <= set(
        next(row for row in listed if row["name"] == "large-requests")["options"]
    )


def test_a_short_table_is_printed_whole(cli: Cli) -> None:
    done = cli("study", "zone-threshold", "--device", "mascots03")
    assert done.returncode == 0
    for words in ("zone x bits", "centre x (ms)", "0.3087", "2,400", ": mascots03", "000-C3"):
        assert words in done.stdout, words
    assert " of 3 rows" not in done.stdout
    assert done.stderr == ""


def test_the_data_sheet_stands_beside_the_paper(cli: Cli) -> None:
    printed = cli("study", "data-sheet").stdout
    for words in ("3.456 GB", "3.436 GB", "001 Table 1: 3.2 GB (binary)", "0.7014 ms", "0.703 ms"):
        assert words in printed, words


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("seek-map", "Digest of 40,000 rows; --out DIR writes them, --json prints them."),
        ("seek-distance", "Digest of 250 rows; --out DIR"),
    ],
)
def test_a_long_table_is_digested(cli: Cli, name: str, note: str) -> None:
    done = cli("study", name)
    assert note in done.stdout
    assert done.stdout.count("\n") < 60


def test_some_rows_of_a_table_without_a_digest(cli: Cli) -> None:
    done = cli("study", "seek-distribution", "-O", "count=1000", "-O", "bin_s=5e-6")
    assert "30, evenly spread, of" in done.stdout


def test_json_is_the_study(cli: Cli) -> None:
    words = ("--set", "settle_ms=0.3", "-O", "settle_ms=[0.1, 0]", "--option", "directions=random", "--json")
    found = json.loads(cli("study", "subregions", *words).stdout)
    device = sledsim.device("osdi00", settle_ms=0.3)
    study = studies.run("subregions", device, settle_ms=[0.1, 0], directions="random")
    assert found == {**study.origin, "rows": study.table.to_pylist()}
    assert found["parameters"]["settle_ms"] == 0.3
    assert found["options"]["settle_ms"] == [0.1, 0]


def test_everything_is_written(cli: Cli, tmp_path: Path) -> None:
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    done = cli("study", "read-modify-write", "--device", "hong03", "--out", tmp_path / "deep" / "out")
    assert done.returncode == 0, done.stderr
    names = [f"read-modify-write.{kind}" for kind in ("csv", "html", "parquet", "png", "svg")]
    assert leftovers(tmp_path) == names
    assert all(name in done.stderr for name in names)
    table = pyarrow.parquet.read_table(tmp_path / "deep" / "out" / "read-modify-write.parquet")
    assert studies.origin(table)["device"] == "hong03"


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


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("seek-mop",), 'unknown study "seek-mop": did you mean "seek-map"'),
        (("subregions", "-O", "gird=5"), "unknown option `gird`: expected grid or region_bits or settle_ms"),
        (("subregions", "-O", "grid=5", "-O", "grid=6"), "--option: grid is set twice"),
        (("subregions", "-O", "grid=five"), "grid = 'five': expected a whole number from 1"),
        (
            ("zone-threshold", "-O", "zones=[60, 600]"),
            "zones = 60: expected a list of pairs of whole numbers",
        ),
        (("data-sheet", "--device", "osdi01"), 'unknown device "osdi01": did you mean "osdi00"?'),
    ],
)
def test_wrong_words(cli: Cli, tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    refused(cli("study", *words, "--out", "out"), 2, message)
    assert leftovers(tmp_path) == []


def test_a_folder_that_is_a_file(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = cli("study", "zone-threshold", "--json", "--out", tmp_path / "file")
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: {tmp_path / 'file'}: ")


def test_completion_knows_the_names(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def complete(line: str) -> str:
        monkeypatch.setenv("_SLEDSIM_COMPLETE", "complete_fish")
        monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
        monkeypatch.setenv("_TYPER_COMPLETE_ARGS", line)
        return cli().stdout

    assert "sensitivity-velocity" in complete("sledsim study sens")
    assert "size_bytes=" in complete("sledsim study large-requests -O si")
    assert "hong03" in complete("sledsim study seek-map --device ho")
