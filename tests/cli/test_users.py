"""What new users met, one thing after the other, as they type it: each is answered, or says what to do."""

import json
import pickle
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import sledsim

from ..conftest import BUILT_IN_SCHEDULERS, Cli

#: Reaches 9.537 GiB, a request a second.
FAR = "".join(f"0,{at * 2_000_000},4096,{'rw'[at % 2]},{at}.0\n" for at in range(11))
#: A capture of a phone, of biosnoop, of libCacheSim: reads and writes by other names than most.
NAMED = {
    "phone.csv": "timestamp_us,rw_flag,sector,bytes\n0,0,1048,4096\n10000,1,640,8192\n",
    "biosnoop.txt": "TIME(s)     COMM           PID     DISK      T SECTOR     BYTES  LAT(ms)\n"
    "0.000000    dd             4711    sda       R 1048       4096      0.50\n"
    "0.010500    dd             4711    sda       W 640        8192      1.00\n",
    "cache.csv": "version,time,op,size,lbn\n1,33898,28,4096,1048\n1,33899,2a,8192,640\n",
}
UNNAMED = "ts,mode,lba,bytes\n" + "".join(
    f"{at},{('get', 'put')[at % 2]},{at * 1000},4096\n" for at in range(8)
)
SECTORS = "ts,op,lba,size\n" + "".join(f"{at},W,{at * at * 1000},{8 << at % 3}\n" for at in range(8))


def refused(cli: Cli, *words: str) -> str:
    """What is said of a command that is refused; nothing is printed besides."""
    done = cli(*words)
    assert done.returncode in (1, 2) and done.stdout == ""
    assert "Traceback" not in done.stderr
    return done.stderr.partition("error: ")[2].rstrip("\n")


def test_a_trace_that_reaches_past_the_device(cli: Cli, here: Path) -> None:
    (here / "far.spc").write_text(FAR)
    assert refused(cli, "run", "far.spc") == (
        "far.spc reaches 9.537 GiB, and osdi00 holds 3.219 GiB. What works:\n"
        "  sledsim run far.spc --fit               it has 3 sleds instead, which move as one\n"
        "  sledsim run far.spc --past-end=sleds    3 sleds, which move as one\n"
        "  sledsim run far.spc --past-end=squeeze  all addresses divided by 2.963\n"
        "  sledsim run far.spc --past-end=wrap     addresses past the end begin again at 0"
    )
    said = cli("run", "far.spc", "--past-end", "sleds").stderr
    assert said.endswith(
        "added to fit the trace (--past-end sleds): 2 sleds, so that osdi00 has 3, which move as one\n"
    )


def test_a_comparison_that_reaches_past_every_device(cli: Cli, here: Path) -> None:
    """Where none of the devices holds it, ways are told that work on all; each does."""
    (here / "far.spc").write_text(FAR)
    words = ("compare", "far.spc", "--device", "osdi00", "--device", "cf-card", "--schedulers", "fcfs")
    first, *ways = refused(cli, *words).splitlines()
    assert re.fullmatch(r"far\.spc reaches 9\.537 GiB, and \S+ holds [\d.]+ [GM]iB\. What works:", first)
    commands = [shlex.split(line.strip().partition("  ")[0])[1:] for line in ways]
    assert [command[-1] for command in commands] == ["--past-end=wrap", "--past-end=squeeze"]
    for command in commands:
        assert cli(*command).returncode == 0


def test_several_devices(cli: Cli) -> None:
    """Beside each other where that can be; a list with commas says how they are given."""
    both = ("--device", "osdi00", "--device", "cf-card")
    done = cli("compare", "random:rate=100,count=200", *both, "--schedulers", "fcfs")
    assert done.returncode == 0
    assert "osdi00" in done.stdout and "cf-card" in done.stdout
    assert refused(cli, "compare", "demo", "--device", "osdi00,cf-card") == (
        "--device osdi00,cf-card: expected one device: several are given as --device osdi00 --device cf-card"
    )
    assert refused(cli, "run", "demo", "--device", "osdi00,cf-card") == (
        "--device osdi00,cf-card: expected one device: several are compared by 'sledsim compare', as"
        " --device osdi00 --device cf-card"
    )
    assert refused(cli, "run", "demo", *both) == "--device is given twice: expected it once"


def test_devices_go_to_other_processes() -> None:
    for one in (sledsim.device("osdi00", settle_ms=0.1), sledsim.volume("mirror:devices=2")):
        again = pickle.loads(pickle.dumps(one))
        assert again.parameters == one.parameters


@pytest.mark.parametrize("name", NAMED)
def test_names_for_reads_and_writes(cli: Cli, here: Path, name: str) -> None:
    (here / name).write_text(NAMED[name])
    parts = json.loads(cli("run", name, "--json").stdout)["parts"]
    assert {one["name"]: one["requests"] for one in parts} == {"all": 2, "reads": 1, "writes": 1}


def test_a_guess_that_would_be_wrong(cli: Cli, here: Path) -> None:
    (here / "mine.csv").write_text(UNNAMED)
    assert refused(cli, "run", "mine.csv") == (
        "mine.csv: expected a column that says what is read and what is written, found the columns ts, mode,"
        " lba, bytes, none of them by a name for it: add --map op=mode if that is it (op=mode:read=X:write=Y"
        " says what its words mean), or --map op=- if all requests are reads"
    )
    (here / "sectors.csv").write_text(SECTORS)
    assert refused(cli, "run", "sectors.csv") == (
        'sectors.csv: expected sizes in bytes in the column "size", found what looks like sectors of 512'
        " bytes (8, 16, 32, 8, ...): add --map size=size:sectors, or --map size=size:B if that is right"
    )


