"""003-E-3, Figure 4: mean response of the hierarchies.

Mean response of DISK, MMD, MCD and MMCD on the same requests, and the activity of each of their devices.
"""

from collections.abc import Sequence
from typing import Any

from sledsim.files import PathLike

from ..shared import HPLAJW, NEAR, SHAPE, Claim, OnInput, Result, noted
from .by_policy import ByPolicy, by_policy, result
from .findings import above, faster, findings, on_inputs, sizes
from .inputs import TRACED, inputs, notes
from .systems import Observed


def run(quick: bool, traces: PathLike | None = None) -> Result:
    """Compute mean responses of four systems, and their ratios, under two policies of the disk."""
    found = by_policy(quick, traces)
    return result(
        found,
        _row,
        ("Mean response and activity of each device", "Figure 4: mean response"),
        {"column": "mean_response", "title": "Mean response (ms, log scale)", "unit": "_s", "scale": 1e3},
        _claims(found),
        [*notes(inputs(quick, traces)), *noted("003-E-3")],
    )


def _row(one: Observed, system: str) -> dict[str, Any]:
    return one.row(system, {"system": system}, disk_over_system=one.speedup("DISK", system))


def _claims(by_policy: ByPolicy) -> list[Claim]:
    found = next(iter(by_policy.values()))

    def size(system: str, low: float, high: float) -> str:
        return sizes(by_policy, lambda one: one.speedup("DISK", system), low, high)

    return [
        on_inputs(
            "003-C2",
            faster(found, "DISK", "MMD", "1.28 to 1.46"),
            _disk(found, "MMD", "1.11 to 1.21"),
            reason=size("MMD", 1.28, 1.46),
        ),
        on_inputs(
            "003-C3",
            faster(found, "DISK", "MCD", "2.7 to 7.6", SHAPE),
            faster(found, "MMD", "MCD", "by far", SHAPE),
            _disk(found, "MCD", "1.6 to 3.0"),
            reason=size("MCD", 2.7, 7.6),
        ),
        on_inputs(
            "003-C4",
            faster(found, "DISK", "MMCD", "3.3 to 8.2", SHAPE),
            faster(found, "MCD", "MMCD", "at least 1: 3.3 over 2.7, 8.2 over 7.6", -NEAR),
            reason=f"{size('MMCD', 3.3, 8.2)} {_why(found)}".rstrip(),
        ),
    ]


def _disk(found: Sequence[Observed], system: str, paper: str) -> list[OnInput]:
    what = f"mean response of requests served by the disk, DISK over {system}"
    return findings(found, what, paper, lambda one: one.disk_speedup(system), above(1))


def _why(found: Sequence[Observed]) -> str:
    """Return a sentence that explains why MMCD is slower than MCD on the week of 1992."""
    real = [one for one in found if one.kind == TRACED]
    if not real:
        return ""
    metadata, others = (
        " and ".join(f"{1e3 * real[0].averages(name)[key]:.2f}" for name in ("MMCD", "MCD"))
        for key in ("metadata_response_s", "other_mems_response_s")
    )
    return (
        f"On {TRACED} most writes are bursts of metadata: MMCD writes each in place, MCD several at once to"
        f" the log, and in MMCD the sled moves between the two. In MMCD and MCD metadata requests take"
        f" {metadata} ms, other requests to the MEMS device {others} ms."
    )


#: Names of the real traces that the experiment can use.
NEEDS = (HPLAJW,)
