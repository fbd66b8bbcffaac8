"""Comparisons from Python: points, files, and charts."""

import csv
import json
from pathlib import Path

import pytest

import sledsim
from sledsim.runs.comparison import FRACTIONS

from ..conftest import leftovers


@pytest.fixture(scope="module")
def comparison(device: sledsim.Device, workload: sledsim.Trace) -> sledsim.results.Comparison:
    return sledsim.compare(device, workload, ["fcfs", "sptf"], [0.5, 4])


def test_every_point_is_a_run(
    comparison: sledsim.results.Comparison, device: sledsim.Device, workload: sledsim.Trace
) -> None:
    wanted = [("fcfs", 0.5), ("sptf", 0.5), ("fcfs", 4), ("sptf", 4)]
    assert [(point.scheduler, point.scale) for point in comparison.points] == wanted
    for point in comparison.points:
        run = sledsim.simulate(device, workload, point.scheduler, point.scale)
        assert point.summary == run.summary()
        assert len(point.response_quantiles_s) == len(FRACTIONS)


def test_results_do_not_depend_on_threads(
    comparison: sledsim.results.Comparison, device: sledsim.Device, workload: sledsim.Trace
) -> None:
    for workers in (1, 3):
        one = sledsim.compare(device, workload, ["fcfs", "sptf"], [0.5, 4], workers=workers)
        assert one.points == comparison.points
    with pytest.raises(sledsim.ParameterError, match="workers = 0"):
        sledsim.compare(device, workload, ["fcfs"], workers=0)


def test_points_that_cannot_keep_up_are_marked(comparison: sledsim.results.Comparison) -> None:
    saturated = {(point.scheduler, point.scale): point.saturated for point in comparison.points}
    assert not saturated["fcfs", 0.5]
    assert saturated["fcfs", 4]


def test_busy_all_the_time_is_not_saturated(device: sledsim.Device) -> None:
    # SPTF is never idle at this rate and not saturated: its queue has a length.
    trace = sledsim.random_workload(device, rate_per_s=2200, count=20_000, seed=1)
    busy, flooded = sledsim.compare(device, trace, ["sptf", "fcfs"]).points
    assert busy.summary["utilization"] > 0.99
    assert (busy.saturated, flooded.saturated) == (False, True)


def test_a_folder_gets_one_file_a_point_and_the_summary(
    tmp_path: Path, device: sledsim.Device, workload: sledsim.Trace
) -> None:
    folder = tmp_path / "deep" / "out"
    done = sledsim.compare(device, workload, ["fcfs", "sptf"], [1, 0.25], folder=folder)
    files = ["fcfs-x0.25.parquet", "fcfs-x1.parquet", "sptf-x0.25.parquet", "sptf-x1.parquet"]
    assert leftovers(tmp_path) == ["comparison.ledger", *files, "summary.csv"]
    for point in done.points:
        assert point.file is not None
        assert sledsim.read_run(point.file).summary() == point.summary
    with (folder / "summary.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["file"] for row in rows] == [point.file.name for point in done.points if point.file]
    assert float(rows[0]["mean_response_s"]) == done.points[0].summary["mean_response_s"]


def test_nothing_is_written_when_a_name_is_wrong(
    tmp_path: Path, device: sledsim.Device, workload: sledsim.Trace
) -> None:
    with pytest.raises(sledsim.ParameterError, match="unknown scheduler"):
        sledsim.compare(device, workload, ["fcfs", "stpf"], folder=tmp_path / "out")
    with pytest.raises(sledsim.ParameterError, match="scale"):
        sledsim.compare(device, workload, ["fcfs"], [1, 0], folder=tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_progress_runs_over_all_points(device: sledsim.Device, workload: sledsim.Trace) -> None:
    seen: list[int] = []
    sledsim.compare(device, workload, ["fcfs", "sptf"], progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 2 * len(workload)


@pytest.mark.dear("many requests are simulated and computed again")
def test_charts_work_offline(tmp_path: Path, comparison: sledsim.results.Comparison) -> None:
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    from sledsim.charts.style import save_chart

    chart = comparison.plot()
    html = save_chart(chart, tmp_path / "compare.html").read_text()
    assert "<script src=" not in html
    assert "https://cdn" not in html
    assert save_chart(chart, tmp_path / "compare.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in save_chart(chart, tmp_path / "compare.svg").read_text()[:200]
    assert leftovers(tmp_path) == ["compare.html", "compare.png", "compare.svg"]


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
def test_charts_show_every_point_with_its_unit(comparison: sledsim.results.Comparison) -> None:
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    text = json.dumps(comparison.plot().to_dict())
    for words in (
        "Mean response time (ms, log scale)",
        "Speed-up of the trace",
        "Response time t (ms",
        "Scheduler",
    ):
        assert words in text


@pytest.mark.dear("many requests are simulated and computed again")
def test_a_chart_says_what_the_means_of_saturated_points_are(
    comparison: sledsim.results.Comparison, device: sledsim.Device, workload: sledsim.Trace
) -> None:
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    words = "do not rank policies"
    assert words in comparison.plot().to_dict()["title"]["subtitle"][-1]
    keeps_up = sledsim.compare(device, workload, ["fcfs"], [0.5])
    assert words not in str(keeps_up.plot().to_dict()["title"])


def test_a_difference_on_a_trace_is_as_certain_as_in_a_comparison() -> None:
    device, trace = sledsim.device("osdi00"), sledsim.demo_trace()
    off = sledsim.trace_curves(device, trace, ["fcfs", "sptf"], [1, 4]).difference("sptf", "fcfs")
    compared = sledsim.compare(device, trace, ["fcfs", "sptf"], scales=[1, 4])
    own = [compared.against_first(point) for point in compared.points if point.scheduler == "sptf"]
    # A comparison weighs requests, a curve batches, whose lengths differ by one request.
    assert [one.ratio.value for one in off] == pytest.approx([one.value for one in own], rel=1e-3)
    assert [one.ratio.half_width for one in off] == pytest.approx([one.half_width for one in own], rel=1e-2)
