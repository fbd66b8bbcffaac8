"""Capacities and formats, counted again from the tables of the papers and Eqs 1 to 6 of 004."""

from __future__ import annotations

import functools
import itertools
import math

import numpy as np
import pytest

import sledsim

from ..recomputed import HONG03, MASCOTS03, OSDI00, SIGMETRICS00, ZONES, Ints, Sled, mobile, subsector_bits

GIB = 2**30
PROBES, SECTORS, SECTOR_BYTES = (
    (64, 128, 256, 512, 1024, 2048, 4096),
    (1, 2, 4, 8, 16),
    (512, 1024, 2048, 4096, 8192),
)
"""004 Table 1."""
ALL_FORMATS = list(itertools.product(PROBES, SECTORS, SECTOR_BYTES))
RAW_BITS = 4096 * 2500**2
CAPTURES = ("ext3-4k", "ext3-1k", "ext2-4k", "ext2-1k", "demo")


def formatted(sled: Sled) -> int:
    """Whole tip sectors under all tips (001-C1, 003-C9)."""
    return sled.tips * sled.cylinders * sled.rows * sled.sector_bytes


def gross(sled: Sled) -> float:
    """Every bit cell, at eight data bits in ten (002-C3)."""
    return sled.tips * sled.cylinders**2 * 8 / 10 / 8


def feasible(probes: int, sectors: int, sector_bytes: int) -> bool:
    """Rule of 004-D3: at least 8 bits of data and ECC a probe, at most 2500 with the overhead."""
    bits = subsector_bits(probes, sectors, sector_bytes)
    return bits - 3 >= 8 and bits <= 2500


def capacity(probes: int, sectors: int, sector_bytes: int) -> float:
    """004-F7: the ratio of data bits to all bits, of the raw capacity."""
    data = 8 * sector_bytes * sectors / probes
    return data / subsector_bits(probes, sectors, sector_bytes) * RAW_BITS / 8


@pytest.mark.parametrize(
    ("name", "sled"),
    [
        ("osdi00", OSDI00),
        ("mascots03", MASCOTS03),
        ("mascots03-zones", ZONES),
        ("sigmetrics00", SIGMETRICS00),
        ("hong03", HONG03),
    ],
)
def test_bytes_of_device_cylinder_track_and_row(name: str, sled: Sled) -> None:
    """001-C1, C3, C4; 002-C3, D5; 003-D3; 000 section 7.2."""
    found = sledsim.device(name).characteristics()
    row = sled.slots * sled.block_bytes
    expected = {
        "capacity_bytes": formatted(sled),
        "capacity_gross_bytes": round(gross(sled)),
        "blocks": formatted(sled) // sled.block_bytes,
        "cylinders": sled.cylinders,
        "tracks_per_cylinder": sled.tracks,
        "rows_per_track": sled.rows,
        "blocks_per_row": sled.slots,
        "row_bytes": row,
        "track_bytes": row * sled.rows,
        "cylinder_bytes": row * sled.rows * sled.tracks,
        "tip_sectors_per_row": sled.active,
        "tip_sectors_per_track": sled.active * sled.rows,
        "spare_bits_y": sled.cylinders - sled.rows * sled.row_bits - sled.servo_bits,
    }
    assert {key: found[key] for key in expected} == expected


def test_capacities_to_the_printed_digits() -> None:
    """001-C1, C3, C4; 002-C3, D5; 003-C9; the paper's GB are binary in 001 and 003, decimal in 002."""
    osdi, first, third = (sledsim.device(name) for name in ("osdi00", "sigmetrics00", "hong03"))
    of_001, of_002 = osdi.characteristics(), first.characteristics()
    assert round(of_001["capacity_bytes"] / GIB, 1) == 3.2
    assert [of_001[f"{part}_bytes"] / 1024 for part in ("cylinder", "track", "row")] == [1350, 270, 10]
    assert (of_001["tip_sectors_per_track"], of_001["tip_sectors_per_row"]) == (34_560, 1280)
    assert (of_002["capacity_gross_bytes"], of_002["capacity_bytes"]) == (2_560_000_000, 2_252_800_000)
    assert round(third.characteristics()["capacity_bytes"] / GIB, 3) == 4.721
    assert third.characteristics()["rows_per_track"] == 33
    with_margin = third.with_parameters(margin_rows=1).characteristics()
    assert (with_margin["rows_per_track"], round(with_margin["capacity_bytes"] / GIB, 3)) == (32, 4.578)


