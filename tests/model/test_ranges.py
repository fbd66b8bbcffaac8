"""Every number of a device in a sane range: absurd values are refused by key, or do no harm."""

import functools
import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import sledsim
from sledsim.model.core_tables import entry

#: Times of writes that release the bus twice.
_TWICE = (
    *("early_disconnect_command_ms", "early_disconnect_ms", "early_disconnect_wait_ms"),
    *("second_disconnect_ms", "second_reselect_ms"),
)
#: Devices of each kind, which together have every parameter except those given here.
DEVICES: dict[str, tuple[dict[str, Any], ...]] = {
    "mems": (
        {"name": "osdi00"},
        {"name": "osdi00-erase"},
        {"name": "emsoft08"},
        {"name": "sigmetrics00-cantilevers"},
        {"name": "disksim-g3", "idle_power_mw": 10.0},
        {"name": "osdi00", "resonant_frequency_hz": 700.0, "settle_time_constants": 1.0},
        {
            "name": "osdi00",
            "settle_error_nm": 5.0,
            "loop_frequency_hz": 1000.0,
            "loop_damping": 1.0,
            "loop_tolerance_nm": 1.0,
            "actuator_rise_ms": 0.05,
            "write_settle_ms": 0.3,
        },
    ),
    "disk": (
        {"name": "atlas10k", **dict.fromkeys(_TWICE, 0.1)},
        {"name": "cheetah4lp"},
        {"name": "st41601n"},
    ),
    "flash": ({"name": "cf-card"},),
}
#: Other permitted errors of a value, by the thing that it makes impossible.
ELSEWHERE = {"bit_width_nm": ["format = "], "spare_range_cylinders": ["slips: "]}
ABSURD = (1e300, -1e300, -1.0, math.nan, math.inf, -math.inf, 0.0, 1e15, 2**62, 10**9, -1, 0)


@functools.cache
def base(kind: str, number: int) -> sledsim.Device:
    given = dict(DEVICES[kind][number])
    return sledsim.device(given.pop("name"), **given)


@functools.cache
def requests(kind: str, number: int) -> sledsim.Trace:
    return sledsim.random_workload(base(kind, number), rate_per_s=20, count=30, seed=1)


def numbers() -> Iterator[tuple[str, int, str]]:
    """Yield every parameter that is a number, once for each device that has it."""
    for kind, devices in DEVICES.items():
        for number in range(len(devices)):
            for key, value in base(kind, number).parameters.items():
                if isinstance(value, int | float) and not isinstance(value, bool):
                    yield kind, number, key


EVERY = list(numbers())
#: Each key of a kind once.
ONCE = {(kind, key): f"{kind}-{number}-{key}" for kind, number, key in reversed(EVERY)}


@pytest.mark.dear("devices of twelve absurd values are simulated", every_change=tuple(ONCE.values()))
@pytest.mark.parametrize(("kind", "number", "key"), EVERY)
def test_an_absurd_number_is_refused_or_harmless(kind: str, number: int, key: str) -> None:
    for value in ABSURD:
        check(kind, number, key, value)


def check(kind: str, number: int, key: str, value: float) -> None:
    """Assert that an absurd value of a key is refused by that key, or gives sane figures."""
    try:
        device = base(kind, number).with_parameters(**{key: value})
        trace = requests(kind, number)
        run = sledsim.simulate(device, trace, past_end="wrap")
    except sledsim.ParameterError as error:
        assert any(name in str(error) for name in (key, "settling time", *ELSEWHERE.get(key, ()))), (
            value,
            error,
        )
        assert len(str(error)) < 700, value
        return
    figures = {**run.summary(), **run.energy_by_use_j, **device.characteristics()}
    if key.startswith("bus_") and value == 0:
        figures.pop("bus_bytes_per_s", None)  # A bus that takes no time has no rate.
    for name, figure in figures.items():
        assert math.isfinite(figure) and figure >= 0, (value, name, figure)
    for name, column in run.columns.items():
        assert np.all(np.isfinite(column)) and np.all(column >= (-1 if name == "direction" else 0)), (
            value,
            name,
        )


@pytest.mark.parametrize(
    ("device", "key", "value", "message"),
    [
        ("osdi00", "tip_power_mw", 1e300, "tip_power_mw = 1e300: must be a number from 0 to 1000000 mW"),
        ("osdi00", "startup_energy_mj", 1e10, "= 10000000000: must be a number from 0 to 1000000000 mJ"),
        ("osdi00", "actuation_exponent", 101, "actuation_exponent = 101: must be a number from 0 to 100"),
        ("osdi00", "bus_mb_per_s", math.inf, "bus_mb_per_s = inf: must be a number from 0 to 1000000 MB/s"),
        (
            "osdi00",
            "acceleration_m_per_s2",
            1e300,
            "acceleration_m_per_s2 = 1e300: must be a positive number, at most 1000000000 m/s^2",
        ),
        (
            "osdi00-erase",
            "erase_power_mw",
            1e9,
            "erase_power_mw = 1000000000: must be a number from 0 to 1000000 mW",
        ),
        (
            "atlas10k",
            "active_power_mw",
            1e300,
            "active_power_mw = 1e300: must be a number from 0 to 1000000 mW",
        ),
        ("atlas10k", "read_watermark", 2, "read_watermark = 2: must be a number from 0 to 1"),
        ("cf-card", "erase_ms", math.nan, "erase_ms = NaN: must be a number from 0 to 1000 ms"),
    ],
)
def test_the_range_and_the_unit_are_named(device: str, key: str, value: float, message: str) -> None:
    with pytest.raises(sledsim.ParameterError) as caught:
        sledsim.device(device, **{key: value})
    assert str(caught.value).endswith(message)


@pytest.mark.parametrize(
    "sizes",
    [
        {"stroke_x_nm": 10**9, "stroke_y_nm": 10**9},
        {"stroke_x_nm": 10**8, "stroke_y_nm": 10**8, "tips": 10**6},
        {"sleds": 10**6},
    ],
)
def test_a_log_of_too_many_erase_blocks_is_refused(sizes: dict[str, int]) -> None:
    """Logs of too many erase blocks took 84 GB, and more."""
    with pytest.raises(sledsim.ParameterError) as caught:
        sledsim.device("osdi00-erase", **sizes)
    said = str(caught.value)
    assert re.fullmatch(
        r"osdi00-erase: erase_block_kib = 16384: the device has \d+ erase blocks, but erase_management = log "
        "allows at most 10000000; make the erase blocks larger or the device smaller",
        said,
    ), said


def test_every_number_is_tried() -> None:
    tried = {(kind, key) for kind, _, key in numbers()}
    #: Keys that no built-in device needs: a layout with choices, tried in tests/model/test_layouts.py.
    layouts = {"layout_seed", "layout_extent_blocks", "layout_zone_cylinders", "layout_zone_y_bits"}
    #: Keys whose default every built-in device takes, tried in tests/runs/test_flushes.py, test_destage.py.
    defaults = {"flush_fixed_ms", "destage_after_ms", "write_cache_blocks"}
    for kind in DEVICES:
        keys = {key for key, unit, *_ in entry("kinds", kind).parameters if unit}
        missing = keys - {key for tried_kind, key in tried if tried_kind == kind} - layouts - defaults
        assert missing == set(), kind
