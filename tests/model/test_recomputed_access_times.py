"""Times of seeks and accesses from Eqs 1 to 6 of 000, Eqs 1 to 5 of 002 and the papers' tables."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import sledsim

from ..recomputed import (
    HONG03,
    MASCOTS03,
    OSDI00,
    SECTOR,
    SIGMETRICS00,
    ZONES,
    Floats,
    Ints,
    Sled,
    first_come_first_served,
    mobile,
    one_time_constant,
)

SLEDS = {
    "osdi00": OSDI00,
    "mascots03": MASCOTS03,
    "mascots03-zones": ZONES,
    "sigmetrics00": SIGMETRICS00,
    "hong03": HONG03,
    "emsoft08": mobile(4096, 1, 4096),
}

ROUNDING = 1e-11
"""Of sums of arc cosines near 1, relative: the shortest seeks lose four of sixteen digits."""


@functools.cache
def moments(name: str) -> tuple[float, float]:
    return SLEDS[name].seek_moments(choose=not SLEDS[name].by_column)


def anywhere(sled: Sled, seed: int) -> tuple[Floats, Floats, Ints, Ints]:
    """Pairs of places, among them short seeks and both ends of the travel, with directions."""
    rng = np.random.default_rng(seed)
    half = sled.stroke / 2
    first, second = rng.uniform(-half, half, (2, 500))
    second[:100] = np.clip(first[:100] + rng.integers(-20, 21, 100) * sled.bit, -half, half)
    first[-4:], second[-4:] = (-half, half, -half, 0.0), (half, -half, 0.0, half)
    return first, second, rng.choice([1, -1], 500), rng.choice([1, -1], 500)


@pytest.mark.parametrize("name", SLEDS)
def test_seeks_and_turnarounds_are_those_of_the_equations(name: str) -> None:
    """000 Eqs 2, 5 and 6 and the turnaround of 000-D3; 002 Eqs 2, 4 and 5 without springs."""
    sled, device = SLEDS[name], sledsim.device(name)
    a, b, d0, d1 = anywhere(sled, 1)
    np.testing.assert_allclose(device.seek_x_s(a, b), sled.seek_x(a, b), rtol=ROUNDING)
    np.testing.assert_allclose(device.seek_y_s(a, d0, b, d1), sled.seek_y(a, d0, b, d1), rtol=ROUNDING)
    np.testing.assert_allclose(device.turnaround_s(a, d0), sled.turnaround(a, d0), rtol=ROUNDING)


@pytest.mark.parametrize("name", SLEDS)
def test_seeks_are_those_of_the_equations_of_motion(name: str) -> None:
    """000 Eqs 3 and 4 by quadrature: dx over the speed that the work of actuators and springs gives.

    At an end where the sled rests, the speed grows as the root of the way; the substitution x = x0 + u^2
    removes the root. The integrand is smooth except near access velocity: 200 points give nine digits.
    """
    sled, device = SLEDS[name], sledsim.device(name)
    a, b, _, _ = anywhere(sled, 2)
    low, high = np.minimum(a, b), np.maximum(a, b)
    apart = high - low > 5e-9
    low, high = low[apart], high[apart]
    turn = sled.reversal(low, high)
    nodes, weights = np.polynomial.legendre.leggauss(200)
    u, weights = (nodes + 1) / 2, weights / 2

    def half_way(end: Floats, side: float, speed: float) -> Floats:
        """Time from an end to the reversal of the force; backwards in time from the far end."""
        way = np.abs(turn - end)
        gone = way[:, None] * u**2
        work = sled.acceleration * gone - sled.w**2 * gone * (side * end[:, None] + gone / 2)
        return np.asarray((2 * way[:, None] * u / np.sqrt(speed**2 + 2 * work)) @ weights)

    for speed, found in (
        (0.0, np.subtract(device.seek_x_s(low, high), sled.settle)),
        (sled.velocity, np.asarray(device.seek_y_s(low, 1, high, 1))),
    ):
        np.testing.assert_allclose(found, half_way(low, 1.0, speed) + half_way(high, -1.0, speed), rtol=1e-9)


@pytest.mark.parametrize("name", SLEDS)
def test_characteristics_follow_from_the_tables(name: str) -> None:
    """Settling, turnaround, row, tip rate and streaming (002-C1, C2, C4; 001-C4, C5, C8; 000-C1; 003-D3)."""
    sled, found = SLEDS[name], sledsim.device(name).characteristics()
    expected = {
        "settle_s": sled.settle,
        "turnaround_s": float(sled.turnaround(0.0, 1)),
        "row_s": sled.row_time,
        "track_s": sled.rows * sled.row_time,
        "tip_bits_per_s": sled.velocity / sled.bit,
        "streaming_bytes_per_s": sled.slots * sled.block_bytes / sled.row_time,
    }
    for key, value in expected.items():
        assert found[key] == pytest.approx(value, rel=ROUNDING), key


@pytest.mark.parametrize("name", SLEDS)
def test_longest_seek(name: str) -> None:
    """000-C5, 002-C6, 001-C9, 003-D3: the whole stroke along x, or the longest that an access needs along y.

    An access that may choose its direction takes the quicker one (001-F3, D8).
    """
    sled = SLEDS[name]
    rows, half = np.arange(sled.rows), sled.stroke / 2
    t_y = {
        (d0, d1): sled.seek_y(sled.ends(rows, rows, d0)[1][:, None], d0, sled.ends(rows, rows, d1)[0], d1)
        for d0 in (1, -1)
        for d1 in (1, -1)
    }
    choose = np.maximum if sled.by_column else np.minimum
    along_y = max(float(np.max(choose(t_y[d0, 1], t_y[d0, -1]))) for d0 in (1, -1))
    longest = max(float(sled.seek_x(-half, half)), along_y)
    assert sledsim.device(name).characteristics()["max_seek_s"] == pytest.approx(longest, rel=ROUNDING)


def test_figures_of_the_papers_to_their_printed_digits() -> None:
    """002-C1, C2, C4; 000-C1, D3; 001-C2, C4, C6, C8; 003-D3."""
    found = {name: sledsim.device(name).characteristics() for name in SLEDS}
    assert round(found["sigmetrics00"]["settle_s"] * 1e3, 2) == 0.72
    assert round(found["sigmetrics00"]["turnaround_s"] * 1e3, 2) == 0.35
    assert round(found["sigmetrics00"]["tip_bits_per_s"]) == 400_000
    assert round(one_time_constant(739.0) * 1e3, 3) == 0.215 == found["mascots03"]["settle_s"] * 1e3
    assert round(found["osdi00"]["turnaround_s"] * 1e3, 2) == 0.07
    assert round(found["osdi00"]["row_s"] * 1e3, 3) == 0.129
    assert round(found["osdi00"]["track_s"] * 1e3, 2) == 3.47
    assert round(found["osdi00"]["gamma_per_mib"]) == 19
    assert round(found["hong03"]["settle_s"] * 1e3, 4) == 0.1436
    edges = sledsim.device("mascots03").turnaround_s([0.0, 50e-6, -50e-6], 1)
    assert np.round(np.multiply(edges, 1e3), 4).tolist() == [0.0693, 0.0398, 0.2596]


@pytest.mark.dear("many requests are simulated and computed again", every_change="sigmetrics00")
@pytest.mark.parametrize("name", SLEDS)
def test_mean_seek_and_mean_access(name: str) -> None:
    """001-C2, D7, D8; 002-C5; 003-D3; 004-D6: a sum over every pair of cylinders, rows and directions.

    Sledsim's own mean is off that sum by up to 4.4e-6. Midpoints of a grid of 500 columns in place of all
    would be off by 7e-6, so the tolerance for such a grid is 1e-5, and four printed digits are right.
    """
    sled, found = SLEDS[name], sledsim.device(name).characteristics()
    mean, _ = moments(name)
    assert found["mean_seek_s"] == pytest.approx(mean, rel=1e-5)
    assert found["mean_access_4k_s"] == pytest.approx(mean + sled.row_time, rel=1e-5)


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
@pytest.mark.parametrize("name", SLEDS)
def test_seeks_of_a_run_have_that_mean_and_deviation(name: str) -> None:
    """Random rows one after the other: each positioning to half a nanosecond, and both moments (002-C5).

    Mean and deviation of n seeks may be off by four standard errors.
    """
    sled, count = SLEDS[name], 20_000
    rng = np.random.default_rng(3)
    block = rng.integers(0, sled.blocks, count)
    unit = sled.block_bytes // SECTOR
    trace = sledsim.Trace(
        np.arange(count, dtype=np.int64) * 10_000_000, block * unit, np.full(count, unit, dtype=np.int32)
    )
    found = sledsim.simulate(sledsim.device(name, power_policy="always-on"), trace, "fcfs").columns
    track = block // sled.slots // sled.rows
    row = block // sled.slots % sled.rows
    row = np.where(track % 2 == 1, sled.rows - 1 - row, row)
    x, d = sled.x_of(track // sled.tracks), found["direction"].astype(np.int64)
    begin, end = {}, {}
    for way in (1, -1):
        begin[way], end[way] = sled.ends(row, row, way)
    y_end = np.where(d > 0, end[1], end[-1])
    t_x = sled.seek_x(x[:-1], x[1:])
    t_y = {way: sled.seek_y(y_end[:-1], d[:-1], begin[way][1:], way) for way in (1, -1)}
    if sled.by_column:
        np.testing.assert_array_equal(d, np.where(track // sled.tracks % 2 == 0, 1, -1))
    else:
        np.testing.assert_array_equal(d[1:], np.where(t_y[1] <= t_y[-1], 1, -1))
    seeks = np.maximum(t_x, np.where(d[1:] > 0, t_y[1], t_y[-1]))
    np.testing.assert_allclose(found["positioning_ns"][1:], seeks * 1e9, rtol=0, atol=0.5 + 1e-4)

    mean, deviation = moments(name)
    times = found["positioning_ns"] * 1e-9
    assert times.mean() == pytest.approx(mean, abs=4 * deviation / count**0.5)
    kurtosis = float(np.mean((times - mean) ** 4)) / deviation**4
    assert times.std() == pytest.approx(deviation, rel=4 * ((kurtosis - 1) / 4 / count) ** 0.5)


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
@pytest.mark.parametrize(
    ("name", "rate", "mean_blocks", "overhead_ns", "block_ns"),
    [
        ("osdi00", 1000, 8, 200_000, 5_120),
        ("osdi00", 300, 100, 200_000, 5_120),
        ("osdi00", 800, 16, 200_000, 20_480),
        ("mascots03", 1000, 8, 200_000, 5_120),
        ("mascots03", 300, 100, 200_000, 5_120),
        ("mascots03-zones", 1000, 8, 200_000, 5_120),
        ("hong03", 1500, 8, 200_000, 5_120),
        ("hong03", 400, 100, 200_000, 5_120),
        ("sigmetrics00", 100, 200, 0, 0),
    ],
)
def test_random_workload_first_come_first_served(
    name: str, rate: int, mean_blocks: int, overhead_ns: int, block_ns: int
) -> None:
    """001-F11, F7, F9, D7, 002-F9: rows, switches of tracks, queue and bus; each response time in ns."""
    sled, count = SLEDS[name], 400
    bus = 512e3 / block_ns if block_ns else 0.0
    device = sledsim.device(name, bus_mb_per_s=bus)
    rng = np.random.default_rng(11)
    arrival = np.cumsum(np.rint(rng.exponential(1e9 / rate, count))).astype(np.int64)
    blocks = np.ceil(rng.exponential(mean_blocks, count)).astype(np.int64)
    lbn = rng.integers(0, sled.blocks - 10_000, count)
    lbn[::7] = np.roll(lbn + blocks, 1)[::7]
    write = rng.random(count) < 0.5
    trace = sledsim.Trace(arrival, lbn, blocks.astype(np.int32), write.astype(np.uint8))
    found = sledsim.simulate(device, trace, "fcfs").response_ns
    requests = list(zip(arrival.tolist(), lbn.tolist(), blocks.tolist(), write.tolist(), strict=True))
    own = first_come_first_served(sled, overhead_ns, block_ns, requests)
    np.testing.assert_array_equal(found, np.array(own) - arrival)

    # Request by request, as a server receives them.
    stepped = sledsim.Simulation(device, "fcfs")
    for request in zip(arrival, lbn, blocks, write, strict=True):
        stepped.submit(**dict(zip(("arrival_ns", "lbn", "blocks", "write"), request, strict=True)))
    np.testing.assert_array_equal(stepped.finish().columns["completion_ns"], own)
