"""A run uses the policy and the parameter that the user gives, wherever they can be given.

Each way is compared with the same requests on the bare device, with that policy and that parameter.
"""

import copy
import functools
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import sledsim
from sledsim.cli.app import app
from sledsim.papers.p003 import systems
from sledsim.papers.p003.systems import Input

from ..conftest import Cli

DEVICE, POLICY, SETTLE_MS = "osdi00", "fcfs", 0.4
#: The same values as words of the command line.
WORKLOAD = {"rate_per_s": 1200, "count": 500, "seed": 3}
WORDS = "random:rate=1200,count=500,seed=3"


@functools.cache
def requests() -> sledsim.Trace:
    return sledsim.random_workload(sledsim.device(DEVICE), **WORKLOAD)


@functools.cache
def on_device(scheduler: str = "sptf", **changed: Any) -> float:
    run = sledsim.simulate(sledsim.device(DEVICE, **changed), requests(), scheduler)
    return run.summary()["mean_response_s"]


def mean_s(target: Any, *scheduler: str, **options: Any) -> float:
    return sledsim.simulate(target, requests(), *scheduler, **options).summary()["mean_response_s"]


def printed_mean_s(*words: str) -> float:
    done = CliRunner().invoke(app, ["run", WORDS, *words, "--json"])
    assert done.exit_code == 0, done.output
    return float(json.loads(done.stdout)["mean_response_s"])


def written(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text)
    return path


NESTED = {"volume": "single", "device": {"device": DEVICE, "scheduler": POLICY}}
POLICIES: dict[str, Callable[[Path], float]] = {
    "argument of a run": lambda _: mean_s(sledsim.device(DEVICE), POLICY),
    "argument of a run on a volume": lambda _: mean_s(sledsim.volume("single"), POLICY),
    "argument of a run over that of a volume": lambda _: mean_s(sledsim.volume("single", "look_lbn"), POLICY),
    "argument of a volume": lambda _: mean_s(sledsim.volume("single", POLICY)),
    "argument of a volume, copied": lambda _: mean_s(copy.deepcopy(sledsim.volume("single", POLICY))),
    "argument of a volume, pickled": lambda _: mean_s(
        pickle.loads(pickle.dumps(sledsim.volume("single", POLICY)))
    ),
    "argument of a volume over volumes": lambda _: mean_s(
        sledsim.volume("single", POLICY, device={"volume": "single", "device": DEVICE})
    ),
    "option of a volume": lambda _: mean_s(sledsim.volume("single", scheduler=POLICY)),
    "key in the name of a volume": lambda _: mean_s(sledsim.volume(f"single:scheduler={POLICY}")),
    "key of a member": lambda _: mean_s(sledsim.volume("single", **{"device.scheduler": POLICY}), "sptf"),
    "table of a member": lambda _: mean_s(
        sledsim.volume("single", device={"device": DEVICE, "scheduler": POLICY}), "sptf"
    ),
    "member of a member": lambda _: mean_s(sledsim.volume("single", device=NESTED), "sptf"),
    "file of a volume": lambda folder: mean_s(
        sledsim.volume(written(folder, f'volume = "single"\nscheduler = "{POLICY}"\n'))
    ),
    "argument of a volume over that of its file": lambda folder: mean_s(
        sledsim.volume(written(folder, 'volume = "single"\nscheduler = "look_lbn"\n'), POLICY)
    ),
    "argument of a run over that of a file": lambda folder: mean_s(
        sledsim.volume(written(folder, 'volume = "single"\nscheduler = "look_lbn"\n')), POLICY
    ),
    "member in a file": lambda folder: mean_s(
        sledsim.volume(written(folder, f'volume = "single"\n[device]\nscheduler = "{POLICY}"\n')), "sptf"
    ),
    "parameters of a volume": lambda _: mean_s(
        sledsim.Volume.from_parameters(sledsim.volume("single", POLICY).parameters)
    ),
    "device with faults": lambda _: mean_s(sledsim.with_faults(sledsim.device(DEVICE), {"seed": 1}), POLICY),
    "run again": lambda _: (
        sledsim.simulate(sledsim.volume("single", POLICY), requests()).again().summary()["mean_response_s"]
    ),
    "comparison": lambda folder: (
        sledsim.compare(sledsim.volume("single", "sptf"), requests(), POLICY)
        .points[0]
        .summary["mean_response_s"]
    ),
}


@pytest.mark.parametrize("way", POLICIES)
def test_a_policy_that_is_given_runs(way: str, tmp_path: Path) -> None:
    expected = on_device(POLICY)
    assert expected != on_device()
    assert POLICIES[way](tmp_path) == expected


def test_the_default_policy_is_sptf() -> None:
    for target in (sledsim.device(DEVICE), sledsim.volume("single")):
        run = sledsim.simulate(target, requests())
        assert run.settings.scheduler == "sptf"
        assert run.summary()["mean_response_s"] == on_device("sptf")


def test_the_policy_of_a_file_is_named_in_the_results(tmp_path: Path) -> None:
    volume = sledsim.volume(written(tmp_path, f'volume = "single"\nscheduler = "{POLICY}"\n'))
    assert sledsim.simulate(volume, requests()).settings.scheduler == POLICY
    assert sledsim.simulate(pickle.loads(pickle.dumps(volume)), requests()).settings.scheduler == POLICY


