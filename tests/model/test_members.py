"""Members of volumes that are devices and volumes already, and structures that contain themselves."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sledsim
from sledsim.common.nested import replaced
from sledsim.model.volumes import from_parameters

CARD = sledsim.device("cf-card")
MADE = {
    "device": sledsim.device("osdi00", settle_ms=0.3),
    "faulty device": sledsim.with_faults(CARD, {"seed": 3}),
    "episodic device": sledsim.with_episodes(CARD, ["stall:at=10,ms=500"]),
    "volume": sledsim.volume("mirror", device="cf-card", scheduler="clook_lbn"),
}


@pytest.mark.parametrize("member", MADE.values(), ids=MADE)
def test_what_is_made_can_be_a_member(member: Any) -> None:
    """A device or volume as a member equals its parameters, alone and in a list."""
    found = sledsim.volume("single", device=member)
    assert found == sledsim.volume("single", device=member.parameters)
    assert from_parameters(found.parameters).parameters == found.parameters
    assert sledsim.volume("mirror", device=[member, member]) == sledsim.volume("mirror", device=member)
    assert found.capacity_bytes == member.capacity_bytes


def test_the_table_of_a_member_may_extend_a_device() -> None:
    made = sledsim.volume("mirror", device={"device": "osdi00", "settle_ms": 0.3})
    assert sledsim.volume("mirror", device={"extends": "osdi00", "settle_ms": 0.3}) == made
    with pytest.raises(sledsim.ParameterError, match="expected device or extends, found both"):
        sledsim.volume("mirror", device={"extends": "osdi00", "device": "osdi00"})
    with pytest.raises(sledsim.ParameterError, match='unknown device "osdi0"'):
        sledsim.volume("mirror", device={"extends": "osdi0"})


#: Files of volumes, each with its error behind the name of the file.
WRONG_FILES = {
    'volume = "raid55"': 'unknown volume "raid55": did you mean "raid5"?',
    'volume = "raid5"\nbus_mb_per_z = 3': (
        'unknown option of raid5 "bus_mb_per_z": did you mean "bus_mb_per_s"?'
    ),
    'volume = "raid5"\ndevices = "many"': "raid5: devices = many: expected a whole number from 3 to 64",
    'volume = "raid5"\nscheduler = "sptff"': 'unknown scheduler "sptff": did you mean "sptf"?',
    'volume = "raid5"\ndevice = "osdi0"': 'device: unknown device "osdi0": did you mean "osdi00"?',
    'volume = "raid5"\ndevice = {extends = "osdi00", setle_ms = 3}': (
        "device: unknown key `setle_ms`: did you mean `settle_ms`?"
    ),
    'volume = "raid5"\ndevice = {device = "osdi00", scheduler = "sptff"}': (
        'device: unknown scheduler "sptff": did you mean "sptf"?'
    ),
    'volume = "raid5"\ndevice = {volume = "miror"}': 'device: unknown volume "miror": did you mean "mirror"?',
    'volume = "stripe"\ndevices = 2\ndevice = ["cf-card", "cf-crd"]': (
        'device 1: unknown device "cf-crd": did you mean "cf-card"?'
    ),
    'volume = "raid5"\ndevice = "below.toml"': (
        'device: below.toml: extends: unknown device "osdi0": did you mean "osdi00"?'
    ),
    "raid = 5": "expected the key volume with one of single, sleds, ",
}


@pytest.mark.parametrize(("text", "said"), WRONG_FILES.items())
def test_the_file_of_a_volume_is_named_with_the_key_and_what_is_near(
    text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("below.toml").write_text('extends = "osdi0"\n')
    Path("array.toml").write_text(text)
    with pytest.raises(sledsim.ParameterError, match=re.escape(f"array.toml: {said}")) as found:
        sledsim.volume("array.toml")
    assert str(found.value).startswith("array.toml: ")


def test_a_file_is_not_blamed_for_what_is_set_over_it(tmp_path: Path) -> None:
    path = tmp_path / "array.toml"
    path.write_text('volume = "raid5"\ndevice = "cf-crd"')
    assert sledsim.volume(path, device="cf-card") == sledsim.volume("raid5", device="cf-card")
    path.write_text('volume = "raid5"')
    for settings in ({"devices": "many"}, {"device": "cf-crd"}, {"device.erase": 1}, {"scheduler": "no"}):
        with pytest.raises(sledsim.ParameterError, match=r"devices = many|cf-crd|erase|no") as found:
            sledsim.volume(path, **settings)
        assert "array.toml" not in str(found.value)


def test_a_truth_value_of_a_volume_may_be_one_of_python() -> None:
    for truth, word in ((True, "yes"), (False, "no")):
        made = sledsim.volume("raid5", device="cf-card", failed_device=1, rebuild_mb_s=1, replaced=word)
        again = sledsim.volume("raid5", device="cf-card", failed_device=1, rebuild_mb_s=1, replaced=truth)
        assert again == made


def test_the_capacity_is_that_of_a_volume_of_it_alone() -> None:
    for name in ("osdi00", "atlas10k", "cf-card"):
        one = sledsim.device(name)
        assert one.capacity_bytes == sledsim.volume("single", device=name).capacity_bytes
        assert one.capacity_bytes == one.characteristics()["capacity_bytes"] // 512 * 512


def holding_itself() -> dict[str, Any]:
    """Yield structures that contain themselves: a dictionary, a list, one twice in itself, a nested one."""
    table: dict[str, Any] = {"volume": "single"}
    table["device"] = table
    rows: list[Any] = []
    rows.append(rows)
    twice: list[Any] = []
    twice += [twice, twice]
    round_: dict[str, Any] = {"volume": "mirror", "device": [{"volume": "single"}]}
    round_["device"][0]["device"] = round_
    return {"table": table, "list": rows, "twice": twice, "round": round_}


USES: dict[str, Callable[[Any], object]] = {
    "volume": lambda given: sledsim.volume("single", device=given),
    "member": lambda given: sledsim.volume("mirror", device=[CARD, {"volume": "single", "device": given}]),
    "option": lambda given: sledsim.volume("mirror", bus_mb_per_s=given),
    "volume parameters": lambda given: sledsim.Volume.from_parameters({"volume": "single", "device": given}),
    "device": lambda given: sledsim.device("osdi00", settle_ms=given),
    "with_parameters": lambda given: CARD.with_parameters(erase_ms=given),
    "device parameters": lambda given: sledsim.Device.from_parameters({**CARD.parameters, "erase_ms": given}),
    "plan": lambda given: sledsim.with_faults(CARD, {"fault": given}),
    "episodes": lambda given: sledsim.with_episodes(CARD, [given]),
}


@pytest.mark.parametrize("kind", holding_itself())
@pytest.mark.parametrize("use", USES)
def test_what_holds_itself_is_refused(use: str, kind: str) -> None:
    with pytest.raises(sledsim.ParameterError):
        USES[use](holding_itself()[kind])


def test_what_is_shared_is_changed_once() -> None:
    rows: list[Any] = [1]
    for _ in range(60):
        rows = [rows, rows]
    calls: list[int] = []

    def change(value: int) -> int:
        calls.append(value)
        return value + 1

    found = replaced({"a": rows, "b": 5}, change, {"a"})
    assert found["b"] == 5 and calls == [1]
    while isinstance(found := found["a"] if isinstance(found, dict) else found[0], list):
        assert found[0] is found[-1]
    assert found == 2
