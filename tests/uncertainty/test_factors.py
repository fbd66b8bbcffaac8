"""Factors: from points of the unit cube to parameters of devices, and back."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sledsim
from sledsim import _native
from sledsim.uncertainty.expressions import parse_arithmetic
from sledsim.uncertainty.factors import Choice, Factors, Range
from sledsim.uncertainty.ranges import factors_of, parse_factor, parse_factors, read_factors
from sledsim.uncertainty.space_filling import sobol

NOMINAL = {"settle_ms": 0.22, "active_tips": 1280, "acceleration_m_per_s2": 803.6, "seek_model": "bang-bang"}
PLACES = np.linspace(0, 1, 101)
FILE = """
[ranges]
settle_ms = { low = 0.1, high = 0.4, log = false }
acceleration_m_per_s2 = "600..1000"
active_tips = [320, 640, 1280]
scheduler = ["fcfs", "sptf"]
spread = "0.8..1.25:log"

[derived]
seek_power_mw = "50 * acceleration_m_per_s2 / 803.6 * spread"
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("settle_ms=0.1..0.4", Range("settle_ms", 0.1, 0.4)),
        ("settle_ms = 1e-2 .. .4 : log", Range("settle_ms", 0.01, 0.4, log=True)),
        ("x=-2..-1.5", Range("x", -2, -1.5)),
        ("active_tips=320..3200", Range("active_tips", 320, 3200)),
        ("active_tips=320,640", Choice("active_tips", (320, 640))),
        ("x=0.5, 1e3,true,b-c", Choice("x", (0.5, 1e3, True, "b-c"))),
        ("scheduler=fcfs,sptf", Choice("scheduler", ("fcfs", "sptf"))),
        (
            "scheduler=zsptf:zone=120x1200,parity=joined,fcfs",
            Choice("scheduler", ("zsptf:zone=120x1200,parity=joined", "fcfs")),
        ),
    ],
)
def test_texts_of_commands(text: str, expected: object) -> None:
    found = parse_factor(text)
    assert found == expected
    assert type(getattr(found, "low", 0)) is type(getattr(expected, "low", 0))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("settle_ms", "--over: expected KEY=LOW..HIGH or KEY=VALUE,VALUE, found 'settle_ms'"),
        ("settle ms=1..2", "--over: 'settle ms': expected a name of letters, digits, _ and ., found other"),
        (
            "settle_ms=0.4..0.1",
            "--over: settle_ms: expected a range from a smaller to a larger number, found 0.4 to 0",
        ),
        ("x=1..1", "--over: x: expected a range from a smaller to a larger number, found 1 to 1"),
        ("x=0..1:log", "--over: x: expected a logarithmic range above 0, found 0 to 1"),
        ("x=1e-300..1e300:log", "--over: x: expected a logarithmic range above 0"),
        ("x=1..2..3", "--over: x: expected a range such as 0.1..0.4 .*, found '1..2..3'"),
        ("x=1", "--over: x: expected a range such as 0.1..0.4 .*, found '1'"),
        ("x=", "--over: x: expected a range such as"),
        ("x=a,,b", "--over: x: expected a range such as .*, found 'a,,b'"),
        ("x=1,2,1", "--over: x: expected each value once, found 1, 2, 1"),
        ("x=1..1e999", "--over: x: expected a range from a smaller to a larger number, found 1 to inf"),
        (f"x=1..{'9' * 400}", "--over: x: expected a range from a smaller to a larger number"),
    ],
)
def test_wrong_texts(text: str, said: str) -> None:
    with pytest.raises(_native.ParameterError, match=said):
        parse_factor(text)


@given(st.text(max_size=30), st.sampled_from(["", "x=", "x=1..", "x=a,"]))
def test_any_text_is_a_factor_or_refused(text: str, before: str) -> None:
    try:
        parse_factor(before + text)
    except _native.ParameterError as error:
        assert "expected" in str(error)


def test_ranges() -> None:
    assert Range("x", 2, 4.0).values(PLACES)[[0, 50, 100]].tolist() == [2, 3, 4]
    assert Range("x", 1.0, 100, log=True).values(PLACES)[[0, 50, 100]] == pytest.approx([1, 10, 100])
    whole = Range("x", -1, 3).values((np.arange(1000) + 0.5) / 1000, nominal=1)
    assert whole.dtype == np.int64
    assert np.unique(whole, return_counts=True)[1].tolist() == [200] * 5
    assert set(Range("x", 1, 5, log=True).values(PLACES, nominal=1).tolist()) == {1, 2, 3, 4, 5}
    assert Range("x", 1, 5).values(PLACES, nominal=3.5).dtype == np.float64
    assert Range("x", 1, 5, whole=True).values(PLACES, nominal=3.5).dtype == np.int64
    assert Range("x", 1, 5, whole=False).values(PLACES, nominal=3).dtype == np.float64
    assert Range("x", 1, 5).values(PLACES).dtype == np.float64, "of no parameter"
    with pytest.raises(_native.ParameterError, match="x: expected whole numbers as ends"):
        Range("x", 1, 2.5, whole=True)


