"""Response times that the latency probe measures, compared with the simulated response times.

The probe is a client inside the server that reads at intervals.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _native
from .lateness import TOLERANCE, WIDER, is_in_time, quantiles_us
from .served import Batch, Record, ratio


class Probed:
    """Requests of the latency probe, taken from batches of a record; empty if the server had no probe."""

    def __init__(self, served: Record) -> None:
        self._about: Mapping[str, Any] | None = served.how.get("probe")
        self._source, self._scale = served.settings.trace, float(ratio(served.how["time_scale"]))
        self._found: list[NDArray[np.int64]] = []

    def add(self, batch: Batch) -> None:
        """Add the probe's requests of the next batch."""
        if self._about is not None:
            own = batch["connection"] == self._about["connection"]
            self._found.append((batch["completion_ns"] - batch["arrival_ns"])[own])

    def times_us(self) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        """Return simulated and measured response times in microseconds of the clock; None without a probe.

        Raises:
            TraceError: The probe has received more replies than the record has requests of the probe.
        """
        if self._about is None:
            return None
        seen_us = np.array(self._about["latency_ns"], np.int64) / 1e3
        said_us = np.concatenate([*self._found, np.empty(0, np.int64)]) * self._scale / 1e3
        if len(seen_us) > len(said_us):
            raise _native.TraceError(
                f"{self._source}: the latency probe has {len(seen_us)} replies, but only"
                f" {len(said_us)} of its requests are recorded"
            )
        # The reply to the last request may arrive after the probe has stopped.
        return said_us[: len(seen_us)], seen_us

    def figures(self) -> dict[str, Any] | None:
        """Return figures on measured minus simulated response times of the probe; None without a probe.

        Raises:
            TraceError: The probe has received more replies than the record has requests of the probe.
        """
        times_us = self.times_us()
        if times_us is None:
            return None
        said_us, seen_us = times_us
        late_us = seen_us - said_us
        off_us = np.abs(late_us)
        shares = {
            "share_in_time": is_in_time(off_us, said_us),
            "share_within_2_percent": off_us <= TOLERANCE * said_us,
            "share_within_5_percent": off_us <= WIDER * said_us,
        }
        late = quantiles_us(np.sort(np.rint(late_us * 1e3).astype(np.int64)))
        return {
            "requests": len(seen_us),
            **{name: float(share.mean()) if len(seen_us) else 0.0 for name, share in shares.items()},
            "difference_us": {name: late[name] for name in ("p50", "p99") if name in late},
        }
