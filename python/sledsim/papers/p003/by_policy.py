"""What 003-E-3 and E-4 share: the four systems on every input, under two policies of the disk."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from sledsim.files import PathLike

from ..shared import Claim, Result, device
from .charts import intervals
from .inputs import DISK, MEMS
from .systems import Observed, observed

#: The inputs by the policies.
ByPolicy = Mapping[str, Sequence[Observed]]
#: The systems that 003 compares.
SYSTEMS = ("DISK", "MMD", "MCD", "MMCD")
_OTHER = "with shortest positioning time first on the disk"


def by_policy(quick: bool, traces: PathLike | None) -> ByPolicy:
    """The systems under either policy, by what findings call it."""
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
    """What an experiment has of the systems under either policy.

    Args:
        found: From `by_policy`.
        row: Of an input and a system, for tables and charts.
        titles: Of the table and of the chart, as in ``Figure 4: mean response``.
        axis: What the chart is drawn over, as `intervals` takes it.
        claims: The claims decided.
        said: Notes that are particular to the experiment.
    """
    tables = [[row(one, system) for one in inputs for system in SYSTEMS] for inputs in found.values()]
    table, chart = titles
    charts = chart, f"{chart.partition(':')[0]} {_OTHER}"
    return Result(
        devices=[device(DISK), device(MEMS)],
        claims=claims,
        tables=dict(zip((table, f"The same {_OTHER}"), tables, strict=True)),
        charts={title: partial(intervals, rows, **axis) for title, rows in zip(charts, tables, strict=True)},
        notes=said,
    )
