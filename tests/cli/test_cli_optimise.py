"""``sledsim study optimise`` as a user types it."""

import csv
import json
import shlex
import subprocess
from pathlib import Path

import pyarrow.parquet
import pytest

from sledsim.ledger import Contents

from ..conftest import Cli
from .interrupting import INTERRUPTED, NEEDS_PROC, PROGRAM, interrupt

SMALL = ("optimise", "random:rate=600", "--count", "300", "--over", "settle_ms=0.1..0.4")
SMALL = (*SMALL, "--over", "scheduler=fcfs,sptf", "--minimise", "mean", "--compared", "3")


@pytest.mark.dear("many runs are simulated and drawn")
def test_from_a_question_to_the_best(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "best"
    words = (*SMALL, "--budget", "48", "--subject-to", "capacity_gib >= 2")
    done = cli(*words, "--out", out)
    assert done.returncode == 0, done.stderr
    title, _, said = done.stdout.partition("\n")
    assert title == "The best of osdi00 for random:rate=600" and said.startswith("Best: settle_ms = 0.1")
    assert "scheduler = sptf (mean response " in done.stdout
    assert "of the best, with a probability of 95%." in done.stdout
    assert "48 designs were run, of which 48 meet the constraints." in done.stdout
    assert "20 of 20 seeds that the search has not seen" in done.stdout
    assert "mean response (ms)" in done.stdout and "Behind the best run (%)" in done.stdout
    table = pyarrow.parquet.read_table(out / "optimise.parquet")
    assert table.num_rows == 48 and table["is_best"].to_pylist().count(True) == 1
    for ending in ("csv", "html", "png", "svg"):
        assert (out / f"optimise.{ending}").stat().st_size > 0
    # The last printed line is a command that runs the choice.
    alone = shlex.split(done.stdout.rstrip().rpartition("To run only the best design: ")[2])
    run = subprocess.run([PROGRAM, *alone[1:]], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


@pytest.mark.dear("many runs are simulated and drawn")
def test_two_goals_as_json(cli: Cli) -> None:
    done = cli(*SMALL, "--minimise", "energy", "--budget", "40", "--held-out", "0", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["goals"] == ["least mean_response_s", "least energy_per_request_j"]
    assert found["front"] and found["designs"] == 40 and found["held_out"] is None
    assert found["best"]["meets"] and set(found["best"]["values"]) == {"settle_ms", "scheduler"}
    assert found["selected"]["confidence"] == 0.95


@pytest.mark.dear("many runs are simulated and drawn")
def test_formats_and_derived_parameters(cli: Cli, tmp_path: Path) -> None:
    """Impossible formats are counted and explained; derived parameters follow their factor."""
    (tmp_path / "over.toml").write_text(
        '[ranges]\nspread = "0.8..1.25:log"\n[derived]\nacceleration_m_per_s2 = "130 * spread"\n'
    )
    formats = "format=64x1x512,64x2x512,512x2x4096,4096x1x512,1024x16x512"
    words = (
        "optimise",
        "ext3-4k",
        "--device",
        "emsoft08",
        "--over",
        tmp_path / "over.toml",
        "--over",
        formats,
    )
    done = cli(*words, "--minimise", "energy", "--subject-to", "capacity_gib >= 2", "--budget", "40")
    assert done.returncode == 0, done.stderr
    assert "format = 1024x16x512, acceleration_m_per_s2 = " in done.stdout
    assert "designs are impossible or have no figures" in done.stdout
    assert "emsoft08: format = 4096x1x512: 4608 bits" in done.stdout
    assert "that the search has not seen" in done.stdout


@pytest.mark.dear("many runs are simulated and drawn")
@NEEDS_PROC
def test_interruption_keeps_every_design(cli: Cli, tmp_path: Path) -> None:
    words = [*SMALL[:3], "3000", *SMALL[4:], "--budget", "100000", "--out", "best"]

    def is_under_way(_: object) -> bool:
        file = tmp_path / "best" / "study.ledger"
        return file.exists() and file.stat().st_size > 40_000

    status, said, _ = interrupt([PROGRAM, *words], tmp_path, is_under_way)
    assert status == INTERRUPTED
    assert "stopped: finished results are kept in best; the same command resumes" in said
    rows = len(Contents.of([tmp_path / "best"]).places)
    assert rows > 20


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (SMALL[:6], "minimise, maximise: expected 1 to 2 figures in all, each once, found none"),
        ((*SMALL, "--subject-to", "capacity >"), "expected a number"),
        ((*SMALL, "--subject-to", "weight < 1"), "figure 'weight' is unknown"),
        ((*SMALL, "--over", "settle_ms=1..2"), "settle_ms"),
        ((*SMALL, "--sampler", "best"), "sampler = 'best': expected one of descent, tpe"),
        ((*SMALL, "--held-out", "2"), "held_out = 2.0: expected a share"),
    ],
)
def test_wrong_usage(cli: Cli, words: tuple[str, ...], message: str) -> None:
    done = cli(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ") and message in done.stderr


def test_a_question_without_an_answer(cli: Cli) -> None:
    done = cli(*SMALL, "--budget", "20", "--subject-to", "mean < 1e-9")
    assert (done.returncode, done.stdout) == (1, "")
    assert (
        "none of 20 designs that were run has figures and meets the constraints (mean < 1e-9)" in done.stderr
    )


@pytest.mark.dear("many runs are simulated and drawn", every_change="words2")
@pytest.mark.parametrize(
    "words",
    [
        ("random:rate=900", "--count", "500", "--seed", "7"),
        ("random:rate=900,count=600",),
        ("demo", "--replay", "closed:outstanding=4", "--held-out", "0"),
        ("random:rate=200,count=500", "--volume", "stripe", "--device", "atlas10k"),
    ],
)
def test_the_command_of_the_choice_gives_the_figures_of_the_search(
    cli: Cli, tmp_path: Path, words: tuple[str, ...]
) -> None:
    over = "stripe_unit_kib=8,64" if "--volume" in words else "settle_ms=0.1,0.2"
    asked = ("optimise", *words, "--over", over, "--minimise", "mean")
    best = json.loads(cli(*asked, "--json").stdout)["best"]["figures"]["mean_response_s"]
    (line,) = (
        line for line in cli(*asked).stdout.splitlines() if line.startswith("To run only the best design")
    )
    program, *command = shlex.split(line.partition(": ")[2])
    assert program == "sledsim"
    assert cli(*command).returncode == 0
    assert cli("sweep", "table", "best", "--out", tmp_path / "t.csv").returncode == 0
    with (tmp_path / "t.csv").open() as file:
        (row,) = csv.DictReader(file)
    assert float(row["mean_response_s"]) == best


@pytest.mark.dear("many runs are simulated and drawn")
def test_far_designs_are_distinguished_before_the_procedure_ends(cli: Cli) -> None:
    """Figures with a high variance keep the procedure from dropping designs that are far worse."""
    over = ("--over", "settle_ms=0.1,0.2,0.3", "--over", "scheduler=fcfs,sptf", "--minimise", "mean")
    done = cli("optimise", "random:rate=900", "--count", "300", *over, "--json")
    found = json.loads(done.stdout)
    selected = found["selected"]
    assert selected["left"] == [selected["best"]] and selected["replications"] == selected["most"]
    assert "Each other of the 6 best of the search is worse over all" in " ".join(found["in_words"])


@pytest.mark.dear("many runs are simulated and drawn")
def test_choices_that_will_not_do_are_in_the_table(cli: Cli) -> None:
    over = ("--over", "scheduler=fcfs,sptf", "--over", "settle_ms=0.1,0.2", "--minimise", "energy")
    done = cli("optimise", "random:rate=1200", "--count", "1000", *over, "--subject-to", "mean < 1.8e-3")
    assert done.returncode == 0 and "no valid design" in done.stdout
