"""001-E-6, Figure 10: large requests over the distance in x.

Service time of a 256 KiB read after a seek in x.
"""

import math
from typing import Any

import numpy as np
import pyarrow
from numpy.typing import NDArray

from sledsim import Device, ParameterError, studies

from ..shared import Effect, Result, device, exactly, noted, stated

_SIZE_BYTES = 256 * 1024
#: Seek distances in cylinders, up to the longest. The paper's text states results for half of the cylinders,
#: the caption of Figure 10 for all of them.
_DISTANCES = (*range(0, 2500, 125), 2499)
_HALF = 1250


def run(quick: bool) -> Result:
    """Compute the service time of reads over the seek distance in x; `quick` simulates fewer reads."""
    model = device("osdi00")
    sweep: dict[str, Any] = {"size_bytes": _SIZE_BYTES, "distances_cylinders": _DISTANCES}
    study = studies.run("large-requests", model, count=1000 if quick else 5000, **sweep)
    exact = {reading: in_one_track(model, reading) for reading in ("best", "fixed")}
    best, fixed, simulated = map(_increases, (*exact.values(), study.table["service_s"].to_numpy()))
    half, far = (exactly(100 * increase) for increase in best)
    return Result(
        devices=[model],
        claims=[
            stated(
                "001-C13",
                Effect(f"service after {_HALF} cylinders, increase over no seek", "10", half),
                Effect("service after the longest seek, increase over no seek", "12", far),
            )
        ],
        tables={"Service of 256 KiB over the distance": _table(exact, study.table), "Simulated": study.table},
        charts={"Figure 10: large requests": study.plot},
        notes=noted("001-E-6", fixed=_text(*fixed), simulated=_text(*simulated)),
    )


def in_one_track(model: Device, directions: str) -> NDArray[np.float64]:
    """Compute the mean service in s of a read within one track of the edge cylinder, by seek distance in x.

    Args:
        model: Device that serves the reads.
        directions: Rule for the end at which the sled enters the rows of a read: "best" for the end that it
            reaches sooner, "fixed" for the mean over both ends.

    Returns:
        Service time in seconds for each distance. Positioning is the exact mean over all rows and both
        directions of departure, and over all rows at which the read can begin.

    Raises:
        ParameterError: A track of the device is too short for the read.
    """
    found = model.characteristics()
    track_m = model.locate(np.arange(found["rows_per_track"]) * found["blocks_per_row"])
    low_m = np.append(track_m["y_m"], track_m["y_m"][-1] + np.diff(track_m["y_m"])[-1])
    rows = math.ceil(_SIZE_BYTES / found["row_bytes"])
    if rows > found["rows_per_track"]:
        raise ParameterError(
            f"{model.name}: expected tracks of at least {rows} rows, the length of a read, found tracks of"
            f" {found['rows_per_track']} rows"
        )
    departure_m = np.concatenate([low_m[1:], low_m[:-1]])[:, np.newaxis]
    leaving = np.repeat([1, -1], len(low_m) - 1)[:, np.newaxis]
    y_s = np.array(
        [
            model.seek_y_s(departure_m, leaving, low_m[:-rows], 1),
            model.seek_y_s(departure_m, leaving, low_m[rows:], -1),
        ]
    )
    if directions == "best":
        y_s = y_s.min(axis=0)
    bit_m = model.parameters["bit_width_nm"] * 1e-9
    edge_m = track_m["x_m"][0]
    x_s = np.asarray(model.seek_x_s(edge_m + np.array(_DISTANCES) * bit_m, edge_m))
    positioning_s = [float(np.maximum(each_s, y_s).mean()) for each_s in x_s]
    return np.array(positioning_s) + rows * found["row_s"]


def _increases(service_s: NDArray[np.float64]) -> tuple[float, float]:
    """Return the relative increase of the service over that without a seek, at half and at full distance."""
    half, far = (float(service_s[_DISTANCES.index(at)] / service_s[0] - 1) for at in (_HALF, max(_DISTANCES)))
    return half, far


def _table(exact: dict[str, NDArray[np.float64]], simulated: pyarrow.Table) -> pyarrow.Table:
    """Return a table row per seek distance: exact services of `in_one_track` by rule, and simulated ones."""
    columns: dict[str, Any] = {"distance_cylinders": simulated["distance_cylinders"]}
    for reading, service_s in exact.items():
        columns[f"one_track_{reading}_direction_s"] = service_s
        columns[f"one_track_{reading}_direction_increase"] = service_s / service_s[0] - 1
    columns |= {"random_blocks_s": simulated["service_s"], "random_blocks_increase": simulated["increase"]}
    return pyarrow.table(columns)


def _text(half: float, far: float) -> str:
    return f"{half:.1%} after {_HALF} cylinders and {far:.1%} after the longest seek"
