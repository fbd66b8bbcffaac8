"""003-E-5, Figure 6: hierarchies under scaled traces.

Mean response of MCD and MMCD over the scale factor, by which the times between arrivals are divided.
"""

from functools import partial
from typing import Any

from sledsim.estimates import best_of

from ..shared import SHAPE, Claim, Result, device, stated
from ..shared.doubt import told
from .charts import RESPONSE, lines
from .findings import above
from .inputs import DAYS, DISK, MEMS, drawn_days, notes
from .systems import Interval, Observed, merged, observe, systems

#: Scale factors, by which times between arrivals are divided, for a quick and for a full run.
_SCALES = ((1, 5, 20), (1, 2, 3, 5, 7, 10, 15, 20))
_DRAWS = (6, 8)
_SYSTEMS = ("MCD", "MMCD")
#: Scale factor up to which MCD responds fast, according to section 6 of paper 003.
_FAST = 5
_HEAVY, _LIGHT = (f"drawn {day}" for day in DAYS)
_above_one = above(1)


def run(quick: bool) -> Result:
    """Compute mean responses of MCD and MMCD over the scale factor, and how they grow with it."""
    used = drawn_days(quick, _DRAWS[not quick])
    both = {name: target for name, target in systems().items() if name in _SYSTEMS}
    scales = _SCALES[not quick]
    found = {
        one.name: merged({f"x{scale}": observe(one, both, scale=scale) for scale in scales}) for one in used
    }
    slow = {name: target for name, target in systems().items() if name not in _SYSTEMS}
    soon = {
        one.name: merged({f"x{scale}": observe(one, slow, scale=scale) for scale in (1, _FAST)})
        for one in used
    }
    rows = [_row(seen, system, scale) for seen in found.values() for system in _SYSTEMS for scale in scales]
    x = ("scale", "Speed-up of the trace (log scale)")
    return Result(
        devices=[device(DISK), device(MEMS)],
        claims=[_grown(found, scales), _saturated(soon, found)],
        tables={"Mean response over the scale factor": rows},
        charts={"Figure 6: response of MCD and MMCD": partial(lines, rows, x, RESPONSE, "system")},
        notes=notes(used),
    )


def _row(seen: Observed, system: str, scale: int) -> dict[str, Any]:
    ratio = seen.speedup(f"MCD x{scale}", f"MMCD x{scale}")
    return seen.row(f"{system} x{scale}", {"system": system, "scale": scale}, mcd_over_mmcd=ratio)


def _grown(found: dict[str, Observed], scales: tuple[int, ...]) -> Claim:
    """Judge claim 003-C6 on the growth of the mean responses of MCD and MMCD with the scale factor."""
    heavy, light = found[_HEAVY], found[_LIGHT]

    def growth(seen: Observed, low: int, high: int) -> Interval:
        return seen.speedup(f"MCD x{high}", f"MCD x{low}")

    top = max(scales)
    early, late, sooner = growth(light, 1, 5), growth(light, 5, top), growth(heavy, 1, 5)
    bend = light.bend("MCD x1", "MCD x5", f"MCD x{top}")
    leads = {
        scale: [day.speedup(f"MCD x{scale}", f"MMCD x{scale}") for day in (heavy, light)]
        for scale in scales
        if scale > 1
    }
    best = best_of(leads, lambda scale: -leads[scale][0].value)
    most, (last, last_beside) = leads[best][0], leads[top]
    days = f"{_HEAVY} and {_LIGHT}"
    return stated(
        "003-C6",
        (_LIGHT, f"{early}, and {late}: a ratio of {bend}", _above_one(bend)),
        (days, f"{sooner}, and {early}", told(sooner.low > early.high, sooner.high < early.low)),
        (_HEAVY, f"{most} at {best}", _above_one(most)),
        (days, f"{last}, and {last_beside}", told(last.low > last_beside.high, last.high < last_beside.low)),
    )


def _saturated(slow: dict[str, Observed], quick: dict[str, Observed]) -> Claim:
    """Judge claim 003-C18: at five times the rate, the mean responses of DISK and MMD grow more than MCD's.

    `slow` has the observations of DISK and MMD by day, and `quick` those of MCD.
    """
    findings = []
    for day, seen in slow.items():
        beside = quick[day].speedup(f"MCD x{_FAST}", "MCD x1")
        for system in ("DISK", "MMD"):
            grown = seen.speedup(f"{system} x{_FAST}", f"{system} x1")
            is_more = told(grown.low > (1 + SHAPE) * beside.high, grown.high < beside.low)
            findings.append((day, f"{grown}, and {beside}", is_more))
    return stated("003-C18", *findings)
