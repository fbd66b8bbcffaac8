"""Additions of installed packages: found by name, listed, and isolated if one is broken."""

import gzip
import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import pytest

import sledsim
from sledsim import _native
from sledsim.cli.commands.listing import kinds
from sledsim.common import packages
from sledsim.model import installed
from sledsim.papers.commands import paper
from sledsim.studies import registry

pytestmark = pytest.mark.registers_seek_models

DEVICE = """
from dataclasses import dataclass
import sledsim
@dataclass
class Belt:
    '''A belt.'''
    turn_ms: float = sledsim.extend.parameter(20.0, "Time of a turn", low=1)
    blocks: int = 1000
    def positioning_s(self, now_s, request):
        return self.turn_ms * 1e-3
    def serve(self, now_s, request):
        return {"positioning_s": self.turn_ms * 1e-3}
"""
POLICY = """
def newest(now_s, waiting):
    '''Last come, first served.'''
    return len(waiting["row"]) - 1
"""
FORMAT = """
'''A request a line.'''
import sledsim

def read(file):
    rows = [list(map(int, line.split())) for line in file]
    if rows and rows[0] == [0]:
        return rows
    return sledsim.Trace(*zip(*rows))

def write(trace, file):
    for row in zip(trace.arrival_ns, trace.lbn, trace.blocks):
        file.write(b"%d %d %d\\n" % row)
"""
STUDY = """
import pyarrow
from sledsim.studies import Definition

def turns(device, count: int = 3):
    '''Count.

    Args:
        count (from 1): How many.
    '''
    return pyarrow.table({"turn": list(range(count))})

ROW = Definition("turns", turns, lambda table: None)

def untold(device, count: int = 3):
    '''Count.'''

UNTOLD = Definition("untold", untold, lambda table: None)
"""
COMMAND = """
import typer

def twice(number: int, loud: bool = False) -> None:
    '''Double a number.'''
    print(2 * number)

group = typer.Typer(help="Count.")

@group.command()
def up() -> None:
    '''Count up.'''
    1 / 0

@group.command()
def down() -> None:
    '''Count down.'''
"""
Install = Callable[..., None]
#: Groups of entry points, without the name of the package.
POINTS = [group.removeprefix("sledsim.") for group in packages.GROUPS.values()]


def write(folder: Path, package: str, points: Mapping[str, Mapping[str, str]], **modules: str) -> None:
    """Write a distribution as an installer leaves it."""
    info = folder / f"{package.replace('-', '_')}-2.5.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 2.5\n")
    groups = (
        "\n".join([f"[sledsim.{group}]", *(f"{name} = {target}" for name, target in rows.items())])
        for group, rows in points.items()
    )
    (info / "entry_points.txt").write_text("\n".join(groups) + "\n")
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text)


def forget() -> None:
    packages._all.cache_clear()
    packages._WARNED.clear()
    installed.load_all.cache_clear()


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Return a function that installs a distribution for this test."""
    monkeypatch.syspath_prepend(tmp_path)

    def add(package: str, points: Mapping[str, Mapping[str, str]], **modules: str) -> None:
        write(tmp_path, package, points, **modules)
        forget()

    yield add
    monkeypatch.undo()
    forget()


def heard(listing: Callable[[], object]) -> list[str]:
    """Return the warnings of a listing."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        listing()
    assert all(one.category is packages.PackageWarning for one in found)
    return [str(one.message) for one in found]


def test_a_device_is_added_when_it_is_named(install: Install, tmp_path: Path) -> None:
    install("belts", {"devices": {"added-belt": "added_belts:Belt"}}, added_belts=DEVICE)
    sledsim.device("osdi00")
    assert "added_belts" not in sys.modules
    (tmp_path / "quick.toml").write_text('kind = "added-belt"\nturn_ms = 10\n')
    assert sledsim.device(tmp_path / "quick.toml").kind == "added-belt"
    assert sledsim.device("Added_Belt", turn_ms=30).parameters["turn_ms"] == 30
    assert sledsim.volume("mirror", device="added-belt").capacity_bytes > 500_000
    assert sledsim.devices()["added-belt"] == "A belt (from belts)"
    assert "added-belt" in sledsim.listings.device_kinds()


