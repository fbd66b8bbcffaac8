"""Explanations of the response times of the requests of a run."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from ..common.progress import Progress, told, watched
from .kept_columns import Columns
from .run_settings import RunSettings

if TYPE_CHECKING:
    from .explanations import Explanation

#: Kinds of changes to try, the keys of `explanations.KINDS`.
_ALL = ("policy", "layout", "parameter")


class Explained:
    """A run whose requests can be explained.

    Attributes:
        columns: Columns of the run.
        settings: Settings of the run.
    """

    columns: Mapping[str, NDArray[Any]]
    settings: RunSettings

    def slowest(self, count: int = 5) -> list[int]:
        """Rows of the requests with the longest response times, slowest first; ties go to the earlier row."""
        response_ns = self.columns["completion_ns"] - self.columns["arrival_ns"]
        return [int(row) for row in np.argsort(-response_ns, kind="stable")[: max(0, count)]]

    @overload
    def explain(
        self,
        rows: int,
        what_if: str | Iterable[str] = ...,
        workers: int | None = ...,
        progress: Progress = ...,
    ) -> "Explanation": ...

    @overload
    def explain(
        self,
        rows: Sequence[int],
        what_if: str | Iterable[str] = ...,
        workers: int | None = ...,
        progress: Progress = ...,
    ) -> "list[Explanation]": ...

    def explain(
        self,
        rows: int | Sequence[int],
        what_if: str | Iterable[str] = _ALL,
        workers: int | None = None,
        progress: Progress = None,
    ) -> "Explanation | list[Explanation]":
        """Explain the response times of one or several requests.

        The run is repeated up to the completion of the request. The response time is divided exactly among
        its causes. Requests served during the wait are listed, with the cost of serving the waiting request
        before each of them.

        Args:
            rows: Row of the request, counted from 0 in the order of arrival, or several rows.
            what_if: Changes to try: ``policy``, ``layout`` and ``parameter``, each changing one thing at a
                time. Each change takes a separate run.
            workers: Number of threads for these runs; None uses one per processor.
            progress: Callback for the number of finished runs; True shows a bar.

        Raises:
            ParameterError: The row does not exist, or the policy is unknown.
            TraceError: The repeated requests differ from the result, which is of another version.
            NotKeptError: The run did not keep the columns that a repetition needs.
        """
        if isinstance(rows, Iterable) and not isinstance(rows, str):
            return _explained(self.columns, self.settings, list(rows), what_if, workers, progress)
        return _explained(self.columns, self.settings, [rows], what_if, workers, progress)[0]


@watched
def _explained(
    columns: Mapping[str, NDArray[Any]],
    settings: RunSettings,
    rows: Sequence[int],
    what_if: str | Iterable[str],
    workers: int | None,
    progress: Progress,
) -> "list[Explanation]":
    from .explanations.explaining import explanations, runs_needed

    report = told(progress, runs_needed(settings, what_if))
    return explanations(Columns(columns), settings, rows, what_if, workers, report)
