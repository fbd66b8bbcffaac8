"""The medium and its use by a request: figures of the papers, blocks, tips, and tips that move alone."""

import numpy as np
import pytest

import sledsim

GIB, KIB = 2**30, 2**10
INCH_M = 0.0254


def served(
    device: sledsim.Device, requests: list[tuple[int, int]], write: bool = False
) -> dict[str, list[int]]:
    """Return the columns of requests (LBN, blocks in sectors) that come one by one, with time in between."""
    trace = sledsim.Trace(
        arrival_ns=[at * 1_000_000_000 for at in range(len(requests))],
        lbn=[lbn for lbn, _ in requests],
        blocks=[blocks for _, blocks in requests],
        op=[write] * len(requests),
    )
    columns: dict[str, list[int]] = sledsim.simulate(device, trace, scheduler="fcfs").requests.to_pydict()
    return columns


def test_every_figure_of_the_medium_of_001() -> None:
    c = sledsim.device("osdi00").characteristics()
    assert c["capacity_bytes"] / GIB == pytest.approx(3.219, abs=5e-4), "001-C1"
    assert c["random_4k_per_s"] == pytest.approx(1422, rel=0.01), "001-C2"
    assert (c["cylinder_bytes"], c["track_bytes"]) == (1350 * KIB, 270 * KIB), "001-C3"
    assert c["tip_sectors_per_track"] == 34_560, "001-C3"
    assert (c["row_bytes"], c["tip_sectors_per_row"]) == (10 * KIB, 1280), "001-C4"
    assert (c["track_s"], c["row_s"]) == (
        pytest.approx(3.4714e-3, rel=1e-4),
        pytest.approx(0.12857e-3, rel=1e-4),
    )
    assert c["streaming_bytes_per_s"] / 2**20 == pytest.approx(75.95, abs=5e-3), "001-C5"
    assert c["gamma_per_mib"] == pytest.approx(18.7, abs=0.1), "001-C6"
    assert c["tip_bits_per_s"] == pytest.approx(0.7e6), "001-C8"
    assert c["spare_bits_y"] == 60, "000-D3"


@pytest.mark.parametrize(("bit_width_nm", "gbit_per_inch2"), [(50, 258), (40, 403), (30, 717)])
def test_densities(bit_width_nm: int, gbit_per_inch2: int) -> None:
    # 001-C10.
    density = sledsim.device("osdi00", bit_width_nm=bit_width_nm).characteristics()["density_bits_per_m2"]
    assert density * INCH_M**2 / 1e9 == pytest.approx(gbit_per_inch2, abs=0.5)


def test_capacities_of_002_and_003() -> None:
    c = sledsim.device("sigmetrics00").characteristics()
    assert (c["capacity_gross_bytes"], c["capacity_bytes"]) == (2_560_000_000, 2_252_800_000), "002-C3"
    assert c["tip_bits_per_s"] == pytest.approx(400e3), "002-C4"
    for margin_rows, gib in [(0, 4.721), (1, 4.578), (2, 4.435)]:
        device = sledsim.device("hong03", margin_rows=margin_rows)
        assert device.characteristics()["capacity_bytes"] / GIB == pytest.approx(gib, abs=5e-4), "003-C9"


@pytest.mark.parametrize(("tips_per_block", "block_bytes"), [(32, 256), (64, 512), (128, 1024), (512, 4096)])
def test_block_sizes(tips_per_block: int, block_bytes: int) -> None:
    device = sledsim.device("osdi00", tips_per_block=tips_per_block, overhead_ms=0, bus_mb_per_s=0)
    c = device.characteristics()
    assert c["block_bytes"] == block_bytes
    assert c["capacity_bytes"] == c["blocks"] * block_bytes
    # 4 KiB, of which each tip holds 8 bytes; whole blocks are read.
    columns = served(device, [(8, 8), (4096, 1)])
    assert columns["tip_sectors"] == [512, max(tips_per_block, 64)]
    assert columns["rows"] == [1, 1]
    assert columns["transfer_ns"][0] == round(c["row_s"] * 1e9)


