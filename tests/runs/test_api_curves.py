"""Curves of response time over load from Python: same requests, intervals, saturation, files, charts."""

import csv
import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import pytest

import sledsim
from sledsim.exploration.climbing import MOST_TIMES
from sledsim.runs import intervals
from sledsim.runs.curve_points import PRECISE
from sledsim.runs.curves import half_width_key

RATES = [500, 1100, 1500, 1700]
SETTINGS = {"count": 15_000, "replications": 3, "seed": 5}


@pytest.fixture(scope="module")
def curves(device: sledsim.Device) -> sledsim.results.Curves:
    return sledsim.response_curves(device, ["fcfs", "sptf"], RATES, **SETTINGS, workers=2)


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
def test_every_policy_goes_up_to_its_saturation(curves: sledsim.results.Curves) -> None:
    found = [(point.load, point.scheduler, point.saturated) for point in curves.points]
    assert found == [
        *((rate, name, False) for rate in RATES[:2] for name in ("fcfs", "sptf")),
        (1500, "fcfs", True),
        (1500, "sptf", False),
        (1700, "sptf", False),
    ]
    assert dataclasses.astuple(curves.saturation("fcfs")) == (1100, 1500)
    assert dataclasses.astuple(curves.saturation("sptf")) == (1700, None)
    assert curves.point("fcfs", 1700) is None
    highest = "Highest sustained load: sptf, at 1,700 requests/s (the highest load tried)"
    assert curves.conclusions() == [f"{highest}; lowest: fcfs, at 1,100 requests/s."]


def test_a_saturated_point_has_no_figures(curves: sledsim.results.Curves) -> None:
    point = curves.point("fcfs", 1500)
    assert point is not None and not point.estimates
    row = next(row for row in curves.rows() if row["scheduler"] == "fcfs" and row["rate_per_s"] == 1500)
    assert {name for name, value in row.items() if value is not None} == {
        "scheduler",
        "rate_per_s",
        "saturated",
        "unsettled",
    }
    assert row["unsettled"] == point.unsettled != row["saturated"]


def test_a_point_is_the_mean_of_its_replications(
    curves: sledsim.results.Curves, device: sledsim.Device
) -> None:
    means_s = []
    for seed in (5, 6, 7):
        trace = sledsim.random_workload(device, rate_per_s=1100, count=15_000, seed=seed)
        means_s.append(sledsim.simulate(device, trace, "sptf").response_ns[3000:].mean() * 1e-9)
    point = curves.point("sptf", 1100)
    assert point is not None
    assert point.samples["mean_response_s"] == pytest.approx(means_s)
    found, expected = point.estimates["mean_response_s"], intervals.mean(means_s)
    assert (found.value, found.half_width) == pytest.approx((expected.value, expected.half_width))


@pytest.mark.dear("many requests are simulated and computed again")
def test_results_do_not_depend_on_the_number_of_threads(
    curves: sledsim.results.Curves, device: sledsim.Device
) -> None:
    for workers in (1, 5):
        again = sledsim.response_curves(device, ["fcfs", "sptf"], RATES, **SETTINGS, workers=workers)
        assert again.rows() == curves.rows()