def test_names_are_compared_as_those_of_the_core(install: Install) -> None:
    """Built-in names and names of packages follow one rule: what the core does not find is unknown."""
    install("folded", {group: {"folded-one": "folded:newest"} for group in POINTS}, folded=POLICY)
    for spelt in ("folded-one", "FOLDED_ONE", " folded.one", "folded one", "folded!one", "folded+one"):
        is_same = _native.normal_name(spelt) == _native.normal_name("folded-one")
        assert [packages.find(kind, spelt) is not None for kind in packages.GROUPS] == [is_same] * len(POINTS)
    install("nothing", {})
    for spelt in ("clook-lbn", "CLOOK_LBN", "clook lbn", "clook+lbn!"):
        with suppress(sledsim.ParameterError):
            assert _native.row_name("schedulers", spelt) == "clook_lbn"
            continue
        assert _native.normal_name(spelt) != _native.normal_name("clook_lbn")


def test_a_policy_is_added_when_it_is_named(install: Install, device: sledsim.Device) -> None:
    install("newest-first", {"schedulers": {"added-newest": "added_policies:newest"}}, added_policies=POLICY)
    trace = sledsim.random_workload(device, rate_per_s=900, count=50)
    sledsim.simulate(device, trace, scheduler="sptf")
    assert "added_policies" not in sys.modules
    run = sledsim.simulate(device, trace, scheduler="added-newest+deadline:after_ms=50")
    assert run.settings.scheduler == "added-newest+deadline:after_ms=50"
    assert sledsim.schedulers()["added-newest"] == "Last come, first served (from newest-first)"


def test_a_listing_adds_all(install: Install) -> None:
    points = {"schedulers": {"listed-newest": "listed_policies:newest"}}
    install("listed", {**points, "devices": {"listed-belt": "listed_belts:Belt"}}, listed_policies=POLICY)
    assert "listed-newest" in sledsim.schedulers()
    install("listed-two", {"devices": {"listed-two": "listed_two:Belt"}}, listed_two=DEVICE)
    [warning] = heard(sledsim.devices)
    assert "listed-two" in sledsim.devices() and "device = listed-belt: listed 2.5" in warning


def test_an_unknown_name_lists_what_packages_add(install: Install, device: sledsim.Device) -> None:
    install("near", {"schedulers": {"near-newest": "near_policies:newest"}}, near_policies=POLICY)
    with pytest.raises(sledsim.ParameterError, match='did you mean "near-newest"'):
        sledsim.Simulation(device, "near-newst")


@pytest.mark.parametrize(
    ("module", "told"),
    [
        ("import no_such_module\n", r"ModuleNotFoundError: No module named 'no_such_module' \(.*, line 1\)"),
        ("\nclass (:\n", r"SyntaxError: invalid syntax \(.*broken_\w+\.py, line 2\)"),
        ("", r"AttributeError: module 'broken_\w+' has no attribute 'Belt'"),
    ],
)
def test_a_package_that_cannot_be_imported_is_named(
    install: Install, module: str, told: str, device: sledsim.Device
) -> None:
    name = f"broken_{len(module)}"
    points = {"devices": {name: f"{name}:Belt"}, "schedulers": {name: f"{name}:Belt"}}
    install("broken-package", points, **{name: module})
    match = rf"device = {name}: broken-package 2\.5, .*{told}; install another version, or uninstall"
    with pytest.raises(sledsim.ParameterError, match=match):
        sledsim.device(name)
    with pytest.raises(sledsim.ParameterError, match=match.replace("device", "scheduler", 1)):
        sledsim.Simulation(device, name)
    assert len(heard(sledsim.schedulers)) == 1 and "sptf" in sledsim.schedulers()
    assert heard(sledsim.schedulers) == [], "the warning comes once"


def test_a_warning_turned_into_an_error_is_raised_unchanged(install: Install) -> None:
    """The core looks up names, too; a warning there once ended the process as Ctrl-C does."""
    install("broken-again", {"schedulers": {"broken-again": "no_such_module:newest"}})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(packages.PackageWarning, match="No module named 'no_such_module'"):
            _native.row_name("schedulers", "no such policy")


