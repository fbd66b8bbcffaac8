"""``sledsim compare`` over several devices and volumes, as a user types it."""

import csv
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet
import pytest

from ..conftest import BUILT_IN_SCHEDULERS, Cli, leftovers
from .interrupting import INTERRUPTED, PROGRAM, interrupt
from .test_cli_errors import refusal, refused

WORK = "random:rate=60,count=600"
#: A trace up to 9.537 GiB, with one request a second.
FAR = "".join(f"0,{at * 2_000_000},4096,{'rw'[at % 2]},{at}.0\n" for at in range(11))
THREE = ("--device", "osdi00", "--device", "atlas10k", "--device", "cf-card")


def _lines(text: str, *words: str) -> list[str]:
    return [line for line in text.splitlines() if all(word in line for word in words)]


def test_devices_and_a_volume_side_by_side(cli: Cli, here: Path) -> None:
    words = (*THREE, "--volume", "mmcd", "--schedulers", "fcfs,sptf", "--price", "osdi00=120")
    done = cli("compare", WORK, *words, "--kwh-price", "0.3")
    assert done.returncode == 0, done.stderr
    rows = done.stdout.split("Response times from")[0]
    first = [line for line in rows.splitlines() if _lines(line, "fcfs")]
    assert [line.split()[0] for line in first[:4]] == ["osdi00", "atlas10k", "cf-card", "mmcd"]
    for words in (
        "Requests/s",
        "mJ/request",
        "Cost/million",
        "price / (requests/s x 5 years) + energy x 0.3 a kWh",
        "cf-card: position has no effect",
        "mean response over that of osdi00 under fcfs",
        "To keep these results: --out results.csv (or .parquet, .json) writes the table; --out FOLDER",
    ):
        assert words in done.stdout
    assert leftovers(here) == []


def test_the_best_of_a_column_is_marked(cli: Cli) -> None:
    out = cli("compare", WORK, *THREE, "--schedulers", "fcfs").stdout
    (card,) = _lines(out.split("vs first")[1].split("Response times")[0], "cf-card", "fcfs")
    assert "◂" in card
    alone = cli("compare", WORK, "--schedulers", "fcfs").stdout
    assert "◂" not in alone


@pytest.mark.dear("many runs are simulated and drawn")
@pytest.mark.parametrize("width", [80, 120, 400])
def test_tables_are_as_wide_as_the_terminal(width: int, here: Path) -> None:
    words = [PROGRAM, "compare", WORK, *THREE, "--schedulers", "fcfs,sptf", "--scales", "1,2"]
    told = {**os.environ, "COLUMNS": str(width)}
    done = subprocess.run(words, cwd=here, env=told, capture_output=True, text=True, check=True)
    tables = done.stdout.split("Response times are from")[0].splitlines()
    assert max(map(len, tables)) <= width
    assert len(_lines(done.stdout, "Device", "Scheduler")) == {80: 4, 120: 2, 400: 1}[width]


@pytest.mark.dear("many runs are simulated and drawn", every_change=True)
def test_the_ending_says_what_is_written(cli: Cli, here: Path) -> None:
    for ending in ("csv", "parquet", "json"):
        done = cli("compare", WORK, *THREE, "--schedulers", "fcfs", "--out", f"x.{ending}")
        assert (done.returncode, f"Written: x.{ending}" in done.stdout) == (0, True), done.stderr
    assert leftovers(here) == ["x.csv", "x.json", "x.parquet"]
    rows = json.loads((here / "x.json").read_text())
    assert [row["device"] for row in rows] == ["osdi00", "atlas10k", "cf-card"]
    assert pyarrow.parquet.read_table(here / "x.parquet").to_pylist() == rows
    with (here / "x.csv").open() as file:
        means = [float(row["mean_response_s"]) for row in csv.DictReader(file)]
    assert means == [row["mean_response_s"] for row in rows]


@pytest.mark.dear("many runs are simulated and drawn")
def test_a_folder_has_all_and_goes_on(cli: Cli, here: Path) -> None:
    words = ("compare", WORK, *THREE, "--schedulers", "fcfs,sptf", "--out", "out")
    first = cli(*words)
    assert first.returncode == 0, first.stderr
    names = [f"{name}-{policy}-x1.parquet" for name in ("atlas10k", "osdi00") for policy in ("fcfs", "sptf")]
    names += ["cf-card-fcfs-x1.parquet", "compare.html", "compare.png", "compare.svg"]
    assert leftovers(here / "out") == sorted([*names, "comparison.ledger", "summary.csv"])
    written = {name: (here / "out" / name).stat().st_mtime_ns for name in names if "parquet" in name}
    again = cli(*words)
    assert again.stdout == first.stdout
    assert written == {name: (here / "out" / name).stat().st_mtime_ns for name in written}


