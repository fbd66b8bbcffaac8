"""Explained parts add up to the response, for each device, policy and volume; errors have messages."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import sledsim
from sledsim.model.core_tables import table
from sledsim.runs.explanations import DUE, Explanation
from sledsim.runs.explanations.gantt import lanes, text_bars
from sledsim.runs.run import SERVICE_PHASES

POLICIES = sorted(name for name in table("schedulers") if not name.startswith("own"))
DEVICES = ("osdi00", "mascots03", "emsoft08", "disksim-g3", "atlas10k", "cf-card")
VOLUMES: dict[str, dict[str, Any]] = {
    "single": {},
    "stripe": {"devices": 3, "stripe_unit_kib": 8},
    "mirror": {"intent_s": 0.01, "failed_device": 1, "replaced": "yes"},
    "raid5": {"stripe_unit_kib": 8, "intent_s": 0.01},
    "write-buffer": {"buffer_mb": 0.3, "clean_after_ms": 2},
    "cache": {"cache_mb": 1, "writes": "back", "dirty_ms": 5},
    "metadata": {"metadata_mb": 20, "flush_every_s": 0.05},
    "virtual-disk": {"segment_kib": 64, "cache_mb": 3},
    "merge": {"depth": 3, "hold_ms": 0.2},
}
SEEDS = st.integers(0, 2**32)


def workload(target: Any, rate_per_s: float, count: int, seed: int) -> sledsim.Trace:
    """Return requests that overlap, some of which follow one another."""
    return sledsim.random_workload(target, rate_per_s=rate_per_s, count=count, seed=seed)


def adds_up(run: sledsim.Run, rows: list[int]) -> list[Explanation]:
    """Explain requests: pieces without gaps from the arrival to the completion."""
    made = run.explain(rows, what_if=())
    for one in made:
        assert one.response_ns == run.response_ns[one.row]
        assert sum(one.due_ns.values()) == one.response_ns
        ends = [one.arrival_ns, *(each.until_ns for each in one.segments)]
        assert [each.from_ns for each in one.segments] == ends[:-1] and ends[-1] == one.completion_ns
        assert all(each.ns > 0 and each.due in DUE for each in one.segments)
        for due in ("earlier", "overtaking"):
            waited_ns = sum(each.waited_ns for each in one.served if each.due == due)
            assert waited_ns <= one.due_ns.get(due, 0), "on a volume also for parts of others"
    return made


def of_columns(run: sledsim.Run, row: int) -> dict[str, int]:
    """Compute the parts of a response on one device from the columns alone."""
    columns, own = run.columns, {name: int(column[row]) for name, column in run.columns.items()}
    due = {name.removesuffix("_ns"): own[name] for name in SERVICE_PHASES}
    due["device"], due["bus"] = due.pop("wait"), own["bus_ns"]
    ready_ns = own["arrival_ns"] + own["overhead_ns"]
    ends = columns["start_ns"] + sum(columns[name] for name in SERVICE_PHASES)
    met = np.minimum(ends, own["start_ns"]) - np.maximum(columns["start_ns"], ready_ns)
    met = np.where(np.arange(len(met)) == row, 0, np.maximum(0, met))
    due["earlier"], due["overtaking"] = int(met[:row].sum()), int(met[row + 1 :].sum())
    return {name: ns for name, ns in due.items() if ns and name != "command"}


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
@settings(max_examples=12, deadline=None)
@given(seed=SEEDS, policy=st.sampled_from(POLICIES), rate=st.floats(200, 3000))
def test_parts_of_a_response_add_up_under_every_policy(seed: int, policy: str, rate: float) -> None:
    device = sledsim.device("osdi00")
    run = sledsim.simulate(device, workload(device, rate, 300, seed), policy)
    for one in adds_up(run, [0, 150, 299, *run.slowest(3)]):
        for due in ("earlier", "overtaking"):
            waited_ns = sum(each.waited_ns for each in one.served if each.due == due)
            assert waited_ns == one.due_ns.get(due, 0)
        found = {due: ns for due, ns in one.due_ns.items() if due not in ("command", "other_commands")}
        # The column contains both: the request's own data, and the wait for those of others.
        found["bus"] = found.pop("bus_wait", 0) + found.pop("bus", 0)
        assert {due: ns for due, ns in found.items() if ns} == of_columns(run, one.row)
        commands = one.due_ns.get("command", 0) + one.due_ns.get("other_commands", 0)
        assert commands == run.columns["overhead_ns"][one.row] + run.columns["command_ns"][one.row]


@settings(max_examples=12, deadline=None)
@given(seed=SEEDS, name=st.sampled_from(DEVICES), rate=st.floats(20, 800))
def test_parts_of_a_response_add_up_on_every_device(seed: int, name: str, rate: float) -> None:
    device = sledsim.device(name)
    run = sledsim.simulate(device, workload(device, rate, 200, seed), "sptf")
    for one in adds_up(run, [0, 100, 199, *run.slowest(3)]):
        assert one.due_ns.get("positioning", 0) == run.columns["positioning_ns"][one.row]


@pytest.mark.dear("many requests are simulated and computed again")
@settings(max_examples=12, deadline=None)
@given(seed=SEEDS, kind=st.sampled_from(sorted(VOLUMES)), rate=st.floats(50, 900))
def test_parts_of_a_response_add_up_on_every_volume(seed: int, kind: str, rate: float) -> None:
    volume = sledsim.volume(kind, **VOLUMES[kind])
    run = sledsim.simulate(volume, workload(volume, rate, 200, seed))
    for one in adds_up(run, [0, 100, 199, *run.slowest(3)]):
        if one.parts and one.parts[-1].start_ns == run.columns["start_ns"][one.row]:
            assert one.parts[-1].phases_ns["positioning"] == run.columns["positioning_ns"][one.row]


def test_episodes_and_faults_are_among_it() -> None:
    device = sledsim.with_episodes(
        sledsim.device("osdi00"), [sledsim.Stall(0.05, 20), sledsim.Slow(0.1, 50, 3)]
    )
    run = sledsim.simulate(device, workload(sledsim.device("osdi00"), 400, 100, 1), "sptf")
    made = adds_up(run, list(range(100)))
    paused = sum(one.due_ns.get("pause", 0) > 0 for one in made)
    assert paused, "some requests came in the stall, and waited for its end"


def test_several_traced_devices_do_not_meet() -> None:
    device = sledsim.device("osdi00")
    drawn = workload(device, 2000, 200, 2)
    trace = sledsim.Trace.from_columns(
        {**drawn.columns(), "device": (np.arange(200) % 2).astype(np.int32)}, source="two"
    )
    run = sledsim.simulate(device, trace, "fcfs")
    for one in adds_up(run, run.slowest(3)):
        assert all(each.row is not None and each.row % 2 == one.row % 2 for each in one.served)


def test_an_explanation_gives_alternatives() -> None:
    device = sledsim.device("osdi00")
    run = sledsim.simulate(device, workload(device, 1500, 200, 3), "sptf")
    row = run.slowest(1)[0]
    one = run.explain(row, workers=1)
    otherwise = {each.name: each for each in one.alternatives if each.kind == "policy"}
    assert "sptf" not in otherwise and otherwise.keys() >= {"fcfs", "look_lbn", "satf"}
    expected = sledsim.simulate(device, workload(device, 1500, 200, 3), "fcfs").response_ns[row]
    assert otherwise["fcfs"].response_ns == expected
    settle = [each for each in one.alternatives if each.name == "settle_ms"]
    assert [each.value for each in settle] == [0.1, 0.44], "the ends of its range"
    slower = device.with_parameters(settle_ms=0.44)
    expected = sledsim.simulate(slower, workload(device, 1500, 200, 3), "sptf").response_ns[row]
    assert settle[1].response_ns == expected
    assert all(each.error for each in one.impossible)


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
@pytest.mark.parametrize(
    ("kind", "place"),
    [("mirror", "device"), ("write-buffer", "mems"), ("cache", "device.device")],
)
def test_members_of_a_volume_change_together(kind: str, place: str) -> None:
    """Members: a single one, one of several, and a member of a volume that is a member itself."""
    made: dict[str, Any] = {"device": {"volume": "raid5", "devices": 3}} if kind == "cache" else {}
    volume = sledsim.volume(kind, **made)
    trace = workload(volume, 500, 100, 3)
    run = sledsim.simulate(volume, trace)
    one = run.explain(run.slowest(1)[0], ("layout", "parameter"), workers=1)
    sleds = {each.name: each for each in one.alternatives if each.name.startswith(f"{place}.")}
    assert sleds.keys() >= {f"{place}.simple", f"{place}.overhead_ms", f"{place}.acceleration_m_per_s2"}
    for name, changes in (
        (f"{place}.simple", {f"{place}.layout": "simple"}),
        (f"{place}.overhead_ms", {f"{place}.overhead_ms": sleds[f"{place}.overhead_ms"].value}),
    ):
        other = sledsim.simulate(sledsim.volume(kind, **made, **changes), trace)
        assert sleds[name].response_ns == other.response_ns[one.row], name


@pytest.mark.parametrize("kind", ["mirror", "write-buffer"])
def test_another_policy_is_that_of_the_members(kind: str) -> None:
    volume = sledsim.volume(kind)
    trace = workload(volume, 1500, 200, 3)
    run = sledsim.simulate(volume, trace, "sptf")
    one = run.explain(run.slowest(1)[0], "policy", workers=1)
    otherwise = {each.name: each.response_ns for each in one.alternatives}
    assert len(set(otherwise.values())) > 2
    for name in ("fcfs", "look_lbn"):
        assert otherwise[name] == sledsim.simulate(volume, trace, name).response_ns[one.row]


def test_a_member_keeps_a_policy_of_its_own() -> None:
    volume = sledsim.volume("write-buffer", **{"disk.scheduler": "fcfs"})
    trace = workload(volume, 1500, 200, 3)
    run = sledsim.simulate(volume, trace, "sptf")
    one = run.explain(run.slowest(1)[0], "policy", workers=1)
    (other,) = (each for each in one.alternatives if each.name == "look_lbn")
    assert other.response_ns == sledsim.simulate(volume, trace, "look_lbn").response_ns[one.row]


def test_bars_cover_the_whole_time() -> None:
    device = sledsim.device("osdi00")
    run = sledsim.simulate(device, workload(device, 2000, 300, 4), "sptf")
    one = run.explain(run.slowest(1)[0], what_if=())
    bars = text_bars(one.segments, 40)
    assert bars.keys() == one.due_ns.keys() and {len(bar) for bar in bars.values()} == {40}
    assert all(any(bar[at] != " " for bar in bars.values()) for at in range(40))
    assert not text_bars((), 40) and not lanes((), 10)
    drawn = lanes(one.segments, 10**9)
    assert sum(until - begins for times in drawn.values() for begins, until in times) == one.response_ns


def test_what_cannot_be_explained_says_why() -> None:
    device = sledsim.device("osdi00")
    trace = workload(device, 500, 20, 1)
    run = sledsim.simulate(device, trace)
    with pytest.raises(
        sledsim.ParameterError, match="row: expected the number of a request, 0 to 19, found 20"
    ):
        run.explain(20)
    for wrong_row, found in ((1.5, "1.5"), ("3", "'3'"), (True, "True"), ([0, 1.7], "1.7")):
        with pytest.raises(sledsim.ParameterError, match=f"row: expected .*, 0 to 19, found {found}$"):
            run.explain(wrong_row, ())  # type: ignore[call-overload]
    assert [one.row for one in run.explain(np.array([3, 1]), ())] == [3, 1]
    with pytest.raises(
        sledsim.ParameterError, match="rows: expected the number of at least one request, found none"
    ):
        run.explain([])
    with pytest.raises(
        sledsim.ParameterError,
        match="what_if: expected some of policy, layout, parameter, found 'x'",
    ):
        run.explain(0, "x")
    with pytest.raises(sledsim.errors.NotKeptError, match="lbn: a column that this run did not keep"):
        sledsim.simulate(device, trace, columns="times").explain(0)
    wrong = dict(run.columns)
    wrong["completion_ns"] = wrong["completion_ns"] + np.eye(1, 20, 7, dtype=np.int64)[0]
    changed = sledsim.Run(wrong, run.totals, run.settings)
    with pytest.raises(sledsim.TraceError, match=r"request 7: expected completion at \d+ ns, as in the"):
        changed.explain(9)
