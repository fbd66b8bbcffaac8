"""``sledsim compare random: --rates ...`` as a user types it, and the parsing of rates."""

import csv
import subprocess
import sys
from pathlib import Path

import pytest

import sledsim
from sledsim.cli.command_options import parse_rates, parse_schedulers
from sledsim.common.output_files import file_name
from sledsim.grids.of_curves import beyond
from sledsim.runs.curve_points import CurvePoint
from sledsim.runs.curves import Curves

from ..conftest import BUILT_IN_SCHEDULERS, Cli, leftovers
from .test_cli_errors import refused

FILES = [
    *("curves-samples.csv", "curves-samples.parquet", "curves.csv", "curves.html", "curves.ledger"),
    *("curves.parquet", "curves.png", "curves.svg"),
]


@pytest.mark.dear("many runs are simulated and drawn")
def test_one_command_draws_all_policies(spawned: Cli, tmp_path: Path) -> None:
    words = ("--rates", "500:1500:500", "--count", "2000", "--replications", "3", "--schedulers", "all")
    done = spawned("compare", "random:", "--device", "osdi00", *words)
    assert done.returncode == 0, done.stderr
    assert leftovers(tmp_path) == FILES
    assert (tmp_path / "here" / "compare-out" / "curves.html").exists()
    for shown in (
        "p99.9 ms",
        " ± ",
        "cv²",
        "p99.9 ms",
        "Max ms",
        "saturated",
        "95 % confidence interval",
        "1,000/s",
    ):
        assert shown in done.stdout, shown
    assert "the first 20 % of the requests of each run are warm-up" in done.stdout
    with (tmp_path / "here" / "compare-out" / "curves.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["scheduler"] for row in rows} == set(BUILT_IN_SCHEDULERS)
    assert {row["rate_per_s"] for row in rows} == {"500", "1000", "1500"}


def test_saturation_and_unsettled_runs_are_reported_apart() -> None:
    """A rate without figures may be below the rate at which the queue is known to grow."""
    points = [
        CurvePoint("sptf", 1.0, saturated=False),
        CurvePoint("sptf", 2.0, saturated=True, unsettled=True),
        CurvePoint("sptf", 3.0, saturated=True),
    ]
    curves = Curves("osdi00", "random", "rate_per_s", points, {"schedulers": ["sptf"]})
    assert beyond(curves, "sptf") == "3/s; not at rest: 2/s"
    known = Curves("osdi00", "random", "rate_per_s", [points[0], points[2]], {"schedulers": ["sptf"]})
    assert beyond(known, "sptf") == "3/s"
    assert beyond(Curves("osdi00", "random", "rate_per_s", points[:1], {}), "sptf") == "at no rate tried"


@pytest.mark.dear("many runs are simulated and drawn")
def test_keys_of_the_workload_and_the_folder_are_obeyed(tmp_path: Path) -> None:
    # Without the plotting libraries, whose import takes the most time.
    words = "random:count=700,seed=9 --rates 600 --schedulers sptf --replications 2 --set settle_ms=0"
    code = (
        "import sys; sys.modules['altair'] = None\n"
        f"sys.argv = 'sledsim compare {words} --out deep/out'.split()\n"
        "from sledsim.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "pip install 'sledsim[plot]'" in done.stderr
    device = sledsim.device("osdi00", settle_ms=0)
    curves = sledsim.response_curves(device, ["sptf"], [600], count=700, seed=9, replications=2)
    with (tmp_path / "deep" / "out" / "curves.csv").open() as file:
        (row,) = csv.DictReader(file)
    assert float(row["mean_response_s"]) == curves.rows()[0]["mean_response_s"]


@pytest.mark.dear("many runs are simulated and drawn", every_change=True)
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("random:rate=5", "--rates", "100"), "remove the option 'rate'"),
        (("random:count=5", "--rates", "100", "--count", "9"), "the number of requests is given twice"),
        (("random:size=5", "--rates", "100"), 'unknown option of random "size": did you mean "sizes"?'),
        (
            ("demo", "--rates", "100"),
            "expected a random workload such as 'random:', found 'demo'; --scales",
        ),
        (("random", "--rates", "100"), "found 'random'; did you mean 'random:'?"),
        (
            ("random:", "--rates", "100", "--out", "x.csv"),
            "--out x.csv: expected a folder, which --rates fills, found a file",
        ),
        (("random", "--out", "out"), "random: no such file; did you mean 'random:rate=...'?"),
        (("random:", "--rates", "100", "--scales", "1"), "--scales: does not go with --rates"),
        (("random:", "--rates", "100", "--format", "disksim"), "--format: does not go with --rates"),
        (("random:", "--rates", "100", "--past-end", "wrap"), "--past-end: does not go with --rates"),
        (("random:", "--rates", "100:50:10"), "--rates: expected an ascending range of 1 to 1000 rates"),
        (("random:", "--rates", "quick"), "found 'quick'"),
        (("random:", "--rates", "0"), "rate = 0: must be a positive number"),
        (("random:", "--rates", "100", "--replications", "1"), "replications = 1"),
        (
            ("random:", "--rates", "100", "--precision", "5"),
            "precision = 5.0: must be a relative half-width between 0 and 1",
        ),
        (("random:rate=5", "--out", "out", "--precision", "0.1"), "--precision: needs --rates"),
        (("random:", "--rates", "100", "--count", "1"), "count = 1: expected at least 100 requests after"),
        (
            ("random:rate=5", "--out", "out", "--replications", "3"),
            "--replications: needs --rates",
        ),
        (("random:", "--out", "out"), "random: rate is missing"),
    ],
)
def test_wrong_usage(cli: Cli, tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    refused(cli("compare", *words, "--schedulers", "fcfs"), 2, message)
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("fcfs, sptf", ["fcfs", "sptf"]),
        ("asptf:weight=5,fcfs", ["asptf:weight=5", "fcfs"]),
        ("zsptf:zone=120x1200,parity=joined,fcfs", ["zsptf:zone=120x1200,parity=joined", "fcfs"]),
        ("sptf+deadline:after_ms=50,zsptf:zone=1x2", ["sptf+deadline:after_ms=50", "zsptf:zone=1x2"]),
    ],
)
def test_parameters_stay_with_their_policy(text: str, names: list[str]) -> None:
    assert parse_schedulers("--schedulers", text) == names


