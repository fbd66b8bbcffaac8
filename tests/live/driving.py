"""Actions of tests on the page, as a reader takes them."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

#: Milliseconds until something is there; the machine may have other things to do.
THERE_MS = 60_000
#: A hundred requests and more wait under either policy.
BUSY = "workload=random:rate=2600,count=3000,seed=1&at=400"

Opened = Callable[..., Any]


def drawn(page: Any) -> None:
    page.wait_for_selector("html[data-drawn]", state="attached", timeout=THERE_MS)


def goto(page: Any, path: Path, fragment: str) -> None:
    """The page as a link opens it."""
    page.goto("about:blank")
    page.goto(f"{path.absolute().as_uri()}#{fragment}")
    drawn(page)


def complete(page: Any) -> list[int]:
    """Return the number of complete requests under each policy."""
    cells = page.locator("#figures tbody tr td:nth-child(2)").all_text_contents()
    return [int(cell) for cell in cells]


def finished(page: Any, count: str | re.Pattern[str]) -> None:
    """Wait until a number of requests is complete under the first policy."""
    from playwright.sync_api import expect

    expect(page.locator("#figures td").first).to_have_text(count, timeout=THERE_MS)


def at_end(page: Any) -> None:
    page.locator("#at").evaluate("(one) => { one.value = 1000; one.dispatchEvent(new Event('input')); }")


def seconds(text: str) -> float:
    """A time as the page writes it."""
    found = re.fullmatch(r"([\d.]+(?:e\+\d+)?) (s|ms|µs|ns)", text)
    assert found, text
    return float(found[1]) * {"s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}[found[2]]
