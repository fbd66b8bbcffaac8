"""Pages of every kind of result in a real browser: at all widths, in both themes, by keyboard, on paper."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sledsim
from sledsim.model.scheduling import REGISTERED

pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
pytest.importorskip("playwright", reason="pip install playwright")

from ..browsing import DRAWN_MS
from ..charts.makers import MAKERS, PLAIN

WIDTHS = (360, 390, 1280, 2560)
#: Return the right ends of the charts.
WIDEST = """Math.max(0, ...[...document.querySelectorAll(".chart svg")].map(
  (one) => one.getBoundingClientRect().right))"""
#: The book has pages of its own style.
KINDS = [name for name in MAKERS if name not in ("book", "robustness", "Study")]
#: Return the number of labels of each axis of numbers, with a text where they are few.
TICKS = """() => [...document.querySelectorAll("figure .role-axis")].map((axis) => {
  const said = axis.querySelector("[aria-label]");
  const about = said?.getAttribute("aria-label") ?? "";
  const labels = [...axis.querySelectorAll(".role-axis-label text")];
  const shown = labels.filter((one) => getComputedStyle(one).opacity !== "0" && one.textContent);
  return [about, new Set(shown.map((one) => one.textContent)).size];
}).filter(([about, count]) => about && !about.includes("discrete") && count < 3)"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], list[Path]]:
    """The pages of a kind of result, made once."""
    found: dict[str, list[Path]] = {}

    def pages(kind: str) -> list[Path]:
        if kind not in found:
            folder = tmp_path_factory.mktemp(kind)
            MAKERS[kind](PLAIN, folder)
            found[kind] = sorted(folder.rglob("*.html"))
        return found[kind]

    return pages


