"""The commands ``sledsim study holds`` and ``sledsim study sensitivity`` as a user types them."""

import inspect
import json
import subprocess
import typing
from pathlib import Path

import pytest

from sledsim.cli.commands.holds import Asked
from sledsim.papers.commands.paper_robustness import robustness
from sledsim.papers.robustness.running import SAMPLES
from sledsim.uncertainty.draws import DRAWS, Doubt

from ..conftest import Cli
from .interrupting import PROGRAM


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("mean < 1", "nosuch.trace", "--over", "settle_ms=0.1..0.4"), 4),
        (("mean < 1", "random:rate=300", "--over", "nosuch.toml"), 4),
        (("mean < 1", "random:rate=300", "--over", "active_tips=3,5"), 4),
        (("mean <", "random:rate=300", "--over", "settle_ms=0.1..0.4"), 2),
    ],
)
def test_no_answer_differs_from_no(cli: Cli, words: tuple[str, ...], status: int) -> None:
    done = cli("holds", *words, "--samples", "8", "--count", "200")
    assert (done.returncode, done.stdout) == (status, ""), done.stderr


def test_commands_ask_as_functions_do() -> None:
    options = inspect.signature(robustness).parameters
    assert Asked.replications == options["replications"].default == DRAWS
    help_text = typing.get_type_hints(robustness, include_extras=True)["samples"].__metadata__[0].help
    assert f"default: {SAMPLES}]" in help_text


@pytest.mark.dear("many points of a study are simulated")
def test_the_answer_has_its_doubt(cli: Cli) -> None:
    condition = "p95(sptf) < p95(clook_lbn)"
    words = ("holds", condition, "random:rate=900", "--over", "settle_ms=0.1..0.4", "--count", "300")
    found = json.loads(cli(*words, "--samples", "8", "--no-indices", "--json").stdout)
    assert found["draws"] == DRAWS and set(found["doubt"]) == {*Doubt.__dataclass_fields__}
    assert found["changes_in"] > 0 and found["holds_in"] + found["changes_in"] <= found["of_devices"] == 8
    assert any("twice as many draws" in sentence for sentence in found["in_words"])
    told = cli(*words, "--samples", "8", "--replications", "1", "--no-indices", "--json")
    one = json.loads(told.stdout)
    assert (one["draws"], one["changes_in"], one["doubt"]["draws"]) == (1, 0, None)


@pytest.mark.dear("a program is started to draw a chart")
def test_files_are_written_before_reading_stops(tmp_path: Path) -> None:
    command = (
        f"{PROGRAM} holds 'mean < 1' random:rate=300 --over settle_ms=0.1..0.4 --samples 8 --count 200"
        " --no-indices --out pp | true"
    )
    subprocess.run(command, shell=True, cwd=tmp_path, check=False, capture_output=True)
    assert (tmp_path / "pp" / "holds.parquet").exists() and (tmp_path / "pp" / "holds.png").exists()


def test_a_value_that_is_set_and_varies_is_reported_once(cli: Cli) -> None:
    words = ("random:rate=900", "--over", "settle_ms=0.1..0.4", "--set", "settle_ms=0.9", "--count", "300")
    done = cli("holds", "mean < 0.0012", *words, "--samples", "8", "--no-indices")
    commands = [line for line in done.stdout.splitlines() if line.startswith("  sledsim study sweep")]
    assert commands and all(line.count("settle_ms=") == 1 for line in commands)
    swept = cli(
        "sweep", "random:rate=900", "--over", "settle_ms=0.1,0.2", "--set", "settle_ms=0.9", "--out", "o"
    )
    assert swept.returncode == 2
    assert "expected either one setting or several values, found both" in swept.stderr


def test_members_of_volumes_are_named_with_their_role(cli: Cli) -> None:
    words = ("random:rate=900", "--volume", "mirror", "--over", "device.settle_ms=0.1..0.4", "--count", "300")
    done = cli("holds", "mean < 0.0012", *words, "--samples", "8", "--no-indices", "--json")
    found = json.loads(done.stdout)
    assert found["of_devices"] == 8 and "device.settle_ms" in found["nearest_for"]["changes"]["mirror"]


@pytest.mark.dear("many runs are simulated and drawn")
def test_volumes_vary_in_their_options_and_their_members(cli: Cli) -> None:
    over = ("--over", "stripe_unit_kib=8,64", "--over", "device.settle_ms=0.1..0.3", "--samples", "64")
    told = cli("sensitivity", "random:rate=900", "--volume", "stripe", *over, "--count", "300", "--json")
    factors = {row["factor"] for row in json.loads(told.stdout)["indices"]}
    assert factors == {"stripe_unit_kib", "device.settle_ms", "dummy", "sum of first"}
    condition = "mean(stripe) < mean(osdi00)"
    both = ("--volume", "stripe", "--device", "osdi00", *over[:-2], "--samples", "9", "--count", "300")
    assert "holds in 100.0 %" in cli("holds", condition, "random:rate=900", *both).stdout
