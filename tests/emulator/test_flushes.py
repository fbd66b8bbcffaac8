"""Flushes and writes with force unit access (FUA) on a served device: their times, and the default cache."""

import numpy as np
import pytest

from sledsim.emulator.served import Served
from sledsim.emulator.serving import DeviceServer
from sledsim.traces.trace import KINDS

from .client import FLUSH, FUA, WRITE, Client
from .test_serving import BLOCK, named, served

MS = 1_000_000


def commits(client: Client) -> None:
    """Write a block and flush it, five times, and then write five blocks with FUA."""
    for number in range(10):
        offset = (number * 7_919 % 1000) * 1_000_000 // BLOCK * BLOCK
        client.do(WRITE, offset, BLOCK, b"\1" * BLOCK, FUA if number >= 5 else 0)
        if number < 5:
            client.do(FLUSH, 0, 0)


def by_kind_ms(record: Served) -> dict[str, list[float]]:
    """Return the response times by kind of request."""
    kinds = np.array(KINDS)[record.run.columns["kind"]]
    response_ms = record.run.response_ns / MS
    return {kind: response_ms[kinds == kind].tolist() for kind in np.unique(kinds)}


@pytest.mark.dear("a device is served to a client", every_change=True)
def test_a_commit_takes_a_seek_and_a_turn_of_a_disk() -> None:
    record = served(commits, "atlas10k", size_bytes=1 << 30, time_scale="1")
    found = by_kind_ms(record)
    assert {kind: len(times) for kind, times in found.items()} == {"write": 5, "flush": 5, "fua": 5}
    assert max(found["write"]) < 2 < np.mean(found["flush"])
    assert np.mean(found["fua"]) > 3
    again = record.run.again()
    assert all(np.array_equal(again.columns[key], record.run.columns[key]) for key in again.columns)


@pytest.mark.parametrize("name", ["osdi00", "cf-card"])
def test_without_a_write_cache_a_flush_takes_no_time(name: str) -> None:
    found = by_kind_ms(served(commits, name, size_bytes=1 << 30))
    assert found["flush"] == [0.0] * 5
    assert min(found["write"]) > 0


@pytest.mark.parametrize(
    ("name", "cache"),
    [("osdi00", "none"), ("cf-card", "none"), ("atlas10k", "volatile"), ("mirror", "none")],
)
def test_the_default_cache_follows_from_the_device(name: str, cache: str) -> None:
    with DeviceServer(named(name), size_bytes=1 << 20) as server:
        assert server._how["cache"] == cache
    with DeviceServer(named(name), size_bytes=1 << 20, cache="lying") as server:
        assert server._how["cache"] == "lying"


def test_a_device_that_lies_answers_flushes_at_once() -> None:
    record = served(commits, "atlas10k", size_bytes=1 << 30, cache="lying")
    assert set(by_kind_ms(record)) == {"write"}
