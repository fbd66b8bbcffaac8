"""``sledsim import disksim`` as a user types it, and its errors for files of other kinds."""

import json
import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

import sledsim

from .. import disksim_files as made_up
from ..conftest import Cli, leftovers
from ..disksim_files import Parameters, write_drive
from .test_cli_errors import refused


def test_the_file_is_written_and_what_is_missing_listed(cli: Cli, tmp_path: Path) -> None:
    drive = write_drive(tmp_path, disk={"Hold bus entire read xfer": 1})
    done = cli("import", "disksim", drive)
    assert done.returncode == 0, done.stderr
    assert leftovers(tmp_path / "here") == ["made-up.toml"]
    for words in (
        "Parameters without a key in sledsim, would matter: 1\n",
        "Hold bus entire read xfer",
        "made-up.diskspecs:11",
        "Parameters without a key in sledsim, without effect:",
        "Allow write prebuffering = 0",
        "BUS1: Arbitration time = 0.0",
        "Parameters without a key in sledsim, not of the drive:",
        "disksim_logorg ORG0",
    ):
        assert words in done.stdout, words
    assert "written to made-up.toml: " in done.stderr
    assert "sledsim show made-up.toml" in done.stderr
    assert "sledsim study validate TRACE --device made-up.toml" in done.stderr
    shown = cli("show", "made-up.toml")
    assert shown.returncode == 0 and "made-up.diskspecs:" in shown.stdout


@pytest.mark.dear("commands simulate and draw", every_change=True)
def test_the_command_that_comes_next_works(cli: Cli, tmp_path: Path) -> None:
    """The demerit of an imported drive is zero for a trace that was measured on that drive."""
    drive = write_drive(tmp_path)
    disk = sledsim.import_disksim(drive).device()
    drawn = sledsim.random_workload(disk, rate_per_s=20, count=200, seed=3)
    run = sledsim.simulate(disk, drawn, "fcfs", replay="closed")
    asked = (run.columns[key] for key in ("arrival_ns", "lbn", "blocks"))
    trace = sledsim.Trace(*asked, op=run.columns["write"], response_ns=run.response_ns)
    sledsim.write_trace(trace, tmp_path / "measured.parquet")
    for out in ("drive.toml", "drive"):
        done = cli("import", "disksim", drive, "--out", out)
        (words,) = re.findall(r"sledsim (study validate TRACE --device \S+)", done.stderr)
        found = cli(*words.replace("TRACE", str(tmp_path / "measured.parquet")).split(), "--json")
        assert json.loads(found.stdout)["demerit_ms"] == 0, found.stderr


@pytest.mark.dear("commands simulate and draw", every_change=True)
def test_a_drive_is_written_to_the_named_place(cli: Cli, tmp_path: Path) -> None:
    drive = write_drive(tmp_path)
    text = cli("import", "disksim", drive, "--out", "-")
    assert text.stdout == sledsim.import_disksim(drive).text() and leftovers(tmp_path / "here") == []
    assert cli("import", "disksim", drive).returncode == 0
    refused(cli("import", "disksim", drive), 2, "made-up.toml exists already", "--out made-up.toml")
    assert cli("import", "disksim", drive, "--out", "made-up.toml").returncode == 0
    assert (tmp_path / "here" / "made-up.toml").read_text() == text.stdout
    refused(cli("import", "disksim", drive, "--out", "no/x.toml"), 1, "no/x.toml: cannot write", "No such")
    refused(
        cli("import", "disksim", drive, "--out", "-", "--json"), 2, "--json: expected --out to name a file"
    )
    assert leftovers(tmp_path / "here") == ["made-up.toml"]


def test_json_and_the_long_list_have_every_parameter(cli: Cli, tmp_path: Path) -> None:
    drive = write_drive(tmp_path)
    imported = sledsim.import_disksim(drive)
    found = json.loads(cli("import", "disksim", drive, "--json").stdout)
    assert found["parameters"] == imported.parameters and found["sources"] == imported.sources
    assert found["kinds"] == imported.kinds
    assert [row["name"] for row in found["unkeyed"]] == [row.name for row in imported.unkeyed]
    assert {row["effect"] for row in found["unkeyed"]} == {"without effect", "not of the drive"}
    listed = cli("import", "disksim", drive, "--all", "--out", "all.toml").stdout
    for row in imported.unkeyed:
        assert f" {row.place} " in listed, row


