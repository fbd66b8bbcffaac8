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
    """Return a row per claim as columns by name: its verdicts, and the finding that decides them."""
    return [_row(record, claim) for record in records for claim in record.claims]


def verdict_table(records: Sequence[Record]) -> "pyarrow.Table":
    """Return the verdicts on all claims of `records` as an Arrow table, which has no rows without claims."""
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
