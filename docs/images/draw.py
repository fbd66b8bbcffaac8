"""Draw the pictures of the documentation to the scale of a device: ``python docs/images/draw.py``."""

from html import escape
from pathlib import Path

import sledsim

FOLDER = Path(__file__).parent
INK, GREY, PALE = "#1f2933", "#7b8794", "#e4e7eb"
BLUE, ORANGE, GREEN, RED, VIOLET = "#2b6cb0", "#dd6b20", "#2f855a", "#c53030", "#6b46c1"
#: Colour of a tip sector; a row is orange.
SECTOR = RED
#: Column and line of the tip whose region is also drawn enlarged.
CHOSEN = (6, 2)


class Picture:
    """An SVG picture, to which methods add shapes."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self.size, self.title, self.shapes = (width, height), title, list[str]()

    def box(
        self, x: float, y: float, width: float, height: float, fill: str, edge: str = "none", more: str = ""
    ) -> None:
        """Add a rectangle."""
        self.shapes.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}"'
            f' stroke="{edge}" {more}/>'
        )

    def line(
        self, x0: float, y0: float, x1: float, y1: float, ink: str = INK, width: float = 1.2, ends: str = ""
    ) -> None:
        """Add a line; `ends` is ``>`` for an arrow at its end, ``<>`` for arrows at both ends."""
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
        """Add a line of text."""
        self.shapes.append(
            f'<text x="{x:.1f}" y="{y:.1f}" fill="{ink}" font-size="{size}" text-anchor="{at}" {more}>'
            f"{escape(words)}</text>"
        )

    def svg(self) -> str:
        """Return the picture as the content of an SVG file."""
        width, height = self.size
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
            f' height="{height}" font-family="Helvetica, Arial, sans-serif" role="img">\n'
            f"<title>{escape(self.title)}</title>\n"
            '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"'
            f' orient="auto-start-reverse"><path d="M0,0 L8,4 L0,8 z" fill="{INK}"/></marker></defs>\n'
            f'<rect width="{width}" height="{height}" fill="white"/>\n'
        )
        return head + "\n".join(self.shapes) + "\n</svg>\n"

    def write(self, name: str) -> None:
        """Write the picture into the folder of pictures."""
        (FOLDER / f"{name}.svg").write_text(self.svg())


def draw_sled(device: sledsim.Device) -> None:
    """Draw the sled over its tips with cylinder, track and row, and one tip sector in its region."""
    parameters, facts = device.parameters, device.characteristics()
    picture = Picture(1120, 500, "The sled, and the region of one tip")
    picture.text(20, 30, f"The sled ({device.name}), seen from above", size=16, more='font-weight="bold"')
    picture.text(20, 52, f"{parameters['tips']:,} fixed tips (64 are drawn), each over its own region", GREY)
    left, top, side, count = 64, 104, 296, 8
    for x, y, axis in (
        (left - 30, top + side / 2, "x"),
        (left + side, top + side / 2, "x"),
        (left + side / 2, top - 30, "y"),
        (left + side / 2, top + side, "y"),
    ):
        _spring(picture, x, y, axis)
    picture.box(left, top, side, side, "#f7fafc", INK, 'stroke-width="2" rx="4"')
    cell = side / count
    for column in range(count):
        for row in range(count):
            ink = SECTOR if (column, row) == CHOSEN else ORANGE if row % 4 == 2 else None
            _tip(picture, left + column * cell, top + row * cell, cell, ink)
    picture.line(left, top + side + 54, left + 60, top + side + 54, ends="<>")
    picture.text(left + 66, top + side + 58, "x: seeks only")
    picture.line(left + 180, top + side + 68, left + 180, top + side + 40, ends="<>")
    picture.text(left + 190, top + side + 58, "y: data pass, either way")
    chosen_x, chosen_y = left + CHOSEN[0] * cell, top + CHOSEN[1] * cell
    picture.line(chosen_x + cell - 2, chosen_y + 2, 460, top, GREY, 0.8)
    picture.line(chosen_x + cell - 2, chosen_y + cell - 2, 460, top + side, GREY, 0.8)
    _region(picture, device, 460, top, side)
    _words(picture, device, facts, 700, top)
    picture.write("sled")


#: Position of a tip in its region, in shares of width and height; equal for all tips.
_X, _Y = 7 / 11, 3 / 9


def _tip(picture: Picture, x: float, y: float, cell: float, ink: str | None) -> None:
    """Draw a tip and its region; `ink` is the colour of the tip sector of an active tip, or empty."""
    picture.box(x + 3, y + 3, cell - 6, cell - 6, "#fffff0" if ink else "none", PALE)
    size = cell - 6
    column, line = x + 3 + size * (_X - 1 / 22), y + 3 + size * (_Y + 1 / 18)
    picture.box(column - 2.5, y + 3, 5, size, BLUE if ink else "#bee3f8")
    if ink:
        picture.box(column - 7, line - 3, 14, 6, ink)
    picture.shapes.append(f'<circle cx="{column:.1f}" cy="{line:.1f}" r="2" fill="{INK}"/>')


def _spring(picture: Picture, x: float, y: float, axis: str) -> None:
    """Draw a spring of 30 pixels from a point along an axis, and the frame at its outer end."""
    points = [(0.0, 0.0), *((5.0 * at, 6.0 if at % 2 else -6.0) for at in range(1, 6)), (30.0, 0.0)]
    turned = [(x + along, y + across) if axis == "x" else (x + across, y + along) for along, across in points]
    path = " ".join(f"{px:.1f},{py:.1f}" for px, py in turned)
    picture.shapes.append(f'<polyline points="{path}" fill="none" stroke="{GREY}" stroke-width="1.5"/>')
    outer = 0 if (x if axis == "x" else y) < 100 else 30
    if axis == "x":
        picture.box(x + outer - 3, y - 22, 6, 44, GREY)
    else:
        picture.box(x - 22, y + outer - 3, 44, 6, GREY)


def _region(picture: Picture, device: sledsim.Device, left: float, top: float, height: float) -> None:
    """Draw the region of one tip, with its columns of tip sectors."""
    width = 200
    stroke_um, length_um = (device.parameters[f"stroke_{axis}_nm"] / 1000 for axis in "xy")
    picture.text(left, 30, "The region of one tip", size=16, more='font-weight="bold"')
    picture.text(left, 52, f"{stroke_um:.0f} x {length_um:.0f} µm, not to scale", GREY)
    picture.box(left, top, width, height, "#fffff0", INK)
    across, along = width / 11, height / 9
    for column in range(1, 11):
        picture.line(left + column * across, top, left + column * across, top + height, PALE, 1)
    for row in range(1, 9):
        picture.line(left, top + row * along, left + width, top + row * along, PALE, 1)
    picture.box(left + 6 * across, top, across, height, "#90cdf4", BLUE)
    picture.box(left + 6 * across, top + 3 * along, across, along, SECTOR, INK)
    centre = (left + 6.5 * across, top + 3.5 * along)
    picture.shapes.append(f'<circle cx="{centre[0]:.1f}" cy="{centre[1]:.1f}" r="4" fill="{INK}"/>')
    picture.text(left + width / 2, top + height + 20, "the tip is over the red tip sector", GREY, at="middle")


def _words(
    picture: Picture, device: sledsim.Device, facts: dict[str, float | int], left: float, top: float
) -> None:
    """Draw a legend: the words, their colours and meanings."""
    parameters = device.parameters
    words = (
        ("cylinder", "#90cdf4", f"all tracks at one place in x; {facts['cylinders']:,} on the sled"),
        (
            "track",
            BLUE,
            f"the part of a cylinder under {parameters['active_tips']:,} tips that are",
            f"on together; {facts['tracks_per_cylinder']} in a cylinder",
        ),
        (
            "row",
            ORANGE,
            "the part of a track at one place in y;",
            f"{int(facts['rows_per_track'])} in a track, {facts['blocks_per_row']} blocks in a row",
        ),
        (
            "tip sector",
            SECTOR,
            f"the part of a row under one tip: {parameters['sector_data_bytes']} bytes in",
            f"{parameters['sector_encoded_bits']} bits, and {parameters['servo_bits']} bits of servo",
        ),
        (
            "block (LBN)",
            "none",
            f"{parameters['tips_per_block']} tip sectors of one row, each under",
            f"another tip: {facts['block_bytes']} bytes",
        ),
    )
    for at, (word, ink, *meaning) in enumerate(words):
        y = top + 14 + 62 * at
        picture.box(left, y - 11, 12, 12, ink, INK if ink == "none" else "none")
        picture.text(left + 20, y, word, more='font-weight="bold"')
        for line, text in enumerate(meaning):
            picture.text(left + 108, y + 18 * line, text, size=12)


def draw_way() -> None:
    """Draw the parts of the simulator through which a request passes, from the workload to the record."""
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
    picture.text(490, top + 138, "a part is complete: the volume issues the next", GREY, at="middle")
    first = 20 + width / 2
    picture.line(second + 20, top + 88, second + 20, top + 160)
    picture.line(second + 20, top + 160, first, top + 160)
    picture.line(first, top + 160, first, top + 88, ends=">")
    picture.text(20, top + 180, "the request is complete: a closed loop issues the next", GREY)
    picture.text(20, 30, "The way of a request", size=16, more='font-weight="bold"')
    picture.text(
        20, 52, "The engine is the clock behind all of them: it calls the piece with the next event.", GREY
    )
    picture.write("request")


def draw_phases(device: sledsim.Device) -> None:
    """Draw the phases of one simulated response, to scale."""
    rows = sledsim.simulate(device, sledsim.demo_trace(), scheduler="sptf", scale=16).requests.to_pylist()
    number, row = next(
        (number, row)
        for number, row in enumerate(rows)
        if row["settle_ns"] and row["turnarounds"] and row["switches"] and row["rows"] > 4
        if row["start_ns"] - row["arrival_ns"] > 2 * row["overhead_ns"] and row["bus_ns"]
    )
    picture = Picture(980, 366, "The phases of a response")
    kind, size = "write" if row["write"] else "read", row["blocks"] / 2
    picture.text(20, 30, "The phases of a response", size=16, more='font-weight="bold"')
    picture.text(
        20,
        52,
        f"A {kind} of {size:.0f} KiB on {device.name}, to scale: row {number} of `run demo --scale 16`",
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
            picture.text(x + width - 8, 108, f"{name} {label}", ink, 12, "end")
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
    moved = row["positioning_ns"] + row["transfer_ns"] + row["switch_ns"]
    for y, begin, time_ns, name in (
        (270, start, moved, "access"),
        (304, start, moved + row["bus_ns"], "service"),
        (338, left, row["response_ns"], "response"),
    ):
        end = begin + time_ns * scale
        picture.line(begin, y, end, y, ends="<>")
        picture.text(begin + 8, y + 17, f"{name} {time_ns / 1e6:.2f} ms", size=12)
    picture.write("phases")


def _positioning(picture: Picture, row: dict[str, int], x: float, scale: float) -> None:
    """Draw the motions in x and y below positioning: they run at once, and the longer one decides."""
    axes = (
        ("x", (("seek", row["seek_x_ns"], "#63b3ed"), ("settle", row["settle_ns"], "#4299e1"))),
        ("y", (("seek", row["seek_y_ns"], "#f6ad55"), ("turnaround", row["turnaround_ns"], ORANGE))),
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