def test_drives_and_files_are_completed(complete: Callable[[str], str], tmp_path: Path) -> None:
    drive = write_drive(tmp_path)
    assert complete(f"sledsim import disksim {drive} --disk disk").split() == ["disk0", "disk1", "disk2"]
    assert complete("sledsim import disksim none.parv --disk disk").split() == []
    assert "disksim" in complete("sledsim import ")


#: A mean through which no curve of the other points goes.
SKEWED: Parameters = {
    "Single cylinder seek time": 1.0,
    "Average seek time": 1.5,
    "Full strobe seek time": 20.0,
}


def said(error: type[Exception], path: Path, *words: str) -> None:
    """Assert that the import is refused with one line that has these words."""
    with pytest.raises(error) as refusal:
        sledsim.import_disksim(path)
    for word in words:
        assert word in str(refusal.value)
    assert "\n" not in str(refusal.value)


def wrong(text: str, *words: str) -> "pytest.mark.ParameterSet":
    return pytest.param(text, words, id=words[-1][:40])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        wrong("", "bad.parv: expected a drive", "found no blocks"),
        wrong("# only a comment", "found no blocks"),
        wrong("disksim_bus B { type = 1 }", "expected a drive", "found disksim_bus"),
        wrong("disksim_mems M { a = 1 }", "a block of the type disksim_disk", "found disksim_mems"),
        wrong("\n\ndisksim_disk", "bad.parv:3: expected the name of the block, found the end of the file"),
        wrong("disksim_disk D", "bad.parv:1: expected '{', found the end of the file"),
        wrong("disksim_disk D {", "expected the name of a parameter, found the end of the file"),
        wrong("disksim_disk D { a = }", "bad.parv:1: expected a value, found '}'"),
        wrong("disksim_disk D { a = 1,\n }", "bad.parv:2: expected a parameter after ',', found '}'"),
        wrong("disksim_disk D { a = 1\n b = 2 }", "bad.parv:2: expected ',' or '}', found 'b'"),
        wrong("disksim_disk D { a = 5 ms }", "expected ',' or '}', found 'ms'"),
        wrong("disksim_disk D { a\nb }", "bad.parv:2: expected '=' behind 'a b', found '}'"),
        wrong("disksim_disk D { = 2 }", "expected the name of a parameter, found '='"),
        wrong("disksim_disk D { a = [1, }", "expected a value, found '}'"),
        wrong("disksim_disk D { a = [1 2] }", "expected ',' or ']', found '2'"),
        wrong("disksim_disk D { a = [1,] }", "expected a value after ',', found ']'"),
        wrong("disksim_disk D { a = 1,\n a = 2 }", "bad.parv:2: 'a' is given twice, first at", "bad.parv:1"),
        wrong("disksim_disk D { [a, 2] = 2 }", "expected the names of parameters in the list"),
        wrong("disksim_disk D { a = [d1 .. e3] }", "a range such as disk0 .. disk3, found d1 .. e3"),
        wrong("disksim_disk D { a = [d3 .. d1] }", "a range of 1 to 10,000 names, found 0"),
        wrong("disksim_disk D { a = [d1 .. d999999999] }", "names, found 999,999,999"),
        wrong("instantiate [ a ] as B", "bad.parv:1: expected a block that is defined before, found 'B'"),
        wrong("instantiate a as B", "expected '[', found 'a'"),
        wrong("instantiate [ a ] B", "expected 'as' and the name of a block, found 'B'"),
        wrong("a B { } instantiate [ 1 ] as B", "expected the names of components in the list"),
        wrong("topology disksim_bus", "expected the name of a component, found the end"),
        wrong("{", "bad.parv:1: expected the type of a block, 'instantiate' or 'topology', found '{'"),
        wrong("source", "expected the name of a file after 'source', found the end"),
        wrong("source { }", "expected the name of a file after 'source', found '{'"),
        wrong("\nsource bad.parv", "bad.parv:2: source bad.parv", "in a circle: bad.parv -> bad.parv"),
        wrong("a" * 2000, "expected words of at most 1,000 characters, found 'aaaa"),
        wrong(
            "disksim_disk D {\n a = \x1b[31m }", "bad.parv:2: expected text, found the control character 0x1b"
        ),
        wrong("disksim_disk D { a = " + "[" * 100_000, "expected at most 64 nested blocks and lists"),
        wrong("disksim_disk D { a = " + "b { a = " * 5000, "expected at most 64 nested blocks and lists"),
    ],
)
def test_what_is_not_written_as_such_files_are(tmp_path: Path, text: str, words: tuple[str, ...]) -> None:
    (tmp_path / "bad.parv").write_text(text)
    said(sledsim.ParameterError, tmp_path / "bad.parv", *words)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"disk": {"Fast write level": 3}},
            ["diskspecs:", "Fast write level = 3: expected a whole number from 0 to 2"],
        ),
        ({"disk": {"Fast write level": "two"}}, ["Fast write level = two: expected a whole number"]),
        ({"disk": {"Fast write level": 0.5}}, ["Fast write level = 0.5: expected a whole number"]),
        ({"disk": {"Buffer continuous read": 5}}, ["= 5: expected a whole number from 0 to 4"]),
        ({"disk": {"Read-ahead over requested": -2}}, ["= -2: expected a whole number from -1 to 1"]),
        ({"disk": {"High (read) water mark": 1.5}}, ["= 1.5: expected a number from 0 to 1"]),
        ({"disk": {"Bulk sector transfer time": -1.0}}, ["= -1.0: expected a number of 0 or more"]),
        ({"disk": {"Bulk sector transfer time": "1e999"}}, ["= inf: expected a number"]),
        ({"disk": {"Segment size (in blks)": "9" * 900}}, ["= 9999", "expected a whole number of 1 or more"]),
        ({"disk": {"Segment size (in blks)": 0}}, ["Segment size (in blks) = 0: expected"]),
        (
            {"disk": {"Segment size (in blks)": None, "Segment size": 5}},
            ["'Segment size (in blks)', found none"],
        ),
        (
            {"disk": {"Fast write level": None, "Fast write levl": 1}},
            [
                "diskspecs:",
                "expected the parameter 'Fast write level', found none; is 'Fast write levl' a misspelling",
            ],
        ),
        ({"disk": {"Model": 5}}, ["Model = 5: expected a block of the type dm_disk"]),
        ({"disk": {"Model": "source none.model"}}, ["cannot read", "none.model: No such file"]),
        ({"disk": {"Per-request overhead time": 2000}}, ["command_ms = 2000", "diskspecs:", "(made-up"]),
        (
            {"changes": {"Layout Model": "dm_layout_g2 { }"}},
            ["model:", "Layout Model = dm_layout_g2: only dm_layout_g1"],
        ),
        (
            {"changes": {"Layout Model": "dm_layout_g4 { }"}},
            ["Layout Model = dm_layout_g4: only dm_layout_g1"],
        ),
        ({"changes": {"Mechanical Model": "dm_mech_g2 { }"}}, ["expected a block of the type dm_mech_g1"]),
        ({"changes": {"Mechanical Model": None}}, ["'Mechanical Model', found none"]),
        (
            {"changes": {"Block count": 10**9}},
            ["block_count = 1000000000: the zones hold 27", "model:", "Block count"],
        ),
        ({"layout": {"Sparing scheme used": 11}}, ["= 11: expected a whole number from 0 to 10"]),
        ({"layout": {"LBN-to-PBN mapping scheme": 3}}, ["= 3: expected a whole number from 0 to 2"]),
        ({"layout": {"Zones": "[ ]"}}, ["Zones: expected at least one zone"]),
        ({"layout": {"Zones": "[ 5 ]"}}, ["Zones: expected blocks of the type dm_layout_g1_zone"]),
        ({"layout": {"Zones": 5}}, ["Zones = 5: expected a list"]),
        ({"layout": {"Skew units": "degrees"}}, ["Skew units = degrees: expected sectors or revolutions"]),
        ({"layout": {"Rangesize for sparing": 0, "Sparing scheme used": 8}}, ["Rangesize for sparing = 0"]),
        (
            {"zones": ({}, {"defects": "[1, 2, 3]"})},
            ["expected pairs of bad and replacement sectors, found 3"],
        ),
        ({"zones": ({"slips": "[-1]"}, {})}, ["slips = -1: expected a whole number"]),
        ({"zones": ({"slips": "[1, 1]"}, {})}, ["slips: zone 0 lists 1 twice", "slips of the zones"]),
        (
            {"zones": ({}, {"First cylinder number": 100})},
            ["zones: zone 1: cylinders 100 to 299: expected ascending cylinders from 150 on"],
        ),
        (
            {"zones": ({"Skew for track switch": -1.0}, {})},
            ["Skew for track switch = -1.0: expected a number"],
        ),
        (
            {"mechanics": {"Seek type": "spiral"}},
            ["Seek type = spiral: expected one of extracted, hpl, hplplus10"],
        ),
        ({"mechanics": {"Seek type": 5}}, ["Seek type = 5: expected a word"]),
        ({"mechanics": {"Seek type": "hpl"}}, ["'HPL seek equation values', found none"]),
        ({"mechanics": {"Seek type": "constant"}}, ["'Constant seek time', found none"]),
        (
            {"mechanics": {"Seek type": "hpl", "HPL seek equation values": "[1.0, 2.0]"}},
            ["HPL seek equation values: expected 6 numbers, found 2"],
        ),
        (
            {"mechanics": {"Seek type": "hpl", "HPL seek equation values": "[1.5, 1, 1, 1, 1, -1]"}},
            ["expected whole cylinders V1", "[1.5, 1.0"],
        ),
        (
            {"mechanics": {"Seek type": "curve", **SKEWED}},
            ["Seek type = curve: 1.0, 1.5 and 20.0 ms give a = ", "linear takes any times"],
        ),
        (
            {"mechanics": {"Seek type": "linear", **SKEWED}, "changes": {"Number of cylinders": 3}},
            ["= 3: expected 4"],
        ),
        ({"seek": "1, 1.5\nnothing\n"}, ["made-up.seek:2: expected 'cylinders, ms', found 'nothing'"]),
        ({"seek": "1 1.5\n2 1.6\n"}, ["made-up.seek:1: expected 'cylinders, ms', found '1 1.5'"]),
        (
            {"seek": "2, 1.5\n2, 1.75\n"},
            ["made-up.seek:2: expected more cylinders than in the previous line, 2, found 2"],
        ),
        ({"seek": "1, 1.5\n2, 1e9\n"}, ["made-up.seek:2: expected at most", "0 to 1000 ms"]),
        ({"seek": "1, 1.5\n"}, ["made-up.seek: expected at least two seek times, found 1"]),
        ({"seek": ""}, ["made-up.seek: expected at least two seek times, found 0"]),
        ({"seek": "1, \x00\n"}, ["made-up.seek:1: expected text, found the control character 0x00"]),
        (
            {"block_ms": ("quick", 0.1, 0)},
            ["made-up.parv:9: Read block transfer time = quick: expected a number"],
        ),
    ],
)
def test_impossible_drives_are_refused(tmp_path: Path, changes: dict[str, object], words: list[str]) -> None:
    drive = write_drive(tmp_path, **changes)  # type: ignore[arg-type]
    said(OSError if "cannot read" in words else sledsim.ParameterError, drive, *words)


