"""Runs for 000-E-8, which compares the zone-grouped layout with the disk-like layout."""

from collections.abc import Callable, Mapping
from typing import Any

from sledsim import Device, Trace, bundled_trace
from sledsim.estimates import Estimate, ratio
from sledsim.results import Curves

from ..shared import RESPONSE, columns, response_curves, simulate
from .grouped_requests import groups
from .inputs import SEQUENTIALITY, zoned_device
from .sequential_streams import stream
from .zone_queues import ZONE

#: Names of the two layouts: LBNs follow the order of cylinders, as in paper 001, or go zone after zone
#: (000-F23).
DISK, ZONED = "disk-like", "zone-grouped"
JOINED, TALL = "zsptf:parity=joined", "zsptf:parity=joined,zone=60x2400"
#: Titles of the compared policies. ZSPTF with joined parities has exactly the zones of the zone-grouped
#: layout. Zones of 60 x 2400 have as many blocks, but fill whole cylinders, as the disk-like layout does.
POLICIES: Mapping[str, str] = {
    "fcfs": "FCFS",
    "cscan": "C-SCAN",
    "sptf": "SPTF",
    "zsptf": "ZSPTF(120, 1200)",
    JOINED: "ZSPTF(120, 1200), parities joined",
    TALL: "ZSPTF(60, 2400), parities joined",
}
#: Probability that a grouped request goes to the group of the previous request.
_STAY = 0.9
#: Number of zones with joined parities on the device: 20 columns of 2 zones.
_ZONES = 40
SERVER, USER = "server-like stream", "user-like stream"
WHOLE, QUARTER = "groups of a zone", "groups of a quarter of a zone"

Draw = Callable[[Device, float, int], Trace]


def layouts() -> dict[str, Device]:
    """Return the device of section 7.2 of paper 000, with one sled, by the name of its layout."""
    cylinders, bits = ZONE
    own = zoned_device(1)
    zoned = {"layout": "zone-grouped", "layout_zone_cylinders": cylinders, "layout_zone_y_bits": bits}
    return {DISK: own, ZONED: own.with_parameters(**zoned)}


def inputs(count: int) -> dict[str, Draw]:
    """Return functions that draw `count` requests, by name: unrelated, sequential or grouped requests."""
    zone_blocks = int(zoned_device(1).characteristics()["blocks"]) // _ZONES
    return {
        SERVER: stream(SEQUENTIALITY["server"], count),
        USER: stream(SEQUENTIALITY["user"], count),
        WHOLE: groups(_STAY, zone_blocks, count),
        QUARTER: groups(_STAY, zone_blocks // 4, count),
    }


def measured(draw: Draw, rates: tuple[int, ...], replications: int) -> dict[str, Curves]:
    """Return curves of all policies over the arrival rate, by layout; both layouts get the same requests."""
    return {
        name: response_curves(on, list(POLICIES), rates, draw=draw, replications=replications)
        for name, on in layouts().items()
    }


def layout_rows(name: str, curves: Mapping[str, Curves]) -> list[dict[str, Any]]:
    """Return a table row per rate and policy: mean response and positioning, zone-grouped over disk-like.

    `curves` has the curves of both layouts on the input with this name.
    """
    return [
        {
            "input": name,
            "rate_per_s": rate,
            "scheduler": title,
            **columns("response_ratio", response, "response_half_width"),
            **columns("positioning_ratio", positioning, "positioning_half_width"),
        }
        for rate in curves[DISK].loads
        for policy, title in POLICIES.items()
        if (response := over(curves, policy, policy, rate))
        and (positioning := over(curves, policy, policy, rate, "mean_positioning_s"))
    ]


def over(
    curves: Mapping[str, Curves], policy: str, other: str, rate: float, figure: str = RESPONSE
) -> Estimate | None:
    """Return a figure with `policy`, zone-grouped, over the figure with the policy `other`, disk-like.

    The result is None if a policy is saturated at the rate.
    """
    point, base = curves[ZONED].point(policy, rate), curves[DISK].point(other, rate)
    if point is None or base is None or point.saturated or base.saturated:
        return None
    return ratio(point.samples[figure], base.samples[figure])


def capture_rows(capture: str, outstanding: int) -> list[dict[str, Any]]:
    """Replay a capture with a constant number of requests outstanding, on both layouts under each policy.

    Returns:
        A table row per policy, with ratios of mean times: zone-grouped over disk-like layout.
    """
    rows = []
    trace, replay = bundled_trace(capture).transfers(), f"closed:outstanding={outstanding}"
    for policy, title in POLICIES.items():
        parts = [
            _parts(simulate(on, trace, policy, past_end="wrap", replay=replay)) for on in layouts().values()
        ]
        ratios = {f"{part}_ratio": parts[1][part] / parts[0][part] for part in parts[0]}
        rows.append({"capture": capture, "outstanding": outstanding, "scheduler": title, **ratios})
    return rows


def _parts(run: Any) -> dict[str, float]:
    """Return the mean response, positioning and transfer times of the requests of a run, in nanoseconds."""
    columns = run.columns
    return {
        "response": float(run.response_ns.mean()),
        "positioning": float(columns["positioning_ns"].mean()),
        "transfer": float((columns["transfer_ns"] + columns["switch_ns"]).mean()),
    }
