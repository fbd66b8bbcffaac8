"""Traces that a typed name selects: patterns, folders, captures of several CPUs, odd places."""

import shlex
from pathlib import Path

from ..conftest import Cli


def test_a_capture_of_several_cpus_is_one_trace(cli: Cli, tmp_path: Path) -> None:
    """The files are named by hand, by a pattern or by their folder; reading one of them reads all."""
    record = (0x65617407).to_bytes(4, "little") + bytes(44)
    folder = tmp_path / "captures"
    folder.mkdir()
    for name in ("sda.blktrace.0", "sda.blktrace.1", "sda.blktrace.10", "sdb.blktrace.0"):
        (folder / name).write_bytes(record)
    for traces in (sorted(folder.iterdir()), [folder], [folder / "*.blktrace.*"]):
        done = cli("run", *traces)
        assert "the files of a blktrace capture, one per CPU, are read as one trace" in done.stderr
        shown = [line.split(": ")[1] for line in done.stderr.splitlines() if " of 2: " in line]
        assert shown == [str(folder / "sda.blktrace.0"), str(folder / "sdb.blktrace.0")]


def test_patterns_and_folders_without_a_trace_say_what_is_there(cli: Cli, tmp_path: Path) -> None:
    none = cli("run", tmp_path / "*.spc")
    assert (
        none.stderr
        == f"error: {tmp_path / '*.spc'}: expected a pattern that matches a file, found no such file\n"
    )
    for name in "dcba":
        (tmp_path / name).mkdir()
    stuck = cli("run", tmp_path).stderr
    assert "expected a trace or a folder of traces, found only folders (a, b, c, and 2 more)" in stuck


def test_results_of_several_traces_are_called_like_them(cli: Cli, tmp_path: Path) -> None:
    for name in ("\u00e4.spc", "a b.spc"):
        (tmp_path / name).write_text("0,0,4096,r,0.5\n")
    out = tmp_path / "o"
    assert cli("run", tmp_path / "*.spc", "random:rate=9,count=2", "--out", out).returncode == 0
    assert sorted(one.name for one in out.iterdir()) == [
        "a b.spc.parquet",
        "random-rate-9-count-2.parquet",
        "\u00e4.spc.parquet",
    ]


def test_a_place_beyond_every_device_is_squeezed_or_wrapped(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "wild.csv"
    path.write_text(f"time_s,op,offset,bytes\n0,r,0,4096\n1,w,{2**60},4096\n")
    stuck = cli("run", path)
    assert (stuck.returncode, "osdi00 holds 3.219 GiB. Use one of:" in stuck.stderr) == (1, True)
    commands = [shlex.split(line.split("  ")[1]) for line in stuck.stderr.splitlines() if line[0] == " "]
    assert [words[-1] for words in commands] == ["--fit", "--past-end=squeeze", "--past-end=wrap"]
    assert [cli(*words[1:]).returncode for words in commands] == [0, 0, 0]


def test_an_archive_beside_its_traces_is_left_out(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "unpacked"
    folder.mkdir()
    (folder / "a.spc").write_text("0,0,4096,r,0.5\n")
    (folder / "all.zip").write_bytes(b"PK\x03\x04" + bytes(99))
    done = cli("run", folder)
    assert (done.returncode, f"skipped, not a trace: {folder / 'all.zip'}" in done.stderr) == (0, True)
