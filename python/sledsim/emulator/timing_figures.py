"""Figures of the timing of a served device for charts, computed in memory of constant size."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..common.charted import Charted
from .probing import Probed
from .served import Record, ratio

#: Largest number of time steps in a chart; a step lasts at least one second.
_STEPS = 600
#: Numbers of bins per factor of ten: for lateness, and for response times.
_LATE_PARTS, _PARTS = 10, 20
#: Lower limit of the first bin in microseconds; this bin also counts all smaller times.
_LEAST_US = 0.1
#: Number of quantiles that are computed of the probe's response times.
_POINTS = 99
_NANOS_PER_S = 10**9
_Whole = NDArray[np.int64]


@dataclass(frozen=True)
class TimingFigures(Charted):
    """Figures of the timing of a served device.

    Attributes:
        device: Name of the device.
        step_s: Length of a time step in seconds of the clock.
        steps: Lateness of replies in each time step that has requests, with the keys ``at_s`` (start of the
            step), ``p50_us``, ``p99_us`` and ``max_us``.
        queue: Mean number of outstanding requests in each time step, with the keys ``at_s`` (start of the
            step) and ``waiting`` (the mean).
        lateness: Distribution of lateness, with the keys ``from_us`` and ``to_us`` (limits of a bin),
            ``which`` (late or early) and ``answers`` (number of replies in the bin).
        responses: Distribution of response times, with the keys ``simulated_us`` and ``observed_us`` (until
            the reply was sent), which are lower limits of bins, and ``answers`` (number of replies).
        ratio: Upper limit of a bin of `responses` divided by its lower limit.
        probe: Quantiles of the probe's response times, with the keys ``share``, ``simulated_us`` and
            ``seen_us`` (measured by the probe); empty without a probe.
    """

    device: str
    step_s: int
    steps: list[dict[str, float]] = field(default_factory=list)
    queue: list[dict[str, float]] = field(default_factory=list)
    lateness: list[dict[str, Any]] = field(default_factory=list)
    responses: list[dict[str, float]] = field(default_factory=list)
    ratio: float = 10 ** (1 / _PARTS)
    probe: list[dict[str, float]] = field(default_factory=list)


def timing_figures(served: Record) -> TimingFigures:
    """Compute figures of the timing of a served device, which `TimingFigures.plot` draws.

    Raises:
        TraceError: The record is not that of a served device.
    """
    scale = float(ratio(served.how["time_scale"]))
    step_s = max(1, math.ceil(served.last_ns * scale / _NANOS_PER_S / _STEPS))
    count = int(served.last_ns * scale) // (step_s * _NANOS_PER_S) + 1
    steps, queue = _Steps(step_s), _Queue(step_s, count)
    lateness, responses, probed = Counter[tuple[int, ...]](), Counter[tuple[int, ...]](), Probed(served)
    for batch in served.batches():
        probed.add(batch)
        arrival_ns = (batch["arrival_ns"] * scale).astype(np.int64)
        response_ns = ((batch["completion_ns"] - batch["arrival_ns"]) * scale).astype(np.int64)
        sent = batch["sent_ns"] >= 0
        late_ns = (batch["sent_ns"] - batch["due_ns"])[sent]
        queue.add(arrival_ns, np.where(sent, batch["sent_ns"], arrival_ns + response_ns))
        steps.add(arrival_ns[sent], late_ns)
        _count(lateness, np.sign(late_ns), _parts(np.abs(late_ns), _LATE_PARTS))
        observed_ns = response_ns[sent] + late_ns
        _count(responses, _parts(response_ns[sent], _PARTS), _parts(observed_ns, _PARTS))
    name = str(served.settings.parameters.get("name", served.settings.parameters.get("volume")))
    return TimingFigures(
        name,
        step_s,
        steps.rows(),
        queue.rows(),
        _distribution(lateness),
        [
            {"simulated_us": _edge(said, _PARTS), "observed_us": _edge(seen, _PARTS), "answers": answers}
            for (said, seen), answers in sorted(responses.items())
        ],
        probe=_quantiles(probed),
    )


def _parts(ns: _Whole, parts: int) -> _Whole:
    """Return the logarithmic bin of each time as a number; bin 0 begins at one microsecond."""
    found: _Whole = np.floor(np.log10(np.maximum(ns / 1e3, _LEAST_US)) * parts + 1e-9).astype(np.int64)
    return found


def _edge(part: int, parts: int) -> float:
    """Return the lower limit, in microseconds, of bin number `part`, with `parts` bins per factor of ten."""
    return float(10 ** (part / parts))


def _count(found: Counter[tuple[int, ...]], *columns: _Whole) -> None:
    rows, counts = np.unique(np.stack(columns, axis=1), axis=0, return_counts=True)
    found.update(dict(zip(map(tuple, rows.tolist()), counts.tolist(), strict=True)))


def _distribution(found: Counter[tuple[int, ...]]) -> list[dict[str, Any]]:
    counts = Counter[tuple[str, int]]()
    for (sign, part), answers in found.items():
        counts["early" if sign < 0 else "late", part] += answers
    return [
        {
            "from_us": _edge(part, _LATE_PARTS),
            "to_us": _edge(part + 1, _LATE_PARTS),
            "which": which,
            "answers": answers,
        }
        for (which, part), answers in sorted(counts.items())
    ]


class _Steps:
    """Exact quantiles of lateness per time step, from requests in the order of arrival."""

    def __init__(self, step_s: int) -> None:
        self._step_s, self._open = step_s, -1
        self._late: list[_Whole] = []
        self._rows: list[dict[str, float]] = []

    def add(self, arrival_ns: _Whole, late_ns: _Whole) -> None:
        """Add the next replies: arrival times of their requests, and lateness, both in nanoseconds."""
        steps = arrival_ns // (self._step_s * _NANOS_PER_S)
        cuts = [0, *(np.flatnonzero(np.diff(steps)) + 1).tolist(), len(steps)]
        for start, end in pairwise(cuts):
            if start == end:
                continue
            if steps[start] != self._open:
                self._close()
                self._open = int(steps[start])
            self._late.append(late_ns[start:end])

    def _close(self) -> None:
        if self._late:
            late_us = np.concatenate(self._late) / 1e3
            p50, p99, most = np.quantile(late_us, (0.5, 0.99, 1.0), method="inverted_cdf").tolist()
            at_s = float(self._open * self._step_s)
            self._rows.append({"at_s": at_s, "p50_us": p50, "p99_us": p99, "max_us": most})
            self._late = []

    def rows(self) -> list[dict[str, float]]:
        """Return the quantiles of lateness in all time steps; the last reply must have been added before."""
        self._close()
        return self._rows


class _Queue:
    """Mean number of outstanding requests per time step."""

    def __init__(self, step_s: int, steps: int) -> None:
        self._step_s = step_s
        #: Per time step: the change of the number of outstanding requests, and these changes multiplied by
        #: the seconds that remain in the step.
        self._changes, self._seconds = np.zeros(steps), np.zeros(steps)

    def add(self, came_ns: _Whole, went_ns: _Whole) -> None:
        """Add requests: the clock times in nanoseconds at which they came and at which they were answered."""
        for times_ns, sign in ((came_ns, 1), (went_ns, -1)):
            times_s = times_ns / _NANOS_PER_S
            at = np.minimum(times_s // self._step_s, len(self._changes) - 1).astype(np.int64)
            left_s = np.maximum((at + 1) * self._step_s - times_s, 0)
            self._changes += sign * np.bincount(at, minlength=len(self._changes))
            self._seconds += sign * np.bincount(at, left_s, len(self._changes))

    def rows(self) -> list[dict[str, float]]:
        """Return the mean number of outstanding requests in each time step."""
        before = np.concatenate([[0.0], np.cumsum(self._changes)[:-1]])
        means: Iterable[float] = np.maximum(before + self._seconds / self._step_s, 0).tolist()
        return [{"at_s": float(at * self._step_s), "waiting": mean} for at, mean in enumerate(means)]


def _quantiles(probed: Probed) -> list[dict[str, float]]:
    times_us = probed.times_us()
    if times_us is None or not len(times_us[1]):
        return []
    shares = np.arange(1, _POINTS + 1) / (_POINTS + 1)
    said, seen = (np.quantile(times, shares).tolist() for times in times_us)
    return [
        {"share": share, "simulated_us": one, "seen_us": other}
        for share, one, other in zip(shares.tolist(), said, seen, strict=True)
    ]
