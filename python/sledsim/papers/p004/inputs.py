"""Captures that replace the traces of paper 004, and functions that simulate data formats on them."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from sledsim import Device, bundled_trace, design
from sledsim.charts import alt, colour, grouped, lines, names, plot, readable, tips, unfolded
from sledsim.estimates import best_of
from sledsim.listings import bundled_traces

from ..shared import OnInput, device, noted

#: Device of paper 004, whose data format is varied.
DEVICE = "emsoft08"
#: Capture that replaces the trace on which paper 004 studies each parameter.
STUDIED = "ext3-4k"
BLOCKS_OF_4K = ("ext2-4k", "ext3-4k", "demo")
BLOCKS_OF_1K = ("ext2-1k", "ext3-1k")
#: Block size in bytes of the file system, for each capture that resembles a trace of paper 004.
CAPTURES = {"ext3-4k": 4096, "ext3-1k": 1024, "ext2-4k": 4096, "ext2-1k": 1024}
#: Replay rule with one request at a time, because response times of paper 004 have no queues (004-F5).
REPLAY = "closed:outstanding=1"
#: Sentence for claims: the reason why response times, which contain a mean seek, cannot be reproduced.
FITTED = (
    "The acceleration of the device is fitted to the mean seek that follows from the times of Figures 3 and 4"
    " (004-C6), so these times cannot confirm it."
)
#: Mean responses in ms that Figures 3 and 4 print, by number of probes that read a sector of 512 bytes.
PRINTED = {64: "83", 256: "24"}


#: Probes, sectors side by side and bytes per sector of the designs of section 7.2, by name.
PICKED = {
    "M-20-BE": (4096, 16, 4096),
    "M-20-BP": (4096, 1, 4096),
    "M-10-BE": (2048, 16, 2048),
    "M-10-BP": (2048, 1, 4096),
}


@cache
def model() -> Device:
    """Return the device of paper 004; it is cached, because building it is slow."""
    return device(DEVICE)


def known(probes: int, sectors: int, sector_bytes: int) -> dict[str, Any]:
    """Return the characteristics of a data format, with its capacity in GiB as ``capacity_gib``.

    `sectors` is the number of sectors side by side.
    """
    found = design.format_characteristics(model(), probes, sectors, sector_bytes)
    return {**found, "capacity_gib": float(found["capacity_bytes"] or 0) / 2.0**30}


def transfer_ms(probes: int, sectors: int = 1, sector_bytes: int = 512) -> float:
    """Return the time in ms of a pass over a sector and the sectors beside it (004-F3)."""
    return float(known(probes, sectors, sector_bytes)["transfer_s"]) * 1e3


def mean_sectors() -> float:
    """Return the mean size of 004's requests in sectors of 512 bytes, from two printed times (004-F5, C6)."""
    slow, quick = PRINTED
    return (float(PRINTED[slow]) - float(PRINTED[quick])) / (transfer_ms(slow) - transfer_ms(quick))


def explored(name: str, on: Device | None = None, **axes: Any) -> design.FormatSpace:
    """Simulate data formats on the capture `name`; `axes` gives the probes, sectors and bytes per sector."""
    return design.format_space(bundled_trace(name), device=on or model(), replay=REPLAY, **axes)


def relative(name: str, axis: str, on: Device | None = None, **axes: Any) -> list[dict[str, Any]]:
    """Return a table row per design: response and energy, also over those of the first design.

    Designs are data formats along `axis`, on the capture `name`, as in Figures 3 and 4 of paper 004.
    """
    found = explored(name, on, **axes)
    first = found.designs[0]
    return [
        {
            "workload": found.workload,
            axis: row[axis],
            "mean_response_s": row["mean_response_s"],
            "energy_j": row["energy_j"],
            "relative_response": row["mean_response_s"] / first["mean_response_s"],
            "relative_energy": row["energy_j"] / first["energy_j"],
            "utilization": row["utilization"],
        }
        for row in found.designs
    ]


def least(rows: Sequence[Mapping[str, Any]], axis: str, figure: str) -> int:
    """Return the value in the column `axis` of the table row in which the column `figure` is lowest."""
    return int(best_of(rows, lambda row: float(row[figure]))[axis])


def notes() -> list[str]:
    """Return the notes for the reader on captures and device."""
    captures = ", ".join(bundled_traces())
    return noted("004", captures=captures, device=DEVICE)


def best_at(
    name: str,
    quantity: str,
    wanted: int,
    unit: str,
    axis: str,
    rows: Sequence[Mapping[str, Any]],
    holds: bool = True,
) -> OnInput:
    """Test if the response and the energy on the capture `name` are lowest at the value `wanted` of an axis.

    `wanted` is that value, with its `unit`; `rows` has the designs along `axis`, and `quantity` names the
    finding. `holds` is False if another condition of the statement fails.
    """
    best, cheapest = (least(rows, axis, figure) for figure in ("mean_response_s", "energy_j"))
    shares = ", ".join(f"{row['relative_response']:.3f}" for row in rows)
    return OnInput(
        quantity,
        f"{wanted} {unit}",
        name,
        f"{best} {unit}, {cheapest} for energy ({shares} of the response with {rows[0][axis]})",
        told=best == cheapest == wanted and holds,
    )


def format_of(axes: Iterable[int]) -> str:
    """Return a data format as device files write it: ``PROBESxSECTORSxBYTES``."""
    return "x".join(map(str, axes))


def formatted(axes: Iterable[int]) -> Device:
    """Return the device of paper 004 with a data format: probes, sectors side by side, bytes per sector."""
    return model().with_parameters(format=format_of(axes))


def chart(rows: Sequence[Mapping[str, Any]], axis: str, title: str) -> Any:
    """Draw one panel per capture: response, energy and utilization over an axis of the data format.

    `title` is the title of the axis.
    """
    first = rows[0][axis]
    labels = {
        "relative_response": f"mean response over that at {first:,}",
        "relative_energy": f"energy over that at {first:,}",
        "utilization": "share of the medium that holds data",
    }
    shown = unfolded(rows, labels, "figure", "value")
    x = alt.X(f"{axis}:Q", title=f"{title} (log scale)").scale(type="log", base=2, nice=False, padding=12)
    y = (
        alt.Y("value:Q", title="Relative to the first value, or share of the medium")
        .scale(zero=False)
        .axis(format="%")
    )
    channels = {
        "x": x.axis(values=sorted(set(names(rows, axis))), format=","),
        "y": y,
        "color": colour("figure", "Shown", list(labels.values())),
        "tooltip": tips(f"{axis}:Q | {title}", "figure:N | Figure", "value:Q | Value | .1%"),
    }
    panels = grouped(
        shown,
        "workload",
        lambda own: lines(plot(own, **channels), width=2, size=70, opacity=1),
        width=290,
        height=240,
    )
    return readable(alt.concat(*panels, columns=3, spacing=24), legend_columns=3)
