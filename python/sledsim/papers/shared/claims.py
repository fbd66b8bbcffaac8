"""Claims of the papers with their findings; the worst finding decides the verdict."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from sledsim.files import toml
from sledsim.pages import Form, Shown, clipped, of_rows

from .figures import Figure
from .findings import Finding, OnInput, Statement, Unpublished, yes
from .readings import Reading
from .verdicts import Verdict

#: Our value for a printed row: a number; words and whether they bear the row out, with our input first if
#: it is not the paper's; or, as a plain string, what would be needed to compute it.
Ours = float | str | tuple[str, bool] | tuple[str, str, bool | None]


@dataclass(frozen=True, repr=False)
class Claim(Shown):
    """A claim of a paper with its findings.

    Attributes:
        id: Id of the claim: ``002-C5`` is the fifth claim of paper 002.
        statement: Statement of the claim in our words, with the reading that the verdict uses.
        findings: Comparisons with the paper, at least one.
        reason: Reason why the claim is not simply reproduced.
        readings: Ids of the readings that the verdict rests on; empty if the text is unambiguous.

    Raises:
        ValueError: `findings` is empty.
    """

    id: str
    statement: str
    findings: tuple[Finding, ...]
    reason: str = ""
    readings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.findings:
            raise ValueError(f"{self.id}: expected at least one finding, found none")

    @property
    def verdict(self) -> Verdict:
        """The worst verdict on the paper's parameters and on inputs with its statistics.

        A claim tried on other inputs only has an unpublished input. A claim that rests on a reading of an
        ambiguous text is right in shape at best.
        """
        found = _worst([one for one in self.findings if one.is_matched]) or Verdict.UNPUBLISHED
        least = Verdict.SHAPE if self.readings else found
        return max(found, least, key=lambda one: one.severity)

    @property
    def elsewhere(self) -> Verdict | None:
        """The worst verdict on other inputs; None without such findings."""
        return _worst([one for one in self.findings if not one.is_matched])

    def _form(self) -> Form:
        rows = [
            {"quantity": one.quantity, "found": one.found, "paper": one.paper, "verdict": one.verdict.value}
            for one in self.findings
        ]
        notes = [self.reason] if self.reason else []
        return Form(
            f"{self.id}: {self.statement}",
            [of_rows(rows)],
            notes,
            calls=("decisive", "findings"),
            line=f"{clipped(self.id, 20)}: {both(self.verdict, self.elsewhere)}",
        )

    @property
    def decisive(self) -> Finding:
        """The deciding finding, with the largest difference among the findings with the worst verdict.

        Findings on other inputs decide only if no finding is on the paper's input.
        """
        matched = [one for one in self.findings if one.is_matched]
        return max(
            matched or self.findings, key=lambda one: (one.verdict.severity, abs(one.difference or 0.0))
        )

    @property
    def paper(self) -> str:
        """The number of the paper."""
        return self.id.partition("-")[0]

    @property
    def number(self) -> int:
        """The number of the claim within its paper."""
        return int(self.id.partition("-C")[2])


def claim(
    id: str,
    statement: str,
    *findings: Finding,
    reason: str | Mapping[Verdict, str] = "",
    readings: Sequence[Reading] = (),
) -> Claim:
    """Build a `Claim`.

    Args:
        id: Id of the claim, for example ``002-C5``.
        statement: Statement of the claim.
        findings: Comparisons with the paper.
        reason: Reason why the claim is not simply reproduced. A reason given by verdict counts for that
            verdict only. Without a reason, the deciding difference stands in its place.
        readings: Readings that the verdict rests on.
    """
    made = Claim(id, statement, findings, readings=tuple(one.id for one in readings))
    axes = [made.verdict, *([made.elsewhere] if made.elsewhere else [])]
    why = reason if isinstance(reason, str) else next((reason[one] for one in axes if one in reason), "")
    if any(one is not Verdict.REPRODUCED for one in axes):
        why = why or _difference(made.decisive)
    return replace(made, reason=why)


def stated(
    id: str,
    *ours: Finding | Ours,
    reason: str | Mapping[Verdict, str] = "",
    readings: Sequence[Reading] = (),
    **found: object,
) -> Claim:
    """Build a `Claim` from the texts in ``statements.toml``.

    Args:
        id: Id of the claim, for example ``002-C5``.
        ours: Comparisons: findings, or our values for the rows of ``statements.toml`` in their order.
        reason: Reason why the claim is not simply reproduced, if ``statements.toml`` has no reason.
        readings: Readings that the verdict rests on.
        found: Figures to fill into the reason from ``statements.toml``.

    Raises:
        ValueError: The number of values differs from the number of rows.
    """
    said = _words()[id]
    words = said.get("reason", {})
    if isinstance(words, str):
        reason = words.format(**found)
    elif words:
        reason = {Verdict[name.upper()]: text.format(**found) for name, text in words.items()}
    values = [one for one in ours if not isinstance(one, Finding)]
    beside = iter([_beside(one, *row) for one, row in zip(values, said.get("prints", ()), strict=True)])
    findings = [one if isinstance(one, Finding) else next(beside) for one in ours]
    return claim(id, said["statement"], *findings, reason=reason, readings=readings)


def _beside(ours: Ours, quantity: str, paper: str, *how: str) -> Finding:
    """Compare our value with a printed row; `how` is a unit or the rest of the row."""
    if isinstance(ours, str):
        return Unpublished(quantity, paper, ours)
    if not isinstance(ours, tuple):
        unit = next((one for one in how if one != "exact"), "")
        return Figure(quantity, paper, ours, unit, exact="exact" in how)
    if len(ours) == 3:
        return OnInput(quantity, paper, *ours, is_matched="matched" in how)
    return Statement(quantity, paper, *ours, in_shape="shape" in how)


def noted(id: str, **found: object) -> list[str]:
    """Return the notes of ``statements.toml`` for an experiment, filled with figures of the run."""
    notes: list[str] = _words()[id]["notes"]
    told = {name: yes(one) if isinstance(one, bool) else one for name, one in found.items()}
    return [note.format(**told) for note in notes]


def statements() -> dict[str, str]:
    """Return the statement of each claim by id."""
    return texts("statement")


def texts(what: str) -> dict[str, Any]:
    """Return one kind of text from ``statements.toml`` by claim id; claims without this text are left out."""
    return {name: said[what] for name, said in _words().items() if what in said}


def numbers_of(experiment: str) -> tuple[int, ...]:
    """Return the numbers of the claims that an experiment decides, from ``statements.toml``."""
    return tuple(sorted(int(key[1:]) for key in _sections().get(experiment, {}) if key != "notes"))


@cache
def _sections() -> dict[str, dict[str, Any]]:
    text = Path(__file__).with_name("statements.toml").read_text(encoding="utf-8")
    found: dict[str, dict[str, Any]] = toml.loads(text)
    return found


@cache
def _words() -> dict[str, dict[str, Any]]:
    """Return the entries of ``statements.toml`` for claims and experiments, by id."""
    of_claims = {
        f"{section[:4]}{key}": said
        for section, own in _sections().items()
        for key, said in own.items()
        if key != "notes"
    }
    return {**_sections(), **of_claims}


def both(verdict: Verdict, elsewhere: Verdict | None) -> str:
    """Join the two verdicts in words."""
    return verdict.value if elsewhere is None else f"{verdict.value}; elsewhere {elsewhere.value}"


def _worst(findings: Sequence[Finding]) -> Verdict | None:
    return max((one.verdict for one in findings), key=lambda one: one.severity, default=None)


def _difference(finding: Finding) -> str:
    """Describe the deciding difference of a claim without a written reason."""
    quantity = f"{finding.quantity[0].upper()}{finding.quantity[1:]}"
    if finding.verdict is Verdict.UNPUBLISHED:
        return f"{quantity}, {finding.paper} in the paper, {finding.found}."
    difference = "" if finding.difference is None else f" ({finding.difference:+.1%})"
    return f"{quantity} is {finding.found}, where the paper has {finding.paper}{difference}."
