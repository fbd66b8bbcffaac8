"""Claims of the papers with their findings; the worst finding of a claim decides its verdict."""

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

#: Our result for a row of ``prints`` in ``statements.toml``. It is a number; or a pair (text, True if the
#: text agrees with the paper); or, on an input that replaces the paper's, a triple (input, text, True, False
#: or None if open); or a string that names the information that is missing for a result.
Ours = float | str | tuple[str, bool] | tuple[str, str, bool | None]


@dataclass(frozen=True, repr=False)
class Claim(Shown):
    """A claim of a paper with its findings.

    Attributes:
        id: Id of the claim: ``002-C5`` is the fifth claim of paper 002.
        statement: Statement of the claim in our words, with the reading that the verdict uses.
        findings: Comparisons of a result with the paper, at least one.
        reason: Reason why the verdict is not just "reproduced"; empty for a reproduced claim.
        readings: Ids of the readings of the paper's text that the verdict assumes; empty for a clear text.

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
        """Worst verdict of the findings with the paper's parameters, or on requests with all its statistics.

        Without such findings the verdict is "input not published". A claim that rests on a reading of an
        ambiguous text is right in shape at best.
        """
        found = _worst([one for one in self.findings if one.is_matched]) or Verdict.UNPUBLISHED
        least = Verdict.SHAPE if self.readings else found
        return max(found, least, key=lambda one: one.severity)

    @property
    def elsewhere(self) -> Verdict | None:
        """Worst verdict of the findings on inputs that replace the paper's; None without such findings."""
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
        """The finding that decides the verdict: among the worst, that with the largest difference.

        Findings on other inputs than the paper's decide only if no finding is on the paper's input.
        """
        found = [one for one in self.findings if one.is_matched] or self.findings
        return max(found, key=lambda one: (one.verdict.severity, abs(one.difference or 0.0)))

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
    """Build a `Claim` from its findings.

    Args:
        id: Id of the claim, for example ``002-C5``.
        statement: Statement of the claim.
        findings: Comparisons of a result with the paper.
        reason: Reason why the claim is not reproduced, or a mapping from verdicts to reasons. If the mapping
            has no reason for the verdict, a sentence on the decisive finding is used.
        readings: Readings of the paper's text that the verdict assumes.
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
        ours: Findings, or our results (see `Ours`) for the rows of ``prints`` of this claim in
            ``statements.toml``, in the order of these rows.
        reason: Reason why the claim is not reproduced; used only if ``statements.toml`` has no reason.
        readings: Readings of the paper's text that the verdict assumes.
        found: Results of the run, by the names that stand in braces in the reason in ``statements.toml``.

    Raises:
        ValueError: The number of results differs from the number of rows of ``prints``.
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
    """Return a finding: our result `ours` compared with the paper's value, as a row of ``prints`` says.

    The row has the quantity, the paper's value, and in `how` the unit or the kind of the finding.
    """
    if isinstance(ours, str):
        return Unpublished(quantity, paper, ours)
    if not isinstance(ours, tuple):
        unit = next((one for one in how if one != "exact"), "")
        return Figure(quantity, paper, ours, unit, exact="exact" in how)
    if len(ours) == 3:
        return OnInput(quantity, paper, *ours, is_matched="matched" in how)
    return Statement(quantity, paper, *ours, in_shape="shape" in how)


def noted(id: str, **found: object) -> list[str]:
    """Return the notes on an experiment from ``statements.toml``, with the results `found` filled in."""
    notes: list[str] = _words()[id]["notes"]
    told = {name: yes(one) if isinstance(one, bool) else one for name, one in found.items()}
    return [note.format(**told) for note in notes]


def statements() -> dict[str, str]:
    """Return the statement of each claim by id."""
    return texts("statement")


def texts(what: str) -> dict[str, Any]:
    """Return the texts with the key `what`, such as ``statement``, of ``statements.toml``, by claim id."""
    return {name: said[what] for name, said in _words().items() if what in said}


def numbers_of(experiment: str) -> tuple[int, ...]:
    """Return the numbers of the claims that ``statements.toml`` lists under the id of an experiment."""
    return tuple(sorted(int(key[1:]) for key in _sections().get(experiment, {}) if key != "notes"))


@cache
def _sections() -> dict[str, dict[str, Any]]:
    text = Path(__file__).with_name("statements.toml").read_text(encoding="utf-8")
    found: dict[str, dict[str, Any]] = toml.loads(text)
    return found


@cache
def _words() -> dict[str, dict[str, Any]]:
    """Return the tables of ``statements.toml``, by the id of their claim or experiment."""
    of_claims = {
        f"{section[:4]}{key}": said
        for section, own in _sections().items()
        for key, said in own.items()
        if key != "notes"
    }
    return {**_sections(), **of_claims}


def both(verdict: Verdict, elsewhere: Verdict | None) -> str:
    """Return a text of the verdict and, if not None, of the verdict on other inputs than the paper's."""
    return verdict.value if elsewhere is None else f"{verdict.value}; elsewhere {elsewhere.value}"


def _worst(findings: Sequence[Finding]) -> Verdict | None:
    return max((one.verdict for one in findings), key=lambda one: one.severity, default=None)


def _difference(finding: Finding) -> str:
    """Return a sentence with both results of the finding that decides a claim: ours and the paper's."""
    quantity = f"{finding.quantity[0].upper()}{finding.quantity[1:]}"
    if finding.verdict is Verdict.UNPUBLISHED:
        return f"{quantity}, {finding.paper} in the paper, {finding.found}."
    difference = "" if finding.difference is None else f" ({finding.difference:+.1%})"
    return f"{quantity} is {finding.found}, where the paper has {finding.paper}{difference}."
