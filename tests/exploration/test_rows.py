"""A row belongs to a point as requested, and equal points have one row."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import pytest

import sledsim
from sledsim.exploration import ledger_table
from sledsim.exploration.reasons import grouped
from sledsim.exploration.subjects import Subject
from sledsim.ledger import Contents


def rows_of(folder: Path) -> list[dict[str, Any]]:
    ledger_table.write(Contents.of([folder]), folder / "table.parquet")
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
        # The devices in the volume have no policy of their own, whether they are changed or not.
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
    """The order of both options does not matter, and the table has the value for both."""
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


def test_points_that_are_the_same_have_one_row_in_any_order(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"count": 200, "replications": 1}
    for name, order in (("a", (1, 2)), ("b", (2, 1))):
        for which in order:
            folder, shard = tmp_path / name, f"{which}/2"
            sledsim.sweep("random:rate=900", schedulers=["fcfs", "FCFS"], folder=folder, shard=shard, **asked)
    (one,), (other,) = rows_of(tmp_path / "a"), rows_of(tmp_path / "b")
    assert one == other and one["scheduler"] == "fcfs"


def test_what_is_equal_in_all_batches_has_no_interval(tmp_path: Path) -> None:
    card = sledsim.device("cf-card", wake_ms=0, inactive_after_ms=1e9)
    trace = sledsim.Trace(arrival_ns=np.arange(200) * 10**9, lbn=np.zeros(200, int), blocks=[8] * 200)
    (row,) = sledsim.sweep(trace, card, "fcfs", folder=tmp_path).rows()
    assert row["half_widths"]["mean_response_s"] == 0.0


def test_reasons_that_differ_in_numbers_are_one() -> None:
    texts = ["tips = 7 is less than 10", "tips = 8 is less than 10", "broken", "tips = 9.5 is less than 10"]
    assert grouped(texts) == {"tips = 7 is less than 10 (and others with other numbers)": 3, "broken": 1}


def test_a_volume_under_a_trace_has_no_interval_of_its_utilization(tmp_path: Path) -> None:
    found = sledsim.sweep("ext2-4k", [sledsim.volume("mirror")], "fcfs", folder=tmp_path)
    (row,) = found.rows()
    assert row["figures"]["utilization"] > 0 and "utilization" not in row["half_widths"]
    assert "mean_response_s" in row["half_widths"]


def test_a_volume_that_has_no_utilization_has_figures_under_a_trace(tmp_path: Path) -> None:
    """Batches have no utilization if all requests come at once, or if only the bus is busy."""
    trace = sledsim.bundled_trace("ext2-4k").transfers().rows(slice(0, 60))
    at_once = sledsim.Trace(trace.arrival_ns * 0, trace.lbn, trace.blocks, trace.write)
    (row,) = sledsim.sweep(at_once, [sledsim.volume("mirror")], "fcfs", folder=tmp_path).rows()
    assert row["error"] is None and row["figures"]["mean_response_s"] > 0