@given(low=st.floats(1e-3, 1e3), ratio=st.floats(1.001, 1e3), log=st.booleans(), place=st.floats(0, 1))
def test_places_of_values(low: float, ratio: float, log: bool, place: float) -> None:
    factor = Range("x", low, low * ratio, log)
    (value,) = factor.values(np.array([place]))
    assert low <= value <= low * ratio
    assert factor.place(float(value)) == pytest.approx(place, abs=1e-9)


@given(ratio=st.floats(1.001, 1e300), place=st.floats(0, 1))
def test_logarithmic_ranges_are_powers(ratio: float, place: float) -> None:
    """Powers of the mathematical library have last bits that differ between platforms."""
    (value,) = Range("x", 1.0, ratio, log=True).values(np.array([place]))
    assert value == pytest.approx(ratio**place, rel=1e-13)


def test_places_beyond() -> None:
    factors = factors_of({"ranges": {"x": "1..5", "y": ["a", "b"], "z": "0.5..1.0"}})
    assert factors.place({"x": 3, "y": "b", "z": 7}).tolist() == [0.5, 0.75, 1]
    assert np.array_equal(factors.place({"x": "?", "y": "c"}), [0.5, math.nan, 0.5], equal_nan=True)
    assert factors.levels == [None, 2, None]


