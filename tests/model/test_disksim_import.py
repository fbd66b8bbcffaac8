"""Drives of DiskSim as devices: each key against DiskSim's manual."""

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

import sledsim
from sledsim.model.core_tables import entry
from sledsim.model.disksim import AROUND, HARMLESS, MATTERS
from sledsim.model.disksim.controller import DELIVERED, READ_AHEAD, WATERMARK_OF
from sledsim.model.disksim.layout import HEAD_ORDERS, SPARINGS
from sledsim.model.disksim.seeks import SEEK_TYPES

from .. import disksim_files as made_up
from ..disksim_files import Parameters, write_drive

SHARED = Path(__file__).parents[3] / "shared"
DRIVES = "atlas10k atlas_III barracuda cheetah4LP dec_rz26 hp_c2247a hp_c2490a st41601n".split()
needs_drives = pytest.mark.skipif(
    not (SHARED / "drives").is_dir(), reason=f"DiskSim's parameter files are not at {SHARED / 'drives'}"
)
READ_AHEADS = {0: "none", 1: "track", 2: "cylinder", 3: "segment", 4: "to-track-end"}
#: Parameters that DiskSim does not state for a drive.
OURS = {"name", "description", "idle_power_mw", "active_power_mw"}


def parameters(device: sledsim.Device) -> dict[str, object]:
    return {key: value for key, value in device.parameters.items() if key not in OURS}


@needs_drives
@pytest.mark.parametrize("name", DRIVES)
def test_the_drives_that_are_built_in(name: str, tmp_path: Path) -> None:
    built_in = sledsim.device(name.lower().replace("_", "-"))
    imported = sledsim.import_disksim(SHARED / "drives" / f"{name}.parv")
    imported.write(tmp_path / "drive.toml")
    assert parameters(imported.device()) == parameters(built_in)
    assert parameters(sledsim.device(tmp_path / "drive.toml")) == parameters(built_in)
    # Zones beyond the number of the file are their authors' choice, and are noted.
    assert all("sectors (Block count), but its zones hold" in note for note in imported.notes)
    assert len(imported.notes) == (name in {"atlas10k", "atlas_III", "barracuda", "cheetah4LP"})


@needs_drives
@pytest.mark.skipif(
    not (SHARED / "traces").is_dir(), reason="the measured traces are not beside this checkout"
)
@pytest.mark.parametrize("name", ["atlas10k", "hp_c2247a"])
def test_the_demerits_of_the_drives_that_are_built_in(name: str) -> None:
    trace = sledsim.read_trace(SHARED / "traces" / "disksim-valid" / f"{name}.trace.zst")
    imported = sledsim.import_disksim(SHARED / "drives" / f"{name}.parv").device()
    built_in = sledsim.device(name.lower().replace("_", "-"))
    assert sledsim.validate(imported, trace).figures() == sledsim.validate(built_in, trace).figures()


def test_every_key_of_a_drive(drive: Callable[..., sledsim.results.ImportedDisk]) -> None:
    found = drive().parameters
    expected = {
        "surfaces": 2,
        "block_count": 27585,
        "rotation_rpm": 6000,
        "zones": [[0, 149, 50, 0, 10, 5, 9, 3], [150, 299, 42, 4, 0, 4, 8, 2]],
        "slips": [[0, 7], [0, 11], [1, 1]],
        "defects": [[1, 20, 12590], [1, 30, 12591]],
        "head_order": "same",
        "sparing": "zone",
        "seek_curve": [[1, 1.5], [2, 1.75], [10, 2.5], [299, 9.0]],
        "head_switch_ms": 0.5,
        "write_settle_ms": -0.125,
        "cache_segments": 4,
        "segment_blocks": 64,
        "read_ahead": "segment",
        "read_ahead_blocks": 48,
        "delivered": "keep",
        "read_watermark": 0.5,
        "watermark_of": "request",
        "disconnects": True,
        "queue": "host",
        "preseeks": False,
        "read_hits_on_writes": True,
        "command_ms": 0.25,
        **{f"read_hit_after_{op}_ms": ms for op, ms in (("read", 0.1), ("write", 0.2))},
        **{f"read_miss_after_{op}_ms": ms for op, ms in (("read", 0.3), ("write", 0.4))},
        **{f"write_hit_after_{op}_ms": ms for op, ms in (("read", 0.5), ("write", 0.6))},
        **{f"write_miss_after_{op}_ms": ms for op, ms in (("read", 0.7), ("write", 0.8))},
        "read_completion_ms": 0.01,
        "write_completion_ms": 0.02,
        "data_preparation_ms": 0.03,
        "first_reselect_ms": 0.04,
        "write_disconnect_ms": 0.05,
        "bus_read_ms_per_block": 0.0625,
        "bus_write_ms_per_block": 0.05,
    }
    off = "separate_write_segment read_ahead_on_hit almost_hits whole_track_reads zero_latency_reads"
    for key in (*off.split(), "zero_latency_writes", "write_back", "append_writes"):
        expected[key] = False
    assert {key: value for key, value in found.items() if key != "description"} == expected


