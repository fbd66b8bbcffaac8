"""Functions that print verdicts and experiments on the terminal."""

from collections import Counter
from collections.abc import Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any

from rich.text import Text

from sledsim.commands import console, print_table, print_text, table

if TYPE_CHECKING:
    from .. import Chapter, Claim, Reaction, Reactions, Verdict

_STYLES = {
    "REPRODUCED": "green",
    "SHAPE": "yellow",
    "UNPUBLISHED": "cyan",
    "NOT_BORNE_OUT": "red",
    "CONTRADICTS": "bold red",
}
#: Columns of wrong models in the table of reactions; an empty column is left out.
_REACTIONS = ("Different verdict under", "Same verdict, different figures under", "Cannot be run under")


def print_reactions(rows: Sequence["Reactions"]) -> None:
    """Print a table of claims with the wrong models that change their verdicts or their results."""
    cells = [[*map("\n".join, (_under(row, True), row.moved, _under(row, False)))] for row in rows]
    kept = [any(column) for column in zip(*cells, strict=True)]
    made = table("Claim", "Verdict", *compress(_REACTIONS, kept))
    for row, texts in zip(rows, cells, strict=True):
        made.add_row(row.id, _coloured(row.verdict), *compress(texts, kept))
    print_table("Verdicts under wrong models", made)
    if untouched := [row.id for row in rows if row.is_untouched]:
        print_text(f"Not run again, because no wrong model changes what they use: {', '.join(untouched)}")
    if blind := [row.id for row in rows if row.is_blind and any(not one.why for one in row.under.values())]:
        print_text(f"Same verdict under every wrong model: {', '.join(blind)}")


def _under(row: "Reactions", is_run: bool) -> list[str]:
    """Return the wrong models that change a verdict, with the other verdicts, or that cannot be run.

    Args:
        row: Verdicts on a claim.
        is_run: True for the models that change the verdict, here or "elsewhere", on other inputs; False for
            the models on which the experiment cannot be run, with the reasons.
    """
    found = {name: one for name, one in row.noticed.items() if bool(one.verdict) is is_run}
    return [f"{name}: {_other(row, one)}".removesuffix(": ") for name, one in found.items()]


def _other(row: "Reactions", found: "Reaction") -> str:
    """Return the verdict under a wrong model, or the reason why the experiment cannot be run."""
    if found.verdict is None:
        return found.why or ""
    elsewhere = found.elsewhere.value if found.elsewhere else "nothing"
    return f"elsewhere {elsewhere}" if found.verdict is row.verdict else found.verdict.value


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