def test_tips_on_follow_the_blocks_row_by_row() -> None:
    device = sledsim.device("osdi00", overhead_ms=0, bus_mb_per_s=0)
    columns = served(device, [(0, 1), (0, 20), (10, 20), (0, 2700)])
    assert columns["tip_sectors"] == [64, 1280, 1280, 2700 * 64]
    assert columns["rows"] == [1, 1, 2, 135]
    p = device.parameters
    service_s = np.array(columns["completion_ns"]) - np.array(columns["start_ns"])
    tips_s = np.array(columns["tip_sectors"]) * device.characteristics()["row_s"]
    # Seeking, holding and settling need equal power on this device; the electronics need power all the time.
    assert p["seek_power_mw"] == p["actuation_power_mw"]
    power_mw = p["seek_power_mw"] + p["electronics_power_mw"]
    energy_j = 1e-3 * (power_mw * service_s * 1e-9 + p["tip_power_mw"] * tips_s)
    assert columns["energy_j"] == pytest.approx(energy_j, rel=1e-9)


def test_settling_before_a_write_may_differ() -> None:
    device = sledsim.device("osdi00", write_settle_ms=0.5)
    assert device.characteristics()["write_settle_s"] == 0.5e-3
    for write, settle_ns in [(False, 220_000), (True, 500_000)]:
        assert served(device, [(0, 8), (5_000_000, 8)], write)["settle_ns"][1] == pytest.approx(
            settle_ns, abs=1
        )


CANTILEVERS = "sigmetrics00-cantilevers"


def test_the_fixed_media_design_is_small_and_quick() -> None:
    # 002-F1: tens of megabytes, hundreds of microseconds.
    c = sledsim.device(CANTILEVERS).characteristics()
    assert c["capacity_gross_bytes"] == 25_600_000
    assert 10e6 < c["capacity_bytes"] < 100e6
    assert 100e-6 < c["mean_seek_s"] < c["max_seek_s"] < 1e-3


def test_tips_that_move_alone_stay_where_they_were() -> None:
    device = sledsim.device(CANTILEVERS)
    per_cylinder = device.characteristics()["blocks_per_row"] * 2 * 5
    first, far = 0, 150 * per_cylinder
    alone = served(device, [(first, 1), (far + 1, 1), (first, 1), (far, 1)])
    # The second request moves other tips: the first block needs no seek in x.
    assert alone["seek_x_ns"][2] == 0 and alone["seek_x_ns"][3] > 0
    together = served(device.with_parameters(mechanism="sled"), [(first, 1), (far + 1, 1), (first, 1)])
    assert together["seek_x_ns"][2] > 0


def test_a_row_waits_for_the_last_of_its_tips() -> None:
    device = sledsim.device(CANTILEVERS)
    per_cylinder = device.characteristics()["blocks_per_row"] * 2 * 5
    near, far = 10 * per_cylinder, 190 * per_cylinder
    columns = served(device, [(near, 20), (far, 1), (near, 20)])
    # One of the twenty groups has a long seek.
    back = device.locate([near, far])["x_m"]
    settle_s = device.characteristics()["settle_s"]
    assert columns["seek_x_ns"][2] == pytest.approx(1e9 * (device.seek_x_s(*back) - settle_s), abs=1)


def test_later_tips_are_positioned_meanwhile() -> None:
    device = sledsim.device(CANTILEVERS)
    track = device.characteristics()["blocks_per_row"] * 2
    columns = served(device, [(0, 25 * track)])
    # Five tracks of two rows a cylinder: other tips read while those of a track go on to the next cylinder.
    assert columns["rows"] == [50]
    assert columns["switch_ns"] == [0]
    c = device.characteristics()
    assert c["sustained_bytes_per_s"] == pytest.approx(c["streaming_bytes_per_s"])
    assert c["sustained_bytes_per_s"] == pytest.approx(25 * track * 512e9 / columns["transfer_ns"][0])


