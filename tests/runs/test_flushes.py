"""Flushes and writes with force unit access (FUA) in a simulation by steps."""

from typing import Any

import numpy as np
import pytest

import sledsim

MS = 1_000_000


def completions_ns(device: str | sledsim.Device, *requests: dict[str, Any]) -> dict[int, int]:
    """Submit requests one after the other, and return the completion of each by its number."""
    simulation = sledsim.Simulation(device)
    for request in requests:
        simulation.submit(**request)
    done = simulation.drain()
    return dict(zip(done.id.tolist(), done.completion_ns.tolist(), strict=True))


def write(kind: str = "write", arrival_ns: int = 0, lbn: int = 9_000_000) -> dict[str, Any]:
    return {"arrival_ns": arrival_ns, "lbn": lbn, "blocks": 8, "kind": kind}


def test_durable_data_cost_what_the_medium_takes() -> None:
    """A write is complete with its data in the cache; a flush or FUA waits for a seek and a turn."""
    cached_ns = completions_ns("atlas10k", write())[0]
    forced_ns = completions_ns("atlas10k", write("fua"))[0]
    flushed_ns = completions_ns("atlas10k", write(), {"arrival_ns": cached_ns, "kind": "flush"})[1]
    assert cached_ns < 2 * MS < forced_ns
    assert 2 * MS < flushed_ns == pytest.approx(forced_ns, abs=2 * MS)


def test_a_flush_covers_the_writes_that_were_complete_when_it_arrived() -> None:
    idle = {"arrival_ns": 0, "kind": "flush"}
    drive = sledsim.device("atlas10k")
    assert completions_ns(drive, idle)[0] < MS, "no write waits for the medium"
    several = [write(lbn=lbn) for lbn in (9_000_000, 100, 17_000_000, 5_000_000)]
    written_ns = max(completions_ns(drive, *several).values())
    one, all_of_them = (
        completions_ns(drive, *requests, {"arrival_ns": written_ns, "kind": "flush"})[len(requests)]
        for requests in (several[:1], several)
    )
    assert one < all_of_them


@pytest.mark.parametrize("name", ["osdi00", "cf-card"])
def test_without_a_write_cache_a_flush_is_complete_on_arrival(name: str) -> None:
    found = completions_ns(name, write(lbn=1000), {"arrival_ns": 20, "kind": "flush"})
    assert found[1] == 20
    assert found[0] == completions_ns(name, write("fua", lbn=1000))[0]


def test_kinds_may_be_an_array() -> None:
    simulation = sledsim.Simulation("atlas10k")
    ids = simulation.submit([0, 5, 10, 15], 800, [8, 8, 8, 0], kind=["read", "write", "fua", "flush"])
    assert ids.tolist() == [0, 1, 2, 3]
    assert len(simulation.drain().id) == 4
    run = simulation.finish()
    assert run.columns["kind"].tolist() == [0, 1, 2, 3]
    assert run.columns["write"].tolist() == [False, True, True, False]
    assert run.totals["devices"][0]["flushes"] == 1


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"lbn": 0, "blocks": 8}, "write, kind: expected one of these two arguments, found neither"),
        ({"write": True, "kind": "read"}, "write, kind: expected one of these two arguments, found both"),
        ({"kind": "sync"}, "kind: expected one of read, write, fua, flush, found 'sync'"),
        ({"kind": 3}, "kind: expected one of read, write, fua, flush, found '3'"),
        ({"kind": "fua", "blocks": 0}, "expected at least one block"),
    ],
)
def test_a_wrong_kind_is_refused(request_: dict[str, Any], message: str) -> None:
    simulation = sledsim.Simulation("atlas10k")
    with pytest.raises(sledsim.TraceError, match=message):
        simulation.submit(0, **request_)
    assert simulation.pending() == 0


def test_a_flush_of_a_volume_reaches_its_members() -> None:
    """A mirror of two disks with write caches flushes both; the flush ends with the later one."""
    mirror = sledsim.volume("mirror", device="atlas10k")
    cached_ns = completions_ns(mirror, write())[0]
    flushed_ns = completions_ns(mirror, write(), {"arrival_ns": cached_ns, "kind": "flush"})[1]
    alone_ns = completions_ns("atlas10k", write(), {"arrival_ns": cached_ns, "kind": "flush"})[1]
    assert flushed_ns >= alone_ns
    assert np.isclose(flushed_ns, alone_ns, atol=2 * MS)
