"""What 004's designs run on here: own captures of the kind that it used, one request at a time."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from sledsim import Device, bundled_trace, design
from sledsim.charts import alt, colour, grouped, lines, names, plot, readable, tips, unfolded
from sledsim.estimates import best_of
from sledsim.listings import bundled_traces

from ..shared import OnInput, device, noted

#: The device whose format is to be chosen.
DEVICE = "emsoft08"
#: The capture on which 004 studies each parameter, and those of file systems with blocks of 4 and 1 KiB.
STUDIED = "ext3-4k"
BLOCKS_OF_4K = ("ext2-4k", "ext3-4k", "demo")
BLOCKS_OF_1K = ("ext2-1k", "ext3-1k")
#: Those of the kind of 004's traces, by the bytes of a block of their file systems.
CAPTURES = {"ext3-4k": 4096, "ext3-1k": 1024, "ext2-4k": 4096, "ext2-1k": 1024}
#: 004 gives response times without queues (004-F5): the next request comes when the last one is done.
REPLAY = "closed:outstanding=1"
#: Why a time in which the mean seek has a part is no confirmation.
FITTED = (
    "The acceleration of the device was fitted to the mean seek that goes with the times of Figures 3 and 4"
    " (004-C6): they cannot confirm it."
)
#: To what Figures 3 and 4 are normalised, in ms: responses with so many probes for a sector of 512 bytes.
PRINTED = {64: "83", 256: "24"}


#: The devices of section 7.2: probes, sectors side by side, bytes of a sector.
PICKED = {
    "M-20-BE": (4096, 16, 4096),
    "M-20-BP": (4096, 1, 4096),
    "M-10-BE": (2048, 16, 2048),
    "M-10-BP": (2048, 1, 4096),
}


@cache
def model() -> Device:
    """The device, of which building takes a while."""
    return device(DEVICE)


def known(probes: int, sectors: int, sector_bytes: int) -> dict[str, Any]:
    """What is known of a format without any requests, and its capacity in GiB as ``capacity_gib``."""
    found = design.format_characteristics(model(), probes, sectors, sector_bytes)
    return {**found, "capacity_gib": float(found["capacity_bytes"] or 0) / 2.0**30}


def transfer_ms(probes: int, sectors: int = 1, sector_bytes: int = 512) -> float:
    """How long a sector takes, and all beside it (004-F3)."""
    return float(known(probes, sectors, sector_bytes)["transfer_s"]) * 1e3


def mean_sectors() -> float:
    """Sectors of 512 bytes of a mean request, which the times of Figures 3 and 4 imply (004-F5, C6)."""
    slow, quick = PRINTED
    return (float(PRINTED[slow]) - float(PRINTED[quick])) / (transfer_ms(slow) - transfer_ms(quick))


def explored(name: str, on: Device | None = None, **axes: Any) -> design.FormatSpace:
    """Formats under a capture."""
    return design.format_space(bundled_trace(name), device=on or model(), replay=REPLAY, **axes)


def relative(name: str, axis: str, on: Device | None = None, **axes: Any) -> list[dict[str, Any]]:
    """Response and energy of each design over those of the first one, as 004's Figures 3 and 4 have them."""
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
    """Where a figure is least."""
    return int(best_of(rows, lambda row: float(row[figure]))[axis])


def notes() -> list[str]:
    """What a reader has to know of the inputs."""
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
    """Whether response and energy of a capture are least where the paper finds them least along an axis."""
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
    """A format, as a device file has it."""
    return "x".join(map(str, axes))


def formatted(axes: Iterable[int]) -> Device:
    """The device with a format."""
    return model().with_parameters(format=format_of(axes))


def chart(rows: Sequence[Mapping[str, Any]], axis: str, title: str) -> Any:
    """The three figures over one axis of the format, one panel a capture."""
    first = rows[0][axis]
    labels = {
        "relative_response": f"mean response over that at {first:,}",
        "relative_energy": f"energy over that at {first:,}",
        "utilization": "data over bits of the medium",
    }
    shown = unfolded(rows, labels, "figure", "value")
    x = alt.X(f"{axis}:Q", title=f"{title} (log scale)").scale(type="log", base=2, nice=False, padding=12)
    y = alt.Y("value:Q", title="Over the first, or part of the medium").scale(zero=False).axis(format="%")
    channels = {
        "x": x.axis(values=sorted(set(names(rows, axis))), format=","),
        "y": y,
        "color": colour("figure", "Shown", list(labels.values())),
        "tooltip": tips(f"{axis}:Q | {title}", "figure:N | Shown", "value:Q | Value | .1%"),
    }
    panels = grouped(
        shown,
        "workload",
        lambda own: lines(plot(own, **channels), width=2, size=70, opacity=1),
        width=290,
        height=240,
    )
    return readable(alt.concat(*panels, columns=3, spacing=24), legend_columns=3)
