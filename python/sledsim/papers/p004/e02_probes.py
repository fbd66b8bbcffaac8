"""004-E-2, Figure 3: the number of active probes.

Response, energy and utilization over the number of probes that read a sector of 512 bytes.
"""

import itertools
from functools import partial
from typing import Any

from ..shared import (
    Calibrated,
    Claim,
    Effect,
    Figure,
    Result,
    Statement,
    Verdict,
    exactly,
    half_digit,
    stated,
)
from .inputs import FITTED, PRINTED, STUDIED, chart, known, least, model, notes, relative, transfer_ms

_PROBES = (64, 128, 256, 512)
#: Number of probes with which the energy is lowest according to the paper.
_LEAST = 256
#: Parameter with which holding the sled takes its maximum power wherever the sled is.
_AT_MOST = {"actuation_exponent": 0.0}


def run(quick: bool) -> Result:
    """Compute response, energy and utilization over the number of probes; `quick` has no effect."""
    axes: dict[str, Any] = {"probes": _PROBES, "sectors": [1], "sector_bytes": [512]}
    rows = relative(STUDIED, "probes", **axes)
    at_most = relative(STUDIED, "probes", model().with_parameters(**_AT_MOST), **axes)
    return Result(
        devices=[model()],
        claims=[_response(rows), _energy(rows, least(at_most, "probes", "energy_j")), _capacity()],
        tables={"Over the number of active probes": rows},
        charts={"Response, energy and utilization": partial(chart, rows, "probes", "Active probes")},
        notes=notes(),
    )


def _response(rows: list[dict[str, Any]]) -> Claim:
    """Judge claim 004-C6: doubling the probes almost halves the response, and the printed times are possible.

    `rows` has our results over the number of probes.
    """
    few, many = PRINTED
    transfers = transfer_ms(many) / transfer_ms(few)
    found = model().characteristics()
    seek_ms, longest_ms = found["mean_seek_s"] * 1e3, found["max_seek_s"] * 1e3
    implied_ms = (float(PRINTED[few]) - seek_ms) * transfers + seek_ms
    low_ms, high_ms = _seeks_that_fit(transfers)
    about = f"mean response with {many} probes, if {few} take {PRINTED[few]} ms"
    quick = Figure(about, PRINTED[many], implied_ms, "ms")
    return stated(
        "004-C6",
        Calibrated(quick, f"mean seeks of {low_ms:.2f} to {high_ms:.2f} ms"),
        Statement(
            "mean seek that both printed times allow",
            f"a possible one for a sled: more than 0, at most its longest, {longest_ms:.2f} ms",
            f"{low_ms:.2f} to {high_ms:.2f} ms",
            holds=high_ms > 0 and low_ms <= longest_ms,
            in_shape=True,
        ),
        *(
            Effect(
                f"response with {more['probes']} probes on {STUDIED}, reduction from {fewer['probes']}",
                "50",
                exactly(100 * (1 - more["mean_response_s"] / fewer["mean_response_s"])),
            )
            for fewer, more in itertools.pairwise(rows)
        ),
        reason={Verdict.SHAPE: FITTED},
    )


def _seeks_that_fit(transfers: float) -> tuple[float, float]:
    """Return the least and the largest mean seek in ms with which both printed times are possible.

    `transfers` is the transfer time with more probes over that with fewer.
    """
    slow, quick = map(float, PRINTED.values())
    half = half_digit(PRINTED[256])
    ends = ((quick - half, slow + half), (quick + half, slow - half))
    low, high = ((of_256 - of_64 * transfers) / (1 - transfers) for of_256, of_64 in ends)
    return low, high


def _energy(rows: list[dict[str, Any]], with_maximum: int) -> Claim:
    found = least(rows, "probes", "energy_j")
    shares = ", ".join(f"{row['relative_energy']:.3f}" for row in rows)
    low_mw, high_mw = _powers_that_fit()
    maximum_mw = model().parameters["actuation_power_mw"]
    return stated(
        "004-C8",
        Calibrated(
            Statement(
                f"lowest energy, on {STUDIED}",
                f"{_LEAST} probes",
                f"{found} probes ({shares} of the energy with 64)",
                holds=found == _LEAST,
            ),
            f"powers besides the probes' of {low_mw:.2f} to {high_mw:.2f} mW",
        ),
        held_mw=_held_mw(),
        low_mw=low_mw,
        high_mw=high_mw,
        least=_LEAST,
        maximum_mw=maximum_mw,
        with_maximum=with_maximum,
    )


def _powers_that_fit() -> tuple[float, float]:
    """Return the range of a power P in mW with which `_LEAST` probes take the least energy for a sector.

    Each probe draws p, and P comes in addition: a sector over K probes takes the energy t(K) (K p + P) by
    Eq 3. The next lower and the next higher number of probes give the ends of the range.
    """
    probe_mw = model().parameters["tip_power_mw"]

    def equal_mw(few: int, many: int) -> float:
        """Return the power P in mW with which `few` and `many` probes take the same energy for a sector."""
        few_ms, many_ms = transfer_ms(few), transfer_ms(many)
        return float(probe_mw * (many * many_ms - few * few_ms) / (few_ms - many_ms))

    at = _PROBES.index(_LEAST)
    return equal_mw(_PROBES[at - 1], _LEAST), equal_mw(_LEAST, _PROBES[at + 1])


def _held_mw() -> float:
    """Return the mean power in mW to hold the sled (over its places in x), plus the electronics' power."""
    p = model().parameters
    # Mean of (s |x|)^n over x from -1 to 1; s is the springs' share of the force at the end of the stroke.
    part = p["spring_factor"] ** p["actuation_exponent"] / (p["actuation_exponent"] + 1)
    return float(p["actuation_power_mw"] * part + p["electronics_power_mw"])


def _capacity() -> Claim:
    found = known(512, 1, 512)
    raw_gib, lost = found["capacity_gib"] / found["utilization"], 1 - found["utilization"]
    return stated("004-C9", 100 * lost, raw_gib * lost)
