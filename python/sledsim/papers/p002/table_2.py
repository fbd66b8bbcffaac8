"""Table 2 of paper 002, computed under each combination of readings of the rules that it leaves open."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sledsim import Device

from ..shared import SHAPE, Figure, Finding, Statement, Trial, reading
from ..shared.random_requests import Costs
from .directions import prefer_up

_MS = 1e3


@dataclass(frozen=True, eq=False)
class Read:
    """Table 2 of paper 002, computed under one combination of readings.

    Attributes:
        trial: Findings on the numbers of Table 2: two each on seeks, turnarounds, transfers and services, in
            this order.
        costs: Components of the service time of each request.
        transfer_s: Transfer time of each request in seconds; some readings compute it in another way than
            `costs` does.
    """

    trial: Trial
    costs: Costs
    transfer_s: NDArray[np.float64]

    def part(self, at: int) -> Sequence[Finding]:
        """Return the two findings on seeks (`at` is 0), turnarounds (1), transfers (2) or services (3)."""
        return self.trial.findings[2 * at : 2 * at + 2]


def read_table_2(model: Device, costs: dict[str, Costs], seed: int = 1) -> list[Read]:
    """Compute Table 2 under every combination of readings.

    Args:
        model: Device that serves the requests.
        costs: Costs of the random workload by access mode; each mode has one turnaround per switch.
        seed: Seed of the workload.
    """
    found = model.characteristics()
    up = costs["bidirectional"]
    directions = {
        ("column", "chained"): costs["parity"],
        ("better", "chained"): costs["bidirectional"],
        ("up", "chained"): prefer_up(model, up, seed),
        ("up", "independent"): prefer_up(model, up, seed, chained=False),
    }
    bits = 8 * int(model.parameters["sector_data_bytes"])
    transfers = {
        "straddle": up.transfer_s,
        "row": np.full(len(up.rows), float(found["row_s"])),
        "data-bits": np.full(len(up.rows), bits / float(found["tip_bits_per_s"])),
    }
    return [
        Read(_trial(direction, departure, name, own, transfer_s), own, transfer_s)
        for name, transfer_s in transfers.items()
        for (direction, departure), own in directions.items()
    ]


def _trial(
    direction: str, departure: str, transfer: str, costs: Costs, transfer_s: NDArray[np.float64]
) -> Trial:
    readings = (
        reading(f"002-direction/{direction}"),
        reading(f"002-departure/{departure}"),
        reading(f"002-transfer/{transfer}"),
    )
    turns, turn_ms = float(np.mean(costs.turnarounds)), float(costs.turnaround_s.mean()) * _MS
    service_s = costs.positioning_s + transfer_s
    return Trial(
        readings,
        (
            *_mean_and_deviation("seek", "1.81", "0.42", costs.positioning_s),
            Statement(
                "number of turnarounds in a seek",
                f"slightly fewer than one; read as within {100 * SHAPE:g} % of one",
                f"{turns:.2f}",
                holds=1 - SHAPE <= turns < 1,
            ),
            Figure("mean time of turnarounds in a request", "0.31", turn_ms, "ms"),
            *_mean_and_deviation("transfer", "0.16", "0.21", transfer_s),
            *_mean_and_deviation("service", "1.96", "0.46", service_s),
        ),
    )


def _mean_and_deviation(
    what: str, mean: str, deviation: str, times_s: NDArray[np.float64]
) -> tuple[Figure, Figure]:
    return (
        Figure(f"mean {what}", mean, float(times_s.mean()) * _MS, "ms"),
        Figure(f"standard deviation of {what}s", deviation, float(times_s.std()) * _MS, "ms"),
    )
