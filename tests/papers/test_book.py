"""Test the book: pages, links, charts and texts, and the files that a failure leaves."""

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

import sledsim
from sledsim import charts as blocks, papers
from sledsim.charts import rendering
from sledsim.papers import Statement, Verdict, claim

from ..conftest import is_long
from .conftest import Quick, Shelf
from .light import LIGHT

#: Functions that draw pictures, which most tests leave out.
AS_SVG, LIBRARIES = rendering.as_svg, rendering.libraries


pytestmark = pytest.mark.usefixtures("shortcuts")


@pytest.fixture(scope="module")
def book(shelf: Shelf) -> Path:
    return shelf.folder


#: Cost of books: one of all experiments takes minutes, one of a few is made on every change.
takes_all = pytest.mark.dear("a book of all experiments runs each of them", every_change="light")


class Links(HTMLParser):
    """Collector of the links of a page, and of the names of its places."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.places: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.targets.append(value)
            if name == "id" and value:
                self.places.add(value)


def read(page: Path) -> Links:
    links = Links()
    links.feed(page.read_text(encoding="utf-8"))
    return links


@takes_all
def test_the_book_has_no_external_address(shelf: Shelf, book: Path) -> None:
    pages = sorted(book.glob("*.html"))
    # The first page, and that of verdicts under wrong models.
    assert len(pages) == len(shelf.chapters) + 2
    for page in pages:
        assert not re.search(r"(https?:)?//[a-z]", page.read_text(encoding="utf-8")), page.name
    assert "url(" not in (book / "assets" / "style.css").read_text(encoding="utf-8")


@takes_all
def test_all_links_of_the_book_resolve(book: Path) -> None:
    places = {page.name: read(page).places for page in book.glob("*.html")}
    for page in book.glob("*.html"):
        targets = read(page).targets
        assert "assets/style.css" in targets
        for target in targets:
            name, _, place = target.partition("#")
            assert (book / name).is_file(), f"{page.name}: {target}"
            assert not place or place in places[name], f"{page.name}: {target}"


@takes_all
def test_the_first_page_has_every_claim_and_counts_them(shelf: Shelf, book: Path) -> None:
    text = (book / "index.html").read_text(encoding="utf-8")
    assert all(f"#{name}" in text for name in shelf.claims)
    counts = Counter(found.verdict for found in shelf.claims.values())
    for verdict in Verdict:
        assert f"<strong>{counts[verdict]}</strong>{verdict.value}</label>" in text
        assert text.count(f'<tbody class="claim {verdict.key}"') == counts[verdict]
        assert f"#only-{verdict.key}:checked" in (book / "assets" / "style.css").read_text(encoding="utf-8")


@takes_all
def test_each_page_has_its_verdicts_figures_devices_and_command(shelf: Shelf, book: Path) -> None:
    for chapter in shelf.chapters:
        text = (book / chapter.record.page).read_text(encoding="utf-8")
        assert f"sledsim paper run {chapter.experiment.id} --quick --out book" in text
        assert f"sledsim {sledsim.__version__}" in text
        assert all(f'id="{found.id}"' in text for found in chapter.result.claims)
        assert all(f"Parameters of {device.name}" in text for device in chapter.result.devices)
        assert text.count("<figure>") == text.count("<noscript>") == len(chapter.result.charts)


@takes_all
def test_the_first_page_counts_the_claims_of_all_five_papers(shelf: Shelf, book: Path) -> None:
    overview = (book / "index.html").read_text(encoding="utf-8").partition('<div class="wide"><table>')[2]
    head, _, body = overview.partition("</table></div>")[0].partition("<tbody>")
    assert head.strip().startswith("<thead>") and "not examined here" in head
    rows = body.split("<tr>")[1:]
    assert [re.search(r"<td>(\d{3}):", row)[1] for row in rows] == list(papers.PAPERS)  # type: ignore[index]
    for paper, row in zip(papers.PAPERS, rows, strict=True):
        cells = [int(cell or 0) for cell in re.findall('<td class="number">(.*?)</td>', row)]
        total, counts, elsewhere = cells[0], cells[1:-2], cells[-2:]
        assert sum(counts) == total == papers.PAPERS[paper].claims
        claims = [found for found in shelf.claims.values() if found.paper == paper]
        verdicts = [found.verdict for found in claims]
        assert counts[:-1] == [verdicts.count(verdict) for verdict in Verdict]
        others = [found.elsewhere for found in claims]
        assert elsewhere == [others.count(one) for one in (Verdict.SHAPE, Verdict.NOT_BORNE_OUT)]


@takes_all
def test_a_hurried_book_says_so(shelf: Shelf, book: Path) -> None:
    from sledsim.papers.book.front import first_page

    assert "fewer requests and points: all experiments." in (book / "index.html").read_text(encoding="utf-8")
    careful = [replace(chapter.record, quick=chapter.record.id == LIGHT[0]) for chapter in shelf.chapters]
    assert f"fewer requests and points: {LIGHT[0]}." in first_page(careful)
    assert "--quick" not in first_page([replace(record, quick=False) for record in careful])


@pytest.mark.dear("experiments of a paper are simulated", every_change=True)
def test_one_experiment_joins_the_book_that_is_there(quick_chapter: Quick, tmp_path: Path) -> None:
    by_id = {name: quick_chapter(name) for name in ("000-E-2", "001-E-10", "002-E-6")}
    papers.write_book([by_id["002-E-6"], by_id["001-E-10"]], tmp_path)
    before = (tmp_path / "001-E-10.html").read_bytes()
    papers.write_book([by_id["000-E-2"]], tmp_path)
    index = read(tmp_path / "index.html").targets
    pages = [target for target in dict.fromkeys(index) if re.fullmatch(r"\d.*\.html", target)]
    assert pages == ["000-E-2.html", "001-E-10.html", "002-E-6.html"]
    assert all((tmp_path / target.partition("#")[0]).is_file() for target in index)
    assert (tmp_path / "001-E-10.html").read_bytes() == before
    records = [by_id[name].record for name in ("000-E-2", "001-E-10", "002-E-6")]
    assert pyarrow.parquet.read_table(tmp_path / "verdicts.parquet").to_pylist() == papers.verdict_rows(
        records
    )

    (tmp_path / "001-E-10.html").unlink()
    papers.write_book([by_id["000-E-2"]], tmp_path)
    assert "001-E-10.html" not in (tmp_path / "index.html").read_text(encoding="utf-8")


@takes_all
def test_a_record_is_read_as_it_was_written(shelf: Shelf, book: Path) -> None:
    from sledsim.papers.shared.records import read as read_record

    for chapter in shelf.chapters:
        record = read_record(book / "verdicts" / f"{chapter.record.id}.json")
        assert record.plain() == chapter.record.plain()


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"id": "002-E-7", "claims": []}', json.dumps({"claims": [{"findings": 1}]})]
)
def test_invalid_verdicts_are_refused(quick_chapter: Quick, tmp_path: Path, text: str) -> None:
    path = tmp_path / "verdicts" / "002-E-6.json"
    path.parent.mkdir()
    path.write_text(text)
    light = [quick_chapter("002-E-6")]
    for call in (papers.check_book, lambda folder: papers.write_book(light, folder)):
        with pytest.raises(sledsim.ParameterError, match=r"002-E-6\.json: expected the verdicts of"):
            call(tmp_path)
    assert [found.name for found in tmp_path.rglob("*")] == ["verdicts", "002-E-6.json"]


def test_asking_whether_a_book_can_be_written_leaves_nothing(tmp_path: Path) -> None:
    papers.check_book(tmp_path / "a" / "book")
    papers.check_book(tmp_path)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text("x")
    for folder in (tmp_path / "file", tmp_path / "file" / "book"):
        with pytest.raises(NotADirectoryError, match="not a folder"):
            papers.check_book(folder)


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    """A folder with names of a book's files but other contents stays untouched."""
    (tmp_path / "assets").mkdir()
    mine = [tmp_path / name for name in ("index.html", "verdicts.csv", "assets/style.css")]
    for path in mine:
        path.write_text("MINE")
    for call in (papers.check_book, lambda out: papers.write_book([], out), write_none_perturbed):
        with pytest.raises(
            sledsim.ParameterError, match=r"expected a new folder, .* other files: assets, index.html"
        ):
            call(tmp_path)
        with pytest.raises(sledsim.ParameterError, match="expected the name of a folder"):
            call("")
    assert sorted(path for path in tmp_path.rglob("*") if path.is_file()) == sorted(mine)
    assert {path.read_text() for path in mine} == {"MINE"}
    # A folder of a book's name is the user's if it has other files.
    alone = tmp_path / "alone"
    for name in ("assets/style.css", "robustness/mine.txt"):
        (alone / name).parent.mkdir(parents=True)
        (alone / name).write_text("MINE")
    with pytest.raises(sledsim.ParameterError, match="a folder with other files: assets, robustness"):
        papers.check_book(alone)


