"""Verdicts on claims of paper 002 that follow from Table 1 alone, and on claims about its reference disk."""

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
#: Area in m² of the chip of paper 001 (section 2.1), which has the same tips and strokes.
_CHIP_M2 = 196e-6
#: Arrival rate in requests/s, low enough that no request finds another one on the device.
_RATE_PER_S = 1.0
_REQUESTS, _REQUESTS_QUICK = 20_000, 4_000
#: Mean accesses in ms that paper 002 prints for the disk (section 3.2) and for the sled (Table 2).
_DISK_ACCESS, _PRINTED_ACCESS = "12.2", "1.96"
_FACTOR = 5
_MORE = 100 * (_FACTOR - 1)


def cantilever_claims() -> list[Claim]:
    """Judge the claims of paper 002 that compare tips on cantilevers with tips over a sled (section 2.1)."""
    beams, sled = device(_CANTILEVERS), device(_SLED)
    # Paper 002 prints no distance between tips, so the stroke of a similar sled is taken instead.
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
    """Return the area of the medium that one tip reaches, in m²."""
    return float(model.parameters["stroke_x_nm"] * model.parameters["stroke_y_nm"]) * 1e-18


def parameter_claims(found: dict[str, float | int]) -> list[Claim]:
    """Judge the claims that follow from Table 1 alone; `found` holds the device's characteristics."""
    gross_gb = found["capacity_gross_bytes"] / 1e9
    return [
        stated("002-C1", found["settle_s"] * 1e3),
        stated("002-C2", found["turnaround_s"] * 1e3),
        stated("002-C3", gross_gb),
    ]


def disk_claims(sled_s: NDArray[np.float64], quick: bool) -> list[Claim]:
    """Judge claims on the reference disk: random accesses of the sled against those of the disk.

    `sled_s` has the access times of the sled in seconds; `quick` sends fewer requests to the disk.
    """
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
                f"increase of accesses per second, sled over {_DISK}",
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
            "the requests on which 002 measured the drive",
        ),
    ]
