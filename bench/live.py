"""Measure the speed of the live page: the script of a frame, and the first picture after a cold load.

Times of scripts are processor times, so other load on the machine does not count.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
LIVE = ROOT / "live"
MODULE = ROOT / "target/wasm32-unknown-unknown/small/sledsim_wasm.wasm"
#: Settings of a page at 2,600 requests/s, more than any policy can serve: soon hundreds wait.
BUSY = "device=osdi00&policy=sptf&policy=fcfs&workload=random:rate=2600,count=20000,seed=1&at=400"
#: Speeds of the page.
SPEEDS = (0.001, 0.01, 0.1, 1)
PLAYED_S = 4
LOADS = 5
THERE_MS = 60_000


def missing() -> str | None:
    """Return the missing requirement; None if the page can be measured."""
    if shutil.which("node") is None or not (LIVE / "node_modules").is_dir() or not MODULE.is_file():
        return "the page cannot be built: make live"
    if shutil.which("chromium") is None:
        return "no Chromium: apt-get install chromium"
    try:
        import playwright  # noqa: F401
    except ModuleNotFoundError:
        return "pip install playwright"
    return None


def frames_ms(browser: Any, page: Any) -> "np.ndarray[Any, Any]":
    """Return the processor time of the script of each frame while the page plays."""
    browser.start_tracing(page=page, categories=["devtools.timeline"])
    page.click("#play")
    page.wait_for_timeout(PLAYED_S * 1000)
    page.click("#play")
    events = json.loads(browser.stop_tracing())["traceEvents"]
    frames = [one["tdur"] for one in events if one["name"] == "FireAnimationFrame" and "tdur" in one]
    return np.asarray(frames) * 1e-3


def opened(context: Any, path: Path, fragment: str) -> Any:
    page = context.new_page()
    page.goto(f"{path.as_uri()}#{fragment}")
    page.wait_for_selector("html[data-drawn]", state="attached", timeout=THERE_MS)
    return page


def measure(browser: Any, path: Path) -> None:
    """Print the figures."""
    loads_s = []
    for _ in range(LOADS):
        # A new context has an empty cache.
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        began = time.perf_counter()
        opened(context, path, "").close()
        loads_s.append(time.perf_counter() - began)
        context.close()
    print(f"first picture: {min(loads_s):.2f} s at best, {np.median(loads_s):.2f} s in the median of {LOADS}")
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    for speed in SPEEDS:
        page = opened(context, path, f"{BUSY}&speed={speed}")
        page.wait_for_timeout(2000)
        found_ms = frames_ms(browser, page)
        waiting = page.locator("#figures tbody td:nth-child(3)").all_text_contents()
        middle, most = np.percentile(found_ms, [50, 95])
        print(
            f"speed {speed:6g}: script of a frame {middle:5.2f} ms, at the 95th percentile {most:5.2f} ms,"
            f" of {len(found_ms)} frames; {' and '.join(waiting)} waiting"
        )
        page.close()


def main() -> None:
    """Build the page and measure it, or print what is missing."""
    reason = missing()
    if reason is not None:
        print(f"the live page is not measured: {reason}")
        return
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "live.html"
        subprocess.run(["node", LIVE / "tools/build.js", MODULE, path], check=True, stdout=sys.stderr)
        flags = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        measure(browser, path)
        browser.close()


main()
