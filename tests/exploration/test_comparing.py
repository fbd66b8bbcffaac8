"""Several devices in one comparison: each point is a run, pairs have intervals, finished points stay."""

import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import sledsim
from sledsim.exploration import comparing, evaluation
from sledsim.exploration.comparing import run_comparison
from sledsim.runs.comparison import Point
from sledsim.runs.intervals import correlated_ratio

DEVICES = ["osdi00", "atlas10k", "cf-card"]
WORK = "random:rate=60,count=600,seed=5"


@pytest.fixture(scope="module")
def found() -> sledsim.results.Comparison:
    return sledsim.compare(DEVICES, WORK, ["fcfs", "sptf"], [1, 2], volumes="mirror")


def _names(found: sledsim.results.Comparison) -> list[tuple[str, str, float]]:
    return [(point.device, point.scheduler, point.scale) for point in found.points]


def test_every_combination_that_makes_sense_is_a_run(found: sledsim.results.Comparison) -> None:
    rows = [(name, policy) for name in ("osdi00", "atlas10k") for policy in ("fcfs", "sptf")]
    rows += [("cf-card", "fcfs"), ("mirror", "fcfs"), ("mirror", "sptf")]
    assert _names(found) == [(*row, scale) for scale in (1, 2) for row in rows]
    for point in found.points:
        target = sledsim.volume("mirror") if point.device == "mirror" else sledsim.device(point.device)
        run = sledsim.simulate(target, sledsim.workload(WORK, target), point.scheduler, point.scale)
        assert point.summary == run.summary()
        assert point.energy_per_request_j == run.summary()["energy_j"] / 600
        assert point.rate_per_s == 600 / run.summary()["span_s"]


def test_skipped_runs_are_reported_and_would_have_been_the_same(found: sledsim.results.Comparison) -> None:
    (note,) = found.notes
    assert note.startswith("cf-card: position has no effect, so that sptf would serve in the order")
    card = sledsim.device("cf-card")
    trace = sledsim.workload(WORK, card)
    first, other = (sledsim.simulate(card, trace, name) for name in ("fcfs", "sptf"))
    assert np.array_equal(first.response_ns, other.response_ns)


def test_policies_that_do_differ_on_flash_are_run() -> None:
    """Policies that differ from the order of arrival: shortest transfer, lowest address, writes first."""
    policies = ["asptf", "satf", "sptf", "look_lbn", "look_cyl", "sptf+priority:first=writes"]
    found = sledsim.compare("cf-card", WORK, policies)
    kept = [point.scheduler for point in found.points]
    assert kept == ["asptf", "satf", "look_lbn", "sptf+priority:first=writes"]
    assert "so that sptf, look_cyl would serve in the order of asptf" in found.notes[0]


def test_a_volume_with_policies_of_its_own_is_run_once() -> None:
    own = sledsim.volume("mirror", **{"device.scheduler": "look_lbn"})
    found = sledsim.compare({"own": own, "others": sledsim.volume("mirror")}, WORK, ["fcfs", "sptf"])
    assert _names(found) == [("own", "own", 1), ("others", "fcfs", 1), ("others", "sptf", 1)]
    assert found.notes == ["own: every member has a policy of its own: one run stands for all"]
    run = sledsim.simulate(own, sledsim.workload(WORK, own))
    assert found.points[0].summary == run.summary()


def test_means_are_paired_with_the_first_by_batches(device: sledsim.Device, workload: sledsim.Trace) -> None:
    found = sledsim.compare({"it": device, "hong03": sledsim.device("hong03")}, workload, ["fcfs", "sptf"])
    first, *others = found.points
    assert str(found.against_first(first)) == "1"
    for point in others:
        told = found.against_first(point)
        assert told.value == point.mean_response_s.value / first.mean_response_s.value
        pair = correlated_ratio(point.batch_means_s, first.batch_means_s)
        assert told.half_width == pair.half_width > 0
        # If requests rise and fall together, the ratio is known better than either mean.
        widths = [one.mean_response_s.half_width / one.mean_response_s.value for one in (point, first)]
        assert told.half_width / told.value < max(widths)


def test_a_saturated_point_has_a_ratio_without_an_interval(device: sledsim.Device) -> None:
    trace = sledsim.random_workload(device, rate_per_s=1900, count=5000, seed=1)
    found = sledsim.compare(device, trace, ["sptf", "fcfs"])
    assert [point.saturated for point in found.points] == [False, True]
    told = found.against_first(found.points[1])
    assert told.value > 1 and math.isnan(told.half_width)


def _far(device: sledsim.Device) -> sledsim.Trace:
    near = sledsim.random_workload(device, rate_per_s=60, count=100, seed=1)
    return sledsim.Trace.from_columns({**near.columns(), "lbn": near.lbn + 8_000_000})