def test_all_is_every_policy_once() -> None:
    every = list(sledsim.schedulers())
    assert parse_schedulers("--schedulers", "all") == every
    assert parse_schedulers("--schedulers", "asptf:weight=5,all") == ["asptf:weight=5", *every]
    with pytest.raises(sledsim.ParameterError, match="fcfs once, found it twice"):
        parse_schedulers("--schedulers", "all,fcfs")
    with pytest.raises(sledsim.ParameterError, match="found its option alone, 'weight=5'"):
        parse_schedulers("--schedulers", "weight=5,fcfs")
    with pytest.raises(sledsim.ParameterError, match="found none"):
        parse_schedulers("--schedulers", " , ")


@pytest.mark.parametrize(
    ("text", "rates"),
    [
        ("100:3500:200", [100.0 + 200 * at for at in range(18)]),
        ("100:350:100", [100, 200, 300]),
        ("0.1:0.5:0.1", [0.1, 0.2, 0.3, 0.4, 0.5]),
        ("500,100,200", [100, 200, 500]),
        ("100:300:100,1000", [100, 200, 300, 1000]),
    ],
)
def test_rates(text: str, rates: list[float]) -> None:
    assert parse_rates("--rates", text) == pytest.approx(rates)


@pytest.mark.parametrize(
    "text", ["1:2", "1:2:3:4", "1:x:1", "5:1:1", "1:5:0", "1:5:-1", "1:9:1e-9", "1:inf:1"]
)
def test_wrong_rates(text: str) -> None:
    with pytest.raises(sledsim.ParameterError, match=f"--rates: .*'{text}'"):
        parse_rates("--rates", text)


def test_a_rate_given_twice() -> None:
    with pytest.raises(sledsim.ParameterError, match="200 once, found it twice"):
        parse_rates("--rates", "100:300:100,200")


def test_names_of_policies_become_safe_names_of_files() -> None:
    assert file_name("sptf+deadline:after_ms=50,zone=120x1200") == "sptf-deadline-after_ms-50-zone-120x1200"
    assert file_name("../a b") == "..-a-b"
