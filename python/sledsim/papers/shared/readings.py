"""Readings of ambiguous rules, and trials of which readings reproduce all numbers of a table at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sledsim.files import toml

from .findings import Finding, is_as_said


@dataclass(frozen=True)
class Reading:
    """A way to read a text that does not state a rule.

    Attributes:
        id: Id of the open rule, with the name of the reading: ``002-direction/column``.
        assumes: The assumed rule.
        open: Passage of the paper that leaves the rule open.
    """

    id: str
    assumes: str
    open: str


@dataclass(frozen=True)
class Trial:
    """Findings of an experiment under a set of readings.

    Attributes:
        readings: Readings, one for each open rule.
        findings: Every number of the table, in the same order under all readings.
    """

    readings: tuple[Reading, ...]
    findings: tuple[Finding, ...]

    @property
    def name(self) -> str:
        """Ids of the readings."""
        return " + ".join(one.id for one in self.readings)

    @property
    def borne_out(self) -> int:
        """Number of findings that are reproduced or right in shape."""
        return sum(map(is_as_said, self.findings))

    @property
    def is_whole(self) -> bool:
        """True if these readings bear out all numbers at once."""
        return self.borne_out == len(self.findings)

    def row(self) -> dict[str, Any]:
        """The trial as a table row: readings, each number, and the number borne out."""
        numbers = {f"{one.quantity} ({one.paper})": one.found for one in self.findings}
        borne_out = f"{self.borne_out} of {len(self.findings)}"
        return {"readings": self.name, **numbers, "borne out": borne_out, "all at once": self.is_whole}


def reading(id: str) -> Reading:
    """Return a reading by id.

    Raises:
        KeyError: ``readings.toml`` has no such id.
    """
    return readings()[id]


@cache
def readings() -> Mapping[str, Reading]:
    """Return all readings of ``readings.toml`` by id."""
    text = Path(__file__).with_name("readings.toml").read_text(encoding="utf-8")
    plain: dict[str, dict[str, Any]] = toml.loads(text)
    return {
        f"{about}/{name}": Reading(f"{about}/{name}", assumes, rule["open"])
        for about, rule in plain.items()
        for name, assumes in rule["readings"].items()
    }


def best(trials: Sequence[Trial]) -> Trial:
    """Return the trial that bears out most numbers; the first of equal trials."""
    return max(trials, key=lambda one: one.borne_out)
