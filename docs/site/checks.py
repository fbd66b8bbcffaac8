"""Check the site for dead links, unlinked pages, and files from other hosts."""

from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: Elements that a browser fetches by itself, with the attribute that holds the address.
_FETCHED = {"script": "src", "img": "src", "iframe": "src", "link": "href", "source": "src", "video": "src"}
#: Pages without links to them: the front page, and pages that Sphinx adds.
_UNLINKED = {"index.html", "search.html", "genindex.html"}


class _Page(HTMLParser):
    """Anchors of a page, targets of its links, and files that a browser fetches for it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record the anchor, link or fetched file of a tag."""
        said = {name: value or "" for name, value in attrs}
        self.anchors |= {said[name] for name in ("id", "name") if name in said}
        if tag == "a" and "href" in said:
            self.links.append(said["href"])
        if (name := _FETCHED.get(tag)) and said.get(name) and said.get("rel") != "canonical":
            self.fetched.append(said[name])


@cache
def _read(path: Path, _time_ns: int) -> _Page:
    return _Page(path.read_text(encoding="utf-8"))


def _page(path: Path) -> _Page:
    return _read(path, path.stat().st_mtime_ns)


def faults_of(site: Path) -> Iterator[str]:
    """Yield the faults of a built site, one line each."""
    linked = set()
    for path in sorted(site.rglob("*.html")):
        page, name = _page(path), path.relative_to(site)
        yield from (
            f"{name}: {target} is fetched from another host"
            for target in page.fetched
            if urlsplit(target).netloc
        )
        for target in [*page.links, *page.fetched]:
            there = _inside(path, target)
            linked |= {there} - {path}
            if there and (why := _is_lost(there, unquote(urlsplit(target).fragment))):
                yield f"{name}: {target} leads {why}"
    for path in sorted({*site.rglob("*.html")} - linked):
        if path.relative_to(site).as_posix() not in _UNLINKED:
            yield f"{path.relative_to(site)}: no page leads to it"


def _is_lost(there: Path, anchor: str) -> str:
    """Return the reason why a link is dead, or an empty text."""
    if not there.is_file():
        return "nowhere"
    # A fragment with "=" is the state of the live sled, not an anchor.
    is_place = bool(anchor) and "=" not in anchor and there.suffix == ".html"
    is_there = not is_place or anchor in _page(there).anchors
    return "" if is_there else "to no such place"


def _inside(path: Path, target: str) -> Path | None:
    """Return the file that a link leads to; None if it leads out of the site."""
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:
        return None
    there = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    return there / "index.html" if there.is_dir() else there
