"""Tests share one browser, which ends before a test that does without it."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from .. import browsing

ASKING: Any = SimpleNamespace(fixturenames=("browser", "opened"))
WITHOUT: Any = SimpleNamespace(fixturenames=("tmp_path",))


@pytest.fixture
def events(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The starts and ends of a stand-in for Chromium."""
    happened: list[str] = []

    @contextmanager
    def started() -> Iterator[object]:
        happened.append("started")
        try:
            yield object()
        finally:
            happened.append("ended")

    monkeypatch.setattr(browsing, "_started", started)
    monkeypatch.setattr(browsing, "_SHARED", browsing._Shared())
    return happened


def test_tests_that_follow_each_other_have_the_same_one(events: list[str]) -> None:
    first = browsing._SHARED.browser()
    browsing.end_browser(ASKING)
    assert browsing._SHARED.browser() is first
    assert events == ["started"]


@pytest.mark.parametrize("following", [WITHOUT, None], ids=["a test without it", "no test"])
def test_it_ends_once_before_what_does_without_it(events: list[str], following: Any) -> None:
    first = browsing._SHARED.browser()
    for _ in range(2):
        browsing.end_browser(following)
    assert events == ["started", "ended"]
    assert browsing._SHARED.browser() is not first
    assert events == ["started", "ended", "started"]


def test_where_it_was_never_asked_for_it_is_not_started(events: list[str]) -> None:
    browsing.end_browser(WITHOUT)
    assert events == []


@pytest.mark.dear("the page runs in a browser")
def test_chromium_has_ended() -> None:
    shared = browsing._Shared()
    running = shared.browser()
    assert running.is_connected()
    shared.close()
    assert not running.is_connected()
