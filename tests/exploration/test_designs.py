"""A small space of designs is run whole; if no design is feasible, the error gives the common reason."""

from typing import Any

import pytest

import sledsim
from sledsim.exploration.optimising import phrases
from sledsim.runs.intervals import Estimate

from .test_optimise import optimised


@pytest.mark.dear("many points of a study are simulated")
def test_a_space_that_is_run_as_a_whole_has_no_brief_looks() -> None:
    over = {"settle_ms": [0.1, 0.2, 0.3], "scheduler": ["fcfs", "sptf"]}
    found = sledsim.optimise("random:rate=900", over=over, minimise="mean", count=4000, budget=300)
    assert (found.runs, found.screened) == (6, 0)


def test_a_fault_of_all_designs_is_reported_as_such() -> None:
    asked: dict[str, Any] = {"minimise": "mean", "count": 300}
    over = {"settle_ms": [0.1, 0.2]}
    with pytest.raises(sledsim.TraceError, match=r"all 2 designs .* have no figures: 2: saturated"):
        sledsim.optimise("random:rate=9000", over=over, **asked)
    formats = {"format": ["512x2x4096", "64x1x512"]}
    with pytest.raises(
        sledsim.TraceError, match="none of 2 designs that were run has figures and meets"
    ) as none:
        sledsim.optimise("random:rate=50", "emsoft08", formats, subject_to="mean < 1e-6", **asked)
    assert "the nearest with figures is format" in str(none.value)


def test_a_figure_missing_in_all_designs_is_reported() -> None:
    trace = sledsim.bundled_trace("ext3-4k").transfers().rows(slice(0, 1))
    with pytest.raises(sledsim.TraceError, match=r"has the figures of all goals: mean_queue_length"):
        sledsim.optimise(trace, over={"settle_ms": "0.1..0.4"}, minimise="queue", budget=4)


def test_texts_are_short_and_no_zero_has_a_sign() -> None:
    assert phrases.sure(0.999) == "99.9%" and phrases.sure(0.95) == "95%"
    assert "-0.00" not in phrases.better(Estimate(-1e-9, 1e-9, 5))
    assert len(phrases.interval("cv2_response", Estimate(0.0548652443876796, 5e-18, 5))) < 50


@pytest.mark.dear("many points of a study are simulated")
def test_an_optimum_has_a_chart() -> None:
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    for goals in (["mean"], ["mean", "energy"]):
        drawn = str(optimised(minimise=goals, budget=40).plot().to_dict())
        assert "Designs run" in drawn and "Behind the best run (%)" in drawn and "the choice" in drawn
        assert ("no other design beats a design of the front" in drawn) == (len(goals) > 1)