@pytest.mark.parametrize(
    ("name", "key", "values"),
    [
        ("Buffer continuous read", "read_ahead", READ_AHEADS),
        ("Read-ahead over requested", "delivered", {-1: "reuse", 0: "keep", 1: "overwrite"}),
        ("Set watermark by reqsize", "watermark_of", {0: "segment", 1: "request"}),
        ("Fast write level", "write_back", {0: False, 1: True, 2: True}),
        ("Immediate buffer read", "zero_latency_reads", {0: False, 1: True, 2: True}),
        ("Immediate buffer write", "zero_latency_writes", {0: False, 1: True, 2: True}),
        ("Never disconnect", "disconnects", {0: True, 1: False}),
        ("Use separate write segment", "separate_write_segment", {0: False, 1: True}),
        ("Read-ahead on idle hit", "read_ahead_on_hit", {0: False, 1: True}),
        ("Allow almost read hits", "almost_hits", {0: False, 1: True}),
        ("Read any free blocks", "whole_track_reads", {0: False, 1: True}),
        ("Allow read hits on write data", "read_hits_on_writes", {0: False, 1: True}),
        ("Combine seq writes", "append_writes", {0: False, 1: True}),
        ("Enable caching in buffer", "cache_segments", {0: 0, 1: 4, 2: 4}),
    ],
)
def test_numbers_that_stand_for_something(
    drive: Callable[..., sledsim.results.ImportedDisk], name: str, key: str, values: dict[int, object]
) -> None:
    for number, expected in values.items():
        found = drive(disk={name: number})
        assert found.parameters[key] == expected
        assert found.sources[key].startswith("made-up.diskspecs:") and name.partition(" (")[0] in (
            found.sources[key] if key != "cache_segments" else name
        )


def test_every_number_says_what_it_is(
    drive: Callable[..., sledsim.results.ImportedDisk], tmp_path: Path
) -> None:
    found = drive(disk={"Time scale for overheads": 2.0})
    found.write(tmp_path / "drive.toml")
    certainty = sledsim.device(tmp_path / "drive.toml").certainty
    assert {key: said["kind"] for key, said in certainty.items()} == found.kinds
    assert all(said["low"] is None for said in certainty.values())
    assert set(found.kinds) == {
        key for key, value in found.parameters.items() if not isinstance(value, bool | str)
    }
    kinds = [found.kinds[key] for key in ("block_count", "seek_curve", "read_completion_ms")]
    assert kinds == ["stated", "measured", "derived"]


def test_queues_inside_the_drive(drive: Callable[..., sledsim.results.ImportedDisk]) -> None:
    """The queue length counts the request in service."""
    for length, queue, depth in ((0, "host", None), (1, "host", None), (2, "drive", 1), (32, "drive", 31)):
        found = drive(disk={"Max queue length": length})
        assert (found.parameters["queue"], found.parameters.get("queue_depth")) == (queue, depth)
        effects = {row.name: row.effect for row in found.unkeyed if row.effect != AROUND}
        assert effects["Scheduler: Scheduling policy"] == (MATTERS if length > 1 else HARMLESS)
        assert effects.get("Max queue length") == (None if length else MATTERS)