def test_what_is_past_the_end_is_a_row(cli: Cli, here: Path) -> None:
    (here / "big.csv").write_text("time,lbn,size,op\n0.1,10,4096,R\n0.2,16000000,4096,W\n")
    words = ("compare", "big.csv", "-d", "osdi00", "-d", "atlas10k")
    done = cli(*words)
    assert done.returncode == 0, done.stderr
    assert _lines(done.stdout, "osdi00", "sptf", "past the end")
    assert _lines(done.stdout, "osdi00: request 1: LBN 16000000", "--past-end")
    wrapped = cli(*words, "--past-end", "wrap")
    assert "past the end" not in wrapped.stdout
    alone = cli("compare", "big.csv", "-d", "osdi00")
    assert (alone.returncode, alone.stdout) == (1, "")
    assert "error: big.csv reaches 7.629 GiB, and osdi00 holds 3.219 GiB. Use one of:\n" in alone.stderr


@pytest.mark.dear("many runs are simulated and drawn", every_change=True)
def test_volumes_are_built_of_each_device(cli: Cli) -> None:
    done = cli("compare", WORK, "-V", "raid5", "-d", "osdi00", "-d", "hong03", "--out", "x.json")
    assert "on raid5 of osdi00, raid5 of hong03" in done.stdout, done.stderr
    single = cli("compare", WORK, "-V", "raid5", "-d", "hong03", "--out", "y.json")
    assert "on raid5\n" in single.stdout
    bare = cli("compare", WORK, "-V", "raid5:device=hong03", "-d", "osdi00")
    assert "on osdi00, raid5:device=hong03" in bare.stdout, bare.stderr
    both = cli("compare", WORK, "-V", "raid5:device=hong03", "-V", "single:device=hong03")
    assert _lines(both.stdout, "raid5:device=hong03", "sptf") and _lines(both.stdout, "single:device=hong03")


EXPERIMENT = """
workloads = ["mine.csv", "random:rate=60,count=300"]
devices = ["osdi00", "slow.toml"]
volumes = ["mirror"]
schedulers = ["fcfs", "sptf"]
scales = [1, 2]
past_end = "wrap"
out = "results"
kwh_price = 0.3

[prices]
osdi00 = 120
mirror = "2.5/GiB"
"""


@pytest.fixture
def experiment(here: Path) -> Path:
    folder = here / "deep"
    folder.mkdir()
    (folder / "mine.csv").write_text("time,lbn,size,op\n0.1,10,4096,R\n0.2,16000000,4096,W\n")
    (folder / "slow.toml").write_text('extends = "osdi00"\nsettle_ms = 2.0\n')
    path = folder / "experiment.toml"
    path.write_text(EXPERIMENT)
    return path