def test_a_trace_past_the_end_of_one_device_is_a_row(device: sledsim.Device) -> None:
    found = sledsim.compare(["osdi00", "atlas10k"], _far(device), "fcfs")
    beyond, fits = found.points
    assert beyond.error is not None and "past the end of the device at 6750000" in beyond.error
    assert (fits.error, found.measured) == (None, [fits])
    rows = found.rows()
    assert rows[0].keys() == rows[1].keys()
    assert (rows[0]["mean_response_s"], rows[0]["saturated"], rows[1]["error"]) == (None, None, None)
    assert str(found.against_first(fits)) == "1" and math.isnan(found.against_first(beyond).value)
    wrapped = sledsim.compare(["osdi00", "atlas10k"], _far(device), "fcfs", past_end="wrap")
    assert [point.error for point in wrapped.points] == [None, None]


def test_a_trace_that_fits_no_device_is_refused(device: sledsim.Device, tmp_path: Path) -> None:
    for devices in ("osdi00", ["osdi00", "cf-card"]):
        with pytest.raises(sledsim.TraceError, match="past the end of the device at 6750000"):
            sledsim.compare(devices, _far(device), ["fcfs", "sptf"], folder=tmp_path)


def test_a_policy_for_one_device_alone_is_a_row_of_the_others() -> None:
    found = sledsim.compare(["atlas10k", "mascots03-zones"], WORK, "zsptf:zone=120x1200")
    disk, sled = found.points
    assert disk.error is not None and sled.error is None


def test_the_quickest_comes_first_and_failures_last(
    found: sledsim.results.Comparison,
) -> None:
    said = found.conclusions()
    assert said[0].startswith("Least mean response: ") and said[1:] == found.notes
    for scale in (1, 2):
        own = [one for one in found.measured if one.scale == scale and not one.saturated]
        best = min(own, key=lambda one: one.mean_response_s.value)
        assert f"{best.device} under {best.scheduler} at speed-up {scale} (" in said[0]
    both = sledsim.compare(["sigmetrics00-cantilevers", "osdi00"], ["demo", WORK], ["fcfs", "sptf"])
    demo, drawn, reason = both.conclusions()
    assert demo.startswith("demo: Least mean response: osdi00 under sptf (")
    assert drawn.startswith(f"{WORK}: Least mean response: sigmetrics00-cantilevers under")
    assert reason.startswith("sigmetrics00-cantilevers, demo: request")
    assert sledsim.compare("osdi00", WORK, "fcfs").conclusions() == []
    flood = sledsim.compare("atlas10k", "demo", ["fcfs", "sptf"], [64])
    assert flood.conclusions() == ["Least mean response: every policy is saturated at speed-up 64."]


def test_costs_follow_the_rate_and_the_energy() -> None:
    prices = {"osdi00": 120, "cf-card": "2/GiB"}
    found = sledsim.compare(DEVICES, WORK, prices=prices, lifetime_years=3, kwh_price=0.3)
    osdi00, disk, card = (found.cost_per_request(point) for point in found.points)
    one = found.points[0]
    paid, used = 120 / (one.rate_per_s * 3 * 31_557_600), one.energy_per_request_j * 0.3 / 3.6e6
    assert osdi00 == pytest.approx(paid + used)
    assert disk is None and card is not None and card < osdi00
    assert [row["cost_per_request"] for row in found.rows()] == [osdi00, None, card]
    with pytest.raises(sledsim.ParameterError, match="price of 'disk'"):
        sledsim.compare(DEVICES, WORK, prices={"disk": 1})


def test_each_device_of_a_trace_is_paid_for(device: sledsim.Device) -> None:
    one = sledsim.random_workload(device, rate_per_s=60, count=600, seed=1)
    both = sledsim.Trace.from_columns({**one.columns(), "device": np.arange(600, dtype=np.int32) % 2})
    found = [sledsim.compare(device, trace, prices={"osdi00": 1}) for trace in (one, both)]
    costs = [(one.cost_per_request(one.points[0]) or 0) * one.points[0].rate_per_s for one in found]
    assert costs[1] == pytest.approx(2 * costs[0])
    assert found[1].points[0].copies == 2


