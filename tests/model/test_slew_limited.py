"""Seeks whose force cannot jump: the plant integrated by a library; a linear program finds no quicker seek.

The plant is x'' = u - w^2 x with |u| <= a and |u'| <= j, and u = w^2 x at both ends.
"""

import itertools
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import linprog

import sledsim

DEVICES = ["osdi00", "sigmetrics00", "hong03"]
#: Begin and its direction, end and its direction; 0 is at rest, a seek along x.
MOTIONS = [
    (-50e-6, 0, 50e-6, 0),
    (10e-6, 0, 9.96e-6, 0),
    (-30e-6, 0, 5e-6, 0),
    (-20e-6, 1, 40e-6, 1),
    (-20e-6, -1, 40e-6, 1),
    (30e-6, 1, -10e-6, 1),
    (30e-6, 1, 30e-6, -1),
]


def inside(name: str, motion: tuple[float, int, float, int]) -> tuple[float, int, float, int]:
    """Shrink places onto the shorter stroke of that device."""
    scale = sledsim.device(name).parameters["stroke_x_nm"] * 1e-5
    return motion[0] * scale, motion[1], motion[2] * scale, motion[3]


def plant(device: sledsim.Device) -> tuple[float, float, float]:
    """Return acceleration, stiffness over mass, and slew."""
    p = device.parameters
    a = p["acceleration_m_per_s2"]
    return a, p["spring_factor"] * a / (p["stroke_x_nm"] * 0.5e-9), a / (p["actuator_rise_ms"] * 1e-3)


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
@pytest.mark.parametrize("name", DEVICES)
@pytest.mark.parametrize("motion", MOTIONS)
def test_the_plant_gets_there(name: str, motion: tuple[float, int, float, int]) -> None:
    device = sledsim.device(name, seek_model="slew-limited")
    from_m, d0, to_m, d1 = inside(name, motion)
    a, stiffness, slew = plant(device)
    profile = device.seek_profile(from_m, to_m, d0, d1, points=4001)
    time_s, force = profile["time_s"], profile["force_m_per_s2"]
    assert np.abs(force).max() <= a * (1 + 1e-12)
    assert np.abs(np.diff(force) / np.diff(time_s)).max() <= slew * (1 + 1e-6)
    assert force[[0, -1]] == pytest.approx(stiffness * np.array([from_m, to_m]), abs=1e-9 * a)

    def slope(t: float, state: np.ndarray) -> list[float]:
        return [state[1], np.interp(t, time_s, force) - stiffness * state[0]]

    speed = device.parameters["access_velocity_mm_per_s"] * 1e-3
    step_s = time_s[-1] / 200
    found = solve_ivp(slope, (0, time_s[-1]), [from_m, d0 * speed], rtol=1e-9, atol=1e-15, max_step=step_s)
    # Interpolating cuts up to an eighth of slew x step^2 of speed off each of six corners.
    near = 0.75 * slew * time_s[1] ** 2
    assert found.y[0, -1] == pytest.approx(to_m, abs=near * time_s[-1])
    assert found.y[1, -1] == pytest.approx(d1 * speed, abs=near)
    assert np.abs(np.gradient(profile["place_m"], time_s) - profile["speed_m_per_s"])[1:-1].max() < 1e-3
    if d0:
        assert device.seek_y_s(from_m, d0, to_m, d1) == pytest.approx(time_s[-1], rel=1e-12)
    else:
        settle_s = device.characteristics()["settle_s"]
        assert device.seek_x_s(from_m, to_m) == pytest.approx(time_s[-1] + settle_s, rel=1e-12)


def feasible(device: sledsim.Device, motion: tuple[float, int, float, int], duration_s: float) -> bool:
    """True if any force can do it in that time: a linear program over steps of constant slew."""
    steps = 240
    a, stiffness, slew = plant(device)
    speed, omega, step_s = (
        device.parameters["access_velocity_mm_per_s"] * 1e-3,
        math.sqrt(stiffness),
        duration_s / steps,
    )
    if omega:
        cosine, sine_s = math.cos(omega * step_s), math.sin(omega * step_s) / omega
        versine_s2 = 2 * math.sin(omega * step_s / 2) ** 2 / stiffness
        lag_s3 = step_s**3 / 6 * (1 - (omega * step_s) ** 2 / 20)
    else:
        cosine, sine_s, versine_s2, lag_s3 = 1.0, step_s, step_s**2 / 2, step_s**3 / 6
    forth = np.array([[cosine, sine_s, versine_s2], [-stiffness * sine_s, cosine, sine_s], [0, 0, 1]])
    by_slew = np.array([lag_s3, versine_s2, step_s])
    columns, power = np.zeros((3, steps)), np.eye(3)
    for step in reversed(range(steps)):
        columns[:, step] = power @ by_slew
        power = power @ forth
    from_m, d0, to_m, d1 = motion
    start = np.array([from_m, d0 * speed, stiffness * from_m])
    missing = np.array([to_m, d1 * speed, stiffness * to_m]) - power @ start
    scale = np.array([a * duration_s**2, a * duration_s, a])
    force = np.tril(np.full((steps, steps), step_s * slew / a))
    room = np.full(steps, 1.0)
    outcome = linprog(
        np.zeros(steps),
        A_eq=columns * slew / scale[:, None],
        b_eq=missing / scale,
        A_ub=np.vstack([force, -force]),
        b_ub=np.concatenate([room - start[2] / a, room + start[2] / a]),
        bounds=[(-1, 1)] * steps,
        method="highs",
    )
    return bool(outcome.status == 0)


