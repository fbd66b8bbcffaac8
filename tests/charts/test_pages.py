"""Every page and picture made of hostile names, opened in a real parser: nothing of a name becomes markup."""

import ast
import json
import shutil
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import html5lib
import numpy as np
import pyarrow.parquet
import pytest

import sledsim
from sledsim import papers, studies
from sledsim.emulator.certificate import certificate
from sledsim.emulator.figures import timing_figures
from sledsim.papers import Statement, claim
from sledsim.papers.robustness.result import Part, Robustness, Row
from sledsim.papers.robustness.running import NAMES
from sledsim.runs.validation import validate
from sledsim.traces.statistics import trace_statistics

from ..emulator.synthetic import synthetic

pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")

import altair as alt

from sledsim.charts.explanation_page import write_explanations
from sledsim.charts.timing_report import write_report
from sledsim.papers.robustness.chart import write_plots as write_chart

SOURCES = Path(sledsim.__file__).parent
#: What breaks out of a text, an attribute, a title, a script, a style and a comment.
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
PLAIN = "plain"

#: The elements of pictures.
OF_SVG = set("svg g path rect text tspan line circle defs clipPath image linearGradient stop".split())

Maker = Callable[[str, Path], object]


def device(name: str, kind: str = "osdi00") -> sledsim.Device:
    return sledsim.device(kind, name=name, description=name)


def trace_of(name: str, count: int = 200) -> sledsim.Trace:
    drawn = sledsim.random_workload(sledsim.device("hp-c2247a"), rate_per_s=40, count=count, seed=3)
    responses = {"response_ns": np.full(count, 10**7)}
    return sledsim.Trace.from_columns(
        {**drawn.columns(), **responses}, source=name, device_names={0: name}, notes=(name,)
    )


def make_comparison(name: str, folder: Path) -> None:
    found = sledsim.compare(device(printable(name)), trace_of(name), ["fcfs", "sptf"])
    replace(found, points=renamed(found.points, name)).write_plots(folder)


def make_curves(name: str, folder: Path) -> None:
    trace = trace_of(name, 600)
    found = sledsim.trace_curves(device(printable(name)), trace, ["fcfs", "sptf"], [1.0, 2.0])
    replace(found, points=renamed(found.points, name)).write_plots(folder)


def renamed(points: Any, name: str) -> list[Any]:
    """Points whose policies are called so: a policy of one's own is held to letters, a file is not."""
    return [replace(point, scheduler=f"{name} {point.scheduler}") for point in points]


def make_power(name: str, folder: Path) -> None:
    run = sledsim.simulate(device(printable(name)), trace_of(name))
    run.write_power_plots(folder / "of run")
    run.report(folder / "of run" / "run.html")
    # The same, out of a file in which somebody has changed the names.
    path = sledsim.simulate(sledsim.volume("mirror:devices=2"), trace_of(PLAIN)).write(folder / "run.parquet")
    table = pyarrow.parquet.read_table(path)
    about = json.loads(table.schema.metadata[b"sledsim"])
    about["trace"] = printable(name)
    about["totals"]["devices"][0]["name"] = printable(name)
    about["totals"]["volumes"][0][0] = printable(name)
    metadata = {b"sledsim": json.dumps(about).encode()}
    pyarrow.parquet.write_table(table.replace_schema_metadata(metadata), path)
    sledsim.read_run(path).write_power_plots(folder / "of file")
    sledsim.read_run(path).report(folder / "of file" / "run.html")


def make_run(name: str, folder: Path) -> None:
    sledsim.simulate(device(printable(name)), trace_of(name)).write_plots(folder)


def make_explanation(name: str, folder: Path) -> None:
    run = sledsim.simulate(device(printable(name)), trace_of(name))
    made = run.explain(run.slowest(2), ("policy", "parameter"), workers=1)
    made[0].write_plots(folder)
    write_explanations(made, folder / "page.html")


def make_space(name: str, folder: Path) -> None:
    axes: dict[str, Any] = {"probes": [2048, 4096], "sectors": [1], "sector_bytes": [4096]}
    sledsim.format_space(trace_of(name), on=device(printable(name), "emsoft08"), **axes).write_plots(folder)


def make_studies(name: str, folder: Path) -> None:
    few = {"count": 50, "values": [30], "step_bits": 401, "traces": ["demo"], "simulated_requests": 1000}
    for row in studies.STUDIES:
        options = {key: few[key] for key in studies.option_names(row.table) if key in few}
        made = studies.run(row.name, device(printable(name)), **options)
        # Pictures take long, and are all drawn by the same function.
        from sledsim.charts.style import save_chart

        for ending in ("html", "svg") if row.name == "data-sheet" else ("html",):
            save_chart(made.plot(), folder / f"{row.name}.{ending}")


def make_statistics(name: str, folder: Path) -> None:
    trace_statistics(trace_of(name)).write_plots(folder)