def test_several_workloads_are_compared_each_with_its_first() -> None:
    found = sledsim.compare(["osdi00", "cf-card"], [WORK, sledsim.demo_trace()], "fcfs")
    assert [(point.workload, point.device) for point in found.points] == [
        *((WORK, "osdi00"), (WORK, "cf-card")),
        *(("demo (ext4 trace)", "osdi00"), ("demo (ext4 trace)", "cf-card")),
    ]
    assert [str(found.against_first(point)) for point in found.points[::2]] == ["1", "1"]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the policies of the runs, as they are made."""
    made: list[str] = []
    plain = evaluation.simulate

    def simulate(*given: object, **how: object) -> sledsim.Run:
        made.append(str(given[2]))
        return plain(*given, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(evaluation, "simulate", simulate)
    return made


def _again(folder: Path, schedulers: list[str], device: object = "osdi00") -> sledsim.results.Comparison:
    return sledsim.compare(device, WORK, schedulers, folder=folder)  # type: ignore[arg-type]


def test_what_is_done_is_not_run_again(tmp_path: Path, counted: list[str]) -> None:
    first = _again(tmp_path, ["fcfs"])
    assert counted == ["fcfs"]
    more = _again(tmp_path, ["fcfs", "sptf"])
    assert counted == ["fcfs", "sptf"]
    assert more.points[0] == first.points[0]
    assert _again(tmp_path, ["fcfs", "sptf"]) == more and len(counted) == 2
    (tmp_path / "fcfs-x1.parquet").unlink()
    assert _again(tmp_path, ["fcfs", "sptf"]) == more and counted[2:] == ["fcfs"]


def test_a_file_of_another_device_is_not_taken_for_its_own(tmp_path: Path, counted: list[str]) -> None:
    """Names of files do not identify parameters; the contents do."""
    plain = _again(tmp_path, ["fcfs"])
    other = _again(tmp_path, ["fcfs"], sledsim.device("osdi00", settle_ms=0.4))
    assert other.points[0].summary != plain.points[0].summary
    back = _again(tmp_path, ["fcfs"])
    assert back == plain and len(counted) == 3
    assert sledsim.read_run(tmp_path / "fcfs-x1.parquet").summary() == plain.points[0].summary


def test_a_stopped_comparison_goes_on(tmp_path: Path, counted: list[str]) -> None:
    class StopError(Exception):
        pass

    def stop(done: int) -> None:
        if done > 900:
            raise StopError

    how = {"folder": tmp_path, "workers": 1}
    with pytest.raises(StopError):
        sledsim.compare("osdi00", WORK, ["fcfs", "sptf", "look_lbn"], progress=stop, **how)
    begun = list(counted)
    assert "look_lbn" not in begun
    whole = sledsim.compare("osdi00", WORK, ["fcfs", "sptf", "look_lbn"], **how)
    assert [point.scheduler for point in whole.points] == ["fcfs", "sptf", "look_lbn"]
    assert "fcfs" not in counted[len(begun) :]


@pytest.mark.xdist_group("registered")
def test_a_policy_of_ones_own_is_run_again(tmp_path: Path, counted: list[str]) -> None:
    """A user's policy runs again, because no key has its content and its name says nothing of it."""
    sledsim.extend.register_scheduler("compared-oldest", lambda now_s, waiting: 0, "The oldest first.")
    for _ in range(2):
        _again(tmp_path, ["fcfs", "compared-oldest"])
    assert sorted(counted) == ["compared-oldest", "compared-oldest", "fcfs"]


def test_rows_are_written_as_the_ending_says(found: sledsim.results.Comparison, tmp_path: Path) -> None:
    import json

    import pyarrow.parquet

    path = found.write(tmp_path / "rows.json")
    assert json.loads(path.read_text()) == found.rows()
    table = pyarrow.parquet.read_table(found.write(tmp_path / "rows.parquet"))
    assert table.to_pylist() == found.rows()
    with pytest.raises(sledsim.ParameterError, match=r"ends in \.parquet, \.csv or \.json"):
        found.write(tmp_path / "rows.txt")


@pytest.mark.dear("many points of a study are simulated")
def test_a_chart_has_a_row_for_each_device(found: sledsim.results.Comparison) -> None:
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    drawn = found.plot().to_dict()
    titles = [one.get("title") for one in drawn["vconcat"]]
    assert titles == ["osdi00", "atlas10k", "cf-card", "mirror"]


REFUSED: dict[str, Callable[[], object]] = {
    "is given twice": lambda: sledsim.compare("osdi00", WORK, ["fcfs", "FCFS"]),
    "osdi00": lambda: sledsim.compare(["osdi00", "osdi00"], WORK),
    "unknown scheduler": lambda: sledsim.compare(DEVICES, WORK, "stpf"),
    "workers = 0": lambda: sledsim.compare(DEVICES, WORK, workers=0),
    "scales: expected positive numbers, found '2'": lambda: sledsim.compare("osdi00", WORK, scales=["2"]),
    "lifetime_years: needs the price": lambda: sledsim.compare("osdi00", WORK, lifetime_years=3),
    "rate": lambda: sledsim.compare(DEVICES, "random:rate=-1"),
}


@pytest.mark.parametrize("words", REFUSED)
def test_unsupported_requests_are_reported(words: str) -> None:
    with pytest.raises(sledsim.ParameterError, match=words):
        REFUSED[words]()


@pytest.mark.dear("many points of a study are simulated")
def test_all_is_every_policy_and_one_scale_needs_no_list() -> None:
    # A separate process, because other tests register policies, some of which break.
    code = 'import sledsim; found = sledsim.compare("osdi00", "random:rate=60,count=100", "all", 2); '
    code += "assert [one.scheduler for one in found.points] == list(sledsim.schedulers())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_results_do_not_depend_on_threads(found: sledsim.results.Comparison) -> None:
    one = sledsim.compare(DEVICES, WORK, ["fcfs", "sptf"], [1, 2], volumes="mirror", workers=1)
    assert one == found
    assert isinstance(one.points[0], Point) and comparing.run_comparison is run_comparison
