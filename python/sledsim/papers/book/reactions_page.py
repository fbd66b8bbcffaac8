"""The page of the book that says which verdicts notice that a model is wrong."""

from collections.abc import Collection, Sequence

from ...common.pages import escape
from ..shared.perturbations import PERTURBATIONS
from ..shared.verdicts import Verdict
from . import markup
from .reactions import BLIND, Reaction, Reactions

PAGE = "reactions.html"
TITLE = "Which verdicts notice a wrong model"
_INTRODUCTION = (
    "A verdict is worth what it would have said of a wrong model. Every experiment runs once more, in its"
    " quick form, on sleds that are wrong in one way each, and with a wrong policy. A verdict in a cell is"
    " the one that came out instead; * says that figures changed, not the verdict; - that the experiment"
    " has no such device or no such requests, an empty cell that nothing changed. What is recorded of real"
    " traces is left out, since it was so on the models as they are: some verdicts are better here than on"
    " the first page for that reason."
)


def reactions_page(rows: Sequence[Reactions], pages: Collection[str]) -> str:
    """The table, how often each perturbation is noticed, and the reproduced claims that notice none.

    Args:
        rows: Of all claims.
        pages: The experiments that have a page in the book.
    """
    meanings = "".join(
        f"<li><strong>{one.name}</strong>: {escape(one.meaning)}</li>" for one in PERTURBATIONS
    )
    found = (
        f"<h2>Reproduced, whatever the sled</h2>\n{_blind(rows)}\n<h2>All claims</h2>\n{_table(rows, pages)}"
        if rows
        else "<p>Not made yet: the command above makes the table.</p>"
    )
    return markup.page(
        TITLE,
        f'<nav><a href="index.html">All claims</a></nav>\n<h1>{TITLE}</h1>\n<p>{_INTRODUCTION}</p>\n'
        "<p>Make it again:</p>\n<pre>sledsim paper perturb all --out book</pre>\n"
        f"<ul>{meanings}</ul>\n{found}",
    )


def _table(rows: Sequence[Reactions], pages: Collection[str]) -> str:
    names = [one.name for one in PERTURBATIONS]
    head = "".join(f"<th>{name}</th>" for name in ("Claim", "Verdict", *names))
    body = "\n".join(_line(row, names, pages) for row in rows)
    counts = "".join(f"<td>{sum(name in row.noticed for row in rows)}</td>" for name in names)
    return (
        f'<div class="wide"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n'
        f"<tr><th>noticed by</th><td></td>{counts}</tr>\n</tbody></table></div>"
    )


def _line(row: Reactions, names: Sequence[str], pages: Collection[str]) -> str:
    claim = escape(row.id)
    if row.experiment in pages:
        claim = f'<a href="{escape(row.experiment)}.html#{claim}">{claim}</a>'
    cells = "".join(_cell(row, name) for name in names)
    return f"<tr><th>{claim}</th><td>{markup.badge(row.verdict)}</td>{cells}</tr>"


def _cell(row: Reactions, name: str) -> str:
    found = row.under.get(name, Reaction(row.verdict, moved=False))
    if found.verdict is None:
        return "<td>-</td>"
    if found.verdict is not row.verdict:
        return f"<td>{markup.badge(found.verdict)}</td>"
    return f"<td>{'*' if found.moved else ''}</td>"


def _blind(rows: Sequence[Reactions]) -> str:
    """The reproduced claims that notice nothing, with the reason why they cannot."""
    total = sum(row.verdict is Verdict.REPRODUCED for row in rows)
    blind = [(row.id, BLIND.get(row.id, "no reason is known")) for row in rows if row.is_blind]
    if not blind:
        return f"<p>None of {total} reproduced claims.</p>"
    text = f"<p>{len(blind)} of {total} reproduced claims notice none of them:</p>\n"
    return text + markup.table(("Claim", "Why it cannot"), blind)