@pytest.mark.dear("many requests are simulated and computed again", every_change="sstf_lbn-rates2")
@pytest.mark.parametrize(
    ("name", "rates"), [("sptf", [2000, 2200]), ("zsptf", [2000, 2200]), ("sstf_lbn", [1800, 1900])]
)
def test_a_mean_near_saturation_is_that_of_longer_runs(
    device: sledsim.Device, name: str, rates: list[float]
) -> None:
    found = sledsim.response_curves(device, [name], rates)
    means = {one.load: one.estimates["mean_response_s"] for one in found.points if not one.saturated}
    assert rates[0] in means
    longer = sledsim.response_curves(device, [name], means, count=100_000, replications=3, seed=11)
    for load, mean in means.items():
        point = longer.point(name, load)
        assert point is not None
        true = point.estimates["mean_response_s"]
        assert abs(mean.value - true.value) < mean.half_width + true.half_width, load


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
def test_a_queue_that_still_grows_has_no_mean_yet(device: sledsim.Device) -> None:
    """Runs twenty times as long find 398 ms for ZSPTF at 2,300/s; these runs alone would give 286 ± 35 ms."""
    found = sledsim.response_curves(device, ["zsptf", "fcfs"], [1100, 2300])
    growing, overloaded = found.point("zsptf", 2300), found.point("fcfs", 2300)
    assert growing and overloaded
    assert (growing.saturated, growing.unsettled) == (True, True)
    assert (overloaded.saturated, overloaded.unsettled) == (True, False)
    assert not growing.estimates
    assert dataclasses.astuple(found.saturation("zsptf")) == (1100, 2300)
    assert any(note.startswith("Not at rest:") for note in found.notes)


def test_what_has_not_come_to_rest_does_not_end_a_curve(curves: sledsim.results.Curves) -> None:
    """Chance can lengthen a queue at one load, and not at the next."""
    points = [
        dataclasses.replace(one, saturated=True, unsettled=True) if one.load == 1500 else one
        for one in curves.points
    ]
    found = dataclasses.replace(curves, points=points).saturation("sptf")
    assert dataclasses.astuple(found) == (1700, None)


@pytest.mark.parametrize("seed", [1, 1001, 2001])
def test_saturation_does_not_depend_on_luck(device: sledsim.Device, seed: int) -> None:
    # The service time of first come, first served does not depend on the queue: its capacity is known.
    trace = sledsim.random_workload(device, rate_per_s=100, count=20_000)
    capacity = 1 / sledsim.simulate(device, trace, "fcfs").summary()["mean_service_s"]
    rates = [0.9 * capacity, 1.1 * capacity]
    found = sledsim.response_curves(device, ["fcfs"], rates, count=5000, replications=3, seed=seed)
    assert [point.saturated for point in found.points] == [False, True]


def test_hopeless_points_are_run_once_and_all_work_is_reported(device: sledsim.Device) -> None:
    drawn: list[tuple[float, int]] = []

    def workload(device: sledsim.Device, rate: float, seed: int) -> sledsim.Trace:
        drawn.append((rate, seed))
        return sledsim.random_workload(device, rate_per_s=rate, count=1000, seed=seed)

    told: list[int] = []
    found = sledsim.response_curves(
        device, ["fcfs"], [4000, 3000], draw=workload, replications=4, workers=1, progress=told.append
    )
    assert [(point.load, point.saturated) for point in found.points] == [(3000, True)]
    assert dataclasses.astuple(found.saturation("fcfs")) == (None, 3000)
    assert drawn == [(3000, seed) for seed in range(1, 5)]
    assert told == [1, 4, 8]
    assert (found.workload, found.origin["count"]) == ("workload", None)
    assert found.samples().num_rows == 0


def test_differences_are_of_pairs(curves: sledsim.results.Curves) -> None:
    found = curves.difference("sptf", "fcfs")
    assert [one.load for one in found] == [500, 1100]
    busy = found[1]
    assert busy.difference.high < 0
    assert busy.ratio.high < 1
    ours, theirs = curves.point("sptf", 1100), curves.point("fcfs", 1100)
    assert ours and theirs
    a, b = ours.estimates["mean_response_s"], theirs.estimates["mean_response_s"]
    assert busy.difference.value == pytest.approx(a.value - b.value)
    assert busy.ratio.value == pytest.approx(a.value / b.value)
    assert busy.difference.half_width < a.half_width + b.half_width
    tails = curves.difference("fcfs", "sptf", "p99_response_s")
    assert len(tails) == 2


