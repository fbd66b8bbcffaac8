"""Figures of a run that are computed from its totals, without its columns."""

import math
from collections.abc import Mapping
from typing import Any

from .. import _native
from ..common.units import number

#: Figures of the busiest second and minute.
BUSIEST = [
    f"busiest_{name}_{figure}" for name in ("second", "minute") for figure in ("requests", "busy_share")
]
#: Ratio of the requests of the busiest second to those of a mean one from which they are a burst.
_BURST = 10


class RunTotals:
    """Figures of a run that are computed from its totals.

    Attributes:
        totals: Sums and figures over all requests, and figures of each device.
    """

    totals: Mapping[str, Any]

    @property
    def devices(self) -> list[dict[str, Any]]:
        """Activity of each device, as figures by name, with the unit in the name.

        ``share`` is the share of the requests that the device served, not counting background requests;
        ``mean_queue_length`` the mean number of requests at the device over time; ``energy_j`` its energy,
        including idle time. A disk whose file states no powers has 0 J.
        """
        rows, span_s = self.totals["devices"], self.span_s or math.nan
        waited_for = sum(row["requests"] for row in rows) or 1
        counts = ("requests", "background_requests", "blocks_read", "blocks_written")
        return [
            {
                "device": row["name"],
                "share": row["requests"] / waited_for,
                **{name: row[name] for name in counts},
                "mean_queue_length": row["in_system_s"] / span_s,
                "utilization": row["busy_s"] / span_s,
                "energy_j": sum(row["energy_by_use_j"].values()),
            }
            for row in rows
        ]

    @property
    def energy_by_use_j(self) -> dict[str, float]:
        """Energy of all devices by use, in joules; the sum is ``energy_j`` of `summary`.

        Energy of services is ``seek``, ``settle``, ``actuation``, ``tips``, ``electronics`` and ``startup``,
        like the columns of these names. Energy between services is ``idle``, ``shutdown`` and ``inactive``.
        A device without a sled counts all energy of services as ``electronics``.
        """
        uses: dict[str, float] = {}
        for row in self.totals["devices"]:
            for use, joules in row["energy_by_use_j"].items():
                uses[use] = uses.get(use, 0.0) + joules
        return uses

    @property
    def faults(self) -> dict[str, dict[str, float]]:
        """Counters of each device with faults, by name: failures, moved blocks, corrections, losses."""
        known = dict(_native.device_counters())["Faults"]
        return {
            name: {key: counts[key] for key, _ in known}
            for name, counts in self.device_counts.items()
            if "lost_blocks" in counts
        }

    @property
    def device_counts(self) -> dict[str, dict[str, float]]:
        """Counters of each device that has any, by name: faults, erased blocks, partial writes."""
        return {row["name"]: dict(row["counts"]) for row in self.totals["devices"] if row["counts"]}

    @property
    def volumes(self) -> dict[str, dict[str, float]]:
        """Counters of each volume, by its name; ``""`` is the outermost volume if only one was simulated."""
        return {name: dict(counts) for name, counts in self.totals["volumes"]}

    @property
    def busiest(self) -> dict[str, float]:
        """Figures of the busiest second and minute, see `Run.summary`; earlier versions' files lack them."""
        found = self.totals.get("busiest") or {}
        return {name: found[name] for name in BUSIEST if found.get(name) is not None}

    def bursts_in_words(self) -> list[str]:
        """Return a sentence on the busiest second and minute, if they differ much from the mean."""
        found, mean = self.busiest, self.totals["requests"] / (self.span_s or math.inf)
        if len(found) < len(BUSIEST) or found["busiest_second_requests"] < _BURST * max(1.0, mean):
            return []
        told = " and ".join(
            f"{found[f'busiest_{name}_requests']:,} in the busiest {name} (which need"
            f" {found[f'busiest_{name}_busy_share']:.1%} of it for service)"
            for name in ("second", "minute")
        )
        return [f"Requests come in bursts: {number(mean)} a second in the mean, {told}."]

    @property
    def span_s(self) -> float:
        """Time from the first arrival to the last completion, in seconds."""
        return float((self.totals["last_completion_ns"] - self.totals["first_arrival_ns"]) * 1e-9)

    @property
    def drain_s(self) -> float:
        """Time from the last arrival to the last completion, in seconds; long in a saturated run."""
        return float((self.totals["last_completion_ns"] - self.totals["last_arrival_ns"]) * 1e-9)
