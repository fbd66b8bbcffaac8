"""The certainty of device parameters: every built-in device states it, and its ranges are valid."""

import functools
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sledsim

#: Assumed numbers without a range, and the reasons.
EXCEPTIONS = {
    "seek_table_steps": "it bounds an error of computing, which stays below a nanosecond",
    "erase_block_kib": "in cf-card, where it is 0: erase blocks are left out, which is no quantity",
    "margin_rows": "in sigmetrics00: a choice of the format, by which only the capacity changes",
}
KINDS = {"measured", "stated", "derived", "assumed"}
REQUESTS = 50


@functools.cache
def builtin(name: str) -> sledsim.Device:
    return sledsim.device(name)


@functools.cache
def requests(name: str) -> sledsim.Trace:
    return sledsim.random_workload(builtin(name), rate_per_s=20, count=REQUESTS, seed=1)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def ranges() -> Iterator[tuple[str, str]]:
    """Yield every range of a built-in device, by its name and key."""
    for name in sledsim.devices():
        for key, found in builtin(name).certainty.items():
            if found["low"] is not None:
                yield name, key


@pytest.mark.parametrize("name", sledsim.devices())
def test_every_number_of_a_built_in_device_says_what_it_is(name: str) -> None:
    device = builtin(name)
    numbers = {key: value for key, value in device.parameters.items() if is_number(value)}
    rows = {key for key, value in device.parameters.items() if isinstance(value, list)}
    certainty = device.certainty
    assert set(numbers) | rows <= set(certainty)
    assert set(certainty) <= set(device.parameters)
    for key, said in certainty.items():
        assert said["kind"] in KINDS
        if said["low"] is not None:
            assert said["low"] <= numbers[key] <= said["high"], key
            assert isinstance(said["log"], bool) and len(said["reason"]) > 20
            assert not said["log"] or said["high"] >= 4 * said["low"] > 0, f"{key}: orders of magnitude"
        else:
            assert (said["high"], said["log"], said["reason"]) == (None, None, None)
            assert said["kind"] != "assumed" or key in EXCEPTIONS, f"{key} is assumed, and has no range"


def test_each_exception_is_one() -> None:
    without = {
        key
        for name in sledsim.devices()
        for key, said in builtin(name).certainty.items()
        if said["kind"] == "assumed" and said["low"] is None
    }
    assert without == set(EXCEPTIONS)


@pytest.mark.parametrize(("name", "key"), list(ranges()))
def test_either_end_of_a_range_is_a_device_that_runs(name: str, key: str) -> None:
    device = builtin(name)
    for end in ("low", "high"):
        changed = device.with_parameters(**{key: device.certainty[key][end]})
        run = sledsim.simulate(changed, requests(name), past_end="wrap")
        assert len(run.columns["completion_ns"]) == REQUESTS


def file(folder: Path, text: str, base: str = "osdi00") -> Path:
    path = folder / "mine.toml"
    path.write_text(f'extends = "{base}"\n{text}\n')
    return path


def test_a_file_says_how_certain_its_values_are(tmp_path: Path) -> None:
    text = """
    settle_ms = 0.3
    tips = 6400
    [certainty]
    settle_ms = { kind = "measured", low = 0.25, high = 0.5, log = true, reason = "of three sleds" }
    access_mode = "assumed"
    overhead_ms = "stated"
    """
    certainty = sledsim.device(file(tmp_path, text)).certainty
    row = {"kind": "measured", "low": 0.25, "high": 0.5, "log": True, "reason": "of three sleds"}
    nothing = dict.fromkeys(("low", "high", "log", "reason"))
    assert certainty["settle_ms"] == row
    assert certainty["access_mode"] == {"kind": "assumed", **nothing}
    assert certainty["overhead_ms"] == {"kind": "stated", **nothing}, (
        "its own word counts for the base's value"
    )
    assert "tips" not in certainty, "a value of its own has not the certainty of the one that it replaces"
    assert certainty["spring_factor"] == builtin("osdi00").certainty["spring_factor"]


