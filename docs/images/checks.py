"""Draws how far checks are off, by the tables of validation.md: ``python -m docs.images.checks``."""

import re
from collections.abc import Iterator

import sledsim

from .draw import BLUE, GREEN, GREY, INK, ORANGE, PALE, RED, VIOLET, Picture
from .pages import rows_of

_PAGE = "background/validation.md"
#: The most that is drawn to scale, in per cent; what is farther off stands at the edge, with its figure.
_FARTHEST = 12.5
_LEFT, _WIDTH, _TOP, _ROW = 330, 520, 92, 46


def checks() -> list[tuple[str, str, list[float], str]]:
    """Return each comparison: the subject, its reference, the deviations in per cent, and a colour."""
    runs = _column("run | DiskSim ms", 2)
    return [
        ("Characteristics of devices", "as their papers print them", list(_papers()), BLUE),
        ("Mean responses of 8 disks", "as measured", _column("drive | demerit, ms", 5), GREEN),
        ("Medians of the same", "as measured", _column("drive | demerit, ms", 6), GREEN),
        ("Disks by size of request", "in DiskSim", _sizes(), ORANGE),
        ("Arrays of disks", "in DiskSim", _column("array, unit | blocks", 4), ORANGE),
        ("The sled under random load", "in DiskSim", runs, RED),
        ("The same, with its seeks and services", "in DiskSim", _column("run | DiskSim ms", 4), VIOLET),
    ]


def picture() -> Picture:
    """A row of dots for each check, along per cent."""
    rows = checks()
    made = Picture(940, _TOP + _ROW * len(rows) + 56, "How far sledsim is from what it is checked against")
    made.text(20, 32, "How far from what it is checked against", size=17, more='font-weight="bold"')
    made.text(20, 54, "Each dot is a figure of sledsim over the one that it is compared with, less one", GREY)
    bottom = _TOP + _ROW * len(rows)
    for percent in range(-10, 11, 5):
        made.line(_x(percent), _TOP - 8, _x(percent), bottom, INK if percent == 0 else PALE)
        made.text(_x(percent), bottom + 20, f"{percent:+} %" if percent else "equal", GREY, at="middle")
    for at, (what, beside, offs, colour) in enumerate(rows):
        y = _TOP + _ROW * at + _ROW / 2
        made.text(20, y - 2, what)
        made.text(20, y + 15, f"{beside}; {len(offs)} figures", GREY, 12)
        for off in offs:
            made.shapes.append(
                f'<circle cx="{_x(off):.1f}" cy="{y:.1f}" r="5" fill="{colour}" fill-opacity="0.55"/>'
            )
        if far := max((off for off in offs if abs(off) > _FARTHEST), key=abs, default=None):
            made.text(_x(far), y - 9, f"{far:+.0f} %", GREY, 11, at="middle")
    return made


def _x(percent: float) -> float:
    """Return the x of a deviation."""
    return _LEFT + _WIDTH * (0.5 + max(-_FARTHEST, min(_FARTHEST, percent)) / (2 * _FARTHEST))


def _papers() -> Iterator[float]:
    """Yield the deviations of the characteristics of each device from the figures in its paper."""
    for name in sledsim.devices():
        device = sledsim.device(name)
        found = device.characteristics()
        yield from (100 * (found[key] / figure - 1) for key, (figure, _) in device.paper.items() if figure)


def _column(begin: str, at: int) -> list[float]:
    """All per cent of a column; both ends of a range."""
    return [float(off) for row in rows_of(_PAGE, begin) for off in re.findall(r"[-+]?\d+\.\d+", row[at])]


def _sizes() -> list[float]:
    """Per cent in parentheses, wherever they are in that table."""
    cells = (cell for row in rows_of(_PAGE, "blocks | 8") for cell in row)
    return [float(off) for cell in cells for off in re.findall(r"\(([-+]?\d+\.\d+)\)", cell)]


if __name__ == "__main__":
    picture().write("checks")
