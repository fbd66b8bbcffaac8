"""Settings of a run: device, policy, options and requests, as kept with its result."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .. import _native

#: Pattern of a change of policy, in a copied simulation, as `scheduler_in_full` states it.
_CHANGED = re.compile(r", from \d+ ns on ")


@dataclass(frozen=True)
class RunSettings:
    """Settings of a run, kept with its result so that the run can be repeated.

    Attributes:
        version: Version of sledsim that made the run.
        parameters: Parameters of the device; or of the volume, with those of its members.
        scheduler: Policy with those options that differ from the defaults; in a volume, the policy of the
            members without one in `parameters`.
        scheduler_in_full: Policy with all options.
        scale: Speed-up: the times between the arrivals of the trace were divided by this number.
        past_end: Rule for requests past the end of the device.
        replay: Replay mode, which decided when requests arrived.
        trace: Name of the trace or workload.
        seed: Seed of a random workload; None for other workloads.
        skipped: Number of commands in the trace file that are neither reads nor writes, by kind; they were
            not run.
        doubts: Sentences on why results of the recording may be wrong.
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
    doubts: tuple[str, ...] = ()

    @property
    def policy_again(self) -> str:
        """Policy, with all options, for running the requests again.

        Raises:
            ParameterError: The policy changed during the run.
        """
        if _CHANGED.search(self.scheduler_in_full):
            raise _native.ParameterError(
                f"scheduler: the policy changed during the run, in a copied simulation ({self.scheduler}):"
                " the requests cannot be run again"
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
        doubts: Iterable[str] = (),
    ) -> "RunSettings":
        """Make the settings of a new run; those among the totals of the core are removed from `totals`."""
        return cls(
            **{name: totals.pop(name) for name in ("parameters", "scheduler", "scheduler_in_full")},
            version=_native.__version__,
            scale=scale,
            past_end=past_end,
            replay=totals.pop("replay", "open"),
            trace=trace,
            seed=seed,
            skipped=dict(skipped),
            doubts=tuple(doubts),
        )