def test_tips_that_wait_for_the_bus_are_free_afterwards() -> None:
    device = sledsim.device(CANTILEVERS, bus_mb_per_s=1.0)
    trace = sledsim.Trace(arrival_ns=[0, 10_000_000_000], lbn=[0, 0], blocks=[80, 1], op=[True, False])
    columns = sledsim.simulate(device, trace, scheduler="fcfs").requests.to_pydict()
    x_s, y_s = (
        np.add(columns[f"seek_{axis}_ns"], columns[more])
        for axis, more in [("x", "settle_ns"), ("y", "turnaround_ns")]
    )
    assert columns["hold_ns"][0] > 0
    assert columns["positioning_ns"] == np.maximum(x_s, y_s).tolist()


@pytest.mark.parametrize("name", sledsim.devices("mems"))
@pytest.mark.parametrize("mode", ["bidirectional", "serpentine", "parity", "unidirectional"])
@pytest.mark.parametrize("row_order", ["sweep", "lbn"])
def test_the_sustained_rate_is_that_of_a_long_read(name: str, mode: str, row_order: str) -> None:
    device = sledsim.device(name, access_mode=mode, overhead_ms=0, bus_mb_per_s=0)
    if name != CANTILEVERS:
        device = device.with_parameters(row_order=row_order)
    c = device.characteristics()
    per_cylinder, cylinders = c["cylinder_bytes"] // c["block_bytes"], min(100, c["cylinders"])
    # Traces count in sectors of 512 bytes, as most devices do.
    columns = served(device, [(0, per_cylinder * cylinders * c["block_bytes"] // 512)])
    seconds = 1e-9 * (columns["switch_ns"][0] + columns["transfer_ns"][0])
    # A hundred cylinders have one switch less than two hundred halves.
    assert cylinders * c["cylinder_bytes"] / seconds == pytest.approx(c["sustained_bytes_per_s"], rel=3e-3)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("sleds", 2),
        ("row_order", "sweep"),
        ("cylinder_switch", "tip-deflection"),
        ("power_policy", "immediate"),
    ],
)
def test_what_has_no_meaning_without_a_sled_is_refused(key: str, value: object) -> None:
    with pytest.raises(sledsim.ParameterError, match=f"mechanism = cantilevers needs {key} = "):
        sledsim.device(CANTILEVERS, **{key: value})


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"sector_encoded_bits": 3000}, r"= 3020 bits does not fit a region of .* = 2500 bits"),
        ({"active_tips": 7000}, "active_tips = 7000: expected at most tips = 6400"),
        ({"tips_per_block": 2000}, "tips_per_block = 2000: expected at most active_tips = 1280"),
        ({"spring_factor": 1.34}, r"1\.34 x 803\.6 = 1076\.8 m/s\^2 against the 803\.6 m/s\^2"),
        (
            {"margin_rows": 27},
            r"margin_rows = 27 leaves no row for data: a track has \(2500 - 10\) / 90 = 27 rows",
        ),
        (
            {"spare_travel_nm": 0, "access_velocity_mm_per_s": 100.0},
            r"turnaround beyond the outermost row at 48\.800 um overshoots by 3\.538 um, to 52\.338 um .*"
            r"spare_travel_nm = 2339 is enough",
        ),
        (
            {"seek_model": "linear-system", "loop_damping": 0.3, "spare_travel_nm": 0},
            "a seek to the outermost cylinder at 50.000 um overshoots by 37.2",
        ),
    ],
)
def test_geometry_that_cannot_be_is_refused_with_the_arithmetic(
    overrides: dict[str, object], message: str
) -> None:
    with pytest.raises(sledsim.ParameterError, match=message):
        sledsim.device("osdi00", **overrides)


def test_the_spare_travel_that_would_do_does() -> None:
    wanted = {"access_velocity_mm_per_s": 100.0}
    assert sledsim.device("osdi00", spare_travel_nm=2339, **wanted).parameters["spare_travel_nm"] == 2339
    with pytest.raises(sledsim.ParameterError, match="spare_travel_nm = 2339 is enough"):
        sledsim.device("osdi00", spare_travel_nm=2338, **wanted)
    # The published devices need only the first, whose rows end 0.25 um from the edge of its region.
    for name in ("osdi00", "mascots03", "hong03"):
        assert sledsim.device(name, spare_travel_nm=0).name == name
    with pytest.raises(sledsim.ParameterError, match="spare_travel_nm = 1493 is enough"):
        sledsim.device("sigmetrics00", spare_travel_nm=0)
