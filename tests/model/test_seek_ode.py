"""Seeks against direct integration of the equations of motion (000-F3), by a library's ODE solver.

A seek is full force one way for T1 and then the other way for T2. Shooting finds both times: the plant is
integrated from the start, and Newton's method changes the times until it arrives at the end with the given
speed. The closed form is not used, neither the switch point nor the splitting of a seek in y into
turnarounds and a base seek.
"""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import sledsim

Array = NDArray[np.float64]
DEVICES = ["sigmetrics00", "osdi00", "hong03"]
SEEKS = 1000


class Plant:
    """An axis of a sled, in units of its full displacement L and of the time sqrt(L / a)."""

    def __init__(self, device: sledsim.Device) -> None:
        p = device.parameters
        self.length_m = p["stroke_x_nm"] * 0.5e-9
        self.time_s = np.sqrt(self.length_m / p["acceleration_m_per_s2"])
        self.spring = p["spring_factor"]
        self.speed = p["access_velocity_mm_per_s"] * 1e-3 * self.time_s / self.length_m

    def seek(self, start: Array, start_speed: Array, end: Array, end_speed: Array) -> Array:
        """Seconds to get from places to places above them, with given speeds at both."""
        # Without springs the times are known; the springs are then stiffened step by step.
        peak = np.sqrt((start_speed**2 + end_speed**2) / 2 + end - start)
        times = np.array([peak - start_speed, peak - end_speed])
        ends = np.array([start, start_speed, end, end_speed])
        for spring in np.linspace(0, self.spring, 9)[1:]:
            for _ in range(2):
                times -= miss(spring, ends, times)
        for _ in range(5):
            last = miss(self.spring, ends, times)
            times -= last
        assert np.max(np.abs(last) / times.sum(axis=0)) < 1e-11
        return times.sum(axis=0) * self.time_s


def miss(spring: float, ends: Array, times: Array) -> Array:
    """Error of the two times, by Newton's method."""
    start, start_speed, end, end_speed = ends
    still = np.zeros_like(start)
    place, speed, *_ = integrate(spring, np.array([start, start_speed, still, still]), 1.0, times[0])
    later = np.array([place, speed, speed, 1 - spring * place])
    place, speed, by_first, speed_by_first = integrate(spring, later, -1.0, times[1])
    by_second, speed_by_second = speed, -1 - spring * place
    off, speed_off = place - end, speed - end_speed
    determinant = by_first * speed_by_second - by_second * speed_by_first
    return (
        np.array([off * speed_by_second - speed_off * by_second, speed_off * by_first - off * speed_by_first])
        / determinant
    )


def integrate(spring: float, state: Array, force: float, duration: Array) -> Array:
    """Return the states (rows: place, speed, and their variations), each after its own duration."""

    def slope(_: float, flat: Array) -> Array:
        place, speed, place_change, speed_change = flat.reshape(4, -1)
        rates = [speed, force - spring * place, speed_change, -spring * place_change]
        return (duration * np.array(rates)).ravel()

    solution = solve_ivp(slope, (0, 1), state.ravel(), method="DOP853", rtol=1e-13, atol=1e-16)
    return solution.y[:, -1].reshape(4, -1)


def random_pairs(seed: int) -> tuple[Array, Array]:
    """Displacements in units of L, the second above the first; half of the pairs close together."""
    rng = np.random.default_rng(seed)
    start, end = np.sort(rng.uniform(-1, 1, (2, SEEKS)), axis=0)
    near = start + (end - start) * 10 ** rng.uniform(-3, 0, SEEKS)
    return start, np.where(rng.random(SEEKS) < 0.5, near, end)


@pytest.mark.parametrize("name", DEVICES)
def test_seeks_in_x(name: str) -> None:
    device = sledsim.device(name, settle_ms=0)
    plant = Plant(device)
    start, end = random_pairs(1)
    still = np.zeros_like(start)
    expected_s = plant.seek(start, still, end, still)
    found_s = device.seek_x_s(start * plant.length_m, end * plant.length_m)
    assert found_s == pytest.approx(expected_s, rel=1e-9)


