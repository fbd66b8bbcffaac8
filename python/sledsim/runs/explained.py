"""Methods of `Run` that explain why requests took their response time."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from ..common.progress import Progress, told, watched
from .kept_columns import Columns
from .run_settings import RunSettings

if TYPE_CHECKING:
    from .explanations import Explanation

#: All kinds of changes that can be tried: the keys of `explanations.alternatives.KINDS`.
_ALL = ("policy", "layout", "parameter")


class Explained:
    """Base class of a run: methods that explain the response times of its requests.

    Attributes:
        columns: Results of the requests, as columns by name.
        settings: Device, policy and options of the run.
    """

    columns: Mapping[str, NDArray[Any]]
    settings: RunSettings

    def slowest(self, count: int = 5) -> list[int]:
        """Return the numbers of the requests with the longest response times, slowest first.

        Requests are numbered from 0 in the order of arrival; of equally slow ones, the earlier comes first.

        Args:
            count: Largest number of requests to return.
        """
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

        The run is repeated up to the completion of the last of these requests. The response time is divided
        exactly among its causes. The explanation lists the requests that were served while the request
        waited, and the access time that the request would have taken in place of each of them.

        Args:
            rows: Number of the request, counted from 0 in the order of arrival, or several numbers.
            what_if: Kinds of changes to try: ``policy``, ``layout`` and ``parameter``. The requests run once
                for each other policy, each other layout, and two other values of each parameter.
            workers: Number of threads for the runs with changes; None uses one thread per processor.
            progress: Callback for the number of finished runs; True shows a bar.

        Raises:
            ParameterError: A request does not exist, or the policy is unknown.
            TraceError: The repeated run gives other times than the result, which another version made.
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
