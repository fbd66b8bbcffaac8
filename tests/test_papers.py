"""The executable papers: verdicts are earned, every claim is there, and the book stands alone."""

import csv
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pyarrow.parquet
import pytest

import sledsim
from sledsim import papers
from sledsim.papers import Claim, Figure, Statement, Unpublished, Verdict, claim

EXPERIMENTS = (
    *("000-E-1", "000-E-2", "001-E-5", "001-E-6", "001-E-8", "001-E-10"),
    *("002-E-1", "002-E-2", "002-E-3", "002-E-4", "002-E-5", "002-E-6", "002-E-7"),
)

#: What an independent check of the papers found of each claim: reproduced; in shape; does not follow from
#: the paper's own parameters; or its input is not published.
STATUS = {
    "OK": "000-C1 000-C5 001-C1 001-C2 001-C3 001-C4 001-C5 001-C6 001-C8 001-C9 001-C10 001-C12 001-C13"
    " 001-C15 001-C24 001-C25 002-C1 002-C2 002-C3 002-C4 002-C11 002-C12 002-C13 002-C14",
    "~": "000-C2 000-C3 002-C5 002-C8 002-C10",
    "NO": "002-C6 002-C7 002-C9",
    "INPUT": "000-C4",
}
ALLOWED = {
    "OK": {Verdict.REPRODUCED},
    "~": {Verdict.SHAPE, Verdict.REPRODUCED},
    "NO": {Verdict.CONTRADICTS},
    "INPUT": {Verdict.UNPUBLISHED},
}
EXPECTED = {name: ALLOWED[status] for status, names in STATUS.items() for name in names.split()}


@pytest.fixture(scope="module")
def chapters() -> list[papers.Chapter]:
    return [papers.run(row.id, quick=True) for row in papers.EXPERIMENTS]


@pytest.fixture(scope="module")
def claims(chapters: list[papers.Chapter]) -> dict[str, Claim]:
    return {found.id: found for chapter in chapters for found in chapter.result.claims}


