"""Traces with a coarse clock: their doubts, and replays with requests spread within ticks."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sledsim
from sledsim.runs.overview import overview
from sledsim.runs.spread_runs import spread_runs
from sledsim.traces.evidence import clock_of
from sledsim.traces.tools import spread

from ..conftest import Cli

_FIGURES = ("mean_response_s", "p99_response_s")
_TICKS_NS = (1_000_000, 10_000_000, 100_000_000, 1_000_000_000)


def _rounded(trace: sledsim.Trace, tick_ns: int) -> sledsim.Trace:
    return replace(trace, arrival_ns=trace.arrival_ns // tick_ns * tick_ns)


def _poisson(seed: int, count: int = 2000) -> sledsim.Trace:
    return sledsim.random_workload("osdi00", rate_per_s=200, count=count, seed=seed)


@pytest.mark.parametrize("how", ["uniform", "poisson"])
def test_spreading_keeps_order_and_numbers_of_requests_in_each_tick(how: str) -> None:
    coarse = _rounded(_poisson(3), 10_000_000)
    one, other = spread(coarse, how), spread(coarse, how, seed=2)
    for moved in (one, other):
        assert (moved.arrival_ns // 10_000_000 * 10_000_000 == coarse.arrival_ns).all()
        assert (np.diff(moved.arrival_ns) >= 0).all()
        assert (moved.lbn == coarse.lbn).all()
    assert (one.arrival_ns != other.arrival_ns).mean() > 0.9
    assert (spread(coarse, how).arrival_ns == one.arrival_ns).all()


def test_requests_of_a_tick_at_equal_distances_are_as_far_apart() -> None:
    arrival_ns = np.repeat(np.arange(8) * 1_000_000, 4)
    trace = sledsim.Trace(arrival_ns, np.arange(32) * 8, np.full(32, 8))
    within = np.diff(spread(trace, "uniform").arrival_ns.reshape(8, 4))
    assert np.abs(within - 250_000).max() <= 1


def test_uneven_ticks_are_found_and_end_where_the_next_begins() -> None:
    ticks_ms = np.floor(np.arange(400) * 15.625)
    trace = _poisson(5)
    at = np.minimum((trace.arrival_ns / 15.625e6).astype(int), 399)
    coarse = replace(trace, arrival_ns=(ticks_ms[at] * 1e6).astype(np.int64))
    found_ns = clock_of(coarse.arrival_ns).tick_ns()
    assert found_ns == pytest.approx(15.625e6, rel=0.01)
    moved = spread(coarse)
    starts = np.unique(coarse.arrival_ns)
    assert (starts[np.searchsorted(starts, moved.arrival_ns, "right") - 1] == coarse.arrival_ns).all()


@pytest.mark.parametrize("tick_ns", [1, 1000])
def test_exact_clocks_are_not_doubted_and_not_spread(tick_ns: int) -> None:
    trace = _rounded(_poisson(1), tick_ns)
    assert overview(trace, "osdi00").doubts == ()
    with pytest.raises(sledsim.ParameterError, match="found an exact clock"):
        spread(trace)


@pytest.mark.parametrize("tick_ns", _TICKS_NS[1:])
def test_clocks_coarser_than_the_device_are_doubted(tick_ns: int) -> None:
    (doubt,) = overview(_rounded(_poisson(1), tick_ns), "osdi00").doubts
    assert "bursts that the clock made" in doubt and "--spread" in doubt


def test_coarse_clocks_of_rare_requests_are_not_doubted() -> None:
    arrival_ns = np.arange(200) * 10**9
    trace = sledsim.Trace(arrival_ns, np.arange(200) * 8, np.full(200, 8))
    assert overview(trace, "osdi00").doubts == ()


@pytest.mark.dear("up to 22 replays of a trace for each tick", every_change="poisson")
@pytest.mark.parametrize("how", ["poisson", "uniform"])
def test_intervals_of_spread_arrivals_hold_the_exact_figures(how: str) -> None:
    held, said, cases = 0, 0, 0
    for trace in (
        _poisson(11),
        _poisson(12),
        sledsim.bundled_trace("ext2-1k").replayed().rows(slice(0, 2000)),
    ):
        exact = sledsim.simulate("osdi00", trace, past_end="wrap", columns="times").summary()
        for tick_ns in _TICKS_NS:
            found = spread_runs("osdi00", _rounded(trace, tick_ns), how, past_end="wrap")
            for one in found.figures:
                if one.figure in _FIGURES:
                    cases += 1
                    said += one.is_hidden
                    held += one.is_hidden or one.low <= exact[one.figure] <= one.high
    # A 95 % interval misses one in twenty; 24 cases.
    assert cases == 24 and held >= 22
    # Long ticks hide the figures of the capture, and not those of Poisson arrivals.
    assert 0 < said < 16


@pytest.mark.dear("commands replay a trace with many seeds", every_change=True)
def test_the_command_gives_each_figure_an_interval(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "whole-seconds.csv"
    rows = [f"{at // 40},{at * 7919 % 100000 * 8},8,R" for at in range(1400)]
    file.write_text("time_s,lbn,sectors,op\n" + "\n".join(rows) + "\n")
    plain = cli("run", file, "--past-end", "wrap", "--json")
    (doubt,) = (doubt for doubt in json.loads(plain.stdout)["overview"]["doubts"] if "--spread" in doubt)
    # Beside the result, last.
    assert f"doubtful: {doubt}" in plain.stderr.splitlines()[-2:]
    told = json.loads(cli("run", file, "--past-end", "wrap", "--json", "--spread", "uniform").stdout)
    spread_of = {one["figure"]: one for one in told["spread"]["figures"]}
    assert told["spread"]["tick_s"] == 1.0
    mean = spread_of["mean_response_s"]
    assert mean["low"] < mean["value"] < mean["high"]
    assert mean["recorded"] > 5 * mean["value"]


def test_a_cut_of_gaps_leaves_the_tick_of_the_clock(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "gaps.csv"
    rows = [f"{at // 5 + 3 * (at // 50)},{at * 7919 % 100000 * 8},8,R" for at in range(300)]
    file.write_text("time_s,lbn,sectors,op\n" + "\n".join(rows) + "\n")
    options = ("--cut-gaps=1500ms", "--spread", "poisson", "--past-end", "wrap", "--json")
    told = cli("run", file, *options)
    found = json.loads(told.stdout)
    assert found["spread"]["tick_s"] == 1.0
    # Spread requests have no doubtful clock.
    assert found["doubts"] == [] and "doubtful" not in told.stderr
    lows = {one["figure"]: one["low"] for one in found["spread"]["figures"]}
    quantiles = [lows[f"{name}_response_s"] for name in ("p50", "p95", "p99", "p999", "max")]
    assert quantiles == sorted(quantiles)
    assert lows["mean_service_s"] <= lows["mean_response_s"]


def test_a_doubt_of_a_speed_up_names_the_clock_of_the_trace() -> None:
    (doubt,) = overview(_rounded(_poisson(1), 10_000_000), "osdi00", scale=2).doubts
    assert "ticks of about 10 ms (5 ms at speed-up 2)" in doubt
