"""Test verdicts under wrong models: the table of the book, and the command that makes it."""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sledsim
from sledsim import papers
from sledsim.papers import PERTURBATIONS, Reaction, Reactions, Verdict
from sledsim.papers.book import reactions
from sledsim.papers.shared import perturbations
from sledsim.papers.shared.claims import texts
from sledsim.papers.shared.perturbations import enforce

from ..conftest import BUILT_IN_SCHEDULERS, Cli
from .test_papers import ELSEWHERE, EXPECTED, RENEW

SHIPPED = {row.id: row for row in reactions.latest()}


@pytest.fixture
def perturbed(request: pytest.FixtureRequest) -> object:
    """Put the perturbation of this name in force."""
    (found,) = (one for one in PERTURBATIONS if one.name == request.param)
    enforce(found)
    yield found
    enforce(None)


@pytest.mark.parametrize(
    "perturbed",
    [one.name for one in PERTURBATIONS if one.kind == "mems" and not one.policies and not one.options],
    indirect=True,
)
def test_sleds_are_other_ones_in_devices_and_volumes(perturbed: papers.Perturbation) -> None:
    own = sledsim.device("osdi00").parameters
    found = perturbations.device("osdi00").parameters
    changed = _changed(own, found)
    assert len(changed) == {"sled-0.1": 5}.get(perturbed.name, 1)
    assert perturbations.device("atlas10k").parameters == sledsim.device("atlas10k").parameters
    array = json.dumps(perturbations.volume("raid5", devices=3, device="osdi00").parameters)
    for key in changed:
        assert f'"{key}": {json.dumps(found[key])}' in array
        assert f'"{key}": {json.dumps(own[key])}' not in array


def _changed(own: Mapping[str, object], found: Mapping[str, object]) -> set[str]:
    return {key for key in own if own[key] != found[key]}


@pytest.mark.parametrize("perturbed", ["sled-0.1"], indirect=True)
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("osdi00", {}),
        ("osdi00", {"seek_model": "linear-system"}),
        ("osdi00", {"seek_model": "slew-limited"}),
        ("sigmetrics00", {}),
        ("emsoft08", {}),
    ],
)
@pytest.mark.usefixtures("perturbed")
def test_a_slow_sled_takes_ten_times_the_time_of_every_access(name: str, options: dict[str, str]) -> None:
    """Springs push in proportion to the acceleration: the sled takes ten times as long to the same places."""
    own, slow = sledsim.device(name, **options), perturbations.device(name, **options)
    trace = sledsim.random_workload(own, rate_per_s=0.5, count=200, seed=3)
    times_ns = []
    for device in (own, slow):
        run = sledsim.simulate(device, trace, "fcfs").columns
        times_ns.append(run["positioning_ns"] + run["transfer_ns"] + run["switch_ns"])
    # Each part is rounded to a nanosecond.
    assert times_ns[1] == pytest.approx(10 * times_ns[0], rel=0, abs=20)


@pytest.mark.parametrize(
    "perturbed", [one.name for one in PERTURBATIONS if one.kind == "disk"], indirect=True
)
def test_disks_are_other_ones_in_devices_and_volumes(perturbed: papers.Perturbation) -> None:
    own, found = (make("atlas10k").parameters for make in (sledsim.device, perturbations.device))
    changed = _changed(own, found)
    assert len(changed) == 1 or perturbed.name == "disk-15"
    assert perturbations.device("osdi00").parameters == sledsim.device("osdi00").parameters
    array = json.dumps(perturbations.volume("raid5", devices=3, device="atlas10k").parameters)
    assert all(f'"{key}": {json.dumps(found[key])}' in array for key in changed)


@pytest.mark.parametrize("perturbed", ["disk-15"], indirect=True)
@pytest.mark.parametrize("name", ["atlas10k", "hp-c2247a"])
@pytest.mark.usefixtures("perturbed")
def test_a_quick_disk_takes_a_fifteenth_of_the_time_of_every_request(name: str) -> None:
    own, quick = sledsim.device(name), perturbations.device(name)
    trace = sledsim.random_workload(own, rate_per_s=5, count=200, seed=3)
    soon_ns = trace.arrival_ns // 15
    times_ns = []
    for device, arrival_ns in ((own, 15 * soon_ns), (quick, soon_ns)):
        run = sledsim.simulate(device, replace(trace, arrival_ns=arrival_ns), "fcfs")
        times_ns.append(run.response_ns)
    # Each part is rounded to a nanosecond.
    assert times_ns[1] == pytest.approx(times_ns[0] / 15, rel=0, abs=20)


