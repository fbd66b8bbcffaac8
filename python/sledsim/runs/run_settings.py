"""What a run came from."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .. import _native

#: How a copied simulation says that its policy changed on the way.
_CHANGED = re.compile(r", from \d+ ns on ")


@dataclass(frozen=True)
class RunSettings:
    """All that a run came from, kept with its result so that it can be run again.

    Attributes:
        version: The version of sledsim that made it.
        parameters: The effective parameters of the device, or of the volume and its members.
        scheduler: The policy, with the options that are not at their default; in a volume that of devices
            which have none of their own.
        scheduler_in_full: The policy with every option.
        scale: What the times between the trace's arrivals were divided by.
        past_end: What was done with requests past the end of the device.
        replay: What decided when requests came.
        trace: Where the requests came from.
        seed: The seed of a random workload.
        skipped: Commands of the trace file that are no requests, by kind.
    """

    version: str
    parameters: dict[str, Any]
    scheduler: str
    scheduler_in_full: str
    scale: float
    past_end: str
    replay: str
    trace: str
    seed: int | None
    skipped: dict[str, int]

    @property
    def policy_again(self) -> str:
        """The policy under which to run the requests again.

        Raises:
            ParameterError: It changed on the way.
        """
        if _CHANGED.search(self.scheduler_in_full):
            raise _native.ParameterError(
                f"scheduler: expected one policy, to run the requests again, found {self.scheduler}:"
                " it changed in a copied simulation"
            )
        return self.scheduler_in_full

    @classmethod
    def taken_from(
        cls,
        totals: dict[str, Any],
        trace: str,
        scale: float = 1.0,
        past_end: str = "error",
        seed: int | None = None,
        skipped: Mapping[str, int] = {},
    ) -> "RunSettings":
        """Those of a new run; what its totals say of them is taken out there."""
        return cls(
            **{name: totals.pop(name) for name in ("parameters", "scheduler", "scheduler_in_full")},
            version=_native.__version__,
            scale=scale,
            past_end=past_end,
            replay=totals.pop("replay", "open"),
            trace=trace,
            seed=seed,
            skipped=dict(skipped),
        )