def test_choices() -> None:
    assert Choice("x", ("a", "b", "c")).values(np.array([0, 0.3, 0.4, 0.7, 1])).tolist() == [
        "a",
        "a",
        "b",
        "c",
        "c",
    ]
    assert Choice("x", (3, 7)).values(np.array([0.1, 0.9])).dtype == np.int64
    assert Choice("x", (True, False)).values(np.array([0.1])).tolist() == [True]
    for options, said in (
        (("a",), "at least two values to choose from, found 1"),
        ((1, [2]), "numbers, texts or booleans to choose from, found a list with 1 entries"),
        ((1, math.nan), "numbers, texts or booleans to choose from, found nan"),
    ):
        with pytest.raises(_native.ParameterError, match=said):
            Choice("x", options)


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "ranges.toml"
    path.write_text(FILE)
    factors = read_factors(path)
    assert factors.names == ["settle_ms", "acceleration_m_per_s2", "active_tips", "scheduler", "spread"]
    device = sledsim.device("osdi00")
    devices = factors.parameters(sobol(16, 5, seed=1), device.parameters)
    assert len(devices) == 16
    for one in devices:
        assert "spread" not in one
        assert one["active_tips"] in (320, 640, 1280)
        assert type(one["active_tips"]) is int
        assert type(one["acceleration_m_per_s2"]) is float
        assert one.pop("scheduler") in ("fcfs", "sptf")
        ratio = one["seek_power_mw"] / one["acceleration_m_per_s2"] * 803.6 / 50
        assert 0.8 <= ratio <= 1.25
        assert device.with_parameters(**one).parameters["settle_ms"] == one["settle_ms"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[range]\nx = 1", ": unknown key 'range': expected .ranges. or .derived."),
        ("ranges = 3", r": ranges: expected a table, \[ranges\], found 3"),
        ("[ranges]\nx = 3", r": \[ranges\]: x: expected a range such as .*, found 3"),
        ("[ranges]\nx = true", r": \[ranges\]: x: expected a range such as .*, found True"),
        ("[ranges]\nx = {low = 1}", r": \[ranges\]: x.high: expected a number, found nothing"),
        ("[ranges]\nx = {low = true, high = 2}", r": \[ranges\]: x.low: expected a number, found True"),
        ("[ranges]\nx = {low = 1, high = 2, log = 1}", "x.log: expected true or false, found 1"),
        (
            "[ranges]\nx = {low = 1, high = 2, step = 1}",
            "unknown key x.step: expected low, high, log or whole",
        ),
        (
            "[ranges]\nx = {low = 1, high = nan}",
            "x: expected a range from a smaller to a larger number, found 1 to nan",
        ),
        (
            "[ranges]\nx = [1, [2]]",
            r": \[ranges\]: x: expected numbers, texts or booleans .*, found a list with 1 entries",
        ),
        ("[ranges]\nx = [1979-05-27, 2]", "x: expected numbers, texts or booleans"),
        ("[ranges]\n'a b' = '1..2'", "'a b': expected a name"),
        ("[derived]\ny = '2'", "factors: expected at least one range or choice, found none"),
        (
            "[ranges]\nx = '1..2'\n[derived]\nx = '2'",
            "x: expected one range or one expression, found more than one",
        ),
        ("[ranges]\nx = '1..2'\n[derived]\ny = 2", r": \[derived\] y: expected a text, found int"),
        (
            "[ranges]\nx = '1..2'\n[derived]\ny = 'x +'",
            r": \[derived\] y: expected a number, .* found the end\n  x",
        ),
        (
            "[ranges]\nx = '1..2'\n[derived]\ny = 'z'\nz = 'y'",
            "circular dependencies, found [yz] -> [yz] -> [yz]",
        ),
        ("[ranges", "ranges.toml: Expected "),
        (f"[ranges]\nx = {{low = 1, high = {'9' * 400}}}", "found 1 to a number of more than 60 digits"),
        (f"[ranges]\nx = [1, {'9' * 400}]", "found a number of more than 60 digits"),
        (f"x = {'[' * 9999}", "ranges.toml: "),
        (f"x = {'9' * 9999}", "ranges.toml: "),
    ],
)
def test_wrong_files(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "ranges.toml"
    path.write_text(text)
    with pytest.raises(_native.ParameterError, match=said) as error:
        read_factors(path)
    assert str(error.value).startswith(str(path))


def made(derived: dict[str, str], **ranges: Any) -> list[dict[str, Any]]:
    factors = factors_of({"ranges": ranges, "derived": derived})
    return factors.parameters([[0.0] * len(ranges), [1.0] * len(ranges)], NOMINAL)


def test_derived_parameters() -> None:
    assert made({"settle_ms": "settle_ms * spread"}, spread="0.5..2.0") == [
        {"settle_ms": 0.11},
        {"settle_ms": 0.44},
    ]
    first, second = made({"active_tips": "2 * half", "half": "32 * tenths"}, tenths="10..20")
    assert (first, second) == ({"active_tips": 640}, {"active_tips": 1280})
    assert type(first["active_tips"]) is int


@pytest.mark.parametrize(
    ("derived", "said"),
    [
        (
            {"settle_ms": "nothing * x"},
            "derived.settle_ms: expected the name of a factor .*, found 'nothing'",
        ),
        (
            {"settle_ms": "seek_model * x"},
            "derived.settle_ms: expected seek_model to be a number, found 'bang",
        ),
        (
            {"settle_ms": "scheduler * x"},
            "derived.settle_ms: expected scheduler to be a number, found 'others'",
        ),
        (
            {"settle_ms": "1 / (x - 1)"},
            "derived.settle_ms: expected finite numbers at all points, found a division",
        ),
        (
            {"active_tips": "x * 1.3"},
            "derived.active_tips: expected a whole number, like the device's own value, found 1.3",
        ),
        (
            {"settle": "1 * x"},
            "settle: expected a parameter of the device, scheduler, or a name .*, found none",
        ),
        ({"settle_ms": "1"}, "x: expected a parameter of the device, scheduler, or a name .*, found none"),
    ],
)
def test_wrong_derived_parameters(derived: dict[str, str], said: str) -> None:
    with pytest.raises(_native.ParameterError, match=said):
        made(derived, x="1..2", scheduler="fcfs,sptf")


def test_points_are_checked() -> None:
    factors = parse_factors(["settle_ms=0.1..0.4", "scheduler=fcfs,sptf"])
    for points, said in (
        ([0.1, 0.2], r"points: expected an array of the shape \(count, 2\), found \(2,\)"),
        ([[0.1]], r"found \(1, 1\)"),
        ([[0.1, 1.1]], "points: expected numbers from 0 to 1, found 1.1"),
    ):
        with pytest.raises(_native.ParameterError, match=said):
            factors.parameters(points, NOMINAL)
    assert factors.parameters(np.empty((0, 2)), NOMINAL) == []
    with pytest.raises(_native.ParameterError, match="settle_ms: expected one range or one expression"):
        parse_factors(["settle_ms=0.1..0.4", "settle_ms=1,2"])
    with pytest.raises(_native.ParameterError, match="factors: expected at least one"):
        Factors([], {"x": parse_arithmetic("1")})
