"""The pieces of the pages of the book, as HTML."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ...common import pages, units
from ...common.pages import escape
from ..shared.claims import Claim
from ..shared.findings import Finding
from ..shared.verdicts import Verdict

if TYPE_CHECKING:
    import pyarrow

#: A longer table is shown by its first rows; the whole of it is in its file.
ROWS_SHOWN = 40
#: The columns of a finding.
_COLUMNS = ("Quantity", "Paper", "Here", "Difference", "Allowed")


def page(title: str, body: str) -> str:
    """A whole page of the book around its body."""
    return pages.page(title, body, '<link rel="stylesheet" href="assets/style.css">')


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], numbers: Iterable[int] = ()) -> str:
    """A table of texts; the columns in `numbers` are aligned to the right."""
    right = set(numbers)

    def cells(tag: str, texts: Sequence[str]) -> str:
        kinds = [' class="number"' if column in right else "" for column in range(len(texts))]
        return "".join(
            f"<{tag}{kind}>{escape(text)}</{tag}>" for kind, text in zip(kinds, texts, strict=True)
        )

    lines = "\n".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    head = f"<thead><tr>{cells('th', headings)}</tr></thead>"
    return f'<div class="wide"><table>\n{head}\n<tbody>\n{lines}\n</tbody></table></div>'


def figures(columns: "pyarrow.Table") -> str:
    """The first rows of a table of results, in units in which people read."""
    shown = columns.slice(0, ROWS_SHOWN).to_pydict()
    numbers = [at for at, values in enumerate(shown.values()) if _numeric(values)]
    of = units.of_columns({name: values if _numeric(values) else () for name, values in shown.items()})
    texts = [
        [_number(value, unit.scale) for value in values]
        for unit, values in zip(of.values(), shown.values(), strict=True)
    ]
    return table(list(map(units.heading, shown, of.values())), zip(*texts, strict=True), numbers)


def badge(verdict: Verdict) -> str:
    """A verdict in its colour."""
    return f'<span class="badge {verdict.key}" title="{escape(verdict.meaning)}">{verdict.value}</span>'


def claims(rows: Sequence[tuple[Claim, str]]) -> str:
    """The table of verdicts: each claim comes with the page to link to, or with none on that page itself."""
    head = "".join(f"<th>{text}</th>" for text in ("Claim", *_COLUMNS))
    bodies = "\n".join(_claim(claim, link) for claim, link in rows)
    return (
        f'<div class="wide"><table class="claims">\n<thead><tr>{head}</tr></thead>\n{bodies}\n</table></div>'
    )


def _claim(claim: Claim, link: str) -> str:
    """A body of the table of its own, marked with the verdict for the filter."""
    place = escape(claim.id)
    name = f'<a href="{escape(link)}#{place}">{place}</a>' if link else place
    anchor = "" if link else f' id="{place}"'
    rows = len(claim.findings) + 1 + bool(claim.reason)
    lines = [
        f'<tr><th rowspan="{rows}" scope="rowgroup">{name}<br>{badge(claim.verdict)}</th>'
        f'<td colspan="5" class="statement">{escape(claim.statement)}</td></tr>',
        *(_finding(finding) for finding in claim.findings),
    ]
    if claim.reason:
        lines.append(f'<tr><td colspan="5" class="reason">{escape(claim.reason)}</td></tr>')
    return f'<tbody class="claim {claim.verdict.key}"{anchor}>\n' + "\n".join(lines) + "\n</tbody>"


def _finding(finding: Finding) -> str:
    difference = "" if finding.difference is None else f"{finding.difference:+.1%}"
    texts = (finding.quantity, finding.paper, finding.found, difference, finding.tolerance)
    # Where the page is too narrow for columns a cell stands below the one before, under its heading.
    cells = (
        f'<td data-column="{column}">{escape(text)}</td>' if text else "<td></td>"
        for column, text in zip(_COLUMNS, texts, strict=True)
    )
    return f"<tr>{''.join(cells)}</tr>"


def _number(value: Any, scale: float) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not _numeric([value]):
        return str(value)
    return f"{value:,}" if isinstance(value, int) and scale == 1 else f"{value * scale:,.5g}"


def _numeric(values: Sequence[Any]) -> bool:
    """Whether there are numbers only, and missing values."""
    return all(
        value is None or (isinstance(value, int | float) and not isinstance(value, bool)) for value in values
    )
