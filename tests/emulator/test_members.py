"""Volumes whose members keep their contents: the state after a power failure, and its report."""

import json
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sledsim
from sledsim.common.output_files import write_text
from sledsim.emulator.certificate import certificate
from sledsim.emulator.power_cut import PowerCut
from sledsim.emulator.served import read_served
from sledsim.emulator.serving import DeviceServer

from .client import READ, WRITE, Client
from .test_programs import PROGRAM

BLOCK = 4096
BLOCKS = 64
#: Small members, which fill up.
VOLUMES = [
    "stripe:devices=3,stripe_unit_kib=4",
    "mirror:intent_s=1",
    "raid5:devices=4,intent_s=1",
    "metadata:metadata_mb=0.2",
    "write-buffer:buffer_mb=0.05,segment_kib=16",
    "metadata+write-buffer:metadata_mb=0.1,buffer_mb=0.05,segment_kib=8",
    "virtual-disk:segment_kib=4,size_ratio=0.001",
    "cache:cache_mb=0.05",
]


def served(
    volume: str,
    members: Path | None,
    record: Path,
    act: Callable[[Client], None],
    power_cut: PowerCut | None = None,
    time_scale: str = "1/50",
) -> DeviceServer:
    """Return a server that has ended, after a client's requests."""
    size = BLOCK * BLOCKS
    server = DeviceServer(
        sledsim.volume(volume),
        members=members,
        size_bytes=size,
        time_scale=time_scale,
        power_cut=power_cut,
    )
    with server:

        def run() -> None:
            client = Client(server.uri)
            try:
                act(client)
            except (AssertionError, ConnectionError):
                if power_cut is None:
                    raise
            finally:
                client.socket.close()

        thread = threading.Thread(target=run)
        thread.start()
        server.serve(record, realtime="off", once=power_cut is None)
        thread.join()
    return server


def filled(value: int) -> bytes:
    """Return a block of one value."""
    return bytes([value]) * BLOCK


@pytest.mark.dear("a served device answers in real time", every_change="mirror:intent_s=1")
@pytest.mark.parametrize("volume", VOLUMES)
def test_what_was_answered_is_there_after_every_cut(volume: str, tmp_path: Path) -> None:
    draw = np.random.default_rng(7)
    # Contents of each block; those of the last requested block are unknown.
    has: dict[int, int | None] = dict.fromkeys(range(BLOCKS), 0)
    asked = [0]

    def write(client: Client) -> None:
        while True:
            asked[0], value = int(draw.integers(BLOCKS)), int(draw.integers(1, 250))
            client.do(WRITE, asked[0] * BLOCK, BLOCK, filled(value))
            has[asked[0]] = value

    def check(client: Client) -> None:
        for block, value in has.items():
            found = client.do(READ, block * BLOCK, BLOCK)
            assert value is None or found == filled(value), f"block {block}"

    for after in (40, 1, 150):
        cut = PowerCut(after=after, torn="old")
        server = served(volume, tmp_path / "members", tmp_path / "cut.parquet", write, cut)
        assert server.loss is not None
        has[asked[0]] = None
        made = certificate(read_served(tmp_path / "cut.parquet"))
        assert made["identical"]
        assert made["came_back"] == (after != 40)
        served(volume, tmp_path / "members", tmp_path / "back.parquet", check)
    assert sum(value not in (None, 0) for value in has.values()) > 40


def test_a_volume_that_comes_back_is_simulated_again_with_its_notes(tmp_path: Path) -> None:
    volume = "write-buffer:buffer_mb=0.05,segment_kib=16,clean_after_ms=10000"

    def write(client: Client) -> None:
        for block in range(8):
            client.do(WRITE, block * BLOCK, BLOCK, filled(1))

    def read(client: Client) -> None:
        for block in range(8):
            assert client.do(READ, block * BLOCK, BLOCK) == filled(1)

    cut = PowerCut(after=8)
    served(volume, tmp_path / "members", tmp_path / "a.parquet", write, cut)
    server = served(volume, tmp_path / "members", tmp_path / "b.parquet", read)
    assert server.restart
    found = read_served(tmp_path / "b.parquet")
    made = certificate(found)
    assert made["identical"]
    assert made["came_back"]
    # Without the members the server would not know the contents of the buffer.
    forgotten = certificate(replace(found, how={**found.how, "notes": None}))
    assert not forgotten["identical"]
    assert forgotten["reason"].startswith("the simulator gives other values of")


def test_a_clean_end_leaves_what_was_in_memory_on_the_members(tmp_path: Path) -> None:
    volume = "cache:cache_mb=1,writes=back,dirty_ms=200000"

    def write(client: Client) -> None:
        for block in range(BLOCKS):
            client.do(WRITE, block * BLOCK, BLOCK, filled(block + 1))

    def check(client: Client) -> None:
        for block in range(BLOCKS):
            assert client.do(READ, block * BLOCK, BLOCK) == filled(block + 1)

    served(volume, tmp_path / "members", tmp_path / "a.parquet", write)
    served(volume, tmp_path / "members", tmp_path / "b.parquet", check)
    # All contents of the buffer are lost with the power.
    lost = tmp_path / "lost"
    cut = PowerCut(after=BLOCKS)
    assert served(volume, lost, tmp_path / "c.parquet", write, cut, time_scale="1/10").loss is not None
    assert not any(np.fromfile(lost / "device.img", np.uint8, BLOCK * BLOCKS))