def test_what_a_user_sets_has_no_certainty() -> None:
    for changed in (
        sledsim.device("osdi00", settle_ms=0.3),
        builtin("osdi00").with_parameters(settle_ms=0.3),
    ):
        assert set(builtin("osdi00").certainty) - set(changed.certainty) == {"settle_ms"}
        assert changed.sources["settle_ms"] == "set by the user"
    other = sledsim.device("osdi00", resonant_frequency_hz=700.0, settle_time_constants=1.0).certainty
    assert "settle_ms" not in other, "settling in another way"
    softer = sledsim.device("osdi00", seek_model="first-order").certainty["spring_factor"]
    assert softer["kind"] == "derived" and softer["low"] is None
    for other in (
        sledsim.device("emsoft08", format="2048x1x4096").certainty,
        builtin("emsoft08").with_parameters(format="2048x1x4096").certainty,
    ):
        assert other["active_tips"]["kind"] == "derived"
    assert sledsim.Device.from_parameters(builtin("osdi00").parameters).certainty == {}


def test_a_pickle_keeps_it(tmp_path: Path) -> None:
    for device in (builtin("osdi00"), sledsim.device("osdi00", settle_ms=0.3)):
        assert pickle.loads(pickle.dumps(device)).certainty == device.certainty


RANGE = 'kind = "stated", low = 0.1, high = 0.2'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('settle_ms = "sure"', ':4:13: unknown kind of number "sure": did you mean'),
        (
            "settle_ms = 5",
            ":4:13: invalid type: integer `5`, expected a kind of number in quotes, or a table",
        ),
        (
            'settle_ms = { kind = "stated", least = 0.1 }',
            ":4:13: expected one of the keys kind, low, high, log and reason",
        ),
        ('settle_ms = { kind = "stated", low = "a" }', ':4:38: invalid type: string "a", expected a number'),
        (f"settle_ms = {{ {RANGE} }}", ":4:13: expected a reason for the range 0.1 to 0.2, found no reason"),
        (
            'settle_ms = { kind = "stated", low = 0.4, high = 0.1, reason = "r" }',
            ":4:13: expected a range with low below high, found 0.4 to 0.1",
        ),
        (
            f'settle_ms = {{ {RANGE}, reason = "r" }}',
            ": [certainty] settle_ms: expected a range that includes the value 0.3, found 0.1 to 0.2",
        ),
        (
            f'access_mode = {{ {RANGE}, reason = "r" }}',
            ": [certainty] access_mode: a range applies to numbers only, found 0.1 to 0.2",
        ),
        (
            'overhead_ms = { kind = "stated", low = -1, high = 2, reason = "r" }',
            ": [certainty] overhead_ms: low = -1: must be a number from 0 to 1000",
        ),
        (
            'sleds = { kind = "stated", low = 0.5, high = 2, reason = "r" }',
            ": [certainty] sleds: expected a range of whole numbers, found 0.5 to 2",
        ),
        ('settle = "stated"', ": [certainty]: unknown key `settle`: did you mean `settle_ms`?"),
        (
            'idle_power_mw = "stated"',
            ": [certainty] idle_power_mw: expected a parameter that has a value on this device",
        ),
    ],
)
def test_a_fault_is_reported_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    path = file(tmp_path, f"settle_ms = 0.3\n[certainty]\n{text}")
    with pytest.raises(sledsim.ParameterError) as error:
        sledsim.device(path)
    assert str(error.value).startswith(f"{path}{said}")


def test_a_certainty_that_is_no_table_is_refused(tmp_path: Path) -> None:
    path = file(tmp_path, 'certainty = "stated"', base="atlas10k")
    with pytest.raises(sledsim.ParameterError, match=r"mine.toml:2:13: .* expected a table"):
        sledsim.device(path)


def test_rows_have_a_kind_and_no_range(tmp_path: Path) -> None:
    path = file(tmp_path, f'[certainty]\nzones = {{ {RANGE}, reason = "r" }}', base="atlas10k")
    with pytest.raises(sledsim.ParameterError, match="zones: a range applies to numbers only"):
        sledsim.device(path)
