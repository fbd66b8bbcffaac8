"""A claim of a paper with all that was found of it: the worst finding decides."""

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

#: What stands beside the next row that a paper prints: a number; words and whether they bear it out, with an
#: input of ours before them; or what would be needed.
Ours = float | str | tuple[str, bool] | tuple[str, str, bool | None]


@dataclass(frozen=True, repr=False)
class Claim(Shown):
    """A claim of a paper and what was found of it.

    Attributes:
        id: As in the reading notes: ``002-C5`` is the fifth claim of paper 002.
        statement: What is claimed, in our words, with the reading that the verdict uses.
        findings: What was compared; at least one.
        reason: Why it is not simply reproduced.
        readings: The ids of the readings that the verdict rests on; none where the text leaves nothing open.

    Raises:
        ValueError: There is no finding.
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
        """The verdict of the worst finding on the paper's parameters, and on an input like its own.

        Where it was tried on other inputs alone, its input is not published. What rests on a reading that the
        text leaves open is right in shape at best.
        """
        found = _worst([one for one in self.findings if one.is_matched]) or Verdict.UNPUBLISHED
        least = Verdict.SHAPE if self.readings else found
        return max(found, least, key=lambda one: one.severity)

    @property
    def elsewhere(self) -> Verdict | None:
        """The verdict of the worst finding on other inputs; None where there was none."""
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
        """The finding that decides: of the worst verdict, the one that is off most.

        Those on other inputs decide where there are no more.
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
        """Its number among the claims of the paper."""
        return int(self.id.partition("-C")[2])


def claim(
    id: str,
    statement: str,
    *findings: Finding,
    reason: str | Mapping[Verdict, str] = "",
    readings: Sequence[Reading] = (),
) -> Claim:
    """A claim with its findings; see `Claim`.

    Args:
        id: As in the reading notes.
        statement: What is claimed.
        findings: What was compared.
        reason: Why it is not simply reproduced. One that only explains a certain verdict stands under that
            verdict, and is left out where another one comes out; without one it is the difference that
            decides.
        readings: Those that the verdict rests on.
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
    """`claim` with what stands of it in ``statements.toml``.

    Args:
        id: As in the reading notes.
        ours: What was compared: findings, or what was found beside the rows that stand there, in their order.
        reason: Why it is not simply reproduced, where that does not stand there.
        readings: Those that the verdict rests on.
        found: The figures in the reason that stands there.

    Raises:
        ValueError: There are not as many values as rows.
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
    """What was found, beside what the paper prints; `how` is a unit or the rest of the row."""
    if isinstance(ours, str):
        return Unpublished(quantity, paper, ours)
    if not isinstance(ours, tuple):
        unit = next((one for one in how if one != "exact"), "")
        return Figure(quantity, paper, ours, unit, exact="exact" in how)
    if len(ours) == 3:
        return OnInput(quantity, paper, *ours, is_matched="matched" in how)
    return Statement(quantity, paper, *ours, in_shape="shape" in how)


def noted(id: str, **found: object) -> list[str]:
    """What a reader of an experiment has to know: what stands in ``statements.toml``, with what was found."""
    notes: list[str] = _words()[id]["notes"]
    told = {name: yes(one) if isinstance(one, bool) else one for name, one in found.items()}
    return [note.format(**told) for note in notes]


def statements() -> dict[str, str]:
    """What each claim states, by its id."""
    return texts("statement")


def texts(what: str) -> dict[str, Any]:
    """What ``statements.toml`` has under a name, by the ids of the claims that have it."""
    return {name: said[what] for name, said in _words().items() if what in said}


def numbers_of(experiment: str) -> tuple[int, ...]:
    """The numbers of the claims that stand under an experiment in ``statements.toml``: it decides them."""
    return tuple(sorted(int(key[1:]) for key in _sections().get(experiment, {}) if key != "notes"))


@cache
def _sections() -> dict[str, dict[str, Any]]:
    text = Path(__file__).with_name("statements.toml").read_text(encoding="utf-8")
    found: dict[str, dict[str, Any]] = toml.loads(text)
    return found


@cache
def _words() -> dict[str, dict[str, Any]]:
    """What stands in ``statements.toml`` of claims and of experiments, by their ids."""
    of_claims = {
        f"{section[:4]}{key}": said
        for section, own in _sections().items()
        for key, said in own.items()
        if key != "notes"
    }
    return {**_sections(), **of_claims}


def both(verdict: Verdict, elsewhere: Verdict | None) -> str:
    """The two axes in words."""
    return verdict.value if elsewhere is None else f"{verdict.value}; elsewhere {elsewhere.value}"


def _worst(findings: Sequence[Finding]) -> Verdict | None:
    return max((one.verdict for one in findings), key=lambda one: one.severity, default=None)


def _difference(finding: Finding) -> str:
    """What decides, where nobody has said why."""
    quantity = f"{finding.quantity[0].upper()}{finding.quantity[1:]}"
    if finding.verdict is Verdict.UNPUBLISHED:
        return f"{quantity}, {finding.paper} in the paper, {finding.found}."
    difference = "" if finding.difference is None else f" ({finding.difference:+.1%})"
    return f"{quantity} is {finding.found}, where the paper has {finding.paper}{difference}."
