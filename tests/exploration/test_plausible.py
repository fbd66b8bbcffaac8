"""Plausible devices: the share in which a condition holds, and the parameters that decide a figure."""

import itertools
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import pytest

import sledsim
from sledsim.common import units
from sledsim.exploration.sample import SHORT, factors_from, figure_name
from sledsim.exploration.sobol_sensitivity import ROWS, design_samples
from sledsim.exploration.subjects import Subject
from sledsim.ledger import Contents
from sledsim.uncertainty.draws import DRAWS, draw_seeds
from sledsim.uncertainty.indices import sensitivity_design, sobol_indices
from sledsim.uncertainty.space_filling import sobol

OVER = {"settle_ms": "0.1..0.4", "acceleration_m_per_s2": "600..1000"}
ASKED: dict[str, Any] = {"count": 500, "samples": 32}


@pytest.mark.dear("many points of a study are simulated")
def test_a_condition_holds_where_runs_of_the_device_say() -> None:
    """A comparison by hand: the points of the cube, and two runs of each device under the same requests."""
    asked = {**ASKED, "replications": 2}
    found = sledsim.holds("p95(sptf) < 95% * p95(clook_lbn)", "random:rate=900", over=OVER, **asked)
    points, seeds = sobol(32, 2, 1), draw_seeds(32, 2, 1)[1:]
    answers = []
    for (x, y), own in zip(points.tolist(), seeds.tolist(), strict=True):
        settings = {"settle_ms": 0.1 + x * 0.3, "acceleration_m_per_s2": 600 + y * 400}
        device = sledsim.device("osdi00", **settings)
        for seed in own:
            trace = sledsim.workload("random:rate=900,count=500", device, seed=seed)
            p95 = {}
            for policy in ("sptf", "clook_lbn"):
                run = sledsim.simulate(device, trace, policy)
                p95[policy] = float(np.quantile(run.response_ns[100:], 0.95))
            answers.append(p95["sptf"] < 0.95 * p95["clook_lbn"])
    both = np.reshape(answers, (32, 2)).sum(axis=1)
    assert 0 < (both == 1).sum() < 32, "a case that tells something"
    assert (found.share.always, found.share.changing) == ((both == 2).sum(), (both == 1).sum())
    assert found.share.value == pytest.approx(sum(answers) / 64)
    table = found.table()
    assert table["holds"].to_pylist() == answers and table["seed"].to_pylist() == seeds.ravel().tolist()
    assert table["sample"].to_pylist() == np.repeat(np.arange(32), 2).tolist()
    settled = np.repeat(0.1 + 0.3 * points[:, 0], 2).tolist()
    assert table["settle_ms"].to_pylist() == pytest.approx(settled)
    assert found.split is not None and found.indices is not None
    assert f"holds in {100 * sum(answers) / 64:.1f} % of plausible devices" in found.sentence()


@pytest.mark.dear("many points of a study are simulated")
def test_examples_are_the_nearest_and_can_be_run_again(tmp_path: Path) -> None:
    found = sledsim.holds("p95(sptf) < 3.6e-3", "random:rate=1000", over=OVER, **ASKED)
    margins = np.array(found.table()["margin"].to_pylist())
    assert found.for_it is not None and found.against is not None
    for_it = np.reshape(margins > 0, (32, DRAWS)).sum(axis=1)
    one_answer = np.repeat((for_it == 0) | (for_it == DRAWS), DRAWS)
    assert found.for_it.margin == min(margins[one_answer & (margins > 0)])
    assert found.against.margin == max(margins[one_answer & (margins <= 0)])
    for example in (found.for_it, found.against):
        device = sledsim.device("osdi00", **example.changes["osdi00"])
        again = sledsim.sweep(
            "random:rate=1000",
            device,
            "sptf",
            count=500,
            replications=1,
            seed=example.seed or 0,
            folder=tmp_path / str(example.holds),
        )
        p95 = [row["figures"]["p95_response_s"] for row in again.rows()]
        assert p95 == list(example.figures.values())
        assert (p95[0] < 3.6e-3) is example.holds


