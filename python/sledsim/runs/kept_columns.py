"""Columns that a run kept; and figures of response times of runs that kept no columns."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import NotKeptError
from .result_writer import RESULT_COLUMNS

#: Message about a run that has no columns.
NONE_IN_MEMORY = "this run has no columns in memory (columns=, --columns): read_run reads its file"


class Columns(dict[str, NDArray[Any]]):
    """Columns that a run kept, by name; an error explains why another column is missing."""

    def __missing__(self, name: str) -> NDArray[Any]:
        if name not in RESULT_COLUMNS:
            raise NotKeptError(f"{name}: expected a column of a result, one of {', '.join(RESULT_COLUMNS)}")
        if not self:
            raise NotKeptError(f"{name}: {NONE_IN_MEMORY}")
        raise NotKeptError(f"{name}: a column that this run did not keep (columns=), only {', '.join(self)}")


def added_responses(columns: Mapping[str, NDArray[Any]], totals: Mapping[str, Any]) -> Any:
    """Return the distribution of response times that the run added up; None if completions were kept."""
    return None if "completion_ns" in columns else totals["responses"]


def response_figures(columns: Mapping[str, NDArray[Any]], totals: Mapping[str, Any]) -> dict[str, float]:
    """Return mean, percentiles and so on of response times, from completions or the run's distribution."""
    if (added := added_responses(columns, totals)) is not None:
        mean_s, std_s = added["sum_ns"] * 1e-9 / totals["requests"], added["std_ns"] * 1e-9
        quantiles_s = [quantile_ns * 1e-9 for quantile_ns in added["quantiles_ns"]]
        max_s = added["max_ns"] * 1e-9
    else:
        response_s = (columns["completion_ns"] - columns["arrival_ns"]) * 1e-9
        mean_s, std_s, max_s = float(response_s.mean()), float(response_s.std()), float(response_s.max())
        quantiles_s = np.percentile(response_s, [50, 95, 99, 99.9]).tolist()
    names = ("p50_response_s", "p95_response_s", "p99_response_s", "p999_response_s")
    quantiles = dict(zip(names, quantiles_s, strict=True))
    return {"mean_response_s": mean_s, "std_response_s": std_s, **quantiles, "max_response_s": max_s}
