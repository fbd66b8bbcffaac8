"""Records of experiments: JSON files in a book, from which its first page is built."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from sledsim import ParameterError
from sledsim.files import checked

from .claims import Claim
from .findings import Finding
from .verdicts import Verdict, named

#: Folder within a book that has a file with the record of each experiment.
FOLDER = "verdicts"
#: Patterns that the ids of experiments and of claims match in full.
_EXPERIMENT, _CLAIM = re.compile(r"[0-9]{3}-E-[1-9][0-9]*"), re.compile(r"[0-9]{3}-C[1-9][0-9]*")


@dataclass(frozen=True)
class Noted(Finding):
    """A finding that was read from a record of an earlier run, with the verdict of that run."""

    quantity: str
    paper: str
    found: str
    difference: float | None
    tolerance: str
    is_matched: bool
    verdict: Verdict


@dataclass(frozen=True)
class Record:
    """The record of an experiment: its result without tables and charts.

    Attributes:
        id: Id of the experiment.
        title: Title of the experiment.
        quick: True if the experiment used fewer requests and points.
        devices: Names of the devices of the experiment.
        claims: Claims that the experiment decides, sorted by number.
        notes: Notes for the reader.
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
        """The file name of the experiment's page in the book."""
        return f"{self.id}.html"

    @property
    def place(self) -> tuple[str, int]:
        """The sort key that puts experiments in the order of the book: paper, then number."""
        return self.paper, int(self.id.rpartition("-")[2])

    def plain(self) -> dict[str, Any]:
        """Return the record as data for a JSON file that `read` reads."""
        claims = [
            {
                **_plain(claim, "id", "verdict", "elsewhere", "statement", "reason"),
                "readings": list(claim.readings),
                "findings": [_plain(finding, *_NOTED) for finding in claim.findings],
            }
            for claim in self.claims
        ]
        lists = {"devices": list(self.devices), "claims": claims, "notes": list(self.notes)}
        return {**_plain(self, "id", "title", "quick"), **lists}


def _plain(one: object, *names: str) -> dict[str, Any]:
    found = {name: getattr(one, name) for name in names}
    return {name: value.value if isinstance(value, Verdict) else value for name, value in found.items()}


def _claim_id(key: str, value: Any) -> str:
    if not _CLAIM.fullmatch(checked.text(key, value)):
        raise checked.WrongError("claims.id", "the id of a claim, for example 002-C5", checked.shown(value))
    return str(value)


def _matched(key: str, value: Any) -> bool:
    # Records of earlier versions, which had one verdict per claim, do not have this key.
    return value is None or checked.truth(key, value)


_NOTED = [field.name for field in fields(Noted)]
_LIST = checked.array(checked.text)
_TEXTS = dict.fromkeys(("quantity", "paper", "found", "tolerance"), checked.text)
_DIFFERENCE = checked.optional(checked.number)
_FINDING = checked.made(Noted, **_TEXTS, difference=_DIFFERENCE, is_matched=_matched, verdict=named)
_FINDINGS = checked.array(_FINDING, 1)
_CLAIMS = checked.array(
    checked.made(
        Claim,
        id=_claim_id,
        statement=checked.text,
        reason=checked.text,
        findings=lambda *at: tuple(_FINDINGS(*at)),
        readings=lambda key, value: () if value is None else tuple(_LIST(key, value)),
    )
)
_NAMES = dict.fromkeys(("id", "title"), checked.text)
_RECORD = checked.made(Record, **_NAMES, quick=checked.truth, devices=_LIST, claims=_CLAIMS, notes=_LIST)


def read(path: Path) -> Record:
    """Read the record of an experiment from its file in a book.

    Raises:
        OSError: The file cannot be read.
        ParameterError: The file is not the record of the experiment whose id is the file name.
    """
    try:
        found: Record = _RECORD("", checked.load("", path.read_bytes()))
        if found.id != path.stem or not _EXPERIMENT.fullmatch(found.id):
            raise checked.WrongError("id", "the id of the experiment", checked.shown(found.id))
    except ValueError as error:
        raise ParameterError(
            f"{path}: expected the verdicts of the experiment {path.stem} from 'sledsim paper run --out',"
            f" found another file ({error})"
        ) from error
    return found


def kept(book: Path) -> list[Record]:
    """Read the records of those experiments that have a page in the folder of a book.

    Raises:
        OSError: A file cannot be read.
        ParameterError: A file in the folder of verdicts is not a record.
    """
    return [record for record in recorded(book) if (book / record.page).is_file()]


def recorded(book: Path) -> list[Record]:
    """Read all records in the folder of a book, including those of experiments without a page."""
    return [read(path) for path in sorted((book / FOLDER).glob("*.json"))]
