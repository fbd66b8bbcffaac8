"""Bounds on batches: their interval, their proofs, and the errors that a proof detects."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import linprog

import sledsim
from sledsim.runs.bounds.costs import hop_costs
from sledsim.runs.bounds.proofs import Certificate, RequestSet

from ..cli.test_cli_errors import refused
from ..conftest import BUILT_IN_SCHEDULERS, Cli, leftovers, often

QUICK = {"steps": 100, "moves": 20_000}
KINDS: list[tuple[str, dict[str, Any]]] = [
    ("osdi00", {}),
    ("osdi00", {"access_mode": "serpentine", "cylinder_switch": "seek", "layout": "simple"}),
    ("osdi00", {"access_mode": "unidirectional", "settle_ms": 0}),
    ("osdi00", {"row_order": "lbn", "write_start": "at-dispatch"}),
    ("mascots03", {"write_settle_ms": 0.5, "row_order": "lbn"}),
    ("hong03", {"sleds": 2, "power_policy": "immediate"}),
    ("hong03", {"seek_model": "linear-system"}),
    ("osdi00", {"tips_per_block": 128}),
    ("osdi00", {"tips_per_block": 256, "access_mode": "serpentine", "write_settle_ms": 0.5}),
    ("osdi00", {"tips_per_block": 320, "row_order": "lbn", "layout": "simple"}),
    ("emsoft08", {"format": "1024x2x2048"}),
]
requests = st.tuples(
    st.one_of(st.integers(0, 6_000_000), st.integers(3_000_000, 3_010_000)),
    st.one_of(st.integers(1, 20), st.integers(1, 200), st.integers(400, 3000)),
    st.booleans(),
)
scattered = st.lists(requests, min_size=1, max_size=30)
sequential = st.builds(
    lambda lbn, blocks, count: [(lbn + at * blocks, blocks, False) for at in range(count)],
    st.integers(0, 6_000_000),
    st.integers(1, 100),
    st.integers(1, 30),
)
few_places = st.lists(requests, min_size=1, max_size=4).flatmap(
    lambda places: st.lists(st.sampled_from(places), min_size=1, max_size=30)
)
batches = st.one_of(scattered, sequential, few_places)


def columns(batch: list[tuple[int, int, bool]]) -> dict[str, Any]:
    return dict(zip(("lbn", "blocks", "write"), map(list, zip(*batch, strict=True)), strict=True))


def bounded(count: int, device: str = "osdi00", seed: int = 1, **effort: int) -> sledsim.results.Bounds:
    model = sledsim.device(device)
    batch = sledsim.random_workload(model, rate_per_s=1000, count=count, seed=seed)
    return sledsim.schedule_bounds(model, batch, **{**QUICK, **effort})


def test_equal_requests_are_bounded_in_the_end() -> None:
    """The search must count, because no change in the order of equal requests promises a gain."""
    found = sledsim.schedule_bounds(sledsim.device("osdi00"), columns([(3_004_974, 74, False)] * 17), **QUICK)
    found.verify()
    assert not found.exact and found.best.total_ns == found.schedules["fcfs"].total_ns


@pytest.mark.dear("an optimum is computed")
@often(60)
@given(batch=batches, kind=st.sampled_from(KINDS))
def test_bounds_are_in_order_and_verified_by_another_route(
    batch: list[tuple[int, int, bool]], kind: tuple[str, dict[str, Any]]
) -> None:
    name, overrides = kind
    device = sledsim.device(name, **overrides)
    end = int(device.characteristics()["blocks"])
    fitting = [(lbn % (end - blocks + 1), blocks, write) for lbn, blocks, write in batch]
    found = sledsim.schedule_bounds(device, columns(fitting), **QUICK)
    found.verify()
    greedy_ns = found.schedules["sptf"].total_ns
    assert found.certificate.bound_ns <= found.best.total_ns <= greedy_ns
    assert found.exact == (len(batch) <= 15)
    assert found.lower_bound_s <= found.best.total_s
    if found.exact:
        assert found.optimum_s == found.best.total_s == found.lower_bound_s


def test_every_policy_takes_no_less_than_the_optimum() -> None:
    device = sledsim.device("osdi00")
    batch = sledsim.random_workload(device, rate_per_s=1000, count=12, seed=3)
    found = sledsim.schedule_bounds(device, batch, BUILT_IN_SCHEDULERS, **QUICK)
    assert set(found.schedules) == set(BUILT_IN_SCHEDULERS)
    assert all(found.within(name) >= 0 for name in found.schedules)
    assert found.gap == 0


def test_fcfs_is_the_order_of_the_rows() -> None:
    assert bounded(20).schedules["fcfs"].order.tolist() == list(range(20))


def _relaxation_ns(found: sledsim.results.Bounds) -> float:
    """Return the linear program of the ascent without sets: flow through states, each request once."""
    costs = hop_costs(sledsim.Device.from_parameters(found.parameters), **found.requests)
    states, count = costs.cost_ns.shape
    froms, tos = np.nonzero(costs.possible)
    hops = np.arange(len(froms))
    once, flow = np.zeros((count, len(hops))), np.zeros((states, len(hops)))
    once[tos, hops] = 1
    flow[froms, hops] = 1
    np.subtract.at(flow, (costs.after[froms, tos], hops), 1)
    limits = np.zeros(states)
    limits[-1] = 1
    solved = linprog(costs.cost_ns[froms, tos], A_ub=flow, b_ub=limits, A_eq=once, b_eq=np.ones(count))
    return float(solved.fun)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_bound_is_no_worse_than_the_relaxation_without_sets(seed: int) -> None:
    found = bounded(30, seed=seed, steps=1000)
    assert found.certificate.bound_ns >= 0.999 * _relaxation_ns(found)


@pytest.mark.dear("an optimum is computed")
def test_a_thousand_requests() -> None:
    found = bounded(1000, steps=100, moves=100_000)
    found.verify()
    assert 0 < found.gap < found.within("sptf") < 0.1


def demo_piece(start: int, count: int) -> dict[str, Any]:
    trace = sledsim.demo_trace().transfers()
    return {name: getattr(trace, name)[start : start + count] for name in ("lbn", "blocks", "write")}


@pytest.mark.dear("an optimum is computed", every_change=True)
@pytest.mark.parametrize("start", [0, 1000, 3000])
def test_clusters_are_bounded_below_their_optimum(start: int) -> None:
    found = sledsim.schedule_bounds(sledsim.device("osdi00"), demo_piece(start, 15), **QUICK)
    found.verify()
    assert 0 < found.certificate.bound_ns <= found.best.total_ns <= found.schedules["sptf"].total_ns
    assert found.exact


@pytest.mark.dear("an optimum is computed", every_change=True)
@pytest.mark.parametrize(
    "batch",
    [
        demo_piece(0, 400),
        {"lbn": 1_000_000 + 8 * np.arange(400), "blocks": np.full(400, 8)},
    ],
    ids=["clustered", "sequential"],
)
def test_many_requests_near_each_other(batch: dict[str, Any]) -> None:
    found = sledsim.schedule_bounds(sledsim.device("osdi00"), batch, steps=100, moves=100_000)
    found.verify()
    assert 0 <= found.gap < found.within("sptf")


def test_the_bound_is_tight_for_requests_that_are_all_alike() -> None:
    batch = {"lbn": np.full(400, 1_000_000), "blocks": np.full(400, 8)}
    found = sledsim.schedule_bounds(sledsim.device("osdi00"), batch, **QUICK)
    found.verify()
    # Only the first step differs from the others.
    assert 0 <= found.gap < 1 / 400


def test_the_same_seed_gives_the_same_order() -> None:
    assert bounded(60).best.order.tolist() == bounded(60).best.order.tolist()


@pytest.mark.dear("an optimum is computed", every_change=True)
def test_progress_is_shown_in_per_cent() -> None:
    device = sledsim.device("osdi00")
    batch = sledsim.random_workload(device, rate_per_s=1000, count=300)
    told: list[int] = []
    sledsim.schedule_bounds(device, batch, steps=200, moves=500_000, progress=told.append)
    assert told == sorted(told)
    assert told[0] >= 0
    assert 50 < told[-1] <= 100


def test_a_file_says_all_that_is_needed(tmp_path: Path) -> None:
    found = bounded(40)
    read = sledsim.read_bounds(found.write(tmp_path / "bounds.json"))
    read.verify()
    assert read.summary() == found.summary()
    assert leftovers(tmp_path) == ["bounds.json"]


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"certificate": {}}', "\x00"])
def test_another_file_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(content)
    with pytest.raises(sledsim.TraceError, match=r"other\.json: expected bounds written by sledsim"):
        sledsim.read_bounds(path)


def corrupted(certificate: Certificate) -> dict[str, Certificate]:
    """Yield forged certificates, by the message of the proof."""
    sets = list(certificate.sets)
    tolls = certificate.toll_ns.copy()
    tolls[int(tolls.argmax())] = -1
    twice = RequestSet([*sets[0].members, sets[0].members[0]], sets[0].price_ns)
    raised = certificate.price_ns.copy()
    raised[0] += 1
    dearer = replace(sets[0], price_ns=sets[0].price_ns + 1)
    bound_ns = certificate.bound_ns
    return {
        "a toll is negative": replace(certificate, toll_ns=tolls),
        "a set of requests has a wrong": replace(certificate, sets=[twice, *sets[1:]]),
        "the hop from state .* costs 1 ns less than its prices": replace(
            certificate, price_ns=raised, bound_ns=bound_ns + 1
        ),
        "costs 1 ns less than its prices": replace(
            certificate, sets=[dearer, *sets[1:]], bound_ns=bound_ns + 1
        ),
        "the prices give .* ns, not": replace(certificate, bound_ns=bound_ns + 1),
        "the certificate has another size": replace(certificate, price_ns=raised[1:]),
    }


def test_a_corrupted_certificate_is_refused() -> None:
    found = bounded(40)
    for words, certificate in corrupted(found.certificate).items():
        with pytest.raises(sledsim.ParameterError, match=f"cannot be verified: .*{words}"):
            replace(found, certificate=certificate).verify()


def test_a_wrong_schedule_is_refused() -> None:
    found = bounded(10)
    order = found.best.order.copy()
    with pytest.raises(sledsim.ParameterError, match="best takes"):
        replace(found, best=replace(found.best, total_ns=found.best.total_ns - 1)).verify()
    order[0] = order[1]
    with pytest.raises(sledsim.ParameterError, match="best does not serve each request once"):
        replace(found, best=replace(found.best, order=order)).verify()
    with pytest.raises(sledsim.ParameterError, match="the optimum takes"):
        replace(found, best=found.schedules["fcfs"]).verify()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"trace": {"lbn": [], "blocks": []}}, "number of requests in a batch: expected 1 to 4000, found 0"),
        ({"trace": {"lbn": [1]}}, "expected the columns lbn, blocks, write, found lbn"),
        ({"trace": {"lbn": [1], "blocks": [1], "op": ["r"]}}, "found lbn, blocks, op"),
        ({"trace": {"lbn": [1], "blocks": [0]}}, "expected blocks of at least 1"),
        (
            {"trace": {"lbn": [9_000_000], "blocks": [8]}},
            "expected a request that ends by block 6750000",
        ),
        ({"schedulers": ["stpf"]}, 'did you mean "sptf"'),
        ({"schedulers": []}, "schedulers: expected at least one name"),
        ({"steps": 0}, "steps = 0: expected a whole number of 1 or more"),
        ({"moves": -1}, "moves = -1"),
        ({"seed": 0.5}, "seed = 0.5"),
        ({"device": sledsim.device("sigmetrics00-cantilevers")}, 'require "sled", found "cantilevers"'),
    ],
)
def test_bad_input(given: dict[str, Any], words: str) -> None:
    usual = {"device": sledsim.device("osdi00"), "trace": {"lbn": [1], "blocks": [1]}}
    with pytest.raises(ValueError, match=words):
        sledsim.schedule_bounds(**{**usual, **given})


def test_requests_of_two_devices_are_refused() -> None:
    trace = sledsim.Trace(arrival_ns=[0, 0], lbn=[1, 2], blocks=[1, 1], device=[0, 1])
    with pytest.raises(
        sledsim.TraceError, match="expected requests of one device, found requests of 2 devices"
    ):
        sledsim.schedule_bounds(sledsim.device("osdi00"), trace)


def test_there_are_no_bounds_of_other_schedulers() -> None:
    with pytest.raises(
        sledsim.ParameterError, match="no bounds for scheduler 'look': expected one of fcfs, sptf"
    ):
        bounded(5).within("look")


@pytest.mark.dear("an optimum is computed")
def test_the_command(cli: Cli, tmp_path: Path) -> None:
    words = ["bounds", "demo", "--count", "30", "--start-at", "100", "--schedulers", "fcfs,sptf,clook_lbn"]
    done = cli(*words, "--verify", "--out", "bounds.json")
    assert done.returncode == 0, done.stderr
    found = sledsim.read_bounds(tmp_path / "here" / "bounds.json")
    assert len(found) == 30
    assert "Positioning of 30 requests of demo (ext4 trace) on osdi00" in done.stdout
    assert "fcfs takes at most " in done.stdout and " % longer than the best order." in done.stdout
    assert "verified: the totals are correct, and no order takes less than the bound" in done.stderr


def test_the_command_prints_json(cli: Cli) -> None:
    printed = json.loads(cli("bounds", "demo", "--count", "12", "--start-at", "100", "--json").stdout)
    found = sledsim.schedule_bounds(sledsim.device("osdi00"), demo_piece(100, 12))
    assert printed["schedulers"]["sptf"]["within"] == found.within("sptf")
    assert (printed["requests"], printed["verified"]) == (12, False)


def test_the_command_says_when_it_is_the_optimum(cli: Cli) -> None:
    policy = "asptf:weight=6"
    words = ("random:rate=1000,count=8", "--schedulers", policy, "--device", "hong03", "--set", "settle_ms=0")
    done = cli("bounds", *words)
    assert "best possible" in done.stdout
    assert f"\n{policy} takes at most 1.01 % longer" in done.stdout
    assert "Method: dynamic programming." in done.stdout


@pytest.mark.dear("an optimum is computed")
def test_the_command_takes_all_schedulers_and_those_with_parameters(spawned: Cli) -> None:
    words = ("bounds", "demo", "--count", "6", "--json", "--schedulers")
    several = "zsptf:zone=60x600,parity=joined,all"
    printed = json.loads(spawned(*words, several).stdout)
    assert list(printed["schedulers"]) == ["zsptf:zone=60x600,parity=joined", *BUILT_IN_SCHEDULERS]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--count", "0"], "--count 0: expected at least 1 request"),
        (["--count", "5000"], "number of requests in a batch: expected 1 to 4000, found 4833"),
        (
            ["--start-at", "4833"],
            "--start-at 4833: expected the number of a request of demo (ext4 trace), from 0 to 4832",
        ),
        (["--schedulers", "stpf"], 'did you mean "sptf"?'),
        (["--device", "osdi01"], 'did you mean "osdi00"?'),
        (["--seed", "-1"], "seed = -1"),
    ],
)
def test_wrong_usage_of_the_command(cli: Cli, tmp_path: Path, words: list[str], message: str) -> None:
    refused(cli("bounds", "demo", *words), 2, message)
    assert leftovers(tmp_path) == []


def test_an_unwritable_file_is_found_first(cli: Cli, tmp_path: Path) -> None:
    refused(cli("bounds", "demo", "--out", "nowhere/bounds.json"), 1, "nowhere")
    refused(
        cli("bounds", "demo", "--out", "bounds.csv"),
        2,
        "--out bounds.csv: expected a name that ends in .json",
    )
    assert leftovers(tmp_path) == []