def test_a_volume_answers_once_it_has_read_what_it_needs(tmp_path: Path) -> None:
    volume, scale = "write-buffer:buffer_mb=8", 2
    begun, took = [0.0], list[float]()

    def act(client: Client) -> None:
        client.do(WRITE, 0, BLOCK, filled(1))
        took.append(time.monotonic() - begun[0])

    for number in range(2):
        begun[0] = time.monotonic()
        server = served(volume, tmp_path / "m", tmp_path / f"{number}.parquet", act, time_scale=str(scale))
    reads = sledsim.volume(volume).restart()
    assert server.restart == [row for row in reads if row["reads"]]
    assert took[1] > scale * max(row["time_s"] for row in reads) > 0.1


@pytest.mark.dear("a served device answers in real time")
def test_a_command_that_is_over_while_the_volume_reads_ends_the_server(tmp_path: Path) -> None:
    volume = ["--volume", "write-buffer:buffer_mb=8", "--members", "m", "--size", "1M", "--realtime", "off"]
    words = [PROGRAM, "serve", *volume, "--time-scale", "5", "--", "true"]
    for number in range(2):
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)
        assert ("recovery reads 8.000 MB of mems first" in done.stderr) == bool(number)
        assert "no client read or wrote anything" in done.stderr


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("osdi00", {}, "members: expected a volume, found osdi00"),
    ("mirror", {"image": "disk.img"}, "expected no image in addition; a volume needs only --members FOLDER"),
    ("mirror", {"history": "h"}, "expected no history, which only a single device can have"),
    ("mirror", {"cache": "volatile"}, "expected cache none, as the volume has its own cache, found volatile"),
    ("mirror", {"is_read_only": True}, "expected no read-only server"),
]


@pytest.mark.parametrize(("name", "settings", "message"), WRONG)
def test_what_does_not_go_together_is_refused(
    name: str, settings: dict[str, Any], message: str, tmp_path: Path
) -> None:
    target = sledsim.device(name) if name == "osdi00" else sledsim.volume(name)
    with pytest.raises(sledsim.ParameterError, match=message):
        DeviceServer(target, members=tmp_path / "members", **settings)
    assert not [*tmp_path.iterdir()]


def test_files_of_members_are_not_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "members"
    server = DeviceServer(sledsim.volume("mirror"), members=folder)
    for name in ("volume.json", "device-0.img"):
        with pytest.raises(sledsim.ParameterError, match="another process uses this file"):
            write_text(folder / name, "")
    server.__exit__(None, None, None)
    write_text(folder / "volume.json", "")


def test_members_of_something_else_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "members"

    def opened(volume: str = "mirror", **settings: Any) -> None:
        DeviceServer(sledsim.volume(volume, **settings), members=folder).__exit__(None, None, None)

    def refused(message: str, volume: str = "mirror", **settings: Any) -> None:
        with pytest.raises(sledsim.ParameterError, match=message):
            opened(volume, **settings)

    opened()
    refused("volume.json: the folder belongs to another volume: expected volume mirror, found raid5", "raid5")
    refused(
        "device-0.img: expected a file of 2147483648 bytes, the size of the device, found", device="cf-card"
    )
    about = folder / "volume.json"
    kept = about.read_text()
    for text, message in (
        ("{", "volume.json: expected JSON"),
        (json.dumps({**json.loads(kept), "salt": -1}), "volume.json: salt: expected a whole number"),
        (
            json.dumps({**json.loads(kept), "format": "x"}),
            "volume.json: format: expected 'sledsim members 1'",
        ),
    ):
        about.write_text(text)
        refused(message)
    about.write_text(kept)
    opened()
    (folder / "device-1.img").unlink()
    refused("device-1.img: expected a file with the contents of a member, found no such file")
    (folder / "device-1.img").mkdir()
    refused("device-1.img: expected a file with the contents of a member, found another kind of file")
    about.unlink()
    refused("expected an empty folder, or a folder with the members of a volume, found device-0.img")
    with pytest.raises(sledsim.ParameterError, match="a: expected a folder for the members of a volume"):
        (tmp_path / "a").touch()
        DeviceServer(sledsim.volume("mirror"), members=tmp_path / "a")
    other = tmp_path / "other"
    with pytest.raises(
        sledsim.ParameterError, match="expected a volume of devices, found a volume of volumes"
    ):
        DeviceServer(sledsim.volume("write-buffer", disk={"volume": "raid5"}), members=other)
    assert not [*other.iterdir()]