def test_what_is_of_a_wrong_kind_is_named(install: Install, tmp_path: Path) -> None:
    wrong = {"wrong-one": "wrong_kinds:NUMBER"}
    kinds = ("devices", "schedulers", "formats", "studies")
    install("wrong-kinds", dict.fromkeys(kinds, wrong), wrong_kinds="NUMBER = 3\n")
    calls: dict[str, Callable[[], object]] = {
        "expected a class that is a dataclass": lambda: sledsim.device("wrong-one"),
        "expected a function or class": lambda: sledsim.Simulation(sledsim.device("osdi00"), "wrong-one"),
        r"expected an object or module with a function read\(file\), found 3": lambda: sledsim.read_trace(
            tmp_path / "x.trace", "wrong-one"
        ),
        r"expected a sledsim.studies.Definition, found 3": lambda: sledsim.studies.find("wrong-one"),
    }
    for told, call in calls.items():
        with pytest.raises(sledsim.ParameterError, match=rf"wrong-one: wrong-kinds 2\.5, .*{told}"):
            call()
    for listing in (sledsim.devices, sledsim.schedulers, sledsim.formats, registry.every):
        [warning] = heard(listing)
        assert "wrong-kinds 2.5" in warning


def test_a_built_in_name_stays_built_in(install: Install, device: sledsim.Device) -> None:
    points = {
        "devices": {"osdi00": "taken:Belt"},
        "schedulers": {"SPTF": "taken:newest", "deadline": "taken:newest"},
        "formats": {"parquet": "taken_format"},
        "studies": {"seek-map": "taken_study:ROW"},
    }
    texts = {"taken": DEVICE + POLICY, "taken_format": FORMAT, "taken_study": STUDY}
    install("takes-names", points, **texts)
    assert sledsim.device("osdi00").kind == "mems"
    assert repr(sledsim.Simulation(device, "sptf+deadline"))
    for listing, count in ((sledsim.devices, 1), (sledsim.schedulers, 2), (sledsim.formats, 1)):
        found = heard(listing)
        assert len(found) == count and all("takes-names 2.5" in one for one in found)
    [warning] = heard(registry.every)
    assert "seek-map: takes-names 2.5, an installed package, has the name of a built-in study" in warning


def test_two_packages_with_one_name_are_named(install: Install, device: sledsim.Device) -> None:
    for package in ("one-of-two", "other-of-two"):
        module = package.replace("-", "_")
        install(package, {"schedulers": {"of-two": f"{module}:newest"}}, **{module: POLICY})
    match = "scheduler = of-two: several installed packages .*: one-of-two and other-of-two; uninstall"
    with pytest.raises(sledsim.ParameterError, match=match):
        sledsim.Simulation(device, "of-two")
    [warning] = heard(sledsim.schedulers)
    assert "one-of-two and other-of-two" in warning and "of-two" not in sledsim.schedulers()


def test_what_a_user_registers_goes_first(install: Install) -> None:
    sledsim.extend.register_scheduler("users-own", lambda now_s, waiting: 0, "a user's")
    install("users", {"schedulers": {"users-own": "users_own:newest"}}, users_own=POLICY)
    assert sledsim.schedulers()["users-own"] == "a user's"


def test_a_format_reads_and_writes(install: Install, tmp_path: Path) -> None:
    install("added-format", {"formats": {"rows": "added_format"}}, added_format=FORMAT)
    demo = sledsim.demo_trace().transfers().rows(slice(0, 20))
    path = tmp_path / "demo.rows"
    assert sledsim.write_trace(demo, path) == 0
    assert "added_format" in sys.modules
    read = sledsim.read_trace(path)
    assert (read.format, read.source) == ("rows", str(path))
    assert read.lbn.tolist() == demo.lbn.tolist()
    for ending in (".gz", ".zst", ".xz"):
        sledsim.write_trace(demo, f"{path}{ending}")
        assert sledsim.read_trace(f"{path}{ending}").blocks.tolist() == demo.blocks.tolist()
    assert gzip.decompress((tmp_path / "demo.rows.gz").read_bytes()) == path.read_bytes()
    other = path.rename(tmp_path / "demo.txt")
    assert len(sledsim.open_trace(other, "rows").read()) == 20
    assert sledsim.formats()["rows"] == "A request a line (from added-format)"
    assert "rows" in sledsim.listings.writable_formats()


@pytest.mark.parametrize(
    ("content", "how", "told"),
    [
        (
            "1 x 3",
            {},
            r"the format wrong_rows of bad-rows failed: ValueError: .*bad_rows\.py, line 6",
        ),
        ("0", {}, r"format = wrong_rows: bad-rows 2\.5, .* expected read\(\) to return a Trace, found list"),
        ("9 1 8\n3 1 8", {}, r"x\.wrong_rows: wrong_rows: .*sort the requests by arrival"),
        (
            "1 2 3",
            {"skip_bad": True},
            "skip_bad = True: only built-in formats have this option",
        ),
        ("1 2 3", {"map": "lbn=1"}, "map = lbn=1: only built-in formats have this option"),
    ],
)
def test_faulty_formats_are_refused(
    content: str, how: dict[str, object], told: str, install: Install, tmp_path: Path
) -> None:
    install("bad-rows", {"formats": {"wrong_rows": "bad_rows"}}, bad_rows=FORMAT)
    (tmp_path / "x.wrong_rows").write_text(content)
    with pytest.raises((sledsim.TraceError, sledsim.ParameterError), match=told):
        sledsim.read_trace(tmp_path / "x.wrong_rows", **how)  # type: ignore[arg-type]