def write_none_perturbed(folder: Path) -> None:
    papers.write_perturbed([], folder)


def test_either_kind_of_verdicts_makes_a_book(tmp_path: Path) -> None:
    row = papers.Experiment("002-E-99", "", "", (), lambda quick: papers.Result([]))
    papers.write_book([papers.Chapter(row, papers.Result([]), quick=True)], tmp_path / "run")
    write_none_perturbed(tmp_path / "perturbed")
    for name in ("run", "perturbed"):
        (tmp_path / name / "notes.txt").write_text("a reader's")
        papers.check_book(tmp_path / name)
    # Deleting the page of an experiment removes the experiment; the book stays a book.
    (tmp_path / "run" / "002-E-99.html").unlink()
    papers.check_book(tmp_path / "run")


@takes_all
def test_the_verdicts_are_data_too(shelf: Shelf, book: Path) -> None:
    with (book / "verdicts.csv").open(encoding="utf-8") as file:
        written = {row["claim"]: row for row in csv.DictReader(file)}
    assert {name: row["verdict"] for name, row in written.items()} == {
        name: found.verdict.value for name, found in shelf.claims.items()
    }
    table = pyarrow.parquet.read_table(book / "verdicts.parquet")
    assert table["claim"].to_pylist() == list(written)
    assert table["verdict"].to_pylist() == [row["verdict"] for row in written.values()]


