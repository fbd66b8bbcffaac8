"""002-E-1, Tables 1 and 2: the default device under the random workload.

Service times of 100,000 random requests with their components.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sledsim import Device

from ..shared import Bound, Claim, Result, best, device, is_as_said, noted, stated
from ..shared.random_requests import Costs, random_costs
from .parameters import cantilever_claims, disk_claims, parameter_claims
from .table_2 import Read, read_table_2

_MS = 1e3
_MODES = ("parity", "bidirectional", "serpentine")
#: Name of the access mode that the claims on seeks assume: direction by parity of the column, and one
#: turnaround per switch.
_USED = "parity_with_one_turnaround_a_switch"
_COUNT = 100_000
#: Indices of the four quantities of Table 2, for `Read.part`: seeks, turnarounds, transfers, services.
_SEEKS, _TURNS, _TRANSFER, _SERVICE = range(4)
_TRANSFERS = 3
#: Bound of the mean service in ms that abstract and conclusion of paper 002 print.
_BOUND_MS = 2


def run(quick: bool) -> Result:
    """Serve 100,000 random requests by the sled; `quick` sends fewer requests to the reference disk."""
    model = device("sigmetrics00")
    costs = readings(model)
    found = model.characteristics()
    one_row_ms = found["mean_access_4k_s"] * _MS
    once = {mode: replace(own, transfer_s=costs["serpentine"].transfer_s) for mode, own in costs.items()}
    reads = read_table_2(model, once)
    used = _best(reads)
    return Result(
        devices=[model, device("sigmetrics00-cantilevers"), device("cheetah4lp")],
        claims=[
            *parameter_claims(found),
            *cantilever_claims(),
            *_seeks(used, reads, _longest_ms(model)),
            *_services(used, reads, one_row_ms),
            *disk_claims(costs[_USED].service_s, quick),
        ],
        trials={"Table 2 under each reading": [one.trial for one in reads]},
        notes=noted(
            "002-E-1",
            rows=np.mean(used.costs.rows),
            one_row_ms=one_row_ms,
            service_ms=costs[_USED].service_s.max() * _MS,
            transfer_ms=costs[_USED].transfer_s.max() * _MS,
            count=_COUNT,
        ),
    )


def _best(reads: Sequence[Read]) -> Read:
    """Return the `Read` whose readings reproduce most numbers of Table 2; among equals, the first."""
    trial = best([one.trial for one in reads])
    return next(one for one in reads if one.trial is trial)


def readings(model: Device, count: int = _COUNT, seed: int = 1) -> dict[str, Costs]:
    """Compute costs of the random workload by access mode, and with one turnaround per switch."""
    costs = {mode: random_costs(model.with_parameters(access_mode=mode), count, seed) for mode in _MODES}
    return {_USED: replace(costs["parity"], transfer_s=costs["serpentine"].transfer_s), **costs}


def _longest_ms(model: Device) -> dict[str, float]:
    """Return the longest seek in ms along x and along y, where the sled also turns around at both ends."""
    x_m, y_m = (model.parameters[f"stroke_{axis}_nm"] * 0.5e-9 for axis in "xy")
    x_s, y_s = model.seek_x_s(-x_m, x_m), model.seek_y_s(-y_m, -1, y_m, -1)
    return {"x": float(x_s) * _MS, "y": float(y_s) * _MS}


def _seeks(used: Read, reads: Sequence[Read], longest_ms: dict[str, float]) -> list[Claim]:
    means, spreads = (
        [float(getattr(one.costs.positioning_s, name)()) * _MS for one in reads] for name in ("mean", "std")
    )
    return [
        stated(
            "002-C5",
            *used.part(_SEEKS),
            readings=used.trial.readings[:2],
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
        stated(
            "002-C9",
            *used.part(_TURNS),
            readings=used.trial.readings[:2],
            others=_others(reads[: len(reads) // _TRANSFERS]),
        ),
    ]


def _others(reads: Sequence[Read]) -> str:
    """Return, as text, the mean time of turnarounds under each reading of the access direction."""
    means = (float(one.costs.turnaround_s.mean()) * _MS for one in reads)
    names = (" and ".join(rule.id.partition("/")[2] for rule in one.trial.readings[:2]) for one in reads)
    return ", ".join(f"{mean:.3f} ms ({name})" for mean, name in zip(means, names, strict=True))


def _services(used: Read, reads: Sequence[Read], one_row_ms: float) -> list[Claim]:
    # Choose the reading that reproduces most of the two transfer numbers, on which directions have no effect.
    transfer = max(reads, key=lambda one: sum(map(is_as_said, one.part(_TRANSFER))))
    service_ms = float((used.costs.positioning_s + reads[0].transfer_s).mean()) * _MS
    return [
        stated(
            "002-C7",
            *transfer.part(_TRANSFER),
            readings=transfer.trial.readings[2:],
            straddle_ms=reads[0].transfer_s.mean() * _MS,
            straddle_std_ms=reads[0].transfer_s.std() * _MS,
        ),
        stated(
            "002-C8",
            *used.part(_SERVICE),
            (f"{one_row_ms:.2f} ms; {service_ms:.2f} ms if they may", one_row_ms < _BOUND_MS),
            readings=used.trial.readings,
            mean_ms=used.transfer_s.mean() * _MS,
            one_row_ms=one_row_ms,
        ),
    ]