@pytest.mark.dear("many points of a study are simulated")
def test_a_condition_may_hold_in_all_devices_or_in_none(tmp_path: Path) -> None:
    every = sledsim.holds("mean(sptf) < mean(fcfs)", "random:rate=900", over=OVER, **ASKED)
    assert (every.share.always, every.verdict, every.split, every.indices) == (32, "yes", None, None)
    assert every.against is None and every.for_it is not None and every.nominal == 1
    none = sledsim.holds("not mean(sptf) < mean(fcfs)", "random:rate=900", over=OVER, **ASKED)
    assert (none.share.never, none.verdict, none.nominal) == (32, "no", 0)
    # The question names no policy, so each device is run under one.
    size = sledsim.holds(
        "capacity > 3e9", "random:rate=300", over={"sleds": [1, 2]}, folder=tmp_path, **ASKED
    )
    assert size.share.always == 32
    assert len(sledsim.read_sweep(tmp_path).study.schedulers) == 1


@pytest.mark.dear("many points of a study are simulated", every_change=True)
def test_devices_and_volumes_are_compared_under_the_same_requests() -> None:
    mirror = Subject.of_volume("mirror", {})
    found = sledsim.holds(
        "mean(mirror, fcfs) < mean(osdi00, fcfs) and mean(osdi00, fcfs) < mean(atlas10k, fcfs)",
        "ext2-4k",
        [Subject.of("osdi00"), mirror, Subject.of("atlas10k")],
        over=OVER,
        samples=8,
        indices=False,
    )
    assert (found.share.devices, found.draws, found.table()["seed"].null_count) == (8, None, 8)
    assert found.pairs == [("mirror", "fcfs"), ("osdi00", "fcfs"), ("atlas10k", "fcfs")]
    assert found.for_it is not None or found.against is not None
    example = found.for_it or found.against
    assert example is not None
    assert set(example.changes["mirror"]) == {"device.settle_ms", "device.acceleration_m_per_s2"}
    assert example.changes["atlas10k"] == {}


@pytest.mark.dear("many points of a study are simulated", every_change=True)
def test_saturated_queues_are_longer_than_any_other_and_not_than_each_other() -> None:
    over = {"settle_ms": "0.05..2.0"}
    found = sledsim.holds(
        "mean(sptf) < mean(fcfs)", "random:rate=1100", over=over, count=2000, samples=32, indices=False
    )
    rows = found.table().to_pylist()
    both = [row for row in rows if np.isinf(row["mean(sptf)"]) and np.isinf(row["mean(fcfs)"])]
    fcfs = [row for row in rows if np.isfinite(row["mean(sptf)"]) and np.isinf(row["mean(fcfs)"])]
    assert both and fcfs, "some of each"
    assert all(row["holds"] is None for row in both) and all(row["holds"] for row in fcfs)
    assert DRAWS * found.undefined + found.left_out >= len(both)
    assert found.share.devices + found.share.unknown == 32 - found.undefined
    assert any("are excluded" in sentence for sentence in found.in_words())


def test_impossible_devices_are_counted_and_explained() -> None:
    over = {"active_tips": [640, 1280, 1281, 20_000], "settle_ms": "0.1..0.4"}
    found = sledsim.holds("mean < 1", "random:rate=300", over=over, indices=False, **ASKED)
    assert 0 < found.undefined < 32 and sum(found.missing.values()) == found.undefined
    assert any("active_tips" in reason for reason in found.missing)
    assert any("active_tips" in sentence for sentence in found.in_words())
    with pytest.raises(sledsim.TraceError, match="the answer is unknown for all 32 devices"):
        sledsim.holds("mean < 1", "random:rate=300", over={"active_tips": [3, 5]}, **ASKED)


@pytest.mark.parametrize(
    ("condition", "over", "message"),
    [
        ("p99(sptf) <", OVER, "condition: expected a number, a figure or '('"),
        ("p99(sptf)", OVER, "condition: expected a condition, such as a comparison by <"),
        ("p98(sptf) < 1", OVER, "figure 'p98' is unknown: expected one of mean, "),
        ("p99(missing) < 1", OVER, "p99(missing): expected a policy, or one of osdi00, found 'missing'"),
        ("1 < 2", OVER, "1 < 2: expected at least one figure, such as p99(sptf)"),
        ("mean < 1", {"settle": "0.1..0.4"}, "settle: expected a parameter of osdi00"),
        ("mean < 1", {"settle_ms": "0.4..0.1"}, "settle_ms: expected a range from a smaller"),
        ("mean < 1", {"settle_ms": 3}, "settle_ms: expected a range such as 0.1..0.4"),
        ("mean < 1", {}, "expected at least one range or choice, found none"),
        ("mean < 1", "nowhere.toml", "nowhere.toml"),
    ],
)
def test_wrong_questions_are_refused(condition: str, over: Any, message: str) -> None:
    with pytest.raises((sledsim.ParameterError, OSError)) as raised:
        sledsim.holds(condition, "random:rate=900", over=over, **ASKED)
    assert message in str(raised.value)


