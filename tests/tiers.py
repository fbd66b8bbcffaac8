"""The two tiers of the Python tests, and the order in which workers take them.

``make test`` runs the every-change tier: all tests without the mark ``dear``. In that mark
``every_change`` names the cases that stay in the tier, or ``cases`` those that are dear.
``make test-all`` runs everything.
"""

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

import pytest

from .costs import Cost, read, test_of

MARK = "dear"
#: All tests that a run has found, in both tiers.
COLLECTED = pytest.StashKey[list[pytest.Item]]()
#: The fixture of all tests in a browser, which share a browser.
_BROWSER = "browser"
#: The fixture that runs experiments of the papers once for all tests.
_CHAPTERS = "quick_chapter"
#: Mark of tests that leave state behind in the process.
_LAST = "registers_seek_models"


def case_of(item: pytest.Item) -> str:
    """Return the id of a case in brackets; empty for a test without parameters."""
    called = getattr(item, "callspec", None)
    return "" if called is None else str(called.id)


class Dear(NamedTuple):
    """The content of a mark ``dear``.

    Attributes:
        reason: Words that name the cost.
        stays: True if all cases are in the every-change tier.
        kept: Names of the cases in the every-change tier.
        left: Names of the cases outside the tier, if all others are in it.
    """

    reason: str
    stays: bool
    kept: frozenset[str]
    left: frozenset[str]


def dear(item: pytest.Item) -> Dear | None:
    """Return the mark of a test, if it has one.

    Raises:
        pytest.UsageError: If the mark has no reason, or an unknown argument.
    """
    mark = item.get_closest_marker(MARK)
    if mark is None:
        return None
    kept, left = mark.kwargs.get("every_change", False), mark.kwargs.get("cases")
    reasons = [reason for reason in mark.args if isinstance(reason, str) and len(reason.split()) >= 3]
    if (
        (len(mark.args), len(reasons)) != (1, 1)
        or mark.kwargs.keys() - {"every_change", "cases"}
        or not (isinstance(kept, bool) or _names(kept))
        or not (left is None or _names(left))
    ):
        given = [*map(repr, mark.args), *(f"{word}={value!r}" for word, value in mark.kwargs.items())]
        raise pytest.UsageError(
            f"{item.nodeid}: expected {MARK}(REASON), {MARK}(REASON, every_change=True, CASE or CASES) or "
            f"{MARK}(REASON, cases=CASES), a reason having three words or more, "
            f"found {MARK}({', '.join(given)})"
        )
    return Dear(reasons[0], kept is True, _names(kept), _names(left))


def _names(given: object) -> frozenset[str]:
    """Return the cases that an argument of a mark names; empty if the argument is no name."""
    listed = (given,) if isinstance(given, str) else given if isinstance(given, tuple | list) else ()
    return frozenset(name for name in listed if isinstance(name, str))


def runs_on_every_change(item: pytest.Item) -> bool:
    """True if a test is in the every-change tier."""
    mark = dear(item)
    if mark is None or mark.stays:
        return True
    return case_of(item) in mark.kept or (bool(mark.left) and case_of(item) not in mark.left)


def check(items: Sequence[pytest.Item], *, are_whole: bool) -> None:
    """Check the marks of tests; of whole files, all named cases must exist.

    Raises:
        pytest.UsageError: If a mark is wrong, or names a case that its test does not have.
    """
    missing: dict[str, set[str]] = {}
    for item in items:
        mark = dear(item)
        if mark is not None:
            cases = set(mark.kept | mark.left)
            missing.setdefault(test_of(item.nodeid), cases).discard(case_of(item))
    gone = [f"{name}: no case {case!r}" for name, cases in missing.items() for case in sorted(cases)]
    if gone and are_whole:
        raise pytest.UsageError(f"the mark {MARK} names what is not there: {'; '.join(gone)}")


def split(items: Sequence[pytest.Item]) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """Return the tests of the every-change tier, and those left to the other tier."""
    kept = [item for item in items if runs_on_every_change(item)]
    return kept, [item for item in items if not runs_on_every_change(item)]


def group_of(item: pytest.Item) -> str:
    """Return the group of tests that one worker runs in sequence: those of a file, or of a costly fixture."""
    own = item.get_closest_marker("xdist_group")
    if own is not None:
        return str(own.kwargs.get("name", own.args[0] if own.args else "default"))
    if item.get_closest_marker(_LAST) is not None:
        return _LAST
    fixtures = getattr(item, "fixturenames", ())
    shared = next((name for name in (_CHAPTERS, _BROWSER) if name in fixtures), None)
    return shared or item.nodeid.partition("::")[0]


def ordered(items: Sequence[pytest.Item]) -> Iterator[pytest.Item]:
    """Order the tests by groups, the dearest group first, so that the workers end together.

    Tests that leave state behind in the process come last.
    """
    costs = _known()
    groups: dict[str, list[pytest.Item]] = {}
    for item in items:
        groups.setdefault(group_of(item), []).append(item)
    total_s = {group: _total_s(members, costs) for group, members in groups.items()}
    for group in sorted(groups, key=lambda group: (group == _LAST, -total_s[group])):
        for item in groups[group]:
            if item.get_closest_marker("xdist_group") is None:
                item.add_marker(pytest.mark.xdist_group(group))
            yield item


def _known() -> dict[str, Cost]:
    """Return the known costs; without them tests run in some order, too."""
    try:
        return read()
    except pytest.UsageError:
        return {}


def _total_s(items: Sequence[pytest.Item], costs: dict[str, Cost]) -> float:
    """Return the cost of tests that run in sequence, with each shared fixture once."""
    rows = [test_of(item.nodeid) for item in items]
    shared = {
        f"{place}::fixture {name}"
        for item in items
        for place in _places(item.nodeid.partition("::")[0])
        for name in getattr(item, "fixturenames", ())
    }
    found = [costs[name] for name in (*rows, *shared) if name in costs]
    return sum(row.total_s / row.cases for row in found)


def _places(file: str) -> list[str]:
    """Return a file and its parent folders, as the rows of fixtures name them."""
    path = PurePosixPath(file)
    return [file, *map(str, path.parents)]
