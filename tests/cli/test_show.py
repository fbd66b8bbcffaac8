"""The certainty of a device's numbers, as `sledsim show` prints it."""

import json
import re
from pathlib import Path

import pytest

import sledsim

from ..conftest import Cli

FILE = """\
extends = "osdi00"
settle_ms = 0.3
tips = 6400
[source]
settle_ms = "three sleds of ours"
tips = "assumed: as osdi00"
[certainty]
settle_ms = { kind = "measured", low = 0.25, high = 1.5, log = true, reason = "the quickest and the slowest" }
tips = "assumed"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(FILE)
    return path


def row(printed: str, key: str) -> list[str]:
    """Return the lines of a table that belong to a key, without marks between columns."""
    lines = printed.splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith(f" {key} "))
    rest = lines[first + 1 :]
    more = next(at for at, line in enumerate(rest) if not line.startswith("   "))
    return [re.sub(r"  +", " | ", line.strip()) for line in (lines[first], *rest[:more])]


def test_a_wide_terminal_has_columns_for_kinds_and_ranges(
    cli: Cli, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "250")
    printed = cli("show", file).stdout
    assert "Range" in printed and "Kind" in printed and "Source [range: why]" in printed
    first, *others = row(printed, "settle_ms")
    assert first.startswith("settle_ms | 0.3 | 0.25 to 1.5 (log) | ms | measured | ")
    assert first.endswith(" | three sleds of ours")
    assert any("[range: the quickest and the slowest]" in line for line in others)
    assert row(printed, "tips")[0].startswith("tips | 6,400 | assumed | Number of probe tips")
    assert row(printed, "bit_width_nm")[0].startswith("bit_width_nm | 40 | nm | stated | ")


@pytest.mark.parametrize("columns", [80, 120, 149])
def test_a_narrower_one_has_them_below_the_value_and_the_meaning(
    cli: Cli, file: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    printed = cli("show", file).stdout
    table, _, _ = printed.partition("Characteristics")
    assert all(len(line.rstrip()) <= columns for line in table.splitlines()[1:])
    settling = row(printed, "settle_ms")
    assert settling[0].startswith("settle_ms | 0.3 ms | Settling time")
    assert settling[1].startswith("0.25 to 1.5 (log) | ")
    words = " ".join(line.removeprefix("0.25 to 1.5 (log) | ") for line in settling)
    assert words.endswith("[measured: three sleds of ours] [range: the quickest and the slowest]")
    tips = " ".join(row(printed, "tips"))
    assert tips.endswith("[assumed: as osdi00]"), "a source that says the kind itself says it once"


@pytest.mark.dear("commands simulate and draw", every_change=True)
def test_a_device_without_certainty_shows_none(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = {**sledsim.device("osdi00").parameters, "name": "bare"}
    text = "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items())
    (tmp_path / "bare.toml").write_text(text)
    for columns in ("80", "160"):
        monkeypatch.setenv("COLUMNS", columns)
        printed = cli("show", tmp_path / "bare.toml").stdout
        assert "Kind" not in printed and "kind:" not in printed and "range:" not in printed
    assert json.loads(cli("show", tmp_path / "bare.toml", "--json").stdout)["certainty"] is None


def test_what_is_set_has_neither_kind_nor_range(cli: Cli) -> None:
    shown = json.loads(cli("show", "osdi00", "--set", "settle_ms=0.3", "--json").stdout)
    assert "settle_ms" not in shown["certainty"]
    assert shown["certainty"]["spring_factor"] == sledsim.device("osdi00").certainty["spring_factor"]
    printed = cli("show", "osdi00", "--set", "settle_ms=0.3").stdout
    assert row(printed, "settle_ms")[0].startswith("settle_ms | 0.3 | ms | Settling time")


def test_a_wrong_range_is_an_error_of_one_line(cli: Cli, file: Path) -> None:
    file.write_text(FILE.replace("low = 0.25", "low = 0.35"))
    done = cli("show", file)
    said = "[certainty] settle_ms: expected a range that includes the value 0.3, found 0.35 to 1.5"
    assert done.returncode == 2 and done.stderr == f"error: {file}: {said}\n"
