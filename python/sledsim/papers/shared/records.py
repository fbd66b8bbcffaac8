"""Records of experiments that a book keeps as data; its first page is made from all of them."""

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

#: Folder of the records within a book; each experiment has one file.
FOLDER = "verdicts"
#: Patterns of the ids of experiments and claims, by which pages link.
_EXPERIMENT, _CLAIM = re.compile(r"[0-9]{3}-E-[1-9][0-9]*"), re.compile(r"[0-9]{3}-C[1-9][0-9]*")


@dataclass(frozen=True)
class Noted(Finding):
    """A finding of an earlier run with the verdict of that run; see `Finding`."""

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
        quick: True if it used fewer requests and points.
        devices: Names of its devices.
        claims: Claims that it decides, sorted by number.
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
        """The name of the page of the experiment."""
        return f"{self.id}.html"

    @property
    def place(self) -> tuple[str, int]:
        """The sort key of the experiment in the book."""
        return self.paper, int(self.id.rpartition("-")[2])

    def plain(self) -> dict[str, Any]:
        """Return the record as JSON data; `read` restores it."""
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
    # Books of earlier versions have no second verdict.
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
    """Read a file with the data of `Record.plain`.

    Raises:
        OSError: The file cannot be read.
        ParameterError: The file is not the record of the experiment that it is named after.
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
    """Read the experiments of an existing book whose page exists.

    Raises:
        OSError: A file cannot be read.
        ParameterError: A file in the folder of verdicts is not a record.
    """
    return [record for record in recorded(book) if (book / record.page).is_file()]


def recorded(book: Path) -> list[Record]:
    """Read the experiments whose verdicts a book holds, with or without a page; see `kept`."""
    return [read(path) for path in sorted((book / FOLDER).glob("*.json"))]
