"""The result of exploring a design space: a table, the Pareto front, the best designs, and advice."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from ... import _native
from ...common.arrow import pyarrow
from ...common.charted import Charted
from ...common.deprecation import renamed
from ...common.output_files import PathLike, write_table
from ...common.ranking import best_of, front
from ...common.shown import Form, Result, counted, parts_by, quoted
from ...traces.trace import Trace
from .space import Space

#: Goals of a design, each with the column of the table that measures it; True if larger values are better.
GOALS: Mapping[str, tuple[str, bool]] = {
    "performance": ("mean_response_s", False),
    "energy": ("energy_j", False),
    "capacity": ("usable_bytes", True),
}


@dataclass(frozen=True, eq=False, repr=False)
class FormatSpace(Charted, Result):
    """All data formats of a space, simulated with a workload; the result of `format_space`.

    Attributes:
        table: Rows of all points, infeasible ones included, as a pyarrow Table: ``probes``, ``sectors``,
            ``sector_bytes`` and the other parameters that vary; the columns of `format_characteristics`;
            ``file_share``, the share of their sectors that files of the given sizes fill (1 if no sizes are
            given), and ``usable_bytes``, that share of ``capacity_bytes``; ``mean_response_s``,
            ``p99_response_s``, ``mean_service_s``, ``mean_positioning_s``, ``device_utilization``,
            ``span_s``, ``moved`` (number of requests moved to fit the device), ``energy_j`` and its uses
            (``tips_j`` and others), all null if the point was not simulated; ``on_front``, true if no other
            point is at least as good in response, energy and capacity and better in one of them (004-F13).
        device: Device whose formats and parameters were varied.
        workload: Name of the workload, or file of the trace.
        scheduler: Name of the policy.
        scale: Speed-up of the workload: divisor of the times between arrivals.
        about_workload: Figures of the workload on which the advice is based, by name.
        notes: Remarks on the exploration, in sentences.
        varied: Keys of the parameters that vary in addition to the data format.
    """

    table: "pyarrow.Table"
    device: str
    workload: str
    scheduler: str
    scale: float
    about_workload: Mapping[str, float]
    notes: Sequence[str] = ()
    varied: Sequence[str] = ()

    @classmethod
    def of(
        cls,
        designs: list[dict[str, Any]],
        space: Space,
        trace: Trace,
        scheduler: str,
        scale: float,
        notes: Sequence[str] = (),
    ) -> "FormatSpace":
        """Build the result from `designs`, one row for each point of `space`, in the same order."""
        names = list(dict.fromkeys(name for row in designs for name in row))
        table = pyarrow.Table.from_pylist([{name: row.get(name) for name in names} for row in designs])
        for name in ("mean_response_s", "energy_j"):
            if name not in names:
                table = table.append_column(name, pyarrow.nulls(len(designs), pyarrow.float64()))
        table = table.append_column("on_front", pyarrow.array(_front(table)))
        about = {
            "requests": float(len(trace)),
            "median_request_bytes": float(np.median(trace.blocks)) * 512,
            "mean_request_bytes": float(np.mean(trace.blocks)) * 512,
            "write_share": float(np.mean(trace.write)),
        }
        varied = tuple(key for key, values in space.parameters.items() if len(values) > 1)
        return cls(table, space.device.name, trace.source, scheduler, scale, about, notes, varied)

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def _form(self) -> Form:
        feasible = f"{sum(self.table['feasible'].to_pylist())} of {len(self)} designs are feasible"
        return Form(
            f"{self.workload} on {self.device}, {self.scheduler}: {feasible}",
            parts_by("of_design", self),
            self.notes,
            ("plot()", 'best("energy")', "recommended", "to_pandas()"),
            f"of {quoted(self.device)} for {quoted(self.workload)}: {counted(len(self), 'design')}",
        )

    def picks(self) -> dict[str, dict[str, Any]]:
        """Return the best point for response, for energy and for capacity, and the recommended point.

        Keys are "least energy", "least response", "most capacity" and "recommended".
        """
        return {
            "least energy": self.best("energy"),
            "least response": self.best("performance"),
            "most capacity": self.best("capacity"),
            "recommended": self.recommended,
        }

    @cached_property
    def designs(self) -> list[dict[str, Any]]:
        """The points that were simulated."""
        return [row for row in self.table.to_pylist() if row["mean_response_s"] is not None]

    @property
    def front(self) -> list[dict[str, Any]]:
        """The Pareto front: points to which no other is superior: as good in all goals and better in one."""
        return [row for row in self.designs if row["on_front"]]

    @renamed
    def best(self, goal: str, **fixed: Any) -> dict[str, Any]:
        """Return the best simulated point for one goal.

        Ties in response or energy go to the point with the most capacity, then to the point that is better in
        the third goal. Ties in capacity go to the point with the fewest probes, then to the fastest (004-D3).

        Args:
            goal: ``performance``, ``energy`` or ``capacity``.
            fixed: Values that the point must have, such as ``probes=4096``.

        Raises:
            ParameterError: The goal is unknown, or no point with these values was simulated.
        """
        if goal not in GOALS:
            raise _native.ParameterError(f"goal = {goal!r}: expected one of {', '.join(GOALS)}")
        column, more = GOALS[goal]
        rows = [row for row in self.designs if all(row.get(key) == value for key, value in fixed.items())]
        if not rows:
            where = " and ".join(f"{key} = {value}" for key, value in fixed.items())
            asked = [row for row in self.table.to_pylist() if fixed.items() <= row.items()]
            why = f": {self.in_words(asked[0])}: {asked[0]['reason']}" if asked else ""
            raise _native.ParameterError(f"no format {f'with {where} ' if where else ''}is feasible{why}")
        if more:
            return best_of(rows, lambda row: -row[column], *map(itemgetter, ("probes", "mean_response_s")))
        others = ("mean_response_s", "energy_j", "probes")
        return best_of(rows, itemgetter(column), lambda row: -row["usable_bytes"], *map(itemgetter, others))

    @property
    def is_for_files(self) -> bool:
        """True if files leave capacity unused, so that only the capacity that files can use counts."""
        return any(share < 1 for share in self.table["file_share"].to_pylist())

    @cached_property
    def recommended(self) -> dict[str, Any]:
        """The recommended point of the front: the product of its ratios to the best values is least.

        A point has a ratio per goal: how many times worse it is than the best point for this goal.
        """
        best = {target: self.best(target)[column] for target, (column, _) in GOALS.items()}
        return best_of(self.front, lambda row: math.prod(_losses(row, best).values()), itemgetter("probes"))

    def recommendation(self) -> str:
        """Return a recommendation of a format for this workload, in sentences."""
        row, rows = self.recommended, self.designs
        best = {target: self.best(target)[column] for target, (column, _) in GOALS.items()}
        losses = {target: loss - 1 for target, loss in _losses(row, best).items()}
        about = self.about_workload
        group_bytes = row["sectors"] * row["sector_bytes"]
        median_bytes = about["median_request_bytes"]
        more, less = median_bytes > group_bytes, median_bytes < group_bytes
        fit = "more than" if more else "less than" if less else "as much as"
        less_capacity = 1 - 1 / (1 + losses["capacity"])
        return (
            f"For {self.workload}: {self.in_words(row)}. Its mean response of"
            f" {row['mean_response_s'] * 1e3:,.4g} ms is {losses['performance']:.0%} above the least of"
            f" {len(rows)} feasible designs, its {row['energy_j']:,.4g} J {losses['energy']:.0%} above the"
            f" least, and it holds {row['usable_bytes'] / 2**30:.2f} GiB{_lost(row)}, {less_capacity:.0%}"
            f" less than the largest. Half of the {about['requests']:,.0f} requests are of at most"
            f" {median_bytes / 1024:g} KiB, {fit} the {group_bytes / 1024:g} KiB that its probes pass"
            f" together; {about['write_share']:.0%} are writes. {len(self.front)} designs are on the front:"
            " no design is best in everything."
        )

    def conclusions(self) -> list[str]:
        """Return the findings in sentences."""
        return [self.recommendation() if self.designs else "No design is feasible."]

    def in_words(self, design: Mapping[str, Any]) -> str:
        """Return the format of a point in words, followed by the values of other parameters that vary."""
        sectors = "1 sector" if design["sectors"] == 1 else f"{design['sectors']} sectors side by side"
        made = f"{design['probes']} probes, {sectors}, {design['sector_bytes'] / 1024:g} KiB each"
        return ", ".join((made, *(f"{key} = {setting(design[key])}" for key in self.varied)))

    def write_table(self, folder: PathLike) -> list[Path]:
        """Write all points to a Parquet and a CSV file, and return the paths of both files.

        Raises:
            OSError: A file cannot be written; an incomplete file is removed.
        """
        return write_table(self.table, folder, "designs")


def setting(value: Any) -> str:
    """Return the value of a parameter in the form that ``--set`` takes."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _lost(row: Mapping[str, Any]) -> str:
    """Return words on the share of sectors that files leave unused; empty if no sizes of files are given."""
    left = 1 - row["file_share"]
    return f" of files, which leave {left:.1%} of their sectors unused" if left else ""


def _losses(row: Mapping[str, Any], best: Mapping[str, float]) -> dict[str, float]:
    """Return, for each goal, the ratio by which a point is worse than the best value of the goal."""
    return {
        target: best[target] / row[column] if more else row[column] / best[target]
        for target, (column, more) in GOALS.items()
    }


def _front(table: "pyarrow.Table") -> list[bool]:
    """Return, for each point, True if it is on the Pareto front; of equal points, all are on the front."""
    columns = [
        np.array(table[column].to_numpy(zero_copy_only=False), dtype=np.float64) * (-1 if more else 1)
        for column, more in GOALS.values()
    ]
    points = np.stack(columns, axis=1)
    # Points that were not simulated have no response.
    there = np.flatnonzero(~np.isnan(points[:, 0]))
    on_front = np.zeros(len(points), bool)
    on_front[there[front(points[there])]] = True
    return [bool(is_on) for is_on in on_front]
