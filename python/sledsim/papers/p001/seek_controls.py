"""Seek controls that 001-E-13 compares, and measurements of seeks, schedulers and layouts under each."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sledsim import Device
from sledsim.results import Curves
from sledsim.studies import Region

from ..shared import device, ends, response_curves
from ..shared.policy_curves import POLICIES, RESPONSE
from ..shared.random_requests import random_costs
from .file_layouts import access_columns, file_layouts, mean_accesses_s

SLEW, LINEAR, CRITICAL = "slew and settle", "linear, damping 0.7", "linear, damping 1"
FAST = "linear, damping 0.7, four times as fast"
_LINEAR = {"seek_model": "linear-system"}
#: Parameters of `osdi00` for each seek control. No paper prints a feedback loop, so that these are assumed: a
#: loop at the resonant frequency with two dampings (001-D16), and a loop that is about as fast in x as slew
#: and settle.
CONTROLS: Mapping[str, Mapping[str, Any]] = {
    SLEW: {},
    LINEAR: {**_LINEAR, "loop_damping": 0.7},
    CRITICAL: {**_LINEAR, "loop_damping": 1.0},
    FAST: {**_LINEAR, "loop_damping": 0.7, "loop_frequency_hz": 4 * 739.0},
}
_DISTANCES_UM = (0.04, 0.1, 0.3, 1.0, 3.0, 10.0, 33.0, 60.0, 100.0)
_COSTS, _SEEKS = 20_000, 20_000
OTHERS = ("fcfs", "sstf_lbn", "clook_lbn")


def controlled(control: str) -> Device:
    """Return the device `osdi00` with a seek control, given by its name in `CONTROLS`."""
    return device("osdi00").with_parameters(**CONTROLS[control])


def seek_rows(controls: Sequence[str] = tuple(CONTROLS)) -> list[dict[str, Any]]:
    """Return a table row per control and distance: the seek time in x, settling included.

    Each seek starts and ends at the same distance from the centre.
    """
    half_m = np.array(_DISTANCES_UM) * 0.5e-6
    return [
        {"control": control, "distance_m": 2 * float(half), "seek_s": float(seek_s)}
        for control in controls
        for half, seek_s in zip(half_m, np.ravel(controlled(control).seek_x_s(-half_m, half_m)), strict=True)
    ]


def cost_row(control: str) -> dict[str, Any]:
    """Return a table row for a seek control: mean seeks of random requests, and share where y is longer."""
    costs = random_costs(controlled(control), _COSTS)
    return {
        "control": control,
        "mean_x_s": float(costs.x_s.mean()),
        "mean_y_s": float(costs.y_s.mean()),
        "mean_positioning_s": float(costs.positioning_s.mean()),
        "y_decides": float((costs.y_s > costs.x_s).mean()),
    }


def subregion_row(control: str) -> dict[str, Any]:
    """Return a table row for a seek control: mean seeks in the centremost subregion, in a corner, anywhere.

    The subregions are those of 001-E-5. All three places get the same random draws.
    """
    model = controlled(control)
    side = Region.of(model).columns
    fifth = side // 5
    centre_s, corner_s, anywhere_s = (
        _mean_within(model, low, size)
        for low, size in ((-fifth / 2, fifth), (-side / 2, fifth), (-side / 2, side))
    )
    return {
        "control": control,
        "centre_s": centre_s,
        "corner_s": corner_s,
        "anywhere_s": anywhere_s,
        "corner_over_centre": corner_s / centre_s,
        "centre_over_anywhere": centre_s / anywhere_s,
    }


def _mean_within(model: Device, low_bits: float, size_bits: int) -> float:
    """Return the mean seek in s between random tip sectors of a square, whose side is `size_bits`.

    The square begins at `low_bits` on both axes. A seek leaves a tip sector at a random end, and enters the
    next one at the end that is reached sooner.
    """
    region, own = Region.of(model), model.parameters
    sector_bits = own["sector_encoded_bits"] + own["servo_bits"]
    x0, x1, y0, y1, way = np.random.default_rng(1).random((5, _SEEKS))
    x_s = model.seek_x_s(*(region.length_m(low_bits + size_bits * at) for at in (x0, x1)))
    start, target = (low_bits + (size_bits - sector_bits) * at for at in (y0, y1))
    direction = np.where(way < 0.5, 1, -1)
    left_m = region.length_m(start + sector_bits * (direction > 0))
    y_s = np.minimum(
        model.seek_y_s(left_m, direction, region.length_m(target), 1),
        model.seek_y_s(left_m, direction, region.length_m(target + sector_bits), -1),
    )
    return float(np.maximum(x_s, y_s).mean())


def layout_rows(control: str, files: int, seeds: int) -> list[dict[str, Any]]:
    """Return a table row per layout of 001-E-7: mean access to whole files, also over random placement."""
    settle_ms = device("osdi00").parameters["settle_ms"]
    means = {
        name: mean_accesses_s(layout, files, seeds)
        for name, layout in file_layouts(settle_ms, **CONTROLS[control]).items()
    }
    return [
        {"control": control, "layout": name, **access_columns(own, means["random"])}
        for name, own in means.items()
    ]


def load_curves(control: str, loads: Sequence[float], count: int, replications: int) -> Curves:
    """Run the four policies at loads given as shares of the random 4 KiB requests served per second."""
    model = controlled(control)
    rates = [load * model.characteristics()["random_4k_per_s"] for load in loads]
    return response_curves(model, list(POLICIES), rates, count=count, replications=replications)


def gap_rows(control: str, curves: Curves) -> list[dict[str, Any]]:
    """Return a table row per policy and load: mean response under SPTF over that under this policy."""
    served_per_s = controlled(control).characteristics()["random_4k_per_s"]
    return [
        {
            "control": control,
            "other": other,
            "load": round(found.load / served_per_s, 6),
            "rate_per_s": found.load,
            **ends("ratio", found.ratio),
            "difference_s": found.difference.value,
        }
        for other in OTHERS
        for found in curves.difference("sptf", other, RESPONSE)
    ]
