"""000-E-1, Figure 2: seek-time equivalence regions.

Seek times from four places to all others, and sizes of the regions reached within equal times.
"""

from typing import Any

import pyarrow

from sledsim import studies
from sledsim.charts import groups

from ..shared import Claim, Result, device, noted, stated
from .corner_regions import corner, independent_of_y, trials

#: Settling of the paper: one time constant at the resonant frequency of Table 1.
_RESONANCE = {"resonant_frequency_hz": 739.0, "settle_time_constants": 1.0}
#: Steps of the grid of targets in bits, in a quick run. An odd step reaches even and odd columns in turn, an
#: even step only even columns.
_QUICK_STEP_BITS = {"all": 149, "even": 150}
_THRESHOLDS_S = (0.3e-3, 0.4e-3, 0.5e-3)
_PRINTED_RATIO = 10
#: Mean height over mean width of seek-time regions, by parity of the target column and seek time in ms.
_Ratios = dict[tuple[str, float], float]


def run(quick: bool) -> Result:
    """Map seek times from four places, and measure regions that a seek reaches within 0.3 to 0.5 ms."""
    model = device("mascots03")
    made = {}
    for title, columns in (("Figure 2(a): all columns", "all"), ("Figure 2(b): even columns", "even")):
        step: dict[str, Any] = {"step_bits": _QUICK_STEP_BITS[columns]} if quick else {}
        made[title] = studies.run("seek-map", model, columns=columns, **step)
    regions = studies.run("equivalence-regions", model, thresholds_s=_THRESHOLDS_S)
    made["Equivalence regions"] = regions
    ratios = _mean_ratios(regions.table)
    longest_ms = model.characteristics()["max_seek_s"] * 1e3
    settle_s = device("mascots03", **_RESONANCE).characteristics()["settle_s"]
    tried = trials()
    return Result(
        devices=[model],
        claims=[
            stated("000-C1", settle_s * 1e3),
            _ratio(ratios),
            stated("000-C5", (f"{longest_ms:.3f} ms", longest_ms < 1)),
            corner(tried),
            independent_of_y(),
        ],
        trials={"Regions at the corner over those near the centre": tried},
        tables={title: study.table for title, study in made.items()},
        charts={title: study.plot for title, study in made.items()},
        notes=noted("000-E-1", ratios=_text(ratios)),
    )


def _ratio(ratios: _Ratios) -> Claim:
    """Judge claim 000-C2: regions are ten times as high as wide, at the seek times that give the zones."""
    shorter, longer, beyond = (ratios["same", time_s * 1e3] for time_s in _THRESHOLDS_S)
    return stated(
        "000-C2",
        (
            f"{shorter:.1f} in 0.3 ms, {longer:.1f} in 0.4 ms",
            min(shorter, longer) <= _PRINTED_RATIO <= max(shorter, longer),
        ),
        beyond=beyond,
    )


def _mean_ratios(regions: pyarrow.Table) -> _Ratios:
    """Return the mean height over the mean width of seek-time regions, by column parity and time in ms.

    The means are over all starts. A mean of ratios would depend on tiny regions, such as a single row.
    """
    return {
        (parity, round(threshold_s * 1e3, 6)): sum(row["height_bits"] for row in rows)
        / sum(row["width_bits"] for row in rows)
        for (parity, threshold_s), rows in groups(regions.to_pylist(), "parity", "threshold_s").items()
    }


def _text(ratios: _Ratios) -> str:
    parities = dict.fromkeys(parity for parity, _ in ratios)
    times = {
        parity: [(ms, ratio) for (of, ms), ratio in ratios.items() if of == parity] for parity in parities
    }
    return "; ".join(
        f"{parity} direction " + ", ".join(f"{ratio:.1f} at {ms:g} ms" for ms, ratio in found)
        for parity, found in times.items()
    )
