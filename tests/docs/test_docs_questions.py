"""The answers to questions: their commands run, and their statements are true."""

import json

import pytest

import sledsim
from tests.conftest import Cli
from tests.docs.test_docs_code import BLOCKS
from tests.docs.test_docs_links import ROOT

TEXT = (ROOT / "docs" / "how-to" / "questions.md").read_text()
#: Commands in sentences, with the words that they must print; commands in blocks are run besides.
SAID = {
    "show atlas10k": "Number of blocks of which `read_watermark` is a fraction",
    "show osdi00": "random 4 KiB accesses per second",
    "list volumes mcd": "clean_above",
    "list studies sensitivity-velocity": "mm/s",
    "paper list 001-C2": "001-C2",
}


@pytest.mark.parametrize("command", SAID)
def test_a_command_of_an_answer_prints_it(cli: Cli, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    assert f"`sledsim {command}`" in TEXT
    assert SAID[command] in " ".join(cli(*command.split()).stdout.split())


def test_reads_and_writes_apart(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(BLOCKS["questions-1"], "questions.md", "exec"), {})
    reads, writes = (f"{float(one):.1f}" for one in capsys.readouterr().out.split())
    assert f"# {reads} and {writes}\n" in TEXT


def test_a_run_prints_rates_a_warm_up_and_whether_the_device_kept_up(cli: Cli) -> None:
    done = cli("run", "demo", "--scale", "16")
    assert all(words in done.stdout for words in ("A second", "MB/s", " reads ", "kept up", "a warm-up"))
    parts = json.loads(cli("run", "demo", "--json").stdout)["parts"]
    assert {"rate_per_s", "rate_bytes_per_s"} <= parts[0].keys()


def test_answers_follow_from_the_data_sheet() -> None:
    device = sledsim.device("osdi00").characteristics()
    sleds, tips = (
        sledsim.device("osdi00", **changed).characteristics()
        for changed in ({"sleds": 4}, {"tips": 12800, "active_tips": 2560})
    )
    assert sleds["capacity_bytes"] == 4 * device["capacity_bytes"]
    assert tips["capacity_bytes"] == 2 * device["capacity_bytes"]
    assert tips["sustained_bytes_per_s"] == pytest.approx(2 * device["sustained_bytes_per_s"])


@pytest.mark.dear("commands of a page run as its reader types them", every_change=True)
def test_default_policies_are_as_the_answer_says(cli: Cli) -> None:
    defaults = {name: " ".join(cli(name, "--help").stdout.split()) for name in ("run", "design", "validate")}
    assert "[default: sptf]" in defaults["run"]
    assert all("[default: fcfs]" in defaults[name] for name in ("design", "validate"))
