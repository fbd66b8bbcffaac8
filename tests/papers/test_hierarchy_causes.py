"""Test the changes in 003-E-9, one at a time."""

import numpy as np
import pytest

from sledsim.papers.p003 import e09_causes as causes
from sledsim.papers.p003.inputs import drawn_days
from sledsim.papers.p003.systems import Interval


def test_bursts_go_and_nothing_else() -> None:
    trace = next(drawn_days(True, 1)[1].read())
    for change in (causes._evenly, causes._mildly):
        changed = change(trace)
        assert np.all(np.diff(changed.arrival_ns) >= 0) and changed.arrival_ns[0] >= trace.arrival_ns[0]
        for name in ("lbn", "blocks", "op", "metadata"):
            np.testing.assert_array_equal(getattr(changed, name), getattr(trace, name))
    before, mild = (np.diff(one.arrival_ns) for one in (trace, causes._mildly(trace)))
    # The printed share stays; unprinted times are as far apart as possible.
    assert np.count_nonzero(mild < 10_000_000) == np.count_nonzero(before < 10_000_000) > 9_000
    assert mild.min() == 9_999_999
    np.testing.assert_array_equal(mild[before >= 10_000_000], before[before >= 10_000_000])
    # At random times, few requests come within 10 ms of the previous one.
    even = np.diff(causes._evenly(trace).arrival_ns)
    expected = 1 - np.exp(-0.01 * len(even) / ((trace.arrival_ns[-1] - trace.arrival_ns[0]) * 1e-9))
    assert np.mean(even < 10_000_000) == pytest.approx(expected, abs=4 * (expected / len(even)) ** 0.5)


@pytest.mark.parametrize(
    ("low", "value", "high", "place"),
    [
        (1.30, 1.35, 1.40, "within"),
        (1.00, 1.35, 9.00, "within"),
        (1.20, 1.25, 1.30, "reaches in"),
        (1.40, 1.50, 1.60, "reaches in"),
        (1.10, 1.20, 1.27, "below"),
        (1.47, 1.60, 1.90, "above"),
    ],
)
def test_where_an_interval_lies(low: float, value: float, high: float, place: str) -> None:
    assert causes._place(Interval(value, low, high), causes._RATIOS["disk_over_mmd"]) == place
