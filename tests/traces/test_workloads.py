"""Generated workloads in Python and on the command line."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import sledsim
from sledsim.cli.rates import curve_options

from ..conftest import Cli, leftovers

NAMES = list(sledsim.workloads())


def same(first: sledsim.Trace, second: sledsim.Trace) -> bool:
    pairs = zip(first.columns().values(), second.columns().values(), strict=True)
    return all(np.array_equal(one, other) for one, other in pairs)


@pytest.mark.parametrize("name", NAMES)
def test_every_workload_can_be_drawn_and_run(device: sledsim.Device, name: str) -> None:
    trace = sledsim.workload(name, device, rate=500, count=300, seed=2)
    assert (len(trace.transfers()), trace.seed) == (300, 2)
    assert trace.source == f"{name}:rate=500,count=300,seed=2"
    assert same(trace, sledsim.workload(trace.source, device))
    assert not same(trace, sledsim.workload(name, device, rate=500, count=300, seed=3))
    assert sledsim.simulate(device, trace, "sptf").summary()["requests"] == 300


def test_random_is_the_random_workload(device: sledsim.Device, workload: sledsim.Trace) -> None:
    assert same(sledsim.workload("random", device, rate=900, count=2000, seed=7), workload)
    assert same(sledsim.workload("random:rate=900,count=2000", device, seed=7), workload)
    assert sledsim.workload("random:rate=900,count=2000", device, seed=7).source == workload.source


@pytest.mark.parametrize("name", NAMES)
def test_the_catalogue_has_every_option(name: str) -> None:
    options = sledsim.listings.workload_options(name)
    assert list(options)[:3] == ["rate", "count", "seed"]
    assert options["rate"][:2] == ("day" if name == "metadata" else "", "1/s")
    assert all(text for _, _, text in options.values())


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("zipff", {"rate": 1}, 'unknown workload "zipff": did you mean "zipf"'),
        ("zipf", {"rat": 1}, 'unknown option of zipf "rat": did you mean "rate"'),
        ("zipf:rate=1", {"rate": 2}, "zipf: rate is given twice"),
        ("zipf", {}, "zipf: rate is missing"),
        ("zipf", {"rate": 1, "theta": "steep"}, "zipf: theta = steep: expected a number from 0 to 10"),
        ("zipf", {"rate": 1, "count": 2.5}, "zipf: count = 2.5: expected a whole number from 1"),
    ],
)
def test_what_cannot_be_is_named(
    device: sledsim.Device, name: str, options: dict[str, float], message: str
) -> None:
    with pytest.raises(sledsim.ParameterError, match=message):
        sledsim.workload(name, device, **options)


def test_the_command_line_draws_the_same(cli: Cli, tmp_path: Path, device: sledsim.Device) -> None:
    name = "Zipf:rate=500,count=200,theta=1.2"
    done = cli("run", name, "--scheduler", "fcfs", "--out", "out.parquet", "--json")
    assert json.loads(done.stdout)["requests"] == 200
    run = sledsim.read_run(tmp_path / "here" / "out.parquet")
    assert run.settings.trace == "zipf:rate=500,count=200,seed=1,theta=1.2"
    assert np.array_equal(run.columns["lbn"], sledsim.workload(name, device).lbn)


def test_curves_of_any_workload(device: sledsim.Device) -> None:
    given = curve_options("organpipe:mean=0.1,seed=4", replications=2, count=300)
    curves = sledsim.response_curves(device, ["fcfs"], [400, 500], **given)
    assert curves.workload == "organpipe:mean=0.1"
    assert [row["rate_per_s"] for row in curves.rows()] == [400, 500]
    drawn = given["draw"](device, 400.0, 4)
    assert same(drawn, sledsim.workload("organpipe:rate=400,count=300,seed=4,mean=0.1", device))


@pytest.mark.dear("many requests are read and written", every_change=True)
def test_notes_of_a_workload_are_printed(cli: Cli, device: sledsim.Device) -> None:
    name = "metadata:count=1000,day=1999-01-14"
    (note,) = sledsim.workload(name, device).notes
    assert note.startswith("Reached (and published): 1000 requests (1000); 763 writes (763);")
    assert sledsim.workload("random:rate=9,count=9", device).notes == ()
    assert note in cli("run", name).stderr
    assert note in cli("trace", "info", name).stderr
    assert json.loads(cli("trace", "info", name, "--json").stdout)["notes"] == [note]


def test_curves_of_a_day_are_its_scaled_replay(device: sledsim.Device) -> None:
    given = curve_options("metadata:day=1999-01-14", replications=2, count=500)
    curves = sledsim.response_curves(device, ["fcfs"], [50, 100], **given)
    assert [row["rate_per_s"] for row in curves.rows()] == [50, 100]
    slow, fast = (given["draw"](device, rate, 1) for rate in (50.0, 100.0))
    assert np.array_equal(slow.lbn, fast.lbn)
    assert np.abs(slow.arrival_ns - 2 * fast.arrival_ns).max() <= 2


@pytest.mark.parametrize(
    ("trace", "message"),
    [
        ("zipff:rate=5", 'unknown workload "zipff": did you mean "zipf"? known: random, '),
        ("zipf:rat=5", 'unknown option of zipf "rat": did you mean "rate"? known: rate, count'),
        ("zipf", "zipf: no such file; did you mean 'zipf:rate=...'?"),
        ("zipf:rate=5,hurst=0.7", "hurst = 0.7: expected no value with arrivals=poisson"),
    ],
)
def test_wrong_workloads_on_the_command_line(cli: Cli, tmp_path: Path, trace: str, message: str) -> None:
    done = cli("run", trace)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr
    assert leftovers(tmp_path) == []


@pytest.mark.dear("many requests are read and written")
def test_files_may_be_called_as_they_like(cli: Cli, tmp_path: Path, trace_file: Path) -> None:
    for name in ("zipf", "other:rate=5"):
        (tmp_path / "here" / name).write_bytes(trace_file.read_bytes())
        assert json.loads(cli("run", name, "--json").stdout)["requests"] == 4


def test_the_list_on_the_command_line(cli: Cli) -> None:
    listed = json.loads(cli("list", "workloads", "--json").stdout)
    assert {name: row["description"] for name, row in listed.items()} == sledsim.workloads()
    printed = cli("list", "workloads").stdout
    for name in NAMES:
        assert name in printed
        for option, (default, unit, text) in sledsim.listings.workload_options(name).items():
            shown = listed[name]["options"][option]
            assert (shown["unit"], shown["default"], shown["description"]) == (unit, default, text)
            assert shown["kind"] and shown["range"]
            of_all = any(line.split()[:1] == [option] and default in line for line in printed.splitlines())
            assert of_all or f"{option}={default}" in printed


def test_completion_offers_workloads_and_their_options(complete: Callable[[str], str]) -> None:
    assert "zipf:" in complete("sledsim run zi")
    offered = complete("sledsim run zipf:rate=5,")
    assert all(f"zipf:rate=5,{option}=" in offered for option in sledsim.listings.workload_options("zipf"))
    assert "theta" not in complete("sledsim run zipf:rate=5,arr")
    assert complete("sledsim run nothing:").strip() == ""
