"""Test 001-E-14: media that require erasing, and logs that hide it."""

import json
from collections.abc import Callable

import numpy as np
import pytest

import sledsim
from sledsim import papers
from sledsim.papers.p001 import e14_erasing as erasing

from ..conftest import Cli


@pytest.fixture(scope="module")
def found(quick_chapter: Callable[[str], papers.Chapter]) -> dict[str, dict[str, float]]:
    """Return the rows of a capture, by medium."""
    table = quick_chapter("001-E-14").result.tables["Captures"]
    return {row["medium"]: row for row in table.to_pylist()}


def test_writes_that_erase_in_place_take_seconds(found: dict[str, dict[str, float]]) -> None:
    assert found["erased in place"]["p50_response_s"] > 3
    assert found["erased in place"]["mean_response_s"] > 1000 * found["rewritable"]["mean_response_s"]


def test_a_log_whose_erasing_is_left_hides_it(found: dict[str, dict[str, float]]) -> None:
    left, not_left, plain = (
        found[name] for name in ("log, deferred erasing", "log, immediate erasing", "rewritable")
    )
    assert left["erased_blocks"] == not_left["erased_blocks"] > 0
    assert left["max_response_s"] < 1.2 * plain["max_response_s"]
    # At least one request waits for most of an erase cycle.
    assert not_left["max_response_s"] > 2
    assert not_left["mean_response_s"] > 1.2 * left["mean_response_s"]


def test_the_reserve_is_no_capacity() -> None:
    plain, log = sledsim.device("osdi00"), sledsim.device("osdi00-erase")
    block_bytes = log.parameters["erase_block_kib"] * 1024
    whole_bytes, capacity_bytes = (model.characteristics()["capacity_bytes"] for model in (plain, log))
    erase_blocks = int(whole_bytes) // block_bytes
    assert capacity_bytes == (erase_blocks - log.parameters["erase_reserve_blocks"]) * block_bytes
    last = int(capacity_bytes) // 512 - 8
    trace = sledsim.Trace(
        arrival_ns=np.zeros(1, np.int64), lbn=np.array([last]), blocks=np.full(1, 8, np.int32)
    )
    assert len(sledsim.simulate(log, trace).columns["lbn"]) == 1
    beyond = sledsim.Trace(
        arrival_ns=np.zeros(1, np.int64), lbn=np.array([last + 1]), blocks=np.full(1, 8, np.int32)
    )
    with pytest.raises(sledsim.TraceError, match="past the end"):
        sledsim.simulate(log, beyond)
    more = sledsim.simulate(log, beyond, past_end="sleds")
    assert more.settings.parameters["sleds"] == 2


def test_every_medium_is_one_device() -> None:
    media = erasing.media()
    assert media["log, immediate erasing"].parameters["erase_slice_ms"] == 3000
    assert "erase_block_kib" not in media["rewritable"].parameters


def test_what_goes_by_places_refuses_it(cli: Cli) -> None:
    for words in (
        ("bounds", "random:rate=100,count=20", "-d", "osdi00-erase"),
        ("run", "random:rate=100,count=20", "-d", "osdi00-erase", "--faults", "plan.toml"),
    ):
        refused = cli(*words)
        assert refused.returncode != 0
        assert "Traceback" not in refused.stderr
    negative = cli("run", "demo", "-d", "osdi00-erase", "--set", "erase_ms=-1")
    assert negative.returncode != 0 and "erase_ms = -1: must be a number" in negative.stderr


@pytest.mark.dear("experiments of a paper are simulated")
def test_a_run_says_what_was_erased(cli: Cli) -> None:
    made = cli("run", "demo", "-d", "osdi00-erase")
    assert made.returncode == 0, made.stderr
    assert "Erasing of device" in made.stdout and "erased blocks" in made.stdout
    told = json.loads(cli("run", "demo", "-d", "osdi00-erase", "--json").stdout)
    assert told["erasing"]["device"]["erased_blocks"] > 0
    assert "faults" not in told
