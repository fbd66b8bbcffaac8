"""Policies by name: in calls, in commands, in volumes, in other processes."""

from pathlib import Path
from typing import Any

import pytest

import sledsim

from ..conftest import Cli
from .test_device_classes import said

pytestmark = pytest.mark.registers_seek_models

POLICY = """
from dataclasses import dataclass

import numpy as np

import sledsim


@dataclass
class NAME:
    '''The nearest of the oldest.'''

    depth: int = sledsim.extend.parameter(1, "How many of the oldest may be served", low=1, high=1000)
    margin_ms: float = sledsim.extend.parameter(0.0, "How much nearer one has to be", low=0)
    measure: str = sledsim.extend.parameter("positioning_s", "What counts as near")

    def choose(self, now_s, waiting):
        near = waiting[self.measure][: self.depth]
        best = int(np.argmin(near))
        return best if near[0] - near[best] > self.margin_ms * 1e-3 else 0


def newest_NAME(now_s, waiting):
    return len(waiting["row"]) - 1
"""
WORK = "random:rate=1200,count=200"


def policy(folder: Path, name: str) -> str:
    """Write a file with a policy of that name, and return the name for sledsim."""
    folder.mkdir(exist_ok=True)
    (folder / "policies.py").write_text(POLICY.replace("NAME", name))
    return f"{folder / 'policies.py'}:{name}"


@pytest.fixture
def trace(device: sledsim.Device) -> sledsim.Trace:
    return sledsim.random_workload(device, rate_per_s=1500, count=200, seed=1)


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> str:
    return policy(tmp_path_factory.mktemp("wrong"), "Wrong")


def same(left: sledsim.Run, right: sledsim.Run) -> bool:
    return left.response_ns.tolist() == right.response_ns.tolist()


def test_a_policy_is_named_by_its_file(device: sledsim.Device, trace: sledsim.Trace, tmp_path: Path) -> None:
    text = policy(tmp_path, "NamedPolicy")
    run = sledsim.simulate(device, trace, scheduler=text)
    assert run.settings.scheduler == "named-policy"
    assert same(run, sledsim.simulate(device, trace, scheduler="fcfs"))
    deep = sledsim.simulate(device, trace, f"{text}:depth=1000")
    assert deep.settings.scheduler == "named-policy:depth=1000"
    assert same(deep, sledsim.simulate(device, trace, "sptf"))
    wrapped = sledsim.simulate(device, trace, scheduler=f"{text}:depth=1000+deadline:after_ms=2")
    assert wrapped.settings.scheduler == "named-policy:depth=1000+deadline:after_ms=2"
    assert same(wrapped, sledsim.simulate(device, trace, "sptf+deadline:after_ms=2"))
    newest = sledsim.simulate(device, trace, f"{tmp_path}/policies.py:newest_NamedPolicy")
    assert newest.settings.scheduler == "newest-named-policy" and not same(newest, run)


def test_the_options_of_a_policy_are_listed(tmp_path: Path, device: sledsim.Device) -> None:
    sledsim.Simulation(device, policy(tmp_path, "ListedPolicy"))
    assert sledsim.schedulers()["listed-policy"] == "The nearest of the oldest."
    assert sledsim.listings.scheduler_options("listed-policy") == {
        "depth": ("1", "How many of the oldest may be served"),
        "margin_ms": ("0", "How much nearer one has to be"),
        "measure": ("positioning_s", "What counts as near"),
    }


def test_a_policy_is_named_wherever_one_is(
    device: sledsim.Device, trace: sledsim.Trace, tmp_path: Path
) -> None:
    text = policy(tmp_path, "AnyPolicy")
    compared = sledsim.compare(device, trace, [f"{text}:depth=2", "fcfs"])
    assert [one.scheduler for one in compared.points] == ["any-policy:depth=2", "fcfs"]
    bounds = sledsim.schedule_bounds(device, trace.rows(slice(0, 6)), text)
    assert [*bounds.schedules] == ["any-policy"]
    simulation = sledsim.Simulation(device, text)
    assert repr(simulation.copy(text)) == repr(simulation)
    mirror = sledsim.volume("mirror", scheduler=text)
    assert sledsim.simulate(mirror, trace).settings.scheduler == "any-policy"
    member = sledsim.volume("mirror", device={"device": "osdi00", "scheduler": f"{text}:depth=3"})
    assert {one["scheduler"] for one in member.parameters["device"]} == {
        "any-policy:depth=3,margin_ms=0,measure=positioning_s"
    }


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{file}:NameddPolicy", r"expected a class or function of .*; it has these: Wrong, newest_Wrong$"),
        ("{file}", r"expected a class or function of the file, as .*policies\.py:Name"),
        ("{file}+deadline", r"expected a class or function of the file, as .*policies\.py:Name"),
        ("{file}:__name__", "expected a class or function, found 'sledsim_own_of_policies'"),
        ("{file}:Wrong:dept=3", 'unknown option of wrong "dept": did you mean "depth"'),
        ("{file}:Wrong:depth=0", "wrong: depth = 0: expected a whole number from 1 to 1000"),
        ("{file}:Wrong:margin_ms=-1", "wrong: margin_ms = -1: expected a number from 0"),
        ("no_such_module:Fair", "scheduler = no_such_module:Fair: .* found no module no_such_module"),
        ("asptf:weight", 'expected option=value, found "weight"'),
    ],
)
def test_a_name_of_no_policy_is_refused(text: str, what: str, device: sledsim.Device, wrong: str) -> None:
    file = wrong.partition(":")[0]
    with pytest.raises(sledsim.ParameterError, match=what):
        sledsim.simulate(device, sledsim.demo_trace(), text.format(file=file))


