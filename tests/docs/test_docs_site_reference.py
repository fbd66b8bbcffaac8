"""The generated pages of the site: each key, option, counter, column, command and name is explained there."""

import ast
from pathlib import Path
from typing import Any

import pytest
from docs.site.markdown import plain, table as written
from docs.site.reference import LISTED, PAGES
from docs.site.reference.kinds import KINDS
from docs.site.reference.python import public_names
from typer.main import get_command

import sledsim
from sledsim import _native
from sledsim.cli.app import app
from sledsim.common.citations import cited
from sledsim.common.units import quantity
from sledsim.model.catalogue import column_sets
from sledsim.model.motions import motions
from sledsim.model.tables import table
from sledsim.studies import STUDIES, described
from sledsim.traces import formats

#: Before any test registers something of its own, which stays.
TEXTS = {
    path.removeprefix("generated/").removesuffix(".md"): text for pages in PAGES for path, text in pages()
}
TABLES = {kind: table(kind) for kind in _native.tables()}
PROGRAM: Any = get_command(app)


def section(page: str, heading: str) -> str:
    """What stands below a heading."""
    return next(part for part in TEXTS[page].split("\n## ")[1:] if part.startswith(f"`{heading}`\n"))


def rows(text: str) -> dict[str, list[str]]:
    """The other cells of rows of all tables of a text, by what stands in the first."""
    cells = (line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| `"))
    return {first.strip("`"): others for first, *others in cells}


def test_every_table_of_the_core_has_its_page() -> None:
    assert {*KINDS, "volumes", "kinds"} == TABLES.keys()
    assert {page.removeprefix("generated/").removesuffix(".md") for page in LISTED} <= TEXTS.keys()
    assert all(f"\n## `{name}`\n" in TEXTS["formats"] for name in formats.rows()), "Parquet is read, too"


@pytest.mark.parametrize("kind", KINDS)
def test_every_row_and_option_of_a_table_is_explained(kind: str) -> None:
    for row in TABLES[kind].values():
        here = section(kind, row.name)
        summary = plain(cited(row.summary))
        assert summary[1:] in here and f"[`{row.name}`](#" in TEXTS[kind]
        said = rows(here)
        for one in row.options:
            assert plain(one.meaning) == said[one.name][-1].replace(r"\|", "|")
        assert {*row.keys} <= said.keys()


@pytest.mark.parametrize("name", sledsim.devices())
def test_every_parameter_and_characteristic_of_a_device_is_explained(name: str) -> None:
    device = sledsim.device(name)
    page = TEXTS[f"devices/{name}"]
    parameters = rows(page.partition("\n## What follows")[0])
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
    kind = TEXTS[f"devices/{device.kind}"]
    for key in [*parameters, *device.characteristics()]:
        assert f"\n| `{key}` | " in kind, key


@pytest.mark.parametrize("kind", sledsim.volumes())
def test_every_option_member_and_counter_of_a_volume_is_explained(kind: str) -> None:
    row = TABLES["volumes"][kind]
    said = rows(TEXTS[f"volumes/{kind}"])
    assert {one.name for one in row.options} | {role for role, *_ in row.members} | {
        *row.counters
    } == said.keys()
    assert [said[name][-1] for name in row.counters] == [plain(text) for text in row.counters.values()]


def test_every_column_set_and_counter_is_explained() -> None:
    run = sledsim.simulate(sledsim.device("osdi00"), sledsim.demo_trace().rows(slice(0, 50)))
    assert {*run.requests.column_names, *column_sets(), "all", "none"} == rows(TEXTS["columns"]).keys()
    counters = {name for _, group in _native.device_counters() for name in dict(group)}
    assert counters == rows(TEXTS["counters"]).keys()


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_every_option_and_column_of_a_study_is_explained(study: Any) -> None:
    assert len(section("studies", study.name).partition("**Columns of its table:**")[2].split()) > 5
    said = rows(section("studies", study.name))
    assert {one.name: plain(one.meaning) for one in described(study.table)} == {
        name: cells[-1] for name, cells in said.items()
    }


def commands(command: Any, words: str) -> dict[str, Any]:
    """Every command by its words."""
    inner = getattr(command, "commands", None)
    if not inner:
        return {words: command}
    return {
        path: one for name, sub in inner.items() for path, one in commands(sub, f"{words} {name}").items()
    }


@pytest.mark.parametrize(
    "words", [words for words, one in commands(PROGRAM, "sledsim").items() if not one.hidden]
)
def test_every_option_of_a_command_is_explained(words: str) -> None:
    name, _, inner = words.removeprefix("sledsim ").partition(" ")
    here = section(f"commands/{name}", words) if inner else TEXTS[f"commands/{name}"]
    for parameter in commands(PROGRAM, "sledsim")[words].params:
        if getattr(parameter, "hidden", False):
            continue
        first = plain(parameter.help.split("\n")[0])
        assert first in here.replace(r"\|", "|"), parameter.name
        assert parameter.param_type_name == "argument" or all(option in here for option in parameter.opts)
    assert f"[`sledsim {name}`]" in TEXTS["commands/index"]


def test_every_public_name_stands_on_a_page_once() -> None:
    stub = ast.parse((Path(sledsim.__file__).parent / "__init__.pyi").read_text())
    named = {alias.name for line in stub.body if isinstance(line, ast.ImportFrom) for alias in line.names}
    modules = {"papers", "studies", "crash", "design"}
    assert named - modules == {name for name in public_names() if "." not in name}
    text = "\n".join(page for path, page in TEXTS.items() if path.startswith("python/"))
    for name in public_names():
        own = name.rpartition(".")[2] in named and "." in name
        assert text.count(f":: sledsim.{name}\n") == (0 if own else 1), name
    assert modules == {name.partition(".")[0] for name in public_names() if "." in name}


def test_cells_cannot_break_a_table() -> None:
    made = written(("a", "b", "c"), [["x|y", "", "one\ntwo"], ["<b>", "", "*"]])
    assert made == "| a | c |\n| --- | --- |\n| x\\|y | one<br>two |\n| <b> | * |\n"
    assert written(("a",), []) == ""
    assert written(("a", "meaning"), [["b", "c"]]).startswith(":::{container} meanings\n\n| a | meaning |\n")
    assert plain("R*W of [a] `b*`, <x>") == r"R\*W of \[a\] `b*`, \<x\>"


def test_only_what_has_a_sled_has_motions() -> None:
    device = sledsim.device("osdi00")
    times_s = {one.name: one.time_s for one in motions(device)}
    assert times_s["turnaround, centre"] == device.characteristics()["turnaround_s"]
    assert times_s["full stroke in x"] == device.characteristics()["max_seek_s"]
    with pytest.raises(
        sledsim.ParameterError, match="atlas10k: expected a device of the kind mems, found disk"
    ):
        motions(sledsim.device("atlas10k"))
