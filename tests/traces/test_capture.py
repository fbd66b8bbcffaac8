"""Recording a real device, if this machine permits it, and reading the records anywhere."""

import os
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import sledsim
from sledsim.traces.capture import TRACING, capture, write_capture
from tests.conftest import Cli, leftovers

RECORD = struct.Struct("=IIQQIIIIIHH")
DISPATCH, COMPLETION, WRITE = 7, 8, 1 << 17


def record(time_ns: int, action: int, sector: int, cpu: int, pid: int = 7, payload: bytes = b"") -> bytes:
    return (
        RECORD.pack(0x65617407, 0, time_ns, sector, 4096, action, pid, 7 << 20, cpu, 0, len(payload))
        + payload
    )


def test_records_become_blktrace_files(tmp_path: Path) -> None:
    raw = (
        record(1000, DISPATCH | WRITE, 8, 1)
        + record(2000, DISPATCH, 64, 0, pid=9, payload=b"12345678")
        + record(6000, COMPLETION | WRITE, 8, 0)
    )
    files = write_capture(raw, {7: "a-process-with-a-long-name", 9: "b"}, tmp_path / "x")
    assert [file.name for file in files] == ["x.blktrace.0", "x.blktrace.1"]
    trace = sledsim.read_trace(files[0])
    assert trace.arrival_ns.tolist() == [0, 1000]
    assert trace.lbn.tolist() == [8, 64]
    assert trace.write.tolist() == [True, False]
    assert trace.service_ns.tolist() == [5000, 0]
    assert b"a-process-with-\0" in files[1].read_bytes()


def test_a_capture_replaces_the_earlier_one_of_its_name_as_a_whole(tmp_path: Path) -> None:
    earlier = write_capture(record(1, DISPATCH, 8, 0) + record(2, DISPATCH, 8, 3), {}, tmp_path / "x")
    assert len(earlier) == 4
    (other := tmp_path / "x.blktrace.3.gz").write_bytes(b"another capture")
    write_capture(record(1, DISPATCH, 16, 3), {}, tmp_path / "x.blktrace")
    files = write_capture(record(1, DISPATCH, 64, 1), {}, tmp_path / "x")
    assert sledsim.read_trace(files[0]).lbn.tolist() == [64]
    assert other.exists()
    assert sum(name.startswith("x.blktrace.blktrace.") for name in leftovers(tmp_path)) == 4
    with pytest.raises(sledsim.TraceError):
        write_capture(b"", {}, tmp_path / "x")
    assert sledsim.read_trace(files[0]).lbn.tolist() == [64]


def test_a_capture_that_cannot_be_written_is_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if sys.platform != "linux":
        pytest.skip("captures are for Linux")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    (tmp_path / "current_tracer").write_text("nop")
    (tmp_path / "available_tracers").write_text("blk nop")
    with pytest.raises(OSError, match="cannot write: No such file") as caught:
        capture(tmp_path, tmp_path / "none" / "x", lambda: pytest.fail("was begun"), tracing=tmp_path)
    assert caught.value.filename == str(tmp_path / "none" / "x.blktrace.0")


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "nothing was recorded"),
        (record(1, DISPATCH, 8, 0) + b"CPU:0 [LOST 5 EVENTS]" + bytes(40), "lost events: byte 48 "),
        (record(1, DISPATCH, 8, 0)[:20], "lost events: byte 0 "),
    ],
)
def test_what_is_no_record_is_explained(tmp_path: Path, raw: bytes, message: str) -> None:
    with pytest.raises(sledsim.TraceError, match=message):
        write_capture(raw, {}, tmp_path / "x")
    assert leftovers(tmp_path) == []


def test_missing_rights_are_explained(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    if sys.platform == "linux":
        with pytest.raises(PermissionError, match="run it with sudo"):
            capture(tmp_path, tmp_path / "x", lambda: None)
    done = cli("trace", "capture", tmp_path / "none", "--seconds", "-1")
    assert done.returncode == 2
    assert "expected a number above 0" in done.stderr


def test_a_kernel_without_tracefs_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform != "linux":
        pytest.skip("captures are for Linux")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(OSError, match="is mounted here: run mount -t tracefs"):
        capture(tmp_path, tmp_path / "x", lambda: None, tracing=tmp_path)


@pytest.fixture
def loop_device(tmp_path: Path) -> Iterator[str]:
    """Yield a loop device that can be traced."""
    tracer = TRACING / "current_tracer"
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("a capture needs root on Linux")
    if not tracer.exists() or tracer.read_text().strip() != "nop":
        pytest.skip("the kernel's tracefs is not mounted, or in use")
    if "blk" not in (TRACING / "available_tracers").read_text().split():
        pytest.skip("this kernel has no block tracer")
    image = tmp_path / "image"
    image.write_bytes(bytes(1 << 20))
    made = subprocess.run(
        ["losetup", "-f", "--show", "--direct-io=on", image], capture_output=True, text=True, check=False
    )
    if made.returncode:
        pytest.skip(f"no loop device: {made.stderr.strip()}")
    device = made.stdout.strip()
    yield device
    subprocess.run(["losetup", "-d", device], check=True)


def test_a_real_device_is_captured(cli: Cli, tmp_path: Path, loop_device: str) -> None:
    write = ("dd", "if=/dev/zero", f"of={loop_device}", "bs=4096", "seek=3", "count=5", "oflag=direct")
    done = cli("trace", "capture", loop_device, "--out", "disk", "--", *write)
    assert done.returncode == 0, done.stderr
    trace = sledsim.read_trace(tmp_path / "here" / "disk.blktrace.0").transfers()
    writes = trace.rows(trace.write)
    assert writes.lbn.tolist() == [24, 32, 40, 48, 56]
    assert writes.blocks.tolist() == [8] * 5
    assert (writes.service_ns > 0).all()
    assert (TRACING / "current_tracer").read_text().strip() == "nop"
