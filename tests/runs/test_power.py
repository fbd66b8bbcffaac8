"""Power over time: it adds up to the ledger, and is written as a table and as plots."""

from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

import sledsim

from ..conftest import Cli


def _energy_j(table: pyarrow.Table, column: str) -> float:
    lasts_s = table["to_s"].to_numpy() - table["from_s"].to_numpy()
    return float((table[column].to_numpy() * lasts_s).sum())


@pytest.mark.parametrize("policy", ["always-on", "timeout:ms=2", "immediate", "oracle"])
def test_power_adds_up_to_the_ledger(policy: str) -> None:
    device = sledsim.device("emsoft08", power_policy=policy)
    run = sledsim.simulate(device, sledsim.random_workload(device, rate_per_s=20, count=500, seed=3))
    table = run.power()
    uses_j = {use: joules for use, joules in run.energy_by_use_j.items() if joules}
    assert {f"{use}_w" for use in uses_j} == set(table.column_names[4:])
    for use, joules in uses_j.items():
        assert _energy_j(table, f"{use}_w") == pytest.approx(joules, rel=1e-9)
    assert _energy_j(table, "power_w") == pytest.approx(run.summary()["energy_j"], rel=1e-9)
    assert 256 <= len(table) <= 512
    from_s, to_s = table["from_s"].to_numpy(), table["to_s"].to_numpy()
    assert np.array_equal(from_s[1:], to_s[:-1])
    assert from_s[0] == pytest.approx(run.columns["arrival_ns"][0] * 1e-9)
    assert to_s[-1] == pytest.approx(run.columns["completion_ns"].max() * 1e-9)


def test_a_device_at_rest_takes_what_its_file_says() -> None:
    device = sledsim.device("emsoft08", power_policy="timeout:ms=1")
    zero, second_ns = np.zeros(2, np.int64), np.array([0, 10**9], np.int64)
    blocks = np.full(2, 8, np.int32)
    run = sledsim.simulate(device, sledsim.Trace(arrival_ns=second_ns, lbn=zero, blocks=blocks))
    middle = run.power().slice(100, 300).to_pylist()
    rest_w = device.parameters["inactive_power_mw"] * 1e-3
    assert all(row["inactive_w"] == pytest.approx(rest_w) for row in middle)
    assert all(row["power_w"] == row["inactive_w"] for row in middle)


def test_each_member_of_a_volume_has_its_power() -> None:
    volume = sledsim.volume("raid5")
    run = sledsim.simulate(volume, sledsim.random_workload(volume, rate_per_s=500, count=300, seed=1))
    table = run.power()
    assert table["device"].unique().to_pylist() == [row["device"] for row in run.devices]
    assert _energy_j(table, "power_w") == pytest.approx(run.summary()["energy_j"], rel=1e-9)


def test_power_over_time_is_kept_with_the_run(tmp_path: Path) -> None:
    device = sledsim.device("osdi00")
    run = sledsim.simulate(device, sledsim.random_workload(device, rate_per_s=500, count=300, seed=1))
    run.write(tmp_path / "run.parquet")
    assert sledsim.read_run(tmp_path / "run.parquet").power().equals(run.power())


@pytest.mark.dear("many requests are simulated and computed again")
def test_the_command_line_writes_table_and_plots(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "power"
    made = cli("run", "random:rate=50,count=300", "-d", "emsoft08", "--power", folder)
    assert made.returncode == 0, made.stderr
    names = {path.name for path in folder.iterdir()}
    assert names == {f"power.{ending}" for ending in ("parquet", "csv", "html", "png", "svg")}
    table = pyarrow.parquet.read_table(folder / "power.parquet")
    assert table.column_names[:4] == ["device", "from_s", "to_s", "power_w"]
    assert f"power over time: {folder}/power.parquet" in made.stderr
    held = tmp_path / "file"
    held.write_text("")
    refused = cli("run", "random:rate=50,count=300", "--power", held)
    assert refused.returncode != 0
    assert str(held) in refused.stderr and "Traceback" not in refused.stderr


@pytest.mark.dear("many requests are simulated and computed again")
def test_the_picture_says_the_energy_of_uses_that_are_too_thin_to_be_seen() -> None:
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    from sledsim.charts.power_chart import power_chart
    from sledsim.runs.power_over_time import Power

    device = sledsim.device("osdi00", power_policy="timeout:ms=10")
    run = sledsim.simulate(device, sledsim.random_workload(device, rate_per_s=20, count=300, seed=1))
    chart = power_chart(Power(run.power(), "random")).to_dict()
    names = chart["vconcat"][0]["encoding"]["color"]["scale"]["domain"]
    used = {use: joules for use, joules in run.energy_by_use_j.items() if joules}
    whole_j = sum(used.values())
    assert set(names) == {f"{use}: {joules:.3g} J ({joules / whole_j:.1%})" for use, joules in used.items()}
    assert {row["use"] for data in chart["datasets"].values() for row in data} == set(names)
