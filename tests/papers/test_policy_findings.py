"""Test that verdicts on schedulers follow from ratios with intervals, for any curves."""

import numpy as np
import pytest

from sledsim.papers import Statement, Verdict
from sledsim.papers.shared.policy_curves import judged
from sledsim.papers.shared.policy_findings import (
    alike,
    below,
    in_groups,
    judged_claim,
    large_margin,
    saturates_first,
)
from sledsim.runs import intervals
from sledsim.runs.curve_points import CurvePoint
from sledsim.runs.curves import Curves

#: Response times of five replications with mean 1 that differ by a tenth either way.
SPREAD = np.array([0.9, 0.95, 1.0, 1.05, 1.1])


#: Placeholder for the samples of a queue that has not come to rest.
RESTLESS = np.array([])


def point(name: str, load: float, samples: np.ndarray | None, queue: float = 5.0) -> CurvePoint:
    """Return a point of a curve, which is saturated without samples."""
    if samples is None or samples is RESTLESS:
        return CurvePoint(name, load, saturated=True, unsettled=samples is RESTLESS)
    figures = {"mean_response_s": samples, "cv2_response": samples, "mean_queue_length": np.full(5, queue)}
    return CurvePoint(
        name, load, False, {key: intervals.mean(values) for key, values in figures.items()}, figures
    )


def made(*points: CurvePoint) -> Curves:
    return Curves("a device", "random", "rate_per_s", points, {"confidence": 0.95})


def pair(*ratios: float | np.ndarray) -> Curves:
    """Return curves of SPTF over SSTF_LBN at 100, 200, ... requests/s."""
    points = []
    for at, ratio in enumerate(ratios, 1):
        points += [point("sstf_lbn", 100.0 * at, SPREAD), point("sptf", 100.0 * at, SPREAD * ratio)]
    return made(*points)


#: Paired ratios about 1 that an interval of five cannot distinguish from 1.
UNSURE = np.array([0.9, 1.1, 0.9, 1.1, 1.0])


@pytest.mark.parametrize(
    ("ratios", "verdict"),
    [
        ((0.5, 0.99, 0.999), Verdict.REPRODUCED),
        ((0.5, 0.99, UNSURE), Verdict.SHAPE),
        ((0.5, 0.99, 1.2), Verdict.SHAPE),  # Next to saturation.
        ((0.5, 1.2, 0.99), Verdict.CONTRADICTS),
        ((*[0.5] * 20, 1.2, 0.99), Verdict.CONTRADICTS),  # Not outvoted.
        ((0.5, 1.009, 0.99), Verdict.SHAPE),  # Above 1 by no more than the tolerance for equal figures.
        ((0.5, UNSURE, UNSURE), Verdict.SHAPE),
        ((0.5, 1.1, 1.2), Verdict.CONTRADICTS),
        ((1.2,), Verdict.CONTRADICTS),
        ((UNSURE,), Verdict.CONTRADICTS),
    ],
)
def test_better_is_an_interval_below_one(ratios: tuple[float, ...], verdict: Verdict) -> None:
    assert below(pair(*ratios), "sptf", "sstf_lbn").verdict is verdict


@pytest.mark.parametrize(
    ("ratios", "verdict"),
    [
        ((1.0, 1.009, 0.991), Verdict.REPRODUCED),
        ((1.0, 1.011), Verdict.SHAPE),
        ((1.14, 0.86), Verdict.SHAPE),
        ((1.0, 1.0, 1.16), Verdict.SHAPE),  # Next to saturation.
        ((1.0, 1.16, 1.0), Verdict.CONTRADICTS),
        ((*[1.0] * 20, 0.84, 1.0), Verdict.CONTRADICTS),  # Not outvoted.
        ((1.0, 1.1 * UNSURE, 1.0), Verdict.SHAPE),  # Possibly further off.
        ((1.1 * UNSURE,), Verdict.CONTRADICTS),
        ((0.84,), Verdict.CONTRADICTS),
    ],
)
def test_nearly_identical_is_as_near_as_figures_have_to_be(
    ratios: tuple[float, ...], verdict: Verdict
) -> None:
    assert alike(pair(*ratios), "sptf", "sstf_lbn").verdict is verdict