def test_arms_that_set_off_early(drive: Callable[..., sledsim.results.ImportedDisk]) -> None:
    """A drive without a queue does not know the next request; level 1 is treated as 2."""
    for length, level in itertools.product((0, 1, 2, 32), (0, 1, 2)):
        found = drive(disk={"Max queue length": length, "Preseeking level": level})
        assert found.parameters["preseeks"] is (length > 1 and level > 0)
        source = found.sources["preseeks"].partition("made-up.diskspecs:")[2]
        assert f"Preseeking level {level}" in source
        assert ("one request at a time" in source) == (length < 2 and level > 0)
        listed = [(row.effect, row.value) for row in found.unkeyed if row.name == "Preseeking level"]
        assert listed == ([(MATTERS, "1")] if length > 1 and level == 1 else [])
        assert found.device().parameters["preseeks"] is found.parameters["preseeks"]


def test_writes_are_hits_where_they_complete_early(
    drive: Callable[..., sledsim.results.ImportedDisk],
) -> None:
    found = [drive(disk={"Fast write level": level}).parameters.get("write_hits") for level in range(3)]
    assert found == [None, "every", "every"]


def test_mappings_and_sparings(drive: Callable[..., sledsim.results.ImportedDisk]) -> None:
    orders = ["same", "serpentine-by-zone", "serpentine"]
    for number, order in enumerate(orders):
        found = drive(layout={"LBN-to-PBN mapping scheme": number}).parameters
        assert found["head_order"] == order
    names = "none tracks cylinder track cylinder-slip-zone cylinder-front cylinder-front-slip-zone"
    none = ({"slips": "[]", "defects": "[]"},) * 2
    for number, sparing in enumerate([*names.split(), "disk", "range", "zone", "zone-and-slips"]):
        found = drive(
            layout={"Sparing scheme used": number}, zones=none, changes={"Block count": 20000}
        ).parameters
        assert found["sparing"] == sparing
        assert found.get("spare_range_cylinders") == (2 if sparing == "range" else None)
        assert "slips" not in found and "defects" not in found


def test_overheads_are_scaled(drive: Callable[..., sledsim.results.ImportedDisk]) -> None:
    found = drive(disk={"Time scale for overheads": 1.5})
    assert found.parameters["read_miss_after_write_ms"] == pytest.approx(0.6)
    assert found.parameters["command_ms"] == pytest.approx(0.375)
    # Neither the bus nor the arm is an overhead.
    assert found.parameters["bus_read_ms_per_block"] == 0.0625
    assert found.parameters["head_switch_ms"] == 0.5
    assert "times 1.5 (Time scale for overheads)" in found.sources["command_ms"]


def test_drives_that_let_go_of_the_bus_twice(drive: Callable[..., sledsim.results.ImportedDisk]) -> None:
    extra: Parameters = {
        "Extra write disconnect": 1,
        "Extradisc command overhead": 0.1,
        "Extradisc disconnect overhead": 0.2,
        "Extradisc inter-disconnect delay": 0.3,
        "Extradisc 2nd disconnect overhead": 0.4,
        "Other reselect overhead": 0.5,
    }
    found = drive(disk=extra).parameters
    keys = "early_disconnect_command_ms early_disconnect_ms early_disconnect_wait_ms second_disconnect_ms"
    assert [found[key] for key in (*keys.split(), "second_reselect_ms")] == [0.1, 0.2, 0.3, 0.4, 0.5]
    without = drive(disk={**extra, "Extra write disconnect": 0})
    assert "second_reselect_ms" not in without.parameters
    lost = {row.name: row for row in without.unkeyed}
    assert lost["Other reselect overhead"].effect == MATTERS
    assert lost["Extradisc command overhead"].effect == HARMLESS


@pytest.mark.parametrize(
    ("block_ms", "read", "write"),
    [
        ((0.0, 0.0, 0.0), (0.05, "made-up.diskspecs:"), (0.05, "made-up.diskspecs:")),
        ((0.0625, 0.07, 0.0), (0.0625, "made-up.parv:9:"), (0.07, "made-up.parv:10:")),
        ((0.0, 0.07, 0.06), (0.06, "made-up.parv:12:"), (0.07, "made-up.parv:10:")),
    ],
)
def test_a_block_takes_the_largest_time_on_its_way(
    drive: Callable[..., sledsim.results.ImportedDisk],
    block_ms: tuple[float, float, float],
    read: tuple[float, str],
    write: tuple[float, str],
) -> None:
    found = drive(block_ms=block_ms)
    for key, (ms, place) in (("bus_read_ms_per_block", read), ("bus_write_ms_per_block", write)):
        assert found.parameters[key] == ms
        assert found.sources[key].startswith(place), found.sources[key]
        assert "BUS1: " in found.sources[key] and "CTLR0: " in found.sources[key]


