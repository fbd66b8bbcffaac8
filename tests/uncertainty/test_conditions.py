"""A condition has the same unit on either side, and an error in it suggests the likely name."""

import pytest

import sledsim

from ..conftest import Cli
from ..exploration.asking import asked


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("mean(sptff) < 1", r"found 'sptff'; did you mean 'sptf'\?"),
        ("mean(atlas10k) < 1", "found 'atlas10k': add --device atlas10k"),
        (
            "mean(sptf, fcfs) < 1",
            r"mean\(sptf, fcfs\): expected one device or volume and one policy, found two policies",
        ),
    ],
)
def test_the_likely_name_is_suggested(condition: str, said: str) -> None:
    with pytest.raises(sledsim.ParameterError, match=said):
        asked(condition)


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        (
            "mean(sptf) < capacity",
            r"both sides of < in one unit, found mean\(sptf\) \(s\) and capacity \(bytes\)",
        ),
        (
            "mean(sptf) < 1 + energy(sptf) and p99(sptf) < 1",
            r"found mean\(sptf\) \(s\) and 1 \+ energy\(sptf\) \(J\)",
        ),
        ("mean(sptf) + energy(sptf) < 1", r"both sides of \+ in one unit"),
        ("mean(sptf) < 50% * cv2(sptf)", r"\(s\) and 50% \* cv2\(sptf\) \(no unit\)"),
        ("p99(sptf) < 100%", r"p99\(sptf\) \(s\) and 100% \(no unit\)"),
        ("p99(sptf) < p95(sptf) + 5%", r"p95\(sptf\) \(s\) and 5% \(no unit\)"),
    ],
)
def test_times_are_not_compared_with_sizes(condition: str, said: str) -> None:
    with pytest.raises(sledsim.ParameterError, match=said):
        asked(condition)


def test_weighted_figures_of_different_units_may_be_added() -> None:
    for condition in (
        "mean(sptf) * 1000 + 2 * energy(sptf) < 1e9",
        "mean(sptf) / mean(fcfs) < p99(sptf) / p99(fcfs) + 10",
        "energy(sptf) / mean(sptf) < 100 * power(sptf)",
    ):
        assert asked(condition).share.devices == 4
    with pytest.raises(sledsim.ParameterError, match=r"constraint p99 < energy: expected both sides of <"):
        sledsim.optimise(
            "random:rate=300", over={"settle_ms": "0.1..0.4"}, minimise="mean", subject_to="p99 < energy"
        )


def test_a_caret_stands_under_what_is_wrong(cli: Cli) -> None:
    done = cli("holds", "mean(sptf) == mean(fcfs)", "random:rate=300", "--over", "settle_ms=0.1..0.4")
    first, shown, caret = done.stderr.splitlines()
    assert first.startswith("error: condition: expected ") and "\\n" not in first
    assert shown[caret.index("^")] == "="
