"""The part of a run that says why its requests took as long as they did."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from ..common.progress import Progress, told, watched
from .kept_columns import Columns
from .run_settings import RunSettings

if TYPE_CHECKING:
    from .explanations import Explanation

#: All that can be otherwise, as `explanations.KINDS` has it.
_ALL = ("policy", "layout", "parameter")


class Explained:
    """A run whose requests can be explained.

    Attributes:
        columns: As `Run` has them.
        settings: As `Run` has them.
    """

    columns: Mapping[str, NDArray[Any]]
    settings: RunSettings

    def slowest(self, count: int = 5) -> list[int]:
        """The requests that took longest, by their rows: the slowest first, of equal ones the earliest."""
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
        """Why a request, or each of several, took as long as it did.

        The run is run again up to the completion of the request. Its response is divided among what it is due
        to, exactly; whoever was served while it waited is named, with what serving it first would have cost.

        Args:
            rows: The request, counted from 0 in the order of arrival, or several.
            what_if: What the requests are run with besides: ``policy``, ``layout`` and ``parameter``, each of
                them one thing at a time. Each takes a run of its own.
            workers: Threads for that; None for as many as there are processors.
            progress: Called with the number of runs done; True shows a bar.

        Raises:
            ParameterError: There is no such request, or the policy is not known here.
            TraceError: Run again, the requests do not take what the result says: it is of another version.
            NotKeptError: The run did not keep what is needed to run it again.
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