def test_the_ranges_of_a_device_file_are_what_varies(tmp_path: Path) -> None:
    device = sledsim.device("osdi00")
    factors = factors_from(None, [Subject.of(device)])
    ranged = {key for key, said in device.certainty.items() if said["low"] is not None}
    assert set(factors.names) == ranged and "settle_ms" in ranged
    with pytest.raises(sledsim.ParameterError, match="found none, and none in the file of mirror"):
        factors_from(None, [Subject.of_volume("mirror", {})])
    path = tmp_path / "mine.toml"
    path.write_text(
        'extends = "osdi00"\nsettle_ms = 0.2\n'
        '[certainty]\nsettle_ms = { kind = "measured", low = 0.19, high = 0.21, reason = "ten devices" }\n'
    )
    (mine,) = [one for one in factors_from(None, [Subject.of(str(path))]).varied if one.name == "settle_ms"]
    assert (mine.low, mine.high) == (0.19, 0.21)  # type: ignore[union-attr]


def test_relations_are_derived_parameters(tmp_path: Path) -> None:
    path = tmp_path / "ranges.toml"
    path.write_text(
        '[ranges]\nacceleration_m_per_s2 = "600..1000"\nspread = "0.5..2:log"\n'
        '[derived]\nseek_power_mw = "50 * acceleration_m_per_s2 / 803.6 * spread"\n'
    )
    found = sledsim.holds("energy < 1", "random:rate=300", over=path, folder=tmp_path / "out", **ASKED)
    assert found.share.always == 32
    rows = [row for row in Contents.of([tmp_path / "out"]).rows() if "seek_power_mw" in row["point"]]
    assert len(rows) >= 32
    for point in (row["point"] for row in rows):
        ratio = point["seek_power_mw"] / (50 * point["acceleration_m_per_s2"] / 803.6)
        assert 0.5 <= ratio <= 2 and "spread" not in point


@pytest.mark.dear("many points of a study are simulated", every_change=True)
def test_indices_are_those_of_the_runs_of_the_design() -> None:
    """A comparison with estimators over figures of runs made here, device by device."""
    asked = design_samples(2, 100)
    found = sledsim.sensitivity("random:rate=900", over=OVER, count=500, samples=100, figures=["mean", "p95"])
    assert found.samples == asked == 64
    design = sensitivity_design(2, 2, 1)
    means = []
    for x, y in design.reshape(-1, 2).tolist():
        device = sledsim.device("osdi00", settle_ms=0.1 + x * 0.3, acceleration_m_per_s2=600 + y * 400)
        trace = sledsim.workload("random:rate=900,count=500", device, seed=1)
        run = sledsim.simulate(device, trace, "sptf")
        means.append(float(run.response_ns[100:].mean()) * 1e-9)
    expected = sobol_indices(np.array(means).reshape(design.shape[:-1]), list(OVER))
    for ours, theirs in zip(found.indices["mean_response_s"].factors, expected.factors, strict=True):
        assert ours.total.value == pytest.approx(theirs.total.value, rel=1e-6)
        assert ours.first.value == pytest.approx(theirs.first.value, rel=1e-6, abs=1e-9)
    rows = found.rows()
    assert [row["factor"] for row in rows] == [*OVER, "dummy", "sum of first"] * 2
    assert found.table().num_rows == 8


