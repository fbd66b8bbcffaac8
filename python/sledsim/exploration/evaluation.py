"""Evaluation of one point of a study, from its parameters to the row of its figures."""

import os
import socket
import time
from collections.abc import Callable, Sequence
from typing import Any

from .. import _native
from ..common.error_places import without_place
from ..ledger import point_key
from ..model.volumes import Target
from ..runs.intervals import BATCHES
from ..runs.run import Run, simulate
from ..runs.workers import StoppedError
from ..traces.trace import Trace
from .point_figures import COLUMNS, FAILED, Measured, look_confidence, of_replications, of_trace, seen
from .study_points import Point, Study
from .subjects import DrawnTraces

#: A row of a ledger or of a table of results: value of each column by name.
Row = dict[str, Any]


class Evaluator:
    """An evaluator of points for one thread or process; it prepares data that several points share only once.

    Args:
        study: Study with the points.
    """

    def __init__(self, study: Study) -> None:
        self.study = study
        self._drawn = DrawnTraces()
        self._contents = {one.name: one.content(study.count) for one in study.workloads}
        self._about = {"host": socket.gethostname(), "version": _native.__version__}

    def rows(self, numbers: Sequence[int]) -> list[Row]:
        """Run the points with these numbers and return their rows."""
        return [*map(self.row, numbers)]

    def row(self, number: int) -> Row:
        """Run the point with this number, and return its row: figures, or the reason for having none."""
        point = self.study.point(number)
        begun_s = time.thread_time()
        target: Target | None = None
        try:
            target = point.subject.with_changes(point.changes)
            found = self._measure(point, target)
            error = None
        except (StoppedError, MemoryError):
            raise
        except Exception as broken:
            found, error = Measured(FAILED, {}, 0), self.reason(point, broken)
        except BaseException as broken:
            # A fault in the core is not an `Exception`, and does not end a study.
            if type(broken).__name__ != "PanicException":
                raise
            found, error = Measured(FAILED, {}, 0), _in_words(broken, point)
        figures: dict[str, Any] = found.figures()
        if target is not None:
            figures["capacity_bytes"] = _native.sectors(target._native) * 512
        return {
            "key": self.key(point, target),
            "number": number,
            "status": found.status,
            "point": point.coordinates(),
            "figures": figures,
            "half_widths": found.half_widths(),
            "replications": found.replications,
            "is_precise": found.is_precise,
            "error": error,
            **point.requests.told(),
            **found.more,
            "cpu_s": round(time.thread_time() - begun_s, 6),
            **self._about,
        }

    def key_of(self, number: int) -> str:
        """Return the key of a point in the ledger without running the point."""
        point = self.study.point(number)
        try:
            return self.key(point, point.subject.with_changes(point.changes))
        except (_native.ParameterError, OSError):
            return self.key(point, None)

    def key(self, point: Point, target: Target | None) -> str:
        """Return the key of a point: the digest of all inputs on which its figures depend.

        `target` is the device or volume with changed parameters; None if such a device is impossible.
        """
        study = self.study
        impossible = {"base": point.subject.parameters, "changes": point.changes}
        return point_key(
            parameters=impossible if target is None else target.parameters,
            requests=self._contents[point.requests.name],
            scheduler=study.policy_in_full(point.scheduler),
            scale=point.scale,
            past_end=study.past_end,
            replay=study.replay,
            **study.measuring(point.requests, point.seed),
        )

    def reason(self, point: Point, broken: Exception) -> str:
        """Return the reason why a point could not be run: the text of the error, as its row states it."""
        return _in_words(broken, point)

    def simulate(
        self,
        point: Point,
        target: Target,
        trace: Trace,
        *,
        columns: str | Sequence[str] = COLUMNS,
        progress: Callable[[int], object] | None = None,
    ) -> Run:
        """Run a point once: the requests of `trace` on `target`, under the policy of the point."""
        how = (point.scheduler, point.scale, self.study.past_end, progress, self.study.replay)
        return simulate(target, trace, *how, columns=columns)

    def measure_trace(self, point: Point, target: Target, run: Run) -> Measured:
        """Return the figures of a point whose workload is a trace, from its run."""
        return of_trace(run, BATCHES, self.study.confidence)

    def _measure(self, point: Point, target: Target) -> Measured:
        study = self.study
        if not point.requests.is_drawn:
            trace = point.requests.draw(target, study.count, point.seed, self._drawn)
            return self.measure_trace(point, target, self.simulate(point, target, trace))
        if study.precision is None:
            return self._replicate(point, target, [], study.replications, study.confidence)
        looks = study.most_replications.bit_length() - study.replications.bit_length() + 1
        confidence = look_confidence(study.confidence, looks)
        runs: list[Any] = []
        count = study.replications
        while True:
            found = self._replicate(point, target, runs, count, confidence)
            is_precise = found.is_within(study.precision, study.judged)
            if not found.estimates or is_precise or count == study.most_replications:
                return Measured(
                    found.status, found.estimates, found.replications, is_precise if found.estimates else None
                )
            count *= 2

    def _replicate(
        self, point: Point, target: Target, runs: list[Any], count: int, confidence: float
    ) -> Measured:
        """Return the figures of `count` replications of a point.

        `runs` has the results of finished replications; the results of new ones are appended to it.
        """
        study = self.study
        first = study.seed if point.seed is None else point.seed
        for seed in range(first + len(runs), first + count):
            trace = point.requests.draw(target, study.count, seed, self._drawn)
            runs.append(seen(self.simulate(point, target, trace)))
            # Clear overload does not depend on the seed.
            if len(runs) == 1 and runs[0][0].is_overloaded:
                break
        return of_replications(point.scheduler, point.scale, runs, confidence)


def _in_words(error: BaseException, point: Point) -> str:
    # The row names its workload already.
    requests = point.requests
    source = requests.name if requests.trace is None else requests.trace.source
    text = " ".join(without_place(error, source).split())
    if isinstance(error, _native.ParameterError | _native.TraceError) and text:
        return text
    if isinstance(error, OSError) and error.filename:
        return f"{os.fspath(error.filename)}: {error.strerror}"
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