def test_policies_are_found_by_any_spelling(device: sledsim.Device) -> None:
    found = sledsim.response_curves(device, ["asptf:weight=5", "sptf"], [500], count=1000)
    assert found.schedulers == ["asptf", "sptf"]
    for name in ("asptf", "ASPTF", "asptf:weight=5"):
        assert found.point(name, 500) is found.points[0]
        assert found.saturation(name).sustained == 500
        assert found.difference(name, "sptf") == found.difference("asptf", "sptf")
    assert found.point("asptf:weight=6", 500) is None
    # All options, so that the table can be made again when defaults have changed.
    assert found.origin["schedulers"][0].startswith("asptf:weight=5,")


def test_wrong_names_in_differences(curves: sledsim.results.Curves) -> None:
    with pytest.raises(
        sledsim.ParameterError, match="'look': the curves do not include it; expected one of fcfs, sptf"
    ):
        curves.difference("sptf", "look")
    with pytest.raises(sledsim.ParameterError, match="'p42' is unknown: expected one of mean_response_s"):
        curves.difference("sptf", "fcfs", "p42")


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
def test_files_hold_the_table_and_what_makes_it_again(tmp_path: Path, curves: sledsim.results.Curves) -> None:
    written = curves.write(tmp_path / "out")
    assert [path.name for path in written] == [
        *("curves.parquet", "curves.csv", "curves-samples.parquet", "curves-samples.csv"),
    ]
    table = pyarrow.parquet.read_table(written[0])
    assert table.to_pylist() == curves.rows()
    with written[1].open() as file:
        rows = list(csv.DictReader(file))
    assert [row["mean_response_s"] == "" for row in rows] == [point.saturated for point in curves.points]
    about = json.loads(table.schema.metadata[b"sledsim"])
    again = sledsim.response_curves(
        sledsim.Device.from_parameters(about["parameters"]),
        about["schedulers"],
        about["rates"],
        **{key: about[key] for key in ("count", "replications", "seed", "confidence")},
    )
    assert again.table().equals(table, check_metadata=True)


@pytest.mark.dear("many requests are simulated and computed again")
def test_a_precision_takes_as_many_replications_as_it_needs(device: sledsim.Device) -> None:
    rates = [500, 900]
    rough = sledsim.response_curves(device, ["fcfs", "sptf"], rates, count=5000, replications=2)
    fine = sledsim.response_curves(
        device, ["fcfs", "sptf"], rates, count=5000, replications=2, precision=0.1, workers=2
    )
    assert not all(point.is_within(0.1) for point in rough.points)
    for point in fine.points:
        mean = point.estimates["mean_response_s"]
        assert point.is_within(0.1) and mean.half_width <= 0.1 * mean.value
        # Both policies have equally many, so that they can be compared request for request.
        other = fine.point("fcfs", point.load)
        assert other is not None and other.estimates["cv2_response"].count == mean.count
        assert mean.count in (2, 4, 8, 16, 32)
    assert all(one.difference.count > 2 for one in fine.difference("fcfs", "sptf", "p99_response_s"))


def test_the_first_that_are_precise_enough_are_not_the_last(device: sledsim.Device) -> None:
    """Half of the replications must be precise enough: stopping at the first precise set favours luck."""
    settings: dict[str, Any] = {"count": 5000, "replications": 4}
    (point,) = sledsim.response_curves(device, "fcfs", [700], **settings).points
    wide = max(point.estimates[name].half_width / point.estimates[name].value for name in PRECISE)
    for precision, suffices in ((1.1 * wide, False), (1.5 * wide, True)):
        curves = sledsim.response_curves(device, "fcfs", [700], **settings, precision=precision)
        count = curves.points[0].estimates["mean_response_s"].count
        assert (count == 4) is suffices
        assert f"from {count} replications" in curves.notes[0]


def test_a_precision_out_of_reach_is_reported(device: sledsim.Device) -> None:
    reports: list[int] = []
    found = sledsim.response_curves(
        device, "sptf", [1000], count=200, replications=2, precision=1e-4, progress=reports.append
    )
    assert found.points[0].estimates["mean_response_s"].count == 2 * MOST_TIMES == reports[-1]
    assert (
        found.notes[-1]
        == "Precision 0.0001 not reached with the largest number of replications: sptf at 1,000/s."
    )


