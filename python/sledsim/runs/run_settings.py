"""Settings of a run."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .. import _native

#: Text by which a copied simulation marks a change of policy.
_CHANGED = re.compile(r", from \d+ ns on ")


@dataclass(frozen=True)
class RunSettings:
    """Settings of a run, kept with its result so that it can be run again.

    Attributes:
        version: Version of sledsim that made the result.
        parameters: Effective parameters of the device, or of the volume and its members.
        scheduler: Policy with its non-default options; in a volume, the policy of members without their own.
        scheduler_in_full: Policy with every option.
        scale: Speed-up: divisor of the times between the trace's arrivals.
        past_end: Rule for requests past the end of the device.
        replay: Replay mode, which decided when requests arrived.
        trace: Source of the requests.
        seed: Seed of a random workload; None for other workloads.
        skipped: Number of skipped commands of the trace file (neither read nor write), by kind.
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
        """Policy for running the requests again.

        Raises:
            ParameterError: The policy changed during the run.
        """
        if _CHANGED.search(self.scheduler_in_full):
            raise _native.ParameterError(
                f"scheduler: expected one policy, to run the requests again, found {self.scheduler}:"
                " the policy changed in a copied simulation"
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
        """Settings of a new run; their entries are removed from its totals."""
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
