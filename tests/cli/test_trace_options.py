"""Every command that reads a trace has the same options for it, and can make it fit a device."""

import json
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from sledsim.cli.app import app
from sledsim.cli.command_options import Fitting, Reading
from sledsim.cli.installed_commands import whole

from ..conftest import Cli

#: Names of the arguments that are traces.
_TRACES = {"trace", "traces", "workload", "workloads"}
#: A trace that reaches beyond the end of osdi00, and fits within two sleds.
FAR = "".join(f"{at * 0.01} 0 {lbn} 8 1\n" for at, lbn in enumerate([0, 9_000_000, 64, 4096, 8_000_000, 512]))


def _commands(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    inner = getattr(command, "commands", {})
    if not inner:
        yield " ".join(words), command
    for name, one in inner.items():
        if not one.hidden:
            yield from _commands(one, (*words, name))


READERS = {
    words: command
    for words, command in _commands(whole(app))
    if any(one.name in _TRACES and one.param_type_name == "argument" for one in command.params)
}
#: Commands that read a trace and replay it on no device.
NOT_REPLAYED = {words for words in READERS if words.startswith("trace ")}


def declared(command: Any) -> dict[str, Any]:
    return {one.name: one for one in command.params}


def test_the_commands_are_found() -> None:
    assert {
        "run",
        "compare",
        "study sweep run",
        "study bounds",
        "study holds",
        "trace info",
    } <= READERS.keys()
    assert len(NOT_REPLAYED) >= 8 and len(READERS) - len(NOT_REPLAYED) >= 9


@pytest.mark.parametrize("words", READERS)
def test_a_command_that_reads_a_trace_has_all_its_options(words: str) -> None:
    group = Reading if words in NOT_REPLAYED else Fitting
    expected, found = declared(READERS["run"]), declared(READERS[words])
    for field in fields(group):
        assert found[field.name].opts == expected[field.name].opts, field.name
        if field.name != "past_end":
            assert found[field.name].help == expected[field.name].help, field.name


_COLUMNS = "time=time:s,lbn=lbn:sectors,size=size:B,op=op,response=response:s"
#: Commands, and the words by which each reports that a trace was made to fit.
FITTED = {
    "compare": "the device gets 2 sleds",
    "study validate --device osdi00": "the device gets 2 sleds",
    "study bounds": "the device gets 2 sleds",
    "study design": "adds sleds",
    "study sweep --out kept": "adds sleds",
    "study sensitivity --samples 384 --over settle_ms=0.1..0.4": "adds sleds",
    "study optimise --device osdi00 --minimise mean --over settle_ms=0.1,0.4 --held-out 0": "adds sleds",
}


@pytest.mark.dear("designs and studies are simulated", every_change=True)
@pytest.mark.parametrize("words", FITTED)
def test_a_trace_is_made_to_fit(cli: Cli, here: Path, words: str) -> None:
    rows = (line.split() for line in FAR.splitlines())
    lines = [f"{time},{lbn},4096,R,0.001" for time, _, lbn, *_ in rows]
    (here / "far.csv").write_text("\n".join(["time,lbn,size,op,response", *lines, ""]))
    given = ["far.csv", "--fit", "--map", _COLUMNS]
    done = cli(*words.split(), *given)
    assert FITTED[words] in " ".join(done.stderr.split()), done.stderr
    assert done.returncode == 0, done.stderr
    both = cli(*words.split(), *given, "--past-end", "wrap")
    assert both.returncode == 2 and "expected one of these two options, found both" in both.stderr


@pytest.mark.parametrize("rule", ["wrap", "squeeze", "sleds"])
def test_a_batch_obeys_every_rule_for_the_end(cli: Cli, here: Path, rule: str) -> None:
    (here / "far.trace").write_text(FAR)
    words = ["study", "bounds", "far.trace", "--format", "disksim"]
    refused = cli(*words)
    assert refused.returncode == 1 and f"--past-end={rule} " in refused.stderr
    done = cli(*words, "--past-end", rule, "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["requests"] == 6


def test_a_study_takes_some_of_the_devices_of_a_trace(cli: Cli, here: Path) -> None:
    (here / "two.trace").write_text("0.0 0 0 8 1\n0.01 1 64 8 1\n0.02 0 128 8 1\n")
    (here / "x.toml").write_text(
        'workloads = ["two.trace"]\n[reading]\nformat = "disksim"\ntraced_devices = "0"\n'
    )
    of_one = ("study", "sweep", "two.trace", "--format", "disksim", "--traced-device", "0", "--out", "one")
    for done in (cli(*of_one), cli("study", "sweep", "x.toml", "--out", "one")):
        assert done.returncode == 0 and "1 of 1 points: 1 ok" in done.stdout, done.stderr
    info = cli("trace", "info", "two.trace", "--format", "disksim", "--traced-device", "1", "--json")
    assert json.loads(info.stdout)["overall"]["counts"]["requests"] == 1
    missing = cli(*of_one[:-3], "7", "--out", "other")
    assert re.search(r"device '7' is not in the trace", missing.stderr) and missing.returncode == 2
