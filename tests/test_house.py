"""Counts of the repository, made by `house.py`, that may only fall."""

import pytest

from .house import COUNTS, Count

#: Largest permitted value of each count above its goal: a commit that lowers a count lowers it here.
ABOVE: dict[str, tuple[float, ...]] = {
    # Help and messages are whole sentences, which take more lines; each scheduler has one colour.
    # Flushes are requests with rows of their own. A recording has evidence, a coarse clock a replay
    # with intervals, and long gaps can be cut. Rows of comparisons and sweeps have the doubts.
    "Python production lines without papers": (32_075,),
    "Python production lines of papers": (9_110,),
    "command line: files / production lines / imports between them": (43, 5_590, 176),
    "parameters of the longest signature": (13,),
    "modules that run points into a ledger": (4,),
    "names of files that occur more than once: Python / Rust": (8, 68),
}


@pytest.mark.dear("every source file is parsed", every_change=[COUNTS[3].what, COUNTS[4].what])
@pytest.mark.parametrize("count", COUNTS, ids=lambda count: count.what)
def test_no_count_of_the_house_grows(count: Count) -> None:
    most = ABOVE.get(count.what, count.goals)
    for number, limit in zip(count.now(), most, strict=True):
        assert number <= limit, f"{count.what}: {number} is more than {limit}"


def test_limits_are_of_counts_that_miss_their_goals() -> None:
    goals = {count.what: count.goals for count in COUNTS}
    assert ABOVE.keys() <= goals.keys()
    for what, most in ABOVE.items():
        assert any(limit > goal for limit, goal in zip(most, goals[what], strict=True)), what
