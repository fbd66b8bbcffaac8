"""The command line as a user types it: output and files of commands that succeed."""

import csv
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from rich.text import Text

import sledsim
from sledsim.cli.app import FILES, Program, app
from sledsim.cli.commands.listing import KINDS
from sledsim.cli.installed_commands import whole
from sledsim.common.checked import finite
from sledsim.exploration.design.space import DEVICE

from ..conftest import Cli, leftovers

#: Commands of the first page; all of them stay.
FIRST = "list show run explain view compare study paper import trace serve certify crash doctor".split()
BUILT_IN = [name for name, one in typer.main.get_group(app).commands.items() if not one.hidden]
#: Former names of commands, which are hidden.
MORE = "bounds sweep schedulers studies".split()


#: Every command that prints JSON; some results have figures that are not finite.
JSON = (
    *("list", *(f"list {kind.name}" for kind in KINDS), "paper list", "study"),
    *("show osdi00", "show atlas10k --set bus_read_ms_per_block=0", "show cf-card", "study data-sheet"),
    *("run random:rate=100,count=1", "run random:rate=100,count=50 --volume mirror", "validate demo"),
    *("trace info random:rate=100,count=1", "trace fit demo -o x.toml", "trace popularity demo -o x.csv"),
    *("bounds random:rate=100,count=20", "design random:rate=100,count=20", "paper run 000-E-1"),
)


@pytest.mark.dear("commands simulate and draw", cases=("bounds random:rate=100,count=20",))
@pytest.mark.parametrize("command", JSON)
def test_json_is_strict(cli: Cli, command: str) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    done = cli(*command.split(), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout, parse_constant=refuse)


def test_version(cli: Cli) -> None:
    done = cli("--version")
    assert (done.returncode, done.stdout) == (0, f"sledsim {sledsim.__version__}\n")


@pytest.mark.dear("commands simulate and draw", every_change=True)
def test_help_lists_the_commands(cli: Cli) -> None:
    done = cli("--help")
    assert done.returncode == 0
    listed = re.findall(r"│ ([a-z][a-z-]+) ", done.stdout)
    # The papers' command comes by an entry point, like the command of any package.
    assert sorted(listed) == sorted([*Program.first_page, "paper"]) and len(listed) <= 14
    assert {*FIRST} <= {*listed}
    assert all(f"sledsim {command}" in " ".join(done.stdout.split()) for command in ("demo", "check-device"))
    bare = cli()
    assert bare.returncode == 2
    assert "Usage: sledsim" in bare.stdout
    assert bare.stderr == ""


def test_every_file_with_commands_is_on_the_list() -> None:
    """A new file with commands is a word in `FILES` of `sledsim.cli.app`."""
    folder = Path(sledsim.__file__).parent / "cli/commands"
    files = {path.stem for path in folder.glob("*.py") if "\nCOMMANDS = " in path.read_text()}
    assert files == {file for words in FILES.values() for file in words.split()}


@pytest.mark.parametrize("command", [*BUILT_IN, *MORE])
def test_each_command_has_help(cli: Cli, command: str) -> None:
    done = cli(command, "--help")
    assert done.returncode == 0
    assert f"Usage: sledsim {command}" in done.stdout


def test_help_states_the_real_defaults(cli: Cli) -> None:
    """Brackets in help are no markup, and each stated default is the behaviour of the command."""
    words = " ".join(cli("design", "--help").stdout.replace("│", " ").split())
    assert (
        "[format] of probes, sectors, sector_bytes with the values to try, and [parameters]. [default: 175"
        in words
    )
    words = " ".join(cli("validate", "--help").stdout.replace("│", " ").split())
    assert "'think:longest_ms=inf' (default):" in words and "'open' (default)" not in words


def helps(command: Any, name: str = "sledsim") -> Iterator[tuple[str, str]]:
    """Yield the help of a command, of its options and arguments, and of its subcommands."""
    for text in (command.help, command.epilog, *(getattr(one, "help", None) for one in command.params)):
        yield name, text or ""
    for word, below in getattr(command, "commands", {}).items():
        yield from helps(below, f"{name} {word}")


