"""003-E-8, Sections 4 and 5: losing a device, losing power.

Data whose newest version only the MEMS device has, at several times, and data to read after a power failure.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from sledsim import Run, Volume
from sledsim.charts import groups
from sledsim.files import PathLike

from ..shared import HPLAJW, Result, device, noted, simulate, volume
from .charts import lines
from .inputs import CAPTURED, DISK, DRAWN, MEMS, Input, drawn_days, inputs, notes
from .systems import MEMS_QUEUE, PAPERS_TABLE

#: Periods of metadata flushes in seconds, for a quick and for a full run. Systems with the period
#: `_CLASSIC_S` (003-D5) are also run with the metadata's table in the memory of the driver, as in paper 003.
_CLASSIC_S = 30
_FLUSH_S = ((5, _CLASSIC_S), (1, _CLASSIC_S, 120))
_IN_MEMORY = ", table in memory"
#: Number of times in a run at which bytes at risk are counted, for a quick and for a full run. The times are
#: spread evenly over the requests.
_LOSSES = (8, 40)
_KINDS = ("mmd", "mcd", "mmcd")
_SECTOR_BYTES = 512
#: Column with the bytes that a power failure would lose, even if every device survives.
_WITH_POWER = "lost_with_power_bytes"
#: Counter of the volume, in sectors, for each column with bytes that only the MEMS device has.
_ALONE = {"metadata_bytes": "unflushed_sectors", "data_bytes": "dirty_sectors"}


def run(quick: bool, traces: PathLike | None = None) -> Result:
    """Count the bytes that a loss of the MEMS device would lose, at several times of each input."""
    used = [drawn_days(quick, draws=1)[1], *(one for one in inputs(quick, traces) if one.kind != DRAWN)]
    volumes = dict(_volumes(_FLUSH_S[not quick]))
    rows = [row for one in used for row in _exposed(one, volumes, _LOSSES[not quick])]
    restarts = [
        {"system": name, **row} for name, made in volumes.items() for row in made.restart() if row["reads"]
    ]
    return Result(
        devices=[device(DISK), device(MEMS)],
        tables={
            "Newest versions on the MEMS device alone, in all": _summed(rows),
            "Newest versions on the MEMS device alone, at each loss": rows,
            "Read after a power failure": restarts,
        },
        charts={"Newest versions on the MEMS device alone": partial(_chart, rows)},
        notes=[*notes(used), *noted("003-E-8")],
    )


def _volumes(flush_s: tuple[int, ...]) -> Iterator[tuple[str, Volume]]:
    for kind in _KINDS:
        if kind == "mcd":
            yield kind.upper(), volume(kind, "fcfs", **MEMS_QUEUE)
            continue
        for period_s in flush_s:
            name = f"{kind.upper()}, flush every {period_s} s"
            yield name, volume(kind, "fcfs", flush_every_s=period_s, **MEMS_QUEUE)
            if period_s == _CLASSIC_S:
                in_memory = volume(kind, "fcfs", flush_every_s=period_s, **PAPERS_TABLE, **MEMS_QUEUE)
                yield f"{name}{_IN_MEMORY}", in_memory


def _exposed(one: Input, volumes: dict[str, Volume], losses: int) -> Iterator[dict[str, Any]]:
    for read in one.read():
        trace = read.transfers()
        for number in range(1, losses + 1):
            before = trace.rows(slice(0, number * len(trace) // losses))
            for name, made in volumes.items():
                run = simulate(made, before, "fcfs", 1.0, "wrap", replay=one.replay)
                yield {
                    "input": one.name,
                    "trace": trace.source,
                    "system": name,
                    "after_s": float(before.arrival_ns[-1] - trace.arrival_ns[0]) * 1e-9,
                    **_lost(run, name.endswith(_IN_MEMORY)),
                }


def _summed(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return a table row per input and system: mean and maximum, over all times, of the bytes at risk."""
    return [
        {
            "input": name,
            "system": system,
            "losses": len(own),
            **{f"mean_{key}": sum(row[key] for row in own) / len(own) for key in (*_ALONE, _WITH_POWER)},
            **{f"largest_{key}": max(row[key] for row in own) for key in (*_ALONE, _WITH_POWER)},
        }
        for (name, system), own in groups(rows, "input", "system").items()
    ]


def _lost(run: Run, in_memory: bool) -> dict[str, int]:
    """Return the bytes written in a run, and the bytes at its end that only the MEMS device has.

    Only newest versions count. If `in_memory` is True, the table is in memory, and a power failure loses the
    metadata that only the MEMS device has.
    """
    counts = run.volumes[""]
    blocks = run.columns["blocks"][run.columns["write"]]
    alone = {name: _SECTOR_BYTES * int(counts.get(counted, 0)) for name, counted in _ALONE.items()}
    return {
        "written_bytes": _SECTOR_BYTES * int(blocks.sum()),
        **alone,
        _WITH_POWER: alone["metadata_bytes"] if in_memory else 0,
    }


def _chart(rows: list[dict[str, Any]]) -> Any:
    # Systems with the table in memory are left out, as they have the same data on the MEMS device only.
    shown = [
        {
            **row,
            "mb": 1e-6 * sum(row[name] for name in _ALONE),
            # A drawn day is named by its date, as the source of its trace lists all options.
            "named": row["trace"] if row["input"] == CAPTURED else row["input"],
        }
        for row in rows
        if row["after_s"] > 0 and not row["system"].endswith(_IN_MEMORY)
    ]
    x = ("after_s", "Time at which the device is lost (s, log scale)")
    return lines(shown, x, ("mb", "On the MEMS device alone (MB)"), "system", "named", "~g")


#: Names of the real traces that the experiment can use.
NEEDS = (HPLAJW,)