def test_a_drive_without_a_system_has_its_own_bus_time(tmp_path: Path) -> None:
    write_drive(tmp_path)
    found = sledsim.import_disksim(tmp_path / "made-up.diskspecs")
    assert found.parameters["bus_read_ms_per_block"] == 0.05 == found.parameters["bus_write_ms_per_block"]
    (note,) = found.notes
    assert "made-up.diskspecs:1: no bus leads to the drive" in note


def test_angles_in_revolutions(drive: Callable[..., sledsim.results.ImportedDisk]) -> None:
    """The units of the layout hold for its zones, unless a zone has its own."""
    skews: Parameters = {"Skew for track switch": 0.1, "Skew for cylinder switch": 0.3}
    turns = {**skews, "Offset of first block": 0.02}
    found = drive(layout={"Skew units": "revolutions"}, zones=(turns, {"Skew units": "sectors"}))
    assert [row[3:7] for row in found.parameters["zones"]] == [[1, 10, 5, 15], [4, 0, 4, 8]]
    assert not [row for row in found.unkeyed if "kew" in row.name]
    between = drive(zones=({"Skew for track switch": 5.75}, {"Skew for cylinder switch": None}))
    assert [row[5:7] for row in between.parameters["zones"]] == [[5, 9], [4, 0]]
    (lost,) = (row for row in between.unkeyed if row.name == "Skew for track switch")
    assert (lost.effect, lost.value) == (MATTERS, "5.75") and "5 in place of 5.75" in lost.why


@pytest.mark.parametrize(
    ("name", "harmless", "matters"),
    [
        ("Hold bus entire read xfer", 0, 1),
        ("Hold bus entire write xfer", 0, 1),
        ("Allow sneaky full read hits", 0, 1),
        ("Allow write prebuffering", 0, 1),
        ("Maximum number of write segments", 1, 3),
        ("Low (write) water mark", 0.0, 0.5),
        ("Minimum read-ahead (blks)", 0, 8),
        ("Stop prefetch in sector", 1, 0),
        ("Write hit stop prefetch", 1, 0),
        ("Minimum seek delay", 0.0, 0.6),
    ],
)
def test_parameters_without_a_key(
    drive: Callable[..., sledsim.results.ImportedDisk], name: str, harmless: object, matters: object
) -> None:
    for value, effect in ((harmless, HARMLESS), (matters, MATTERS)):
        found = drive(disk={name: value})
        (row,) = (row for row in found.unkeyed if row.name == name and row.block == "disksim_disk MADE_UP")
        assert (row.value, row.effect) == (str(value), effect)
        assert row.place.startswith("made-up.diskspecs:") and row.why
        assert (f"#   {name} = {value} (made-up.diskspecs:" in found.text()) == (effect == MATTERS)


def test_every_parameter_is_a_key_or_listed(tmp_path: Path) -> None:
    found = sledsim.import_disksim(write_drive(tmp_path, disk={"Colour of the case": "grey"}))
    listed = {row.name: row for row in found.unkeyed}
    assert (listed["Colour of the case"].effect, listed["Colour of the case"].value) == (MATTERS, "grey")
    assert "not known" in listed["Colour of the case"].why
    said = " ".join(found.sources.values())
    blocks = (made_up.DISK, made_up.MODEL, made_up.MECHANICS, made_up.LAYOUT)
    for name in (name for block in blocks for name in block):
        is_read = name in said or name in ("Model", "Full seek curve", "Time scale for overheads")
        is_read = is_read or name in ("Seek type", "Extra write disconnect", "Enable caching in buffer")
        inside = [row for row in listed if row.partition(":")[0] == name]
        assert is_read or inside, name
    around = {row.block for row in found.unkeyed if row.effect == AROUND}
    assert around == {"disksim_iodriver DRIVER0", "disksim_bus BUS0", "disksim_logorg ORG0"}
    assert listed["devices"].value == "[disk0, disk1, disk2]"


def lines_before(path: Path, text: str) -> int:
    return path.read_text().partition(text)[0].count("\n")


