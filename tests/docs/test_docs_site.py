"""The site of the documentation: no warning, no dead link, no resource of other hosts."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from docs.site.__main__ import build
from docs.site.checks import faults_of
from docs.site.navigation import NO_LIVE, front_page, kinds
from docs.site.staging import ROOT, Staging

MISSING = [name for name in ("sphinx", "furo", "myst_parser") if find_spec(name) is None]
needs_sphinx = pytest.mark.skipif(
    bool(MISSING), reason=f"not installed: {', '.join(MISSING)} ('sledsim[docs]')"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site, with a page that stands for the live sled."""
    folder = tmp_path_factory.mktemp("site")
    live = folder / "sled.html"
    live.write_text("<!doctype html><title>The sled, live</title>")
    # An earlier build may have left files that no longer exist.
    (folder / "site" / "book").mkdir(parents=True)
    (folder / "site" / "book" / "index.html").write_text("<title>An earlier book</title>")
    (folder / "site" / "gone.html").write_text("<title>A page that is gone</title>")
    # Sphinx treats warnings as errors, and faults that `faults_of` finds set the status to 1, too.
    assert build(folder / "site", folder / "work", live) == 0
    return folder / "site"


@pytest.mark.dear("a part of the site is built")
@needs_sphinx
def test_the_site_has_a_page_of_every_page_of_the_documentation(site: Path) -> None:
    pages = [page.relative_to(ROOT / "docs").with_suffix(".html") for page in (ROOT / "docs").rglob("*.md")]
    assert [page for page in pages if page.name != "index.html" and not (site / page).is_file()] == []
    front = (site / "index.html").read_text()
    assert 'src="live/index.html#workload=' in front and (site / "live" / "index.html").is_file()
    assert all(kind in front for kind in kinds())


@pytest.mark.dear("a part of the site is built")
@needs_sphinx
def test_the_site_needs_no_network_and_every_link_leads_somewhere(site: Path) -> None:
    assert len(list(site.rglob("*.html"))) > 100 and not (site / "gone.html").exists()
    assert list(faults_of(site)) == []
    assert not any(
        "@import" in sheet.read_text() or "url(http" in sheet.read_text() for sheet in site.rglob("*.css")
    )


#: A page of each kind.
SHOWN = (
    "index background/model background/is-it-true tutorials/exercises reference/parameters project/changelog"
    " generated/devices/osdi00 generated/volumes/raid5 generated/tables generated/studies"
    " generated/commands/run generated/python/runs genindex"
).split()
#: Elements wider than their container that cannot be scrolled; pictures that are missing or not described.
FAULTS = """() => {
  const moves = (one) => one && (getComputedStyle(one).overflowX !== "visible" || moves(one.parentElement));
  const right = document.querySelector("article").getBoundingClientRect().right;
  const wide = [...document.querySelectorAll("article :is(table, pre, img, iframe)")].filter(
    (one) => !moves(one.parentElement.closest("article *")) && one.getBoundingClientRect().right > right + 2);
  const lost = [...document.images].filter((one) => (one.complete && !one.naturalWidth) || !one.alt);
  return [...wide, ...lost].map((one) => one.outerHTML.slice(0, 99));
}"""


@pytest.mark.dear("a part of the site is built")
@needs_sphinx
@pytest.mark.parametrize("name", SHOWN)
def test_pages_fit_every_window(site: Path, name: str, opened: Callable[..., Any]) -> None:
    with opened(site / f"{name}.html") as page:
        for width in (1280, 390, 2560):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, width
            assert page.evaluate(FAULTS) == [], width
            # The meaning of a name is readable without scrolling the table.
            hidden = "(one) => one.getBoundingClientRect().right > innerWidth"
            cells = "[...document.querySelectorAll('.meanings td:last-child')]"
            assert not page.evaluate(f"{cells}.some({hidden})"), width


def test_a_site_without_the_live_sled_says_so(tmp_path: Path) -> None:
    staging = Staging(tmp_path)
    assert NO_LIVE in front_page(staging, {}, live=False) and "iframe" not in front_page(
        staging, {}, live=False
    )
    assert NO_LIVE not in front_page(staging, {}, live=True) and "iframe" in front_page(
        staging, {}, live=True
    )


def test_links_lead_from_where_a_page_stands_in_the_site(tmp_path: Path) -> None:
    staging = Staging(tmp_path)
    page = "docs/how-to/design.md"
    for there, here in {
        "../reference/devices.md#a-device": "../reference/devices.md#a-device",
        "../../ARCHITECTURE.md": "../project/architecture.md",
        "../index.md": "../contents.md",
        "../images/sled.svg": "../images/sled.svg",
        "../../examples/typed_user.py": "../files/examples/typed_user.py",
        "https://example.org/x.md": "https://example.org/x.md",
        "#here": "#here",
    }.items():
        assert (
            staging.relinked(page, f"[`a`]({there}), `[b](no-link.md)`")
            == f"[`a`]({here}), `[b](no-link.md)`"
        )
    assert {"images/sled.svg", "files/examples/typed_user.py"} == staging.texts.keys()


def test_staging_writes_what_has_changed_and_removes_the_rest(tmp_path: Path) -> None:
    first = Staging(tmp_path)
    first.write("a.md", "a")
    first.write("b/c.md", "c")
    assert first.finish() == {"a.md", "b/c.md"}
    before = (tmp_path / "a.md").stat().st_mtime_ns
    again = Staging(tmp_path)
    again.write("a.md", "a")
    assert again.finish() == set()
    assert (tmp_path / "a.md").stat().st_mtime_ns == before
    assert [path.name for path in tmp_path.rglob("*.md")] == ["a.md"]


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ('<a href="gone.html">x</a>', "index.html: gone.html leads nowhere"),
        ('<a href="other.html#no">x</a>', "index.html: other.html#no leads to no such place"),
        (
            '<script src="https://example.org/a.js"></script>',
            "index.html: https://example.org/a.js is fetched",
        ),
        ('<img src="//example.org/a.png">', "index.html: //example.org/a.png is fetched"),
        (
            '<link rel="stylesheet" href="http://example.org/a.css">',
            "index.html: http://example.org/a.css is fetched",
        ),
        ("", "other.html: no page leads to it"),
        ('<a href="other.html#yes">x</a><a href="https://example.org">y</a>', ""),
    ],
)
def test_the_check_finds_what_is_wrong(tmp_path: Path, body: str, fault: str) -> None:
    (tmp_path / "other.html").write_text('<h1 id="yes">other</h1>')
    link = "" if not body else '<a href="other.html">x</a>'
    (tmp_path / "index.html").write_text(body + link)
    found = list(faults_of(tmp_path))
    assert [line.startswith(fault) for line in found] == [True] * bool(fault), found
