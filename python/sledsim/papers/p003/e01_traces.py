"""003-E-1, Tables 1 and 2: the device and the traces.

Counts, shares and rates of the requests that replace 003's traces, and capacity and speed of the device.
"""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any

from sledsim import Device, Trace, trace_statistics
from sledsim.files import PathLike

from ..shared import (
    HPLAJW,
    Bound,
    Calibrated,
    Claim,
    Figure,
    Result,
    Statement,
    device,
    stated,
)
from . import power
from .inputs import DAYS, DISK, MEMS, TRACED, inputs, notes

#: Counts that Table 2 prints, by day: requests, writes, metadata requests, metadata writes.
_COUNTS = {DAYS[0]: (353_914, 161_531, 21_756, 12_612), DAYS[1]: (41_963, 31_997, 11_012, 9_927)}
#: Figures that the text of 003 prints, by day: per cent of writes, per cent of metadata requests, per cent of
#: metadata among writes, and requests/s.
_SAID = {DAYS[0]: ("45.6", "6.1", "7.8", "4.1"), DAYS[1]: ("76.3", "26.2", "31.0", "0.5")}
#: Statistic of a trace, unit and scale factor for each figure of `_SAID`, by name of the figure.
_FIGURES = {
    "writes": ("write_share", "%", 100),
    "metadata": ("metadata_share", "%", 100),
    "metadata among writes": ("metadata_share_of_writes", "%", 100),
    "rate": ("rate_per_s", "/s", 1),
}
_DAY_S = 86_400
#: Sizes in KiB of a metadata area and of the data area behind it (003-F6), which alternate; then the largest
#: share of metadata space in use, in per cent, that the paper cites.
_METADATA_KIB, _DATA_KIB, _USED = 128, 2048, 2
#: Printed range of the ratio of positioning times, disk over MEMS device.
_SOONER = (10, 50)
_GIB = 2**30


def run(quick: bool, traces: PathLike | None = None) -> Result:
    """Compute the counts of every input, figures of the MEMS device, and savings of power."""
    mems, disk = device(MEMS), device(DISK)
    used = inputs(quick, traces)
    rows = [_row(one.name, trace) for one in used for trace in one.read()]
    saving, ranges = power.study(), power.over_ranges()
    return Result(
        devices=[mems, disk],
        claims=[
            # The paper prints counts and shares of the same days: days drawn by counts must have the shares.
            stated("003-C1", *(finding for day in DAYS for finding in _shares(day, rows))),
            _served_by_mems(),
            *_devices(mems, disk),
            _cited(rows),
            _used(),
            power.decide(saving, ranges),
        ],
        tables={
            "Counts of the inputs": rows,
            "Strategies that save power": saving.table,
            "Power saved over the ranges of the powers": ranges,
        },
        charts={"Strategies that save power": saving.plot},
        notes=notes(used),
    )


def _row(name: str, trace: Trace) -> dict[str, Any]:
    found = trace_statistics(trace).summary()["overall"]
    counts, places, arrivals = found["counts"], found["places"], found["arrivals"]
    return {
        "input": name,
        "trace": trace.source,
        **{key: counts[key] for key in ("requests", "writes", "metadata", "metadata_writes")},
        "write_share": 1 - counts["read_share"],
        **{key: counts[key] for key in ("metadata_share", "metadata_share_of_writes", "rate_per_s")},
        "logical_sequentiality": places["logical_sequentiality"],
        "rewrite_share": places["rewrite_share"],
        "inter_arrivals_below_10_ms": arrivals["all"]["share_below_10_ms"],
        "metadata_inter_arrivals_below_1_ms": arrivals["metadata"]["share_below_1_ms"],
    }


def _shares(day: str, rows: Sequence[Mapping[str, Any]]) -> Iterator[Calibrated]:
    """Compare figures of drawn days with those in the text of 003, and give the range that fits Table 2.

    Each figure is the mean over the draws of the day.
    """
    requests, writes, metadata, metadata_writes = _COUNTS[day]
    counted = (writes / requests, metadata / requests, metadata_writes / writes, requests / _DAY_S)
    drawn = [row for row in rows if row["input"] == f"drawn {day}"]
    for (what, (key, unit, scale)), printed, count in zip(_FIGURES.items(), _SAID[day], counted, strict=True):
        figure = Figure(f"{what}, drawn {day}", printed, scale * fmean(row[key] for row in drawn), unit)
        low, high = (
            scale * count * (figure.value + by) / figure.ours for by in (-figure.allowed, figure.allowed)
        )
        yield Calibrated(figure, f"{low:.3g} to {high:.3g} {unit} in Table 2")


def _served_by_mems() -> Claim:
    """Judge claim 003-C7: writes and metadata, which the MEMS device serves, are 50 to 80 % of requests."""
    least, most = (
        100 * (writes + metadata - metadata_writes) / requests
        for requests, writes, metadata, metadata_writes in _COUNTS.values()
    )
    return stated(
        "003-C7",
        Bound(f"least, {DAYS[0]}", "50", low=least, unit="%"),
        Figure(f"most, {DAYS[1]}", "80", most, "%"),
    )


def _devices(mems: Device, disk: Device) -> list[Claim]:
    found, other = mems.characteristics(), disk.characteristics()
    rows = found["rows_per_track"]
    one_less_gib = found["capacity_bytes"] / _GIB * (rows - 1) / rows
    sooner = (other["mean_seek_s"] + other["mean_rotational_latency_s"]) / found["mean_seek_s"]
    low, high = _SOONER
    return [
        stated("003-C9", found["capacity_bytes"] / _GIB, one_less_gib=one_less_gib),
        stated(
            "003-C10",
            Statement(
                "ratio of positioning times", f"{low} to {high}", f"{sooner:.1f}", low <= sooner <= high
            ),
            found["sustained_bytes_per_s"] / other["outer_track_bytes_per_s"],
        ),
    ]


def _cited(rows: list[dict[str, Any]]) -> Claim:
    """Judge claim 003-C11 on shares in cited traces, from the real trace of one machine if given."""
    real = next((row for row in rows if row["input"] == TRACED), None)
    if real is None:
        return stated("003-C11", "the traces of 1992; --traces FOLDER takes one of them")
    shares = [real[key] for key in ("write_share", "metadata_share_of_writes", "rewrite_share")]
    found = "; ".join(f"{share:.1%}" for share in shares)
    told = min(shares[:2]) > 0.5 and shares[2] > 0
    return stated("003-C11", (f"{TRACED}, one of the machines cited", found, told))


def _used() -> Claim:
    """Judge claim 003-C12: the space reserved for metadata exceeds the largest cited share in use."""
    share = 100 * _METADATA_KIB / (_METADATA_KIB + _DATA_KIB)
    return stated(
        "003-C12",
        "the measured file systems",
        (f"{share:.1f} % reserved ({_METADATA_KIB} KiB before every {_DATA_KIB} KiB)", share >= _USED),
    )


#: Names of the real traces that the experiment can use.
NEEDS = (HPLAJW,)
