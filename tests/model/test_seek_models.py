"""Every seek model, against the closed form, its own definition, or a user's values."""

import math
from pathlib import Path

import numpy as np
import pytest

import sledsim
from sledsim.model.core_tables import table

pytestmark = pytest.mark.registers_seek_models

MODELS = list(table("seek_models"))
DEVICES = ["osdi00", "sigmetrics00", "hong03"]


def places(device: sledsim.Device, count: int = 2000, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Random pairs, half of them close together."""
    reach_m = device.parameters["stroke_x_nm"] * 0.5e-9
    rng = np.random.default_rng(seed)
    from_m, to_m = rng.uniform(-reach_m, reach_m, (2, count))
    near = from_m + (to_m - from_m) * 10 ** rng.uniform(-3, 0, count)
    return from_m, np.where(rng.random(count) < 0.5, near, to_m)


def with_model(name: str, model: str, **changes: object) -> sledsim.Device:
    if model == "measured":
        stroke_um = sledsim.device(name).parameters["stroke_x_nm"] * 1e-3
        changes["measured_x"] = [[um, 0.1 + 0.004 * um] for um in np.linspace(0, stroke_um, 11)]
    return sledsim.device(name, seek_model=model, **changes)


@pytest.mark.dear("many seeks are compared", every_change=True)
@pytest.mark.parametrize("name", DEVICES)
@pytest.mark.parametrize("model", MODELS)
def test_every_model_makes_a_device_that_works(name: str, model: str) -> None:
    device = with_model(name, model)
    from_m, to_m = places(device, 200)
    seek_s = device.seek_x_s(from_m, to_m)
    apart = np.abs(to_m - from_m) > 10e-9  # A loop has no work within its tolerance.
    assert np.all(seek_s[apart] > 0), "different places take time"
    assert np.array_equal(device.seek_x_s(from_m, from_m), np.zeros(200)), "no way takes no time"
    assert seek_s == pytest.approx(
        [device.seek_x_s(*pair) for pair in zip(from_m, to_m, strict=True)], rel=1e-15
    )
    for d0, d1 in [(1, 1), (1, -1), (-1, 1), (-1, -1)]:
        assert np.all(np.asarray(device.seek_y_s(from_m, d0, to_m, d1))[apart] > 0)
    assert np.all(device.turnaround_s(from_m, 1) > 0)
    c = device.characteristics()
    assert 0 < c["mean_seek_s"] < c["max_seek_s"]
    trace = sledsim.random_workload(device, rate_per_s=100, count=200, seed=1)
    run = sledsim.simulate(device, trace, scheduler="sptf")
    assert run.summary()["mean_positioning_s"] <= c["max_seek_s"]
    assert sledsim.Device.from_parameters(device.parameters).parameters == device.parameters


@pytest.mark.parametrize("name", DEVICES)
def test_first_order_is_bang_bang_without_springs(name: str) -> None:
    # 002 Eqs 2-5.
    first_order, free = sledsim.device(name, seek_model="first-order"), sledsim.device(name, spring_factor=0)
    assert first_order.parameters["spring_factor"] == 0
    from_m, to_m = places(free)
    assert first_order.seek_x_s(from_m, to_m) == pytest.approx(free.seek_x_s(from_m, to_m), rel=1e-12)
    for d0, d1 in [(1, 1), (1, -1), (-1, 1), (-1, -1)]:
        ours_s, exact_s = (sled.seek_y_s(from_m, d0, to_m, d1) for sled in (first_order, free))
        assert ours_s == pytest.approx(exact_s, rel=1e-12)
    a, v = (free.parameters[key] for key in ("acceleration_m_per_s2", "access_velocity_mm_per_s"))
    assert first_order.turnaround_s(from_m, 1) == pytest.approx(2e-3 * v / a, rel=1e-12)


def test_first_order_says_that_it_has_no_springs() -> None:
    device = sledsim.device("osdi00", seek_model="first-order")
    assert device.sources["spring_factor"] == "seek_model = first-order has no springs (002-F5)"
    with pytest.raises(
        sledsim.ParameterError, match=r"has no springs: expected spring_factor = 0, found 0\.5"
    ):
        sledsim.device("osdi00", seek_model="first-order", spring_factor=0.5)


def table_error_s(device: sledsim.Device) -> float:
    """The bound that the model states: (2 / w) (sqrt(3) / N)^2 (3 sqrt(3) / 8) / 8."""
    p = device.parameters
    omega = math.sqrt(p["spring_factor"] * p["acceleration_m_per_s2"] / (p["stroke_x_nm"] * 0.5e-9))
    return 2 / omega * (3 / p["seek_table_steps"] ** 2) * (3 * math.sqrt(3) / 8) / 8


@pytest.mark.parametrize("name", ["osdi00", "hong03"])
@pytest.mark.parametrize("steps", [32, 512, 4096])
def test_the_table_is_within_its_bound(name: str, steps: int) -> None:
    exact = sledsim.device(name)
    table = exact.with_parameters(seek_model="table", seek_table_steps=steps)
    from_m, to_m = places(exact, 100_000)
    error_s = np.abs(table.seek_x_s(from_m, to_m) - exact.seek_x_s(from_m, to_m)).max()
    bound_s = table_error_s(table)
    assert 0.5 * bound_s < error_s < bound_s
    moved_s = np.abs(table.seek_y_s(from_m, 1, to_m, -1) - exact.seek_y_s(from_m, 1, to_m, -1)).max()
    assert moved_s < bound_s


def test_the_table_of_default_size_is_far_below_a_microsecond() -> None:
    # 000-D15: uniform over the cosine, 257 entries are off by 17.3 us, and 16385 still by 1 us.
    assert table_error_s(sledsim.device("osdi00")) < 1e-9


def test_a_linear_system_takes_longer_and_depends_more_on_the_distance() -> None:
    # 001-F30, D16.
    loop, slew = sledsim.device("osdi00", seek_model="linear-system"), sledsim.device("osdi00")
    distance_m = np.array([1e-6, 10e-6, 33e-6, 100e-6])
    loop_s, slew_s = (sled.seek_x_s(-50e-6, distance_m - 50e-6) for sled in (loop, slew))
    assert loop_s * 1e3 == pytest.approx([1.80, 2.51, 2.88, 3.22], abs=6e-3)
    assert np.all(loop_s > slew_s)
    assert loop_s[-1] - loop_s[0] > slew_s[-1] - slew_s[0]


def test_measured_times_by_distance_are_interpolated() -> None:
    rows = [[100, 1.0], [0, 0.0], [10, 0.4]]
    device = sledsim.device("osdi00", seek_model="measured", measured_x=rows, settle_ms=0.1)
    found_s = device.seek_x_s([0, 5e-6, -50e-6], [5e-6, 15e-6, 5e-6])
    assert found_s == pytest.approx([0.3e-3, 0.5e-3, 0.8e-3], rel=1e-12)
    # Without measured_y the model is the closed form.
    assert device.seek_y_s(0, 1, 10e-6, 1) == sledsim.device("osdi00").seek_y_s(0, 1, 10e-6, 1)


def test_measured_times_by_places_are_interpolated_both_ways() -> None:
    places_um = [-50, 0, 50]
    rows = [[a, b, abs(a - b) * 0.01 + (0.1 if a > b else 0)] for a in places_um for b in places_um]
    device = sledsim.device(
        "osdi00", seek_model="measured", measured_x=rows, measured_y=[[0, 0], [100, 2]], settle_ms=0
    )
    assert device.seek_x_s(-50e-6, 50e-6) == pytest.approx(1.0e-3)
    assert device.seek_x_s(50e-6, -50e-6) == pytest.approx(1.1e-3)
    assert device.seek_x_s(-25e-6, 50e-6) == pytest.approx(0.75e-3)
    assert device.seek_y_s(0, 1, 50e-6, 1) == pytest.approx(1e-3)


def test_measured_times_come_from_a_file_beside_the_device_file(tmp_path: Path) -> None:
    (tmp_path / "seeks.csv").write_text("distance_um,ms\n0,0\n# from the oscilloscope\n100,1\n")
    path = tmp_path / "mine.toml"
    path.write_text(
        'extends = "osdi00"\nseek_model = "measured"\nmeasured_x = "seeks.csv"\nsettle_ms = 0.0\n'
    )
    device = sledsim.device(path)
    assert device.parameters["measured_x"] == [[0, 0], [100, 1]], "the numbers travel with every result"
    assert device.seek_x_s(0, 50e-6) == pytest.approx(0.5e-3)
    for text in ("\ufeff0,0\n100,1\n", "# mine\n\num,ms\n0,0\n100,1\n"):
        (tmp_path / "seeks.csv").write_text(text)
        assert sledsim.device(path).parameters["measured_x"] == [[0, 0], [100, 1]]
    for text in ("0,0,\n100,1\n", "um,ms\num,ms\n0,0\n100,1\n"):
        (tmp_path / "seeks.csv").write_text(text)
        with pytest.raises(sledsim.ParameterError, match=r"seeks.csv:[12]: expected numbers"):
            sledsim.device(path)
    (tmp_path / "seeks.csv").write_text("0,0\n100;1\n")
    with pytest.raises(sledsim.ParameterError, match=r"seeks.csv:2: expected numbers .* found \"100;1\""):
        sledsim.device(path)
    (tmp_path / "seeks.csv").unlink()
    with pytest.raises(FileNotFoundError):
        sledsim.device(path)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[0, 0], [50, 1]], "expected distances from 0 to the whole stroke of 100 um, found 0 to 50"),
        ([[0, 0], [50, 1], [100, 0.5]], "expected times that grow with the distance"),
        ([[0, 0], [0, 0, 1]], "expected only rows of"),
        ([], "expected only rows of"),
        ([[-50, 50, 1], [50, -50, 1]], "expected a time for each pair of positions, found no row"),
        (
            [[-50, 60, 1], [50, -50, 1]],
            "a seek ends at 60 um from the centre, but no row has a seek that starts there",
        ),
        ([[0, 0], [100, float("nan")]], "expected numbers"),
        ([[0, 0], [100, 3000]], "expected times of at most 2000 ms"),
    ],
)
def test_a_table_that_cannot_be_is_refused(rows: list[list[float]], message: str) -> None:
    with pytest.raises(sledsim.ParameterError, match="measured_x: " + message):
        sledsim.device("osdi00", seek_model="measured", measured_x=rows)


def test_measured_needs_its_table() -> None:
    with pytest.raises(sledsim.ParameterError, match="needs measured_x"):
        sledsim.device("osdi00", seek_model="measured")


def test_a_model_of_the_users_own() -> None:
    def square_root(from_m, to_m, speed_m_per_s, axis):  # type: ignore[no-untyped-def]
        """A seek model without springs, for any device."""
        peak2 = speed_m_per_s**2 + axis["acceleration_m_per_s2"] * np.abs(to_m - from_m)
        return 2 * (np.sqrt(peak2) - speed_m_per_s) / axis["acceleration_m_per_s2"]

    sledsim.extend.register_seek_model("square-root", square_root)
    assert table("seek_models")["square-root"].summary == "A seek model without springs, for any device."
    assert table("kinds")["mems"].choices["seek_model"]["square-root"]
    device = sledsim.device("osdi00", seek_model="square-root")
    free = sledsim.device("osdi00", seek_model="first-order")
    from_m, to_m = places(device, 500)
    assert device.seek_x_s(from_m, to_m) == pytest.approx(free.seek_x_s(from_m, to_m), rel=1e-9)
    trace = sledsim.random_workload(device, rate_per_s=500, count=300, seed=2)
    ours, theirs = (sledsim.simulate(sled, trace, scheduler="fcfs").summary() for sled in (device, free))
    assert ours["mean_service_s"] == pytest.approx(theirs["mean_service_s"], rel=0.02), "but for turnarounds"


def test_what_a_users_model_raises_is_raised() -> None:
    def raises(*_: object) -> np.ndarray:
        raise RuntimeError("no such seek")

    sledsim.extend.register_seek_model("raising", raises)
    with pytest.raises(RuntimeError, match="no such seek"):
        sledsim.device("osdi00", seek_model="raising")


@pytest.mark.parametrize(
    "function",
    [
        lambda f, t, v, a: -abs(t - f),
        lambda f, t, v, a: 1.0,
        lambda f, t, v, a: np.full(f.shape, np.nan),
        lambda f, t, v, a: np.full(f.shape, 10.0),
    ],
)
def test_wrong_results_of_a_users_model_are_refused(function: object) -> None:
    sledsim.extend.register_seek_model("wrong", function)  # type: ignore[arg-type]
    with pytest.raises(
        sledsim.ParameterError, match="seek_model = wrong: expected an array of 1 float64 values in seconds"
    ):
        sledsim.device("osdi00", seek_model="wrong")


def test_a_users_model_may_fail_late() -> None:
    calls = 0

    def tires(from_m, to_m, *_):  # type: ignore[no-untyped-def]
        nonlocal calls
        calls += 1
        if calls > 10_000:
            raise RuntimeError("tired")
        return np.abs(to_m - from_m)

    sledsim.extend.register_seek_model("tiring", tires)
    device = sledsim.device("osdi00", seek_model="tiring")
    trace = sledsim.random_workload(device, rate_per_s=500, count=20_000, seed=2)
    with pytest.raises(RuntimeError, match="tired"):
        sledsim.simulate(device, trace, scheduler="fcfs")


def test_a_built_in_model_is_not_replaced() -> None:
    with pytest.raises(sledsim.ParameterError, match="bang-bang: expected a new name, found a built-in name"):
        sledsim.extend.register_seek_model("bang-bang", lambda *_: np.zeros(1))


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
def test_means_and_maxima_hold_for_seeks_that_take_longer_back() -> None:
    def uphill(from_m, to_m, *_):  # type: ignore[no-untyped-def]
        """A seek that is longer upwards, and longest not across the whole stroke."""
        distance_m = np.abs(to_m - from_m)
        return 1e-4 + 20 * np.minimum(distance_m, 80e-6 - distance_m / 2) * np.where(to_m > from_m, 2, 1)

    sledsim.extend.register_seek_model("uphill", uphill)
    device = sledsim.device("osdi00", seek_model="uphill", settle_ms=0, stroke_x_nm=12_000)
    device = device.with_parameters(stroke_x_nm=12_000, overhead_ms=0, bus_mb_per_s=0)
    c = device.characteristics()
    trace = sledsim.random_workload(device, rate_per_s=10, count=20_000, seed=3)
    run = sledsim.simulate(device, trace, scheduler="fcfs")
    # A mean over this many draws has an error of about one in two hundred.
    assert run.summary()["mean_positioning_s"] == pytest.approx(c["mean_seek_s"], rel=0.01)
    reach_m = 6e-6
    places_m = np.linspace(-reach_m, reach_m, 65)
    all_s = device.seek_x_s(places_m[:, None], places_m)
    assert c["max_seek_s"] >= all_s.max() * (1 - 1e-12)


def test_a_loop_leaves_nothing_to_settle() -> None:
    device = sledsim.device("osdi00", seek_model="linear-system")
    c = device.characteristics()
    assert (c["settle_s"], c["write_settle_s"]) == (0, 0)
    with pytest.raises(sledsim.ParameterError, match="linear-system includes settling"):
        device.with_parameters(write_settle_ms=0.3)


def test_a_registered_model_has_a_name_and_a_function() -> None:
    for name, function in [("", np.zeros), ("x", 5)]:
        with pytest.raises(sledsim.ParameterError, match="expected a name and a function"):
            sledsim.extend.register_seek_model(name, function)  # type: ignore[arg-type]