def test_figures_that_need_longer_runs_are_reported(device: sledsim.Device) -> None:
    found = sledsim.response_curves(device, ["sptf", "fcfs"], [1200], count=1000, replications=2)
    assert math.isnan(found.points[0].estimates["p999_response_s"].value)
    assert found.rows()[0]["p999_response_s"] is None
    assert not found.difference("sptf", "fcfs", "p999_response_s")
    assert found.difference("sptf", "fcfs")
    assert any(note.startswith("Too short:") for note in found.notes)
    found.plot().to_dict()


def test_samples_are_one_row_a_replication(curves: sledsim.results.Curves) -> None:
    samples = curves.samples().to_pylist()
    assert len(samples) == 6 * 3
    own = [row for row in samples if (row["scheduler"], row["rate_per_s"]) == ("sptf", 1500)]
    assert [row["seed"] for row in own] == [5, 6, 7]
    point = curves.point("sptf", 1500)
    assert point is not None
    assert np.mean([row["cv2_response"] for row in own]) == pytest.approx(
        point.estimates["cv2_response"].value
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schedulers": ["stpf"]}, "did you mean"),
        ({"schedulers": ["fcfs", "FCFS"]}, "scheduler fcfs is given twice"),
        ({"schedulers": []}, "scheduler: expected at least one"),
        ({"rates": []}, "rate: expected at least one"),
        ({"rates": [100, 0]}, "rate = 0: must be a positive number"),
        ({"rates": ["100"]}, "rate = '100': must be a positive number"),
        ({"rates": [100, 100.0]}, "rate 100 is given twice"),
        ({"replications": 1}, "replications = 1: must be a whole number from 2"),
        ({"confidence": 95}, "confidence = 95: must be between 0 and 1"),
        ({"count": 0}, "count = 0: expected at least 100 requests after the warm-up of 20%, found 0"),
        ({"count": 123}, "count = 123: .* found 99"),
        ({"count": "5"}, "count = '5': must be a whole number from 0"),
        ({"schedulers": [3]}, "scheduler = 3: expected the name of a policy"),
        ({"schedulers": ["asptf", "asptf:weight=5.0"]}, "scheduler asptf is given twice"),
        ({"replications": "3"}, "replications = '3': must be a whole number from 2: a single one has no"),
        ({"replications": 2.5}, "replications = 2.5: must be a whole number from 2"),
        ({"workers": 0, "count": 200}, "workers = 0: must be a whole number from 1, or None for one"),
        ({"workers": -1, "count": 200}, "workers = -1: must be a whole number from 1"),
        ({"seed": -1}, "seed = -1: must be a whole number from 0"),
        (
            {"seed": 2**64 - 4},
            "seed = 18446744073709551612: must be a whole number from 0 to 18446744073709551611:"
            " 5 replications use 5 seeds in a row",
        ),
    ],
)
def test_wrong_values(device: sledsim.Device, change: dict[str, object], message: str) -> None:
    values = {"schedulers": ["fcfs"], "rates": [100], "count": 10, **change}
    with pytest.raises(sledsim.ParameterError, match=message):
        sledsim.response_curves(device, **values)  # type: ignore[arg-type]


def test_one_policy_needs_no_list(device: sledsim.Device, workload: sledsim.Trace) -> None:
    name = "zsptf:zone=060x600,parity=joined"
    alone = [
        sledsim.response_curves(device, name, [500], count=200, replications=2, seed=2**64 - 2).schedulers,
        sledsim.trace_curves(device, workload, name, [1]).schedulers,
        [point.scheduler for point in sledsim.compare(device, workload, name).points],
        list(
            sledsim.schedule_bounds(
                device, {"lbn": workload.lbn[:5], "blocks": workload.blocks[:5]}, name
            ).schedules
        ),
    ]
    assert alone == [["zsptf:zone=60x600,parity=joined"]] * 4


