"""What a book keeps of each experiment as data, so that its first page can be made again from all of them."""

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

#: Below the book's own folder; one file an experiment.
FOLDER = "verdicts"
#: What experiments and claims are called: pages link by these names.
_EXPERIMENT, _CLAIM = re.compile(r"[0-9]{3}-E-[1-9][0-9]*"), re.compile(r"[0-9]{3}-C[1-9][0-9]*")


@dataclass(frozen=True)
class Noted(Finding):
    """A finding of an earlier run, with the verdict that followed from it then; see `Finding`."""

    quantity: str
    paper: str
    found: str
    difference: float | None
    tolerance: str
    is_matched: bool
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
        raise checked.WrongError("claims.id", "that of a claim, as 002-C5", checked.shown(value))
    return str(value)


def _matched(key: str, value: Any) -> bool:
    # A book of an earlier version had one axis.
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
    """Read what `Record.plain` gave.

    Raises:
        OSError: The file cannot be read.
        ParameterError: It does not hold the record of the experiment that it is named after.
    """
    try:
        found: Record = _RECORD("", checked.load("", path.read_bytes()))
        if found.id != path.stem or not _EXPERIMENT.fullmatch(found.id):
            raise checked.WrongError("id", "that of the experiment", checked.shown(found.id))
    except ValueError as error:
        raise ParameterError(
            f"{path}: expected the verdicts of the experiment {path.stem}, as 'sledsim paper run --out'"
            f" writes them, found another file ({error})"
        ) from error
    return found


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