@takes_all
def test_the_same_inputs_give_the_same_book(shelf: Shelf, book: Path, tmp_path: Path) -> None:
    own = "002-E-1" if shelf.is_whole else LIGHT[0]
    papers.write_book([papers.run(own, quick=True)], tmp_path)
    for name in (f"{own}.html", f"tables/{own}-1.csv"):
        assert (tmp_path / name).read_bytes() == (book / name).read_bytes()


def test_what_is_text_is_escaped(tmp_path: Path) -> None:
    from sledsim.papers.book.chapters import chapter_page

    hostile = "<script>alert('&')</script>"
    found = claim("002-C1", hostile, Statement(hostile, hostile, hostile, holds=False), reason=hostile)
    row = papers.Experiment("002-E-99", hostile, hostile, (1,), lambda quick: papers.Result([]))
    result = papers.Result([], [found], notes=[hostile])
    page = chapter_page(papers.Chapter(row, result, quick=False), {})
    assert "<script>alert" not in page
    assert page.count("&lt;script&gt;alert(") == 9


def test_a_chart_without_a_title_has_its_caption() -> None:
    alt = pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    from sledsim.papers.book.chapters import charts_of

    bare = alt.Chart(alt.InlineData(values=[{"x": 1}])).mark_point().encode(x="x:Q")
    named = bare.properties(title="its own")
    result = papers.Result([], charts={"a caption": lambda: bare, "another": lambda: named})
    charts = charts_of(papers.Chapter(papers.EXPERIMENTS[0], result, quick=False))
    assert [chart["title"] for chart in charts.values()] == ["a caption", "its own"]


