"""Sweeps: figures equal those of single runs; rows are kept, with the same bytes on every machine."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sledsim
from sledsim.exploration import evaluation, ledger_table
from sledsim.exploration.evaluation import Evaluator
from sledsim.exploration.status import status_of
from sledsim.exploration.study_points import Study
from sledsim.exploration.subjects import Requests, Subject
from sledsim.exploration.verification import verify
from sledsim.ledger import Contents, merge
from sledsim.runs.steady_state import WARM_UP

from ..conftest import repeated
from ..exact_queue import exact
from ..interval_coverage import device as card_of_1_ms

OVER = {"settle_ms": "0.1:0.3:0.1", "active_tips": [640, 1280]}
WORKLOADS = ["random:rate=900,count=300", "ext2-4k"]


def ask(folder: Path, **more: Any) -> sledsim.results.Sweep:
    asked: dict[str, Any] = {"replications": 2, "over": OVER, **more}
    return sledsim.sweep(WORKLOADS, "osdi00", ["fcfs", "sptf"], folder=folder, **asked)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> sledsim.results.Sweep:
    return ask(tmp_path_factory.mktemp("whole"))


@pytest.fixture
def evaluated(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Return the points that are run in this process."""
    found: list[int] = []
    row = Evaluator.row

    def counted(self: Evaluator, number: int) -> evaluation.Row:
        found.append(number)
        return row(self, number)

    monkeypatch.setattr(Evaluator, "row", counted)
    yield found


def bytes_of(folder: Path) -> tuple[bytes, bytes]:
    """Return the table of a folder, in both formats."""
    found = []
    for ending in ("parquet", "csv"):
        path = folder / f"table.{ending}"
        ledger_table.write(Contents.of([folder]), path)
        found.append(path.read_bytes())
        path.unlink()
    return found[0], found[1]


@pytest.mark.dear("many points of a study are simulated", every_change=True)
def test_a_point_of_a_trace_has_the_figures_of_its_run(whole: sledsim.results.Sweep) -> None:
    trace = sledsim.bundled_trace("ext2-4k")
    seen = 0
    for row in whole.rows():
        point = row["point"]
        if point["workload"] != "ext2-4k":
            continue
        seen += 1
        device = sledsim.device("osdi00", settle_ms=point["settle_ms"], active_tips=point["active_tips"])
        run = sledsim.simulate(device, trace, point["scheduler"])
        summary, figures = run.summary(), row["figures"]
        for name in (
            "mean_response_s",
            "cv2_response",
            "p50_response_s",
            "p99_response_s",
            "p999_response_s",
        ):
            assert figures[name] == pytest.approx(summary[name], rel=1e-12), name
        for name in ("max_response_s", "mean_service_s", "mean_positioning_s"):
            assert figures[name] == pytest.approx(summary[name], rel=1e-12), name
        requests = summary["requests"]
        assert figures["energy_per_request_j"] == pytest.approx(summary["energy_j"] / requests, rel=1e-12)
        assert figures["mean_power_w"] == pytest.approx(summary["energy_j"] / run.span_s, rel=1e-12)
        assert figures["throughput_per_s"] == pytest.approx(requests / run.span_s, rel=1e-12)
        assert figures["capacity_bytes"] == device.characteristics()["capacity_bytes"]
        assert (row["status"], row["replications"], row["is_precise"]) == ("ok", 1, None)
    assert seen == 12


def test_a_point_that_is_drawn_has_the_figures_of_its_replications(whole: sledsim.results.Sweep) -> None:
    """Means over seeds 1 and 2 by hand, each after its warm-up, with Student's bound of one degree."""
    for row in whole.rows():
        point = row["point"]
        if point["workload"] != WORKLOADS[0] or row["status"] != "ok":
            continue
        device = sledsim.device("osdi00", settle_ms=point["settle_ms"], active_tips=point["active_tips"])
        runs = [
            sledsim.simulate(device, sledsim.workload(WORKLOADS[0], device, seed=seed), point["scheduler"])
            for seed in (1, 2)
        ]
        means = [float(run.response_ns[int(WARM_UP * 300) :].mean()) * 1e-9 for run in runs]
        assert row["figures"]["mean_response_s"] == pytest.approx(np.mean(means), rel=1e-12)
        half = 12.706204736 * abs(means[0] - means[1]) / 2
        assert row["half_widths"]["mean_response_s"] == pytest.approx(half, rel=1e-8)
        energies = [run.summary()["energy_j"] / 300 for run in runs]
        assert row["figures"]["energy_per_request_j"] == pytest.approx(np.mean(energies), rel=1e-12)


