"""Records of a server, with replies of any lateness."""

from typing import Any

import numpy as np

import sledsim
from sledsim.emulator.served import Served
from sledsim.runs.kept_columns import Columns
from sledsim.runs.run import Run
from sledsim.runs.run_settings import RunSettings

#: Description of the machine.
HOW = {
    "host": "here",
    "kernel": "Linux",
    "processors": 2,
    "realtime": True,
    "spin_us": 80.0,
    "lead_us": 0.0,
    "time_scale": "1",
    "cache": "none",
}
LATE_NS = 10_000


def synthetic(requests: int = 1000, *, name: str = "osdi00", scheduler: str = "fcfs", **how: Any) -> Served:
    """Random requests of all kinds, each answered 10 us after it was due."""
    device, draw = sledsim.device("osdi00", name=name), np.random.default_rng(1)
    simulation = sledsim.Simulation(device, scheduler)
    write = draw.random(requests) < 0.5
    simulation.submit(
        arrival_ns=np.cumsum(draw.integers(0, 2_000_000, requests)),
        lbn=draw.integers(0, 800_000, requests) * 8,
        blocks=draw.choice([8, 64, 256], requests),
        write=write,
    )
    run = simulation.finish()
    due_ns = run.columns["completion_ns"].copy()
    rows = {
        "zeroes": (write & (draw.random(requests) < 0.1)).astype(np.int64),
        "connection": draw.integers(1, 4, requests),
        "due_ns": due_ns,
        "sent_ns": due_ns + LATE_NS,
    }
    return Served(run, rows, {**HOW, "floor_us": None, "probe": None, **how})


def altered(found: Served, /, how: dict[str, Any] | None = None, **rows: Any) -> Served:
    """Return a copy with other columns of the server, or other settings."""
    return Served(found.run, {**found.rows, **rows}, {**found.how, **(how or {})})


def lying(found: Served, column: str, row: int) -> Served:
    """Return a copy in which the simulator contradicts the record in one row."""
    columns = Columns(found.run.columns)
    columns[column] = columns[column].copy()
    columns[column][row] += 1
    settings: RunSettings = found.run.settings
    return Served(Run(columns, found.run.totals, settings), found.rows, found.how)
