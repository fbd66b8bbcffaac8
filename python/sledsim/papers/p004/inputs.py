"""What 004's designs run on here: own captures of the kind that it used, one request at a time."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from ...model.devices import Device
from ...runs import design
from ...traces.files import bundled_trace, bundled_traces
from ..shared.perturbations import device

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
#: What the figures of a format are drawn of: relative to the first, and what part of the medium is data.
FIGURES = ("relative_response", "relative_energy", "utilization")


@cache
def model() -> Device:
    """The device, of which building takes a while."""
    return device(DEVICE)


def transfer_ms(probes: int, sectors: int = 1, sector_bytes: int = 512) -> float:
    """How long a sector takes, and all beside it (004-F3)."""
    known = design.format_characteristics(model(), probes, sectors, sector_bytes)
    return float(known["transfer_s"] or 0) * 1e3


def mean_sectors() -> float:
    """Sectors of 512 bytes of a mean request, which the times of Figures 3 and 4 imply (004-F5, C6)."""
    slow, quick = PRINTED
    return (float(PRINTED[slow]) - float(PRINTED[quick])) / (transfer_ms(slow) - transfer_ms(quick))


def explored(name: str, on: Device | None = None, **axes: Any) -> design.FormatSpace:
    """Formats under a capture."""
    return design.format_space(bundled_trace(name), on=on or model(), replay=REPLAY, **axes)


def relative(found: design.FormatSpace, axis: str) -> list[dict[str, Any]]:
    """Response and energy of each design over those of the first one, as 004's Figures 3 and 4 have them."""
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
    return int(min(rows, key=lambda row: float(row[figure]))[axis])


def notes() -> list[str]:
    """What a reader has to know of the inputs."""
    captures = ", ".join(bundled_traces())
    return [
        "004's traces of a PDA are not published. Own captures of file systems of the same kind stand for"
        f" them ({captures}); the next request comes when the last one is done, for 004's response times"
        " have no queues (004-F5).",
        f"Of the parameters of {DEVICE}, acceleration and springs are derived or calibrated:"
        " 004 prints none.",
    ]


def chart(rows: Sequence[Mapping[str, Any]], axis: str, title: str) -> Any:
    """The three figures over one axis of the format, one panel a capture."""
    from ...charts.style import readable
    from ...studies.drawing import alt, colour

    tried = sorted({row[axis] for row in rows})
    first = rows[0][axis]
    labels = {
        "relative_response": f"mean response over that at {first:,}",
        "relative_energy": f"energy over that at {first:,}",
        "utilization": "data over bits of the medium",
    }
    flat = [
        {"workload": row["workload"], axis: row[axis], "figure": labels[figure], "value": row[figure]}
        for row in rows
        for figure in FIGURES
    ]
    panels = []
    for name in dict.fromkeys(row["workload"] for row in flat):
        base = alt.Chart(alt.InlineData(values=[row for row in flat if row["workload"] == name])).encode(
            x=alt.X(f"{axis}:Q", title=f"{title} (log scale)")
            .scale(type="log", base=2, nice=False, padding=12)
            .axis(values=tried, format=","),
            y=alt.Y("value:Q", title="Over the first, or part of the medium")
            .scale(zero=False)
            .axis(format="%"),
            color=colour("figure", "Shown", list(labels.values())),
            tooltip=[
                alt.Tooltip(f"{axis}:Q", title=title),
                alt.Tooltip("figure:N", title="Shown"),
                alt.Tooltip("value:Q", title="Value", format=".1%"),
            ],
        )
        layers = alt.layer(base.mark_line(strokeWidth=2), base.mark_point(filled=True, size=70, opacity=1))
        panels.append(layers.properties(title=str(name), width=290, height=240))
    return readable(alt.concat(*panels, columns=3, spacing=24).properties(padding=16), legend_columns=3)
