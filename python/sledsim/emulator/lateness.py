"""Lateness of the replies of a served device, as exact figures over all requests."""

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..runs.kept_columns import FLUSH_KIND, kind_of
from .served import Batch

#: Tolerance as a share of the response time: a reply is in time if its lateness is within this share, or
#: within `TOLERANCE_US` microseconds.
TOLERANCE = 0.02
TOLERANCE_US = 50.0
#: A wider tolerance, as a share of the response time, for a second figure.
WIDER = 0.05
#: Classes of requests by size: name of the class, and largest number of sectors.
_SIZES = (("up to 4 KiB", 8), ("up to 64 KiB", 128), ("longer", None))
_QUANTILES = (("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p999", 0.999), ("max", 1.0))
_WORST = 10
_NANOS_PER_S = 10**9
_Late = NDArray[np.int64]


class Lateness:
    """Figures of lateness, computed from batches of requests in 8 to 16 bytes of memory per reply.

    Args:
        scale: Seconds of the clock per simulated second.
    """

    def __init__(self, scale: Fraction) -> None:
        self._ratio, self._scale = scale, float(scale)
        #: True if the recorded due time of a reply differs from its simulated completion.
        self.has_wrong_due = False
        self._rows = self.answered = self._within = self._within_wider = 0
        self._late: dict[str, list[_Late]] = {}
        self._late_seconds = Counter[int]()
        self._worst: list[tuple[int, int, dict[str, Any]]] = []

    def add(self, batch: Batch) -> None:
        """Add the requests of the next batch."""
        first, sent = self._rows, np.flatnonzero(batch["sent_ns"] >= 0)
        self._rows += len(batch["sent_ns"])
        if not len(sent):
            return
        rows = {name: column[sent] for name, column in batch.items()}
        self.has_wrong_due |= not self._is_due(rows).all()
        late_ns = rows["sent_ns"] - rows["due_ns"]
        response_us = (rows["completion_ns"] - rows["arrival_ns"]) * self._scale / 1e3
        off_us = np.abs(late_ns) / 1e3
        within = is_in_time(off_us, response_us)
        self.answered += len(sent)
        self._within += int(within.sum())
        self._within_wider += int((off_us <= WIDER * response_us).sum())
        seconds, counts = np.unique(rows["due_ns"][~within] // _NANOS_PER_S, return_counts=True)
        self._late_seconds.update(dict(zip(seconds.tolist(), counts.tolist(), strict=True)))
        for name, here in _kinds(rows):
            self._late.setdefault(name, []).append(late_ns[here])
        self._add_worst(first + sent, rows, late_ns)

    def _is_due(self, rows: Batch) -> NDArray[np.bool_]:
        """Return True for each reply whose due time equals its simulated completion as a clock time."""
        whole, rest = np.divmod(rows["completion_ns"], self._ratio.denominator)
        over = self._ratio.numerator
        complete_ns = whole * over - (-rest * over) // self._ratio.denominator
        # A long write of zeros becomes several requests to the device; its reply is due with the last one.
        is_due: NDArray[np.bool_] = np.where(
            rows["zeroes"] == 1, rows["due_ns"] >= complete_ns, rows["due_ns"] == complete_ns
        )
        return is_due

    def _add_worst(self, numbers: NDArray[np.int64], rows: Batch, late_ns: _Late) -> None:
        off_ns = np.abs(late_ns)
        is_full = len(self._worst) == _WORST
        able = np.flatnonzero(off_ns > -self._worst[-1][0]) if is_full else np.arange(len(off_ns))
        for at in able[np.lexsort((able, -off_ns[able]))][:_WORST]:
            about = {
                "row": int(numbers[at]),
                "arrival_s": int(rows["arrival_ns"][at]) / _NANOS_PER_S,
                "kind": kind_of(rows, int(at)),
                "write": bool(rows["write"][at]),
                "lbn": int(rows["lbn"][at]),
                "blocks": int(rows["blocks"][at]),
                "response_us": int(rows["completion_ns"][at] - rows["arrival_ns"][at]) / 1e3,
                "lateness_us": int(late_ns[at]) / 1e3,
            }
            self._worst.append((-int(off_ns[at]), int(numbers[at]), about))
        self._worst = sorted(self._worst, key=lambda one: one[:2])[:_WORST]

    def figures(self) -> dict[str, Any]:
        """Return all figures by name, with units in the names; no batch can be added after this call."""
        by_kind, ordered = dict[str, dict[str, float]](), list[_Late]()
        for name in sorted(self._late, key=_ORDER.index):
            late_ns = np.concatenate(self._late.pop(name))
            late_ns.sort()
            by_kind[name] = {"requests": len(late_ns), **quantiles_us(late_ns)}
            ordered.append(late_ns)
        all_ns = ordered[0] if len(ordered) == 1 else np.concatenate(ordered or [np.empty(0, np.int64)])
        all_ns.sort()
        return {
            "requests": self._rows,
            "unanswered": self._rows - self.answered,
            "share_in_time": self._within / self.answered if self.answered else 0.0,
            "share_within_5_percent": self._within_wider / self.answered if self.answered else 0.0,
            "lateness_us": quantiles_us(all_ns),
            "lateness_us_by_kind": by_kind,
            "seconds_with_several_late": sum(count > 1 for count in self._late_seconds.values()),
            "worst": [about for *_, about in self._worst],
        }


def is_in_time(off_us: NDArray[np.float64], response_us: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return for each reply if it is in time: `off_us`, the absolute lateness, is within the tolerance."""
    within: NDArray[np.bool_] = off_us <= np.maximum(TOLERANCE * response_us, TOLERANCE_US)
    return within


def quantiles_us(ordered_ns: _Late) -> dict[str, float]:
    """Return minimum, percentiles and maximum, in microseconds, of times in ascending nanoseconds."""
    if not len(ordered_ns):
        return {}
    ranks = {name: max(0, int(np.ceil(part * len(ordered_ns))) - 1) for name, part in _QUANTILES}
    figures = {"min": ordered_ns[0] / 1e3, **{name: ordered_ns[rank] / 1e3 for name, rank in ranks.items()}}
    return {name: float(figure) for name, figure in figures.items()}


_KINDS = ("read", "write", "write zeroes")
_ORDER = [*(f"{kind}, {size}" for kind in _KINDS for size, _ in _SIZES), "flush"]


def _kinds(rows: Batch) -> list[tuple[str, NDArray[np.bool_]]]:
    """Return the name and a mask of the requests of each kind and class of size that occurs in `rows`."""
    write, zeroes, blocks = rows["write"], rows["zeroes"] == 1, rows["blocks"]
    flush = rows["kind"] == FLUSH_KIND
    found = [("flush", flush)] if flush.any() else []
    for kind, of_kind in zip(_KINDS, (~write & ~flush, write & ~zeroes, zeroes), strict=True):
        least = 0
        for size, most in _SIZES:
            here = of_kind & (blocks > least) & (blocks <= (most or np.inf))
            if here.any():
                found.append((f"{kind}, {size}", here))
            least = most or least
    return found
