"""Figures of a run after its warm-up, against arithmetic and against queueing theory."""

import math

import numpy as np
import pytest
from numpy.typing import ArrayLike
from scipy import integrate, optimize

import sledsim
from sledsim.common.declared import default_of
from sledsim.exploration.question_options import CurveOptions
from sledsim.runs import intervals, steady_state
from sledsim.runs.curve_points import CurvePoint, replicated_point
from sledsim.runs.run import Run
from sledsim.runs.run_settings import RunSettings
from sledsim.runs.steady_state import observe

from ..conftest import repeated
from ..exact_queue import exact

SETTINGS = RunSettings("0", {}, "fcfs", "fcfs", 1.0, "error", "open", "python", None, {})


def made(arrival_ns: ArrayLike, start_ns: ArrayLike, completion_ns: ArrayLike) -> Run:
    """Return a run of one device that only transfers, without a bus."""
    arrival, start, completion = (np.array(column) for column in (arrival_ns, start_ns, completion_ns))
    nothing = np.zeros(len(arrival), np.int64)
    columns = dict.fromkeys([*steady_state.SERVICE_PHASES, "bus_ns"], nothing)
    columns |= {"arrival_ns": arrival, "start_ns": start, "completion_ns": completion}
    columns["transfer_ns"] = completion - start
    totals = {
        "busy_s": [1.0],
        "volumes": [],
        "requests": len(arrival),
        "first_arrival_ns": arrival[0],
        "last_arrival_ns": arrival[-1],
        "last_completion_ns": completion.max(),
        "phases_ns": {name: columns[name].sum() for name in steady_state.SERVICE_PHASES},
        "responses": None,
    }
    return Run(columns, totals, SETTINGS)


def test_measures_of_a_run_worked_out_by_hand() -> None:
    # Served from 0 to 4, from 4 to 8, and from 10 to 12; the last arrival ends the time averages.
    run = made([0, 2, 10], [0, 4, 10], [4, 8, 12])
    figures = steady_state.measure(run, slice(0, 3))
    assert figures["mean_response_s"] == pytest.approx((4 + 6 + 2) / 3 * 1e-9)
    assert figures["max_response_s"] == pytest.approx(6e-9)
    assert figures["mean_service_s"] == pytest.approx((4 + 4 + 2) / 3 * 1e-9)
    assert figures["mean_queue_length"] == pytest.approx((4 + 6) / 10)
    assert figures["utilization"] == pytest.approx(8 / 10)


def test_what_came_before_the_window_is_still_in_the_queue() -> None:
    run = made([0, 2, 10], [0, 4, 10], [4, 8, 12])
    figures = steady_state.measure(run, slice(1, 3))
    assert figures["mean_queue_length"] == pytest.approx((2 + 6) / 8)  # From 2 to 10.
    assert figures["utilization"] == pytest.approx(6 / 8)
    assert figures["mean_response_s"] == pytest.approx(4e-9)


@pytest.mark.filterwarnings("error")
def test_requests_that_come_at_once_have_no_mean_over_time() -> None:
    figures = steady_state.measure(made([5, 5], [5, 6], [6, 7]), slice(0, 2))
    assert np.isnan(figures["mean_queue_length"])
    assert figures["mean_response_s"] == pytest.approx(1.5e-9)


def test_growth_is_of_what_is_in_the_system_when_measuring_begins_and_ends() -> None:
    # The first of five is not measured: from 2 to 10, from the first in service to all but two done.
    run = made([0, 2, 3, 4, 10], [0, 4, 6, 9, 11], [4, 6, 9, 11, 12])
    assert steady_state.observe(run, 0.2).growth == 2 - 2
    assert steady_state.observe(run, 0.0).growth == 2 - 1


@pytest.mark.parametrize("warm_up", [0.0, 0.2, 0.5])
def test_growth_at_capacity_is_that_of_a_root(warm_up: float) -> None:
    middle = (1 + warm_up) / 2
    earlier = integrate.quad(np.sqrt, warm_up, middle)[0] / (middle - warm_up)
    assert steady_state.growth_at_capacity(warm_up) == pytest.approx((1 - np.sqrt(warm_up)) / earlier)
    overloaded = (1 - warm_up) / ((warm_up + middle) / 2)
    assert 0 < steady_state.growth_at_capacity(warm_up) < overloaded


