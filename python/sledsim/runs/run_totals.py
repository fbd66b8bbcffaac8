"""What the totals of a run say, which are not of any one request."""

import math
from collections.abc import Mapping
from typing import Any

from .. import _native


class RunTotals:
    """The part of a run that needs no columns.

    Attributes:
        totals: As `Run` has them.
    """

    totals: Mapping[str, Any]

    @property
    def devices(self) -> list[dict[str, Any]]:
        """What each device did, unit in the key.

        ``share`` is its part of all the requests for which somebody waited, ``mean_queue_length`` the time
        average of requests at it, and ``energy_j`` is with what it took while it served nothing. A disk
        whose file gives no powers counts as 0 J.
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
        """What took the energy of all devices, in joules; the sum is that of the summary.

        ``seek``, ``settle``, ``actuation``, ``tips``, ``electronics`` and ``startup`` were taken by services,
        as the columns of these names say of each request; ``idle``, ``shutdown`` and ``inactive`` by the time
        without any. Devices without a sled have all that their services take under ``electronics``.
        """
        uses: dict[str, float] = {}
        for row in self.totals["devices"]:
            for use, joules in row["energy_by_use_j"].items():
                uses[use] = uses.get(use, 0.0) + joules
        return uses

    @property
    def faults(self) -> dict[str, dict[str, float]]:
        """What each device with faults counted, by its name: what broke, was remapped, corrected and lost."""
        known = dict(_native.device_counters())["Faults"]
        return {
            name: {key: counts[key] for key, _ in known}
            for name, counts in self.device_counts.items()
            if "lost_blocks" in counts
        }

    @property
    def device_counts(self) -> dict[str, dict[str, float]]:
        """What each device counted itself, by its name: faults, what was erased, partial writes."""
        return {row["name"]: dict(row["counts"]) for row in self.totals["devices"] if row["counts"]}

    @property
    def volumes(self) -> dict[str, dict[str, float]]:
        """What each volume counted, by its name: empty for the uppermost one of a run on one device."""
        return {name: dict(counts) for name, counts in self.totals["volumes"]}

    @property
    def span_s(self) -> float:
        """Seconds from the first arrival to the last completion."""
        return float((self.totals["last_completion_ns"] - self.totals["first_arrival_ns"]) * 1e-9)

    @property
    def drain_s(self) -> float:
        """Seconds from the last arrival to the last completion: long where requests came too fast."""
        return float((self.totals["last_completion_ns"] - self.totals["last_arrival_ns"]) * 1e-9)
