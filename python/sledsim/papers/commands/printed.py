"""Functions that print verdicts and experiments on the terminal."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from sledsim.commands import console, print_table, print_text, table

if TYPE_CHECKING:
    from .. import Chapter, Claim, Reactions, Verdict

_STYLES = {
    "REPRODUCED": "green",
    "SHAPE": "yellow",
    "UNPUBLISHED": "cyan",
    "NOT_BORNE_OUT": "red",
    "CONTRADICTS": "bold red",
}


def print_reactions(rows: Sequence["Reactions"]) -> None:
    """Print a table of claims with the wrong models that change their verdicts or their results."""
    columns = {
        "Different verdict under": [_changed(row) for row in rows],
        "Same verdict, different figures under": ["\n".join(row.moved) for row in rows],
        "Cannot be run under": [_failed(row) for row in rows],
    }
    shown = {heading: cells for heading, cells in columns.items() if any(cells)}
    made = table("Claim", "Verdict", *shown)
    for row, *cells in zip(rows, *shown.values(), strict=True):
        made.add_row(row.id, _coloured(row.verdict), *cells)
    print_table("Verdicts under wrong models", made)
    if untouched := [row.id for row in rows if row.is_untouched]:
        print_text(f"Not run again, because no wrong model changes what they use: {', '.join(untouched)}")
    if blind := [row.id for row in rows if row.is_blind and any(not one.why for one in row.under.values())]:
        print_text(f"Same verdict under every wrong model: {', '.join(blind)}")


def _changed(row: "Reactions") -> str:
    """Return the models that change a verdict, with the verdicts; "elsewhere" marks those on other inputs."""
    return "\n".join(
        f"{name}: {found.verdict.value}"
        if found.verdict is not row.verdict
        else f"{name}: elsewhere {found.elsewhere.value if found.elsewhere else 'nothing'}"
        for name, found in row.noticed.items()
        if found.verdict
    )


def _failed(row: "Reactions") -> str:
    """Return the models on which the experiment cannot be run, with the reasons."""
    return "\n".join(
        f"{name}: {found.why}" if found.why else name
        for name, found in row.noticed.items()
        if not found.verdict
    )


def print_chapters(chapters: Sequence["Chapter"]) -> None:
    """Print the claims, verdicts and notes of experiments, then the number of claims by verdict."""
    out = console()
    for chapter in chapters:
        claims, title = chapter.claims, f"{chapter.experiment.id} {chapter.experiment.title}"
        if claims:
            print_table(title, _verdicts(claims))
            for claim in claims:
                if claim.reason:
                    out.print(_explained(claim), soft_wrap=True)
        else:
            out.print(title, style="bold", soft_wrap=True)
        for note in chapter.result.notes:
            out.print(f"- {note}", soft_wrap=True)
        out.print()
    counts = Counter(claim.verdict for chapter in chapters for claim in chapter.claims)
    ordered = sorted(counts, key=lambda verdict: verdict.severity)
    parts = [Text.assemble(f"{counts[verdict]} ", _coloured(verdict)) for verdict in ordered]
    if parts:
        out.print(Text(", ").join(parts))


def _explained(claim: "Claim") -> Text:
    """Format a claim as one line: its id, verdicts, the reason, and the assumed readings of the paper."""
    verdicts = [_coloured(claim.verdict)]
    if claim.elsewhere:
        verdicts.append(Text.assemble("elsewhere ", _coloured(claim.elsewhere)))
    rests = f" Uses the readings {', '.join(claim.readings)}." if claim.readings else ""
    return Text.assemble(claim.id, " ", Text("; ").join(verdicts), ": ", claim.reason, rests)


def _verdicts(claims: Sequence["Claim"]) -> Any:
    """Return a table of claims, in which each claim has a row per finding; its first row has the verdicts."""
    made = table("Claim", "Verdict", "Elsewhere", "Quantity", "Paper", "Here", ">Difference")
    for claim in claims:
        begin: tuple[str | Text, ...] = (claim.id, *both(claim.verdict, claim.elsewhere))
        for finding in sorted(claim.findings, key=lambda one: not one.is_matched):
            difference = "" if finding.difference is None else f"{finding.difference:+.1%}"
            made.add_row(*begin, finding.quantity, finding.paper, finding.found, difference)
            begin = ("", "", "")
    return made


def plain_verdicts(verdict: "Verdict", elsewhere: "Verdict | None") -> dict[str, str | None]:
    """Return the two verdicts on a claim as JSON data; the verdict on other inputs may be null."""
    return {"matched": verdict.value, "elsewhere": elsewhere.value if elsewhere else None}


def both(verdict: "Verdict", elsewhere: "Verdict | None") -> tuple[Text, Text | str]:
    """Return the two cells with the verdicts on a claim: on the paper's inputs, and on other inputs."""
    return _coloured(verdict), _coloured(elsewhere) if elsewhere else ""


def _coloured(verdict: "Verdict") -> Text:
    return Text(verdict.value, style=_STYLES[verdict.name])


def short(claims: Sequence[str]) -> str:
    """Return the ids of claims as a text without the number of the paper: "C5 C6" for 002-C5 and 002-C6."""
    return " ".join(claim.partition("-")[2] for claim in claims)
