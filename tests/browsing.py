"""A real browser and a check of accessibility; tests are skipped with a reason without them."""

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
#: Milliseconds until the charts of a page have to be drawn; the machine may have other things to do.
DRAWN_MS = 120_000
#: Said of every chart whose height is so many steps, and whose width is that of its place.
_NO_NEWS = 'warning: WARN Dropping "fit-y" because spec has discrete height.'


class Opened(Protocol):
    """Opens a page in a window of its own; what the browser complains of makes the test fail."""

    def __call__(
        self, path: Path, width: int = 1280, theme: str = "light", **context: Any
    ) -> "contextmanager[Any]": ...


class _Shared:
    """One Chromium for all tests that run one after the other and ask for it."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._running: Any = None

    def browser(self) -> Any:
        """The running browser; the first call starts it."""
        if self._running is None:
            self._running = self._open.enter_context(_started())
        return self._running

    def close(self) -> None:
        """Ends the browser, if it runs."""
        self._running = None
        self._open.close()


_SHARED = _Shared()


@contextmanager
def _started() -> Iterator[Any]:
    """Chromium, as the system has it."""
    playwright = pytest.importorskip("playwright.sync_api", reason="pip install playwright")
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        pytest.skip("no Chromium: apt-get install chromium")
    # It has no sandbox for the super-user.
    flags = ["--no-sandbox"] if os.geteuid() == 0 else []
    with (
        playwright.sync_playwright() as driver,
        driver.chromium.launch(executable_path=found, args=flags) as launched,
    ):
        yield launched


@pytest.fixture
def browser() -> Any:
    """The browser, which goes on until a test follows that does without it: see `end_browser`."""
    return _SHARED.browser()


def end_browser(following: pytest.Item | None) -> None:
    """Ends the browser before a test without it, whose own loop of events its loop would disturb."""
    if "browser" not in getattr(following, "fixturenames", ()):
        _SHARED.close()


@pytest.fixture
def opened(browser: Any) -> Callable[..., Any]:
    """As `Opened` says."""

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
    """Whatever the browser says, but for one thing."""
    if message != _NO_NEWS:
        complaints.append(message)


def _refuse(address: str, complaints: list[str]) -> None:
    """Whatever is not in the page itself."""
    if not address.startswith(("file:", "data:", "blob:")):
        complaints.append(f"asks for {address}")


@pytest.fixture(scope="session")
def violations() -> Callable[[Any], list[str]]:
    """What axe-core finds in a page."""
    if not _AXE.is_file():
        pytest.skip("no axe-core: npm ci --prefix tests/pages")
    source = _AXE.read_text()

    def found(page: Any) -> list[str]:
        page.evaluate(source)
        # Long pages have thousands of places where all is well, which would take longer to tell than to find.
        faults = page.evaluate("axe.run({resultTypes: ['violations']}).then((found) => found.violations)")
        return [
            f"{one['id']}: {json.dumps([node['html'][:160] for node in one['nodes'][:3]])}" for one in faults
        ]

    return found
