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

#: Largest number of time steps; a step is at least one second long.
_STEPS = 600
#: Number of bins per factor of ten of lateness, and of response times.
_LATE_PARTS, _PARTS = 10, 20
#: Smallest lateness or response time in microseconds that has a bin; smaller ones are in the same bin.
_LEAST_US = 0.1
#: Number of quantiles of the response times of a probe.
_POINTS = 99
_NANOS_PER_S = 10**9
_Whole = NDArray[np.int64]


@dataclass(frozen=True)
class TimingFigures(Charted):
    """Figures of the timing of a served device.

    Attributes:
        device: Name of the device.
        step_s: Length of a time step in seconds of the clock.
        steps: Lateness of replies per time step with requests: ``at_s`` (start of the step), ``p50_us``,
            ``p99_us`` and ``max_us``.
        queue: Mean number of outstanding requests per time step: ``at_s`` and ``waiting``.
        lateness: Number of replies per bin of lateness: ``from_us``, ``to_us``, ``which`` (late or early) and
            ``answers`` (the number).
        responses: Number of replies per bin of response times: ``simulated_us`` and ``observed_us`` (until
            the reply was sent), each the lower end of a bin, and ``answers`` (the number).
        ratio: Upper end of a bin of `responses`, divided by its lower end.
        probe: Quantiles of the response times of the probe: ``share``, ``simulated_us`` and ``seen_us``;
            empty without a probe.
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
    """Return the numbers of the logarithmic bins of times; bin 0 begins at one microsecond."""
    found: _Whole = np.floor(np.log10(np.maximum(ns / 1e3, _LEAST_US)) * parts + 1e-9).astype(np.int64)
    return found


def _edge(part: int, parts: int) -> float:
    """Return the lower end of the bin with number `part`, in microseconds."""
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
        """Add the next replies, with the arrivals of their requests and their lateness."""
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
        """Return the figures of all time steps, after the last reply was added."""
        self._close()
        return self._rows


class _Queue:
    """Mean number of outstanding requests per time step."""

    def __init__(self, step_s: int, steps: int) -> None:
        self._step_s = step_s
        #: Changes of the number of requests in each step, and their sum over time until the end of the step.
        self._changes, self._seconds = np.zeros(steps), np.zeros(steps)

    def add(self, came_ns: _Whole, went_ns: _Whole) -> None:
        """Add the times at which requests came and were answered."""
        for times_ns, sign in ((came_ns, 1), (went_ns, -1)):
            times_s = times_ns / _NANOS_PER_S
            at = np.minimum(times_s // self._step_s, len(self._changes) - 1).astype(np.int64)
            left_s = np.maximum((at + 1) * self._step_s - times_s, 0)
            self._changes += sign * np.bincount(at, minlength=len(self._changes))
            self._seconds += sign * np.bincount(at, left_s, len(self._changes))

    def rows(self) -> list[dict[str, float]]:
        """Return the mean of each step."""
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
