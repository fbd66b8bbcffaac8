"""Power failure under a client that writes patterns: acknowledged writes stay as the cache promises."""

import random
import struct
import threading
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sledsim
from sledsim.emulator.certificate import certificate
from sledsim.emulator.crash import History
from sledsim.emulator.power_cut import Loss, PowerCut
from sledsim.emulator.served import read_served
from sledsim.emulator.serving import DeviceServer

from .client import FLUSH, FUA, READ, WRITE, Client

SECTOR, SPAN, SPANS = 512, 50, 40
SIZE = SECTOR * SPAN * SPANS
EIO = 5


def pattern(sector: int, generation: int) -> bytes:
    """Return a sector that carries its number and its generation."""
    return struct.pack("<QQ", sector, generation) * (SECTOR // 16)


@dataclass
class Pattern:
    """A client that writes spans of sectors, several at once, each time with a new generation."""

    seed: int
    #: Generations by span: that of the newest reply, and that which must stay.
    answered: dict[int, int] = field(default_factory=dict)
    durable: dict[int, int] = field(default_factory=dict)
    #: Writes without a reply.
    waiting: dict[int, tuple[int, int, bool]] = field(default_factory=dict)

    def write(self, client: Client, stays: bool) -> None:
        """Write until the connection breaks."""
        draw, generation, flushing = random.Random(self.seed), 0, dict[int, dict[int, int]]()
        try:
            while True:
                busy = {span for span, _, _ in self.waiting.values()}
                if draw.random() < 0.1 and not flushing:
                    flushing[client.ask(FLUSH, 0, 0)] = dict(self.answered)
                elif len(busy) < 6:
                    span = draw.choice([span for span in range(SPANS) if span not in busy])
                    generation += 1
                    fua = draw.random() < 0.1
                    first = span * SPAN
                    data = b"".join(pattern(first + at, generation) for at in range(SPAN))
                    cookie = client.ask(WRITE, first * SECTOR, len(data), data, FUA if fua else 0)
                    self.waiting[cookie] = (span, generation, fua or stays)
                    continue
                cookie, error, _ = client.answer(defaultdict(int))
                assert not error
                if cookie in flushing:
                    for span, flushed in flushing.pop(cookie).items():
                        self.durable[span] = max(self.durable.get(span, 0), flushed)
                    continue
                span, generation_of, has_to_stay = self.waiting.pop(cookie)
                self.answered[span] = generation_of
                if has_to_stay:
                    self.durable[span] = generation_of
        except (AssertionError, ConnectionError) as broken:
            assert "closed" in str(broken) or isinstance(broken, ConnectionError)
            client.socket.close()

    def lost(self, client: Client) -> tuple[int, int, int]:
        """Count the sectors that are older than permitted, older than acknowledged, and unreadable."""
        broken, undone, torn = 0, 0, 0
        asked = {span: generation for span, generation, _ in self.waiting.values()}
        for span in range(SPANS):
            newest = asked.get(span, self.answered.get(span, 0))
            for sector in range(span * SPAN, (span + 1) * SPAN):
                cookie = client.ask(READ, sector * SECTOR, SECTOR)
                _, error, data = client.answer({cookie: SECTOR})
                if error:
                    assert error == EIO and span in asked, "only what was being written is torn"
                    torn += 1
                    continue
                number, generation = struct.unpack_from("<QQ", data)
                assert (generation == 0 and data == bytes(SECTOR)) or data == pattern(sector, generation)
                assert number in (0, sector) and generation <= newest
                broken += generation < self.durable.get(span, 0)
                undone += generation < self.answered.get(span, 0)
        return broken, undone, torn


def cut(folder: Path, seed: int, spans: int = 5, **settings: Any) -> tuple[Loss, Pattern]:
    """Cut the power under a client; return the writes that the device has taken, and the client.

    Without a given time, the cut comes some time after a number of spans have been written.
    """
    image, found = folder / "disk.img", Pattern(seed)
    settings = {"time_scale": "1/2", "scheduler": "sptf", **settings}
    model = sledsim.device(settings.pop("device", "osdi00"))
    with DeviceServer(model, image=image, size_bytes=SIZE, **settings) as server:
        stays = settings.get("cache", "none") == "none"
        uri = server.uri
        thread = threading.Thread(target=lambda: found.write(Client(uri), stays))
        thread.start()
        record = folder / "run.parquet"

        def observe(_: object) -> bool:
            if "power_cut" not in settings and len(found.answered) >= spans:
                server.cut_power()
            return thread.is_alive()

        assert server.serve(record, observe, "off")
        thread.join()
    assert server.loss is not None
    served = read_served(record)
    assert certificate(served)["identical"]
    assert (served.rows["sent_ns"] < 0).sum() == server.loss.unanswered
    return server.loss, found


def after(folder: Path, found: Pattern, device: str = "osdi00") -> tuple[int, int, int]:
    """Read as a client when power is back; torn sectors can be read once they are written again."""
    lost: list[tuple[int, int, int]] = []

    def look(client: Client) -> None:
        lost.append(found.lost(client))
        client.do(WRITE, 0, SIZE, bytes(SIZE))
        assert client.do(READ, 0, SIZE) == bytes(SIZE)

    model = sledsim.device(device)
    with DeviceServer(model, image=folder / "disk.img", size_bytes=SIZE, time_scale="1/1000") as server:
        uri = server.uri

        def run() -> None:
            with Client(uri) as client:
                look(client)

        thread = threading.Thread(target=run)
        thread.start()
        assert server.serve(folder / "again.parquet", lambda status: thread.is_alive(), "off", once=True)
        thread.join()
    assert not (folder / "disk.img.unreadable").exists()
    return lost[0]


@pytest.mark.dear("a served device answers in real time")
@pytest.mark.parametrize("cache", ["none", "volatile", "lying"])
def test_acknowledged_writes_stay(cache: str, tmp_path: Path) -> None:
    broken = undone = torn = written = 0
    for seed in range(5):
        folder = tmp_path / str(seed)
        folder.mkdir()
        plan = PowerCut(after=40 + 30 * seed, seed=seed)
        # Some replies are sent before the medium is done: these writes stay, too.
        loss, found = cut(folder, seed, cache=cache, power_cut=plan, lead=400.0 * (seed % 2))
        found_lost = after(folder, found)
        assert found_lost[2] == loss.torn_sectors
        broken, undone, torn = broken + found_lost[0], undone + found_lost[1], torn + found_lost[2]
        written += loss.written_sectors
    assert cache == "lying" or not broken, "nothing that has to stay is lost"
    assert (cache == "none") == (not undone)
    assert cache != "lying" or broken, "a lying cache is detected"


@pytest.mark.dear("a served device answers in real time", every_change="osdi00")
@pytest.mark.parametrize("device", ["osdi00", "atlas10k", "cf-card"])
def test_what_is_under_the_tips_is_torn_and_nothing_else(device: str, tmp_path: Path) -> None:
    """A write takes longer than other work, and the cut comes in its midst."""
    for seed in range(3):
        folder = tmp_path / str(seed)
        folder.mkdir()
        loss, found = cut(folder, seed, device=device, cache="none", time_scale="20")
        broken, undone, found_torn = after(folder, found, device)
        assert (broken, undone, found_torn) == (0, 0, loss.torn_sectors)
        # No more sectors than pass at once: a row of a sled, a sector of a disk or a card.
        assert found_torn <= (20 if device == "osdi00" else 1)


def test_a_torn_row_may_be_as_it_was(tmp_path: Path) -> None:
    loss, found = cut(tmp_path, 1, power_cut=PowerCut(after=50, torn="old"))
    assert loss.torn_sectors == 0
    assert after(tmp_path, found) == (0, 0, 0)


def test_what_waits_is_in_the_record_and_was_not_sent(tmp_path: Path) -> None:
    loss, _ = cut(tmp_path, 1, time_scale="20")
    served = read_served(tmp_path / "run.parquet")
    assert 0 < loss.unanswered <= 6
    assert certificate(served)["unanswered"] == loss.unanswered
    # All requests are complete in the simulation, and identical when it is run again.
    assert (np.asarray(served.run.columns["completion_ns"]) > 0).all()


def test_a_history_ends_with_what_the_power_has_left(tmp_path: Path) -> None:
    """Every sector is as with all outstanding writes, or with none of them; a probe runs, too."""
    path = tmp_path / "run.history"
    loss, found = cut(tmp_path, 1, time_scale="20", history=path, probe=True)
    history = History(path)
    assert history.end == "whole"
    unanswered = history.open_writes(history.last_cut, "all")
    # The server may not have received the client's last request; the probe waits for one reply at a time.
    waiting = {span * SPAN * SECTOR for span, _, _ in found.waiting.values()}
    assert {write.offset for write in unanswered} <= waiting
    assert loss.unanswered - len(unanswered) in (0, 1)
    left = sectors_of(tmp_path / "disk.img")
    is_as = {}
    for choice in ("all", "none"):
        image = history.save_image(history.last_cut, choice, tmp_path / f"{choice}.img")
        is_as[choice] = (left == sectors_of(image)).all(axis=1)
    assert (is_as["all"] | is_as["none"]).all()


def sectors_of(image: Path) -> np.ndarray[Any, Any]:
    """Return the bytes of an image, a row for each sector."""
    return np.frombuffer(image.read_bytes(), np.uint8).reshape(-1, SECTOR)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"at_s": -1.0}, "power cut: expected a time from 0 to 1,000,000,000 s, found -1"),
        ({"at_s": float("nan")}, "power cut: expected a time from 0 to 1,000,000,000 s, found nan"),
        ({"after": 0}, "power cut: requests: expected a whole number from 1 to 2"),
        ({"seed": -1}, "power cut: seed: expected a whole number from 0 to 2"),
        ({"torn": "maybe"}, 'unknown torn "maybe": known: unreadable, old, new'),
    ],
)
def test_what_cannot_be_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(sledsim.ParameterError, match=message):
        DeviceServer(sledsim.device("osdi00"), power_cut=PowerCut(**settings))


def test_volumes_with_an_image_and_wrong_lists_are_refused(tmp_path: Path) -> None:
    with pytest.raises(sledsim.ParameterError, match="a volume needs only --members FOLDER"):
        DeviceServer(sledsim.volume("raid5"), image=tmp_path / "a", power_cut=PowerCut(at_s=1.0))
    with DeviceServer(sledsim.volume("raid5")) as server:
        assert not server.can_lose_power
    image = tmp_path / "disk.img"
    image.with_name("disk.img.unreadable").write_text("nothing\n")
    with pytest.raises(sledsim.ParameterError, match=r"disk.img.unreadable:1: expected .* found \"nothing\""):
        DeviceServer(sledsim.device("osdi00"), image=image, size_bytes=SIZE)