@pytest.mark.parametrize("name", ["osdi00", "sigmetrics00"])
@pytest.mark.parametrize("motion", MOTIONS)
def test_nothing_is_quicker(name: str, motion: tuple[float, int, float, int]) -> None:
    device = sledsim.device(name, actuator_rise_ms=0.05)
    from_m, d0, to_m, d1 = motion
    duration_s = device.seek_profile(from_m, to_m, d0, d1)["time_s"][-1]
    assert feasible(device, motion, 1.01 * duration_s)
    assert not feasible(device, motion, 0.99 * duration_s)


@pytest.mark.parametrize("name", DEVICES)
def test_a_fast_actuator_is_the_ideal_one(name: str) -> None:
    ideal = sledsim.device(name)
    places_m = np.linspace(-40e-6, 40e-6, 9)
    from_m, to_m = (grid.ravel() for grid in np.meshgrid(places_m, places_m + 1e-6))
    rise_ms = 1e-7
    fast = ideal.with_parameters(seek_model="slew-limited", actuator_rise_ms=rise_ms)
    # At most four ramps more than none.
    later_s = fast.seek_x_s(from_m, to_m) - ideal.seek_x_s(from_m, to_m)
    assert later_s.min() >= 0 and later_s.max() < 4e-3 * rise_ms
    for d0, d1 in itertools.product([1, -1], repeat=2):
        later_s = fast.seek_y_s(from_m, d0, to_m, d1) - ideal.seek_y_s(from_m, d0, to_m, d1)
        assert later_s.min() > -1e-15 and later_s.max() < 8e-3 * rise_ms


def test_ideal_settling_hides_a_residual_vibration() -> None:
    device = sledsim.device("sigmetrics00", actuator_rise_ms=0.02)
    found = device.residual_vibration([-50e-6, 0], [50e-6, 10e-6])
    # Without springs the corners that the actuator cuts off the command leave the speed a r and half of it
    # times the duration in place.
    speed = 114.8 * 0.02e-3
    settle_s = device.characteristics()["settle_s"]
    lasts_s = np.asarray(device.seek_x_s([-50e-6, 0], [50e-6, 10e-6])) - settle_s
    assert found["speed_m_per_s"] == pytest.approx([speed, speed], rel=1e-9)
    assert found["place_error_m"] == pytest.approx(0.5 * speed * lasts_s, rel=1e-9)
    amplitude_m = np.hypot(found["place_error_m"], found["speed_m_per_s"] / (2 * np.pi * 220))
    assert found["amplitude_m"] == pytest.approx(amplitude_m)
    nothing = device.residual_vibration(1e-6, 1e-6)
    assert nothing["amplitude_m"].shape == () and nothing["amplitude_m"] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 1e-6, 1, 0), r"expected \+1 or -1 for each"),
        ((0, 1e-6, 2, 2), r"expected \+1 or -1 for each"),
        ((0, 1e-3), "must lie within the travel of the sled"),
        ((0, 1e-6, 0, 0, 1), "expected 2 to 1,000,000 points"),
        ((0, 1e-6, 0, 0, 10**11), "expected 2 to 1,000,000 points"),
        ((0, 1e-6, 0, 0, 10.5), "expected 2 to 1,000,000 points"),
    ],
)
def test_motions_that_cannot_be(arguments: tuple[float, ...], message: str) -> None:
    with pytest.raises(sledsim.ParameterError, match=message):
        sledsim.device("osdi00").seek_profile(*arguments)


@pytest.mark.parametrize("rise_ms", [0, -1, float("nan")])
def test_rise_times_that_cannot_be(rise_ms: float) -> None:
    with pytest.raises(sledsim.ParameterError, match=r"actuator_rise_ms = .*: must be a positive number"):
        sledsim.device("osdi00", actuator_rise_ms=rise_ms)
