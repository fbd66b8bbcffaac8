"""A real browser and a check of accessibility; without them tests are skipped with a reason."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Protocol

import pytest

_AXE = Path(__file__).parent / "pages" / "node_modules" / "axe-core" / "axe.min.js"
_NAMES = ("chromium", "chromium-browser", "google-chrome")
#: Milliseconds within which the charts of a page are drawn, also on a busy machine.
DRAWN_MS = 120_000
#: Sentence of every chart whose height is a number of steps and whose width follows its container.
_NO_NEWS = 'warning: WARN Dropping "fit-y" because spec has discrete height.'


class Opened(Protocol):
    """Open a page in a new window; a complaint of the browser fails the test."""

    def __call__(
        self, path: Path, width: int = 1280, theme: str = "light", **context: Any
    ) -> "contextmanager[Any]": ...


class _Shared:
    """A Chromium that all consecutive tests with a browser share."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._running: Any = None

    def browser(self) -> Any:
        """Return the running browser; the first call starts it."""
        if self._running is None:
            self._running = self._open.enter_context(_started())
        return self._running

    def close(self) -> None:
        """End the browser, if it runs."""
        self._running = None
        self._open.close()


_SHARED = _Shared()


@contextmanager
def _started() -> Iterator[Any]:
    """Start the Chromium of the system."""
    playwright = pytest.importorskip("playwright.sync_api", reason="pip install playwright")
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        pytest.skip("no Chromium: apt-get install chromium")
    # Chromium has no sandbox for the super-user.
    flags = ["--no-sandbox"] if os.geteuid() == 0 else []
    with (
        playwright.sync_playwright() as driver,
        driver.chromium.launch(executable_path=found, args=flags) as launched,
    ):
        yield launched


@pytest.fixture
def browser() -> Any:
    """The browser, which runs until a test follows that does not need it: see `end_browser`."""
    return _SHARED.browser()


def end_browser(following: pytest.Item | None) -> None:
    """End the browser before a test without it: two event loops would disturb each other."""
    if "browser" not in getattr(following, "fixturenames", ()):
        _SHARED.close()


@pytest.fixture
def opened(browser: Any) -> Callable[..., Any]:
    """Open a page; see `Opened`."""

    @contextmanager
    def open_page(path: Path, width: int = 1280, theme: str = "light", **context: Any) -> Iterator[Any]:
        complaints: list[str] = []
        made = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme, **context)
        page = made.new_page()
        page.on("console", lambda message: _note(f"{message.type}: {message.text}", complaints))
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on("request", lambda asked: _refuse(asked.url, complaints))
        try:
            page.goto(path.absolute().as_uri())
            if page.query_selector("figure"):
                page.wait_for_selector("html[data-drawn]", state="attached", timeout=DRAWN_MS)
            yield page
            assert complaints == [], f"{path.name} at {width}, {theme}"
        finally:
            made.close()

    return open_page


def _note(message: str, complaints: list[str]) -> None:
    """Note every message of the browser except one."""
    if message != _NO_NEWS:
        complaints.append(message)


def _refuse(address: str, complaints: list[str]) -> None:
    """Refuse every request for a resource outside the page."""
    if not address.startswith(("file:", "data:", "blob:")):
        complaints.append(f"asks for {address}")


@pytest.fixture(scope="session")
def violations() -> Callable[[Any], list[str]]:
    """Return the violations that axe-core finds in a page."""
    if not _AXE.is_file():
        pytest.skip("no axe-core: npm ci --prefix tests/pages")
    source = _AXE.read_text()

    def found(page: Any) -> list[str]:
        page.evaluate(source)
        # Long pages have thousands of correct places, whose report would take longer than the check.
        faults = page.evaluate("axe.run({resultTypes: ['violations']}).then((found) => found.violations)")
        return [
            f"{one['id']}: {json.dumps([node['html'][:160] for node in one['nodes'][:3]])}" for one in faults
        ]

    return found