@pytest.mark.dear("many points of a study are simulated", every_change=True)
def test_figures_are_those_of_curves(device: sledsim.Device, tmp_path: Path) -> None:
    curves = sledsim.response_curves(device, ["fcfs", "sptf"], [600, 900], count=4000, replications=4)
    found = sledsim.sweep(
        ["random:rate=600", "random:rate=900"],
        device,
        ["fcfs", "sptf"],
        folder=tmp_path,
        count=4000,
        replications=4,
    )
    for row in found.rows():
        rate = float(row["point"]["workload"].rpartition("=")[2])
        point = curves.point(row["point"]["scheduler"], rate)
        assert point is not None
        for name, estimate in point.estimates.items():
            value, half = row["figures"][name], row["half_widths"].get(name, float("nan"))
            assert value is None if np.isnan(estimate.value) else value == estimate.value, name
            assert half == pytest.approx(estimate.half_width, rel=1e-8, nan_ok=True), name


@pytest.mark.dear("many points of a study are simulated", every_change=True)
def test_nothing_is_run_twice(whole: sledsim.results.Sweep, evaluated: list[int], tmp_path: Path) -> None:
    ask(tmp_path, over={**OVER, "settle_ms": [0.2]})
    assert len(evaluated) == 8
    evaluated.clear()
    done: list[int] = []
    found = ask(tmp_path, progress=done.append)
    assert len(evaluated) == 16, "of 24 points 8 have a row of another study"
    assert done[0] == 8 and done[-1] == 24 and all(a <= b for a, b in pairwise(done))
    assert len(found.contents.places) == 24
    evaluated.clear()
    assert ask(tmp_path).done == 24
    # A device with the same parameters, made in another way, is the same point.
    device = sledsim.device("osdi00", settle_ms=0.3)
    again = sledsim.sweep("ext2-4k", device, "fcfs", folder=tmp_path)
    assert (again.done, evaluated) == (1, [])
    tables_of = [again.table().drop_columns("study"), whole.table().drop_columns("study")]
    assert tables_of[0].num_rows < tables_of[1].num_rows
    assert found.table().drop_columns("study").equals(tables_of[1])


@pytest.mark.parametrize("changes", [{"seed": 2}, {"replications": 3}, {"replay": "closed:outstanding=4"}])
def test_what_figures_depend_on_is_in_the_key(
    whole: sledsim.results.Sweep, evaluated: list[int], tmp_path: Path, changes: dict[str, Any]
) -> None:
    first = {row["key"] for row in whole.rows()}
    other = {row["key"] for row in ask(tmp_path, **{"over": {"settle_ms": [0.1]}, **changes}).rows()}
    drawn_alone = changes.keys() <= {"seed", "replications"}
    # Neither seed nor replications matter for a trace.
    assert len(first & other) == (2 if drawn_alone else 0)


def shards(folder: Path) -> None:
    for which in (3, 1, 8, 2, 7, 4, 6, 5):
        ask(folder, shard=f"{which}/8")


def processes(folder: Path) -> None:
    pytest.importorskip("distributed", reason="needs sledsim[cluster]")
    ask(folder, on="local:2")


MAKERS: list[Callable[[Path], object]] = [
    lambda folder: ask(folder, workers=1),
    lambda folder: ask(folder, workers=2),
    shards,
    processes,
]


@pytest.mark.dear("many points of a study are simulated", every_change="1 thread")
@pytest.mark.parametrize("make", MAKERS, ids=["1 thread", "2 threads", "8 shards", "2 processes"])
def test_the_table_has_the_same_bytes_wherever_rows_are_made(
    whole: sledsim.results.Sweep, tmp_path: Path, make: Callable[[Path], object]
) -> None:
    make(tmp_path)
    assert bytes_of(tmp_path) == bytes_of(whole.folder)
    merge(tmp_path)
    assert bytes_of(tmp_path) == bytes_of(whole.folder)
    assert [path.name for path in tmp_path.iterdir()] == ["study.ledger"]


#: A program that makes the sweep of these tests in a process of its own.
MAKES = "import sys, pathlib; from tests.exploration.test_sweep import ask; ask(pathlib.Path(sys.argv[1]))"


@pytest.mark.dear("many points of a study are simulated")
def test_other_processors_come_to_the_same_bytes(whole: sledsim.results.Sweep, tmp_path: Path) -> None:
    """NumPy and its linear algebra are set to the instructions of an old processor."""
    old = {"NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR", "OPENBLAS_CORETYPE": "Prescott"}
    root = Path(__file__).parents[2]
    words = [sys.executable, "-W", "ignore", "-c", MAKES, tmp_path]
    subprocess.run(words, cwd=root, env={**os.environ, **old}, check=True)
    assert bytes_of(tmp_path) == bytes_of(whole.folder)


