"""Draws the pictures of the documentation, to the scale of a device: ``python docs/images/draw.py``."""

from html import escape
from pathlib import Path

import sledsim

FOLDER = Path(__file__).parent
INK, GREY, PALE = "#1f2933", "#7b8794", "#e4e7eb"
BLUE, ORANGE, GREEN, RED, VIOLET = "#2b6cb0", "#dd6b20", "#2f855a", "#c53030", "#6b46c1"


class Picture:
    """An SVG that grows shape by shape."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self.size, self.title, self.shapes = (width, height), title, list[str]()

    def box(
        self, x: float, y: float, width: float, height: float, fill: str, edge: str = "none", more: str = ""
    ) -> None:
        """A rectangle."""
        self.shapes.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}"'
            f' stroke="{edge}" {more}/>'
        )

    def line(
        self, x0: float, y0: float, x1: float, y1: float, ink: str = INK, width: float = 1.2, ends: str = ""
    ) -> None:
        """A line; `ends` has an arrow at the end (``>``), or at both (``<>``)."""
        arrows = "".join(
            f' marker-{place}="url(#arrow)"' for place, mark in (("start", "<"), ("end", ">")) if mark in ends
        )
        self.shapes.append(
            f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="{ink}"'
            f' stroke-width="{width}"{arrows}/>'
        )

    def text(
        self,
        x: float,
        y: float,
        words: str,
        ink: str = INK,
        size: int = 13,
        at: str = "start",
        more: str = "",
    ) -> None:
        """A line of words."""
        self.shapes.append(
            f'<text x="{x:.1f}" y="{y:.1f}" fill="{ink}" font-size="{size}" text-anchor="{at}" {more}>'
            f"{escape(words)}</text>"
        )

    def write(self, name: str) -> None:
        """Write the picture into the folder of pictures."""
        width, height = self.size
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
            f' height="{height}" font-family="Helvetica, Arial, sans-serif" role="img">\n'
            f"<title>{escape(self.title)}</title>\n"
            '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"'
            f' orient="auto-start-reverse"><path d="M0,0 L8,4 L0,8 z" fill="{INK}"/></marker></defs>\n'
            f'<rect width="{width}" height="{height}" fill="white"/>\n'
        )
        (FOLDER / f"{name}.svg").write_text(head + "\n".join(self.shapes) + "\n</svg>\n")


def draw_sled(device: sledsim.Device) -> None:
    """The sled over its tips, and the region of one tip with cylinder, track, row and tip sector."""
    parameters, facts = device.parameters, device.characteristics()
    picture = Picture(1060, 490, "The sled, and the region of one tip")
    picture.text(20, 30, f"The sled ({device.name})", size=16, more='font-weight="bold"')
    left, top, side, count = 60, 100, 290, 8
    for edge, x, y in (("x", left - 38, top + side / 2), ("x", left + side + 2, top + side / 2)):
        _spring(picture, x, y, edge)
    for x, y in ((left + side / 2, top - 30), (left + side / 2, top + side + 2)):
        _spring(picture, x, y, "y")
    picture.box(left, top, side, side, "#f7fafc", INK, 'stroke-width="2" rx="4"')
    cell = side / count
    for column in range(count):
        for row in range(count):
            x, y = left + column * cell, top + row * cell
            chosen = (column, row) == (5, 2)
            picture.box(x + 3, y + 3, cell - 6, cell - 6, "#fefcbf" if chosen else "none", PALE)
            picture.box(x + cell / 2 - 3, y + cell / 2 - 3, 6, 6, BLUE if row % 4 == 2 else "#a0aec0")
    picture.line(left, top + side + 46, left + 60, top + side + 46, ends=">")
    picture.text(left + 66, top + side + 50, "x: seeks only")
    picture.line(left + 180, top + side + 56, left + 180, top + side + 30, ends="<>")
    picture.text(left + 190, top + side + 50, "y: data pass, either way")
    picture.text(20, 52, f"{parameters['tips']:,} fixed tips, each over its own region of the medium;", GREY)
    picture.text(
        20, 474, f"{parameters['active_tips']:,} of them (blue) are on at a time: a group reads a track", BLUE
    )
    _region(picture, device, facts)
    picture.line(left + 5.9 * cell, top + 2.1 * cell, 502, 92, GREY, 0.8)
    picture.line(left + 5.9 * cell, top + 2.9 * cell, 502, 408, GREY, 0.8)
    picture.write("sled")


def _spring(picture: Picture, x: float, y: float, axis: str) -> None:
    """A spring of seven strokes from a place, along an axis."""
    points = [(0.0, 0.0), *((5.0 * at, 6.0 if at % 2 else -6.0) for at in range(1, 6)), (30.0, 0.0)]
    turned = [(x + along, y + across) if axis == "x" else (x + across, y + along) for along, across in points]
    path = " ".join(f"{px:.1f},{py:.1f}" for px, py in turned)
    picture.shapes.append(f'<polyline points="{path}" fill="none" stroke="{GREY}" stroke-width="1.5"/>')


def _region(picture: Picture, device: sledsim.Device, facts: dict[str, float | int]) -> None:
    parameters = device.parameters
    left, top, width, height = 510, 92, 200, 316
    rows, shown = int(facts["rows_per_track"]), 9
    picture.text(left, 30, "The region of one tip", size=16, more='font-weight="bold"')
    stroke_um = parameters["stroke_x_nm"] / 1000
    picture.text(left, 52, f"{stroke_um:.0f} x {parameters['stroke_y_nm'] / 1000:.0f} µm, not to scale", GREY)
    picture.box(left, top, width, height, "#fffff0", INK)
    for column in range(1, 11):
        picture.line(left + column * width / 11, top, left + column * width / 11, top + height, PALE, 1)
    step = height / shown
    for row in range(1, shown):
        picture.line(left, top + row * step, left + width, top + row * step, PALE, 1)
    picture.box(left + 6 * width / 11, top, width / 11, height, "#bee3f8", BLUE)
    picture.box(left, top + 3 * step, width, step, "#feebc8", ORANGE, 'fill-opacity="0.55"')
    picture.box(left + 6 * width / 11, top + 3 * step, width / 11, step, ORANGE, INK)
    notes = left + width + 24
    data = f"{parameters['sector_data_bytes']} bytes"
    bits = f"{parameters['sector_encoded_bits']} bits and {parameters['servo_bits']} of servo"
    lines = (
        (top + 14, BLUE, "cylinder", f"one place in x: {facts['cylinders']:,} of them"),
        (top + 74, BLUE, "track", "what a group of active tips passes there:"),
        (top + 94, BLUE, "", f"{facts['tracks_per_cylinder']} a cylinder"),
        (top + 3.6 * step + 4, ORANGE, "row", f"one place in y: {rows} a track;"),
        (
            top + 3.6 * step + 24,
            ORANGE,
            "",
            f"{facts['blocks_per_row']} blocks of {facts['block_bytes']} bytes",
        ),
        (top + 6 * step, INK, "tip sector", f"where they cross: {data},"),
        (top + 6 * step + 20, INK, "", bits),
        (top + 8 * step, INK, "block (LBN)", f"{parameters['tips_per_block']} tip sectors of one row,"),
        (top + 8 * step + 20, INK, "", "each under another tip"),
    )
    for y, ink, word, meaning in lines:
        picture.text(notes, y, word, ink, more='font-weight="bold"')
        picture.text(notes + 92, y, meaning)


def draw_way() -> None:
    """The pieces that a request goes through, from the workload to the record."""
    picture = Picture(980, 300, "The way of a request")
    boxes = (
        ("Workload", "trace or generator:", "which request, when"),
        ("Volume", "array, cache, hierarchy:", "which devices"),
        ("Scheduler", "queue of a device:", "which request next"),
        ("Device", "sled, disk, card:", "how long, what energy"),
        ("Record", "a row for each request:", "phases, energy, place"),
    )
    width, gap, top = 160, 36, 90
    for at, (name, *lines) in enumerate(boxes):
        x = 20 + at * (width + gap)
        picture.box(x, top, width, 84, "#ebf8ff", BLUE, 'rx="8"')
        picture.text(x + width / 2, top + 26, name, size=16, at="middle", more='font-weight="bold"')
        for line, words in enumerate(lines):
            picture.text(x + width / 2, top + 50 + 18 * line, words, GREY, at="middle")
        if at:
            picture.line(x - gap + 2, top + 42, x - 3, top + 42, ends=">")
    second, fourth = 20 + 1 * (width + gap), 20 + 3 * (width + gap)
    picture.line(fourth + width / 2, top + 86, fourth + width / 2, top + 120)
    picture.line(fourth + width / 2, top + 120, second + width / 2, top + 120)
    picture.line(second + width / 2, top + 120, second + width / 2, top + 88, ends=">")
    picture.text(490, top + 138, "a part is done: the volume says what goes on", GREY, at="middle")
    first = 20 + width / 2
    picture.line(second + 20, top + 88, second + 20, top + 160)
    picture.line(second + 20, top + 160, first, top + 160)
    picture.line(first, top + 160, first, top + 88, ends=">")
    picture.text(20, top + 180, "the request is complete: a closed loop issues the next", GREY)
    picture.text(20, 30, "The way of a request", size=16, more='font-weight="bold"')
    picture.text(
        20, 52, "The engine is the clock behind all of them: it calls whoever is next in time.", GREY
    )
    picture.write("request")


def draw_phases(device: sledsim.Device) -> None:
    """The phases of one simulated response, to scale."""
    rows = sledsim.simulate(device, sledsim.demo_trace(), scheduler="sptf", scale=16).requests.to_pylist()
    row = next(
        row
        for row in rows
        if row["settle_ns"] and row["turnarounds"] and row["switches"] and row["rows"] > 4
        if row["start_ns"] - row["arrival_ns"] > 2 * row["overhead_ns"] and row["bus_ns"]
    )
    picture = Picture(980, 330, "The phases of a response")
    kind, size = "write" if row["write"] else "read", row["blocks"] / 2
    picture.text(20, 30, "The phases of a response", size=16, more='font-weight="bold"')
    picture.text(
        20,
        52,
        f"A {kind} of {size:.0f} KiB on {device.name}, to scale: request of `sledsim run demo --scale 16`",
        GREY,
    )
    left, scale = 20.0, 940 / row["response_ns"]
    queue_ns = row["start_ns"] - row["arrival_ns"] - row["overhead_ns"]
    phases = (
        ("overhead", row["overhead_ns"], GREY),
        ("queue", queue_ns, VIOLET),
        ("positioning", row["positioning_ns"], BLUE),
        ("transfer and switches", row["transfer_ns"] + row["switch_ns"], GREEN),
        ("bus", row["bus_ns"], RED),
    )
    x = left
    for name, time_ns, ink in phases:
        width = time_ns * scale
        picture.box(x, 120, width, 44, ink, "white")
        label = f"{time_ns / 1e6:.2f} ms"
        if width > 60:
            picture.text(x + width / 2, 140, name, "white", at="middle")
            picture.text(x + width / 2, 156, label, "white", 11, "middle")
        else:
            picture.text(x + width, 112, f"{name} {label}", ink, 12, "end")
        if name == "positioning":
            _positioning(picture, row, x, scale)
        x += width
    for at, words, side in (
        (left, "arrival", "start"),
        (left + (queue_ns + row["overhead_ns"]) * scale, "service begins", "middle"),
        (x, "completion", "end"),
    ):
        picture.line(at, 84, at, 118, GREY, 1)
        picture.text(at, 80, words, GREY, 12, side)
    start = left + (queue_ns + row["overhead_ns"]) * scale
    picture.line(left, 296, x, 296, ends="<>")
    picture.text(left + 4, 316, f"response {row['response_ns'] / 1e6:.2f} ms")
    picture.line(start, 272, x, 272, ends="<>")
    picture.text(x, 266, "service", at="end")
    picture.write("phases")


def _positioning(picture: Picture, row: dict[str, int], x: float, scale: float) -> None:
    """Below positioning: x and y run at once, and the longer one counts."""
    axes = (
        ("x", (("seek", row["seek_x_ns"], "#63b3ed"), ("settle", row["settle_ns"], "#4299e1"))),
        ("y", (("seek", row["seek_y_ns"], "#f6ad55"), ("turn", row["turnaround_ns"], ORANGE))),
    )
    for line, (axis, parts) in enumerate(axes):
        y, at = 176 + 34 * line, x
        picture.text(at - 6, y + 18, axis, at="end")
        for name, time_ns, ink in parts:
            width = time_ns * scale
            picture.box(at, y, width, 26, ink, "white")
            fits = width > 34
            picture.text(
                at + width / 2, y + (17 if fits else 42), name, "white" if fits else ink, 12, "middle"
            )
            at += width


if __name__ == "__main__":
    shown = sledsim.device("osdi00")
    draw_sled(shown)
    draw_way()
    draw_phases(shown)
