"""A real browser, and what finds faults of accessibility; without them tests are skipped with a reason."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import pytest

_AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
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


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, as the system has it; its loop of events must not run in tests of other modules."""
    playwright = pytest.importorskip("playwright.sync_api", reason="pip install playwright")
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        pytest.skip("no Chromium: apt-get install chromium")
    # It has no sandbox for the super-user.
    flags = ["--no-sandbox"] if os.geteuid() == 0 else []
    with (
        playwright.sync_playwright() as started,
        started.chromium.launch(executable_path=found, args=flags) as launched,
    ):
        yield launched


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
        result = page.evaluate("axe.run()")
        return [
            f"{one['id']}: {json.dumps([node['html'][:160] for node in one['nodes'][:3]])}"
            for one in result["violations"]
        ]

    return found