@pytest.mark.dear("many points of a study are simulated")
@pytest.mark.parametrize("seed", range(3))
def test_a_killed_process_loses_what_was_under_way_alone(
    whole: sledsim.results.Sweep, evaluated: list[int], tmp_path: Path, seed: int
) -> None:
    root, path = Path(__file__).parents[2], tmp_path / "study.ledger"
    draw = np.random.default_rng(seed)
    rows = 0
    for _ in range(3):
        with subprocess.Popen([sys.executable, "-c", MAKES, tmp_path], cwd=root) as process:
            wanted = rows + int(draw.integers(1, 4))
            while process.poll() is None and _lines(path) < wanted + 2:
                pass
            process.kill()
        contents = Contents.of([tmp_path])
        assert len(contents.places) >= min(rows, 24), "none is lost"
        rows = len(contents.places)
        assert not contents.notes and not contents.disagreements
    ask(tmp_path)
    assert len(evaluated) == 24 - rows
    assert bytes_of(tmp_path) == bytes_of(whole.folder)


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.dear("many points of a study are simulated", every_change=True)
def test_an_interrupted_sweep_keeps_what_is_done(evaluated: list[int], tmp_path: Path) -> None:
    def stop(done: int) -> None:
        if done >= 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask(tmp_path, progress=stop, workers=1)
    kept = len(Contents.of([tmp_path]).places)
    assert kept >= 6
    evaluated.clear()
    assert ask(tmp_path).done == 24
    assert len(evaluated) == 24 - kept


def test_impossible_points_are_rows_with_their_reason(tmp_path: Path, evaluated: list[int]) -> None:
    asked: dict[str, Any] = {"folder": tmp_path, "over": {"settle_ms": [0.1, 0.2], "tips": [6400, 3]}}
    found = sledsim.sweep("ext2-4k", ["osdi00", "atlas10k"], "fcfs", **asked)
    assert found.done == len(found) == 8
    statuses = [row["status"] for row in found.rows()]
    assert statuses.count("ok") == 2 and statuses.count("failed") == 6
    reasons = found.reasons()
    assert sum(reasons.values()) == 6 and any("settle_ms" in text for text in reasons)
    table = found.table().to_pylist()
    assert [row["error"] is None for row in table].count(True) == 2
    assert all(row["mean_response_s"] is None for row in table if row["status"] == "failed")
    evaluated.clear()
    sledsim.sweep("ext2-4k", ["osdi00", "atlas10k"], "fcfs", **asked)
    assert evaluated == []
    sledsim.sweep("ext2-4k", ["osdi00", "atlas10k"], "fcfs", **asked, retry_failed=True)
    assert len(evaluated) == 6
    (one,) = status_of(Contents.of([tmp_path]))
    assert (one.points, one.done, one.counts, one.reasons) == (8, 8, {"ok": 2, "failed": 6}, reasons)


@pytest.mark.xdist_group("registered")
def test_a_policy_that_breaks_ends_no_study(tmp_path: Path) -> None:
    """A policy that raises fails its points only; once it is mended, its points run again on demand."""

    class BrokenError(Exception):
        pass

    def choose(*_: Any) -> int:
        raise BrokenError("of its own")

    sledsim.extend.register_scheduler("mine-that-breaks", choose, "It breaks.")
    asked: dict[str, Any] = {"folder": tmp_path, "replications": 2, "count": 300}
    found = sledsim.sweep("random:rate=900", "osdi00", ["mine-that-breaks", "fcfs"], **asked)
    broken, fine = found.rows()
    assert (broken["status"], fine["status"]) == ("failed", "ok")
    assert "BrokenError: of its own" in broken["error"]
    sledsim.extend.register_scheduler("mine-that-breaks", lambda *_: 0, "It is mended.")
    found = sledsim.sweep(
        "random:rate=900", "osdi00", ["mine-that-breaks", "fcfs"], **asked, retry_failed=True
    )
    assert [row["status"] for row in found.rows()] == ["ok", "ok"]


