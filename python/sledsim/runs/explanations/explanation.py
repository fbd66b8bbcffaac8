"""Explanation of the response time of one request."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ...common.charted import Charted, check_report, write_explanations
from ...common.output_files import PathLike
from ...common.shown import Form, Shown, clipped, counted, parts_by, quoted
from ...common.units import duration
from .alternatives import Alternative, Impossible
from .parts import Part
from .segments import DUE, Segment
from .served_meanwhile import Served


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Charted, Shown):
    """Explanation of the response time of one request, from `Run.explain`; times are in nanoseconds.

    Attributes:
        row: Number of the request, counted from 0 in the order of arrival.
        trace: Name of the trace or workload.
        device_name: Name of the device or volume.
        scheduler: Name of the policy.
        kind: Kind of the request: ``read``, ``write``, ``fua`` (a write with force unit access) or ``flush``.
        lbn: First sector of the request.
        blocks: Number of sectors of the request.
        begun_ns: Arrival of the first request of the run, in nanoseconds since the start of the run.
        arrival_ns: Arrival of the request, in nanoseconds since the start of the run.
        completion_ns: Completion of the request, in nanoseconds since the start of the run.
        segments: Consecutive pieces of the response time, without gaps, each with its cause.
        served: Services of other requests for which this request waited, in the order of time.
        parts: Requests to members that this request of a volume made and that delayed it, in the order of
            time: the one that completed last, and those for which it had waited. On a device, the request
            itself.
        alternatives: Response times of the request if one thing were different.
        impossible: Changes that cannot be tried, as they need further changes, with the reason.
    """

    row: int
    trace: str
    device_name: str
    scheduler: str
    kind: str
    lbn: int
    blocks: int
    begun_ns: int
    arrival_ns: int
    completion_ns: int
    segments: Sequence[Segment]
    served: Sequence[Served]
    parts: Sequence[Part]
    alternatives: Sequence[Alternative] = ()
    impossible: Sequence[Impossible] = ()

    @property
    def response_ns(self) -> int:
        """Response time: from the arrival to the completion, in nanoseconds."""
        return self.completion_ns - self.arrival_ns

    @property
    def write(self) -> bool:
        """True if the request is a write."""
        return self.kind in ("write", "fua")

    @cached_property
    def due_ns(self) -> Mapping[str, int]:
        """Nanoseconds of the response time due to each cause, a key of `DUE`; the sum is `response_ns`."""
        sums = dict.fromkeys(DUE, 0)
        for one in self.segments:
            sums[one.due] += one.ns
        return {due: ns for due, ns in sums.items() if ns}

    def of_kind(self, kind: str) -> list[Alternative]:
        """Return the response times after changes of a kind (a key of `KINDS`), the shortest first."""
        those = (one for one in self.alternatives if one.kind == kind)
        return sorted(those, key=lambda one: (one.response_ns, one.name))

    def in_words(self) -> list[str]:
        """Return sentences: response time, largest cause, requests that overtook, and a faster policy."""
        took = duration(self.response_ns * 1e-9)
        found = [f"Request {self.row:,}, {self._what()}, took {took}."]
        if self.due_ns:
            due, most_ns = max(self.due_ns.items(), key=lambda one: one[1])
            share = most_ns / self.response_ns
            found.append(
                f"The largest part, {duration(most_ns * 1e-9)} ({share:.1%}), is due to: {DUE[due]}."
            )
        overtook = len({one.row for one in self.served if one.due == "overtaking"})
        if overtook:
            found.append(f"{counted(overtook, 'later request')} overtook it.")
        if policies := self.of_kind("policy"):
            best = policies[0]
            if best.response_ns < self.response_ns:
                found.append(f"Under {best.name} it would have taken {duration(best.response_ns * 1e-9)}.")
        return found

    def _what(self) -> str:
        """Return the kind of the request in words, with its size."""
        if self.kind == "flush":
            return "a flush"
        named = {"fua": "write with FUA"}.get(self.kind, self.kind)
        return f"a {named} of {counted(self.blocks, 'sector')}"

    def report(self, path: PathLike) -> Path:
        """Write the charts and tables of the explanation as an HTML page that works offline.

        Args:
            path: The file, whose name ends in ``.html``.

        Raises:
            ParameterError: The name does not end in ``.html``.
            OSError: The file cannot be written; no part of it is left.
            ModuleNotFoundError: It needs ``sledsim[plot]``.
        """
        check_report(path)
        write_explanations([self], path)
        return Path(path)

    def as_dict(self) -> dict[str, Any]:
        """Return all fields by name, as numbers, texts and lists for JSON."""
        return {
            "row": self.row,
            "trace": self.trace,
            "device": self.device_name,
            "scheduler": self.scheduler,
            "kind": self.kind,
            "write": self.write,
            "lbn": self.lbn,
            "blocks": self.blocks,
            "arrival_ns": self.arrival_ns,
            "completion_ns": self.completion_ns,
            "response_ns": self.response_ns,
            "due_ns": dict(self.due_ns),
            "segments": [asdict(one) for one in self.segments],
            "served": [{**asdict(one), "more_ns": one.more_ns} for one in self.served],
            "parts": [_part(one) for one in self.parts],
            "alternatives": [asdict(one) for one in self.alternatives],
            "impossible": [asdict(one) for one in self.impossible],
        }

    def _form(self) -> Form:
        took = duration(self.response_ns * 1e-9)
        return Form(
            f"Request {self.row:,} of {self.trace} on {self.device_name}, {self.scheduler}",
            parts_by("of_explanation", self),
            self._not_otherwise,
            ("plot()", "report(path)", "due_ns", "segments", "served", "alternatives", "as_dict()"),
            f"of request {self.row} of {quoted(self.trace)} on {clipped(self.device_name)}: {took}",
        )

    def _not_otherwise(self) -> list[str]:
        values = ("" if each.value is None else f" = {each.value:.6g}" for each in self.impossible)
        names = [f"{each.name}{value}" for each, value in zip(self.impossible, values, strict=True)]
        return [f"not possible alone ('--json' states reasons): {', '.join(names)}"] if names else []


def _part(part: Part) -> dict[str, Any]:
    row = asdict(part)
    del row["cause"]
    return row
