"""Shortening of the idle gaps of a trace."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ... import _native
from ...common.shown import counted
from ...common.units import duration
from ..streams import TraceStream
from ..trace import Trace
from .change import AnyTrace


class GapCut:
    """Cut of the idle gaps of one trace, batch by batch.

    Args:
        longest: Length to which longer gaps are shortened, such as ``10s``; None leaves all gaps.

    Raises:
        ParameterError: The length is not a time above 0.
    """

    def __init__(self, longest: str | None) -> None:
        self._native = None if longest is None else _native.GapCut(longest)

    def of(self, trace: AnyTrace) -> AnyTrace:
        """Return the trace with shorter gaps, and with a note about them."""
        if self._native is None:
            return trace
        if isinstance(trace, TraceStream):
            return TraceStream(trace.source, trace.changed(self._cut), lambda: self._noted(trace.about()))
        return replace(self._cut(trace), **self._noted({"notes": trace.notes}))

    def _cut(self, batch: Trace) -> Trace:
        assert self._native is not None
        return replace(batch, arrival_ns=self._native.cut(batch.arrival_ns, batch.response_ns))

    def _noted(self, about: Mapping[str, Any]) -> dict[str, Any]:
        return {**about, "notes": (*about.get("notes", ()), *self.notes)}

    @property
    def notes(self) -> list[str]:
        """A sentence on the gaps that were shortened until now; empty if all gaps are left."""
        if (found := self.row()) is None:
            return []
        cut = f"{counted(found['gaps'], 'gap')}, {duration(found['cut_s'])} left out"
        return [f"gaps cut to {duration(found['longest_s'])}: {cut if found['gaps'] else 'none is longer'}"]

    def row(self) -> dict[str, Any] | None:
        """Return the longest gap, the number of longer ones, and the time left out; None if all are left."""
        names = ("longest_s", "gaps", "cut_s")
        return None if self._native is None else dict(zip(names, self._native.found(), strict=True))


def cut_gaps(trace: AnyTrace, longest: str = "10s") -> AnyTrace:
    """Shorten the idle gaps of a trace that are longer than `longest` to this length.

    A gap lasts from the last known completion, or the last arrival if it is unknown, to the next arrival.

    Raises:
        ParameterError: The length is not a time above 0, such as 500ms, 10s, 5min or 1h.
    """
    return GapCut(longest).of(trace)