def test_a_built_in_name_is_taken(device: sledsim.Device, tmp_path: Path) -> None:
    with pytest.raises(
        sledsim.ParameterError, match="another name: the name deadline belongs to a built-in policy"
    ):
        sledsim.Simulation(device, policy(tmp_path, "Deadline"))
    with pytest.raises(OSError, match="no such file"):
        sledsim.Simulation(device, f"{tmp_path}/none.py:Fair")


def test_only_what_is_a_parameter_is_an_option(device: sledsim.Device) -> None:
    from dataclasses import dataclass, field

    @dataclass
    class Remembers:
        seen: list[int] = field(default_factory=list)
        factor: float = 2.0

        def choose(self, now_s: float, waiting: Any) -> int:
            return 0

    sledsim.extend.register_scheduler("own-remembers", Remembers)
    assert sledsim.listings.scheduler_options("own-remembers") == {}

    @dataclass
    class Negative(Remembers):
        least: int = sledsim.extend.parameter(-3, "A whole number")

    with pytest.raises(sledsim.ParameterError, match="least: expected a whole number, 0 or more, as default"):
        sledsim.extend.register_scheduler("own-negative", Negative)


@pytest.mark.dear("a command starts for each case")
def test_commands_take_policies(tmp_path: Path) -> None:
    text = policy(tmp_path, "TypedPolicy")
    (tmp_path / "space.toml").write_text('device = "emsoft08"\n[format]\nprobes = [1024]\nsectors = [4]\n')
    over = ("--over", f"scheduler=fcfs,{text}:depth=4,margin_ms=0.1")
    for words in (
        ("run", WORK, "-s", f"{text}:depth=2+deadline:after_ms=50", "--out", "run.parquet"),
        ("run", WORK, "-V", "mirror", "--set", f"device.scheduler={text}"),
        ("compare", WORK, "--schedulers", f"sptf,{text}:depth=2,margin_ms=0.1,{text}"),
        ("sweep", WORK, "--scheduler", f"fcfs,{text}", "--over", "settle_ms=0.1,0.2", "--out", "swept"),
        ("design", WORK, "-s", text, "--space", "space.toml"),
        ("bounds", "random:rate=1200,count=6", "--schedulers", text),
        ("validate", "demo", "-s", text, "--past-end", "wrap"),
        ("optimise", WORK, *over, "--minimise", "mean", "--budget", "4"),
        ("sensitivity", WORK, *over, "--over", "settle_ms=0.1..0.4", "--samples", "64"),
        ("holds", "mean < 1", WORK, "-s", text, "--over", "settle_ms=0.1..0.4", "--samples", "2"),
        ("--register", text, "explain", "run.parquet", "3"),
        ("--register", text, "holds", "mean(typed-policy) < mean(sptf)", WORK, "--samples", "2"),
    ):
        status, _, error = said(*words, folder=tmp_path)
        # An undecided comparison of two devices is no failure.
        assert status == 0 or ("holds" in words and status == 3), (words, error)
    status, _, error = said("serve", "osdi00", "-s", text, folder=tmp_path)
    assert status == 2 and 'expected a built-in name, found "typed-policy"' in error
    status, _, error = said("explain", "run.parquet", "3", folder=tmp_path)
    assert status == 1 and "sledsim --register FILE.py:CLASS explain" in " ".join(error.split())


@pytest.mark.dear("a program is started")
def test_an_error_in_the_file_says_where(tmp_path: Path) -> None:
    text = policy(tmp_path, "RaisingPolicy")
    file = tmp_path / "policies.py"
    file.write_text(file.read_text() + "1 / 0\n")
    status, _, error = said("run", WORK, "-s", text, folder=tmp_path)
    line = len(file.read_text().splitlines())
    assert status == 1 and f'policies.py", line {line}' in error and "program.py" not in error


@pytest.mark.dear("workers are started in processes")
def test_other_processes_load_policies(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    words = (
        "sweep",
        WORK,
        "--scheduler",
        policy(tmp_path, "SweptPolicy"),
        "--out",
        "study",
        "--on",
        "local:1",
    )
    status, _, error = said(*words, "--over", "settle_ms=0.1,0.2", folder=tmp_path)
    assert status == 0, error


def test_a_field_without_a_default_is_named(device: sledsim.Device, tmp_path: Path) -> None:
    text = policy(tmp_path, "Needy")
    file = tmp_path / "policies.py"
    file.write_text(
        file.read_text().replace("    depth: int = sledsim", "    needed: int\n    depth: int = sledsim")
    )
    with pytest.raises(sledsim.ParameterError, match="needed: expected a default, found none"):
        sledsim.simulate(device, sledsim.demo_trace(), text)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("own.py", "own.py: expected module:Name or file.py:Name"),
        ("no_module:Fair", "no_module:Fair: expected module:Name or file.py:Name, found no module no_module"),
        (
            "own.py:Fare",
            "own.py:Fare: expected a class or function of own.py, found none of that name; it has",
        ),
        ("own.py:NUMBER", "own.py:NUMBER: expected a class or function, found 3"),
        ("own.py:Neither", "own.py:Neither: expected a dataclass for a device or a function or a class with"),
        ("none.py:Fair", "none.py:Fair: no such file: none.py"),
    ],
)
def test_what_is_to_be_registered_may_be_a_device_or_a_policy(
    text: str, wrong: str, cli: Cli, here: Path
) -> None:
    (here / "own.py").write_text("NUMBER = 3\nclass Neither: pass\ndef fair(now_s, waiting): return 0\n")
    done = cli("--register", text, "list", "devices")
    assert done.returncode == (1 if "no such file" in wrong else 2)
    assert " ".join(done.stderr.split()).startswith(f"error: device or scheduler = {wrong}")
