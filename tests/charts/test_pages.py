"""Every page and picture made of hostile names, opened in a real parser: nothing of a name becomes markup."""

import ast
import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import html5lib
import pytest

import sledsim
from sledsim import papers

pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")

import altair as alt

from .makers import MAKERS, PLAIN, Maker, device, make_book, trace_of

SOURCES = Path(sledsim.__file__).parent
#: Texts that break out of a text, an attribute, a title, a script, a style and a comment.
HOSTILE = "".join(
    (
        "</script><script>alert(1)</script>",
        "<!--<script>",
        "</title></style></textarea></noscript>",
        '"><img src=x onerror=alert(1)>',
        "'><svg onload=alert(1)>",
        "]]><a href=javascript:alert(1)>",
        "&lt;b&gt;&#60;b&#62;{{alert(1)}}${alert(1)}",
    )
)
#: Besides, what no document may hold.
UNPRINTABLE = HOSTILE + "\n\x00\x07\x1b[31m\x9b\uffff\u2028"
#: The elements of pictures.
OF_SVG = set("svg g path rect text tspan line circle defs clipPath image linearGradient stop".split())

#: Modules that write pages: of results, of certificates, of studies, and of the book.
WRITERS = {"charts/chart_table.py", "charts/timing_report.py", "studies/sheet.py", "papers/book/writing.py"}
WRITERS |= {"papers/robustness/chart.py", "charts/run_page.py", "charts/side_by_side_page.py"}
WRITERS |= {"charts/explanation_page.py"}
#: Pieces of pages, and what all charts go through.
PIECES = {
    *("pages/page.py", "common/html_text.py", "common/charted.py", "charts/style.py", "charts/rendering.py"),
    *("papers/book/markup.py", "papers/book/chapters.py", "papers/book/front.py", "papers/shared/records.py"),
    *("papers/book/reactions_page.py", "papers/book/robustness_page.py"),
    # tests/live/test_view.py makes that page: a run in the place that it has for one.
    "charts/live_page.py",
}
#: Modules that write no markup themselves.
WITHOUT_MARKUP = PIECES - {"pages/page.py", "common/html_text.py", "charts/live_page.py"}
#: The templates, whose engine escapes what they are given, but for the scripts that draw charts of the book.
TEMPLATES = (SOURCES / "pages", SOURCES / "papers/book/pages")
#: Names that only makers of pages call or write.
CALLS = {
    "save_chart",
    "save_charts",
    "as_page",
    "first_page",
    "chapter_page",
    "reactions_page",
    "page",
    "rendered",
    "document",
    "to_html",
    "save",
}


@pytest.mark.dear("pages of a kind are made twice and parsed")
def test_every_writer_of_pages_is_here() -> None:
    found = set()
    for path in SOURCES.rglob("*.py"):
        name = path.relative_to(SOURCES).as_posix()
        for node in ast.walk(ast.parse(path.read_text())):
            called = getattr(node, "func", None) if isinstance(node, ast.Call) else None
            is_call = getattr(called, "attr", getattr(called, "id", "")) in CALLS
            is_markup = (
                isinstance(node, ast.Constant) and isinstance(node.value, str) and "<html" in node.value
            )
            if is_call or is_markup or (isinstance(node, ast.Constant) and node.value == ".html"):
                found.add(name)
    assert found - PIECES == WRITERS, "a page of a new kind has to be made in this test"
    from sledsim.charts.chart_table import CHARTS

    assert {kind.__name__ for kind in CHARTS} | {"Study", "several runs", "book", "robustness"} == set(MAKERS)
    markup = {
        path.relative_to(SOURCES).as_posix()
        for path in SOURCES.rglob("*.py")
        if any(mark in path.read_text() for mark in ("<script", "</", "from html import", "import html"))
    }
    assert markup == PIECES - WITHOUT_MARKUP
    unescaped = [
        line
        for folder in TEMPLATES
        for path in folder.glob("*.html")
        # That one is built, and no template.
        if path.name != "live.html"
        for line in path.read_text().splitlines()
        if "safe" in line
    ]
    assert unescaped == ["{{ drawn|safe }}"]


@pytest.mark.dear("pages of a kind are made twice and parsed", every_change="several runs")
@pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)
def test_names_stay_text(maker: Maker, tmp_path: Path) -> None:
    for name, folder in ((PLAIN, tmp_path / "plain"), (UNPRINTABLE, tmp_path / "hostile")):
        folder.mkdir()
        maker(name, folder)
    made = sorted(path.relative_to(tmp_path / "plain") for path in (tmp_path / "plain").rglob("*.html"))
    assert made
    for page in made:
        ours, plain = (opened(tmp_path / folder / page) for folder in ("hostile", "plain"))
        assert shape(ours) == shape(plain), page
        assert texts(ours), f"{page}: the name stands in no text"
    for picture in (tmp_path / "hostile").rglob("*.svg"):
        check_picture(picture)


