"""Import of the seek times of DiskSim's ``dm_mech_g1``, in each of its forms, as a curve and a formula.

A curve is a list of [cylinders, ms], connected by straight lines. A formula [d0, a, b, c, e] gives the times
of longer seeks over d cylinders: a + b sqrt(d) if d < d0, otherwise c + e d.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from .block_parameters import Parameters
from .keys import DERIVED, MEASURED, STATED, Keys
from .seek_file import CYLINDERS_MAX, LONGEST_MS, measured_seeks
from .tokens import Files, Place, fault

#: DiskSim's parameter with the six values of the formula of seek times.
_HPL = "HPL seek equation values"
#: Largest error in milliseconds of straight lines between the points of a curve; DiskSim prints fewer digits.
TABLE_ERROR_MS = 1e-4


@dataclass(frozen=True)
class Mechanics:
    """Blocks and files from which the seek times of a drive are read, and the keys that receive them."""

    model: Parameters
    mech: Parameters
    files: Files
    keys: Keys

    @property
    def cylinders(self) -> int:
        """Number of cylinders of the drive."""
        return self.model.whole("Number of cylinders", 1, CYLINDERS_MAX)

    def ms(self, name: str) -> float:
        """Return the value of a parameter that is a time in milliseconds."""
        return self.mech.number(name, 0.0, LONGEST_MS)

    def put_curve(self, rows: list[list[float]], name: str, said: str = "", kind: str = STATED) -> None:
        """Set the key ``seek_curve`` to a list of [cylinders, ms] that comes from the parameter `name`."""
        self.keys.keep("seek_curve", self.mech, name, rows, said, kind)


def seeks(drive: Mechanics) -> None:
    """Set the keys of seek times.

    Raises:
        ParameterError: The type is unknown, or a parameter that it needs is missing or wrong.
        OSError: The file of a curve cannot be read.
    """
    name = drive.mech.word("Seek type")
    if name not in SEEK_TYPES:
        known = ", ".join(SEEK_TYPES)
        fault(drive.mech.place("Seek type"), f"Seek type = {name}: expected one of {known}")
    SEEK_TYPES[name](drive)


def _extracted(drive: Mechanics) -> None:
    name = drive.mech.word("Full seek curve")
    asked_by = drive.mech.place("Full seek curve")
    path = asked_by.path.parent / name
    rows, notes = measured_seeks(path, drive.files.text(path, asked_by))
    drive.keys.notes += notes
    said = "cylinders, ms"
    first, first_ms = rows[0]
    if first > 1:
        rows.insert(0, (1, first_ms / first))
        said += f"; below {first} cylinders a straight line to 0, as in DiskSim"
    drive.keys.put("seek_curve", [list(row) for row in rows], Place(path, 1), said, MEASURED)


def _formula(drive: Mechanics) -> tuple[list[float], float]:
    """Import the formula of Ruemmler and Wilkes, values V1 to V5; return it, and V6 (one cylinder) in ms."""
    *values, one = drive.mech.numbers(_HPL, 6)
    if values[0] != int(values[0]) or min(values) < 0 or (one < 0 and one != -1):
        expected = "whole cylinders V1, V2 to V5 of 0 or more and V6 of 0 or more or -1"
        fault(drive.mech.place(_HPL), f"{_HPL}: expected {expected}, found {[*values, one]}")
    formula = [int(values[0]), *values[1:]]
    drive.keys.keep("seek_formula", drive.mech, _HPL, [formula], f"{_HPL}: V1 to V5")
    return formula, one


def _hpl(drive: Mechanics) -> None:
    formula, one = _formula(drive)
    limit, a, b, c, e = formula
    said, kind = "V6, one cylinder", STATED
    if one == -1:
        kind = DERIVED
        one, said = (a + b, "V2 + V3") if limit > 1 else (c + e, "V4 + V5")
    drive.put_curve([[1, one]], _HPL, f"{_HPL}: {said}", kind)


def _hpl_plus_10(drive: Mechanics) -> None:
    _formula(drive)
    name = "First ten seek times"
    times = drive.mech.numbers(name, 10)
    if not all(0 <= ms <= LONGEST_MS for ms in times):
        fault(drive.mech.place(name), f"{name}: expected 0 to {LONGEST_MS:g} ms, found {times}")
    drive.put_curve([[cylinders, ms] for cylinders, ms in enumerate(times, 1)], name)


def _three_points(drive: Mechanics) -> tuple[float, float, float]:
    name = "Number of cylinders"
    if drive.cylinders < 4:
        place = drive.model.place(name)
        fault(place, f"{name} = {drive.cylinders}: expected 4 or more for seeks by three points")
    one, average = drive.ms("Single cylinder seek time"), drive.ms("Average seek time")
    return one, average, drive.ms("Full strobe seek time")


def _linear(drive: Mechanics) -> None:
    one, average, full = _three_points(drive)
    rows = [[1, one], [drive.cylinders / 3, average], [drive.cylinders - 1, full]]
    said = "Single cylinder seek time; Average seek time at a third of the way; Full strobe seek time"
    drive.put_curve(rows, "Single cylinder seek time", said)


def _curve(drive: Mechanics) -> None:
    """Import a curve: points of Lee and Katz's equation, c + b (d - 1) + a sqrt(d - 1), d in cylinders."""
    one, average, full = _three_points(drive)
    cylinders = drive.cylinders
    a = (-10 * one + 15 * average - 5 * full) / (3 * math.sqrt(cylinders))
    b = (7 * one - 15 * average + 8 * full) / (3 * cylinders)
    if a < 0 or b < 0:
        place = drive.mech.place("Seek type")
        found = f"{one}, {average} and {full} ms give a = {a:g} and b = {b:g}"
        fault(place, f"Seek type = curve: {found}, expected 0 or more; linear takes any times")
    rows = [[1 + step, one + b * step + a * math.sqrt(step)] for step in _steps(a, cylinders - 2)]
    said = f"Seek type curve: {one:g} + {b:.6g} (d - 1) + {a:.6g} sqrt(d - 1), to {TABLE_ERROR_MS} ms"
    drive.put_curve(rows, "Seek type", said, DERIVED)


def _steps(a: float, last: int) -> list[int]:
    """Return distances at which a sqrt(step) has to be known so that lines between them are exact enough.

    A line from p^2 to (p + q)^2 is at most a q^2 / (4 (2 p + q)) below the root.
    """
    steps = [0]
    error = 4 * TABLE_ERROR_MS
    while steps[-1] < last:
        root = math.sqrt(steps[-1])
        q = (error + math.sqrt(error * error + 8 * error * a * root)) / (2 * a) if a > 0 else math.inf
        far = (root + q) ** 2
        steps.append(last if far >= last else max(int(far), steps[-1] + 1))
    return steps


def _constant(drive: Mechanics) -> None:
    name = "Constant seek time"
    ms = drive.ms(name)
    drive.put_curve([[1, ms], [2, ms]], name, f"{name}, for any distance")


#: Function that imports the seek times for each value of DiskSim's parameter "Seek type".
SEEK_TYPES: dict[str, Callable[[Mechanics], None]] = {
    "extracted": _extracted,
    "hpl": _hpl,
    "hplplus10": _hpl_plus_10,
    "curve": _curve,
    "linear": _linear,
    "constant": _constant,
}
