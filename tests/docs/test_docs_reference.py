"""The reference explains all names: the page of the repository, and the pages of the site."""

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest
from docs.site.markdown import plain, table as written
from docs.site.reference import LISTED, PAGES
from docs.site.reference.kinds import KINDS
from docs.site.reference.python import public_names

import sledsim
from sledsim import _native
from sledsim.cli.app import app
from sledsim.cli.commands.listing import KINDS as LISTINGS, Kind
from sledsim.cli.installed_commands import whole
from sledsim.common.citations import cited
from sledsim.common.units import quantity
from sledsim.model.catalogue import column_sets
from sledsim.model.core_tables import Entry, table
from sledsim.model.motions import motions
from sledsim.public import FOR_PACKAGES
from sledsim.studies import STUDIES, described
from sledsim.traces import formats

from ..conftest import Cli
from ..parameters_page import PAGE, page

TEXT = PAGE.read_text()
#: Advice if the page is older than the sources.
RENEW = "make parameters writes docs/reference/parameters.md again"
#: Names before any test registers its own, which stay.
GENERATED = page()
SITE = {
    path.removeprefix("generated/").removesuffix(".md"): text for pages in PAGES for path, text in pages()
}
TABLES = {kind: table(kind) for kind in _native.tables()}
COUNTERS = {name: row.counters for name, row in table("volumes").items()}
PROGRAM: Any = whole(app)


def beginning(parts: list[str], start: str) -> str:
    """Return the part of the repository's page with this beginning."""
    found = next((part for part in parts if part.startswith(start)), None)
    assert found is not None, f"{start}: {RENEW}"
    return found


def named(heading: str) -> str:
    """Return a part of the repository's page by name."""
    return beginning(TEXT.split("\n## "), heading)


def section(page: str, heading: str) -> str:
    """Return the text below a heading."""
    return next(part for part in SITE[page].split("\n## ")[1:] if part.startswith(f"`{heading}`\n"))