@pytest.mark.dear("many points of a study are simulated")
def test_a_policy_is_a_factor_and_a_power_does_nothing_to_time() -> None:
    over = {"settle_ms": "0.1..0.4", "scheduler": ["fcfs", "sptf"], "tip_power_mw": "0.5..2"}
    found = sledsim.sensitivity("random:rate=1000", over=over, count=500, samples=1300)
    indices = found.indices["mean_response_s"]
    totals = {one.name: one.total.value for one in indices.factors}
    assert totals["scheduler"] > 0.1 and totals["settle_ms"] > 0.1 and totals["tip_power_mw"] == 0
    assert indices.inert == ["tip_power_mw"]
    assert any("Without any effect: tip_power_mw." in sentence for sentence in found.in_words())


@pytest.mark.dear("many points of a study are simulated")
def test_more_devices_are_added_to_those_that_are_there(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"over": OVER, "count": 300, "folder": tmp_path}
    sledsim.sensitivity("random:rate=600", samples=64, **asked)
    before = len(sledsim.read_sweep(tmp_path).contents.places)
    sledsim.sensitivity("random:rate=600", samples=128, **asked)
    after = len(sledsim.read_sweep(tmp_path).contents.places)
    assert (before, after) == (64, 128)


def test_too_few_devices_are_refused() -> None:
    with pytest.raises(sledsim.ParameterError, match=r"samples = 63: expected at least 64 devices for 2"):
        sledsim.sensitivity("random:rate=600", over=OVER, count=300, samples=63)
    assert design_samples(2, None) == ROWS * 8 * 4


def test_short_names_are_figures() -> None:
    for short, whole in SHORT.items():
        assert figure_name(short) == figure_name(whole) == whole


PROGRAM = Path(sys.executable).with_name("sledsim")
RANGES = ("--over", "settle_ms=0.1..0.4", "--over", "acceleration_m_per_s2=600..1000")


