"""001-E-10, Table 1 and section 2: the device's data sheet.

Capacity, geometry, rates and mean access that follow from the parameters, and those of the reference disk.
"""

from sledsim import Device, studies

from ..shared import Calibrated, Claim, Figure, Result, device, noted, stated
from .reference_disk import claims as disk_claims, notes as disk_notes, reference_disk

_INCH_M = 0.0254
_MS = 1e3
#: Bytes in a KB, an MB and a GB of paper 001, which are binary (001-D3).
_KIB, _MIB, _GIB = 2.0**10, 2.0**20, 2.0**30


#: Distance of a short seek in bits.
_SHORT_BITS = 100


def run(quick: bool) -> Result:
    """Compute the data sheet, and measure the reference disk; `quick` sends fewer requests to the disk."""
    model, disk = device("osdi00"), reference_disk(quick)
    found = model.characteristics()
    parity_ms = model.with_parameters(access_mode="parity").characteristics()["mean_access_4k_s"] * _MS
    return Result(
        devices=[model, disk.model],
        claims=[
            *_claims(model, found),
            _edges(model),
            *disk_claims(disk, _densities(), found["streaming_bytes_per_s"] / _MIB),
            _synchronous(found["mean_access_4k_s"], disk.access_s),
        ],
        tables={
            "Data sheet": studies.run("data-sheet", model).table,
            "Streaming from the zones of the reference disk": disk.zones,
        },
        notes=[
            *noted("001-E-10", parity_ms=parity_ms, sustained=found["sustained_bytes_per_s"] / _MIB),
            *disk_notes(disk),
        ],
    )


def _densities() -> tuple[float, float]:
    """Return the densities of square bits with sides of 50 nm and of 30 nm, in Gbit/in²."""
    low, high = ((_INCH_M / (bit_nm * 1e-9)) ** 2 / 1e9 for bit_nm in (50, 30))
    return low, high


def _claims(model: Device, found: dict[str, float | int]) -> list[Claim]:
    bit_m = model.parameters["bit_width_nm"] * 1e-9
    tip_bits_per_s = model.parameters["access_velocity_mm_per_s"] * 1e-3 / bit_m
    streaming = found["streaming_bytes_per_s"] / _MIB
    track = found["rows_per_track"] * found["blocks_per_row"] * 512
    sectors = found["rows_per_track"] * model.parameters["active_tips"]
    shortest_ms = float(model.seek_x_s(0.0, bit_m)) * _MS
    access_ms, longest_ms = found["mean_access_4k_s"] * _MS, (found["max_seek_s"] + found["row_s"]) * _MS
    low, high = _densities()
    return [
        stated("001-C1", found["capacity_bytes"] / _GIB),
        stated("001-C2", access_ms * 1e3, _MS / access_ms),
        stated("001-C3", track * found["tracks_per_cylinder"] / _KIB, track / _KIB, sectors),
        stated("001-C4", found["track_s"] * _MS, found["row_s"] * _MS),
        stated("001-C5", streaming),
        stated("001-C6", 1 / found["mean_access_4k_s"] / streaming),
        stated("001-C8", tip_bits_per_s / 1e6),
        stated("001-C9", found["settle_s"] * _MS, shortest_ms, found["max_seek_s"] * _MS),
        stated(
            "001-C10",
            Calibrated(Figure("least density", "260", low, "Gbit/in²"), "bits of 50 nm"),
            Calibrated(Figure("largest density", "720", high, "Gbit/in²"), "bits of 30 nm"),
        ),
        stated(
            "001-C25",
            (f"{access_ms * 1e3:.0f} µs", 0.1 <= access_ms < 1),
            (f"{longest_ms:.3f} ms", longest_ms < 1),
        ),
    ]


def _synchronous(sled_s: float, disk_s: float) -> Claim:
    """Judge the claim on synchronous writes (section 6.3), from times on sled and disk in seconds."""
    return stated("001-C30", (f"{sled_s * _MS:.3f} ms, {disk_s * _MS:.3f} ms", sled_s < disk_s))


def _edges(model: Device) -> Claim:
    """Judge claim 001-C28: short seeks at the edge against those in the centre, and turnarounds likewise."""
    short_m = _SHORT_BITS * model.parameters["bit_width_nm"] * 1e-9
    x_m, y_m = (model.parameters[f"stroke_{axis}_nm"] * 0.5e-9 for axis in "xy")
    centre_ms, edge_ms = (
        float(model.seek_x_s(start, start + short_m)) * _MS for start in (-0.5 * short_m, x_m - short_m)
    )
    turn_ms, out_ms, in_ms = (
        float(model.turnaround_s(at, way)) * _MS for at, way in ((0.0, 1), (y_m, 1), (y_m, -1))
    )
    return stated(
        "001-C28",
        (f"{edge_ms:.3f} ms, {centre_ms:.3f} ms in the centre", edge_ms > centre_ms),
        (
            f"{out_ms:.3f} ms moving outwards and {in_ms:.3f} ms inwards, {turn_ms:.3f} ms in the centre",
            min(out_ms, in_ms) < turn_ms < max(out_ms, in_ms),
        ),
    )