@pytest.fixture(scope="module")
def book(chapters: list[papers.Chapter], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("book")
    papers.write_book(chapters, folder)
    return folder


def test_the_table_of_experiments_is_complete() -> None:
    assert tuple(row.id for row in papers.EXPERIMENTS) == EXPERIMENTS
    counts = Counter(name for row in papers.EXPERIMENTS for name in row.claims)
    assert counts == dict.fromkeys(EXPECTED, 1)
    assert all(row.computes.endswith(".") and row.paper in papers.PAPERS for row in papers.EXPERIMENTS)


def test_each_experiment_decides_the_claims_that_its_row_names(chapters: list[papers.Chapter]) -> None:
    for chapter in chapters:
        found = sorted(found.id for found in chapter.result.claims)
        assert found == sorted(chapter.experiment.claims), chapter.experiment.id
        assert chapter.result.tables and chapter.result.devices


@pytest.mark.parametrize("id", EXPECTED)
def test_the_verdict_is_that_of_the_independent_check(claims: dict[str, Claim], id: str) -> None:
    found = claims[id]
    assert found.verdict in EXPECTED[id], [(row.quantity, row.paper, row.found) for row in found.findings]


@pytest.mark.parametrize("id", ["002-C6", "002-C7", "002-C9"])
def test_figures_that_cannot_follow_have_no_tolerance_of_shape(claims: dict[str, Claim], id: str) -> None:
    figures = [finding for finding in claims[id].findings if isinstance(finding, Figure)]
    assert figures and all(figure.shape == 0 for figure in figures)


def test_our_figures_are_those_of_the_independent_check(claims: dict[str, Claim]) -> None:
    def ours(id: str, finding: int = 0) -> float:
        figure = claims[id].findings[finding]
        assert isinstance(figure, Figure)
        return figure.ours

    assert ours("002-C1") == pytest.approx(0.7234, abs=5e-5)
    assert ours("002-C5") == pytest.approx(1.767, rel=5e-3)
    assert ours("002-C6") == pytest.approx(2.590, rel=2e-3)
    assert ours("001-C2") == pytest.approx(701.6, rel=1e-3)
    assert ours("000-C2") == pytest.approx(11.1, abs=0.05)
    assert ours("000-C3") == pytest.approx(0.309, abs=5e-4)
    assert ours("001-C13") == pytest.approx(109.5, abs=0.3)


@pytest.mark.parametrize("text", ["002-E-1", "002-e-1", "E-002-1", "e-002-1", "002-E1", "002E1", " 002-E-1 "])
def test_ids_are_taken_leniently(text: str) -> None:
    assert papers.experiment(text).id == "002-E-1"


@pytest.mark.parametrize(("text", "near"), [("002-E-9", "002-E-"), ("2-E-1", "-E-1"), ("zones", "000-E-1")])
def test_an_unknown_id_is_answered_with_the_nearest(text: str, near: str) -> None:
    with pytest.raises(sledsim.ParameterError, match=f"unknown experiment '{text}': expected .*{near}"):
        papers.experiment(text)


@pytest.mark.parametrize(
    ("printed", "ours", "verdict"),
    [
        ("0.72", 0.7249, Verdict.REPRODUCED),  # 1 % is 0.0072, more than half a digit.
        ("0.72", 0.7272, Verdict.REPRODUCED),
        ("0.72", 0.7273, Verdict.SHAPE),
        ("0.13", 0.135, Verdict.REPRODUCED),  # Half a digit is 0.005, more than 1 %.
        ("0.13", 0.125, Verdict.REPRODUCED),
        ("0.13", 0.1351, Verdict.SHAPE),
        ("19", 18.5, Verdict.REPRODUCED),
        ("19", 18.49, Verdict.SHAPE),
        ("2.00", 2.3, Verdict.SHAPE),
        ("2.00", 2.31, Verdict.CONTRADICTS),
        ("2.00", 1.7, Verdict.SHAPE),
        ("2.00", 1.69, Verdict.CONTRADICTS),
        ("-2.00", -2.01, Verdict.REPRODUCED),
        ("2.00", float("nan"), Verdict.CONTRADICTS),
    ],
)
def test_a_figure_at_the_borders(printed: str, ours: float, verdict: Verdict) -> None:
    assert Figure("x", printed, ours, "ms").verdict is verdict


def test_a_figure_with_tolerances_of_its_own() -> None:
    assert Figure("x", "1350", 1350, exact=0).verdict is Verdict.REPRODUCED
    assert Figure("x", "1350", 1350.1, exact=0).verdict is Verdict.SHAPE
    assert Figure("x", "2.72", 2.59, shape=0).verdict is Verdict.CONTRADICTS
    assert Figure("x", "0.3", 0.304, exact=0.01).verdict is Verdict.SHAPE


def test_how_a_figure_reads() -> None:
    figure = Figure("x", "0.72", 0.72343, "ms")
    assert (figure.paper, figure.found) == ("0.72 ms", "0.7234 ms")
    assert figure.difference == pytest.approx(0.0048, abs=5e-5)
    assert figure.tolerance == "±0.0072 ms; shape ±15 %"
    assert Figure("x", "34560", 34560).found == "34,560"
    assert Figure("x", "703", 701.412, "µs").found == "701.41 µs"


def test_the_worst_finding_decides() -> None:
    good, bad = Statement("a", "b", "c", holds=True), Statement("a", "b", "c", holds=False)
    rough = Statement("a", "b", "c", holds=True, in_shape=True)
    unknown = Unpublished("a", "7 µs", "that computer")
    for findings, verdict in (
        ([good, good], Verdict.REPRODUCED),
        ([good, rough], Verdict.SHAPE),
        ([rough, unknown, good], Verdict.UNPUBLISHED),
        ([unknown, bad], Verdict.CONTRADICTS),
    ):
        assert claim("0-C1", "x", *findings, reason="because").verdict is verdict


def test_a_claim_that_is_not_reproduced_needs_a_reason() -> None:
    with pytest.raises(ValueError, match="0-C1: expected a reason for the verdict 'contradicts', found none"):
        claim("0-C1", "x", Figure("x", "1.0", 2.0))
    with pytest.raises(ValueError, match="expected at least one finding"):
        claim("0-C1", "x")


def test_the_order_of_zones_is_that_of_figure_3() -> None:
    from sledsim.papers.p000_e02_zones import zone_order

    places = {
        (row["column"], row["row"], row["parity"]): row["order"] for row in zone_order(3, 2).to_pylist()
    }
    assert [places[0, 0, "even"], places[0, 1, "even"], places[0, 1, "odd"], places[0, 0, "odd"]] == [
        0,
        1,
        2,
        3,
    ]
    assert [places[1, 0, "even"], places[1, 1, "even"], places[1, 1, "odd"], places[1, 0, "odd"]] == [
        4,
        5,
        6,
        7,
    ]
    assert places[2, 0, "even"] == 8


class Links(HTMLParser):
    """Collects where a page points to, and the names of its places."""

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


def test_the_book_has_no_external_address(book: Path) -> None:
    pages = sorted(book.glob("*.html"))
    assert len(pages) == len(EXPERIMENTS) + 1
    for page in pages:
        assert not re.search(r"(https?:)?//[a-z]", page.read_text(encoding="utf-8")), page.name
    assert "url(" not in (book / "assets" / "style.css").read_text(encoding="utf-8")


def test_all_links_of_the_book_resolve(book: Path) -> None:
    places = {page.name: read(page).places for page in book.glob("*.html")}
    for page in book.glob("*.html"):
        targets = read(page).targets
        assert "assets/style.css" in targets
        for target in targets:
            name, _, place = target.partition("#")
            assert (book / name).is_file(), f"{page.name}: {target}"
            assert not place or place in places[name], f"{page.name}: {target}"


def test_the_first_page_has_every_claim_and_counts_them(book: Path, claims: dict[str, Claim]) -> None:
    text = (book / "index.html").read_text(encoding="utf-8")
    assert all(f"#{name}" in text for name in EXPECTED)
    counts = Counter(found.verdict for found in claims.values())
    for verdict in Verdict:
        assert f"<strong>{counts[verdict]}</strong>{verdict.value}</label>" in text
        assert text.count(f'<tbody class="claim {verdict.key}"') == counts[verdict]
        assert f"#only-{verdict.key}:checked" in (book / "assets" / "style.css").read_text(encoding="utf-8")


def test_each_page_has_its_verdicts_figures_devices_and_command(
    book: Path, chapters: list[papers.Chapter]
) -> None:
    for chapter in chapters:
        text = (book / chapter.page).read_text(encoding="utf-8")
        assert f"sledsim paper run {chapter.experiment.id} --quick --out book" in text
        assert f"sledsim {sledsim.__version__}" in text
        assert all(f'id="{found.id}"' in text for found in chapter.result.claims)
        assert all(f"Parameters of {device.name}" in text for device in chapter.result.devices)
        assert text.count("<figure>") == text.count("<noscript>") == len(chapter.result.charts)


def test_the_first_page_counts_the_claims_of_all_five_papers(book: Path, claims: dict[str, Claim]) -> None:
    overview = (book / "index.html").read_text(encoding="utf-8").partition('class="overview"')[2]
    rows = overview.partition("</table>")[0].split("<tr>")[2:]
    assert [re.search(r"<th>(\d{3}):", row)[1] for row in rows] == list(papers.PAPERS)  # type: ignore[index]
    for paper, row in zip(papers.PAPERS, rows, strict=True):
        total, *counts = (int(cell or 0) for cell in re.findall("<td>(.*?)</td>", row))
        assert sum(counts) == total == papers.PAPERS[paper].claims
        verdicts = [found.verdict for found in claims.values() if found.paper == paper]
        assert counts[:-1] == [verdicts.count(verdict) for verdict in Verdict]


def test_the_verdicts_are_data_too(book: Path, claims: dict[str, Claim]) -> None:
    with (book / "verdicts.csv").open(encoding="utf-8") as file:
        written = {row["claim"]: row for row in csv.DictReader(file)}
    assert {name: row["verdict"] for name, row in written.items()} == {
        name: found.verdict.value for name, found in claims.items()
    }
    table = pyarrow.parquet.read_table(book / "verdicts.parquet")
    assert table["claim"].to_pylist() == list(written)
    assert table["verdict"].to_pylist() == [row["verdict"] for row in written.values()]


def test_the_same_inputs_give_the_same_book(book: Path, tmp_path: Path) -> None:
    again = papers.run("002-E-1", quick=True)
    papers.write_book([again], tmp_path)
    for name in ("002-E-1.html", "tables/002-E-1-1.csv"):
        assert (tmp_path / name).read_bytes() == (book / name).read_bytes()


def test_what_is_text_is_escaped(tmp_path: Path) -> None:
    from sledsim.papers.chapters import chapter_page

    hostile = "<script>alert('&')</script>"
    found = claim("002-C1", hostile, Statement(hostile, hostile, hostile, holds=False), reason=hostile)
    row = papers.Experiment("002-E-99", hostile, hostile, ("002-C1",), lambda quick: papers.Result([]))
    result = papers.Result([], [found], notes=[hostile])
    page = chapter_page(papers.Chapter(row, result, quick=False), {})
    assert "<script>alert" not in page
    assert page.count("&lt;script&gt;alert(") == 9


def test_a_failure_leaves_no_half_written_file(tmp_path: Path) -> None:
    def broken() -> object:
        raise RuntimeError("no chart")

    row = papers.EXPERIMENTS[0]
    result = papers.Result([sledsim.device("osdi00")], charts={"x": broken})
    with pytest.raises(RuntimeError, match="no chart"):
        papers.write_book([papers.Chapter(row, result, quick=True)], tmp_path)
    assert not (tmp_path / "index.html").exists()
    assert not [path for path in tmp_path.rglob("*") if path.name.endswith(".part")]
