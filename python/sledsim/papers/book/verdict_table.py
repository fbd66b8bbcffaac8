"""The verdicts as a table, with a row for each claim."""

from collections.abc import Sequence
from typing import Any

from sledsim import __version__
from sledsim.files import pyarrow

from ..shared.claims import Claim
from ..shared.records import Record

_COLUMNS = (
    "claim experiment verdict elsewhere statement quantity paper here difference tolerance reason".split()
)


def verdict_rows(records: Sequence[Record]) -> list[dict[str, Any]]:
    """Return the rows of the table of verdicts, one per claim, with the finding that decides the verdict."""
    return [_row(record, claim) for record in records for claim in record.claims]


def verdict_table(records: Sequence[Record]) -> "pyarrow.Table":
    """Return a table of the verdicts on all claims of `records`; experiments without claims have no row."""
    kinds = [(name, pyarrow.float64() if name == "difference" else pyarrow.string()) for name in _COLUMNS]
    metadata = {"sledsim": f'{{"version": "{__version__}"}}'}
    return pyarrow.Table.from_pylist(verdict_rows(records), schema=pyarrow.schema(kinds, metadata=metadata))


def _row(record: Record, claim: Claim) -> dict[str, Any]:
    finding = claim.decisive
    return {
        "claim": claim.id,
        "experiment": record.id,
        "verdict": claim.verdict.value,
        "elsewhere": claim.elsewhere and claim.elsewhere.value,
        "statement": claim.statement,
        "quantity": finding.quantity,
        "paper": finding.paper,
        "here": finding.found,
        "difference": finding.difference,
        "tolerance": finding.tolerance,
        "reason": claim.reason,
    }