def make_validation(name: str, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    validate(device(printable(name), "hp-c2247a"), trace_of(name)).write_plots(folder)


def make_plausible(name: str, folder: Path, ask: Callable[..., Any]) -> None:
    """The workload has the name; that of a device is of a file, and so has no control characters."""
    trace = sledsim.demo_trace().rows(slice(0, 300))
    over = {"settle_ms": [0.1, 0.2, 0.3], "overhead_ms": [0.1, 0.2]}
    ask(replace(trace, source=name), device(printable(name)), over).write_plots(folder)


def make_holding(name: str, folder: Path) -> None:
    def ask(*given: Any) -> sledsim.Holding:
        return sledsim.holds("mean < 0.001", *given, devices=8, indices=False)

    make_plausible(name, folder, ask)


def make_sensitivity(name: str, folder: Path) -> None:
    make_plausible(name, folder, lambda *given: sledsim.sensitivity(*given, devices=64))


def make_sweep(name: str, folder: Path) -> None:
    trace = replace(sledsim.demo_trace().rows(slice(0, 100)), source=name)
    over = {"settle_ms": [0.1, 0.2, 0.3], "sleds": [1, 2]}
    asked = {"folder": folder / "ledger", "over": over, "scales": [1, 2]}
    sledsim.sweep(trace, device(printable(name)), ["fcfs", "sptf"], **asked).write_plots(folder)


def make_optimum(name: str, folder: Path) -> None:
    trace = replace(sledsim.demo_trace().rows(slice(0, 300)), source=name)
    asked: dict[str, Any] = {"minimise": ["mean", "energy"], "budget": 16}
    over = {"settle_ms": [0.1, 0.2, 0.3], "sleds": [1, 2]}
    sledsim.optimise(trace, device(printable(name)), over, **asked).write_plots(folder)


def make_robustness(name: str, folder: Path) -> None:
    """A table that somebody has changed."""
    part = Part(3, 8, 0.1, 0.6, "in a part", name, name, 0.8, True, name)
    found = Robustness((Row(name, name, name, name, (name,), 8, part, None),))
    write_chart(found, folder / "chart")
    papers.write_robustness(Robustness((replace(found.rows[0], claim=next(iter(NAMES))),)), folder / "book")


def make_timing(name: str, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    served = synthetic(100, name=printable(name), host=name, kernel=name)
    timing_figures(served).write_plots(folder)
    write_report(served, certificate(served), folder / "report.html")


def make_book(name: str, folder: Path) -> None:
    compared = sledsim.compare(device(printable(name)), trace_of(name), ["fcfs"])
    rows = pyarrow.table({printable(name): [printable(name)], "mean_response_s": [1.0]})
    found = [
        claim("002-C1", name, Statement(name, name, name, holds=False), reason=name),
        claim("002-C2", name, Statement(name, name, name, holds=True)),
    ]
    result = papers.Result([device(printable(name))], found, {name: rows}, {name: compared.plot}, [name])
    row = papers.Experiment("002-E-99", name, name, (1,), lambda quick: result)
    # A table that somebody has changed.
    noticed = {
        "id": name,
        "experiment": name,
        "verdict": "reproduced",
        "under": {name: {"verdict": None, "moved": True}},
    }
    (folder / "reactions.json").write_text(json.dumps({"version": name, "claims": [noticed]}))
    papers.write_book([papers.Chapter(row, result, quick=True, traces=Path(name.replace("\0", "")))], folder)
    # A record that somebody has changed.
    shutil.copy(folder / "002-E-99.html", folder / "002-E-98.html")
    kept = json.loads((folder / "verdicts" / "002-E-99.json").read_text())
    kept |= {"id": "002-E-98", "title": name, "notes": [name], "devices": [name]}
    (folder / "verdicts" / "002-E-98.json").write_text(json.dumps(kept))
    papers.write_book([], folder)


#: What makes pages of each kind of result that has a chart, of studies and of the book.
MAKERS: dict[str, Maker] = {
    "Comparison": make_comparison,
    "Curves": make_curves,
    "Explanation": make_explanation,
    "Power": make_power,
    "Run": make_run,
    "FormatSpace": make_space,
    "Holding": make_holding,
    "Sensitivity": make_sensitivity,
    "Sweep": make_sweep,
    "Study": make_studies,
    "TimingFigures": make_timing,
    "TraceStatistics": make_statistics,
    "Validation": make_validation,
    "Optimum": make_optimum,
    "book": make_book,
    "robustness": make_robustness,
}
#: Where pages are written or begun: that of results, of certificates, of studies, and of the book.
WRITERS = {"charts/table.py", "charts/timing_report.py", "studies/study.py", "papers/book/writing.py"}
WRITERS |= {"papers/robustness/chart.py", "charts/run_page.py", "charts/explanation_page.py"}
#: Pieces of pages, and what all charts go through.
PIECES = {
    *("pages/page.py", "common/markup.py", "common/charted.py", "charts/style.py", "charts/rendering.py"),
    *("papers/book/markup.py", "papers/book/chapters.py", "papers/book/front.py", "papers/shared/records.py"),
    *("papers/book/reactions_page.py", "papers/book/robustness_page.py"),
}
#: Those of them that write no markup themselves.
WITHOUT_MARKUP = PIECES - {"pages/page.py", "common/markup.py"}
#: The templates, whose engine escapes what they are given, but for the scripts that draw charts of the book.
TEMPLATES = (SOURCES / "pages", SOURCES / "papers/book/pages")
#: What only makers of pages call or write.
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


def printable(name: str) -> str:
    """What a device can be called: a text without control characters."""
    return "".join(letter for letter in name if letter.isprintable())


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
    from sledsim.charts.table import CHARTS

    assert {kind.__name__ for kind in CHARTS} | {"Study", "book", "robustness"} == set(MAKERS)
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
        for line in path.read_text().splitlines()
        if "safe" in line
    ]
    assert unescaped == ["{{ drawn|safe }}"]


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
    """Whether an attribute has a text for readers, or one that scripts compare."""
    return attribute in ("alt", "title", "href", "aria-label") or attribute.startswith("data-")


def texts(tree: Any) -> list[str]:
    """Where the name stands: in texts, in attributes, or in the JSON of a script, which is whole."""
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
