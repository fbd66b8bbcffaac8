"""Deciding parameters, and devices near the edge."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from sledsim import _native
from sledsim.uncertainty.deciding import distances, nearest, one_split
from sledsim.uncertainty.space_filling import sobol

POINTS = sobol(256, 3, seed=3)
COLUMNS = {
    "settle_ms": 0.1 + 0.3 * POINTS[:, 0],
    "tips": np.floor(100 * POINTS[:, 1]).astype(int),
    "x": POINTS[:, 2],
}


def test_a_threshold_is_found() -> None:
    found = one_split(COLUMNS, COLUMNS["settle_ms"] < 0.2)
    assert found is not None
    assert found.factor == "settle_ms"
    assert found.threshold == pytest.approx(0.2, abs=0.002)
    assert not found.above
    assert found.accuracy == found.balanced == 1
    assert found.validated > 0.98
    assert found.decides
    assert found.majority == pytest.approx(2 / 3, abs=0.01)
    assert found.rule == f"settle_ms < {found.threshold:.4g}"
    above = one_split(COLUMNS, COLUMNS["tips"] >= 90)
    assert above is not None
    assert (above.rule, above.threshold) == ("tips > 89.5", 89.5)


def test_choices_are_split_by_what_holds_more_often() -> None:
    policies = np.array(["fcfs", "sptf", "satf"])[np.floor(3 * POINTS[:, 1]).astype(int)]
    holds = (policies != "fcfs") ^ (POINTS[:, 2] < 0.1)
    found = one_split({"scheduler": policies, **COLUMNS}, holds)
    assert found is not None
    assert set(found.options) == {"sptf", "satf"}
    assert found.threshold is None
    assert found.accuracy == pytest.approx(0.9, abs=0.01)
    assert str(found).startswith("scheduler is s")
    balanced = f"({100 * found.validated_balanced:.0f} % with equal weight of both answers)"
    assert str(found).endswith(f": right for 90 % of devices that it has not seen {balanced}")


@pytest.mark.dear("intervals are drawn many times", every_change=True)
def test_chance_decides_nothing() -> None:
    """A rule by the best of many factors looks good over its own devices, and not over others."""
    random = np.random.default_rng(1)
    own, others = [], []
    for seed in range(40):
        columns = {f"x{at}": random.random(64) for at in range(10)}
        found = one_split(columns, random.random(64) < 0.3, seed)
        assert found is not None
        own.append(found.balanced)
        others.append(found.validated_balanced)
        assert not found.decides
    assert np.mean(own) > 0.65
    assert np.mean(others) == pytest.approx(0.5, abs=0.04)


@pytest.mark.dear("intervals are drawn many times")
@given(
    st.lists(st.tuples(st.integers(0, 5), st.floats(-1, 1), st.booleans()), min_size=2, max_size=30),
    st.integers(0, 9),
)
def test_the_rule_is_the_best_of_all(rows: list[tuple[int, float, bool]], seed: int) -> None:
    columns = {"a": [row[0] for row in rows], "b": [row[1] for row in rows]}
    holds = np.array([row[2] for row in rows])
    found = one_split(columns, holds, seed)
    varies = any(len(set(values)) > 1 for values in columns.values())
    if not varies or holds.all() or not holds.any():
        assert found is None
        return
    assert found is not None

    def balanced(said: np.ndarray) -> float:
        return (said[holds].mean() + (~said[~holds]).mean()) / 2

    best = 0.0
    for values in columns.values():
        for threshold in set(values):
            said = np.array(values) > threshold
            best = max(best, balanced(said), balanced(~said))
    assert found.balanced == pytest.approx(best)
    assert 0 <= found.validated_balanced <= 1


def test_nearest_devices() -> None:
    margins = [0.5, -0.2, math.nan, 0.1, -0.3, 0.1]
    holds = [True, False, False, True, False, True]
    apart = [0.1, 0.9, 0.0, 0.8, 0.2, 0.3]
    those, others = nearest(margins, holds, apart)
    assert [(one.device, one.margin, one.distance, one.holds) for one in those] == [(5, 0.1, 0.3, True)]
    assert [one.device for one in others] == [1]
    those, others = nearest(margins, holds, apart, count=9, by="distance")
    assert [one.device for one in those] == [0, 5, 3]
    assert [one.device for one in others] == [4, 1]
    assert nearest([0.1], [True], [0.0])[1] == []


def test_distances() -> None:
    points = [[0.5, 0.1, 0.2], [0.1, 0.4, 0.2], [0.5, 0.9, 0.2]]
    assert distances(points, [0.5, 0.25, 0.2], [None, 2, None]).tolist() == pytest.approx([0, 0.4, 1])
    assert distances(points, [0.5, math.nan, 0.2], [None, 2, None])[0] == 1
    assert distances(points, [0.5, 0.75, 0.2], [None, 2, None]).tolist() == pytest.approx([1, 1.16**0.5, 0])
    assert distances([[1.0]], [0.9], [2]).tolist() == [0]


def test_what_is_wrong_is_refused() -> None:
    with pytest.raises(
        _native.ParameterError, match=r"a: expected one value for each of 2 devices, found the shape \(3,\)"
    ):
        one_split({"a": [1, 2, 3]}, [True, False])
    with pytest.raises(_native.ParameterError, match="a: expected finite numbers"):
        one_split({"a": [1, math.nan]}, [True, False])
    with pytest.raises(_native.ParameterError, match=r"one value per device, found \(1,\), \(2,\), \(1,\)"):
        nearest([1.0], [True, False], [1.0])
    with pytest.raises(_native.ParameterError, match="by = 'size': expected 'margin' or 'distance'"):
        nearest([1.0], [True], [1.0], by="size")
    with pytest.raises(
        _native.ParameterError, match=r"distances: expected .*, found \(1, 2\), \(1,\), \(2,\)"
    ):
        distances([[0.1, 0.2]], [0.1], [None, None])
