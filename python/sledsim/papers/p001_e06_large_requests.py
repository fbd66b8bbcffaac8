"""001-E-6: Figure 10, the service time of a 256 KiB read over the distance in x."""

import math
from typing import Any

import pyarrow

from .. import device_studies
from ..models import Device, device
from .claims import Claim, claim
from .experiments import Result
from .findings import NEAR, Figure

_SIZE_BYTES = 256 * 1024
#: Half of the cylinders is in the text, all of them in the caption of Figure 10.
_DISTANCES = (*range(0, 2500, 125), 2499)
_HALF = 1250


def run(quick: bool) -> Result:
    """Sweep the distance in x; `quick` simulates fewer reads at each."""
    model = device("osdi00")
    sweep: dict[str, Any] = {"size_bytes": _SIZE_BYTES, "distances_cylinders": _DISTANCES}
    study = device_studies.run("large-requests", model, count=1000 if quick else 5000, **sweep)
    service = _in_one_track(study.table, model)
    near, far = study.table["service_s"][0].as_py(), study.table["service_s"][-1].as_py()
    half = study.table["service_s"][_DISTANCES.index(_HALF)].as_py()
    return Result(
        devices=[model],
        claims=[_penalty(service)],
        tables={
            "Service time of 256 KiB over the distance, within one track": service,
            "Simulated": study.table,
        },
        charts={"Figure 10: large requests": study.plot},
        notes=[
            "The verdict reads the request as lying within one track. Simulated reads begin at random blocks,"
            " and mostly go on to a second track: with the turnaround there all of them are longer, and the"
            f" increase is {half / near - 1:.1%} after {_HALF} cylinders, and {far / near - 1:.1%} after the"
            " longest seek.",
            "KB are binary in this paper. Command overhead and bus are left out.",
        ],
    )


def _in_one_track(simulated: pyarrow.Table, model: Device) -> pyarrow.Table:
    """The service of a read that begins at a row and ends in the same track, by the simulated positioning."""
    found = model.characteristics()
    row_bytes = found["blocks_per_row"] * found["capacity_bytes"] / found["blocks"]
    transfer_s = math.ceil(_SIZE_BYTES / row_bytes) * found["row_s"]
    service_s = [positioning_s + transfer_s for positioning_s in simulated["positioning_s"].to_pylist()]
    return pyarrow.table(
        {
            "distance_cylinders": simulated["distance_cylinders"],
            "service_s": service_s,
            "increase": [value / service_s[0] - 1 for value in service_s],
        }
    )


def _penalty(service: pyarrow.Table) -> Claim:
    increase = dict(
        zip(service["distance_cylinders"].to_pylist(), service["increase"].to_pylist(), strict=True)
    )
    half, far = (100 * (1 + increase[distance]) for distance in (_HALF, max(increase)))
    return claim(
        "001-C13",
        "The distance in x matters little to a large request: 10 % more time after half of the cylinders,"
        " 12 % after all of them; read as a request within one track, service over that at no distance.",
        Figure(f"service after {_HALF} cylinders over none", "110", half, "%", exact=NEAR),
        Figure("service after the longest seek over none", "112", far, "%", exact=NEAR),
    )
