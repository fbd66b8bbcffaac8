"""Draw pictures of figures from tables of the background pages: ``python -m docs.images.figures``."""

import re
from collections.abc import Callable, Sequence

from .draw import BLUE, GREEN, GREY, INK, ORANGE, PALE, RED, VIOLET, Picture
from .pages import rows_of, text_of
from .shares import shares_of_claims

_LEFT, _WIDTH, _ROW = 300, 560, 22
_VERDICTS = {
    "reproduced": GREEN,
    "shape": BLUE,
    "input not published": GREY,
    "not borne out": ORANGE,
    "contradicts": RED,
}


def costs() -> Picture:
    """Draw the processor time per request in each case of the benchmark, as bars."""
    rows = rows_of("background/performance.md", "case, for each request | instructions")
    times = [(case, float(ns.replace(",", ""))) for case, _, ns in rows]
    made = _titled("Nanoseconds of a processor for each request", len(times))
    most = max(ns for _, ns in times)
    for at, (case, ns) in enumerate(times):
        y = _row(made, at, case)
        made.box(_LEFT, y - 7, _WIDTH * ns / most, 14, BLUE)
        made.text(_LEFT + _WIDTH * ns / most + 6, y + 5, f"{ns:,.0f}", GREY, 12)
    return made


def gaps() -> Picture:
    """Draw the relative distance of the best order found, and of SPTF, from the lower bound."""
    rows = rows_of("background/bounds.md", "device | batch")
    made = _titled("Above the bound: the best order found (violet), and SPTF (orange)", len(rows), foot=True)
    most = 70.0
    for percent in range(0, 71, 10):
        x = _LEFT + _WIDTH * percent / most
        made.line(x, 56, x, 64 + _ROW * len(rows), PALE)
        made.text(x, 84 + _ROW * len(rows), f"{percent} %", GREY, 12, at="middle")
    for at, (device, batch, requests, *_, best, sptf) in enumerate(rows):
        y = _row(made, at, f"{device.strip('`')}, {requests} {batch}")
        ends = [_LEFT + _WIDTH * min(float(one.rstrip(" %")), most) / most for one in (best, sptf)]
        made.line(*_pair(ends, y), GREY)
        for x, ink in zip(ends, (VIOLET, ORANGE), strict=True):
            _dot(made, x, y, ink)
    return made


def shares() -> Picture:
    """Draw the share of plausible devices in which each claim holds, with its interval."""
    known = [
        (row["claim"], *(round(100 * float(row[name])) for name in ("share", "low", "high")))
        for row in shares_of_claims()
    ]
    made = _titled(
        "Share of plausible devices in which a claim holds, and its interval", len(known), foot=True
    )
    for percent in range(0, 101, 20):
        x = _LEFT + _WIDTH * percent / 100
        made.line(x, 56, x, 64 + _ROW * len(known), PALE)
        made.text(x, 84 + _ROW * len(known), f"{percent} %", GREY, 12, at="middle")
    for at, (claim, share, low, high) in enumerate(known):
        y = _row(made, at, claim)
        ends = [_LEFT + _WIDTH * one / 100 for one in (low, high)]
        made.line(*_pair(ends, y), INK, 2)
        ink = GREEN if low > 50 else RED if high < 50 else ORANGE
        made.shapes.append(
            f'<circle cx="{_LEFT + _WIDTH * share / 100:.1f}" cy="{y:.1f}" r="5" fill="{ink}"/>'
        )
    return made


def verdicts() -> Picture:
    """Draw the number of claims with each verdict, as one bar."""
    said = text_of("background/validation.md").partition("counts the verdicts: ")[2]
    counts = {name: int(re.search(rf"(\d+) {name}", said)[1]) for name in _VERDICTS}  # type: ignore[index]
    made = Picture(920, 150, "The verdicts on all claims")
    made.text(20, 30, f"{sum(counts.values())} claims of five papers", size=16, more='font-weight="bold"')
    x, scale = 20.0, 880 / sum(counts.values())
    for at, (name, count) in enumerate(counts.items()):
        made.box(x, 50, count * scale - 3, 40, _VERDICTS[name])
        made.text(x + count * scale / 2, 76, str(count), "white", 15, at="middle")
        made.text(x, 112 + 20 * (at % 2), name, _VERDICTS[name], 12)
        x += count * scale
    return made


def server() -> Picture:
    """Draw the parts of a served device through which a client's request passes."""
    made = Picture(920, 210, "The way of a request through a served device")
    made.text(20, 30, "A real program's request, and when it is answered", size=16, more='font-weight="bold"')
    parts = [
        ("program", "fio, qemu, ..."),
        ("nbd", "bytes to requests"),
        ("timing", "clock to time"),
        ("emulator", "the simulation"),
        ("store", "the contents"),
    ]
    for at, (name, about) in enumerate(parts):
        x = 20 + 180 * at
        made.box(x, 60, 140, 56, "#f7fafc", INK, 'rx="4"')
        made.text(x + 70, 84, name, at="middle", more='font-weight="bold"')
        made.text(x + 70, 104, about, GREY, 12, at="middle")
        if at:
            made.line(x - 38, 80, x - 2, 80, ends=">")
            made.line(x - 2, 98, x - 38, 98, ends=">")
    made.text(20, 150, "The request arrives in the simulation when the clock shows that time.")
    made.text(20, 172, "The simulation says when it completes. The answer waits until the clock shows that.")
    made.text(20, 194, "If the server is late, answers are late: what the device does stays the same.", GREY)
    return made


#: Functions that draw the pictures, by file name.
PICTURES: dict[str, Callable[[], Picture]] = {
    "costs": costs,
    "gaps": gaps,
    "shares": shares,
    "verdicts": verdicts,
    "server": server,
}


def _titled(title: str, rows: int, foot: bool = False) -> Picture:
    made = Picture(920, 76 + _ROW * rows + (24 if foot else 0), title)
    made.text(20, 30, title, size=16, more='font-weight="bold"')
    return made


def _row(made: Picture, at: int, words: str) -> float:
    """Write the label of row number `at`, and return the y of the row."""
    y = 68.0 + _ROW * at
    made.text(20, y + 5, words)
    return y


def _dot(made: Picture, x: float, y: float, ink: str) -> None:
    made.shapes.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{ink}"/>')


def _pair(ends: Sequence[float], y: float) -> tuple[float, float, float, float]:
    return ends[0], y, ends[1], y


if __name__ == "__main__":
    for name, draw in PICTURES.items():
        draw().write(name)