def test_a_study_is_added(install: Install, device: sledsim.Device) -> None:
    points = {"studies": {"added-turns": "added_study:ROW", "untold": "added_study:UNTOLD"}}
    install("added-study", points, added_study=STUDY)
    made = sledsim.studies.run("added-turns", device, count=4)
    assert (made.name, made.table.num_rows) == ("added-turns", 4)
    assert made.definition.description == "turns (from added-study)"
    [warning] = heard(registry.every)
    assert "untold: added-study 2.5, an installed package, has no line under Args" in warning
    assert sledsim.studies.STUDIES[-1].name == "added-turns"


@pytest.mark.dear("a program is started for each command")
def test_commands_are_added(tmp_path: Path) -> None:
    points = {"twice": "added_commands:twice", "count": "added_commands:group", "run": "added_commands:twice"}
    write(tmp_path, "added-commands", {"commands": points}, added_commands=COMMAND)
    write(tmp_path, "broken-command", {"commands": {"broken": "no_such_module:x"}})

    def said(*words: str) -> tuple[int, str, str]:
        env = {**os.environ, "PYTHONPATH": str(tmp_path), "COLUMNS": "160"}
        command = [sys.executable, "-m", "sledsim", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=env)
        return done.returncode, done.stdout, done.stderr

    status, told, error = said("--help")
    assert status == 0 and "Double a number (from added-commands)" in told and "Count (from added-" in told
    assert [line.partition(",")[0] for line in error.splitlines()] == [
        "command = broken: broken-command 2.5",
        "command = run: added-commands 2.5",
    ]
    assert said("twice", "21") == (0, "42\n", "")
    assert said("twice", "21", "--loud", "--loud")[0] == 2, "an option is given once, as of all commands"
    assert said("count", "down")[0] == 0
    status, _, error = said("count", "up")
    assert status == 1 and "added_commands.py" in error and "program.py" not in error
    status, _, error = said("broken")
    assert status == 2 and error.startswith("error: command = broken: broken-command 2.5, an installed")
    assert said("list", "devices")[::2] == (0, "")


@pytest.mark.dear("a program is started", every_change=True)
def test_nothing_is_looked_for_until_a_name_is_unknown() -> None:
    code = (
        "import sys, sledsim; sledsim.simulate(sledsim.device('osdi00'), sledsim.demo_trace(), 'sptf');"
        "assert not sledsim.common.packages._all.cache_info().currsize;"
        "sledsim.schedulers(); assert sledsim.common.packages._all.cache_info().currsize == 1"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.dear("a program is started", every_change=True)
def test_a_built_in_sheet_reads_no_package() -> None:
    code = (
        "from sledsim.cli.app import app; from sledsim.common import packages;"
        "app(['study', 'seek-models', '--json'], standalone_mode=False);"
        "assert not packages._all.cache_info().currsize"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def test_a_listing_is_added(install: Install) -> None:
    text = "from sledsim.cli.commands.listing import Kind\nKIND = Kind('', 'Tapes', dict, print)"
    points = {"listings": {"tapes": "added_listing:KIND", "devices": "x:y"}}
    install("added-listing", points, added_listing=text)
    [warning] = heard(kinds)
    assert "listing = devices: added-listing 2.5" in warning and "built-in kind of 'sledsim list'" in warning
    found = kinds()["tapes"]
    assert (found.name, found.meaning) == ("tapes", "Tapes (from added-listing)")


def test_what_this_package_adds_counts_as_built_in(install: Install) -> None:
    install("other-paper", {"commands": {"Paper": "no_such_module:x"}})
    [warning] = heard(lambda: packages.added("command", "paper"))
    assert "command = Paper: other-paper 2.5" in warning and "the name of a built-in command" in warning
    found = packages.added("command", "paper")
    assert found is not None and found.marked("Said") == "Said"
    assert found.load() is paper.app and not packages.owns("sledsim.papers")
