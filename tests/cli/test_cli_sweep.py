"""``sledsim study sweep`` as a user types it."""

import json
import shlex
import subprocess
from pathlib import Path

import pyarrow.parquet
import pytest

from ..conftest import Cli, leftovers
from .interrupting import INTERRUPTED, PROGRAM, interrupt

POINT = ("random:rate=900", "--count", "300", "--replications", "2")
SMALL = (*POINT, "--over", "settle_ms=0.1:0.2:0.05")


@pytest.mark.dear("many runs are simulated and drawn")
def test_from_a_sweep_to_its_table(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "study"
    done = cli("sweep", *SMALL, "--scheduler", "fcfs,sptf", "--out", out)
    assert done.returncode == 0, done.stderr
    assert "6 of 6 points: 6 ok." in done.stdout
    assert done.stdout.count("fcfs") == done.stdout.count("sptf") == 3
    assert f"sledsim study sweep table {out}" in done.stdout
    again = cli("sweep", "run", *SMALL, "--scheduler", "fcfs,sptf", "--out", out)
    assert (again.returncode, again.stdout) == (0, done.stdout)
    assert "6 rows" in cli("sweep", "table", out).stdout
    table = pyarrow.parquet.read_table(out / "table.parquet")
    assert table.num_rows == 6 and table["settle_ms"].to_pylist().count(0.15) == 2
    assert (out / "table.csv").read_text().count("\n") == 7
    one = cli("sweep", "table", out, "--out", tmp_path / "mine.csv")
    assert one.returncode == 0 and (tmp_path / "mine.csv").read_bytes() == (out / "table.csv").read_bytes()
    assert "6 of 6 rows run again: all identical bit for bit" in cli("sweep", "verify", out).stdout
    status = cli("sweep", "status", out)
    assert "100.0%" in status.stdout
    (found,) = json.loads(cli("sweep", "status", out, "--json").stdout)
    assert (found["points"], found["done"], found["status"], found["left_cpu_s"]) == (6, 6, {"ok": 6}, 0.0)


def test_shards_and_their_union(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "study"
    for which in (2, 1):
        done = cli("sweep", *SMALL, "--out", out, "--shard", f"{which}/2", "--json")
        assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["done"] == 3
    assert leftovers(out) == ["study-1-of-2.ledger", "study-2-of-2.ledger"]
    merged = cli("sweep", "merge", out)
    assert merged.stdout == f"3 rows of 2 files merged into {out}/study.ledger\n"
    assert leftovers(out) == ["study.ledger"]


@pytest.mark.dear("many runs are simulated and drawn")
def test_slurm_runs_what_was_asked_for(tmp_path: Path) -> None:
    words = [PROGRAM, "sweep", *SMALL, "--set", "overhead_ms=0.1", "--workers", "1", "--out", "my 100% study"]
    done = subprocess.run([*words, "--slurm", "3"], cwd=tmp_path, capture_output=True, text=True, check=True)
    script = done.stdout
    assert script.startswith("#!/bin/bash\n#SBATCH --job-name=sledsim\n#SBATCH --array=1-3\n")
    assert "#SBATCH --cpus-per-task=1\n" in script and script.count("--workers") == 1
    # SLURM writes to this folder and does not make it; a per cent sign is one of SLURM's patterns.
    assert leftovers(tmp_path / "my 100% study") == []
    assert "#SBATCH --output='my 100%% study/slurm-%A_%a.out'" in script
    (tmp_path / "job").write_text(script.replace("exec sledsim", f"exec {shlex.quote(str(PROGRAM))}"))
    for task in "123":
        told = {"SLURM_ARRAY_TASK_ID": task, "SLURM_CPUS_PER_TASK": "1", "PATH": "/usr/bin:/bin"}
        subprocess.run(["bash", "job"], cwd=tmp_path, env=told, check=True, capture_output=True)
    assert leftovers(tmp_path / "my 100% study") == [f"study-{which}-of-3.ledger" for which in (1, 2, 3)]
    status = [PROGRAM, "sweep", "status", "my 100% study", "--json"]
    (found,) = json.loads(subprocess.run(status, cwd=tmp_path, capture_output=True, check=True).stdout)
    assert (found["points"], found["done"]) == (3, 3)


EXPERIMENT = """
workloads = ["random:rate=300", "mine.ascii"]
devices = ["osdi00", "fast.toml"]
volumes = ["mirror"]
schedulers = ["fcfs", "sptf"]
scales = [1, 2]
replications = 2
count = 300
precision = "50%"
judged = ["mean_response_s"]
past_end = "wrap"

[set]
"device.overhead_ms" = 0.1
"""


@pytest.mark.dear("many runs are simulated and drawn", every_change=True)
def test_a_file_says_what_options_say(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "mine.ascii").write_text("0.0 0 1000 8 1\n1.5 0 500 8 0\n")
    (tmp_path / "fast.toml").write_text('extends = "osdi00"\nsettle_ms = 0.1\n')
    (tmp_path / "study.toml").write_text(
        EXPERIMENT.replace('volumes = ["mirror"]\n', "").replace('"device.overhead_ms"', "overhead_ms")
    )
    done = cli("sweep", tmp_path / "study.toml", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert "16 of 16 points: 16 ok." in done.stdout
    words = (
        "random:rate=300",
        tmp_path / "mine.ascii",
        "--device",
        "osdi00",
        "--device",
        tmp_path / "fast.toml",
    )
    words = (*words, "--scheduler", "fcfs,sptf", "--scales", "1,2", "--replications", "2", "--count", "300")
    words = (*words, "--precision", "50%", "--judged", "mean_response_s", "--past-end", "wrap")
    same = cli("sweep", *words, "--set", "overhead_ms=0.1", "--out", tmp_path / "out")
    assert same.stdout == done.stdout
    assert len(list((tmp_path / "out").iterdir())) == 1
    assert len(json.loads(cli("sweep", "status", tmp_path / "out", "--json").stdout)) == 1, "one study"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("workloads = 3", "workloads = 3: expected a list of names"),
        ('devices = ["osdi00"]', "expected at least one workload, found none"),
        ("workload = []", "unknown key 'workload': did you mean 'workloads'? expected one of workloads, "),
        ('workloads = ["demo"]\nseed = "x"', "seed = 'x': expected a whole number"),
        ('workloads = ["demo"]\nreplications = true', "replications = True: expected a whole number"),
        ('workloads = ["demo"]\nover = 3', "over = 3: expected a table"),
        ('workloads = ["demo"]\n[over]\nsettle_ms = 3', "settle_ms: expected a list of values, found 3"),
        ('workloads = ["demo"]\n[over]\nsettle = [3]', "settle"),
        ('workloads = ["demo"]\nprecision = "x"', "precision = 'x': expected a relative half-width"),
        ('workloads = ["demo"]\nscales = "0"', "scales: expected positive numbers, found 0"),
        ("workloads = [", "expected TOML: "),
    ],
)
def test_a_wrong_file_is_refused(cli: Cli, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "study.toml"
    path.write_text(text)
    done = cli("sweep", path, "--out", tmp_path / "out")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: {path}: ") and message in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.dear("many runs are simulated and drawn", every_change=True)
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("demo",), "--out: expected a folder for the rows, found no --out"),
        (("demo", "--out", "o", "--over", "settle_ms"), "--over: expected KEY=VALUE, found 'settle_ms'"),
        (("demo", "--out", "o", "--over", "settle=1"), "settle"),
        (("demo", "--out", "o", "--shard", "3/2"), "shard = '3/2': expected a shard such as 3/64"),
        (("demo", "--out", "o", "--slurm", "0"), "slurm = 0: expected 1 to 100,000 tasks"),
        (
            ("demo", "--out", "o", "--slurm", "2", "--shard", "1/2"),
            "--shard: does not go with --slurm, whose tasks are the shards",
        ),
        (("demo", "--out", "o", "--on", "moon"), "on = 'moon': expected one of threads"),
        (("demo", "--out", "o", "--on", "local:x"), "local:x"),
        (("demo", "--out", "o", "--on", "dask://x"), "expected dask://HOST:PORT"),
        (("demo", "--out", "o", "--workers", "0"), "workers = 0"),
        (("demo", "--out", "o", "--scheduler", "no-such"), "no-such"),
        (
            ("demo", "x.toml", "--out", "o"),
            "x.toml states the whole study: remove the other workloads (demo)",
        ),
        (
            ("x.toml", "--out", "o", "--scales", "2"),
            "x.toml states the whole study: remove --scales, or set it in the file",
        ),
        (("nothing-of-that-name", "--out", "o"), "nothing-of-that-name"),
        (("status", "nowhere"), "nowhere: expected the ledger of a sweep, found none"),
        (("verify", "nowhere"), "nowhere: expected the ledger of a sweep with at least one row"),
        (("table", "nowhere"), "nowhere: expected the ledger of a sweep, found none"),
        (("merge", "nowhere"), "nowhere: expected the folder of a sweep, found no folder"),
    ],
)
def test_wrong_words_are_refused_in_a_line(cli: Cli, words: tuple[str, ...], message: str) -> None:
    done = cli("sweep", *words)
    assert done.returncode in (1, 2) and done.stdout == ""
    assert done.stderr.startswith("error: ") and message in done.stderr, done.stderr
    assert done.stderr.count("\n") == 1