@pytest.mark.dear("many runs are simulated and drawn")
def test_an_experiment_in_a_file_goes_on(cli: Cli, experiment: Path) -> None:
    first = cli("compare", "deep/experiment.toml")
    assert first.returncode == 0, first.stderr
    assert first.stdout.count("Cost of a million") == 1 and "deep/slow.toml" in first.stdout
    results = experiment.parent / "results"
    assert len(list(results.glob("*.parquet"))) == 2 * 2 * 2 * 3
    with (results / "summary.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 24 and {row["error"] for row in rows} == {""}
    if (page := results / "compare.html").exists():
        assert all(
            said in page.read_text() for said in ("<td>prices.osdi00</td>", "<td>osdi00, slow.toml</td>")
        )
    ledger = (results / "comparison.ledger").read_bytes()
    assert cli("compare", "deep/experiment.toml").stdout == first.stdout
    assert (results / "comparison.ledger").read_bytes() == ledger
    refused(
        cli("compare", "deep/experiment.toml", "-d", "osdi00"),
        2,
        "--device: deep/experiment.toml states the whole comparison",
    )


WRONG = {
    'schedulers = "stpf"': "unknown scheduler",
    'scales = ["1"]': "scales: expected positive numbers, found '1'",
    "scales = []": "scales: expected at least one value, found none",
    "lifetime_years = 3": "lifetime_years: needs the price of a device, found none",
    "device = ['osdi00']": "unknown key 'device': did you mean 'devices'? expected one of workloads,",
    "out = 'x.xyz'": "out x.xyz: expected a name that ends in .parquet, .csv or .json, found '.xyz'; a",
    "sheds = 1": "unknown key 'sheds': expected one of workloads, devices, volumes, schedulers",
    "past_end = 3": "past_end = 3: expected a text",
    "scales = [0]": "scale",
    "workloads = 3": "workloads = 3: expected a list of names",
    "workloads = []": "expected at least one workload, found none",
    "lifetime_years = 0": "lifetime_years = 0: expected a number of years above 0",
    "[prices]\nhong03 = 1": "price of 'hong03': expected the name of a compared device: osdi00",
    "[set]\nsettel_ms = 1": "settel_ms",
    "[reading]\nformt = 'x'": "reading.formt: unknown key",
    "[": "expected TOML",
}


@pytest.mark.dear("many runs are simulated and drawn", every_change=True)
@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_with_a_file_names_it_and_the_key(cli: Cli, here: Path, text: str) -> None:
    work = "" if "workloads" in text else f'workloads = ["{WORK}"]\n'
    (here / "wrong.toml").write_text(work + text)
    refused(cli("compare", "wrong.toml"), 2, "wrong.toml: ", WRONG[text])
    assert leftovers(here) == ["wrong.toml"]


@pytest.mark.dear("many runs are simulated and drawn")
def test_wrong_words_are_reported(cli: Cli, here: Path) -> None:
    for words, message in {
        (
            "--out",
            "x.txt",
        ): "--out x.txt: expected a name that ends in .parquet, .csv or .json, found '.txt'; a folder",
        ("--price", "osdi00"): "--price: expected NAME=PRICE, found 'osdi00'",
        ("--price", "osdi00=1", "--price", "osdi00=2"): "--price: expected one price of osdi00, found two",
        ("--price", "cf-card=1"): "price of 'cf-card': expected the name of a compared device: osdi00",
        ("--kwh-price", "0"): "--kwh-price: needs at least one --price",
        ("-d", "osdi00", "-d", "osdi00"): "osdi00 is given twice",
        ("-d", "osdi00,cf-card"): (
            "--device osdi00,cf-card: expected one device; for several devices, use --device osdi00 --device"
            " cf-card\n"
        ),
        ("--schedulers", ""): "--schedulers: expected names",
        ("--rates", "100", "--price", "osdi00=1"): "--price: does not go with --rates",
        ("--count", "0"): "--count: needs --rates",
    }.items():
        refused(cli("compare", WORK, *words), 2, message)
    assert leftovers(here) == []


@pytest.mark.dear("many runs are simulated and drawn")
def test_curves_of_several_devices_have_folders_of_their_own(cli: Cli, here: Path) -> None:
    words = ("--rates", "100", "--count", "300", "--replications", "2", "--schedulers", "fcfs")
    done = cli("compare", "random:", "-d", "osdi00", "-d", "cf-card", *words, "--out", "out")
    assert done.returncode == 0, done.stderr
    for name in ("osdi00", "cf-card"):
        assert (here / "out" / name / "curves.csv").exists()


@pytest.mark.dear("many runs are simulated and drawn")
def test_a_stopped_comparison_says_how_to_continue(tmp_path: Path) -> None:
    words = "compare random:rate=20000,count=300000 --schedulers fcfs,sptf:search=linear --out out".split()

    def has_row(_: object) -> bool:
        ledger = tmp_path / "out" / "comparison.ledger"
        return ledger.exists() and b'"status"' in ledger.read_bytes()

    status, errors, _ = interrupt([PROGRAM, *words], tmp_path, has_row)
    assert status == INTERRUPTED
    assert errors.endswith("stopped: finished results are kept in out; the same command resumes\n")


def test_a_comparison_that_reaches_past_every_device(cli: Cli, here: Path) -> None:
    """If no device holds the trace, the error names ways that work on all devices; each way works."""
    (here / "far.spc").write_text(FAR)
    words = ("compare", "far.spc", "--device", "osdi00", "--device", "cf-card", "--schedulers", "fcfs")
    first, *ways = refusal(cli, *words).splitlines()
    assert re.fullmatch(r"far\.spc reaches 9\.537 GiB, and \S+ holds [\d.]+ [GM]iB\. Use one of:", first)
    commands = [shlex.split(line.strip().partition("  ")[0])[1:] for line in ways]
    assert [command[-1] for command in commands] == ["--fit", "--past-end=wrap", "--past-end=squeeze"]
    for command in commands:
        assert cli(*command).returncode == 0


@pytest.mark.dear("many runs are simulated and drawn")
def test_the_table_of_every_policy_stays_short() -> None:
    # A separate process, because other tests register policies, some of which break.
    words = ["compare", "random:rate=900,count=200", "--schedulers", "all"]
    done = subprocess.run(
        [sys.executable, "-m", "sledsim", *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    first = [line.split()[0] for line in done.stdout.splitlines() if line.strip()]
    # A table with more columns than the terminal has room for is printed in parts.
    assert {first.count(name) for name in BUILT_IN_SCHEDULERS} <= {1, 2}
    assert len(first) <= 3 * len(BUILT_IN_SCHEDULERS)


def test_what_takes_long_says_how_far_it_is(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Progress is reported if stderr is no terminal; here at once, elsewhere after ten seconds."""
    monkeypatch.setattr("sledsim.cli.terminal._LINE_EVERY_S", 0.0)
    done = cli("compare", "demo", "--schedulers", "fcfs,sptf")
    assert re.search(r"(?m)^Simulating: \d+%", done.stderr)
