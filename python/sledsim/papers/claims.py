"""A claim of a paper with all that was found of it: the worst finding decides."""

from dataclasses import dataclass

from .findings import Finding
from .verdicts import Verdict


@dataclass(frozen=True)
class Claim:
    """A claim of a paper and what was found of it.

    Attributes:
        id: As in the reading notes: ``002-C5`` is the fifth claim of paper 002.
        statement: What is claimed, in our words, with the reading that the verdict uses.
        findings: What was compared; at least one.
        reason: Why it is not simply reproduced; required unless it is.

    Raises:
        ValueError: There is no finding, or a reason is missing.
    """

    id: str
    statement: str
    findings: tuple[Finding, ...]
    reason: str = ""

    def __post_init__(self) -> None:
        if not self.findings:
            raise ValueError(f"{self.id}: expected at least one finding, found none")
        if self.verdict is not Verdict.REPRODUCED and not self.reason:
            raise ValueError(
                f"{self.id}: expected a reason for the verdict {self.verdict.value!r}, found none"
            )

    @property
    def verdict(self) -> Verdict:
        """The verdict of the worst finding."""
        return self.decisive.verdict

    @property
    def decisive(self) -> Finding:
        """The finding that decides: the first of the worst."""
        return max(self.findings, key=lambda finding: finding.verdict.severity)

    @property
    def paper(self) -> str:
        """The number of the paper."""
        return self.id.partition("-")[0]

    @property
    def number(self) -> int:
        """Its number among the claims of the paper."""
        return int(self.id.partition("-C")[2])


def claim(id: str, statement: str, *findings: Finding, reason: str = "") -> Claim:
    """A claim with its findings; see `Claim`."""
    return Claim(id, statement, findings, reason)
