"""003-E-7, Section 7: the MEMS virtual disk.

Mean response over size, segment size and replacement policy, relative to a disk alone and MEMS storage alone.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from sledsim.estimates import best_of
from sledsim.extend import Target
from sledsim.files import PathLike

from ..shared import HPLAJW, Result, device, noted, volume
from .charts import lines
from .inputs import DISK, DRAWN, MEMS, drawn_days, inputs, notes
from .systems import MEMS_QUEUE, Observed, observe

#: Sizes of the MEMS device, as shares of the size of the disk, for a quick and for a full run; then sizes of
#: a segment in KiB, likewise.
_RATIOS = ((0.005, 0.05), (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2))
_SEGMENTS_KIB = ((64, 1024), (16, 32, 64, 256, 1024))
#: Replacement policies. They are compared with a small MEMS device, which often has to replace segments.
_POLICIES = ("lru", "clock", "2q", "arc", "fifo")
_LITTLE, _SEGMENT_KIB = 0.005, 64
#: Reference devices, by which mean responses are divided: the disk alone, and MEMS storage that is large
#: enough for all data.
_ALONE = {"DISK": DISK, "MEMS": MEMS}


def run(quick: bool, traces: PathLike | None = None) -> Result:
    """Compute mean responses of virtual disks over size, segment size and replacement policy."""
    # Drawn days are left out: the rate of the heavy day would saturate the disk in most settings.
    used = [one for one in inputs(quick, traces) if one.kind != DRAWN]
    light = drawn_days(quick, draws=1)[1]
    sizes, rules = list(_sizes(quick)), [_setting(_LITTLE, _SEGMENT_KIB, policy) for policy in _POLICIES]
    settings = {_key(row): row for row in (*sizes, *rules)}
    targets: dict[str, Target] = {name: device(alone) for name, alone in _ALONE.items()}
    targets |= {key: volume("virtual-disk", "fcfs", **MEMS_QUEUE, **row) for key, row in settings.items()}
    found = [observe(one, targets) for one in (light, *used)]
    by_size = [_row(one, row) for one in found for row in sizes]
    shown = [{**row, "segment": f"{row['segment_bytes'] // 1024} KiB"} for row in by_size]
    axes = (
        ("size_ratio", "MEMS device over disk, in size (log scale)"),
        ("over_mems_alone", "Mean response over that of MEMS alone (log scale)"),
    )
    return Result(
        devices=[device(DISK), device(MEMS)],
        tables={
            "Size and segment": by_size,
            "Replacement policy": [_row(one, row) for one in found for row in rules],
        },
        charts={"Mean response over that of MEMS alone": partial(lines, shown, *axes, "segment")},
        notes=[*notes([light, *used]), *noted("003-E-7"), *(_best(one, settings) for one in found)],
    )


def _sizes(quick: bool) -> Iterator[dict[str, Any]]:
    for ratio in _RATIOS[not quick]:
        for segment_kib in _SEGMENTS_KIB[not quick]:
            yield _setting(ratio, segment_kib, "lru")


def _setting(ratio: float, segment_kib: int, policy: str) -> dict[str, Any]:
    return {"size_ratio": ratio, "segment_kib": segment_kib, "policy": policy}


def _key(row: Mapping[str, Any]) -> str:
    return f"{row['size_ratio']:g} of the disk in segments of {row['segment_kib']} KiB, {row['policy']}"


def _row(one: Observed, row: Mapping[str, Any]) -> dict[str, Any]:
    key = _key(row)
    mean = one.mean_s(key)
    return {
        "input": one.name,
        "size_ratio": row["size_ratio"],
        "segment_bytes": row["segment_kib"] * 1024,
        "policy": row["policy"],
        **mean.columns("mean_response", "_s"),
        **{f"over_{name.lower()}_alone": mean.value / one.mean_s(name).value for name in _ALONE},
        **one.averages(key),
    }


def _best(one: Observed, settings: Mapping[str, Mapping[str, Any]]) -> str:
    mems_s, disk_s = one.mean_s("MEMS").value, one.mean_s("DISK").value
    best = best_of(settings, lambda key: one.mean_s(key).value)
    return (
        f"{one.name}: the mean response of the disk alone is {disk_s / mems_s:.1f} times that of MEMS alone,"
        f" that of the best virtual disk {one.mean_s(best).value / mems_s:.1f} times ({best})."
    )


#: Names of the real traces that the experiment can use.
NEEDS = (HPLAJW,)