def test_where_there_is_no_steady_state_there_are_no_figures(tmp_path: Path) -> None:
    found = sledsim.sweep("random:rate=3000", "osdi00", ["fcfs"], folder=tmp_path, count=2000)
    (row,) = found.rows()
    assert row["status"] == "saturated"
    assert row["figures"].keys() == {"capacity_bytes"}
    assert row["replications"] == 1, "what is overloaded beyond doubt is so under any seed"
    trace = sledsim.sweep("ext2-4k", "osdi00", "fcfs", folder=tmp_path, scales=1e6)
    (row,) = trace.rows()
    assert row["status"] == "saturated" and row["figures"]["mean_response_s"] > 0


def test_volumes_are_varied_by_name(tmp_path: Path) -> None:
    volumes = [Subject.of_volume("mirror", {}), Subject.of_volume("raid5:devices=5", {})]
    over = {"device.settle_ms": [0.1, 0.4]}
    found = sledsim.sweep("ext2-4k", volumes, "fcfs", folder=tmp_path, over=over)
    means = [row["figures"]["mean_response_s"] for row in found.rows()]
    assert means[0] < means[1] and means[2] < means[3] and len(means) == 4
    run = sledsim.simulate(
        sledsim.volume("mirror", **{"device.settle_ms": 0.4}), sledsim.bundled_trace("ext2-4k"), "fcfs"
    )
    assert means[1] == pytest.approx(run.summary()["mean_response_s"], rel=1e-12)
    assert sledsim.read_sweep(tmp_path).table().equals(found.table())
    with pytest.raises(sledsim.ParameterError, match="expected a device, or a volume by kind or file"):
        sledsim.sweep("ext2-4k", sledsim.volume("mirror"), folder=tmp_path, over=over)


def test_rows_are_run_again_bit_for_bit(whole: sledsim.results.Sweep) -> None:
    seen: list[int] = []
    found = verify(whole.folder, 10, progress=seen.append)
    assert (found.rows, found.of_how_many, found.differences) == (10, 24, [])
    assert seen[-1] == 10


@pytest.mark.dear("many points of a study are simulated", every_change=True)
def test_a_changed_figure_is_found(whole: sledsim.results.Sweep, tmp_path: Path) -> None:
    from sledsim.ledger.lines import content_of, line_of

    head, *lines = (whole.folder / "study.ledger").read_bytes().splitlines()
    rows = [content_of(line) for line in lines]
    changed = next(row for row in rows if row.get("status") == "ok")
    changed["figures"]["mean_response_s"] *= 1 + 1e-15
    (tmp_path / "study.ledger").write_bytes(b"".join([head + b"\n", *map(line_of, rows)]))
    found = verify(tmp_path, 24)
    (difference,) = found.differences
    assert difference.startswith(f"{changed['key']}: figures.")


def test_a_sweep_is_read_again(whole: sledsim.results.Sweep, tmp_path: Path) -> None:
    again = sledsim.read_sweep(whole.folder)
    assert list(again.rows()) == list(whole.rows())
    assert repr(again) == f"<sledsim.Sweep '{whole.folder}': 24 of 24 points>"
    assert again.table().equals(whole.table())
    keys = whole.table()["key"].to_pylist()
    assert keys == sorted(keys)
    with pytest.raises(sledsim.ParameterError, match="expected the ledger of a sweep, found none"):
        sledsim.read_sweep(tmp_path)
    with pytest.raises(sledsim.ParameterError, match="the study ffff, found none: the folder has"):
        sledsim.read_sweep(whole.folder, "ffff")


@pytest.mark.dear("many points of a study are simulated")
def test_intervals_at_which_a_precision_stops_hold() -> None:
    """A queue of known answers (M/D/1 at half load), 3 % of the mean: at least 360 of 400 repeats."""
    card, answer_s = card_of_1_ms(), exact(0.5)["mean_response_s"] * 1e-3
    repeats, held = repeated(100), 0
    counts: dict[int, int] = {}
    for repeat in range(repeats):
        study = Study(
            [Subject.of(card)],
            [Requests.of("random:rate=500,sizes=fixed")],
            schedulers=["fcfs"],
            count=1000,
            precision=0.03,
            judged=["mean_response_s"],
            seed=1 + 1000 * repeat,
        )
        row = Evaluator(study).row(0)
        value, half = row["figures"]["mean_response_s"], row["half_widths"]["mean_response_s"]
        held += abs(value - answer_s) <= half
        counts[row["replications"]] = counts.get(row["replications"], 0) + 1
        assert row["is_precise"] is (half <= 0.03 * value)
        assert row["is_precise"] or row["replications"] == 40
    assert set(counts) <= {5, 10, 20, 40} and len(counts) >= 3, "it stops early, late, and in between"
    assert held >= 0.9 * repeats, f"{held} of {repeats}"
