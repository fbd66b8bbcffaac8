"""Power over time: the mean power of each device by use, in time steps of equal length."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..common.arrow import pyarrow
from ..common.charted import Charted

#: File name of the table and the plots, without ending.
NAME = "power"


@dataclass(frozen=True, eq=False)
class Power(Charted):
    """Power over time in a form that can be drawn as a chart.

    Attributes:
        table: Table of power over time, from `Run.power`.
        title: Title of the chart, with the names of workload and device.
    """

    table: "pyarrow.Table"
    title: str


def power_table(devices: Sequence[Mapping[str, Any]], end_ns: int) -> "pyarrow.Table":
    """Return a table of the power of devices over time, in watts.

    Args:
        devices: Figures of each device, as in ``Run.totals["devices"]``.
        end_ns: End of the run in nanoseconds.

    Returns:
        Columns device, from_s, to_s, power_w (the total), and one column per use: seek_w, settle_w,
        actuation_w, tips_w, electronics_w, startup_w, idle_w, shutdown_w and inactive_w; a use that no device
        has is left out. The last step ends with the run. If a use lasts longer than a step, its energy is
        spread evenly over its time.
    """
    uses = list(dict.fromkeys(use for row in devices for use in row["energy_over_time"]["uses_j"]))
    tables = [_of_device(row["name"], row["energy_over_time"], uses, end_ns) for row in devices]
    return pyarrow.concat_tables(tables)


def _of_device(name: str, over_time: Mapping[str, Any], uses: Sequence[str], end_ns: int) -> "pyarrow.Table":
    uses_j = over_time["uses_j"]
    steps = max(map(len, uses_j.values()), default=0)
    from_ns = over_time["begun_ns"] + over_time["step_ns"] * np.arange(steps)
    # Background accesses may end after the run.
    to_ns = from_ns + over_time["step_ns"]
    to_ns[-1:] = np.where(from_ns[-1:] < end_ns, np.minimum(to_ns[-1:], end_ns), to_ns[-1:])
    lasts_s = (to_ns - from_ns) * 1e-9
    parts = {f"{use}_w": np.asarray(uses_j.get(use, np.zeros(steps))) / lasts_s for use in uses}
    names = pyarrow.array([name] * steps, pyarrow.string())
    whole = sum(parts.values(), np.zeros(steps))
    return pyarrow.table(
        {"device": names, "from_s": from_ns * 1e-9, "to_s": to_ns * 1e-9, "power_w": whole, **parts}
    )
