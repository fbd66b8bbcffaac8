"""004-E-1, Figure 2: three configurations.

Places of files on a device of four probes, their accesses, and the bits that they leave unused.
"""

from collections.abc import Iterator
from typing import Any

from sledsim.charts import COLOURS, alt, plot, readable

from ..shared import Result, noted
from .inputs import known, model

#: Configurations of Figure 2, by name: active probes, sectors side by side, and bytes per sector.
_CONFIGURATIONS = {
    "a: 2 probes, two sectors of 16 bits": (2, 2, 2),
    "b: 4 probes, two sectors of 16 bits": (4, 2, 2),
    "c: 4 probes, one sector of 32 bits": (4, 1, 4),
}
#: Sizes in bits of files that follow each other; assumed, because the paper prints no sizes.
_FILES = {"A": 16, "B": 64, "C": 32, "D": 48}
_UNUSED = "unused"


def run(quick: bool) -> Result:
    """Compute the places of files under each configuration; `quick` has no effect."""
    rows: list[dict[str, Any]] = []
    files: list[dict[str, Any]] = []
    for name, axes in _CONFIGURATIONS.items():
        of_format, own = known(*axes), _files(name, axes)
        rows.append(
            {
                "configuration": name,
                **dict(zip(("probes", "sectors", "sector_bytes"), axes, strict=True)),
                **{key: of_format[key] for key in ("subsector_bits", "transfer_s", "utilization")},
                **{key: sum(row[key] for row in own) for key in ("passes", "unused_bits")},
            }
        )
        files += own
    return Result(
        devices=[model()],
        tables={"Configurations": rows, "Files": files},
        charts={"Places of files": _chart},
        notes=noted(
            "004-E-1",
            passes=_compared(files, "passes", "b", "c", "B"),
            unused=_compared(files, "unused_bits", "b", "c", "A"),
        ),
    )


def _files(configuration: str, axes: tuple[int, int, int]) -> list[dict[str, Any]]:
    cells = list(_cells(axes))
    rows = []
    for file, bits in _FILES.items():
        passes = len({cell["pass"] for cell in cells if cell["of"] == file})
        row = {"configuration": configuration, "file": file, "bits": bits, "passes": passes}
        row["time_s"] = passes * known(*axes)["transfer_s"]
        rows.append({**row, "unused_bits": -bits % (8 * axes[2])})
    return rows


def _compared(files: list[dict[str, Any]], key: str, one: str, other: str, file: str) -> str:
    found = {row["configuration"][0]: row[key] for row in files if row["file"] == file}
    what = key.replace("_", " ")
    return f"file {file} has {found[one]} {what} in {one} and {found[other]} in {other}"


def _cells(axes: tuple[int, int, int]) -> Iterator[dict[str, Any]]:
    """Yield, for each pass and probe of a configuration `axes`, the file whose bits the probe passes."""
    probes, side_by_side, sector_bytes = axes
    share, bits = probes // side_by_side, 8 * sector_bytes
    sectors = [(file, min(bits, size - at)) for file, size in _FILES.items() for at in range(0, size, bits)]
    sectors += [(_UNUSED, 0)] * (-len(sectors) % side_by_side)
    for number, (file, used) in enumerate(sectors):
        for stripe in range(share):
            is_used = stripe * bits // share < used
            yield {
                "pass": number // side_by_side + 1,
                "probe": number % side_by_side * share + stripe + 1,
                "of": file if is_used else _UNUSED,
            }


def _chart() -> Any:
    """Draw a panel per configuration: a box per probe (across) and pass (down), with the name of its file."""
    colours = {**dict(zip(_FILES, COLOURS, strict=False)), _UNUSED: "#DDDDDD"}
    color = alt.Color("of:N", title="File").scale(domain=[*colours], range=[*colours.values()])
    text = alt.when(alt.datum.of == _UNUSED).then(alt.value("")).otherwise(alt.Text("of:N"))
    panels = []
    for name, axes in _CONFIGURATIONS.items():
        cells = list(_cells(axes))
        base = plot(
            cells, x=alt.X("probe:O", title="Probe").axis(labelAngle=0), y=alt.Y("pass:O", title="Pass")
        )
        boxes = base.mark_rect(stroke="white", strokeWidth=2).encode(color=color)
        panel = alt.layer(boxes, base.mark_text(fontSize=13).encode(text=text))
        height = 30 * max(cell["pass"] for cell in cells)
        panels.append(panel.properties(title=name, width=60 * axes[0], height=height))
    return readable(alt.hconcat(*panels, spacing=32))