def seen(
    queue: tuple[float, float],
    utilization: float,
    drain: float,
    longest: float = 0.01,
    growth: int = 0,
    swings: int = 0,
) -> steady_state.Observation:
    return steady_state.Observation(
        {"utilization": utilization},
        np.array([1.0]),
        np.array([0, 0, 5, 9] * swings or [0]),
        growth,
        *queue,
        drain,
        longest,
    )


def test_saturation_is_judged_by_all_replications_together() -> None:
    least = 10 * steady_state.growth_at_capacity(0.2)
    steady, slower, faster = (seen((10, 10), 0.99, 0.01, growth=round(least + by)) for by in (-9, -1, 2))
    assert not steady_state.is_saturated([steady] * 3, 0.2)
    assert not steady_state.is_saturated([slower] * 3, 0.2)
    assert steady_state.is_saturated([faster] * 3, 0.2)
    assert steady_state.is_saturated([faster], 0.2)
    # Faster on average, but within chance.
    assert not steady_state.is_saturated([faster, faster, faster, seen((10, 10), 0.99, 0.01, growth=5)], 0.2)
    # A device that idles now and then has time to catch up, whatever the queue did by chance.
    assert not steady_state.is_saturated([seen((10, 20), 0.9, 0.01, growth=20)], 0.2)
    assert steady_state.is_saturated([seen((10, 11), 0.9, 0.11)], 0.2)


def test_a_busy_queue_is_at_rest_where_it_is_known_not_to_grow() -> None:
    steady, growing, shrinking = (seen((10, later), 0.99, 0.01) for later in (10.9, 11.2, 9))
    assert steady_state.is_at_rest([steady] * 3)
    assert not steady_state.is_at_rest([growing] * 3)
    assert steady_state.is_at_rest([steady, shrinking, shrinking, shrinking])
    # The device does not idle on average, but within chance, unless work has come and gone often.
    assert not steady_state.is_at_rest([growing, steady, shrinking, steady])
    often = seen((10, 10.9), 0.99, 0.01, swings=steady_state.SETTLED_SWINGS)
    assert steady_state.is_at_rest([growing, often, shrinking, steady])
    assert not steady_state.is_at_rest([growing, often, growing, steady])
    assert steady_state.is_at_rest([seen((10, 20), 0.9, 0.01)] * 3)


#: Queues of known answers, made without a simulator: one server, Poisson arrivals, a constant service of 1 s.
SECOND_NS = 1_000_000_000


def queue(random: np.random.Generator, load: float, count: int) -> Run:
    """Serve requests in order of arrival: each begins at its arrival or the end of the last (Lindley)."""
    arrival_ns = np.rint(np.cumsum(random.exponential(1 / load, count)) * SECOND_NS).astype(np.int64)
    number = np.arange(count)
    start_ns = number * SECOND_NS + np.maximum.accumulate(arrival_ns - number * SECOND_NS)
    return made(arrival_ns, start_ns, start_ns + SECOND_NS)


def points(load: float, repeats: int, seed: int) -> list[CurvePoint]:
    """Return the point of a curve of the usual length, again and again with other requests."""
    random, warm_up = np.random.default_rng(seed), steady_state.WARM_UP

    def point() -> CurvePoint:
        count, runs = (default_of(CurveOptions, name) for name in ("count", "replications"))
        seen = [observe(queue(random, load, count), warm_up) for _ in range(runs)]
        return replicated_point("fcfs", load, seen, 0.95)

    return [point() for _ in range(repeats)]


def test_the_exact_queue_is_what_the_simulator_does() -> None:
    card = sledsim.device("cf-card").with_parameters(wake_ms=0.0)
    trace = sledsim.workload("random:rate=1500,count=5000,sizes=fixed,seed=3", card)
    run = sledsim.simulate(card, trace, "fcfs")
    service_ns = (run.columns["completion_ns"] - run.columns["start_ns"])[0]
    number = np.arange(len(trace))
    come_ns = run.columns["arrival_ns"] - number * service_ns
    expected_ns = np.maximum.accumulate(come_ns) + (number + 1) * service_ns
    np.testing.assert_array_equal(run.columns["completion_ns"], expected_ns)