def test_a_perturbation_is_run_where_what_it_changes_is_asked_for() -> None:
    by_name = {one.name: one for one in PERTURBATIONS}
    for name, asked, changes in (
        ("no-springs", {"mems", "fcfs"}, True),
        ("no-springs", {"disk", "fcfs"}, False),
        ("rotation-0.8", {"mems", "disk"}, True),
        ("rotation-0.8", {"mems"}, False),
        ("zsptf-is-cscan", {"mems", "zsptf"}, True),
        ("zsptf-is-cscan", {"mems", "sptf"}, False),
        ("busy-days", {"metadata"}, True),
        ("busy-days", {"mems", "random"}, False),
    ):
        assert by_name[name].changes(asked) is changes, (name, asked)
    drawn = papers.own_perturbation({}, {}, {"random": {"reads": "1"}})
    assert drawn.changes({"random"}) and not drawn.changes({"mems", "metadata"})


def test_a_policy_is_replaced_with_its_options_and_what_was_asked_for_is_known() -> None:
    enforce(papers.own_perturbation({}, {"zsptf": "cscan"}, {"random": {"reads": 1}}))
    try:
        device = perturbations.device("mascots03-zones")
        trace = perturbations.workload("random", device, rate=900, count=500)
        assert not trace.write.any()
        found = perturbations.simulate(device, trace, "zsptf:zone=60x600")
        assert np.array_equal(found.response_ns, sledsim.simulate(device, trace, "cscan").response_ns)
        assert {"mems", "random", "zsptf"} <= perturbations.asked()
    finally:
        enforce(None)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--set", "settle_m=1"], "unknown key `settle_m`: did you mean `settle_ms`?"),
        (["--set", "settle_ms=-1"], "settle_ms"),
        (["--policy", "sptf=ftfs"], 'unknown scheduler "ftfs"'),
        (["--option", "random=1"], "--option: expected GENERATOR:KEY=VALUE, found random=1"),
        (["--option", "randm:reads=1"], "randm"),
        (["--option", "random:readz=1"], "readz"),
        (["--option", "random:reads=2"], "random: reads = 2: expected a number from 0 to 1"),
        (["--option", "metadata:metadata_below_10_ms=nan"], "expected a number from 0.15 to 1"),
        (["--policy", "sptf=asptf:weights=2"], 'unknown option of asptf "weights"'),
        (["--set", "settle_ms=1", "--out", "book"], "--out: expected only built-in wrong models"),
    ],
)
def test_a_wrong_model_that_cannot_be_is_refused_before_the_work(
    options: list[str], message: str, cli: Cli
) -> None:
    done = cli("paper", "perturb", "002-E-3", *options)
    assert done.returncode == 2 and message in done.stderr


@pytest.mark.dear("every generator and policy is tried", every_change=True)
def test_names_may_be_spelt_as_anywhere_else() -> None:
    """An accepted spelling has an effect: other spellings were once looked up unchanged and had none."""
    for name in sledsim.workloads():
        for spelt in (name.upper(), name.title(), f" {name}"):
            own = papers.own_perturbation({}, {}, {spelt: {"SEED": 2}})
            assert own.options == {name: {"seed": "2"}}, spelt
    for name in BUILT_IN_SCHEDULERS:
        for spelt in (name.upper(), name.replace("_", "-"), f"{name}+deadline:after_ms=5"):
            own = papers.own_perturbation({}, {spelt.partition("+")[0]: spelt}, {})
            assert own.policies == {name: name + "".join(spelt.partition("+")[1:])}, spelt


def test_no_value_that_cannot_be_passes() -> None:
    for name in sledsim.workloads():
        for option in ("seed", "count"):
            with pytest.raises(sledsim.ParameterError, match=option):
                papers.own_perturbation({}, {}, {name: {option: "nan"}})


@pytest.mark.dear("an experiment runs in two programs", every_change=True)
def test_a_model_of_the_user_is_tried_alone(cli: Cli) -> None:
    (row,) = json.loads(cli("paper", "perturb", "000-E-10", "--set", "settle_ms=2", "--json").stdout)
    assert list(row["under"]) == ["own"]
    assert (row["elsewhere"], row["under"]["own"]["elsewhere"]) == ("shape", "not borne out")