def test_no_scheduler_of_dask_is_an_error_and_no_hang(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed", reason="needs sledsim[cluster]")
    monkeypatch.setattr("sledsim.exploration.executors.cluster._CONNECT_S", 0.5)
    done = cli("sweep", *SMALL, "--out", tmp_path / "o", "--on", "dask://127.0.0.1:9")
    assert done.returncode == 1
    assert done.stderr.startswith("error: tcp://127.0.0.1:9: no Dask scheduler answered within 0.5 s")


def test_the_command_fails_if_all_points_fail(cli: Cli, tmp_path: Path) -> None:
    trace = tmp_path / "far.ascii"
    trace.write_text("0.0 0 900000000 8 1\n1.0 0 900000000 8 1\n")
    done = cli("sweep", trace, "--out", tmp_path / "o")
    assert done.returncode == 1
    assert "error: all 1 points failed: " in done.stderr and "1 of 1 points: 1 failed." in done.stdout


def test_options_without_meaning_for_a_trace_are_reported(cli: Cli, tmp_path: Path) -> None:
    done = cli("sweep", "ext2-4k", "--replications", "3", "--out", tmp_path / "o")
    assert done.returncode == 0
    assert done.stderr.startswith("ext2-4k: --replications, --count and --precision are ignored: ")


@pytest.mark.dear("many runs are simulated and drawn")
def test_an_interrupted_sweep_says_how_to_go_on(tmp_path: Path) -> None:
    words = [PROGRAM, "sweep", "random:rate=900", "--over", "settle_ms=0.1:0.4:0.0001", "--out", "o"]
    path = tmp_path / "o" / "study.ledger"
    status, errors, _ = interrupt(
        words, tmp_path, lambda _: path.exists() and path.read_bytes().count(b"\n") > 5
    )
    assert status == INTERRUPTED
    assert "stopped: finished results are kept in o; the same command resumes" in errors
    again = subprocess.run(
        [PROGRAM, "sweep", "status", "o", "--json"], cwd=tmp_path, capture_output=True, check=True
    )
    assert json.loads(again.stdout)[0]["done"] >= 4


@pytest.mark.dear("many runs are simulated and drawn")
def test_sweeps_and_curves_share_a_folder(cli: Cli, tmp_path: Path) -> None:
    cli("compare", "random:", "--schedulers", "fcfs", "--rates", "300", "--count", "300", "--out", tmp_path)
    assert cli("sweep", "table", tmp_path).returncode == 2
    assert cli("sweep", *POINT, "--out", tmp_path).returncode == 0
    assert "1 rows" in cli("sweep", "table", tmp_path).stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--over", "settle_ms=0.1,nan"), "settle_ms: expected finite numbers, found nan"),
        (("--replications", "99999999999"), "replications = 99999999999: must be a whole number from 1 to"),
        (("--format", "spc"), "format: expected a trace file among the workloads, found none"),
        (("--judged", "mean"), "--judged: needs --precision, which the judged figures must reach"),
    ],
)
def test_what_means_nothing_is_refused(
    cli: Cli, words: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    given = POINT if words[0] != "--replications" else POINT[:3]
    done = cli("sweep", *given, *words, "--out", tmp_path / "o")
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr, done.stderr


def test_a_file_may_be_called_as_a_subcommand(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "merge").write_text("0.0 0 1000 8 1\n1.5 0 500 8 0\n")
    done = cli("sweep", tmp_path / "merge", "--out", tmp_path / "o")
    assert done.returncode == 0, done.stderr


@pytest.mark.dear("many runs are simulated and drawn")
def test_the_status_says_what_each_study_is_and_the_batches_of_a_search_are_one(
    tmp_path: Path, cli: Cli
) -> None:
    cli("sweep", *POINT, "--over", "settle_ms=0.1,0.2", "--schedulers", "fcfs,sptf", "--out", tmp_path)
    over = ("--over", "settle_ms=0.1..0.3", "--count", "300", "--budget", "80", "--minimise", "mean")
    cli("optimise", "random:rate=900", *over, "--out", tmp_path)
    swept, *searched = json.loads(cli("sweep", "status", tmp_path, "--json").stdout)
    assert swept["about"] == "osdi00; random:rate=900; settle_ms (2 values); fcfs, sptf"
    assert (swept["points"], swept["batches"]) == (4, 1)
    search, given = searched
    assert search["about"] == "osdi00; random:rate=900; settle_ms; sptf"
    assert search["batches"] > 1 and search["points"] > 80
    assert (given["about"], given["points"]) == ("osdi00; random:rate=900; sptf", 1)
    ledger = tmp_path / "study.ledger"
    lines = ledger.read_bytes().splitlines(keepends=True)
    ledger.write_bytes(b"".join([*lines[:3], lines[3].replace(b"figures", b"figurez"), *lines[4:]]))
    assert "line 4: expected lines that match their checksums" in cli("sweep", "status", tmp_path).stderr


@pytest.mark.dear("many runs are simulated and drawn")
def test_a_folder_of_a_search_is_no_sweep_to_be_drawn(cli: Cli, tmp_path: Path) -> None:
    over = ("--over", "settle_ms=0.1,0.2", "--minimise", "mean", "--count", "300")
    cli("optimise", "random:rate=900", *over, "--out", tmp_path)
    drawn = cli("sweep", "plot", tmp_path)
    assert drawn.returncode == 2
    assert "expected the points of a sweep, found those of optimise, holds or sensitivity" in drawn.stderr
