"""Readings of a text that leaves a rule open, and which of them give all numbers of a table at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sledsim.files import toml

from .findings import Finding, is_as_said


@dataclass(frozen=True)
class Reading:
    """One way to read a text that does not state a rule.

    Attributes:
        id: Of the paper and what is open, with the name of the reading: ``002-direction/column``.
        assumes: The rule that is assumed.
        open: Where the text leaves it open.
    """

    id: str
    assumes: str
    open: str


@dataclass(frozen=True)
class Trial:
    """The findings of an experiment under some readings.

    Attributes:
        readings: One of each rule that is open.
        findings: Every number of the table, in the same order under all readings.
    """

    readings: tuple[Reading, ...]
    findings: tuple[Finding, ...]

    @property
    def name(self) -> str:
        """The ids of its readings."""
        return " + ".join(one.id for one in self.readings)

    @property
    def borne_out(self) -> int:
        """The count of numbers that are reproduced or right in shape."""
        return sum(map(is_as_said, self.findings))

    @property
    def is_whole(self) -> bool:
        """Tell whether these readings bear out all numbers at once."""
        return self.borne_out == len(self.findings)

    def row(self) -> dict[str, Any]:
        """A row of a table: the readings, each number, and how many are borne out."""
        numbers = {f"{one.quantity} ({one.paper})": one.found for one in self.findings}
        borne_out = f"{self.borne_out} of {len(self.findings)}"
        return {"readings": self.name, **numbers, "borne out": borne_out, "all at once": self.is_whole}


def reading(id: str) -> Reading:
    """A reading by its id.

    Raises:
        KeyError: ``readings.toml`` has none of that id.
    """
    return readings()[id]


@cache
def readings() -> Mapping[str, Reading]:
    """All readings by their ids, as ``readings.toml`` has them."""
    text = Path(__file__).with_name("readings.toml").read_text(encoding="utf-8")
    plain: dict[str, dict[str, Any]] = toml.loads(text)
    return {
        f"{about}/{name}": Reading(f"{about}/{name}", assumes, rule["open"])
        for about, rule in plain.items()
        for name, assumes in rule["readings"].items()
    }


def best(trials: Sequence[Trial]) -> Trial:
    """The trial that bears out most numbers; of equals the first."""
    return max(trials, key=lambda one: one.borne_out)
