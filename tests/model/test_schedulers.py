"""Every policy against its definition, and errors of impossible names and options."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import sledsim
from sledsim.model.scheduling import Taken, Waiting

from ..cli.test_cli_errors import refused
from ..conftest import BUILT_IN_SCHEDULERS, Cli
from ..policies import Oracle, oracles
from ..runs.test_api_runs import same_columns

DEFINED = dict(oracles())
#: Part of the device with the requests: a smaller part gives more ties.
SPREADS = {"everywhere": 1.0, "in a corner": 0.02, "on a few tracks": 0.0002}


def load(device: sledsim.Device, spread: float, rate_per_s: float = 2800, count: int = 500) -> sledsim.Trace:
    """Random requests: every other comes together with the one before, and a third share 40 places."""
    rng = np.random.default_rng(12)
    trace = sledsim.random_workload(device, rate_per_s=rate_per_s, count=count, seed=5)
    lbn = (trace.lbn * spread).astype(np.int64)
    popular = rng.choice(lbn, 40)
    lbn = np.where(rng.random(count) < 1 / 3, rng.choice(popular, count), lbn)
    arrival_ns = trace.arrival_ns[np.arange(count) // 2 * 2]
    return dataclasses.replace(trace, lbn=lbn, arrival_ns=arrival_ns, metadata=rng.random(count) < 0.1)


def register(name: str, device: sledsim.Device, oracle: Oracle) -> str:
    """Register the oracle as a scheduler; an oracle with state is made anew for each run."""

    class Remembering:
        """A definition with state."""

        def __init__(self) -> None:
            self.made = oracle(device)

        def choose(self, now_s: float, waiting: Waiting) -> int:
            return int(self.made.choose(now_s, waiting))

        def take(self, request: Taken) -> None:
            self.made.take(request)

    made = oracle(device)
    sledsim.extend.register_scheduler(name, Remembering if hasattr(made, "choose") else made, "a definition")
    return name


@pytest.mark.parametrize("name", [*BUILT_IN_SCHEDULERS, *sledsim.listings.scheduler_wrappers()])
def test_a_policy_or_wrapper_has_a_definition(name: str) -> None:
    if name not in {part.partition(":")[0] for whole in DEFINED for part in whole.split("+")}:
        pytest.skip(f"tests/policies.py defines no {name}: tested is only what holds for every policy")


@pytest.mark.dear(
    "many requests are simulated and computed again",
    every_change=[f"{policy}-{next(iter(SPREADS))}" for policy in DEFINED],
)
@pytest.mark.parametrize("spread", SPREADS)
@pytest.mark.parametrize("policy", DEFINED)
def test_decisions_are_those_of_the_definition(device: sledsim.Device, policy: str, spread: str) -> None:
    trace = load(device, SPREADS[spread])
    own = register("defined", device, DEFINED[policy])
    expected, found = (sledsim.simulate(device, trace, name) for name in (own, policy))
    order = [np.argsort(run.columns["start_ns"]).tolist() for run in (expected, found)]
    assert order[1] == order[0]
    assert same_columns(expected, found)


@pytest.mark.dear("many requests are simulated and computed again", every_change="sptf+deadline:after_ms=15")
@pytest.mark.parametrize(
    "policy",
    [
        "pyramid:medium_from=100,fine_from=400,parity=split",
        *("zsptf", "ztsptf", "wptf:limit_ms=30", "sptf+deadline:after_ms=15"),
    ],
)
def test_and_so_they_are_in_a_long_queue(device: sledsim.Device, policy: str) -> None:
    trace = load(device, 1.0, rate_per_s=4500, count=1500)
    own = register("defined", device, DEFINED[policy])
    expected, found = (sledsim.simulate(device, trace, name) for name in (own, policy))
    assert same_columns(expected, found)
    assert found.columns["queue_length"].max() > 500


def test_such_a_load_lets_policies_choose(device: sledsim.Device) -> None:
    """The load must have ties and must let policies differ, or the comparison above shows little."""
    for spread in SPREADS.values():
        trace = load(device, spread)
        runs = [sledsim.simulate(device, trace, name) for name in ("sptf", "sstf_lbn", "clook_cyl", "zsptf")]
        assert len({run.columns["start_ns"].tobytes() for run in runs}) == len(runs)
        assert all(run.columns["queue_length"].max() > 10 for run in runs)
        assert len(np.unique(trace.lbn)) < 0.75 * len(trace)


@pytest.mark.parametrize("name", sledsim.devices())
def test_every_policy_on_every_device(name: str) -> None:
    device = sledsim.device(name)
    trace = load(device, 1.0, rate_per_s=1000, count=300)
    wrapped = [f"look_cyl+{wrapper}" for wrapper in sledsim.listings.scheduler_wrappers()]
    for policy in [*BUILT_IN_SCHEDULERS, *wrapped]:
        columns = sledsim.simulate(device, trace, policy).columns
        assert np.all(columns["start_ns"] >= columns["arrival_ns"] + columns["overhead_ns"]), policy
        order = np.argsort(columns["start_ns"])
        done_ns = (columns["completion_ns"] - columns["bus_ns"])[order]
        assert np.all(done_ns[:-1] <= columns["start_ns"][order][1:]), policy
        # Blocks in a disk's cache do not move on the medium.
        assert device.kind == "disk" or np.all(columns["transfer_ns"] > 0), policy


@pytest.mark.parametrize("policy", ["asptf:weight=100000", "asatf:weight=100000"])
def test_a_great_weight_is_nearly_first_come_first_served(device: sledsim.Device, policy: str) -> None:
    trace = load(device, 1.0)
    columns = sledsim.simulate(device, trace, policy).columns
    ready_ns = (columns["arrival_ns"])[np.argsort(columns["start_ns"])]
    # A request goes before one that is older by at most the time it saves over the weight.
    saved_ns = 1e9 * (device.characteristics()["max_seek_s"] + 1e-2) / 100
    assert (np.maximum.accumulate(ready_ns) - ready_ns).max() <= saved_ns


WRONG = {
    "stpf": 'unknown scheduler "stpf": did you mean "sptf"?',
    "": 'unknown scheduler ""',
    "sptf+deadlin": 'unknown scheduler wrapper "deadlin": did you mean "deadline"? known: deadline, priority',
    "sptf+": 'unknown scheduler wrapper ""',
    "fcfs:weight=5": 'fcfs has no options: found "weight=5"',
    "asptf:wait=5": 'unknown option of asptf "wait": did you mean "weight"? known: weight, search',
    "asptf:weight": 'asptf: expected option=value, found "weight"',
    "asptf:5": 'asptf: expected option=value, found "5"',
    "asptf:weight=5,Weight=6": "asptf: weight is given twice",
    "asptf:weight=-1": "asptf: weight = -1: expected a number from 0 (no ageing) to 1e5 (nearly fcfs)",
    "asptf:weight=nan": "asptf: weight = nan: expected a number from 0",
    "asatf:weight=": "asatf: weight is missing: expected a number from 0",
    "wptf:limit_ms=0": "wptf: limit_ms = 0: expected a number from 0.001 to 1e9 (ms)",
    "vscan_lbn:reversal=1.5": "vscan_lbn: reversal = 1.5: expected a number from 0 (as SSTF) to 1 (as LOOK)",
    "sptf:search=binary": "sptf: search = binary: expected index or linear",
    "zsptf:zone=2501x100": (
        "zsptf: zone = 2501x100: expected auto, or cylinders x bits in y such as 120x1200, from 1x1 to "
        "2500x2500 on this device, with at most 10000 zones"
    ),
    "zfcfs:zone=0x10": "zfcfs: zone = 0x10: expected auto",
    "ztsptf:zone=120": "ztsptf: zone = 120: expected auto",
    "zsptf:zone=1x1": "with at most 10000 zones",
    "zsptf:parity=odd": "zsptf: parity = odd: expected split or joined",
    "zsptf:zone=1250x2500,parity=joined,order=0-0": (
        "zsptf: order = 0-0: expected figure-3, or the numbers from 0 to 1, each once, joined by dashes"
    ),
    "zsptf:zone=1250x2500,order=0-1": "the numbers from 0 to 3, each once",
    "pyramid:medium_from=1.5": "pyramid: medium_from = 1.5: expected a whole number from 0 to 2^64 - 1",
    "pyramid:medium_from=5000": ("pyramid: fine_from = 1600: expected a number from medium_from = 5000 on"),
    "sptf+deadline:after_ms=-1": "deadline: after_ms = -1: expected a number from 0 to 1e9 (ms)",
    "sptf+priority:first=all": "priority: first = all: expected reads or writes or metadata",
}


@pytest.mark.parametrize("policy", WRONG)
def test_what_cannot_be_is_refused(device: sledsim.Device, workload: sledsim.Trace, policy: str) -> None:
    for use in (
        lambda: sledsim.simulate(device, workload, policy),
        lambda: sledsim.compare(device, workload, [policy]),
        lambda: sledsim.response_curves(device, [policy], [100]),
    ):
        with pytest.raises(sledsim.ParameterError) as caught:
            use()
        assert WRONG[policy] in str(caught.value)


@pytest.mark.parametrize(
    "policy", ["asptf:wait=5", "zsptf:zone=2501x100", "sptf+priority:first=all", "asptf:weight=-1"]
)
def test_and_so_it_is_on_the_command_line(cli: Cli, tmp_path: Path, policy: str) -> None:
    refused(cli("run", "random:rate=100,count=10", "--scheduler", policy), 2, WRONG[policy])
    compare = ("compare", "random:count=100", "--rates", "100", "--schedulers", policy)
    refused(cli(*compare), 2, WRONG[policy])
    assert list((tmp_path / "here").iterdir()) == []


@pytest.mark.parametrize(
    ("given", "name", "in_full"),
    [
        ("ASPTF", "asptf", "asptf:weight=5,search=index"),
        ("asptf:weight=5", "asptf", "asptf:weight=5,search=index"),
        ("asptf: Weight = 6", "asptf:weight=6", "asptf:weight=6,search=index"),
        ("asptf:weight=5.0", "asptf", "asptf:weight=5,search=index"),
        (
            "wptf:limit_ms=2e+3+deadline:after_ms=050",
            "wptf:limit_ms=2000+deadline:after_ms=50",
            "wptf:limit_ms=2000,search=index+deadline:after_ms=50",
        ),
        ("C-LOOK_LBN+Deadline:", "clook_lbn+deadline", "clook_lbn+deadline:after_ms=100"),
        (
            "zsptf:parity=joined,zone=60x600+priority:first=writes+deadline:after_ms=9",
            "zsptf:zone=60x600,parity=joined+priority:first=writes+deadline:after_ms=9",
            "zsptf:zone=60x600,parity=joined,order=figure-3,search=index"
            "+priority:first=writes+deadline:after_ms=9",
        ),
    ],
)
def test_a_result_has_the_policy_in_full(
    tmp_path: Path, device: sledsim.Device, workload: sledsim.Trace, given: str, name: str, in_full: str
) -> None:
    run = sledsim.simulate(device, workload, given)
    assert (run.settings.scheduler, run.settings.scheduler_in_full) == (name, in_full)
    path = run.write(tmp_path / "one.parquet")
    again = sledsim.read_run(path).again()
    assert again.settings.scheduler_in_full == in_full
    assert same_columns(again, run)
    assert sledsim.simulate(device, workload, in_full).settings.scheduler == name


def test_what_a_request_has_waited_counts_from_its_arrival() -> None:
    """Requests go in order of arrival under a deadline below the processing time of a command."""
    device = sledsim.device("osdi00", overhead_ms=0.2)
    trace = load(device, 1.0, rate_per_s=1000)
    first_come = sledsim.simulate(device, trace, "fcfs")
    late = sledsim.simulate(device, trace, "sptf+deadline:after_ms=0.19")
    assert same_columns(late, first_come)
    assert not same_columns(sledsim.simulate(device, trace, "sptf+deadline:after_ms=20"), first_come)


@pytest.mark.parametrize(("policy", "order"), [("sstf_cyl", [0, 1, 2]), ("sstf_track", [0, 2, 1])])
def test_sleds_that_move_as_one_share_cylinders_and_have_tracks_of_their_own(
    policy: str, order: list[int]
) -> None:
    """A request, one on the same cylinder of the other sled, and one on the next of the same sled."""
    device = sledsim.device("osdi00", sleds=2)
    sled = device.characteristics()["capacity_bytes"] // 512 // 2
    cylinder = sled // 2500
    arrival_ns, lbn = np.array([0, 1, 2]), np.array([10, sled + 10, cylinder + 10])
    trace = sledsim.Trace(arrival_ns, lbn, np.full(3, 8, np.int32), op=np.zeros(3, bool))
    run = sledsim.simulate(device, trace, policy)
    assert np.argsort(run.columns["start_ns"]).tolist() == order