COMMANDS: dict[str, tuple[str, ...]] = {
    "option": ("--scheduler", POLICY),
    "option with a volume": ("--volume", "single", "--scheduler", POLICY),
    "setting of a volume": ("--volume", "single", "--set", f"scheduler={POLICY}"),
    "setting of a member": ("--volume", "single", "--set", f"device.scheduler={POLICY}"),
    "name of a volume": ("--volume", f"single:scheduler={POLICY}"),
    "file": ("--volume", "mine.toml"),
    "option over a file": ("--volume", "other.toml", "--scheduler", POLICY),
}


@pytest.mark.parametrize("way", COMMANDS)
def test_a_policy_on_the_command_line_runs(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "other.toml").write_text('volume = "single"\nscheduler = "look_lbn"\n')
    written(tmp_path, f'volume = "single"\nscheduler = "{POLICY}"\n')
    monkeypatch.chdir(tmp_path)
    assert printed_mean_s(*COMMANDS[way]) == on_device(POLICY)


PARAMETERS: dict[str, Callable[[Path], float]] = {
    "argument of a device": lambda _: mean_s(sledsim.device(DEVICE, settle_ms=SETTLE_MS)),
    "device with parameters": lambda _: mean_s(sledsim.device(DEVICE).with_parameters(settle_ms=SETTLE_MS)),
    "file of a device": lambda folder: mean_s(
        sledsim.device(written(folder, f'extends = "{DEVICE}"\nsettle_ms = {SETTLE_MS}\n'))
    ),
    "parameters of a device": lambda _: mean_s(
        sledsim.Device.from_parameters(sledsim.device(DEVICE, settle_ms=SETTLE_MS).parameters)
    ),
    "device with faults": lambda _: mean_s(
        sledsim.with_faults(sledsim.device(DEVICE, settle_ms=SETTLE_MS), {"seed": 1})
    ),
    "key of a member": lambda _: mean_s(sledsim.volume("single", **{"device.settle_ms": SETTLE_MS})),
    "table of a member": lambda _: mean_s(
        sledsim.volume("single", device={"device": DEVICE, "settle_ms": SETTLE_MS})
    ),
    "member that is a file": lambda folder: mean_s(
        sledsim.volume(
            "single", device=str(written(folder, f'extends = "{DEVICE}"\nsettle_ms = {SETTLE_MS}\n'))
        )
    ),
    "member in a file": lambda folder: mean_s(
        sledsim.volume(written(folder, f'volume = "single"\n[device]\nsettle_ms = {SETTLE_MS}\n'))
    ),
    "member of a member": lambda _: mean_s(
        sledsim.volume("single", device={"volume": "single"}, **{"device.device.settle_ms": SETTLE_MS})
    ),
}


@pytest.mark.parametrize("way", PARAMETERS)
def test_a_parameter_that_is_given_counts(way: str, tmp_path: Path) -> None:
    expected = on_device(settle_ms=SETTLE_MS)
    assert expected != on_device()
    assert PARAMETERS[way](tmp_path) == expected


def test_a_policy_that_is_given_twice_is_refused(cli: Cli) -> None:
    done = cli("run", WORDS, "--volume", "single", "--scheduler", "sptf", "--set", "scheduler=fcfs")
    assert done.returncode == 2
    found = "--set scheduler=fcfs: expected one policy of the volume, found a second one, --scheduler sptf"
    assert found in done.stderr


@pytest.mark.parametrize("words", [(), ("--volume", "single")])
def test_a_key_that_is_a_name_of_the_program_is_refused_as_any(words: tuple[str, ...], cli: Cli) -> None:
    done = cli("run", WORDS, *words, "--set", "name_or_path=osdi00")
    assert done.returncode == 2 and "Traceback" not in done.stderr and "name_or_path" in done.stderr


@pytest.mark.parametrize("words", [(), ("--volume", "single")])
def test_a_parameter_on_the_command_line_counts(words: tuple[str, ...]) -> None:
    key = "device.settle_ms" if words else "settle_ms"
    assert printed_mean_s(*words, "--set", f"{key}={SETTLE_MS}") == on_device(settle_ms=SETTLE_MS)


def test_an_option_of_a_run_counts() -> None:
    device, plain = sledsim.device(DEVICE), on_device()
    assert mean_s(device, scale=0.5) < plain < mean_s(device, scale=1.5)
    far = sledsim.Trace.from_columns({**requests().columns(), "lbn": requests().lbn + 6_000_000})
    wrapped = sledsim.simulate(device, far, past_end="wrap")
    assert wrapped.totals["remapped"] > 0
    assert mean_s(device, replay="closed:outstanding=1") < plain


def test_an_experiment_runs_the_policy_that_it_is_asked_for() -> None:
    """Experiments on hierarchies equal a simulation by hand, under two policies of the disk."""
    draw = "random:rate=120,count=400,seed=1"
    one, trace = Input("drawn", "drawn", (draw,)), sledsim.workload(draw, sledsim.device(systems.DISK))
    found = {}
    for policy in ("fcfs", "sptf"):
        observed = systems.observe(one, systems.systems(policy), policy)
        for name, target in systems.systems(policy).items():
            by_hand = sledsim.simulate(target, trace, policy, past_end="wrap").response_ns * 1e-9
            assert observed.sums[name][0][1] == pytest.approx(by_hand.sum(), rel=1e-12)
            found[name, policy] = by_hand.sum()
    assert all(not np.isclose(found[name, "fcfs"], found[name, "sptf"]) for name in ("DISK", "MMD", "MCD"))