@pytest.mark.usefixtures("perturbed")
@pytest.mark.parametrize("perturbed", ["busy-days"], indirect=True)
def test_both_days_are_the_busy_one() -> None:
    disk = sledsim.device("atlas10k")
    days = [perturbations.workload(f"metadata:day=1999-01-{day},count=200", disk) for day in (13, 14)]
    assert np.array_equal(days[0].arrival_ns, days[1].arrival_ns)
    light = sledsim.workload("metadata:day=1999-01-14,count=200", disk)
    assert not np.array_equal(days[0].arrival_ns, light.arrival_ns)


@pytest.mark.parametrize("perturbed", ["half-the-tips"], indirect=True)
def test_of_a_format_the_active_probes_are_halved(perturbed: papers.Perturbation) -> None:
    assert perturbations.device("emsoft08").parameters["format"] == "2048x1x4096"


@pytest.mark.parametrize("perturbed", ["sptf-is-sstf"], indirect=True)
def test_another_policy_runs_under_the_name_that_was_asked_for(perturbed: papers.Perturbation) -> None:
    device, rates = sledsim.device("osdi00"), [900.0, 1200.0]
    given = {"count": 2000, "replications": 2}
    found = perturbations.response_curves(device, ["sstf_lbn", "sptf"], rates, **given)
    alone = sledsim.response_curves(device, ["sstf_lbn", "sptf"], rates, **given)
    assert found.schedulers == ["sstf_lbn", "sptf"]
    for load in rates:
        sstf, sptf = (found.point(name, load) for name in found.schedulers)
        assert sstf is not None and sptf is not None
        assert sstf.estimates == sptf.estimates
        expected = alone.point("sstf_lbn", load)
        assert expected is not None and sstf.estimates == expected.estimates
    trace = sledsim.random_workload(device, rate_per_s=1200, count=2000, seed=1)
    other = perturbations.simulate(device, trace, "sptf")
    assert np.array_equal(other.response_ns, sledsim.simulate(device, trace, "sstf_lbn").response_ns)


def test_the_command_adds_its_rows_to_those_of_the_book(cli: Cli, tmp_path: Path) -> None:
    book = tmp_path / "book"
    done = cli("paper", "perturb", "002-e-3", "--out", book)
    assert done.returncode == 0, done.stderr
    kept = {row.id: row for row in reactions.latest(book)}
    assert {name: row for name, row in kept.items() if row.experiment != "002-E-3"} == {
        name: row for name, row in SHIPPED.items() if row.experiment != "002-E-3"
    }
    text = (book / "reactions.html").read_text(encoding="utf-8")
    assert "Verdicts under wrong models" in text
    assert all(f"<th>{name}</th>" in text for name in kept)


@pytest.mark.dear("experiments of a paper are simulated")
def test_the_command_prints_what_is_noticed(cli: Cli) -> None:
    done = cli("paper", "perturb", "001-E-8")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    heading, row = (next(line for line in lines if words in line) for words in (" Claim ", "half-the-tips: "))
    assert row.index("half-the-tips: ") == heading.index("Cannot be run under")
    assert "Same verdict under every wrong model:" in done.stdout
    rows = json.loads(cli("paper", "perturb", "001-E-8", "--json").stdout)
    assert [row["id"] for row in rows] == ["001-C15", "001-C16"]
    under = rows[0]["under"]["half-the-tips"]
    assert under.pop("why") and under == {"verdict": None, "elsewhere": None, "moved": True}


@pytest.mark.dear("an experiment is run in fresh programs")
def test_the_reason_why_an_experiment_was_not_run_is_printed(cli: Cli) -> None:
    """An experiment that was not run differs from a verdict that stays under another model."""
    for options, words in (
        (["--policy", "zsptf=fcfs"], "Not run again, because no wrong model changes what they use: 002-C19"),
        (["--set", "settle_ms=0.3"], "Same verdict under every wrong model: 002-C19"),
    ):
        assert words in cli("paper", "perturb", "002-E-3", *options).stdout
    none = cli("paper", "perturb", "003-E-1", "003-E-9", "--option", "metadata:count=1")
    assert "Cannot be run under" in none.stdout and "own: float division by zero" in none.stdout
    assert none.returncode == 0 and "skipped, because they decide no claim: 003-E-9" in none.stderr
    assert "Same verdict" not in none.stdout


