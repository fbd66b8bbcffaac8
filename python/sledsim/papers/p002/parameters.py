"""Claims that follow from Table 1 of 002 alone, and those on the disk that it compares with."""

import numpy as np
from numpy.typing import NDArray

from sledsim import Device
from sledsim.estimates import Estimate, batch_means

from ..shared import (
    Claim,
    Effect,
    Figure,
    Range,
    Statement,
    Verdict,
    device,
    simulate,
    stated,
    workload,
)
from ..shared.intervals import over_independent

_DISK = "cheetah4lp"
_SLED, _CANTILEVERS = "sigmetrics00", "sigmetrics00-cantilevers"
#: The footprint of the design that 001 gives (section 2.1), with as many tips and as long strokes.
_CHIP_M2 = 196e-6
#: So few a second that none finds another one.
_RATE_PER_S = 1.0
_REQUESTS, _REQUESTS_QUICK = 20_000, 4_000
#: Mean accesses as 002 prints them in ms: of the disk (section 3.2), and of the sled (Table 2).
_DISK_ACCESS, _PRINTED_ACCESS = "12.2", "1.96"
_FACTOR = 5
_MORE = 100 * (_FACTOR - 1)


def cantilever_claims() -> list[Claim]:
    """The claims of 002 on tips on cantilevers and on sleds (section 2.1)."""
    beams, sled = device(_CANTILEVERS), device(_SLED)
    # Tips are taken to be as far apart as a sled of the same kind moves: 002 prints no distance.
    beam = Figure("area", "1", 100 * _reached_m2(beams) / _reached_m2(sled), "%")
    chip = Range("area", "30", "50", 100 * sled.parameters["tips"] * _reached_m2(sled) / _CHIP_M2)
    return [
        stated(
            "002-C17",
            *(
                Statement(what, printed, one.found, one.verdict is Verdict.REPRODUCED, in_shape=True)
                for what, printed, one in (
                    ("area that tips on cantilevers reach, in %", "about 1", beam),
                    ("area of a chip of 196 mm² that a sled lets tips reach, in %", "30 to 50", chip),
                )
            ),
        ),
        stated(
            "002-C18",
            Range(
                "capacity on cantilevers, in MB",
                "10",
                "99",
                beams.characteristics()["capacity_gross_bytes"] / 1e6,
            ),
        ),
    ]


def _reached_m2(model: Device) -> float:
    """The area that one tip reaches."""
    return float(model.parameters["stroke_x_nm"] * model.parameters["stroke_y_nm"]) * 1e-18


def parameter_claims(found: dict[str, float | int]) -> list[Claim]:
    """The claims that follow from Table 1 alone; `found` are the device's characteristics."""
    gross_gb = found["capacity_gross_bytes"] / 1e9
    return [
        stated("002-C1", found["settle_s"] * 1e3),
        stated("002-C2", found["turnaround_s"] * 1e3),
        stated("002-C3", gross_gb),
    ]


def disk_claims(sled_s: NDArray[np.float64], quick: bool) -> list[Claim]:
    """Accesses of the sled beside those of a Cheetah, which is simulated, for reads of the mean size."""
    model = device(_DISK)
    count = _REQUESTS_QUICK if quick else _REQUESTS
    alone = workload("random", model, rate=_RATE_PER_S, reads=1, sizes="fixed", count=count)
    disk_s = simulate(model, alone, "fcfs").response_ns * 1e-9
    disk, sled = batch_means(disk_s), batch_means(sled_s)
    times = over_independent(disk, sled)
    return [
        stated(
            "002-C10",
            Effect(
                f"accesses a second of the sled over those of {_DISK}, how many more",
                str(_MORE),
                Estimate(100 * (times.value - 1), 100 * times.half_width, times.count),
            ),
            disk_ms=_DISK_ACCESS,
            sled_ms=_PRINTED_ACCESS,
            factor=float(_DISK_ACCESS) / float(_PRINTED_ACCESS),
        ),
        stated(
            "002-C11",
            Figure("mean access of the disk", _DISK_ACCESS, disk.value * 1e3, "ms"),
            "the requests that 002 measured the drive with",
        ),
    ]
