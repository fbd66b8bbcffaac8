"""002-E-1, Tables 1 and 2: the default device under the random workload.

100,000 random requests, and the parts of their service time.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...model.devices import Device
from ..shared.claims import Claim, noted, stated
from ..shared.experiments import Experiment, Result
from ..shared.figures import SHAPE, Bound, Figure
from ..shared.findings import Statement
from ..shared.perturbations import device
from ..shared.random_requests import Costs, random_costs
from .parameters import disk_claims, parameter_claims

_MS = 1e3
_MODES = ("parity", "bidirectional", "serpentine")
#: Seeks in the direction that the column fixes, and one turnaround a switch, which is what serpentine pays.
_USED = "parity_with_one_turnaround_a_switch"
_COUNT = 100_000
#: What the abstract and the conclusion of 002 say of mean services.
_BOUND_MS = 2


def run(quick: bool) -> Result:
    """Serve 100,000 random requests by the sled; `quick` lets the disk beside it serve fewer."""
    model = device("sigmetrics00")
    costs = readings(model)
    used, found = costs[_USED], model.characteristics()
    one_row_ms = found["mean_access_4k_s"] * _MS
    return Result(
        devices=[model, device("cheetah4lp")],
        claims=[
            *parameter_claims(found),
            *_seeks(costs, _longest_ms(model)),
            *_services(used, found["row_s"] * _MS, one_row_ms),
            *disk_claims(used.service_s, quick),
        ],
        tables={"Table 2 under each reading": _table_2(costs)},
        notes=noted(
            "002-E-1",
            rows=np.mean(used.rows),
            one_row_ms=one_row_ms,
            service_ms=used.service_s.max() * _MS,
            transfer_ms=used.transfer_s.max() * _MS,
            count=_COUNT,
        ),
    )


def readings(model: Device, count: int = _COUNT, seed: int = 1) -> dict[str, Costs]:
    """The random workload under each access mode, and in the reading that the verdicts use."""
    costs = {mode: random_costs(model.with_parameters(access_mode=mode), count, seed) for mode in _MODES}
    return {_USED: replace(costs["parity"], transfer_s=costs["serpentine"].transfer_s), **costs}


def _longest_ms(model: Device) -> dict[str, float]:
    """The longest seek along each axis: over the whole stroke, in y with a turnaround at either end."""
    x_m, y_m = (model.parameters[f"stroke_{axis}_nm"] * 0.5e-9 for axis in "xy")
    x_s, y_s = model.seek_x_s(-x_m, x_m), model.seek_y_s(-y_m, -1, y_m, -1)
    return {"x": float(x_s) * _MS, "y": float(y_s) * _MS}


def _seeks(costs: dict[str, Costs], longest_ms: dict[str, float]) -> list[Claim]:
    seek_ms = costs[_USED].positioning_s * _MS
    means, spreads = (
        [float(getattr(costs[mode].positioning_s, name)()) * _MS for mode in _MODES]
        for name in ("mean", "std")
    )
    return [
        stated(
            "002-C5",
            Figure("mean seek", "1.81", float(seek_ms.mean()), "ms"),
            Figure("standard deviation", "0.42", float(seek_ms.std()), "ms"),
            least_ms=min(means),
            most_ms=max(means),
            least_std_ms=min(spreads),
            most_std_ms=max(spreads),
        ),
        stated(
            "002-C6",
            Bound("maximum seek", "2.72", high=max(longest_ms.values()), unit="ms"),
            x=longest_ms["x"],
            y=longest_ms["y"],
        ),
        _turnarounds(costs["parity"], costs["bidirectional"]),
    ]


def _turnarounds(fixed: Costs, better: Costs) -> Claim:
    """Each reading of the direction of access beside what is printed."""
    counts = [float(np.mean(costs.turnarounds)) for costs in (fixed, better)]
    means_ms = [float(costs.turnaround_s.mean()) * _MS for costs in (fixed, better)]
    return stated(
        "002-C9",
        Statement(
            "turnarounds a seek",
            f"slightly fewer than one; read as within {100 * SHAPE:g} % of one",
            f"{counts[0]:.2f} with the direction fixed by the column, {counts[1]:.2f} with the better one",
            holds=any(1 - SHAPE <= count < 1 for count in counts),
        ),
        Figure("turnarounds per request, direction fixed", "0.31", means_ms[0], "ms"),
        fixed_ms=means_ms[0],
        better_ms=means_ms[1],
    )


def _services(costs: Costs, row_ms: float, one_row_ms: float) -> list[Claim]:
    transfer_ms, service_ms = costs.transfer_s * _MS, costs.service_s * _MS
    return [
        stated(
            "002-C7",
            Bound("mean transfer", "0.16", low=row_ms, unit="ms"),
            Figure("standard deviation", "0.21", float(transfer_ms.std()), "ms"),
            row_ms=row_ms,
            mean_ms=transfer_ms.mean(),
        ),
        stated(
            "002-C8",
            Figure("mean service", "1.96", float(service_ms.mean()), "ms"),
            Figure("standard deviation", "0.46", float(service_ms.std()), "ms"),
            Statement(
                "mean service, where no request straddles rows",
                "under 2 ms",
                f"{one_row_ms:.2f} ms; {service_ms.mean():.2f} ms where they may",
                holds=one_row_ms < _BOUND_MS,
                in_shape=True,
            ),
            mean_ms=transfer_ms.mean(),
            one_row_ms=one_row_ms,
        ),
    ]


def _table_2(costs: dict[str, Costs]) -> list[dict[str, Any]]:
    """Table 2 as printed, and as found in each reading of `costs`; seconds."""
    printed_ms = {
        "service": (1.96, 0.46, 5.03),
        "seek": (1.81, 0.42, 2.72),
        "transfer": (0.16, 0.21, 3.73),
        "turnarounds": (0.31, None, None),
    }
    found = {name: _times(cost) for name, cost in costs.items()}
    rows = []
    for part, figures in printed_ms.items():
        for name, printed in zip(("mean", "std", "max"), figures, strict=True):
            paper_s = None if printed is None else printed * 1e-3
            ours = {f"{mode}_s": float(getattr(times[part], name)()) for mode, times in found.items()}
            rows.append({"part": part, "figure": name, "paper_s": paper_s, **ours})
    return rows


def _times(cost: Costs) -> dict[str, NDArray[np.float64]]:
    return {
        "service": cost.service_s,
        "seek": cost.positioning_s,
        "transfer": cost.transfer_s,
        "turnarounds": cost.turnaround_s,
    }


ROW = Experiment.of(run, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11)
