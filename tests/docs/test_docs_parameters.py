"""docs/reference/parameters.md is what the program says of itself, and says it of everything."""

import json
import re
from typing import Any

import pytest

import sledsim
from sledsim import _native
from sledsim.cli.catalogue import LISTINGS, Listing
from sledsim.model.catalogue import column_sets
from sledsim.model.tables import Entry, table
from sledsim.studies import STUDIES, option_names

from ..conftest import Cli
from ..parameters_page import PAGE, page

TEXT = PAGE.read_text()


#: Before any test registers something of its own, which stays.
GENERATED = page()
TABLES = {kind: table(kind) for kind in _native.tables()}
COUNTERS = {name: row.counters for name, row in table("volumes").items()}


def test_the_page_is_what_its_generator_prints() -> None:
    assert GENERATED == TEXT, "make parameters writes it again"


def named(section: str) -> str:
    return next(part for part in TEXT.split("\n## ") if part.startswith(section))


@pytest.mark.parametrize("name", sledsim.devices())
def test_every_key_and_characteristic_of_a_device_is_there(name: str) -> None:
    device = sledsim.device(name)
    here = named({"mems": "MEMS", "disk": "Disks", "flash": "Flash"}[device.kind])
    for key in [*device.parameters, *device.characteristics()]:
        assert key in ("name", "kind") or f"\n| `{key}` | " in here, key


@pytest.mark.parametrize("kind", sledsim.volumes())
def test_every_option_and_counter_of_a_volume_is_there(kind: str) -> None:
    here = next(part for part in named("Volumes").split("\n### ") if part.startswith(f"`{kind}`"))
    run = sledsim.simulate(sledsim.volume(kind), sledsim.demo_trace().rows(slice(0, 50)))
    counted = {name for counts in run.volumes.values() for name in counts}
    assert counted == set(COUNTERS[kind])
    for name in [*sledsim.volume_options(kind), *sledsim.volume_roles(kind), *counted]:
        assert f"\n| `{name}` | " in here, name


def test_what_devices_count_is_there() -> None:
    trace = sledsim.demo_trace().rows(slice(0, 50))
    faulty = sledsim.with_faults(sledsim.device("osdi00"), {"seed": 1})
    erased, large = sledsim.device("osdi00-erase"), sledsim.device("emsoft08")
    for device, (_, known) in zip((faulty, erased, large), _native.device_counters(), strict=True):
        (counts,) = sledsim.simulate(device, trace).device_counts.values()
        assert set(counts) == set(dict(known))


def test_every_column_of_a_result_is_there_and_no_other() -> None:
    here = named("Columns of a result")
    run = sledsim.simulate(sledsim.device("osdi00"), sledsim.demo_trace().rows(slice(0, 50)))
    rows = [line for line in here.splitlines() if line.startswith("| `")]
    listed = {row.split("`")[1]: row.split(" | ")[1] for row in rows}
    sets = {*column_sets(), "all", "none"}
    assert listed.keys() - sets == {*run.requests.column_names}
    assert {listed[name] for name in run.requests.column_names} == {*column_sets()}
    assert sets < listed.keys()


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_every_option_of_a_study_is_there(study: Any) -> None:
    for name in option_names(study.table):
        assert f"\n| `{study.name}` | `{name}` | " in named("Studies")


@pytest.mark.parametrize("kind", TABLES["kinds"])
def test_meanings_say_something(kind: str) -> None:
    row = TABLES["kinds"][kind]
    for key, text in [*row.characteristics.items(), *((key, text) for key, *_, text in row.parameters)]:
        assert len(text) >= 5 and text == text.strip() and "  " not in text, key


@pytest.mark.parametrize("kind", sorted(TABLES.keys() - {"volumes"}))
def test_every_row_and_option_of_a_table_is_there(kind: str) -> None:
    for row in TABLES[kind].values():
        assert f"\n| `{row.name}` | {row.summary} |".replace("R|W", "R\\|W") in TEXT or "|" in row.summary
        for one in row.options:
            assert f"\n| `{one.name}` | {one.default} | {one.unit} | " in TEXT, one