def test_no_help_loses_words_in_brackets() -> None:
    texts = list(helps(whole(app)))
    assert len(texts) > 100
    for name, text in texts:
        assert Text.from_markup(text).plain == text.replace("\\[", "["), f"{name}: {text}"


def test_the_help_of_design_is_of_design(cli: Cli) -> None:
    words = " ".join(cli("design", "--help").stdout.replace("│", " ").split())
    assert f"[default: the device of --space, or {DEVICE}]" in words and "--volume" not in words


@pytest.mark.dear("commands simulate and draw", every_change=True)
def test_python_dash_m(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "sledsim", "--version"]
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.startswith("sledsim ")


@pytest.mark.dear("commands simulate and draw", every_change="formats")
@pytest.mark.parametrize("table", ["devices", "formats"])
def test_tables(cli: Cli, table: str) -> None:
    rows = getattr(sledsim, table)()
    listed = json.loads(cli("list", table, "--json").stdout)
    if table == "devices":
        assert all(name in sledsim.devices(row.pop("kind")) for name, row in listed.items())
        listed = {name: row["description"] for name, row in listed.items()}
    assert listed == rows
    printed = cli("list", table).stdout
    assert all(name in printed for name in rows)


@pytest.mark.dear("commands simulate and draw")
def test_a_device_and_a_format_are_explained(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert cli("list", "devices", "cf-card").stdout == cli("show", "cf-card").stdout
    assert json.loads(cli("list", "devices", "cf-card", "--json").stdout)["kind"] == "flash"
    words = " ".join(cli("list", "formats", "csv").stdout.split())
    assert "time a unit of time (s, ms, us, ns; for arrivals also filetime) arrival" in words
    assert "--map FIELD=COLUMN[:UNIT],..." in words and "Written" not in words
    assert "ends in .spc, or with --to spc" in cli("list", "formats", "spc").stdout
    listed = json.loads(cli("list", "formats", "parquet", "--json").stdout)["parquet"]
    assert listed["is_writable"] and listed["description"] == sledsim.formats()["parquet"]
    done = cli("list", "formats", "spcc")
    assert done.returncode == 2 and 'unknown trace format "spcc": did you mean "spc"?' in done.stderr


def test_the_table_of_schedulers_has_their_options(cli: Cli) -> None:
    rows = sledsim.schedulers() | sledsim.listings.scheduler_wrappers()
    listed = json.loads(cli("list", "schedulers", "--json").stdout)
    assert {name: row["description"] for name, row in listed.items()} == rows
    for name, row in listed.items():
        given = {option: about["default"] for option, about in row["options"].items()}
        assert given == {
            option: default for option, (default, _) in sledsim.listings.scheduler_options(name).items()
        }
    assert listed["asptf"]["options"]["weight"]["default"] == "5"
    printed = cli("list", "schedulers").stdout
    for words in (*rows, "weight=5", "zone=auto", "after_ms=100"):
        assert words in printed, words


def test_show_prints_units_sources_and_the_papers_figures(cli: Cli) -> None:
    done = cli("show", "osdi00")
    assert done.returncode == 0
    for words in ("settle_ms", "Source", "3.456 GB", "MiB/s", "Paper", "Difference", "0.703 ms"):
        assert words in done.stdout, words


def test_show_prints_the_mechanics(cli: Cli) -> None:
    shown = cli("show", "osdi00", "--set", "settle_ms=0.2154").stdout
    for motion, shown_time in {
        "full stroke in x": "0.7699 ms",
        "full stroke in y, no turnaround": "0.5157 ms",
        "turnaround, centre": "0.06935 ms",
        "turnaround, edge, moving out": "0.03976 ms",
        "turnaround, edge, moving in": "0.2596 ms",
        "mean random seek, bidirectional": "0.5686 ms",
        "mean random seek, parity": "0.5722 ms",
    }.items():
        assert re.search(rf"{motion} +{shown_time}", shown), motion


def test_show_as_json(cli: Cli) -> None:
    shown = json.loads(
        cli("show", "osdi00", "--set", "settle_ms=0.3", "--set", "layout=simple", "--json").stdout
    )
    device = sledsim.device("osdi00", settle_ms=0.3, layout="simple")
    assert set(shown) == {
        "kind",
        "parameters",
        "sources",
        "certainty",
        "characteristics",
        "paper",
        "meanings",
    }
    assert shown["parameters"] == device.parameters and shown["certainty"] == device.certainty
    assert shown["characteristics"] == device.characteristics()


@pytest.mark.parametrize("value", ["simple", '"simple"', "'simple'"])
def test_bare_words_are_strings(cli: Cli, value: str) -> None:
    shown = json.loads(cli("show", "osdi00", "--set", f"layout={value}", "--json").stdout)
    assert shown["parameters"]["layout"] == "simple"


def test_run_prints_the_summary(cli: Cli, trace_file: Path) -> None:
    done = cli("run", trace_file, "--device", "osdi00", "--scheduler", "fcfs", "--scale", "2")
    assert done.returncode == 0
    assert "mean response" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr


def test_run_as_json_is_the_summary(cli: Cli, trace_file: Path) -> None:
    words = (
        "run",
        trace_file,
        "--device",
        "sigmetrics00",
        "--scheduler",
        "sptf",
        "--set",
        "sleds=2",
        "--json",
    )
    found = json.loads(cli(*words).stdout)
    device, trace = sledsim.device("sigmetrics00", sleds=2), sledsim.read_trace(trace_file)
    run = sledsim.simulate(device, trace)
    about = {"device": "sigmetrics00", "scheduler": "sptf", "scale": 1.0, "trace": str(trace_file)}
    about["replay"] = "open"
    assert found.pop("overview") == sledsim.overview(trace, device).row()
    assert found.pop("doubts") == []
    parts = json.loads(json.dumps(finite(sledsim.breakdown(run, trace).row())))
    assert found == {**about, **run.summary(), "is_exact": True, **parts}


def test_run_writes_the_requests(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "run.parquet"
    done = cli("run", "random:rate=500,count=1000,seed=3", "--out", out, "--json")
    assert done.returncode == 0
    summary = sledsim.read_run(out).summary()
    assert json.loads(done.stdout).items() >= summary.items()
    assert leftovers(tmp_path) == ["run.parquet"]
    for ending, begins in (("csv", b"arrival_ns,"), ("json", b"["), ("parquet", b"PAR1")):
        path = tmp_path / f"x.{ending}"
        assert cli("run", "random:rate=900,count=50", "--out", path).returncode == 0
        assert path.read_bytes().replace(b'"', b"").startswith(begins)


def test_the_random_workload_has_defaults(cli: Cli) -> None:
    found = json.loads(cli("run", "random:rate=200", "--json").stdout)
    assert found["requests"] == 100_000


def test_requests_past_the_end_or_out_of_order_are_reported(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "odd.trace"
    path.write_text("5.0 0 900000000 8 1\n1.0 0 64 8 0\n")
    done = cli("run", path, "--past-end", "wrap", "--format", "disksim", "--json")
    assert json.loads(done.stdout)["requests"] == 2
    assert "sorted by arrival: 1 requests" in done.stderr
    assert "(--past-end wrap): 1 requests" in done.stderr


@pytest.mark.dear("commands simulate and draw")
def test_compare_writes_everything_it_names(cli: Cli, tmp_path: Path) -> None:
    words = ("--schedulers", "fcfs,sptf", "--scales", "1,4", "--out", tmp_path / "out")
    done = cli("compare", "random:rate=500,count=2000", *words)
    assert done.returncode == 0
    files = [f"{name}-x{scale}.parquet" for name in ("fcfs", "sptf") for scale in (1, 4)]
    plots = ["compare.html", "compare.png", "compare.svg"]
    assert leftovers(tmp_path) == [*plots, "comparison.ledger", *files, "summary.csv"]
    assert all(words in done.stdout for words in ("summary.csv", "compare.html", "saturated", "p99 ms"))
    with (tmp_path / "out" / "summary.csv").open() as file:
        assert len(list(csv.DictReader(file))) == 4


@pytest.mark.dear("commands simulate and draw")
def test_demo_ends_with_commands_that_work(cli: Cli, tmp_path: Path) -> None:
    done = cli("demo", "--out", "results")
    assert done.returncode == 0
    assert "results/compare.html" in done.stdout
    text = done.stdout.partition("Next, try:\n")[2]
    commands = [line.split("sledsim ", 1)[1].split() for line in text.splitlines() if "sledsim " in line]
    assert len(commands) >= 3
    for words in commands:
        again = cli(*words)
        assert again.returncode == 0, again.stderr
    assert "sptf.parquet" in leftovers(tmp_path)


@pytest.mark.dear("two programs start", every_change=True)
def test_the_program_starts_with_few_modules() -> None:
    """The reference is a command line that does nothing; numbers of modules do not depend on the load."""

    def loaded(program: str) -> set[str]:
        code = f"import sys\n{program}\nprint(*sys.modules)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        return set(done.stdout.splitlines()[-1].split())

    least = loaded("import typer, rich.console, rich.table")
    found = loaded("from sledsim.cli.app import app\napp(['--version'], standalone_mode=False)")
    assert len(least) < len(found) < 2 * len(least)
    assert not found & {"numpy", "pyarrow", "altair", "scipy"}


@pytest.mark.dear("commands simulate and draw")
def test_completion_knows_the_names(complete: Callable[[str], str]) -> None:
    assert "osdi00" in complete("sledsim show osd")
    assert "ext3-4k" in complete("sledsim run ext3")
    assert "sptf" in complete("sledsim run demo --scheduler sp")
    assert "fcfs,sptf" in complete("sledsim compare demo --schedulers fcfs,sp")
    assert "osdi00=" in complete("sledsim compare demo --price osdi")
    both = complete("sledsim compare demo --device cf-card --device atlas10k --set r")
    assert "read_mb_per_s=" in both and "rotation_rpm=" in both
    assert "disksim" in complete("sledsim run x --format dis")
    assert "zones" in complete("sledsim import disksim x.parv --capacity zo")
    assert "wrap" in complete("sledsim study validate demo --past-end wr")
    assert "settle_ms=" in complete("sledsim show osdi00 --set settle_m")
    assert "access_mode=parity" in complete("sledsim show osdi00 --set access_mode=par")
    assert "wrap" in complete("sledsim run demo --past-end w")
    assert "times,response_ns" in complete("sledsim run demo --columns times,resp")


def test_completion_has_all_columns_that_may_be_asked_for(complete: Callable[[str], str]) -> None:
    with pytest.raises(sledsim.ParameterError, match="known: ") as error:
        sledsim.simulate(sledsim.device("osdi00"), sledsim.demo_trace(), columns="?")
    # A long meaning is wrapped onto further lines.
    lines = [line for line in complete("sledsim run demo --columns ").splitlines() if "\t" in line]
    offered = [line.split("\t")[0] for line in lines]
    assert offered == str(error.value).rpartition("known: ")[2].split(", ")
    assert {"response_ns", "where", "all", "none", "times", "lbn"} <= {*offered}


@pytest.mark.dear("commands simulate and draw")
def test_no_two_rows_of_a_front_are_alike(cli: Cli) -> None:
    """Formats that are equal in all requested figures share a row, which counts them."""
    done = cli("design", "demo")
    heading, *rows = done.stdout.partition("Pareto front")[2].partition("...")[0].splitlines()
    assert "equal designs as one row" in heading
    cells = [line.split() for line in rows if re.match(r" *\d", line)]
    goals = [tuple(line[3:6]) for line in cells]
    assert len(goals) > 5 and len(set(goals)) == len(goals)
    assert any(int(line[6]) > 1 for line in cells)
