"""What is known of why one request took as long as it did."""

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
    """Why one request of a run took as long as it did, from `Run.explain`. Times are whole nanoseconds.

    Attributes:
        row: The request, counted from 0 in the order of arrival.
        trace: Where the requests came from.
        device_name: The device or volume.
        scheduler: The policy.
        write: Whether it writes.
        lbn: Its first sector.
        blocks: Its sectors.
        begun_ns: When the first request of the run came.
        arrival_ns: When it came, since the start of the run.
        completion_ns: When it was complete.
        segments: Its time in pieces without gaps, in order, each due to one thing.
        served: The services that it waited for, in order.
        parts: What of it devices served and it waited for, in order: itself on a device; on a volume the part
            that came back last, and those before it that this one had waited for.
        alternatives: What it would have taken otherwise, one thing at a time.
        impossible: What cannot be otherwise by itself, and why.
    """

    row: int
    trace: str
    device_name: str
    scheduler: str
    write: bool
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
        """From its arrival to its completion."""
        return self.completion_ns - self.arrival_ns

    @cached_property
    def due_ns(self) -> Mapping[str, int]:
        """How much of its response is due to what, by the keys of `DUE`; it adds up to the response."""
        sums = dict.fromkeys(DUE, 0)
        for one in self.segments:
            sums[one.due] += one.ns
        return {due: ns for due, ns in sums.items() if ns}

    def of_kind(self, kind: str) -> list[Alternative]:
        """The alternatives of a kind, the fastest first."""
        those = (one for one in self.alternatives if one.kind == kind)
        return sorted(those, key=lambda one: (one.response_ns, one.name))

    def in_words(self) -> list[str]:
        """What is found, in sentences."""
        kind = "write" if self.write else "read"
        took = duration(self.response_ns * 1e-9)
        found = [f"Request {self.row:,}, a {kind} of {counted(self.blocks, 'sector')}, took {took}."]
        if self.due_ns:
            due, most_ns = max(self.due_ns.items(), key=lambda one: one[1])
            share = most_ns / self.response_ns
            found.append(f"Most of it, {duration(most_ns * 1e-9)} ({share:.1%}), is due to: {DUE[due]}.")
        overtook = len({one.row for one in self.served if one.due == "overtaking"})
        if overtook:
            found.append(f"{counted(overtook, 'request')} that came later went first.")
        if policies := self.of_kind("policy"):
            best = policies[0]
            if best.response_ns < self.response_ns:
                found.append(f"Under {best.name} it would have taken {duration(best.response_ns * 1e-9)}.")
        return found

    def report(self, path: PathLike) -> Path:
        """Write a page that works offline: its charts, and tables with all that is known.

        Args:
            path: The file, whose name ends in ``.html``.

        Raises:
            ParameterError: The name has another ending.
            OSError: The file cannot be written; no part of it is left.
            ModuleNotFoundError: It needs ``sledsim[plot]``.
        """
        check_report(path)
        write_explanations([self], path)
        return Path(path)

    def as_dict(self) -> dict[str, Any]:
        """All of it by name, as JSON has it."""
        return {
            "row": self.row,
            "trace": self.trace,
            "device": self.device_name,
            "scheduler": self.scheduler,
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
        return [f"cannot be otherwise by itself ('--json' says why): {', '.join(names)}"] if names else []


def _part(part: Part) -> dict[str, Any]:
    row = asdict(part)
    del row["cause"]
    return row