@pytest.mark.dear("many points of a study are simulated", every_change="p95(-2")
@pytest.mark.parametrize(
    ("condition", "status"),
    [("mean(sptf) < mean(fcfs)", 0), ("mean(sptf) > mean(fcfs)", 1), ("p95(sptf) < 0.004", 3), ("p95(", 2)],
)
def test_the_exit_status_is_the_verdict(condition: str, status: int, tmp_path: Path) -> None:
    words = [PROGRAM, "holds", condition, "random:rate=1000", *RANGES, "--samples", "32", "--count", "500"]
    done = subprocess.run([*words, "--no-indices"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == status, (done.stdout, done.stderr)
    assert bool(done.stdout) is (status != 2)


@pytest.mark.dear("many points of a study are simulated")
def test_the_commands_for_the_nearest_devices_run(tmp_path: Path) -> None:
    words = [PROGRAM, "holds", "p95(sptf) < 95% * p95(clook_lbn)", "random:rate=900", *RANGES]
    words += ["--samples", "32", "--count", "500", "--set", "overhead_ms=0.1", "--out", "out"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1, 3), done.stderr
    commands = [
        line.strip() for line in done.stdout.splitlines() if line.startswith("  sledsim study sweep ")
    ]
    assert len(commands) == 2
    told = [line for line in done.stdout.splitlines() if line.startswith("The nearest device")]
    for line, command in zip(told, commands, strict=True):
        words = [str(PROGRAM), *shlex.split(command)[1:]]
        subprocess.run(words, cwd=tmp_path, check=True, capture_output=True)
        folder = words[-1]
        subprocess.run([PROGRAM, "sweep", "table", folder], cwd=tmp_path, check=True, capture_output=True)
        table = pyarrow.parquet.read_table(tmp_path / folder / "table.parquet")
        found = dict(zip(table["scheduler"].to_pylist(), table["p95_response_s"].to_pylist(), strict=True))
        for policy, value in found.items():
            assert f"p95({policy}) = {units.quantity('p95_response_s', value)}" in line
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    endings = ("csv", "html", "parquet", "png", "svg")
    assert names == sorted([*(f"holds.{ending}" for ending in endings), "study.ledger"])


@pytest.mark.dear("many points of a study are simulated")
def test_the_command_of_sensitivity(tmp_path: Path) -> None:
    words = [PROGRAM, "sensitivity", "random:rate=900", *RANGES, "--over", "tip_power_mw=0.5..2"]
    words += ["--figure", "p95,energy", "--count", "300", "--samples", "160", "--out", "out"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    tables = done.stdout.split("Causes of variation of ")
    assert len(tables) == 3 and tables[1].startswith("p95_response_s: random:rate=900 on 160 devices")
    assert "p95_response_s: Without any effect: tip_power_mw." in done.stdout
    assert (tmp_path / "out" / "sensitivity.png").stat().st_size > 1000
    again = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert again.stdout == done.stdout


def test_scalar_and_listed_choices_mean_the_same() -> None:
    texts = ({"scheduler": "fcfs,sptf"}, {"scheduler": ["fcfs", "sptf"]})
    factors = [factors_from(over, [Subject.of("osdi00")]) for over in texts]
    assert factors[0] == factors_from({"ranges": texts[0]}, []) and factors[0].names == ["scheduler"]
    for one, other in itertools.pairwise(factors):
        assert [list(a.options) for a in one.varied] == [list(a.options) for a in other.varied]  # type: ignore[union-attr]


@pytest.mark.dear("many points of a study are simulated", every_change=True)
def test_devices_whose_queue_may_still_grow_are_not_left_out_of_the_share() -> None:
    """Undecided devices are the slow ones: without them the condition would hold in most."""
    found = sledsim.holds(
        "mean(sptf) < 0.005",
        "random:rate=1700",
        over={"settle_ms": "0.1..0.4"},
        samples=32,
        count=4000,
        indices=False,
    )
    rows = found.table().to_pylist()
    answers = [{row["holds"] for row in rows if row["sample"] == device} for device in range(32)]
    unknown = [None in one and not {True, False} <= one for one in answers]
    assert found.share.unknown == sum(unknown) > 10 and found.undefined == 0
    known = [at for at in range(32) if not unknown[at]]
    told = [
        [row["holds"] for row in rows if row["sample"] == at and row["holds"] is not None] for at in known
    ]
    assert found.share.devices == len(known)
    assert found.share.value == pytest.approx(np.mean([np.mean(one) for one in told]))
    assert found.share.value > 0.5 > found.share.least
    assert found.verdict == "undecided"
    words = " ".join(found.in_words())
    assert "the unknown answers decide; more requests (--count) may settle them" in words
    assert f"{found.share.unknown}: not at rest" in words
    assert f"unknown in {found.share.unknown}" in found.sentence()


@pytest.mark.dear("many points of a study are simulated")
def test_each_device_has_the_ranges_of_its_own_file() -> None:
    """The order of the devices makes no difference, and parameters that a device states as certain stay."""
    asked = "mean(osdi00) > 1.4e-3 and mean(sigmetrics00) > 0"
    how = {"samples": 16, "count": 300, "indices": False}
    for devices in (["osdi00", "sigmetrics00"], ["sigmetrics00", "osdi00"]):
        found = sledsim.holds(asked, "random:rate=200", devices, **how)
        rows = found.table().to_pylist()
        accelerations = [row["osdi00.acceleration_m_per_s2"] for row in rows]
        assert min(accelerations) >= 688.8 and max(accelerations) <= 1033.2
        assert 50 <= min(row["sigmetrics00.acceleration_m_per_s2"] for row in rows) < 100
        assert all("bus_mb_per_s" not in name or name.startswith("osdi00") for name in rows[0])
        for row in rows[:3]:
            changes = {name.removeprefix("osdi00."): row[name] for name in row if name.startswith("osdi00.")}
            shared = {name: row[name] for name in row if name in sledsim.device("osdi00").parameters}
            device = sledsim.device("osdi00", **changes, **shared)
            run = sledsim.simulate(
                device, sledsim.workload("random", device, rate=200, count=300, seed=row["seed"]), "sptf"
            )
            mean_s = run.response_ns[60:].mean() * 1e-9
            assert row["mean(osdi00)"] == pytest.approx(mean_s)


def test_a_range_of_a_device_is_no_option_of_a_volume() -> None:
    found = sledsim.holds(
        "mean(stripe) < 1",
        "random:rate=900,size_bytes=65536",
        [Subject.of_volume("stripe", {}), Subject.of("osdi00")],  # type: ignore[list-item]
        samples=4,
        count=200,
        indices=False,
    )
    names = found.table().column_names
    assert {"device.bus_mb_per_s", "settle_ms"} <= {*names} and "bus_mb_per_s" not in names
