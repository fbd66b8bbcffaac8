"""No output of a command replaces one of its inputs or another output."""

import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from sledsim.cli import shell
from sledsim.cli.app import app
from sledsim.cli.installed_commands import whole

from ..conftest import Cli


def path_options(command: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Every option of every command that is a path."""
    for below, one in getattr(command, "commands", {}).items():
        yield from path_options(one, f"{name} {below}".strip())
    if getattr(command, "callback", None) is None or hasattr(command, "commands"):
        return
    types = {
        given.name: given.annotation
        for given in inspect.signature(command.callback, eval_str=True).parameters.values()
    }
    for parameter in command.params:
        annotation = types.get(parameter.name)
        kinds = get_args(annotation)[:1] or (annotation,)
        if (
            any(kind is Path or Path in get_args(kind) for kind in kinds)
            and parameter.param_type_name == "option"
        ):
            yield name, max(parameter.opts, key=len)


OPTIONS = list(path_options(whole(app)))


def test_every_option_that_is_a_path_is_known() -> None:
    """An option missing in the tables would count as one that is only read."""
    assert {option for _, option in OPTIONS} == {*shell.WRITTEN, *shell.READ}
    assert len(OPTIONS) > 30


#: Commands with all arguments that they need and a file that they read: TRACE.
READING = [
    "run TRACE --out TRACE",
    "run TRACE --format disksim --report TRACE",
    "run demo --out x.parquet --report x.parquet",
    "run demo --report x.html --perfetto x.html",
    "compare TRACE --out TRACE",
    "explain TRACE 1 --report TRACE",
    "certify TRACE --out ./TRACE",
    "crash TRACE --image 1 --out TRACE",
    "bounds TRACE --out TRACE",
    "trace convert TRACE --out TRACE",
    "trace slice TRACE --out TRACE --from 0",
    "trace merge TRACE TRACE --out TRACE",
    "trace fit TRACE --out TRACE",
    "trace popularity TRACE --out TRACE",
    "import disksim TRACE --out TRACE",
    "run demo --faults TRACE --out TRACE",
    "run demo --device TRACE --report TRACE",
]


@pytest.mark.parametrize("command", READING)
def test_no_command_replaces_what_it_reads(command: str, cli: Cli, here: Path) -> None:
    file = here / "some.trace"
    file.write_text("0.0 0 0 8 1\n")
    done = cli(*command.replace("TRACE", file.name).split())
    assert done.returncode == 2 and "expected two files, found the same file" in " ".join(done.stderr.split())
    assert file.read_text() == "0.0 0 0 8 1\n" and list(here.iterdir()) == [file]


@pytest.mark.parametrize("folder", [".", "/", "", ".."])
@pytest.mark.parametrize("words", ["run file.csv", "trace convert file.csv", "crash file.csv"])
def test_a_folder_without_a_name_is_one(words: str, folder: str, cli: Cli, here: Path) -> None:
    (here / "file.csv").write_text("time,lbn,size,op\n0,0,4096,R\n")
    answer = cli(*words.split(), "--out", folder)
    assert answer.returncode in (1, 2)
    assert "Traceback" not in answer.stderr and "error: " in answer.stderr


#: Commands that write files into a folder, OUT, with the files made of a trace, TRACE.
INTO_A_FOLDER = [
    "run TRACE --power OUT",
    "compare TRACE --schedulers fcfs --out OUT",
    "trace info TRACE --out OUT",
    "sensitivity TRACE --count 4 --out OUT",
    "design TRACE --out OUT",
]
ROWS = "time,lbn,size,op\n0,0,4096,R\n0.01,800,4096,W\n0.02,1600,4096,R\n"


@pytest.mark.dear("a command is run once for each file that it makes", every_change="run TRACE --power OUT")
@pytest.mark.parametrize("command", INTO_A_FOLDER)
def test_no_file_that_is_made_in_a_folder_replaces_what_is_read(command: str, cli: Cli, here: Path) -> None:
    """The input stays unchanged whatever its name is, and the error names it."""
    words = command.replace("OUT", "out").split()
    words += ["--format", "csv"] if words[0] in ("run", "trace") else []
    (here / "first.csv").write_text(ROWS)
    done = cli(*[word.replace("TRACE", "first.csv") for word in words])
    assert done.returncode == 0, done.stderr
    # A ledger is appended to, and is no trace.
    made = sorted(path.name for path in (here / "out").iterdir() if path.suffix != ".ledger")
    if "--format" not in words:
        made = [name for name in made if not name.endswith(".parquet")]
    assert made
    for name in made:
        for old in (here / "out").iterdir():
            old.unlink()
        (here / "out" / name).write_text(ROWS)
        refused = cli(*[word.replace("TRACE", f"out/{name}") for word in words])
        assert refused.returncode != 0, name
        assert f"expected two files, found the same file: out/{name}" in " ".join(refused.stderr.split()), (
            name
        )
        assert (here / "out" / name).read_text() == ROWS, name


def test_no_trace_of_several_is_replaced_by_the_result_of_another(cli: Cli, here: Path) -> None:
    (here / "t.csv").write_text(ROWS)
    assert cli("trace", "convert", "t.csv", "--out", "t.csv.parquet").returncode == 0
    before = (here / "t.csv.parquet").read_bytes()
    done = cli("run", "t.csv", "t.csv.parquet", "--out", ".")
    assert "expected two files, found the same file: t.csv.parquet" in " ".join(done.stderr.split())
    assert done.returncode != 0 and (here / "t.csv.parquet").read_bytes() == before


DEVICES = Path(__file__).parents[2] / "crates/sledsim/devices"


PLANNED = [("table", "table.csv"), *(("plot", f"sweep.{ending}") for ending in ("html", "png", "svg"))]


@pytest.mark.dear("plots are drawn", every_change="table-table.csv")
@pytest.mark.parametrize(("command", "name"), PLANNED)
def test_what_a_sweep_makes_does_not_replace_its_device(
    cli: Cli, here: Path, command: str, name: str
) -> None:
    (here / "o").mkdir()
    (here / "o" / name).write_text('extends = "osdi00"\n')
    words = ["random:rate=500", "--count=200", "--over=settle_ms=0.1:0.3:0.1", "-d", f"o/{name}"]
    assert cli("sweep", "run", *words, "--out", "o").returncode == 0
    done = cli("sweep", command, "o")
    assert done.returncode == 2 and (here / "o" / name).read_text() == 'extends = "osdi00"\n'
    assert f"expected two files, found the same file: o/{name}" in " ".join(done.stderr.split())


def test_the_table_of_a_sweep_does_not_replace_its_trace(cli: Cli, here: Path) -> None:
    (here / "table.csv").write_text(ROWS)
    assert cli("sweep", "run", "table.csv", "--out", ".").returncode == 0
    done = cli("sweep", "table", ".")
    assert done.returncode == 2 and (here / "table.csv").read_text() == ROWS
    assert "expected two files, found the same file: table.csv" in " ".join(done.stderr.split())


#: Places of results that a comparison in a file may not name, with the error for each.
PLACES = [
    ("t.csv", "expected the name of a new file"),
    ("../x.csv", "expected a path in the folder of this file"),
    ("ABSOLUTE", "expected a path in the folder of this file"),
    ("link/x.csv", "expected a path in the folder of this file"),
    (".", "expected a new folder, an empty one or one with results of a comparison"),
]


@pytest.mark.parametrize(("out", "said"), PLACES)
def test_a_comparison_in_a_file_replaces_nothing(out: str, said: str, cli: Cli, tmp_path: Path) -> None:
    (folder := tmp_path / "given").mkdir()
    (folder / "t.csv").write_text(ROWS)
    (folder / "link").symlink_to(tmp_path)
    out = out.replace("ABSOLUTE", str(tmp_path / "x.csv"))
    (folder / "asked.toml").write_text(f"workloads = ['t.csv']\nout = '{out}'\n")
    before = sorted(tmp_path.rglob("*"))
    done = cli("compare", folder / "asked.toml")
    assert done.returncode == 2 and said in " ".join(done.stderr.split())
    assert sorted(tmp_path.rglob("*")) == before and (folder / "t.csv").read_text() == ROWS


def test_a_typed_option_decides_where_results_go(cli: Cli, here: Path) -> None:
    (here / "t.csv").write_text(ROWS)
    (here / "asked.toml").write_text("workloads = ['t.csv']\nout = '/nowhere'\n")
    assert cli("compare", "asked.toml", "--out", "typed.csv").returncode == 0
    done = cli("compare", "asked.toml", "--out", "t.csv")
    assert done.returncode == 2 and "expected two files, found the same file: t.csv" in done.stderr
    assert (here / "typed.csv").exists() and (here / "t.csv").read_text() == ROWS


def test_files_that_files_name_are_read(cli: Cli, here: Path) -> None:
    """A result may not replace a member of a volume, which only the volume's file names."""
    (here / "member.csv").write_text((DEVICES / "osdi00.toml").read_text())
    (here / "pair.toml").write_text('volume = "mirror"\n\n' + '[[device]]\ndevice = "./member.csv"\n' * 2)
    before = (here / "member.csv").read_bytes()
    done = cli("run", "demo", "--volume", "pair.toml", "--out", "member.csv")
    assert done.returncode == 2 and (here / "member.csv").read_bytes() == before
    assert "expected two files, found the same file: member.csv" in done.stderr


@pytest.mark.dear("a page with charts is written", every_change=True)
def test_two_outputs_are_two_files(cli: Cli, here: Path) -> None:
    """A file that an option names is not a file that another option makes in its folder."""
    (here / "first.csv").write_text(ROWS)
    (here / "out").mkdir()
    done = cli("run", "first.csv", "--power", "out", "--report", "out/power.html")
    assert done.returncode == 2
    assert "expected two files, found the same file: out/power.html" in " ".join(done.stderr.split())


#: Folders with links to KEPT under names that a command makes there, and the commands.
LINKS = [
    ("out/power.csv", "run t.csv --power out"),
    ("out/t.csv.parquet", "run t.csv second.csv --out out"),
    ("out/summary.csv", "compare t.csv --schedulers fcfs --out out"),
    ("out/fcfs-x1.parquet", "compare t.csv --schedulers fcfs --out out"),
    ("out/trace.html", "trace info t.csv --format csv --out out"),
    ("out/study.ledger", "sweep run t.csv --out out"),
    ("out/designs.csv", "design t.csv --out out"),
]


@pytest.mark.parametrize("is_dangling", [False, True], ids=["file", "nothing"])
@pytest.mark.parametrize(("link", "command"), LINKS)
def test_no_command_writes_through_a_link_that_is_not_named(
    link: str, command: str, is_dangling: bool, cli: Cli, here: Path
) -> None:
    for name in ("t.csv", "second.csv"):
        (here / name).write_text(ROWS)
    (here / "out").mkdir()
    (here / link).symlink_to(here / "kept")
    if not is_dangling:
        (here / "kept").write_text("mine")
    done = cli(*command.split())
    assert done.returncode != 0 and "found a link to" in " ".join(done.stderr.split())
    assert (here / link).is_symlink() and (here / "kept").exists() != is_dangling
    assert is_dangling or (here / "kept").read_text() == "mine"


def test_a_ledger_is_not_replaced_through_a_link_that_is_named(cli: Cli, here: Path) -> None:
    (here / "t.csv").write_text(ROWS)
    assert cli("sweep", "run", "t.csv", "--out", "s").returncode == 0
    before = (here / "s" / "study.ledger").read_bytes()
    (here / "x.csv").symlink_to("s/study.ledger")
    done = cli("sweep", "table", "s", "--out", "x.csv")
    assert done.returncode == 2 and "expected two files, found the same file" in " ".join(done.stderr.split())
    assert (here / "s" / "study.ledger").read_bytes() == before


def test_no_trace_of_a_folder_is_replaced(cli: Cli, here: Path) -> None:
    (here / "q").mkdir()
    (here / "q" / "t.csv").write_text(ROWS)
    (here / "q" / "t.csv.parquet").write_text(ROWS)
    for words in ("run q --out q", "run q/* --out q", "run q --out ./q/../q"):
        done = cli(*words.split())
        assert done.returncode == 2 and "q/t.csv.parquet" in done.stderr
    assert sorted(path.name for path in (here / "q").iterdir()) == ["t.csv", "t.csv.parquet"]
    assert (here / "q" / "t.csv.parquet").read_text() == ROWS


@pytest.mark.dear("a program is started", every_change=True)
def test_standard_input_is_an_input(here: Path) -> None:
    (here / "t.csv").write_text(ROWS)
    with (here / "t.csv").open() as given:
        words = "trace slice - --until 0.005 --format csv --to msr --out t.csv".split()
        done = subprocess.run(
            [sys.executable, "-m", "sledsim", *words],
            stdin=given,
            cwd=here,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 2 and "standard input and --out: expected two files" in done.stderr
    assert (here / "t.csv").read_text() == ROWS
