"""Inputs for 004's designs: our captures, similar to its traces, with one request at a time."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from sledsim import Device, bundled_trace, design
from sledsim.charts import alt, colour, grouped, lines, names, plot, readable, tips, unfolded
from sledsim.estimates import best_of
from sledsim.listings import bundled_traces

from ..shared import OnInput, device, noted

#: Device whose format is chosen.
DEVICE = "emsoft08"
#: Capture on which 004 studies each parameter, with 4 KiB blocks, and one with 1 KiB blocks.
STUDIED = "ext3-4k"
BLOCKS_OF_4K = ("ext2-4k", "ext3-4k", "demo")
BLOCKS_OF_1K = ("ext2-1k", "ext3-1k")
#: Captures similar to 004's traces, with the block size of their file systems.
CAPTURES = {"ext3-4k": 4096, "ext3-1k": 1024, "ext2-4k": 4096, "ext2-1k": 1024}
#: Replay rule: 004's response times have no queues (004-F5), so the next request comes after the previous
#: one.
REPLAY = "closed:outstanding=1"
#: Reason why a time with a mean seek in it is no confirmation.
FITTED = (
    "The acceleration of the device is fitted to the mean seek that follows from the times of Figures 3 and 4"
    " (004-C6), so these times cannot confirm it."
)
#: Printed response times of Figures 3 and 4 in ms, by number of probes for a sector of 512 bytes.
PRINTED = {64: "83", 256: "24"}


#: Devices of section 7.2: probes, sectors side by side, bytes of a sector.
PICKED = {
    "M-20-BE": (4096, 16, 4096),
    "M-20-BP": (4096, 1, 4096),
    "M-10-BE": (2048, 16, 2048),
    "M-10-BP": (2048, 1, 4096),
}


@cache
def model() -> Device:
    """Return the device; cached, because building it is slow."""
    return device(DEVICE)


def known(probes: int, sectors: int, sector_bytes: int) -> dict[str, Any]:
    """Return the properties of a format that need no requests, and its capacity as ``capacity_gib``."""
    found = design.format_characteristics(model(), probes, sectors, sector_bytes)
    return {**found, "capacity_gib": float(found["capacity_bytes"] or 0) / 2.0**30}


def transfer_ms(probes: int, sectors: int = 1, sector_bytes: int = 512) -> float:
    """Return the time in which a sector passes, together with the sectors beside it (004-F3)."""
    return float(known(probes, sectors, sector_bytes)["transfer_s"]) * 1e3


def mean_sectors() -> float:
    """Return the sectors of 512 bytes of a mean request, from the times of Figures 3 and 4 (004-F5, C6)."""
    slow, quick = PRINTED
    return (float(PRINTED[slow]) - float(PRINTED[quick])) / (transfer_ms(slow) - transfer_ms(quick))


def explored(name: str, on: Device | None = None, **axes: Any) -> design.FormatSpace:
    """Explore formats under a capture."""
    return design.format_space(bundled_trace(name), device=on or model(), replay=REPLAY, **axes)


def relative(name: str, axis: str, on: Device | None = None, **axes: Any) -> list[dict[str, Any]]:
    """Return response and energy of each design over those of the first, as in 004's Figures 3 and 4."""
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
    """Return the axis value at which a figure is lowest."""
    return int(best_of(rows, lambda row: float(row[figure]))[axis])


def notes() -> list[str]:
    """Return the notes on the inputs."""
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
    """Test that response and energy of a capture are lowest at the paper's value on an axis."""
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
    """Write a format as in a device file."""
    return "x".join(map(str, axes))


def formatted(axes: Iterable[int]) -> Device:
    """Return the device with a format."""
    return model().with_parameters(format=format_of(axes))


def chart(rows: Sequence[Mapping[str, Any]], axis: str, title: str) -> Any:
    """Draw the three figures over one axis of the format, one panel per capture."""
    first = rows[0][axis]
    labels = {
        "relative_response": f"mean response over that at {first:,}",
        "relative_energy": f"energy over that at {first:,}",
        "utilization": "data over bits of the medium",
    }
    shown = unfolded(rows, labels, "figure", "value")
    x = alt.X(f"{axis}:Q", title=f"{title} (log scale)").scale(type="log", base=2, nice=False, padding=12)
    y = (
        alt.Y("value:Q", title="Relative to the first, or share of the medium")
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
