"""Columns that a run kept; and figures of response times of runs that kept no columns."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import NotKeptError
from ..traces.trace import KINDS
from .result_writer import RESULT_COLUMNS

#: Number of a flush in the column ``kind``.
FLUSH_KIND = KINDS.index("flush")

#: Message about a run that has no columns.
NONE_IN_MEMORY = "this run has no columns in memory (columns=, --columns): read_run reads its file"


def transfers_of(totals: Mapping[str, Any]) -> int:
    """Return the number of reads and writes of a run."""
    return int(totals["requests"]) - int(totals.get("flushes") or 0)


class Columns(dict[str, NDArray[Any]]):
    """Columns that a run kept, by name; an error explains why another column is missing."""

    def __missing__(self, name: str) -> NDArray[Any]:
        if name not in RESULT_COLUMNS:
            raise NotKeptError(f"{name}: expected a column of a result, one of {', '.join(RESULT_COLUMNS)}")
        if not self:
            raise NotKeptError(f"{name}: {NONE_IN_MEMORY}")
        raise NotKeptError(f"{name}: a column that this run did not keep (columns=), only {', '.join(self)}")


def check_whole(columns: Mapping[str, NDArray[Any]], totals: Mapping[str, Any]) -> None:
    """Check that columns have the rows of all requests, so that they can be run again.

    Raises:
        NotKeptError: The columns have only reads and writes, as those of `Run.transfers`.
    """
    rows = len(next(iter(columns.values()), ()))
    if columns and rows != totals["requests"]:
        raise NotKeptError(
            f"expected the rows of all {totals['requests']} requests, found {rows}: a run of transfers has no"
            " flushes; use the whole run"
        )


def kind_of(columns: Mapping[str, NDArray[Any]], row: int) -> str:
    """Return the name in `KINDS` of the kind of a request; earlier results have only reads and writes."""
    return KINDS[int(columns["kind" if "kind" in columns else "write"][row])]


def without_flushes(columns: Mapping[str, NDArray[Any]]) -> Mapping[str, NDArray[Any]]:
    """Return the columns without the rows of flushes; the same columns without such rows."""
    if "kind" not in columns or not (flushes := columns["kind"] == FLUSH_KIND).any():
        return columns
    return Columns({name: column[~flushes] for name, column in columns.items()})


def flush_figures(totals: Mapping[str, Any]) -> dict[str, float]:
    """Return number, mean and percentiles of the response times of flushes; nothing without flushes."""
    found = totals.get("flush_responses")
    if not found:
        return {}
    p50_ns, _, p99_ns, _ = found["quantiles_ns"]
    return {
        "flushes": totals["flushes"],
        "mean_flush_s": found["sum_ns"] * 1e-9 / totals["flushes"],
        "p50_flush_s": p50_ns * 1e-9,
        "p99_flush_s": p99_ns * 1e-9,
    }


def added_responses(columns: Mapping[str, NDArray[Any]], totals: Mapping[str, Any]) -> Any:
    """Return the distribution of response times that the run added up; None if completions were kept."""
    return None if "completion_ns" in columns else totals["responses"]


def response_figures(columns: Mapping[str, NDArray[Any]], totals: Mapping[str, Any]) -> dict[str, float]:
    """Return figures of the response times of reads and writes, from completions or the run's distribution.

    NaN without reads and writes.
    """
    if (added := added_responses(columns, totals)) is not None:
        mean_s, std_s = added["sum_ns"] * 1e-9 / transfers_of(totals), added["std_ns"] * 1e-9
        quantiles_s = [quantile_ns * 1e-9 for quantile_ns in added["quantiles_ns"]]
        max_s = added["max_ns"] * 1e-9
    else:
        moves = without_flushes(columns)
        response_s = (moves["completion_ns"] - moves["arrival_ns"]) * 1e-9
        if not len(response_s):
            response_s = np.full(1, math.nan)
        mean_s, std_s, max_s = float(response_s.mean()), float(response_s.std()), float(response_s.max())
        quantiles_s = np.percentile(response_s, [50, 95, 99, 99.9]).tolist()
    names = ("p50_response_s", "p95_response_s", "p99_response_s", "p999_response_s")
    quantiles = dict(zip(names, quantiles_s, strict=True))
    return {"mean_response_s": mean_s, "std_response_s": std_s, **quantiles, "max_response_s": max_s}
