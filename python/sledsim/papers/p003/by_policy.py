"""Shared code of 003-E-3 and E-4: the four systems on every input, under two policies of the disk."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from sledsim.files import PathLike

from ..shared import Claim, Result, device
from .charts import intervals
from .inputs import DISK, MEMS
from .systems import Observed, observed

#: Observations by policy of the disk.
ByPolicy = Mapping[str, Sequence[Observed]]
#: Systems that 003 compares.
SYSTEMS = ("DISK", "MMD", "MCD", "MMCD")
_OTHER = "with shortest positioning time first on the disk"


def by_policy(quick: bool, traces: PathLike | None) -> ByPolicy:
    """Observe the systems under both policies, by the name of the policy in findings."""
    return {
        "first come, first served": observed(quick, traces),
        "with SPTF on the disk": observed(quick, traces, "sptf"),
    }


def result(
    found: ByPolicy,
    row: Callable[[Observed, str], dict[str, Any]],
    titles: tuple[str, str],
    axis: Mapping[str, Any],
    claims: Sequence[Claim],
    said: Sequence[str],
) -> Result:
    """Build the result of an experiment on the systems under both policies.

    Args:
        found: Result of `by_policy`.
        row: Function that makes the row of an input and a system, for tables and charts.
        titles: Titles of table and chart, for example ``Figure 4: mean response``.
        axis: Axis of the chart, as keyword arguments of `intervals`.
        claims: Claims that the experiment decides.
        said: Notes on this experiment only.
    """
    tables = [[row(one, system) for one in inputs for system in SYSTEMS] for inputs in found.values()]
    table, chart = titles
    charts = chart, f"{chart.partition(':')[0]} {_OTHER}"
    return Result(
        devices=[device(DISK), device(MEMS)],
        claims=claims,
        tables=dict(zip((table, f"{table} {_OTHER}"), tables, strict=True)),
        charts={title: partial(intervals, rows, **axis) for title, rows in zip(charts, tables, strict=True)},
        notes=said,
    )
