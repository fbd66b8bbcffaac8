"""Readings: ways to understand an ambiguous text of a paper. A trial tests a table under some of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sledsim.files import toml

from .findings import Finding, is_as_said


@dataclass(frozen=True)
class Reading:
    """A rule assumed where the text of a paper leaves it open.

    Attributes:
        id: Id of the open rule and name of the reading, for example ``002-direction/column``.
        assumes: The assumed rule.
        open: Passage of the paper, and the rule that it does not state.
    """

    id: str
    assumes: str
    open: str


@dataclass(frozen=True)
class Trial:
    """Findings on a table of a paper under one combination of readings.

    Attributes:
        readings: The readings assumed, one for each open rule.
        findings: A finding on each number of the table, in the same order in all trials.
    """

    readings: tuple[Reading, ...]
    findings: tuple[Finding, ...]

    @property
    def name(self) -> str:
        """Ids of the readings assumed, joined by plus signs."""
        return " + ".join(one.id for one in self.readings)

    @property
    def borne_out(self) -> int:
        """Number of findings that are reproduced or right in shape."""
        return sum(map(is_as_said, self.findings))

    @property
    def is_whole(self) -> bool:
        """True if every number of the table is reproduced or right in shape under these readings."""
        return self.borne_out == len(self.findings)

    def row(self) -> dict[str, Any]:
        """Return the trial as a table row: its readings, our value for each number, and the agreement."""
        numbers = {f"{one.quantity} ({one.paper})": one.found for one in self.findings}
        borne_out = f"{self.borne_out} of {len(self.findings)}"
        return {"readings": self.name, **numbers, "borne out": borne_out, "all at once": self.is_whole}


def reading(id: str) -> Reading:
    """Return the reading with an id, such as ``002-direction/column``.

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
    """Return the trial under which most numbers are reproduced or right in shape; of equals, the first."""
    return max(trials, key=lambda one: one.borne_out)