def own_policies() -> list[str]:
    """The policies of sledsim by name: another test may have registered more."""
    return sorted(name for name in sledsim.schedulers() if name not in REGISTERED)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with all policies, some of which do the same."""
    device = sledsim.device("osdi00")
    trace = sledsim.random_workload(device, rate_per_s=1200, count=1500, seed=7)
    folder = tmp_path_factory.mktemp("many")
    compared = sledsim.compare(device, trace, own_policies(), scales=[0.8, 1.0, 1.2])
    return next(path for path in compared.write_plots(folder) if path.suffix == ".html")


@pytest.mark.dear("a browser opens pages in several sizes")
@pytest.mark.parametrize("kind", KINDS)
def test_pages_fit_every_window_without_a_complaint(
    kind: str, made: Callable[[str], list[Path]], opened: Callable[..., Any]
) -> None:
    for path in made(kind):
        assert path.stat().st_size < 2_000_000
        with opened(path) as page:
            # Each width after another one, as when a window is made larger or a phone is turned.
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 900})
                page.wait_for_selector(f"html[data-drawn='{width}']", state="attached", timeout=DRAWN_MS)
                assert page.evaluate("document.documentElement.scrollWidth") <= width, (path.name, width)
                assert page.evaluate(WIDEST) <= width + 1, (path.name, width)
                if width == 1280:
                    assert page.evaluate(TICKS) == [], path.name


@pytest.mark.dear("a browser opens pages in several sizes")
def test_browsers_complain_of_no_study(made: Callable[[str], list[Path]], opened: Callable[..., Any]) -> None:
    """The charts of studies are of many kinds, each of one study alone; a phone has least room."""
    pages = made("Study")
    assert len(pages) == len(sledsim.studies.STUDIES)
    for path in pages:
        with opened(path, 390) as page:
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, path.name


@pytest.mark.dear("a browser opens pages in several sizes")
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_pages_are_accessible(
    kind: str,
    theme: str,
    made: Callable[[str], list[Path]],
    opened: Callable[..., Any],
    violations: Callable[[Any], list[str]],
) -> None:
    for path in made(kind):
        with opened(path, 390, theme) as page:
            page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
            assert violations(page) == [], path.name


@pytest.mark.dear("a browser opens pages in several sizes")
@pytest.mark.parametrize("kind", KINDS)
def test_every_chart_says_what_is_seen(
    kind: str, made: Callable[[str], list[Path]], opened: Callable[..., Any]
) -> None:
    for path in made(kind):
        with opened(path) as page:
            for figure in page.query_selector_all("figure"):
                title, says = (figure.query_selector(part).inner_text() for part in ("h2", "figcaption"))
                assert says != title and says.rstrip().endswith("."), (path.name, title, says)


def dim(page: Any) -> int:
    """Return the number of dim lines of the first chart."""
    found: int = page.evaluate(
        "[...document.querySelectorAll('#chart-1 .mark-line path')].filter("
        "(one) => +(one.getAttribute('opacity') ?? 1) < 0.5).length"
    )
    return found


@pytest.mark.dear("a browser opens pages in several sizes")
def test_policies_that_do_the_same_are_one_and_each_has_a_panel(
    many: Path, opened: Callable[..., Any]
) -> None:
    with opened(many) as page:
        names = [one.get_attribute("data-name") for one in page.query_selector_all("[data-name]")]
        asked = [name for one in names for name in one.split(" = ")]
        assert sorted(asked) == own_policies() and len(names) < len(asked)
        assert len(page.query_selector_all(".legend")) == 1, "one legend for all charts"
        lines = len(page.query_selector_all("#chart-1 .mark-line path"))
        assert lines == len(names)
        small = page.query_selector("h2:has-text('Each scheduler by itself')")
        assert small is not None
        panels = page.query_selector_all(
            "figure:has(h2:has-text('Each scheduler by itself')) .role-title text"
        )
        assert len(panels) >= len(names)


@pytest.mark.dear("a browser opens pages in several sizes")
def test_every_control_works_by_keyboard(many: Path, opened: Callable[..., Any]) -> None:
    with opened(many, accept_downloads=True) as page:
        lines = len(page.query_selector_all("#chart-1 .mark-line path"))
        assert dim(page) == 0
        one = page.locator("[data-name='fcfs']")
        one.focus()
        page.keyboard.press("Space")
        page.locator("#theme").focus()
        page.wait_for_function("document.querySelector('[data-name=fcfs]').ariaPressed === 'true'")
        assert dim(page) == lines - 1
        assert "fcfs" in page.locator("#status").inner_text()
        one.focus()
        page.keyboard.press("Enter")
        page.locator("#theme").focus()
        assert dim(page) == 0
        group = page.locator(".legend .group").first
        group.focus()
        page.keyboard.press("Enter")
        assert group.get_attribute("aria-pressed") == "true" and 0 < dim(page) < lines - 1

        themes = []
        page.locator("#theme").focus()
        for _ in range(3):
            page.keyboard.press("Enter")
            themes.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        assert len(set(themes)) == 2

        folded = page.locator("details:has-text('Figures of every scheduler') summary")
        folded.focus()
        page.keyboard.press("Enter")
        heading = page.locator("th:has-text('p99 response') button")
        for order, first in (("ascending", min), ("descending", max)):
            heading.focus()
            page.keyboard.press("Enter")
            assert heading.locator("..").get_attribute("aria-sort") == order
            at = heading.locator("..").evaluate("(one) => one.cellIndex")
            keys = page.evaluate(
                "(at) => [...document.querySelector('details[open] tbody').rows]"
                ".map((row) => +row.cells[at].dataset.key)",
                at,
            )
            assert keys[0] == first(keys) and len(keys) > 60

        save = page.locator(".save").first
        save.focus()
        with page.expect_download() as downloaded:
            page.keyboard.press("Enter")
        picture = Path(downloaded.value.path()).read_text()
        assert picture.startswith("<svg") and "var(" not in picture


@pytest.mark.dear("a browser opens pages in several sizes")
def test_a_page_prints_light_with_its_charts(many: Path, opened: Callable[..., Any]) -> None:
    with opened(many, theme="dark") as page:
        page.emulate_media(media="print")
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert not page.locator("#theme").is_visible() and page.locator("#chart-1 svg").is_visible()
        assert page.pdf()[:4] == b"%PDF"


@pytest.mark.dear("a browser opens pages in several sizes", every_change=True)
def test_without_scripts_the_tables_are_there(tmp_path: Path, browser: Any) -> None:
    device = sledsim.device("osdi00")
    trace = sledsim.random_workload(device, rate_per_s=1200, count=200, seed=7)
    written = sledsim.compare(device, trace, ["fcfs", "sptf"]).write_plots(tmp_path)
    (path,) = (path for path in written if path.suffix == ".html")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.absolute().as_uri())
    assert page.locator("td").count() > 10
    assert not page.locator("#theme").is_visible() and not page.locator(".save").first.is_visible()
    context.close()
