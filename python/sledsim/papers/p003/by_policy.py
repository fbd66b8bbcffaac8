"""Code that 003-E-3 and 003-E-4 share: four systems on every input, under two policies of the disk."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from sledsim.files import PathLike

from ..shared import Claim, Result, device
from .charts import intervals
from .inputs import DISK, MEMS
from .systems import Observed, observed

#: Observations of the systems on every input, by policy of the disk.
ByPolicy = Mapping[str, Sequence[Observed]]
#: Names of the systems that paper 003 compares.
SYSTEMS = ("DISK", "MMD", "MCD", "MMCD")
_OTHER = "with shortest positioning time first on the disk"


def by_policy(quick: bool, traces: PathLike | None) -> ByPolicy:
    """Run the four systems on every input under two policies of the disk; return observations by policy."""
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
    """Build the result of an experiment that compares the systems under both policies of the disk.

    Args:
        found: Observations, as `by_policy` returns them.
        row: Function that makes the table row of an input (its observation) and a system.
        titles: Titles of table and chart, for example ``Figure 4: mean response``.
        axis: Keyword arguments of `intervals` that describe the axis of the chart.
        claims: Claims that the experiment decides.
        said: Notes for the reader.
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
