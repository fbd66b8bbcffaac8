"""004-E-2: Figure 3, the number of active probes for sectors of 512 bytes, one at a time."""

import itertools
from functools import partial
from typing import Any

from .. import design
from .claims import Claim, claim
from .experiments import Result
from .figures import Effect, Figure, exactly, half_digit
from .findings import Calibrated, Statement
from .p004_inputs import FITTED, STUDIED, chart, explored, least, model, notes, relative
from .verdicts import Verdict

_PROBES = (64, 128, 256, 512)
#: The response times to which Figures 3 and 4 are normalised, in ms: with 64 probes, and with 256.
_SLOW, _QUICK = "83", "24"
#: Holding the sled takes the maximum everywhere.
_AT_MOST = {"actuation_exponent": 0.0}
_GIB = 2.0**30


def run(quick: bool) -> Result:
    """The figures over the number of probes, and what the printed times imply; nothing to shorten."""
    import pyarrow

    axes: dict[str, Any] = {"probes": _PROBES, "sectors": [1], "sector_bytes": [512]}
    rows = relative(explored(STUDIED, **axes), "probes")
    at_most = relative(explored(STUDIED, model().with_parameters(**_AT_MOST), **axes), "probes")
    return Result(
        devices=[model()],
        claims=[_response(rows), _energy(rows, least(at_most, "probes", "energy_j")), _capacity()],
        tables={"Over the number of active probes": pyarrow.Table.from_pylist(rows)},
        charts={"Response, energy and utilization": partial(chart, rows, "probes", "Active probes")},
        notes=notes(),
    )


def _response(rows: list[dict[str, Any]]) -> Claim:
    """Two printed times and Eq 5 give the mean request; a third follows."""
    known = [design.format_characteristics(model(), probes, 1, 512) for probes in _PROBES]
    transfer_ms = [float(row["transfer_s"] or 0) * 1e3 for row in known]
    seek_ms = model().characteristics()["mean_seek_s"] * 1e3
    sectors = (float(_SLOW) - seek_ms) / transfer_ms[0]
    implied_ms = sectors * transfer_ms[_PROBES.index(256)] + seek_ms
    low_ms, high_ms = _seeks_that_fit(transfer_ms[_PROBES.index(256)] / transfer_ms[0])
    quick = Figure("mean response with 256 probes, if 64 take 83 ms", _QUICK, implied_ms, "ms")
    return claim(
        "004-C6",
        "With sectors of 512 bytes, one at a time, twice as many probes take about half the time (Eq 5).",
        Calibrated(quick, f"mean seeks of {low_ms:.2f} to {high_ms:.2f} ms"),
        *(
            Effect(
                f"response with {more['probes']} probes on {STUDIED}, less than with {fewer['probes']}",
                "50",
                exactly(100 * (1 - more["mean_response_s"] / fewer["mean_response_s"])),
            )
            for fewer, more in itertools.pairwise(rows)
        ),
        reason={Verdict.SHAPE: FITTED},
    )


def _seeks_that_fit(transfers: float) -> tuple[float, float]:
    """Mean seeks with which both times come out as printed, rounded; given the ratio of their transfers."""
    slow, quick = float(_SLOW), float(_QUICK)
    half = half_digit(_QUICK)
    ends = ((quick - half, slow + half), (quick + half, slow - half))
    low, high = ((of_256 - of_64 * transfers) / (1 - transfers) for of_256, of_64 in ends)
    return low, high


def _energy(rows: list[dict[str, Any]], with_maximum: int) -> Claim:
    found = least(rows, "probes", "energy_j")
    shares = ", ".join(f"{row['relative_energy']:.3f}" for row in rows)
    return claim(
        "004-C8",
        "Energy is least with 256 probes, for more probes pass more overhead (Eq 3).",
        Statement(
            f"least energy, on {STUDIED}",
            "256 probes",
            f"{found} probes ({shares} of that with 64)",
            holds=found == 256,
            in_shape=True,
        ),
        reason="The power of holding the sled is calibrated: 15 mW in the mean with the electronics, where"
        " 5.3 to 21.3 would do. If holding it took the maximum of 120 mW, the least would be at"
        f" {with_maximum} probes.",
    )


def _capacity() -> Claim:
    found = design.format_characteristics(model(), 512, 1, 512)
    raw_gib = 3.2e9 / _GIB
    lost = 1 - float(found["utilization"] or 0)
    return claim(
        "004-C9",
        "The capacity lost to overhead and ECC with 512 probes for a sector of 512 bytes.",
        Figure("part of the raw capacity", "35", 100 * lost, "%"),
        Figure("capacity", "1", raw_gib * lost, "GiB"),
        reason="4 of the 12 bits of a subsector are no data, a third: no reading of Eq 1 gives 35 %.",
    )
