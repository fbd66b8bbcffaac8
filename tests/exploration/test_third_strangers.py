"""What four strangers met in studies: each of these was wrong once."""

from pathlib import Path

import pytest

import sledsim
from sledsim.exploration.executors import cluster
from sledsim.exploration.optimising import words
from sledsim.runs.intervals import Estimate


def test_a_volume_under_a_trace_has_no_interval_of_its_utilization(tmp_path: Path) -> None:
    found = sledsim.sweep("ext2-4k", [sledsim.volume("mirror")], "fcfs", folder=tmp_path)
    (row,) = found.rows()
    assert row["figures"]["utilization"] > 0 and "utilization" not in row["half_widths"]
    assert "mean_response_s" in row["half_widths"]


def test_small_words() -> None:
    assert words.sure(0.999) == "99.9%" and words.sure(0.95) == "95%"
    assert "-0.00" not in words.better(Estimate(-1e-9, 1e-9, 5))
    assert len(words.interval("cv2_response", Estimate(0.0548652443876796, 5e-18, 5))) < 50


def test_a_scheduler_that_is_frozen_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    monkeypatch.setattr(cluster, "_FROZEN_S", 0.1)
    never = threading.Event()
    with pytest.raises(OSError, match=r"has not answered for 0.1 s; what is done is kept"):
        cluster._answer(never.wait)
    never.set()
    assert cluster._answer(lambda: 7) == 7
    with pytest.raises(ValueError, match="why"):
        cluster._answer(lambda: (_ for _ in ()).throw(ValueError("why")))


def test_a_figure_that_no_design_has_is_told_of() -> None:
    trace = sledsim.bundled_trace("ext3-4k").transfers().rows(slice(0, 1))
    with pytest.raises(sledsim.TraceError, match=r"has a figure to be judged by: mean_queue_length"):
        sledsim.optimise(trace, over={"settle_ms": "0.1..0.4"}, minimise="queue", budget=4)


def test_a_volume_that_has_no_utilization_has_figures_under_a_trace(tmp_path: Path) -> None:
    """All of its requests at once, or a bus alone that is busy, leave batches without any."""
    trace = sledsim.bundled_trace("ext2-4k").transfers().rows(slice(0, 60))
    at_once = sledsim.Trace(trace.arrival_ns * 0, trace.lbn, trace.blocks, trace.write)
    (row,) = sledsim.sweep(at_once, [sledsim.volume("mirror")], "fcfs", folder=tmp_path).rows()
    assert row["error"] is None and row["figures"]["mean_response_s"] > 0