@pytest.mark.parametrize("name", DEVICES)
@pytest.mark.parametrize(("d0", "d1", "turnarounds"), [(1, 1, 0), (-1, 1, 1), (1, -1, 1), (-1, -1, 2)])
def test_seeks_in_y(name: str, d0: int, d1: int, turnarounds: int) -> None:
    device = sledsim.device(name)
    plant = Plant(device)
    start, end = random_pairs(10 * d0 + d1 + 100)
    speed = np.full_like(start, plant.speed)
    expected_s = plant.seek(start, d0 * speed, end, d1 * speed)
    found_s = device.seek_y_s(start * plant.length_m, d0, end * plant.length_m, d1)
    assert found_s == pytest.approx(expected_s, rel=1e-9)
    # Downwards, mirrored and backwards in time, the motion is the same.
    mirrored_s = device.seek_y_s(-start * plant.length_m, -d0, -end * plant.length_m, -d1)
    reversed_s = device.seek_y_s(end * plant.length_m, -d1, start * plant.length_m, -d0)
    assert mirrored_s == pytest.approx(found_s, rel=1e-12)
    assert reversed_s == pytest.approx(found_s, rel=1e-12)
    base_s = device.seek_y_s(start * plant.length_m, 1, end * plant.length_m, 1)
    assert np.all(found_s >= base_s) == (turnarounds >= 0)


@pytest.mark.parametrize("name", DEVICES)
def test_turning_round_in_place(name: str) -> None:
    device = sledsim.device(name)
    plant = Plant(device)
    place = np.linspace(-1, 1, 101)
    speed = np.full_like(place, plant.speed)
    # Moving down and then up through the same place is a motion under one force.
    expected_s = plant.seek(place, -speed, place, speed)
    assert device.seek_y_s(place * plant.length_m, -1, place * plant.length_m, 1) == pytest.approx(
        expected_s, rel=1e-9
    )
    assert device.turnaround_s(place * plant.length_m, -1) == pytest.approx(expected_s, rel=1e-9)


DISPLACEMENT_UM = st.floats(-50, 50, allow_subnormal=False)
SPRING = st.floats(0, 0.99)


@given(a=DISPLACEMENT_UM, b=DISPLACEMENT_UM, spring=SPRING)
def test_symmetry_to_the_last_bit(a: float, b: float, spring: float) -> None:
    device = sledsim.device("osdi00", spring_factor=spring)
    there_s = device.seek_x_s(a * 1e-6, b * 1e-6)
    assert there_s == device.seek_x_s(b * 1e-6, a * 1e-6), "symmetric in time"
    assert there_s == device.seek_x_s(-a * 1e-6, -b * 1e-6), "symmetric about the centre"


@given(a=DISPLACEMENT_UM, spring=SPRING)
def test_no_way_takes_no_time(a: float, spring: float) -> None:
    device = sledsim.device("osdi00", spring_factor=spring)
    assert device.seek_x_s(a * 1e-6, a * 1e-6) == 0
    assert device.seek_y_s(a * 1e-6, 1, a * 1e-6, 1) == 0


@given(a=DISPLACEMENT_UM, spring=SPRING)
def test_monotone_in_distance(a: float, spring: float) -> None:
    device = sledsim.device("osdi00", spring_factor=spring, settle_ms=0)
    for edge_m in (-50e-6, 50e-6):
        ends_m = np.linspace(a * 1e-6, edge_m, 200)
        assert np.all(np.diff(device.seek_x_s(a * 1e-6, ends_m)) >= 0)
        way = 1 if edge_m > a * 1e-6 else -1
        assert np.all(np.diff(device.seek_y_s(a * 1e-6, way, ends_m, way)) >= -1e-18)


@given(a=DISPLACEMENT_UM, b=DISPLACEMENT_UM)
def test_springs_to_zero_is_the_first_order_model(a: float, b: float) -> None:
    # 002-F5 and F7, Eqs 2 and 4.
    device = sledsim.device("sigmetrics00", settle_ms=0)
    nearly = sledsim.device("sigmetrics00", settle_ms=0, spring_factor=1e-12)
    accel, speed, distance_m = 114.8, 0.02, abs(a - b) * 1e-6
    x_s = 2 * np.sqrt(distance_m / accel)
    way = 1 if b >= a else -1
    y_s = 2 * (distance_m / (speed + np.sqrt(speed**2 + accel * distance_m)))
    for sled in (device, nearly):
        assert sled.seek_x_s(a * 1e-6, b * 1e-6) == pytest.approx(x_s, rel=1e-9)
        assert sled.seek_y_s(a * 1e-6, way, b * 1e-6, way) == pytest.approx(y_s, rel=1e-9)
