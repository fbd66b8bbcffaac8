"""Input at the edges: each gives a result or a clear error."""

from pathlib import Path

import numpy as np
import pytest

import sledsim
from sledsim.traces.tools import scale_trace

from ..conftest import Cli, leftovers


def test_a_device_smaller_than_a_sector_is_refused() -> None:
    tiny = {"stroke_x_nm": 40, "stroke_y_nm": 4400, "tips": 1, "active_tips": 1, "tips_per_block": 1}
    with pytest.raises(sledsim.ParameterError, match="smaller than a sector of 512 bytes"):
        sledsim.device("osdi00", **tiny)


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("access_velocity_mm_per_s", 1e-11, "a row would take"),
        ("access_velocity_mm_per_s", 1e200, "1e200: must be a positive number, at most 1000000 mm/s"),
        ("access_velocity_mm_per_s", 500.0, "not reached from rest"),
        ("acceleration_m_per_s2", 5e-324, "not reached from rest"),
        ("acceleration_m_per_s2", 1e-3, "not reached from rest"),
        ("settle_ms", float("nan"), "must be a number"),
        ("spring_factor", 1.0, "below 1"),
        ("tips", -1, "whole number"),
        ("stroke_x_nm", 2**63 - 1, "must be a whole number from 1 to"),
    ],
)
def test_impossible_devices_are_refused(key: str, value: float, words: str) -> None:
    with pytest.raises(sledsim.ParameterError, match=words):
        sledsim.device("osdi00", **{key: value})


@pytest.mark.parametrize(("key", "value"), [("count", 0), ("count", 2**64), ("seed", -1), ("seed", 2**64)])
def test_numbers_that_no_workload_has(device: sledsim.Device, key: str, value: int) -> None:
    with pytest.raises(sledsim.ParameterError, match=f"{key} = {value}: must be a whole number"):
        sledsim.random_workload(device, rate_per_s=10, **{key: value})


def test_a_seed_too_large_on_the_command_line(cli: Cli) -> None:
    done = cli("run", "random:rate=10,count=5,seed=99999999999999999999999")
    assert done.returncode == 2
    assert "seed = 99999999999999999999999: expected a whole number" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_format_needs_a_file(cli: Cli) -> None:
    done = cli("run", "random:rate=10", "--format", "disksim")
    assert (done.returncode, "applies only to trace files" in done.stderr) == (2, True)


def test_results_go_where_a_link_points(run: sledsim.Run, tmp_path: Path) -> None:
    target, link = tmp_path / "target.parquet", tmp_path / "link.parquet"
    link.symlink_to(target)
    run.write(link)
    assert link.is_symlink()
    assert sledsim.read_run(target).summary() == run.summary()
    assert leftovers(tmp_path) == ["link.parquet", "target.parquet"]


def test_absolute_times_can_be_slowed_down(device: sledsim.Device) -> None:
    epoch_ns = 1_700_000_000 * 10**9
    arrival_ns = epoch_ns + np.array([0, 10**6])
    trace = sledsim.Trace(arrival_ns=arrival_ns, lbn=[0, 8], blocks=[8, 8])
    found = sledsim.simulate(device, trace, "fcfs", scale=0.1)
    assert found.columns["arrival_ns"].tolist() == [epoch_ns, epoch_ns + 10**7]
    assert scale_trace(trace, 0.1).arrival_ns.tolist() == [epoch_ns, epoch_ns + 10**7]
    # Time before the first request does not count as idle.
    assert found.totals["idle_energy_j"] < 1
    with pytest.raises(sledsim.ParameterError, match="scale = 1e-13: expected arrival times below 4e18 ns"):
        sledsim.simulate(device, trace, "fcfs", scale=1e-13)


def test_the_same_point_twice_is_refused(device: sledsim.Device, workload: sledsim.Trace) -> None:
    with pytest.raises(sledsim.ParameterError, match="sptf at scale 1 is given twice"):
        sledsim.compare(device, workload, ["SPTF", "sptf"])


def test_scales_that_look_alike_have_files_of_their_own(
    device: sledsim.Device, workload: sledsim.Trace, tmp_path: Path
) -> None:
    sledsim.compare(device, workload, ["fcfs"], [1, 1.0000001], folder=tmp_path)
    files = ["fcfs-x1.0000001.parquet", "fcfs-x1.parquet"]
    assert leftovers(tmp_path) == ["comparison.ledger", *files, "summary.csv"]


def test_one_bit_beyond_the_stroke_is_a_place(device: sledsim.Device) -> None:
    assert device.turnaround_s(50.04e-6, 1) > 0
    with pytest.raises(sledsim.ParameterError, match="must lie within the travel"):
        device.turnaround_s(51e-6, 1)


def test_other_block_sizes_take_the_same_traces() -> None:
    large = sledsim.device("osdi00", tips_per_block=128)
    assert large.characteristics()["capacity_bytes"] == 1024 * large.characteristics()["blocks"]
    trace = sledsim.random_workload(large, rate_per_s=500, count=500, seed=1)
    assert len(sledsim.simulate(large, trace, "sptf").requests) == 500


def test_a_result_that_lost_a_column_is_named(run: sledsim.Run, tmp_path: Path) -> None:
    import pyarrow.parquet

    path = run.write(tmp_path / "run.parquet")
    table = pyarrow.parquet.read_table(path)
    pyarrow.parquet.write_table(table.drop_columns(["rows"]), path)
    with pytest.raises(sledsim.TraceError, match="expected a whole result written by sledsim"):
        sledsim.read_run(path)


def test_past_the_end_names_the_trace(trace_file: Path, device: sledsim.Device) -> None:
    trace_file.write_text("0.0 0 9000000 8 1\n")
    with pytest.raises(sledsim.TraceError, match=rf"{trace_file.name}: request 0: LBN 9000000"):
        sledsim.simulate(device, sledsim.read_trace(trace_file))