@pytest.mark.dear("intervals are drawn many times")
@pytest.mark.parametrize("load", [0.5, 0.9, 0.95])
def test_intervals_hold_the_exact_answers(load: float) -> None:
    repeats = repeated(40)
    found, answers = points(load, repeats, seed=11), exact(load)
    sustained = [point for point in found if not point.saturated]
    assert len(sustained) == repeats
    for name, truth in answers.items():
        estimates = [point.estimates[name] for point in sustained]
        printed = [one for one in estimates if not math.isnan(one.value)]
        if load < 0.95 and name != "p999_response_s":
            assert len(printed) == repeats, name
        held = sum(one.low <= truth <= one.high for one in printed)
        # At least nine in ten, less three standard deviations of this small number of repeats.
        assert held >= 0.9 * len(printed) - 3 * math.sqrt(0.09 * len(printed)) * (repeats < 400), name
        assert len(printed) == 0 or abs(np.mean([one.value for one in printed]) / truth - 1) < 0.05, name


def test_low_loads_have_all_figures() -> None:
    """A quartile of the queue seen at arrival may lie between two whole numbers."""
    for load in np.arange(0.1, 0.55, 0.05):
        (point,) = points(float(load), 1, seed=13)
        assert not math.isnan(point.estimates["p999_response_s"].value), load


@pytest.mark.dear("intervals are drawn many times")
def test_states_are_those_of_the_load() -> None:
    repeats = repeated(20)
    sustained, beyond, little_beyond = (points(load, repeats, seed=12) for load in (0.9, 1.02, 1.01))
    assert sum(not point.saturated for point in sustained) >= 0.9 * repeats
    assert sum(point.saturated and not point.unsettled for point in beyond) >= 0.9 * repeats
    assert all(point.saturated for point in little_beyond)


def test_a_policy_that_starves_requests_is_not_at_rest(device: sledsim.Device) -> None:
    """SATF leaves long requests waiting: its mean grows with the run, though the device is not saturated."""
    trace = sledsim.random_workload(device, rate_per_s=1800, count=20_000, seed=1)
    fair, starving = (
        steady_state.observe(sledsim.simulate(device, trace, name), steady_state.WARM_UP)
        for name in ("sptf", "satf")
    )
    assert fair.longest < 0.05 and starving.longest > 0.4
    assert steady_state.is_at_rest([fair] * 3)
    assert not steady_state.is_at_rest([starving] * 3)
    assert not steady_state.is_saturated([starving] * 3, steady_state.WARM_UP)


def test_the_factor_of_growth_is_that_of_a_mean_5_percent_too_low() -> None:
    warm_up, middle = steady_state.WARM_UP, (1 + steady_state.WARM_UP) / 2

    def mean(start: float, end: float, relaxation: float) -> float:
        return integrate.quad(lambda t: 1 - np.exp(-t / relaxation), start, end)[0] / (end - start)

    relaxation = optimize.brentq(lambda time: mean(warm_up, 1, time) - 0.95, 0.01, 1)
    growth = mean(middle, 1, relaxation) / mean(warm_up, middle, relaxation)
    assert growth == pytest.approx(steady_state.RESTLESS_GROWTH, abs=0.01)


def test_first_come_first_served_is_the_queue_of_pollaczek_and_khinchine(device: sledsim.Device) -> None:
    alone = device.with_parameters(overhead_ms=0.0, bus_mb_per_s=0.0)
    rate, runs, expected_s = 900.0, [], []
    for seed in range(1, 11):
        trace = sledsim.random_workload(alone, rate_per_s=rate, count=10_000, seed=seed)
        run = sledsim.simulate(alone, trace, "fcfs")
        service_s = (run.columns["completion_ns"] - run.columns["start_ns"]) * 1e-9
        arrival_s = run.columns["arrival_ns"] * 1e-9
        found = (len(trace) - 1) / (arrival_s[-1] - arrival_s[0])
        waiting_s = found * np.mean(service_s**2) / (2 * (1 - found * service_s.mean()))
        expected_s.append(waiting_s + service_s.mean())
        runs.append(steady_state.observe(run, steady_state.WARM_UP).figures)
    figures = {name: [one[name] for one in runs] for name in runs[0]}
    # Theory for each run's own rate and service moments, less its measurement: the difference vanishes.
    off = intervals.difference(figures["mean_response_s"], expected_s, 0.99)
    assert off.low <= 0 <= off.high
    assert off.half_width < 0.03 * np.mean(expected_s)
    # Little's law and the utilization law, over the same window.
    queue = intervals.ratio(figures["mean_queue_length"], figures["mean_response_s"], 0.99)
    busy = intervals.ratio(figures["utilization"], figures["mean_service_s"], 0.99)
    assert queue.low <= rate <= queue.high
    assert busy.low <= rate <= busy.high