def rows(text: str) -> dict[str, list[str]]:
    """Return the other cells of the rows of all tables of a text, by the first cell."""
    cells = (line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| `"))
    return {first.strip("`"): others for first, *others in cells}


def test_the_page_is_what_its_generator_prints() -> None:
    assert GENERATED == TEXT, RENEW


def test_every_table_of_the_core_has_its_page() -> None:
    assert {*KINDS, "volumes", "kinds"} == TABLES.keys()
    assert {page.removeprefix("generated/").removesuffix(".md") for page in LISTED} <= SITE.keys()
    assert all(f"\n## `{name}`\n" in SITE["formats"] for name in formats.rows()), "Parquet is read, too"


@pytest.mark.parametrize("kind", sorted(TABLES.keys() - {"volumes"}))
def test_every_row_and_option_of_a_table_is_explained(kind: str) -> None:
    for row in TABLES[kind].values():
        line = f"\n| `{row.name}` | {row.summary} |".replace("R|W", "R\\|W")
        assert line in TEXT or "|" in row.summary, RENEW
        for one in row.options:
            assert f"\n| `{one.name}` | {one.default} | {one.unit} | " in TEXT, RENEW
        # A kind of devices has a page with its keys.
        if kind != "kinds":
            here = section(kind, row.name)
            assert plain(cited(row.summary))[1:] in here and f"[`{row.name}`](#" in SITE[kind]
            said = rows(here)
            for one in row.options:
                assert plain(one.meaning) == said[one.name][-1].replace(r"\|", "|")
            assert {*row.keys} <= said.keys()


@pytest.mark.dear("sources and commands of a page are checked", every_change=True)
@pytest.mark.parametrize("name", sledsim.devices())
def test_every_key_and_characteristic_of_a_device_is_explained(name: str) -> None:
    device = sledsim.device(name)
    here = named({"mems": "MEMS", "disk": "Disks", "flash": "Flash"}[device.kind])
    for key in [*device.parameters, *device.characteristics()]:
        assert key in ("name", "kind") or f"\n| `{key}` | " in here, f"{key}: {RENEW}"
    page = SITE[f"devices/{name}"]
    parameters = rows(page.partition("\n## Derived characteristics")[0])
    assert {*device.parameters} - {"name", "kind", "description"} == parameters.keys()
    unsaid = [key for key in parameters if plain(cited(device.sources.get(key, ""))) not in page]
    assert unsaid == []
    for key in device.characteristics():
        assert f" | `{key}` | " in page
    if device.kind == "mems":
        assert all(
            f"| {one.name} | {quantity('motion_s', one.time_s)} | {one.meaning} |" in page
            for one in motions(device)
        )
    kind = SITE[f"devices/{device.kind}"]
    for key in [*parameters, *device.characteristics()]:
        assert f"\n| `{key}` | " in kind, key


@pytest.mark.parametrize("kind", sledsim.volumes())
def test_every_option_member_and_counter_of_a_volume_is_explained(kind: str) -> None:
    here = beginning(named("Volumes").split("\n### "), f"`{kind}`")
    run = sledsim.simulate(sledsim.volume(kind), sledsim.demo_trace().rows(slice(0, 50)))
    counted = {name for counts in run.volumes.values() for name in counts}
    assert counted == set(COUNTERS[kind])
    for name in [*sledsim.listings.volume_options(kind), *sledsim.listings.volume_roles(kind), *counted]:
        assert f"\n| `{name}` | " in here, f"{name}: {RENEW}"
    row = TABLES["volumes"][kind]
    said = rows(SITE[f"volumes/{kind}"])
    assert {one.name for one in row.options} | {role for role, *_ in row.members} | {
        *row.counters
    } == said.keys()
    assert [said[name][-1] for name in row.counters] == [plain(text) for text in row.counters.values()]


def test_everything_that_devices_count_is_explained() -> None:
    trace = sledsim.demo_trace().rows(slice(0, 50))
    faulty = sledsim.with_faults(sledsim.device("osdi00"), {"seed": 1})
    erased, large = sledsim.device("osdi00-erase"), sledsim.device("emsoft08")
    counters = set()
    for device, (_, known) in zip((faulty, erased, large), _native.device_counters(), strict=True):
        (counts,) = sledsim.simulate(device, trace).device_counts.values()
        assert set(counts) == set(dict(known))
        counters |= set(counts)
    assert counters == rows(SITE["counters"]).keys()


def test_every_column_of_a_result_is_explained_and_no_other() -> None:
    run = sledsim.simulate(sledsim.device("osdi00"), sledsim.demo_trace().rows(slice(0, 50)))
    listed = {name: cells[0] for name, cells in rows(named("Columns of a result")).items()}
    sets = {*column_sets(), "all", "none"}
    assert listed.keys() - sets == {*run.requests.column_names}
    assert {listed[name] for name in run.requests.column_names} == {*column_sets()}
    assert sets < listed.keys() == rows(SITE["columns"]).keys()


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_every_option_and_column_of_a_study_is_explained(study: Any) -> None:
    options = {one.name: plain(one.meaning) for one in described(study.table)}
    for name in options:
        assert f"\n| `{study.name}` | `{name}` | " in named("Studies"), RENEW
    assert len(section("studies", study.name).partition("**Columns of its table:**")[2].split()) > 5
    said = rows(section("studies", study.name))
    assert options == {name: cells[-1] for name, cells in said.items()}


def commands(command: Any, words: str) -> dict[str, Any]:
    """Yield every command that is not hidden, by its words."""
    inner = getattr(command, "commands", None)
    if not inner:
        return {words: command}
    return {
        path: one
        for name, sub in inner.items()
        if not sub.hidden
        for path, one in commands(sub, f"{words} {name}").items()
    }


@pytest.mark.parametrize("words", commands(PROGRAM, "sledsim"))
def test_every_option_of_a_command_is_explained(words: str) -> None:
    name, _, inner = words.removeprefix("sledsim ").partition(" ")
    here = section(f"commands/{name}", words) if inner else SITE[f"commands/{name}"]
    for parameter in commands(PROGRAM, "sledsim")[words].params:
        if getattr(parameter, "hidden", False):
            continue
        first = plain(parameter.help.split("\n")[0])
        assert first in here.replace(r"\|", "|"), parameter.name
        assert parameter.param_type_name == "argument" or all(option in here for option in parameter.opts)
    assert f"[`sledsim {name}`]" in SITE["commands/index"]


def test_every_public_name_stands_on_a_page_once() -> None:
    stub = ast.parse((Path(sledsim.__file__).parent / "__init__.pyi").read_text())
    named = {alias.name for line in stub.body if isinstance(line, ast.ImportFrom) for alias in line.names}
    modules = {"errors", "studies", "crash", "design", "results", "listings", "options", "extend", "tips"}
    assert named - modules == {name for name in public_names() if "." not in name}
    text = "\n".join(page for path, page in SITE.items() if path.startswith("python/"))
    for name in public_names():
        own = name.rpartition(".")[2] in named - modules and "." in name
        assert text.count(f":: sledsim.{name}\n") == (0 if own else 1), name
    assert modules | {"papers", *FOR_PACKAGES} == {
        name.partition(".")[0] for name in public_names() if "." in name
    }


def test_cells_cannot_break_a_table() -> None:
    made = written(("a", "b", "c"), [["x|y", "", "one\ntwo"], ["<b>", "", "*"]])
    assert made == "| a | c |\n| --- | --- |\n| x\\|y | one<br>two |\n| <b> | * |\n"
    assert written(("a",), []) == ""
    assert written(("a", "meaning"), [["b", "c"]]).startswith(":::{container} meanings\n\n| a | meaning |\n")
    assert plain("R*W of [a] `b*`, <x>") == r"R\*W of \[a\] `b*`, \<x\>"


@pytest.mark.parametrize("kind", TABLES["kinds"])
def test_meanings_say_something(kind: str) -> None:
    row = TABLES["kinds"][kind]
    for key, text in [*row.characteristics.items(), *((key, text) for key, *_, text in row.parameters)]:
        assert len(text) >= 5 and text == text.strip() and "  " not in text, key


def _said(row: Entry) -> int:
    return len(row.options) + len(row.keys)


@pytest.mark.dear("sources and commands of a page are checked", every_change=True)
@pytest.mark.parametrize("listing", [one for one in LISTINGS if one.tables], ids=lambda listing: listing.name)
def test_a_listing_explains_every_row(cli: Cli, listing: Kind) -> None:
    listed = json.loads(cli("list", listing.name, "--json").stdout)
    printed = cli("list", listing.name).stdout
    for kind in listing.tables:
        for row in TABLES[kind].values():
            assert listed[row.name]["description"] == row.summary and f" {row.name} " in printed
            assert set(listed[row.name]["options"]) == {one.name for one in row.options}
    name = max((row for kind in listing.tables for row in TABLES[kind].values()), key=_said).name
    words = " ".join(cli("list", listing.name, name).stdout.split())
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
    assert mems["layout_extent_blocks"] == "a whole number from 1 to the number of blocks of the device"
    for kind in TABLES["kinds"].values():
        assert not [key for key, unit, values, _ in kind.parameters if unit and not values]
    assert TABLES["schedulers"]["vscan_cyl"].option("reversal").range == (
        "a number from 0 (as SSTF) to 1 (as LOOK)"
    )
    assert TABLES["workloads"]["random"].option("rate").range == "a number above 0"


def test_no_listing_has_ids_of_papers() -> None:
    texts = [row.summary for kind in TABLES for row in TABLES[kind].values()]
    texts += [one.meaning for kind in TABLES for row in TABLES[kind].values() for one in row.options]
    kinds = TABLES["kinds"].values()
    texts += [text for kind in kinds for names in kind.choices.values() for text in names.values()]
    texts += [text for kind in kinds for *_, text in kind.parameters]
    assert not [text for text in texts if re.search(r"\b0\d\d-[A-Z]\d|\b[CDF]\d+\b", text)]


@pytest.mark.dear("sources and commands of a page are checked", every_change=True)
def test_show_says_what_keys_mean(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "250")
    words = " ".join(cli("show", "atlas10k").stdout.split())
    assert "Number of blocks of which `read_watermark` is a fraction" in words
    meanings = json.loads(cli("show", "atlas10k", "--json").stdout)["meanings"]
    assert meanings["watermark_of"].startswith("Number of blocks of which `read_watermark` is a fraction")
    assert "gamma_per_mib" in meanings
    reading = sledsim.device("atlas10k").parameters["read_ahead"]
    text = TABLES["kinds"]["disk"].choices["read_ahead"][reading]
    assert f"{reading}: {text}"[:20] in words


def test_a_kind_of_volume_is_explained(cli: Cli) -> None:
    words = " ".join(cli("list", "volumes", "mcd").stdout.split())
    assert "clean_above 0.9 a number from 0 to 1 share of the log that may be dirty" in words
    assert "bypassed writes writes that bypassed the log, because the log was too full" in words
    listed = json.loads(cli("list", "volumes", "mcd", "--json").stdout)
    assert listed["write-buffer"]["counters"] == COUNTERS["write-buffer"]
    done = cli("list", "volumes", "raid55")
    assert done.returncode == 2 and 'did you mean "raid5"?' in done.stderr
