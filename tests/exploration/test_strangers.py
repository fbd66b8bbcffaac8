"""What a stranger met: each of these was wrong once."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import pytest

import sledsim
from sledsim.exploration import tables
from sledsim.exploration.reasons import grouped
from sledsim.exploration.subjects import Subject
from sledsim.ledger import Contents

from ..conftest import Cli

PROGRAM = Path(sys.executable).with_name("sledsim")
SMALL = ("random:rate=900", "--count", "300", "--replications", "2")


def rows_of(folder: Path) -> list[dict[str, Any]]:
    tables.write(Contents.of([folder]), folder / "table.parquet")
    rows: list[dict[str, Any]] = pyarrow.parquet.read_table(folder / "table.parquet").to_pylist()
    return rows


@pytest.mark.parametrize("over", [{}, {"device.settle_ms": [0.22]}])
def test_a_volume_is_run_under_the_policy_that_is_asked_for(tmp_path: Path, over: dict[str, Any]) -> None:
    mirror = Subject.of_volume("mirror", {})
    policies = ["fcfs", "sptf", "clook_lbn"]
    found = sledsim.sweep(
        "random:rate=1500", mirror, policies, folder=tmp_path, over=over, count=500, replications=2
    )
    for row in found.rows():
        volume = sledsim.volume("mirror")
        means = []
        for seed in (1, 2):
            trace = sledsim.workload(f"random:rate=1500,count=500,seed={seed}", volume)
            run = sledsim.simulate(volume, trace, row["point"]["scheduler"])
            means.append(float(run.response_ns[100:].mean()) * 1e-9)
        assert row["figures"]["mean_response_s"] == pytest.approx(np.mean(means), rel=1e-12)


def test_a_volume_of_python_is_run_under_the_policy_that_is_asked_for(tmp_path: Path) -> None:
    volume = sledsim.volume("mirror")
    found = sledsim.sweep("ext2-4k", volume, ["fcfs", "sptf"], folder=tmp_path, scales=16)
    for row in found.rows():
        run = sledsim.simulate(volume, sledsim.bundled_trace("ext2-4k"), row["point"]["scheduler"], 16)
        assert row["figures"]["mean_response_s"] == pytest.approx(run.summary()["mean_response_s"], rel=1e-12)


def test_set_and_varied_are_one_point(tmp_path: Path) -> None:
    """In either order, and the table has the value for both."""
    for order in ((0, 1), (1, 0)):
        folder = tmp_path / str(order[0])
        for which in order:
            given: dict[str, Any] = [
                {"devices": sledsim.device("osdi00", settle_ms=0.2)},
                {"over": {"settle_ms": [0.1, 0.2]}},
            ][which]
            sledsim.sweep("random:rate=900", folder=folder, count=200, replications=1, **given)
        rows = rows_of(folder)
        assert sorted(row["settle_ms"] for row in rows) == [0.1, 0.2]
        assert sorted(row["study"].count(", ") for row in rows) == [0, 1], "one is of both studies"
    first, second = ((tmp_path / which / "table.parquet").read_bytes() for which in ("0", "1"))
    assert first == second
    about = pyarrow.parquet.read_schema(tmp_path / "0" / "table.parquet").metadata[b"sledsim"]
    studies = json.loads(about)["studies"]
    assert len(studies) == 2 and all(one["count"] == 200 for one in studies.values())


def test_points_that_are_the_same_have_one_row_whoever_runs_first(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"count": 200, "replications": 1}
    for name, order in (("a", (1, 2)), ("b", (2, 1))):
        for which in order:
            folder, shard = tmp_path / name, f"{which}/2"
            sledsim.sweep("random:rate=900", schedulers=["fcfs", "FCFS"], folder=folder, shard=shard, **asked)
    (one,), (other,) = rows_of(tmp_path / "a"), rows_of(tmp_path / "b")
    assert one == other and one["scheduler"] == "fcfs"


def test_a_name_of_ones_own_is_a_real_number(tmp_path: Path) -> None:
    path = tmp_path / "ranges.toml"
    path.write_text('[ranges]\na = "0..1"\nb = "0..1"\n[derived]\ntip_power_mw = "1 + 100 * a * b"\n')
    found = sledsim.sensitivity("random:rate=300", over=path, figures="power", devices=256, count=300)
    for one in found.indices["mean_power_w"].factors:
        assert one.first.low < 3 / 7 < one.first.high and one.total.low < 4 / 7 < one.total.high
        assert one.first.width > 0


def test_there_are_no_indices_where_nothing_has_figures() -> None:
    found = sledsim.sensitivity(
        "random:rate=2500", over={"settle_ms": "0.1..0.4"}, count=200, devices=100, scheduler="fcfs"
    )
    assert found.in_words()[0] == "No device has this figure: there are no indices."


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("mean < 1", "nosuch.trace", "--over", "settle_ms=0.1..0.4"), 4),
        (("mean < 1", "random:rate=300", "--over", "nosuch.toml"), 4),
        (("mean < 1", "random:rate=300", "--over", "active_tips=3,5"), 4),
        (("mean <", "random:rate=300", "--over", "settle_ms=0.1..0.4"), 2),
    ],
)
def test_no_answer_is_told_from_no(cli: Cli, words: tuple[str, ...], status: int) -> None:
    done = cli("holds", *words, "--devices", "8", "--count", "200")
    assert (done.returncode, done.stdout) == (status, ""), done.stderr


def test_files_are_written_before_somebody_stops_reading(tmp_path: Path) -> None:
    command = (
        f"{PROGRAM} holds 'mean < 1' random:rate=300 --over settle_ms=0.1..0.4 --devices 8 --count 200"
        " --no-indices --out pp | true"
    )
    subprocess.run(command, shell=True, cwd=tmp_path, check=False, capture_output=True)
    assert (tmp_path / "pp" / "holds.parquet").exists() and (tmp_path / "pp" / "holds.png").exists()


def test_a_caret_stands_under_what_is_wrong(cli: Cli) -> None:
    done = cli("holds", "mean(sptf) == mean(fcfs)", "random:rate=300", "--over", "settle_ms=0.1..0.4")
    first, shown, caret = done.stderr.splitlines()
    assert first.startswith("error: condition: expected ") and "\\n" not in first
    assert shown[caret.index("^")] == "="


def test_what_is_set_and_varies_is_said_once(cli: Cli) -> None:
    words = ("random:rate=900", "--over", "settle_ms=0.1..0.4", "--set", "settle_ms=0.9", "--count", "300")
    done = cli("holds", "mean < 0.0012", *words, "--devices", "8", "--no-indices")
    commands = [line for line in done.stdout.splitlines() if line.startswith("  sledsim sweep")]
    assert commands and all(line.count("settle_ms=") == 1 for line in commands)
    swept = cli(
        "sweep", "random:rate=900", "--over", "settle_ms=0.1,0.2", "--set", "settle_ms=0.9", "--out", "o"
    )
    assert (swept.returncode, "expected it to be set or varied, found both" in swept.stderr) == (2, True)


def test_members_of_volumes_are_named_with_their_role(cli: Cli) -> None:
    words = ("random:rate=900", "--volume", "mirror", "--over", "device.settle_ms=0.1..0.4", "--count", "300")
    done = cli("holds", "mean < 0.0012", *words, "--devices", "8", "--no-indices", "--json")
    found = json.loads(done.stdout)
    assert found["of_devices"] == 8 and "device.settle_ms" in found["nearest_for"]["changes"]["mirror"]


def test_sweeps_and_curves_share_a_folder(cli: Cli, tmp_path: Path) -> None:
    cli("compare", "random:", "--schedulers", "fcfs", "--rates", "300", "--count", "300", "--out", tmp_path)
    assert cli("sweep", "table", tmp_path).returncode == 2
    assert cli("sweep", *SMALL, "--out", tmp_path).returncode == 0
    assert "1 rows" in cli("sweep", "table", tmp_path).stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--over", "settle_ms=0.1,nan"), "settle_ms: expected finite numbers, found nan"),
        (("--replications", "99999999999"), "replications = 99999999999: must be a whole number from 1 to"),
        (("--format", "spc"), "format: it is how a file is read, and no workload is one"),
        (("--figures", "mean"), "--figures: of these a --precision is asked; found none"),
    ],
)
def test_what_means_nothing_is_refused(
    cli: Cli, words: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    given = SMALL if words[0] != "--replications" else SMALL[:3]
    done = cli("sweep", *given, *words, "--out", tmp_path / "o")
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr, done.stderr


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"replications": 2.0}, "replications = 2.0: must be a whole number"),
        ({"precision": "1%"}, "precision = '1%': expected a number, such as 0.01"),
        ({"shard": (1, 2)}, "expected texts, as '3/64'"),
        ({"on": 3}, "expected texts, as '3/64'"),
        ({"schedulers": ["fcfs", 3]}, "schedulers: expected names, found 3"),
        ({"folder": None}, "folder = None: expected the name of a folder"),
    ],
)
def test_wrong_arguments_are_named(given: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(sledsim.ParameterError) as raised:
        sledsim.sweep("random:rate=900", **{"folder": tmp_path, "count": 300, **given})
    assert message in str(raised.value)


def test_reasons_that_differ_in_numbers_are_one() -> None:
    texts = ["tips = 7 is less than 10", "tips = 8 is less than 10", "broken", "tips = 9.5 is less than 10"]
    assert grouped(texts) == {"tips = 7 is less than 10 (and others with other numbers)": 3, "broken": 1}


def test_a_file_may_be_called_as_a_subcommand(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "merge").write_text("0.0 0 1000 8 1\n1.5 0 500 8 0\n")
    done = cli("sweep", tmp_path / "merge", "--out", tmp_path / "o")
    assert done.returncode == 0, done.stderr


def test_what_is_equal_in_all_batches_has_no_interval(tmp_path: Path) -> None:
    card = sledsim.device("cf-card", wake_ms=0, inactive_after_ms=1e9)
    trace = sledsim.Trace(arrival_ns=np.arange(200) * 10**9, lbn=np.zeros(200, int), blocks=[8] * 200)
    (row,) = sledsim.sweep(trace, card, "fcfs", folder=tmp_path).rows()
    assert row["half_widths"]["mean_response_s"] == 0.0


@pytest.mark.parametrize(
    "ask",
    [
        lambda over, **how: sledsim.sweep("random:rate=900", folder=how["folder"], over=over, count=300),
        lambda over, **how: sledsim.sensitivity("random:rate=900", over=over, count=300, devices=64),
        lambda over, **how: sledsim.holds(
            "mean(sptf) < mean(fcfs)", "random:rate=900", over=over, count=300, devices=9
        ),
        lambda over, **how: sledsim.optimise("random:rate=900", over=over, count=300, minimise="mean"),
    ],
)
def test_a_slip_of_the_pen_is_found_before_the_run(ask: Any, tmp_path: Path) -> None:
    """A name that is known and cannot be there, as a layout without its options, is a point with a reason."""
    with pytest.raises(sledsim.ParameterError, match='unknown power policy "immdiate": did you mean'):
        ask({"power_policy": ["always-on", "immdiate"]}, folder=tmp_path / "out")
    assert not (tmp_path / "out").exists()
    found = sledsim.sweep(
        "random:rate=900", folder=tmp_path, over={"layout": ["simple", "zone-grouped"]}, count=300
    )
    assert [row["status"] for row in found.rows()] == ["ok", "failed"]


def test_volumes_vary_in_their_options_and_their_members(cli: Cli) -> None:
    over = ("--over", "stripe_unit_kib=8,64", "--over", "device.settle_ms=0.1..0.3", "--devices", "64")
    told = cli("sensitivity", "random:rate=900", "--volume", "stripe", *over, "--count", "300", "--json")
    factors = {row["factor"] for row in json.loads(told.stdout)["indices"]}
    assert factors == {"stripe_unit_kib", "device.settle_ms", "dummy", "sum of first"}
    condition = "mean(stripe) < mean(osdi00)"
    both = ("--volume", "stripe", "--device", "osdi00", *over[:-2], "--devices", "9", "--count", "300")
    assert "holds in 100.0 %" in cli("holds", condition, "random:rate=900", *both).stdout


def test_the_status_says_what_each_study_is_and_the_batches_of_a_search_are_one(
    tmp_path: Path, cli: Cli
) -> None:
    cli("sweep", *SMALL, "--over", "settle_ms=0.1,0.2", "--schedulers", "fcfs,sptf", "--out", tmp_path)
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
    assert "line 4: expected what agrees with its checksum" in cli("sweep", "status", tmp_path).stderr