def test_the_reason_names_the_rates_at_which_it_is_otherwise() -> None:
    good, rough = below(pair(0.5), "sptf", "sstf_lbn"), below(pair(0.5, 1.25), "sptf", "sstf_lbn")
    assert judged_claim("001-C20", good).reason == ""
    assert judged_claim("001-C20", good, rough).reason == (
        "Not reproduced as stated. Mean response, SPTF over SSTF_LBN (the paper: below 1) is"
        " below 1 at 100/s (0.500 to 0.500); above 1 at 200/s (1.250 to 1.250)."
    )


def test_groups_in_words() -> None:
    found = judged(pair(0.5, 0.75, 1.25), "sptf", "sstf_lbn")
    assert (
        in_groups(found)
        == "below 1 at 2 rates from 100 to 200/s (0.500 to 0.750); above 1 at 300/s (1.250 to 1.250)"
    )


def test_only_rates_with_a_queue_are_judged() -> None:
    light = [point("sstf_lbn", 50, SPREAD, 0.9), point("sptf", 50, 2 * SPREAD, 1.1)]
    curves = made(*light, *pair(0.5).points)
    assert [one.load for one in judged(curves, "sptf", "sstf_lbn")] == [100]
    assert below(curves, "sptf", "sstf_lbn").verdict is Verdict.REPRODUCED


@pytest.mark.parametrize(("samples", "state"), [(None, "saturated"), (RESTLESS, "not at rest")])
def test_who_has_no_mean_alone_is_not_told_to_be_better(samples: np.ndarray | None, state: str) -> None:
    curves = made(*pair(0.5).points, point("sstf_lbn", 200, SPREAD), point("sptf", 200, samples))
    found = below(curves, "sptf", "sstf_lbn")
    assert found.verdict is Verdict.SHAPE
    assert found.found == f"below 1 at 100/s (0.500 to 0.500); SPTF alone {state} at 200/s"
    assert below(curves, "sptf", "sstf_lbn", "cv2_response").verdict is Verdict.REPRODUCED
    others = made(*pair(0.5).points, point("sstf_lbn", 200, samples), point("sptf", 200, SPREAD))
    assert below(others, "sptf", "sstf_lbn").verdict is Verdict.REPRODUCED


@pytest.mark.parametrize(
    ("other", "verdict"),
    [(None, Verdict.CONTRADICTS), (RESTLESS, Verdict.CONTRADICTS), (SPREAD, Verdict.REPRODUCED)],
)
def test_who_saturates_first(other: np.ndarray | None, verdict: Verdict) -> None:
    curves = made(
        *(point("fcfs", 100, SPREAD), point("sptf", 100, SPREAD)),
        *(point("fcfs", 200, None), point("sptf", 200, other)),
    )
    assert saturates_first(curves, "fcfs").verdict is verdict


def test_if_none_saturates_none_is_first() -> None:
    rates = made(point("fcfs", 100, SPREAD), point("sptf", 100, SPREAD))
    restless = made(*rates.points, point("fcfs", 200, RESTLESS), point("sptf", 200, SPREAD))
    for curves, kept_up in ((rates, 100), (restless, 200)):
        found = saturates_first(curves, "fcfs")
        assert found.verdict is Verdict.CONTRADICTS
        assert found.found == f"FCFS is saturated at no rate; SPTF keeps up at {kept_up}/s"


def margin(ratio: float, sustained: float) -> tuple[Statement, ...]:
    """SSTF_LBN is not at rest at 150/s, and saturates at 200/s; SPTF sustains more."""
    rest = [point("sstf_lbn", 150, RESTLESS), point("sstf_lbn", 200, None)]
    rest += [point("sptf", load, SPREAD) for load in (150, 200, sustained)]
    return large_margin(made(*pair(ratio).points, *rest), "sptf", ["sstf_lbn"])


@pytest.mark.parametrize(
    ("ratio", "sustained", "holds"),
    [(0.84, 231, [True, True]), (0.86, 231, [False, True]), (0.84, 229, [True, False])],
)
def test_a_large_margin_is_beyond_what_is_alike_in_shape(
    ratio: float, sustained: float, holds: list[bool]
) -> None:
    assert [found.holds for found in margin(ratio, sustained)] == holds


def test_no_margin_is_large_where_no_rate_is_sustained_by_both() -> None:
    curves = made(*(point(name, load, None) for load in (100, 200) for name in ("sptf", "sstf_lbn")))
    response, _ = large_margin(curves, "sptf", ["sstf_lbn"])
    assert response.holds is False and response.found == "no rate that both sustain"