def test_every_value_has_its_source(
    drive: Callable[..., sledsim.results.ImportedDisk], tmp_path: Path
) -> None:
    found = drive()
    assert found.sources.keys() == found.parameters.keys()
    for key, source in found.sources.items():
        file, line, said = source.split(":", 2)
        lines = (tmp_path / file).read_text().splitlines()
        assert 1 <= int(line) <= len(lines) and said.strip(), key
    # A list is reported at its beginning.
    assert found.sources["zones"].split(":")[1] == str(
        1 + lines_before(tmp_path / "made-up.model", "Zones = [")
    )
    assert found.sources["rotation_rpm"].endswith(": Rotation speed (in rpms)")
    file, line, _ = found.sources["rotation_rpm"].split(":", 2)
    assert (tmp_path / file).read_text().splitlines()[
        int(line) - 1
    ].strip() == "Rotation speed (in rpms) = 6000,"
    path = tmp_path / "made-up.toml"
    found.write(path)
    assert sledsim.device(path).sources == found.sources
    assert sledsim.device(path).name == "made-up"


TWO = """\
source made-up.diskspecs
MADE_UP QUICKER { Rotation at the rim = 1, Segment size (in blks) = 128, Per-request overhead time = 0.0 }
disksim_bus SLOW { Read block transfer time = 0.5, Write block transfer time = 0.5 }
disksim_iodriver DRIVER { type = 1 }
instantiate [ driver0 ] as DRIVER
instantiate [ bus0 ] as SLOW
instantiate [ first ] as MADE_UP
instantiate [ second, third ] as QUICKER
topology disksim_iodriver driver0 [ disksim_bus bus0 [ disksim_disk second [] ], disksim_disk third [] ]
"""


def test_drives_that_change_others_and_which_is_taken(tmp_path: Path) -> None:
    write_drive(tmp_path)
    path = tmp_path / "two.parv"
    path.write_text(TWO)
    with pytest.raises(
        sledsim.ParameterError, match=r"expected one drive, found 2: select one with --disk: first"
    ):
        sledsim.import_disksim(path)
    with pytest.raises(
        sledsim.ParameterError, match=r"--disk fourth: expected one of first \(MADE_UP\), second"
    ):
        sledsim.import_disksim(path, "fourth")
    found = {name: sledsim.import_disksim(path, name) for name in ("first", "second", "third", "QUICKER")}
    assert [row.parameters["segment_blocks"] for row in found.values()] == [64, 128, 128, 128]
    assert [row.parameters["bus_read_ms_per_block"] for row in found.values()] == [0.05, 0.5, 0.05, 0.5]
    assert found["second"].parameters["command_ms"] == 0.0 and found["first"].parameters["command_ms"] == 0.25
    assert found["second"].name == "QUICKER"
    assert found["second"].sources["segment_blocks"].startswith("two.parv:2:")
    assert found["second"].sources["surfaces"].startswith("made-up.model:")
    others = {row.block for row in found["second"].unkeyed if row.effect == AROUND}
    assert others == {"disksim_iodriver DRIVER"}
    assert "disksim_disk QUICKER" in {row.block for row in found["first"].unkeyed if row.effect == AROUND}


def test_the_page_names_every_choice() -> None:
    """docs/reference/devices.md has each table of numbers, complete and in order."""
    page = (Path(__file__).parents[2] / "docs" / "reference" / "devices.md").read_text()
    for choices in (HEAD_ORDERS, SPARINGS, READ_AHEAD, DELIVERED, WATERMARK_OF):
        names = ", ".join(f"`{choices[number]}`" for number in sorted(choices))
        assert f": {names} |" in page, names
    assert all(f"`{name}`" in page or f"= {name}`" in page for name in SEEK_TYPES)


@pytest.mark.parametrize(
    ("key", "choices"),
    [
        ("head_order", HEAD_ORDERS),
        ("sparing", SPARINGS),
        ("read_ahead", READ_AHEAD),
        ("delivered", DELIVERED),
        ("watermark_of", WATERMARK_OF),
    ],
)
def test_devices_know_every_choice(key: str, choices: dict[int, str]) -> None:
    known = set(entry("kinds", "disk").choices[key])
    assert set(choices.values()) <= known
