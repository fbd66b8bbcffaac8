"""Reading of DiskSim's files of measured seek times, which have lines of ``cylinders, ms``."""

import re
from pathlib import Path

from .tokens import Place, fault, shown
from .values import DECIMAL, WHOLE

#: Longest seek time that a device file can have, in milliseconds.
LONGEST_MS = 1000.0
#: Largest number of cylinders of a drive.
CYLINDERS_MAX = 10**8
_HEADER = re.compile(r"Seek distances measured:\s*(\d{1,9})", re.ASCII)
#: Allowed number of fields in a line: cylinders, ms and, optionally, the standard deviation.
_FIELDS = (2, 3)


def measured_seeks(path: Path, text: str) -> tuple[list[tuple[int, float]], list[str]]:
    """Return the seeks (cylinders, ms) in a file of seek times, ascending, and notes on ignored lines.

    Raises:
        ParameterError: A line is wrong or not in ascending order, or the file has fewer than two seek times.
    """
    rows: list[tuple[int, float]] = []
    notes = []
    promised = None
    for number, line in enumerate(text.split("\n"), 1):
        place = Place(path, number)
        header = _HEADER.fullmatch(line.strip())
        if header is not None and number == 1:
            promised = int(header[1])
        elif line.strip():
            row = _row(line.strip(), place)
            if rows and row[0] <= rows[-1][0]:
                fault(
                    place,
                    f"expected more cylinders than in the previous line, {rows[-1][0]}, found {row[0]}",
                )
            if row[0] == 0:
                notes.append(f"{place}: ignored: a seek over 0 cylinders takes no time")
            else:
                rows.append(row)
    if len(rows) < 2:
        fault(path, f"expected at least two seek times, found {len(rows)}")
    if promised not in (None, len(rows)):
        notes.append(f"{Place(path, 1)}: the line states {promised} distances, but the file has {len(rows)}")
    return rows, notes


def _row(line: str, place: Place) -> tuple[int, float]:
    fields = [word.strip() for word in line.split(",")]
    is_row = len(fields) in _FIELDS and fields[0].isdecimal() and all(map(DECIMAL.fullmatch, fields[1:]))
    if not is_row or not WHOLE.fullmatch(fields[0]):
        fault(place, f"expected 'cylinders, ms', found {shown(line)}")
    cylinders, ms = int(fields[0]), float(fields[1])
    if cylinders > CYLINDERS_MAX or not 0 <= ms <= LONGEST_MS:
        expected = f"at most {CYLINDERS_MAX} cylinders and 0 to {LONGEST_MS:g} ms"
        fault(place, f"expected {expected}, found {shown(line)}")
    return cylinders, ms
