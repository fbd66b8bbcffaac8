"""What a book keeps of each experiment as data, so that its first page can be made again from all of them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ... import _native
from ...common.checked import WrongError, array, load, number, optional, record, shown, text, truth
from .claims import Claim
from .findings import Finding
from .verdicts import Verdict

#: Below the book's own folder; one file an experiment.
FOLDER = "verdicts"
_ATTRIBUTES = ("quantity", "paper", "found", "difference", "tolerance")
#: What experiments and claims are called: pages link by these names.
_EXPERIMENT, _CLAIM = re.compile(r"[0-9]{3}-E-[1-9][0-9]*"), re.compile(r"[0-9]{3}-C[1-9][0-9]*")
_FINDING = dict.fromkeys(("quantity", "paper", "found", "tolerance", "verdict"), text)
_FINDINGS = array(record(difference=optional(number), **_FINDING), 1)
_RECORD = record(
    id=text,
    title=text,
    quick=truth,
    devices=array(text),
    claims=array(record(id=text, statement=text, reason=text, findings=_FINDINGS)),
    notes=array(text),
)


@dataclass(frozen=True)
class Noted:
    """A finding of an earlier run, with the verdict that followed from it then; see `Finding`."""

    quantity: str
    paper: str
    found: str
    difference: float | None
    tolerance: str
    verdict: Verdict


@dataclass(frozen=True)
class Record:
    """An experiment that was run, without its tables and charts.

    Attributes:
        id: Of the experiment.
        title: Of the experiment.
        quick: Whether it took fewer requests and points.
        devices: The names of the devices it used.
        claims: The claims that it decides, by their numbers.
        notes: What a reader has to know.
    """

    id: str
    title: str
    quick: bool
    devices: Sequence[str]
    claims: Sequence[Claim]
    notes: Sequence[str]

    @property
    def paper(self) -> str:
        """The number of the paper."""
        return self.id.partition("-")[0]

    @property
    def page(self) -> str:
        """The name of its page."""
        return f"{self.id}.html"

    @property
    def place(self) -> tuple[str, int]:
        """Where it stands in the order of the book."""
        return self.paper, int(self.id.rpartition("-")[2])

    def plain(self) -> dict[str, Any]:
        """As JSON has it; `read` takes it back."""
        return {
            "id": self.id,
            "title": self.title,
            "quick": self.quick,
            "devices": list(self.devices),
            "claims": [_plain_claim(claim) for claim in self.claims],
            "notes": list(self.notes),
        }


def read(path: Path) -> Record:
    """Read what `Record.plain` gave.

    Raises:
        OSError: The file cannot be read.
        ParameterError: It does not hold the record of the experiment that it is named after.
    """
    try:
        plain = _RECORD("", load("", path.read_bytes()))
        claims = [_claim(row) for row in plain["claims"]]
        if plain["id"] != path.stem or not _EXPERIMENT.fullmatch(plain["id"]):
            raise WrongError("id", "that of the experiment", shown(plain["id"]))
    except ValueError as error:
        raise _native.ParameterError(
            f"{path}: expected the verdicts of the experiment {path.stem}, as 'sledsim paper run --out'"
            f" writes them, found another file ({error})"
        ) from error
    return Record(**{**plain, "claims": claims})


def kept(book: Path) -> list[Record]:
    """The experiments of a book that is there already, those whose page is still there.

    Raises:
        OSError: A file cannot be read.
        ParameterError: A file of its folder of verdicts holds something else.
    """
    return [record for record in recorded(book) if (book / record.page).is_file()]


def recorded(book: Path) -> list[Record]:
    """The experiments whose verdicts a book holds, whether or not their page is there; see `kept`."""
    return [read(path) for path in sorted((book / FOLDER).glob("*.json"))]


def _plain_claim(claim: Claim) -> dict[str, Any]:
    return {
        "id": claim.id,
        "verdict": claim.verdict.value,
        "statement": claim.statement,
        "reason": claim.reason,
        "findings": [_plain_finding(finding) for finding in claim.findings],
    }


def _plain_finding(finding: Finding) -> dict[str, Any]:
    return {**{name: getattr(finding, name) for name in _ATTRIBUTES}, "verdict": finding.verdict.value}


def _claim(plain: dict[str, Any]) -> Claim:
    """A claim.

    Raises:
        ValueError: It has the name of none, or no such verdict.
    """
    if not _CLAIM.fullmatch(plain["id"]):
        raise WrongError("claims.id", "that of a claim, as 002-C5", shown(plain["id"]))
    findings = tuple(Noted(**{**row, "verdict": Verdict(row["verdict"])}) for row in plain["findings"])
    return Claim(plain["id"], plain["statement"], findings, plain["reason"])