def test_a_failure_when_drawing_keeps_the_verdicts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that runs out of memory ends; the files written until then form a book."""
    alt = rendering.alt
    chart = alt.Chart(alt.InlineData(values=[{"x": 1}])).mark_point().encode(x="x:Q")
    found = claim("002-C1", "so it is", Statement("it", "so", "so", holds=True))
    row = papers.Experiment("002-E-99", "", "", (1,), lambda quick: papers.Result([]))
    chapter = papers.Chapter(row, papers.Result([], [found], charts={"x": lambda: chart}), quick=True)

    def broken(*_: object) -> str:
        raise RuntimeError("no memory")

    for part in ("as_svg", "libraries"):
        monkeypatch.setattr(blocks, part, broken)
        folder = tmp_path / part
        with pytest.raises(RuntimeError, match="no memory"):
            papers.write_book([chapter, chapter], folder)
        assert "002-C1" in (folder / "verdicts.csv").read_text()
        assert "002-E-99.html" in (folder / "index.html").read_text() and (folder / "002-E-99.html").is_file()
        monkeypatch.setattr(blocks, part, lambda *_: "")
        papers.write_book([], folder)


def test_an_error_between_experiments_keeps_those_before(tmp_path: Path) -> None:
    row = papers.Experiment("002-E-99", "", "", (), lambda quick: papers.Result([]))

    def made(count: int) -> Iterator[papers.Chapter]:
        for _ in range(count):
            yield papers.Chapter(row, papers.Result([]), quick=True)
        raise KeyboardInterrupt

    for count in (0, 1):
        with pytest.raises(KeyboardInterrupt):
            papers.write_book(made(count), tmp_path)
        assert (tmp_path / "index.html").exists() == bool(count)
    assert "002-E-99.html" in (tmp_path / "index.html").read_text()


@pytest.mark.usefixtures("shortcuts")
def test_no_other_page_keeps_the_shortcuts_of_these_tests() -> None:
    from sledsim.charts import offline, run_page, side_by_side_page

    assert blocks.as_svg is not AS_SVG and blocks.libraries is not LIBRARIES
    assert offline.as_svg is AS_SVG
    assert run_page.libraries is side_by_side_page.libraries is LIBRARIES


@pytest.fixture(scope="module")
def charts(book: Path) -> dict[str, dict[str, Any]]:
    """Return the specifications of all charts, from the scripts of the pages."""
    found = {}
    for page in book.glob("*-E-*.html"):
        script = re.search(r"^const charts = (.*);$", page.read_text(encoding="utf-8"), re.MULTILINE)
        drawn = json.loads(script[1]) if script else {}
        found |= {f"{page.stem} {place}": chart for place, chart in drawn.items()}
    return found


def panels(chart: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the chart and its parts."""
    yield chart
    for kind in ("concat", "hconcat", "vconcat"):
        for part in chart.get(kind, ()):
            yield from panels(part)


@pytest.mark.dear("a book of all experiments runs each of them")
def test_no_chart_is_wider_than_the_page(shelf: Shelf, charts: dict[str, dict[str, Any]]) -> None:
    """A wide chart could lose its legend at the edge of the page."""
    from sledsim.charts.style import WIDEST

    widths = {}
    for name, chart in charts.items():
        beside = any(
            part.keys() & {"hconcat", "facet"} or part.get("columns", 1) > 1 for part in panels(chart)
        )
        # Most wide charts have panels side by side; drawing all of them takes long.
        if beside or is_long():
            found = re.match(r'<svg[^>]*? width="([\d.]+)"', AS_SVG(chart))
            assert found, name
            widths[name] = float(found[1])
    assert len(widths) > (20 if shelf.is_whole else 0)
    assert {name: width for name, width in widths.items() if width > WIDEST} == {}


@takes_all
def test_panels_have_titles_in_words(shelf: Shelf, charts: dict[str, dict[str, Any]]) -> None:
    found = [part.get("title") for chart in charts.values() for part in panels(chart)]
    titles = {title for title in found if isinstance(title, str)}
    assert len(titles) > 50 or not shelf.is_whole
    # Options of drawn requests are for the tables: metadata:day=1999-01-14,seed=1.
    assert not [title for title in titles if re.search(r"\w=\w", title)]


@takes_all
def test_points_beside_each_other_stay_within_their_panel(
    shelf: Shelf, charts: dict[str, dict[str, Any]]
) -> None:
    """Panels with different numbers of places have different room for each."""
    kinds = {"concat", "hconcat", "vconcat"}
    scales = {
        name: chart.get("resolve", {}).get("scale", {}).get("xOffset", "shared")
        for name, chart in charts.items()
        if chart.keys() & kinds and "xOffset" in json.dumps(chart)
    }
    assert scales == dict.fromkeys(scales, "independent")
    assert scales or not shelf.is_whole


def test_a_failure_leaves_no_half_written_file(tmp_path: Path) -> None:
    def broken() -> object:
        raise RuntimeError("no chart")

    row = papers.EXPERIMENTS[0]
    result = papers.Result([sledsim.device("osdi00")], charts={"x": broken})
    with pytest.raises(RuntimeError, match="no chart"):
        papers.write_book([papers.Chapter(row, result, quick=True)], tmp_path)
    assert not (tmp_path / "index.html").exists()
    papers.check_book(tmp_path)
    assert not [path for path in tmp_path.rglob("*") if path.name.endswith(".part")]
