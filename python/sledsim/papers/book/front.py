"""The first page of the book: how many claims stand, and the verdicts by paper."""

from collections import Counter
from collections.abc import Mapping, Sequence

from ...common.pages import escape
from ..shared.experiments import PAPERS
from ..shared.records import Record
from ..shared.verdicts import Verdict
from . import markup
from .items import ITEMS
from .reactions_page import PAGE, TITLE

_INTRODUCTION = (
    "What the papers on MEMS-based storage claim, computed again from their own parameters. Every verdict"
    " follows from the numbers of its run and from the tolerance that stands beside them. What is called"
    " recorded was found in an earlier run, on real traces that are not part of sledsim."
)


def first_page(records: Sequence[Record]) -> str:
    """Counts, the filter, and the verdicts by paper."""
    counts = Counter(claim.verdict for record in records for claim in record.claims)
    choices = [_choice("all", "claims examined", sum(counts.values()), " checked")]
    choices += [_choice(verdict.key, verdict.value, counts[verdict]) for verdict in Verdict]
    meanings = "".join(f"<li>{markup.badge(verdict)} {escape(verdict.meaning)}</li>" for verdict in Verdict)
    papers = [paper for paper in PAPERS if any(record.paper == paper for record in records)]
    parts = "\n".join(_paper(paper, [r for r in records if r.paper == paper]) for paper in papers)
    body = (
        f"<h1>Which claims of the papers stand</h1>\n<p>{escape(_INTRODUCTION)}</p>\n{_hurried(records)}"
        f"{_bar(counts)}\n"
        + "\n".join(choices)
        + f'\n<main>\n<ul class="meanings">{meanings}</ul>\n'
        + '<p>The same as data: <a href="verdicts.csv">verdicts.csv</a>,'
        + ' <a href="verdicts.parquet">verdicts.parquet</a>.'
        + f' What each verdict would be on a wrong model: <a href="{PAGE}">{escape(TITLE)}</a>.</p>'
        + f"\n{_overview(records)}\n{parts}\n{_items(records)}\n</main>"
    )
    return markup.page("Which claims of the papers stand", body)


def _hurried(records: Sequence[Record]) -> str:
    """A warning where experiments took fewer requests and points."""
    ids = [escape(record.id) for record in records if record.quick]
    which = "all of it" if len(ids) == len(records) else ", ".join(ids)
    text = f"Made with --quick, from fewer requests and points: {which}."
    return f'<p class="hurried">{text}</p>\n' if ids else ""


def _overview(records: Sequence[Record]) -> str:
    """How the claims of every paper stand, those that nothing here examines among them."""
    headings = ["Paper", "claims", *(verdict.value for verdict in Verdict), "not examined here"]
    rows = []
    for number, paper in PAPERS.items():
        verdicts = [c.verdict for record in records for c in record.claims if c.paper == number]
        counts = [paper.claims, *(verdicts.count(verdict) for verdict in Verdict)]
        counts.append(paper.claims - len(verdicts))
        rows.append([f"{number}: {paper.title}", *(str(count or "") for count in counts)])
    return markup.table(headings, rows, numbers=range(1, len(headings)))


def _items(records: Sequence[Record]) -> str:
    """Where everything that the papers print is here."""
    pages = {record.id: record.page for record in records}

    def place(name: str) -> str:
        return f'<a href="{escape(pages[name])}">{name}</a>' if name in pages else escape(name)

    rows = "\n".join(
        f"<tr><td>{item.paper}</td><td>{escape(item.printed)}</td><td>{' '.join(map(place, item.here))}</td>"
        f"<td>{escape(item.lacks)}</td></tr>"
        for item in ITEMS
    )
    head = "".join(f"<th>{text}</th>" for text in ("Paper", "What it prints", "Here", "Not whole"))
    return (
        "<details><summary><h3>Where everything that the papers print is here</h3></summary>\n"
        f'<div class="wide"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table>'
        "</div>\n</details>"
    )


def _bar(counts: Mapping[Verdict, int]) -> str:
    """The counts as lengths."""
    parts = [f'<span class="{v.key}" style="flex: {counts[v]}"></span>' for v in Verdict if counts[v]]
    return f'<div class="bar">{"".join(parts)}</div>'


def _choice(key: str, label: str, count: int, checked: str = "") -> str:
    """A radio button of the filter; the style sheet hides what it does not choose."""
    return (
        f'<input class="filter" type="radio" name="only" id="only-{key}"{checked}>'
        f'<label class="choice" for="only-{key}"><strong>{count}</strong>{escape(label)}</label>'
    )


def _paper(paper: str, records: Sequence[Record]) -> str:
    links = "".join(
        f'<li><a href="{escape(record.page)}">{escape(record.id)}</a> {escape(record.title)}</li>'
        for record in records
    )
    found = [(claim, record.page) for record in records for claim in record.claims]
    claims = markup.claims(sorted(found, key=lambda row: row[0].number)) if found else ""
    return f"<h2>{escape(paper)}: {escape(PAPERS[paper].title)}</h2>\n<ul>{links}</ul>\n{claims}"
