"""The first page of the book: how many claims stand, and the verdicts by paper."""

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape

from . import markup
from .experiments import PAPERS, Chapter
from .verdicts import Verdict

_INTRODUCTION = (
    "What the papers on MEMS-based storage claim, computed again from their own parameters. Every verdict"
    " follows from the numbers of this run and from the tolerance that stands beside them."
)


def first_page(chapters: Sequence[Chapter]) -> str:
    """Counts, the filter, and the verdicts by paper."""
    counts = Counter(claim.verdict for chapter in chapters for claim in chapter.claims)
    choices = [_choice("all", "all claims", sum(counts.values()), " checked")]
    choices += [_choice(verdict.key, verdict.value, counts[verdict]) for verdict in Verdict]
    meanings = "".join(f"<li>{markup.badge(verdict)} {escape(verdict.meaning)}</li>" for verdict in Verdict)
    papers = [paper for paper in PAPERS if any(chapter.experiment.paper == paper for chapter in chapters)]
    parts = "\n".join(_paper(paper, [c for c in chapters if c.experiment.paper == paper]) for paper in papers)
    body = (
        f"<h1>Which claims of the papers stand</h1>\n<p>{escape(_INTRODUCTION)}</p>\n{_bar(counts)}\n"
        + "\n".join(choices)
        + f'\n<main>\n<ul class="meanings">{meanings}</ul>\n'
        + '<p>The same as data: <a href="verdicts.csv">verdicts.csv</a>,'
        + f' <a href="verdicts.parquet">verdicts.parquet</a>.</p>\n{_overview(chapters)}\n{parts}\n</main>'
    )
    return markup.page("Which claims of the papers stand", body)


def _overview(chapters: Sequence[Chapter]) -> str:
    """How the claims of every paper stand, those that nothing here examines among them."""
    heads = "".join(f"<th>{escape(verdict.value)}</th>" for verdict in Verdict)
    rows = []
    for number, paper in PAPERS.items():
        verdicts = [c.verdict for chapter in chapters for c in chapter.claims if c.paper == number]
        counts = [verdicts.count(verdict) for verdict in Verdict] + [paper.claims - len(verdicts)]
        cells = "".join(f"<td>{count or ''}</td>" for count in [paper.claims, *counts])
        rows.append(f"<tr><th>{number}: {escape(paper.title)}</th>{cells}</tr>")
    return (
        f'<table class="overview"><tr><th>Paper</th><th>claims</th>{heads}<th>not examined here</th></tr>\n'
        + "\n".join(rows)
        + "</table>"
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


def _paper(paper: str, chapters: Sequence[Chapter]) -> str:
    links = "".join(
        f'<li><a href="{chapter.page}">{chapter.experiment.id}</a> {escape(chapter.experiment.title)}</li>'
        for chapter in chapters
    )
    found = [(claim, chapter.page) for chapter in chapters for claim in chapter.claims]
    claims = markup.claims(sorted(found, key=lambda row: row[0].number)) if found else ""
    return f"<h2>{paper}: {escape(PAPERS[paper].title)}</h2>\n<ul>{links}</ul>\n{claims}"