def test_a_map_amends_a_guess(cli: Cli, here: Path) -> None:
    (here / "phone.csv").write_text(NAMED["phone.csv"])
    assert cli("run", "phone.csv", "--map", "op=rw_flag").returncode == 0
    assert refused(cli, "run", "phone.csv", "--map", "op=rwflag") == (
        'phone.csv: expected a column "rwflag" (of op), found the columns timestamp_us, rw_flag, sector,'
        ' bytes; did you mean "rw_flag"?'
    )


def test_a_unit_of_time_that_cannot_be(cli: Cli, here: Path) -> None:
    rows = "".join(f"{at * 1e-7:.7f},{at * 100},4096,r\n" for at in range(2000))
    (here / "mine.csv").write_text(f"time,lbn,size,op\n{rows}")
    said = cli("run", "mine.csv", "--map", "time=time:s,lbn=lbn:sectors,size=size:B").stderr
    assert re.search(
        r"doubtful: 2,000 requests in 199\.9 µs are [\d,]+ times as many as the device can serve: is the unit"
        r" of time right\? '--map time=COLUMN:UNIT' says another of a CSV file; '--scale [\de.-]+' slows",
        said,
    )


def test_a_cell_of_a_notebook_stays_short() -> None:
    device = sledsim.device("osdi00")
    trace = sledsim.demo_trace().rows(slice(0, 300))
    found = [device, trace, sledsim.simulate(device, trace), sledsim.compare(device, trace, "fcfs")]
    found.append(sledsim.response_curves(device, "fcfs", [300], count=300))
    for one in found:
        assert len(repr(one)) < 300 and " at 0x" not in repr(one)
        assert len(one._repr_html_()) < 20_000


def test_a_page_says_what_it_is(cli: Cli, here: Path) -> None:
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    assert cli("run", "random:rate=900,count=200", "--report", "page.html").returncode == 0
    page = (here / "page.html").read_text()
    for said in (
        'lang="en"',
        'name="viewport"',
        "<title>random",
        'id="command">sledsim run random',
        "<table",
    ):
        assert said in page


def test_the_table_of_every_policy_stays_short() -> None:
    # In a process of its own: other tests register policies, some of which break.
    words = ["compare", "random:rate=900,count=200", "--schedulers", "all"]
    done = subprocess.run(
        [sys.executable, "-m", "sledsim", *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    first = [line.split()[0] for line in done.stdout.splitlines() if line.strip()]
    # Of more columns than there is room for, the table has parts.
    assert {first.count(name) for name in BUILT_IN_SCHEDULERS} <= {1, 2}
    assert len(first) <= 3 * len(BUILT_IN_SCHEDULERS)


def test_no_two_rows_of_a_front_are_alike(cli: Cli) -> None:
    """Formats that are the same in everything that is asked for are one row, which counts them."""
    done = cli("design", "demo")
    heading, *rows = done.stdout.partition("On the front")[2].partition("...")[0].splitlines()
    assert "those as one that are alike in all three" in heading
    cells = [line.split() for line in rows if re.match(r" *\d", line)]
    goals = [tuple(line[3:6]) for line in cells]
    assert len(goals) > 5 and len(set(goals)) == len(goals)
    assert any(int(line[6]) > 1 for line in cells)


def test_a_comparison_needs_no_folder(cli: Cli, here: Path) -> None:
    done = cli("compare", "random:rate=900,count=200", "--schedulers", "fcfs")
    assert done.returncode == 0 and not [*here.iterdir()]
    assert "To keep this: --out results.csv (or .parquet, .json) for the table, --out FOLDER" in done.stdout


def test_a_trace_is_counted_in_one_way(cli: Cli, here: Path) -> None:
    lines = ("time_us,sector,count,op", "0,0,8,R", "1000,64,8,W", "2000,0,0,F", "3000,128,8,D")
    (here / "mine.csv").write_text("\n".join(lines))
    asked = ("--map", "time=time_us:us,lbn=sector:sectors,size=count:sectors,op=op")
    run = cli("run", "mine.csv", *asked, "--json")
    info = cli("trace", "info", "mine.csv", *asked, "--json")
    assert (run.returncode, info.returncode) == (0, 0), run.stderr
    counts = json.loads(info.stdout)["overall"]["counts"]
    assert json.loads(run.stdout)["requests"] == counts["requests"] == 2


def test_without_plots_none_are_named(here: Path) -> None:
    code = (
        "import sys; sys.modules['altair'] = None\n"
        "sys.argv = 'sledsim compare random:rate=500,count=50 --schedulers fcfs --out out'.split()\n"
        "from sledsim.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=here, capture_output=True, text=True, check=True)
    assert "no plots: plots need altair: pip install 'sledsim[plot]'\n" in done.stderr
    assert "Summary: " in done.stdout and "plots" not in done.stdout


def test_what_takes_long_says_how_far_it_is(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where stderr is no terminal: here at once, and not after ten seconds."""
    monkeypatch.setattr("sledsim.cli.progress._LINE_EVERY_S", 0.0)
    done = cli("compare", "demo", "--schedulers", "fcfs,sptf")
    assert re.search(r"(?m)^Simulating: \d+%", done.stderr)


FORMS = [("csv", b"arrival_ns,"), ("json", b"["), ("parquet", b"PAR1")]


@pytest.mark.parametrize(("ending", "begins"), FORMS)
def test_a_file_is_what_its_name_says(cli: Cli, here: Path, ending: str, begins: bytes) -> None:
    assert cli("run", "random:rate=900,count=50", "--out", f"x.{ending}").returncode == 0
    assert (here / f"x.{ending}").read_bytes().replace(b'"', b"").startswith(begins)
    assert refused(cli, "run", "demo", "--out", "x.xlsx") == (
        "x.xlsx: expected a name that ends in .parquet, .csv or .json, found '.xlsx'"
    )