def test_a_trace_has_intervals_from_batches(device: sledsim.Device) -> None:
    trace = sledsim.demo_trace()
    found = sledsim.trace_curves(device, trace, ["fcfs", "sptf"], [64, 1, 4], batches=10)
    loads = [(point.load, point.saturated) for point in found.points if point.scheduler == "fcfs"]
    assert loads == [(1, False), (4, False), (64, True)]
    point, run = found.point("sptf", 4), sledsim.simulate(device, trace, "sptf", scale=4)
    assert point is not None
    summary = run.summary()
    for name in ("mean_response_s", "p99_response_s", "cv2_response", "mean_positioning_s"):
        assert point.estimates[name].value == pytest.approx(summary[name])
    expected = intervals.batch_means(run.transfers.response_ns * 1e-9, 10)
    assert point.estimates["mean_response_s"].half_width == pytest.approx(expected.half_width)
    assert np.isnan(point.estimates["p99_response_s"].half_width)
    assert [one.load for one in found.difference("sptf", "fcfs")] == [1, 4]
    assert {row["batch"] for row in found.samples().to_pylist()} == set(range(10))
    assert found.table().column_names[:4] == ["scheduler", "scale", "saturated", "unsettled"]
    assert "10 batches of consecutive requests" in found.notes[0]


def test_a_trace_of_too_few_requests(device: sledsim.Device, workload: sledsim.Trace) -> None:
    with pytest.raises(
        sledsim.ParameterError,
        match=r"batches = 1001: expected 2 requests each or more",
    ):
        sledsim.trace_curves(device, workload, ["fcfs"], [1], batches=1001)


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
def test_charts_are_valid_and_name_everything(curves: sledsim.results.Curves) -> None:
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    text = json.dumps(curves.plot().to_dict())  # Altair checks the chart against the schema.
    for words in ("random on osdi00", "Arrival rate (requests/s)", "95 % confidence", "Variance / mean"):
        assert words in text


@pytest.mark.dear("many requests are simulated and computed again")
def test_charts_tell_many_policies_apart(curves: sledsim.results.Curves) -> None:
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    renamed = [
        dataclasses.replace(
            point,
            scheduler=f"{point.scheduler}:weight={weight}",
            estimates={
                name: dataclasses.replace(one, value=one.value * (1 + weight / 1e6))
                for name, one in point.estimates.items()
            },
        )
        for point in curves.points
        for weight in range(13)
    ]
    many = dataclasses.replace(curves, points=renamed)
    drawn = many.plot().to_dict()["vconcat"][0]["layer"][1]["encoding"]
    names, colours = (drawn["color"]["scale"][key] for key in ("domain", "range"))
    styles = set(zip(colours, map(tuple, drawn["strokeDash"]["scale"]["range"]), strict=True))
    # A stroke or two of a style are longer than the dots that lead to saturation.
    assert all(max(dashes) > 4 or dashes == [1, 0] for dashes in drawn["strokeDash"]["scale"]["range"])
    assert sorted(names) == sorted(many.schedulers)
    assert len(styles) == len(names) == 26
    assert all(name.startswith("sptf") for name in names[:13])  # The policies that saturate last stand first.


def test_a_chart_of_nothing_but_saturation(device: sledsim.Device) -> None:
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    flooded = sledsim.response_curves(device, ["fcfs"], [5000], count=500)
    assert len(flooded.plot().to_dict()["vconcat"]) == 1


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("mean_response_s", "mean_response_half_width_s"),
        ("utilization", "utilization_half_width"),
        ("cv2_response", "cv2_response_half_width"),
    ],
)
def test_the_unit_of_a_half_width_is_at_its_end(name: str, key: str) -> None:
    assert half_width_key(name) == key
