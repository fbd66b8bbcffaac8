"""The two tiers of the Python tests, and the order in which workers take them.

``make test`` runs the every-change tier: all tests but those with the mark ``dear``. Of a dear test
``every_change`` names the cases that stay there, or ``cases`` those that are dear. ``make test-all`` runs
everything.
"""

from collections.abc import Iterator, Sequence

import pytest

from .costs import read

MARK = "dear"
#: The fixture of all tests in a browser, which share one.
_BROWSER = "browser"
#: The fixture that runs experiments of the papers once for all tests.
_CHAPTERS = "quick_chapter"
#: Tests with this mark leave something behind in the process.
_LAST = "registers_seek_models"


def case_of(item: pytest.Item) -> str:
    """The id of a case, as it stands in brackets; empty for a test without parameters."""
    called = getattr(item, "callspec", None)
    return "" if called is None else str(called.id)


def named(mark: pytest.Mark, word: str) -> set[str]:
    """The cases that an argument of a mark names: one or several."""
    given = mark.kwargs.get(word, ())
    return {given} if isinstance(given, str) else set(() if isinstance(given, bool) else given)


def runs_on_every_change(item: pytest.Item) -> bool:
    """Tell whether a test is in the every-change tier."""
    mark = item.get_closest_marker(MARK)
    if mark is None or mark.kwargs.get("every_change") is True:
        return True
    dear, kept = named(mark, "cases"), named(mark, "every_change")
    return case_of(item) in kept or (bool(dear) and case_of(item) not in dear)


def split(items: Sequence[pytest.Item]) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """The tests of the every-change tier, and those left to the other one.

    Raises:
        pytest.UsageError: A mark names a case that its test does not have.
    """
    missing: dict[str, set[str]] = {}
    for item in items:
        mark = item.get_closest_marker(MARK)
        if mark is not None:
            cases = named(mark, "cases") | named(mark, "every_change")
            missing.setdefault(item.nodeid.partition("[")[0], cases).discard(case_of(item))
    gone = [f"{name}: no case {case!r}" for name, cases in missing.items() for case in sorted(cases)]
    if gone:
        raise pytest.UsageError(f"the mark {MARK} names what is not there: {'; '.join(gone)}")
    kept = [item for item in items if runs_on_every_change(item)]
    return kept, [item for item in items if not runs_on_every_change(item)]


def group_of(item: pytest.Item) -> str:
    """The tests that one worker runs one after the other: those of a file, or of a costly fixture."""
    own = item.get_closest_marker("xdist_group")
    if own is not None:
        return str(own.args[0])
    if item.get_closest_marker(_LAST) is not None:
        return _LAST
    fixtures = getattr(item, "fixturenames", ())
    shared = next((name for name in (_CHAPTERS, _BROWSER) if name in fixtures), None)
    return shared or item.nodeid.partition("::")[0]


def ordered(items: Sequence[pytest.Item]) -> Iterator[pytest.Item]:
    """The tests by groups, the dearest group first, so that no worker is left with one in the end.

    Tests that leave something behind in the process come last.
    """
    costs = {name: row.total_s / row.cases for name, row in read().items()}
    groups: dict[str, list[pytest.Item]] = {}
    for item in items:
        groups.setdefault(group_of(item), []).append(item)
    total_s = {
        group: sum(costs.get(item.nodeid.partition("[")[0], 0.0) for item in members)
        for group, members in groups.items()
    }
    for group in sorted(groups, key=lambda group: (group == _LAST, -total_s[group])):
        for item in groups[group]:
            if item.get_closest_marker("xdist_group") is None:
                item.add_marker(pytest.mark.xdist_group(group))
            yield item
