"""Doubts about recordings beside the results of comparisons and sweeps."""

import json
from pathlib import Path

import numpy as np
import pytest

import sledsim

from ..conftest import Cli


@pytest.fixture
def coarse(tmp_path: Path) -> Path:
    """Return a file whose requests have times in whole seconds."""
    path = tmp_path / "coarse.csv"
    rows = [f"{at // 20},{at * 7919 % 100000 * 8},8,R" for at in range(200)]
    path.write_text("time_s,lbn,sectors,op\n" + "\n".join(rows) + "\n")
    return path


def test_rows_of_a_comparison_have_the_doubts_about_their_trace(coarse: Path) -> None:
    found = sledsim.compare("osdi00", [str(coarse), "random:rate=100,count=50"], "fcfs")
    doubted, exact = found.rows()
    assert "multiples of about 1 s" in doubted["doubts"]
    assert exact["doubts"] is None
    assert found.conclusions()[-1] == f"{coarse}: doubtful: {doubted['doubts']}"


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_rows_of_a_sweep_have_the_doubts_about_their_trace(coarse: Path, tmp_path: Path, format: str) -> None:
    trace = coarse
    if format == "parquet":
        trace = coarse.with_suffix(".parquet")
        sledsim.read_trace(coarse).to_pandas().to_parquet(trace)
    found = sledsim.sweep([str(trace), "demo"], schedulers="fcfs", folder=tmp_path / "kept")
    (doubt,) = found.doubts()[str(trace)]
    assert "multiples of about 1 s" in doubt
    table = found.table().to_pylist()
    assert {row["workload"]: row["doubts"] for row in table} == {str(trace): doubt, "demo": None}


def test_tables_without_doubtful_traces_have_no_column_for_doubts(tmp_path: Path) -> None:
    found = sledsim.sweep("demo", schedulers="fcfs", folder=tmp_path)
    assert "doubts" not in found.table().column_names
    assert found.doubts() == {}


@pytest.mark.dear("commands simulate and sweep", every_change=True)
def test_the_commands_print_doubts_and_formats(cli: Cli, coarse: Path, tmp_path: Path) -> None:
    told = cli("study", "sweep", coarse, "--out", tmp_path / "kept", "--json")
    assert "a table (csv): the columns were recognised by name" in told.stderr
    assert "multiples of about 1 s" in json.loads(told.stdout)["doubts"][str(coarse)][0]
    shown = cli("compare", coarse, "--schedulers", "fcfs,sptf").stdout
    assert f"{coarse}: doubtful: times are multiples of about 1 s" in shown
    spc = tmp_path / "other"
    sledsim.write_trace(sledsim.demo_trace(), spc, "spc")
    assert f"{spc}: recognised as spc" in cli("compare", spc, "--schedulers", "fcfs").stderr
    assert "recognised as" not in cli("run", spc, "--format", "spc").stderr


def test_files_of_every_format_have_evidence_on_their_clock(coarse: Path) -> None:
    trace = sledsim.read_trace(coarse)
    table = coarse.with_suffix(".parquet")
    trace.to_pandas().to_parquet(table)
    expected = [one for one in trace.evidence if one.aspect == "clock"]
    for found in (sledsim.read_trace(table), sledsim.open_trace(table).read()):
        assert list(found.evidence) == expected
        assert (found.arrival_ns == trace.arrival_ns).all()
    sledsim.write_trace(trace, table)
    again = sledsim.read_trace(table)
    assert again.evidence == trace.evidence
    assert np.array_equal(again.lbn, trace.lbn)


def test_a_result_is_as_doubtful_as_its_trace(coarse: Path, tmp_path: Path) -> None:
    for name, trace in {"coarse": sledsim.read_trace(coarse), "demo": sledsim.demo_trace()}.items():
        result = tmp_path / f"{name}.run.parquet"
        run = sledsim.simulate(sledsim.device("osdi00"), trace, "fcfs", past_end="wrap")
        run.write(result)
        found = [one.text for one in sledsim.read_trace(result).evidence if one.verdict == "doubtful"]
        assert found[: len(run.settings.doubts)] == [*run.settings.doubts]
        assert bool(run.settings.doubts) == bool(found) == (name == "coarse")