@pytest.mark.parametrize("listing", LISTINGS, ids=lambda listing: listing.command)
def test_a_listing_explains_every_row(cli: Cli, listing: Listing) -> None:
    listed = json.loads(cli(listing.command, "--json").stdout)
    printed = cli(listing.command).stdout
    for kind in listing.headings:
        for row in TABLES[kind].values():
            assert listed[row.name]["description"] == row.summary and f" {row.name} " in printed
            assert set(listed[row.name]["options"]) == {one.name for one in row.options}
    name = max((row for kind in listing.headings for row in TABLES[kind].values()), key=_said).name
    words = " ".join(cli(listing.command, name).stdout.split())
    for one in listed[name]["options"].values():
        # Cells of a row are broken into lines side by side.
        assert (
            " ".join(one["description"].split()[:3]) in words and " ".join(one["range"].split()[:3]) in words
        )
    assert all(key in words for key in listed[name]["parameters"])
    assert list(listed[name]["keys"]) == listed[name]["parameters"]
    assert all(len(about["description"]) > 5 for about in listed[name]["keys"].values())


def test_every_number_of_a_device_has_a_range() -> None:
    mems = {key: values for key, _, values, _ in TABLES["kinds"]["mems"].parameters}
    assert mems["layout_extent_blocks"] == "a whole number from 1 to the device's blocks"
    for kind in TABLES["kinds"].values():
        assert not [key for key, unit, values, _ in kind.parameters if unit and not values]
    assert TABLES["schedulers"]["vscan_cyl"].option("reversal").range == (
        "a number from 0 (as SSTF) to 1 (as LOOK)"
    )
    assert TABLES["workloads"]["random"].option("rate").range == "a number above 0"


def _said(row: Entry) -> int:
    return len(row.options) + len(row.keys)


def test_no_listing_has_ids_of_papers() -> None:
    texts = [row.summary for kind in TABLES for row in TABLES[kind].values()]
    texts += [one.meaning for kind in TABLES for row in TABLES[kind].values() for one in row.options]
    kinds = TABLES["kinds"].values()
    texts += [text for kind in kinds for names in kind.choices.values() for text in names.values()]
    texts += [text for kind in kinds for *_, text in kind.parameters]
    assert not [text for text in texts if re.search(r"\b0\d\d-[A-Z]\d|\b[CDF]\d+\b", text)]


def test_show_says_what_keys_mean(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "250")
    words = " ".join(cli("show", "atlas10k").stdout.split())
    assert "Quantity of which `read_watermark` is a part" in words
    meanings = json.loads(cli("show", "atlas10k", "--json").stdout)["meanings"]
    assert meanings["watermark_of"] == "Quantity of which `read_watermark` is a part"
    assert "gamma_per_mib" in meanings
    reading = sledsim.device("atlas10k").parameters["read_ahead"]
    text = TABLES["kinds"]["disk"].choices["read_ahead"][reading]
    assert f"{reading}: {text}"[:20] in words
    assert "no longer needed" in cli("show", "atlas10k", "--explain").stderr


def test_a_kind_of_volume_is_explained(cli: Cli) -> None:
    words = " ".join(cli("volumes", "mcd").stdout.split())
    assert "clean_above 0.9 a number from 0 to 1 dirty share of the log above which it is cleaned" in words
    assert "bypassed writes writes that went past the log, because it was too full for them" in words
    listed = json.loads(cli("volumes", "mcd", "--json").stdout)
    assert listed["write-buffer"]["counters"] == COUNTERS["write-buffer"]
    done = cli("volumes", "raid55")
    assert done.returncode == 2 and 'did you mean "raid5"?' in done.stderr