def test_the_command_says_in_a_line_what_is_wrong(cli: Cli, tmp_path: Path) -> None:
    drive = write_drive(tmp_path, disk={"Fast write level": 3})
    refused(
        cli("import", "disksim", drive), 2, "made-up.diskspecs:", "Fast write level = 3: expected a whole"
    )
    refused(cli("import", "disksim", "none.parv"), 1, "none.parv: No such file")
    refused(cli("import", "disksim", tmp_path), 1, f"{tmp_path}: Is a directory")
    assert leftovers(tmp_path / "here") == []


@pytest.mark.dear("commands simulate and draw", every_change=True)
def test_the_files_of_the_drive_are_not_written_over(cli: Cli, tmp_path: Path) -> None:
    drive = write_drive(tmp_path)
    (tmp_path / "link.toml").symlink_to("made-up.model")
    before = {path: path.read_bytes() for path in tmp_path.glob("made-up.*")}
    assert len(before) == 4
    for path in (*before, tmp_path / "link.toml"):
        refused(cli("import", "disksim", drive, "--out", path), 2, path.name, "expected ")
    assert {path: path.read_bytes() for path in before} == before


def test_a_drive_that_is_kept_whole(cli: Cli, tmp_path: Path) -> None:
    """A drive that loses nothing has no empty table of losses."""
    done = cli("import", "disksim", write_drive(tmp_path))
    assert done.stdout.startswith(
        "Parameters without a key in sledsim, would matter: 0\n"
        "Parameters without a key in sledsim, without effect: "
    )


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    drive = write_drive(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    said(OSError, tmp_path / "pipe", "pipe", "is a device or a pipe, not a file")
    (tmp_path / "made-up.seek").unlink()
    said(OSError, drive, "made-up.model:", "cannot read", "made-up.seek: No such file")
    (tmp_path / "loop").symlink_to("loop")
    asks = tmp_path / "asks.parv"
    for name, why in (
        ("loop", "loop: "),
        ("n" * 900, "File name too long"),
        ("/dev/zero", "/dev/zero: is a device or a pipe, not a file"),
        (".", "Is a directory"),
    ):
        asks.write_text(f"\nsource {name}")
        said(OSError, asks, "asks.parv:2: cannot read", why)


def test_limits_of_files(tmp_path: Path) -> None:
    fault = sledsim.ParameterError
    (tmp_path / "garbage.parv").write_bytes(bytes(range(256)) * 40)
    said(fault, tmp_path / "garbage.parv", "garbage.parv:1: expected text, found")
    with (tmp_path / "large.parv").open("wb") as file:
        file.truncate(1 << 34)
    said(fault, tmp_path / "large.parv", "expected at most 2 MiB of parameter files")
    for number in range(40):
        (tmp_path / f"f{number}").write_text(f"source f{number + 1}")
    said(fault, tmp_path / "f0", "f31:1: source f32", "at most 32 nested files")
    (tmp_path / "empty").touch()
    (tmp_path / "many.parv").write_text("source empty\n" * 2000)
    said(fault, tmp_path / "many.parv", "many.parv:1000: expected at most 1,000 files")
    (tmp_path / "a").write_text("# a\nsource b")
    (tmp_path / "b").write_text("source a")
    said(fault, tmp_path / "a", "b:1: source a", "in a circle: a -> b -> a")


@pytest.mark.dear("commands simulate and draw")
@settings(deadline=None, max_examples=150)
@given(data=st.data())
def test_no_change_of_a_file_ends_in_anything_else_than_a_message(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("changed")
    drive = write_drive(folder)
    path = folder / data.draw(
        st.sampled_from(["made-up.parv", "made-up.diskspecs", "made-up.model", "made-up.seek"])
    )
    text = path.read_text()
    at = data.draw(st.integers(0, len(text)))
    to = data.draw(st.integers(at, min(len(text), at + 40)))
    words = st.sampled_from(
        ["{", "}", "[", "]", ",", "=", "source ", " .. ", "-1", "1e99", "0x", "as ", "#", "", "x"]
    )
    between = data.draw(st.lists(words | st.text(max_size=3), max_size=3).map("".join))
    path.write_text(f"{text[:at]}{between}{text[to:]}", encoding="utf-8", errors="replace")
    with suppress(sledsim.ParameterError, OSError):
        imported = sledsim.import_disksim(drive)
        imported.write(folder / "drive.toml")
        assert sledsim.device(folder / "drive.toml").sources == imported.sources


def test_blocks_that_would_go_in_a_circle(tmp_path: Path) -> None:
    """A block changes only one that is defined before it."""
    path = tmp_path / "circle.parv"
    path.write_text("A B { x = 1 }\nB A { y = 2 }\nA A { z = 3 }\n")
    with pytest.raises(sledsim.ParameterError, match="expected a drive"):
        sledsim.import_disksim(path)


def test_a_definition_that_comes_again_is_ignored(tmp_path: Path) -> None:
    drive = write_drive(tmp_path)
    text = made_up.block("disksim_disk", {**made_up.DISK, "Segment size (in blks)": 5}, "MADE_UP")
    drive.write_text(drive.read_text() + text)
    found = sledsim.import_disksim(drive)
    assert found.parameters["segment_blocks"] == 64
    (note,) = found.notes
    assert "MADE_UP is defined again and ignored, as DiskSim does; the first is at" in note


def test_ways_to_write_the_same(tmp_path: Path) -> None:
    """Accepted: a byte order mark, carriage returns, another encoding, broken names, hexadecimal numbers."""
    drive = write_drive(tmp_path)
    expected = sledsim.import_disksim(drive).parameters
    drive.write_bytes(b"\xef\xbb\xbf" + drive.read_bytes())
    specs = tmp_path / "made-up.diskspecs"
    text = specs.read_text().replace("Segment size (in blks) = 64", "Segment  size\n (in blks) = 0x40")
    text = text.replace("  Print stats = 1,", "  Print stats = 1.0, [colour, size] = 7,")
    specs.write_bytes(b"# gr\xfc\xdfe\r\n" + text.replace("\n", "\r\n").encode())
    found = sledsim.import_disksim(drive)
    assert found.parameters == expected
    assert {row.name: row.value for row in found.unkeyed if row.name in ("colour", "size")} == {
        "colour": "7",
        "size": "7",
    }
