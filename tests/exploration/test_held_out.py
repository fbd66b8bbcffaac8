"""A choice is judged by seeds and windows that the search has not used."""

import numpy as np
import pytest

import sledsim


@pytest.mark.dear("many points of a study are simulated")
def test_constraints_are_judged_under_every_seed_that_was_held_out() -> None:
    found = sledsim.optimise(
        "random:rate=900,count=500",
        over={"active_tips": [640, 1280]},
        minimise="mean",
        subject_to="p99 < 6e-3",
    )
    p99 = []
    for seed in range(2001, 2021):
        device = sledsim.device("osdi00", active_tips=found.best.values["active_tips"])
        run = sledsim.simulate(device, sledsim.workload(f"random:rate=900,count=500,seed={seed}", device))
        # The first fifth is the warm-up.
        p99.append(float(np.percentile(run.response_ns[100:] * 1e-9, 99)))
    held = found.held_out
    assert held is not None and held.looks == 20
    assert held.met == sum(value < 6e-3 for value in p99) < 20
    assert held.meets is False
    assert f"the constraints hold in {held.met} of 20 of these seeds" in " ".join(found.in_words())


@pytest.mark.dear("many points of a study are simulated")
def test_designs_without_figures_under_other_seeds_are_reported() -> None:
    over = {
        "format": ["512x2x4096", "1024x4x2048", "1024x16x512", "4096x1x4096", "256x1x512"],
        "power_policy": ["always-on", "immediate", "timeout:ms=1", "timeout:ms=10"],
        "scheduler": ["fcfs", "sptf"],
    }
    asked = "random:rate=300,count=1500,arrivals=bursts"
    found = sledsim.optimise(asked, "emsoft08", over, maximise="energy", budget=100)
    assert found.selected is not None and len(found.selected.dropped) == 4
    said = " ".join(found.in_words())
    assert "4 of the 8 best of the search have no figures under some other seeds" in said
    assert "The choice is the best of the 4 that are left" in said
    assert f"{found.selected.runs} further runs" in said


@pytest.mark.dear("many points of a study are simulated", every_change=True)
@pytest.mark.parametrize("held_out", [0.01, 0.04, 0.0])
def test_requests_are_held_out_or_searched(held_out: float) -> None:
    found = sledsim.optimise("demo", over={"active_tips": [640, 1280]}, minimise="mean", held_out=held_out)
    whole = sledsim.simulate(sledsim.device("osdi00"), sledsim.demo_trace()).summary()["mean_response_s"]
    assert found.held_out is None
    assert found.best.figures["mean_response_s"] == pytest.approx(whole)


@pytest.mark.dear("many points of a study are simulated")
def test_the_gain_in_windows_is_compared_with_that_in_such_windows() -> None:
    found = sledsim.optimise("demo", over={"settle_ms": [0.1, 0.2]}, minimise="mean")
    held = found.held_out
    assert held is not None and held.seen_windows == 20
    (gain,) = held.gains
    trace = sledsim.demo_trace().replayed()
    seen = len(trace) - int(0.3 * len(trace))

    def means(settle_ms: float, first: int, count: int) -> list[float]:
        device = sledsim.device("osdi00", settle_ms=settle_ms)
        return [
            float(sledsim.simulate(device, trace.rows(slice(at, at + length))).transfers.response_ns.mean())
            * 1e-9
            for at in range(first, first + count * length, length)
        ]

    length = held.window_requests
    given = sledsim.device("osdi00").parameters["settle_ms"]
    assert length == seen // 20
    best = found.best.values["settle_ms"]
    assert gain.given == pytest.approx(np.mean(means(given, 0, 20)))
    assert gain.chosen == pytest.approx(np.mean(means(best, 0, 20)))
    assert gain.held_given == pytest.approx(np.mean(means(given, seen, held.windows)))