def opened(path: Path) -> Any:
    """The tree of a page as browsers build it; what is no well-formed page is an error."""
    text = path.read_text(encoding="utf-8")
    # That of the book, or that of a page of its own.
    charts = text.partition("const charts")[2] or text.partition('id="charts"')[2].partition("</script>")[0]
    assert not any(ord(letter) < 32 and letter not in "\t\n" for letter in charts)
    return html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)


def shape(tree: Any) -> list[Any]:
    """Elements in their order, with the names of their attributes, and the values that are not texts."""
    found: list[Any] = []
    for element in tree.iter():
        assert isinstance(element.tag, str), "a comment"
        kept = {key: value for key, value in element.attrib.items() if not is_text(key)}
        assert not any(key.startswith("on") for key in element.attrib)
        assert not element.attrib.get("href", "").lower().startswith("javascript")
        found.append((element.tag, kept, sorted(element.attrib)))
    return found


def is_text(attribute: str) -> bool:
    """True if an attribute has a text for readers, not one that scripts compare."""
    return attribute in ("alt", "title", "href", "aria-label") or attribute.startswith("data-")


def texts(tree: Any) -> list[str]:
    """Places of the name: in texts, in attributes, or in the JSON of a script, which is whole."""
    found = []
    for element in tree.iter():
        text = element.text or ""
        if element.attrib.get("type") == "application/json":
            found += [value for value in strings(json.loads(text)) if HOSTILE[:40] in value]
        elif element.tag == "script" and text.strip().startswith("const charts = "):
            charts, end = json.JSONDecoder().raw_decode(text.strip().removeprefix("const charts = "))
            assert text.strip().removeprefix("const charts = ")[end:].startswith(";\nconst options = {mode")
            found += [value for value in strings(charts) if HOSTILE[:40] in value]
        elif element.tag != "script" and HOSTILE[:40] in text:
            found.append(text)
        found += [value for value in element.attrib.values() if HOSTILE[:40] in value]
    return found


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for within in value.values() if isinstance(value, dict) else value:
            yield from strings(within)


def check_picture(path: Path) -> None:
    """A picture is XML, of elements that draw."""
    for element in ElementTree.parse(path).iter():
        assert element.tag.rpartition("}")[2] in OF_SVG, (path, element.tag)
        assert not any(key.rpartition("}")[2].startswith("on") for key in element.attrib)


@pytest.mark.dear("pages of a kind are made twice and parsed")
def test_a_file_may_be_called_anything(tmp_path: Path) -> None:
    from sledsim.charts.style import save_chart

    chart = sledsim.compare(device(PLAIN), trace_of(PLAIN), ["fcfs"]).plot()
    name = HOSTILE.replace("/", "")[:200]
    hostile, plain = (save_chart(chart, tmp_path / f"{stem}.html") for stem in (name, PLAIN))
    assert shape(opened(hostile)) == shape(opened(plain))
    assert opened(hostile).find("head/title").text == "plain on plain"
    # What has no title is called like its file.
    untitled = save_chart(alt.Chart(alt.InlineData(values=[])).mark_point(), tmp_path / f"{name}.html")
    assert opened(untitled).find("head/title").text == name


@pytest.mark.dear("pages of a kind are made twice and parsed")
def test_records_of_a_book_have_names_of_experiments(tmp_path: Path) -> None:
    """A page is linked by the name of its record: none may lead elsewhere."""
    make_book(PLAIN, tmp_path)
    kept = json.loads((tmp_path / "verdicts" / "002-E-99.json").read_text())
    for name in ("javascript:alert(1)-1", "x-1", "002-E-1#-1", "002-E-01", "../002-E-1"):
        path = tmp_path / "verdicts" / f"{name.replace('/', '-')}.json"
        path.write_text(json.dumps({**kept, "id": path.stem}))
        with pytest.raises(sledsim.ParameterError, match="expected the verdicts of the experiment"):
            papers.write_book([], tmp_path)
        path.unlink()
    for change in ({"title": 3}, {"quick": "x"}, {"notes": [3]}, {"devices": {}}):
        path = tmp_path / "verdicts" / "002-E-99.json"
        path.write_text(json.dumps({**kept, **change}))
        with pytest.raises(sledsim.ParameterError, match=r"002-E-99\.json: expected the verdicts"):
            papers.write_book([], tmp_path)