@pytest.mark.dear("two experiments of a paper are run on other days")
def test_verdicts_of_003_do_not_hang_on_how_bursty_metadata_are_within_its_sentences() -> None:
    """The test covers the range of the option that docs/background/papers.md gives."""
    days = [
        papers.Perturbation(f"{part}", "other days", options={"metadata": {"metadata_below_10_ms": part}})
        for part in (0.2, 0.3)
    ]
    asked = [papers.experiment(name) for name in ("003-E-2", "003-E-3")]
    rows = [row for found in papers.react(asked, days) for row in found]
    assert {row.id for row in rows} >= {"003-C16", "003-C2", "003-C3", "003-C4"}
    assert [row.id for row in rows if row.noticed] == []
    assert all(under.moved for row in rows for under in row.under.values())


def test_an_invalid_table_is_refused_before_the_work(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "reactions.json").write_text('{"version": "1", "claims": [{"id": "002-C1"}]}')
    done = cli("paper", "perturb", "002-e-3", "--out", tmp_path)
    assert done.returncode == 2
    assert f"{tmp_path}{os.sep}reactions.json: expected the table of 'sledsim paper perturb" in done.stderr


def test_the_table_that_is_shipped_has_every_claim_with_its_verdict() -> None:
    assert list(SHIPPED) == [claim for row in papers.EXPERIMENTS for claim in row.claims], RENEW
    assert {name: row.verdict for name, row in SHIPPED.items()} == EXPECTED
    assert {name: row.recorded for name, row in SHIPPED.items() if row.recorded} == ELSEWHERE
    names = [one.name for one in PERTURBATIONS]
    assert all(list(row.under) == names for row in SHIPPED.values())


def test_the_page_names_every_perturbation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "background" / "papers.md").read_text(encoding="utf-8")
    listed = page.partition("| models of |")[2].partition("\n\n")[0]
    assert sorted(re.findall(r"`([\w.-]+)`", listed)) == sorted(one.name for one in PERTURBATIONS)


def test_each_perturbation_is_noticed() -> None:
    for one in PERTURBATIONS:
        assert any(one.name in row.noticed for row in SHIPPED.values()), one.name


def test_every_verdict_turns_on_a_wrong_model_or_has_a_reason_why_it_cannot() -> None:
    """The exceptions are in statements.toml, with reasons that a reader of the book can judge."""
    assert set(texts("blind")) == {name for name, row in SHIPPED.items() if row.is_blind}
    assert all(reason.endswith(".") for reason in texts("blind").values())


def test_another_policy_turns_most_verdicts_on_policies() -> None:
    """C-SCAN in place of ZSPTF changes the verdicts on claims that compare ZSPTF (000-E-5)."""
    rows = [SHIPPED[f"000-C{number}"] for number in (11, 12, 13, 14, 15, 16, 17, 21)]
    assert sum("zsptf-is-cscan" in row.noticed for row in rows) > len(rows) / 2


def test_the_page_says_what_came_out_instead() -> None:
    alike = (Verdict.SHAPE, Verdict.SHAPE)
    under = {one.name: Reaction(*alike, moved=False) for one in PERTURBATIONS}
    changed = {
        "no-springs": Reaction(Verdict.CONTRADICTS, Verdict.SHAPE, moved=True),
        "half-the-tips": Reaction(None, None, moved=True),
        "no-settling": Reaction(Verdict.SHAPE, Verdict.NOT_BORNE_OUT, moved=True),
    }
    under |= {**changed, "bits-1.1": Reaction(*alike, moved=True)}
    row = Reactions("002-C1", "002-E-1", *alike, Verdict.NOT_BORNE_OUT, under)
    assert row.noticed == changed and not row.is_blind
    assert row.moved == ["bits-1.1"]
    text = papers.reactions_page([row], {"002-E-1"})
    assert '<a href="002-E-1.html#002-C1">002-C1</a>' in text
    assert [text.count(cell) for cell in ("<td>*</td>", "<td>-</td>")] == [1, 1]


def test_a_page_without_a_table_says_so() -> None:
    text = papers.reactions_page([], set())
    assert "has no table yet" in text and "claims that a model could change" not in text
    assert "<table" not in text and "of changed verdicts" not in text