def test_density() -> None:
    """001-C10, 004-C14: bits in a square inch."""
    for name, sled in (("sigmetrics00", SIGMETRICS00), ("osdi00", OSDI00), ("hong03", HONG03)):
        found = sledsim.device(name).characteristics()["density_bits_per_m2"]
        assert found == pytest.approx(1 / sled.bit**2, rel=1e-12)
    inch = 0.0254
    gigabits = [round(float((inch / bit) ** 2) / 1e9) for bit in (50e-9, 40e-9, 30e-9)]
    assert gigabits == [258, 403, 717]


@functools.cache
def mobile_device() -> sledsim.Device:
    return sledsim.device("emsoft08")


@functools.cache
def characteristics(form: tuple[int, int, int]) -> dict[str, bool | int | float | str | None]:
    return sledsim.format_characteristics(mobile_device(), *form)


def test_every_format_of_the_design_space() -> None:
    """004 Eqs 1, 2 and 4, 004-F7, D2, D3 for all 175, feasible or not."""
    for form in ALL_FORMATS:
        probes, sectors, sector_bytes = form
        found, bits = characteristics(form), subsector_bits(*form)
        data = 8 * sector_bytes * sectors / probes
        tracks = 2500 * (4096 // probes)
        assert found["subsector_bits"] == bits, form
        assert found["feasible"] is feasible(*form), form
        assert found["capacity_bytes"] == pytest.approx(capacity(*form), rel=1e-12), form
        assert found["packed_capacity_bytes"] == 2500 // bits * sectors * sector_bytes * tracks, form
        assert found["utilization"] == pytest.approx(data / bits, rel=1e-12), form
        assert found["transfer_s"] == pytest.approx(bits / 40e3, rel=1e-12), form
        assert found["throughput_bytes_per_s"] == pytest.approx(probes * 40e3 / 8, rel=1e-12), form
        assert found["data_bytes_per_s"] == pytest.approx(probes * 40e3 / 8 * data / bits, rel=1e-12), form


def test_how_many_formats_are_feasible_and_which_hold_most() -> None:
    """004-C2, C3, C4, C9, C10, C11, D3."""
    assert len(ALL_FORMATS) == 175
    good = [form for form in ALL_FORMATS if characteristics(form)["feasible"]]
    assert (len(good), len(ALL_FORMATS) - len(good)) == (155, 20)
    low = [form for form in ALL_FORMATS if form not in good and subsector_bits(*form) < 2500]
    assert len(low) == 10

    def gib(form: tuple[int, int, int]) -> float:
        found = characteristics(form)["capacity_bytes"]
        assert isinstance(found, float)
        return found / GIB

    named = [(4096, 16, 4096), (4096, 1, 4096), (2048, 16, 2048), (2048, 1, 4096)]
    assert [round(gib(form), 3) for form in named] == [2.595, 1.987, 2.595, 2.271]
    assert round(gib((64, 4, 8192)), 3) == 2.647
    assert not characteristics((64, 4, 8192))["feasible"]
    most = max(gib(form) for form in good)
    assert round(most, 4) == 2.6457
    best = [form for form in good if gib(form) == most]
    assert len(best) == 10
    assert {subsector_bits(*form) for form in best} == {2307}
    raw = RAW_BITS / 8 / GIB
    assert round(raw, 3) == 2.980
    assert round(1 - gib((512, 1, 512)) / raw, 3) == 0.333
    assert round(gib((256, 8, 512)) - gib((256, 1, 512)), 3) == 0.324


def groups(lbn: Ints, sectors: Ints, parallel: int) -> Ints:
    """Groups of M sectors that a request touches: the ceiling of L over M if aligned (Eq 5, D8)."""
    return (lbn + sectors - 1) // parallel - lbn // parallel + 1


def capture(name: str) -> sledsim.Trace:
    trace = sledsim.demo_trace() if name == "demo" else sledsim.bundled_trace(name)
    return trace.transfers()


def one_at_a_time(trace: sledsim.Trace, form: tuple[int, int, int], **changes: float | str) -> sledsim.Run:
    device = sledsim.device("emsoft08", format="x".join(map(str, form)), power_policy="always-on", **changes)
    return sledsim.simulate(device, trace, "fcfs", replay="closed:outstanding=1")


@pytest.mark.parametrize("name", CAPTURES)
def test_response_over_sectors_side_by_side(name: str) -> None:
    """004 Eq 5 on captures, 256 probes, 512 bytes, M = 1 to 16 (004-C7): every transfer, and the quickest.

    A transfer is a whole number of nanoseconds here. The mean response less the mean transfer is the seek and
    the switches to other tracks.
    """
    trace = capture(name)
    own, found = [], []
    for parallel in SECTORS:
        t_rw = subsector_bits(256, parallel, 512) / 40e3
        transfer = groups(trace.lbn, trace.blocks.astype(np.int64), parallel) * t_rw
        run = one_at_a_time(trace, (256, parallel, 512))
        np.testing.assert_allclose(run.columns["transfer_ns"], transfer * 1e9, rtol=0, atol=0.5)
        own.append(float(transfer.mean()))
        found.append(float(run.response_ns.mean()) * 1e-9)
    assert np.argsort(own).tolist() == np.argsort(found).tolist()
    if name.endswith("4k"):
        assert SECTORS[int(np.argmin(own))] == 8


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
def test_whole_responses_over_sectors_side_by_side() -> None:
    """004 Eq 5 with every seek and switch of tracks: 150 requests of a capture, one after the other."""
    trace = capture("ext3-4k").rows(slice(0, 3000, 20))
    for parallel in SECTORS:
        sled = mobile(256, parallel, 512)
        at, own, most = sled.park, [], []
        for lbn, sectors in zip(trace.lbn.tolist(), trace.blocks.tolist(), strict=True):
            access = sled.access(at, lbn, sectors)
            at = access.after
            own.append(access.positioning + access.switches + access.rows * sled.row_time)
            most.append(0.5 * (len(access.pieces) + 1))
        run = one_at_a_time(trace, (256, parallel, 512))
        off = np.abs(run.response_ns - np.array(own) * 1e9)
        assert np.all(off <= np.array(most)), parallel


@pytest.mark.parametrize(
    ("hold_mw", "best"), [(5.2, 128), (5.5, 256), (10.0, 256), (21.2, 256), (21.5, 512), (120.0, 512)]
)
def test_energy_over_active_probes(hold_mw: float, best: int) -> None:
    """004 Eqs 3 and 6 with the same power of holding everywhere: the minimum of Figure 3 (004-C8).

    It is at 256 probes between 5.33 and 21.33 mW, where 39 (32 + P) = 21 (64 + P) and 21 (64 + P) = 12 (128
    + P).
    """
    trace = capture("ext3-4k")
    own, found = [], []
    for probes in (64, 128, 256, 512):
        t_rw = subsector_bits(probes, 1, 512) / 40e3
        own.append(int(trace.blocks.sum()) * t_rw * (0.25e-3 * probes + hold_mw * 1e-3))
        run = one_at_a_time(trace, (probes, 1, 512), actuation_power_mw=hold_mw, actuation_exponent=0.0)
        found.append(float(run.columns["tips_j"].sum() + run.columns["actuation_j"].sum()))
    np.testing.assert_allclose(found, own, rtol=1e-9)
    assert (64, 128, 256, 512)[int(np.argmin(found))] == best
    assert math.isclose(39 * (32 + 16 / 3), 21 * (64 + 16 / 3)) and math.isclose(
        21 * (64 + 64 / 3), 12 * (128 + 64 / 3)
    )
