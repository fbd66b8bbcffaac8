"""004-E-3: Figure 4, the number of sectors side by side with 256 probes."""

from functools import partial
from typing import Any

from .. import design
from .claims import Claim, claim
from .experiments import Result
from .figures import Figure
from .findings import Statement
from .p004_inputs import BLOCKS_OF_1K, BLOCKS_OF_4K, chart, explored, least, model, notes, relative

_SECTORS = (1, 2, 4, 8, 16)
_PROBES = 256
#: Sectors of 512 bytes in the blocks of these file systems.
_BLOCK = 8
_GIB = 2.0**30


def run(quick: bool) -> Result:
    """The figures over the number of sectors, for blocks of 4 KiB; nothing to shorten."""
    import pyarrow

    axes: dict[str, Any] = {"probes": [_PROBES], "sectors": _SECTORS, "sector_bytes": [512]}
    by_capture = {name: relative(explored(name, **axes), "sectors") for name in BLOCKS_OF_4K}
    small = {name: relative(explored(name, **axes), "sectors") for name in BLOCKS_OF_1K}
    rows = [row for own in by_capture.values() for row in own]
    return Result(
        devices=[model()],
        claims=[_response(by_capture), _capacity()],
        tables={"Over the number of sectors side by side": pyarrow.Table.from_pylist(rows)},
        charts={"Response, energy and utilization": partial(chart, rows, "sectors", "Sectors side by side")},
        notes=[
            *notes(),
            "With blocks of 1 KiB, of which requests are made then, other numbers respond soonest: "
            + ", ".join(
                f"{least(own, 'sectors', 'mean_response_s')} on {name}" for name, own in small.items()
            )
            + ".",
        ],
    )


def _response(by_capture: dict[str, list[dict[str, Any]]]) -> Claim:
    findings = []
    for name, rows in by_capture.items():
        best, cheapest = least(rows, "sectors", "mean_response_s"), least(rows, "sectors", "energy_j")
        shares = ", ".join(f"{row['relative_response']:.3f}" for row in rows)
        findings.append(
            Statement(
                f"soonest, and of least energy, on {name}",
                "8 sectors",
                f"{best} sectors, {cheapest} for energy ({shares} of the response with 1)",
                holds=best == cheapest == _BLOCK,
            )
        )
    return claim(
        "004-C7",
        "With 256 probes and blocks of 4 KiB, eight sectors side by side respond soonest, at least energy.",
        *findings,
    )


def _capacity() -> Claim:
    one, eight = (design.format_characteristics(model(), _PROBES, sectors, 512) for sectors in (1, 8))
    earned = (float(eight["capacity_bytes"] or 0) - float(one["capacity_bytes"] or 0)) / _GIB
    return claim(
        "004-C10",
        "What eight sectors side by side earn back of the capacity lost with 256 probes.",
        Figure("capacity", "0.3", earned, "GiB"),
    )
