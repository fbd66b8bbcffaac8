"""What a run measures after its warm-up, against arithmetic and against queueing theory."""

import numpy as np
import pytest
from scipy import integrate, optimize

import sledsim
from sledsim import intervals, steady_state
from sledsim.runs import Run, RunSettings

SETTINGS = RunSettings("0", {}, "fcfs", "fcfs", 1.0, "error", "open", "python", None, {})


def made(arrival_ns: list[int], start_ns: list[int], completion_ns: list[int]) -> Run:
    """A run of one device that does nothing but transfer, without a bus."""
    arrival, start, completion = (np.array(column) for column in (arrival_ns, start_ns, completion_ns))
    nothing = np.zeros(len(arrival), np.int64)
    columns = dict.fromkeys([*steady_state.SERVICE_PHASES, "bus_ns"], nothing)
    columns |= {"arrival_ns": arrival, "start_ns": start, "completion_ns": completion}
    columns["transfer_ns"] = completion - start
    return Run(columns, {"busy_s": [1.0], "volumes": []}, SETTINGS)


def test_measures_of_a_run_worked_out_by_hand() -> None:
    # Served from 0 to 4, from 4 to 8, and from 10 to 12; the last arrival ends what is measured over time.
    run = made([0, 2, 10], [0, 4, 10], [4, 8, 12])
    figures = steady_state.measure(run, slice(0, 3))
    assert figures["mean_response_s"] == pytest.approx((4 + 6 + 2) / 3 * 1e-9)
    assert figures["cv2_response"] == pytest.approx((8 / 3) / 16)
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


@pytest.mark.parametrize("warm_up", [0.0, 0.2, 0.5])
def test_growth_at_capacity_is_that_of_a_root(warm_up: float) -> None:
    middle = (1 + warm_up) / 2
    halves = [integrate.quad(np.sqrt, start, end)[0] for start, end in ((warm_up, middle), (middle, 1))]
    assert steady_state.growth_at_capacity(warm_up) == pytest.approx(halves[1] / halves[0])
    overloaded = (1 - middle**2) / (middle**2 - warm_up**2)
    assert 1 < steady_state.growth_at_capacity(warm_up) < overloaded


def seen(
    queue: tuple[float, float], utilization: float, drain: float, longest: float = 0.01
) -> steady_state.Observation:
    return steady_state.Observation({"utilization": utilization}, *queue, drain, longest)


def test_saturation_is_judged_by_all_replications_together() -> None:
    steady, growing = seen((10, 11), 0.99, 0.01), seen((10, 20), 0.99, 0.01)
    assert not steady_state.is_saturated([steady] * 3, 0.2)
    assert steady_state.is_saturated([growing] * 3, 0.2)
    assert not steady_state.is_saturated([growing, steady, steady, steady], 0.2)
    # A device that idles now and then has time to catch up, whatever the queue did by chance.
    assert not steady_state.is_saturated([seen((10, 20), 0.9, 0.01)], 0.2)
    assert steady_state.is_saturated([seen((10, 11), 0.9, 0.11)], 0.2)


def test_a_queue_at_rest_grows_by_chance_only() -> None:
    steady, growing, shrinking = (seen((10, later), 0.99, 0.01) for later in (10.9, 11.2, 9))
    assert steady_state.is_at_rest([steady] * 3)
    assert not steady_state.is_at_rest([growing] * 3)
    assert steady_state.is_at_rest([growing, steady, steady])
    # By 1.2 on average, but not told from chance.
    assert steady_state.is_at_rest([seen((10, 16), 0.99, 0.01), growing, shrinking])
    assert steady_state.is_at_rest([seen((10, 20), 0.9, 0.01)] * 3)
    assert not steady_state.is_saturated([growing], 0.2)


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
    assert not steady_state.is_saturated([starving], steady_state.WARM_UP)


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
    # The theory of each run's own rate and service moments, and what it measured: their difference is none.
    off = intervals.difference(figures["mean_response_s"], expected_s, 0.99)
    assert off.low <= 0 <= off.high
    assert off.half_width < 0.03 * np.mean(expected_s)
    # Little's law and the utilization law, over the same window.
    queue = intervals.ratio(figures["mean_queue_length"], figures["mean_response_s"], 0.99)
    busy = intervals.ratio(figures["utilization"], figures["mean_service_s"], 0.99)
    assert queue.low <= rate <= queue.high
    assert busy.low <= rate <= busy.high
