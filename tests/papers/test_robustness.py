"""Test the share of plausible devices in which comparing claims hold: the claims, and the command."""

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest
from docs.images.shares import shares_of_claims

import sledsim
from sledsim import papers
from sledsim.exploration.sample import sampled
from sledsim.exploration.subjects import DrawnTraces
from sledsim.papers.robustness import result, words
from sledsim.papers.robustness.requests import MAKERS
from sledsim.papers.robustness.result import Part, Robustness, verdict
from sledsim.papers.robustness.running import NAMES, measure_robustness, settings_of
from sledsim.papers.robustness.table import LEFT_OUT, SETTINGS
from sledsim.plausible import Answer, Load, Made, Question, Setting, said
from sledsim.uncertainty.draws import Doubt, DrawnAnswers, draw_seeds
from sledsim.uncertainty.space_filling import sobol

from ..conftest import Cli
from ..docs_readers import named

#: Load at which first come, first served has a utilization of six tenths on osdi00.
_SIX_TENTHS = Load("random:rate=800", count=2000)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_conditions_name_what_is_there_and_something_varies(setting: Setting) -> None:
    question = Question(setting)
    used = {place.subject for place in question.places.values()}
    assert used == set(setting.subjects)
    assert {place.load for place in question.places.values()} == set(setting.loads)
    assert question.factors.names and not question.factors.derived
    for subject in question.subjects.values():
        assert any(subject.keys_of(question.factors.names).values())
        subject.with_changes({})


def test_claims_are_those_of_the_papers_each_in_one_list() -> None:
    names = [one.name for setting in SETTINGS for one in setting.claims]
    assert len(names) == len(set(names)) and set(NAMES) == set(names)
    known = {*papers.statements(), *(row.id for row in papers.EXPERIMENTS)}
    compared = {one.id for setting in SETTINGS for one in setting.claims}
    left_out = {one.id for one in LEFT_OUT}
    assert compared | left_out <= known and not compared & left_out
    assert {name[:3] for name in compared} == set(papers.PAPERS)
    assert all(setting.paper == one.paper for setting in SETTINGS for one in setting.claims)
    # A claim in parts has its parts in order.
    parts = Counter(re.sub("[a-z]$", "", name) for name in NAMES)
    for claim, count in parts.items():
        own = [name.removeprefix(claim) for name in NAMES if re.fullmatch(f"{claim}[a-z]?", name)]
        assert own == (list("abcdefgh"[:count]) if count > 1 else [""])


def test_a_figure_names_one_of_a_kind() -> None:
    setting = Setting(
        "x", {"a": Made("osdi00")}, {"l": _SIX_TENTHS}, (said("001-C20", "", "mean(a, a) < 1"),)
    )
    with pytest.raises(sledsim.ParameterError, match="found two devices or volumes"):
        Question(setting)


def test_what_is_set_or_certain_is_not_varied() -> None:
    held = Made("osdi00", {"settle_ms": 0.0}).subject("none")
    assert held.name == "none" and held.nominal["settle_ms"] == 0
    assert "settle_ms" not in held.ranges()
    assert held.keys_of(["settle_ms", "overhead_ms"]) == {"settle_ms": [], "overhead_ms": ["overhead_ms"]}
    # Two devices have this parameter; only the one of the card is uncertain.
    assert Made("emsoft08").subject("sled").keys_of(["inactive_power_mw"]) == {"inactive_power_mw": []}
    assert Made("cf-card").subject("card").keys_of(["inactive_power_mw"])["inactive_power_mw"]
    array = Made("mmd", {}, ("hong03", "atlas10k")).subject("mmd")
    assert array.keys_of(["overhead_ms"]) == {"overhead_ms": ["mems.overhead_ms"]}
    assert array.keys_of(["head_switch_ms"]) == {"head_switch_ms": ["disk.head_switch_ms"]}


@pytest.mark.dear("experiments of a paper are simulated")
def test_extremes_come_out_as_such_and_loads_are_alike() -> None:
    setting = Setting(
        "extremes",
        {"sled": Made("osdi00")},
        {"some": _SIX_TENTHS, "high": Load("random:rate=1500", count=2000)},
        (
            said("001-C20a", "a greedy policy is quicker", "mean(sptf, high) < mean(fcfs, high)"),
            said("001-C20b", "the contrary", "mean(sptf, high) > mean(fcfs, high)"),
            said("001-C20c", "six tenths busy", "busy(fcfs, some) > 56%", "busy(fcfs, some) < 65%"),
        ),
        by_load=True,
    )
    done: list[int] = []
    found = measure_robustness([setting], 8, progress=done.append)
    always, never, busy = found.rows
    for part in (always.here, always.by_load):
        assert part is not None and (part.holds_in, part.changes_in, part.known, part.own) == (8, 0, 8, 1)
    assert (never.here.holds_in, never.here.own, never.verdict) == (0, 0, "in a part")
    assert busy.by_load is not None and busy.by_load.share is not None and busy.here.share is not None
    assert busy.by_load.share > 0.8 > busy.here.share and busy.by_load.own == 1
    assert done == sorted(done) and done[-1] == Question(setting).work(8)


@pytest.mark.dear("experiments of a paper are simulated")
def test_answers_are_what_runs_of_each_device_and_draw_say() -> None:
    """Count by hand: each device under each of its draws, with the same requests on both sides."""
    setting = Setting(
        "by hand",
        {"sled": Made("osdi00"), "none": Made("osdi00", {"settle_ms": 0.0})},
        {"high": Load("random:rate=900", count=500)},
        (said("001-C20a", "", "mean(sptf) < 150% * mean(sptf, none)"),),
    )
    question = Question(setting)
    (row,) = measure_robustness([setting], 4, replications=3).rows
    points, seeds = sobol(4, len(question.factors.names), 1), draw_seeds(4, 3, 1)
    answers = np.zeros((5, 3), bool)
    for device in range(5):
        own = points[device - 1 : device] if device else None
        for draw, seed in enumerate(seeds[device].tolist()):
            means = []
            for subject in question.subjects.values():
                changes = {} if own is None else sampled(question.factors, subject, own)[0]
                target = subject.with_changes(changes)
                requests = sledsim.workload("random:rate=900,count=500", target, seed=seed)
                means.append(sledsim.simulate(target, requests, "sptf").response_ns.mean())
            answers[device, draw] = means[0] < 1.5 * means[1]
    times = answers[1:].sum(axis=1)
    assert 0 < times.sum() < 12, "a case that tells something"
    part, changes = row.here, ((times > 0) & (times < 3)).sum()
    assert (part.holds_in, part.changes_in, part.known) == ((times == 3).sum(), changes, 4)
    assert part.share == pytest.approx(times.mean() / 3) and part.own == pytest.approx(answers[0].mean())


def test_the_same_requests_for_all_that_is_compared_and_others_for_each_device() -> None:
    load = Load(
        "scheduling drawn_database", arguments=("osdi00", 620), make=MAKERS["scheduling drawn_database"]
    )
    target = sledsim.device("osdi00")
    requests = load.workload(target, 500)
    one, again, other = (requests.draw(target, None, seed, DrawnTraces()) for seed in (5, 5, 6))
    assert (one.lbn == again.lbn).all() and (one.lbn != other.lbn).any() and len(one) == 500
    assert requests.digest != load.workload(target, 600).digest
    assert requests.digest != replace(load, arguments=("osdi00", 700)).workload(target, 500).digest


def test_a_claim_of_all_formats_is_compared_with_all_of_as_many_probes() -> None:
    (card,) = [one for one in SETTINGS if one.name == "004-card"]
    (claim,) = [one for one in card.claims if one.name == "004-C17b"]
    others = {name for name in card.subjects if name.startswith("f4096x") and name != "f4096x1x4096"}
    assert others == {f"f4096x{sectors}x4096" for sectors in (2, 4, 8, 16)}
    assert {*claim.conditions} == {f"mean(f4096x1x4096) < mean({other})" for other in others}


def test_devices_that_cannot_be_made_do_not_count() -> None:
    velocity = Setting(
        "002-velocity",
        {f"v{mm}": Made("sigmetrics00", {"access_velocity_mm_per_s": float(mm)}) for mm in (20, 60)},
        {"alone": Load("random:rate=10", count=500)},
        (said("002-C12b", "", "service(v60) > service(v20)"),),
        scheduler="fcfs",
    )
    (faster,) = measure_robustness([velocity], 8).rows
    assert 0 < faster.here.known < 8
    assert "overshoots" in faster.here.why and "spare_travel_nm" in faster.here.why


@pytest.mark.dear("experiments of a paper are simulated")
def test_a_book_has_claims_of_one_kind(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "book" / "assets").mkdir(parents=True)  # Left by a process that was killed at its start.
    asked = ["paper", "robustness", "--out", tmp_path / "book", "--samples"]
    done = cli(*asked, "3", "--paper", "004", "--seed", "5")
    assert done.returncode == 0 and "undecided" in done.stdout, done.stderr
    before = (tmp_path / "book" / "robustness.json").read_bytes()
    refused = cli(*asked, "2", "--paper", "002")
    assert refused.returncode == 2
    assert "book: expected --samples 3 --seed 5, " in refused.stderr
    assert "found --samples 2 --seed 1: repeat the command with these settings" in refused.stderr
    assert (tmp_path / "book" / "robustness.json").read_bytes() == before
    page = (tmp_path / "book" / "robustness.html").read_text(encoding="utf-8")
    assert "sledsim paper robustness --out book --paper 004 --samples 3 --seed 5" in page
    assert "our capture ext3-4k, with one request outstanding" in page
    again = cli(*asked, "2", "--paper", "004")
    assert again.returncode == 0, again.stderr
    # A claim under an old name does not block the run.
    path = tmp_path / "book" / "robustness.json"
    path.write_text(path.read_text().replace('"004-C6"', '"004-C6z"').replace('"seed": 1', '"seed": null'))
    again = cli(*asked, "2", "--paper", "004")
    assert again.returncode == 0 and "004-C6z" not in path.read_text(), again.stderr


def test_the_members_of_a_volume_vary_and_no_option_of_it() -> None:
    """A shared bus is an option of a volume; the file of a device describes its own bus."""
    (arrays,) = [one for one in SETTINGS if one.name == "001-arrays"]
    subjects = Question(arrays).subjects
    assert subjects["stripe_sleds"].keys_of(["bus_mb_per_s"]) == {"bus_mb_per_s": ["device.bus_mb_per_s"]}


def test_what_decides_and_the_verdict_come_from_the_answers() -> None:
    values = np.linspace(0, 1, 64)
    claim = said("001-C20", "", "mean < 1")

    def part(holds: np.ndarray) -> Part:
        every = [np.stack([one] * 2, axis=1) for one in (holds, ~holds, holds & False)]
        return Part.of(Answer(claim, DrawnAnswers(*every), 1.0, {"settle_ms": values}, ""), 1)

    half = part(values < 0.5)
    assert half.factor == "settle_ms" and half.decides and half.verdict == "in a part"
    assert half.rule.startswith("settle_ms < 0.5") and half.share == 0.5
    few = part(values < 0.05)
    assert (few.rule, few.accuracy, few.verdict) == ("", None, "in a part" if few.high >= 0.1 else "not")
    assert part(values >= 0).verdict == "robust" and part(values < 0).verdict == "not"
    empty = np.zeros((64, 2), bool)
    nothing = Part.of(Answer(claim, DrawnAnswers(empty, empty, empty), None, {"settle_ms": values}, "why"), 1)
    assert (nothing.verdict, nothing.share, nothing.why) == ("unknown", None, "why")
    flipped = np.arange(128).reshape(64, 2) % 2 == 0
    draws = Part.of(Answer(claim, DrawnAnswers(flipped, ~flipped, empty), 0.5, {"settle_ms": values}, ""), 1)
    assert (draws.holds_in, draws.changes_in, draws.share, draws.rule) == (0, 64, 0.5, "")
    assert (words.changing(draws), words.own(draws)) == ("100 %", "in 50 %")
    ends = {(0.95, 1.0): "robust", (0.6, 0.99): "mostly", (0.4, 0.6): "in a part", (0.0, 0.05): "not"}
    ends |= {(0.05, 0.2): "in a part", (0.0, 0.66): "undecided", (0.34, 1.0): "undecided"}
    assert {pair: verdict(*pair) for pair in ends} == ends


@pytest.mark.dear("experiments of a paper are simulated")
def test_the_command_makes_a_page_of_the_book_and_goes_on(cli: Cli, tmp_path: Path) -> None:
    book = tmp_path / "book"
    asked = ["paper", "robustness", "--samples", "8", "--paper", "003", "--out", book]
    asked += ["--replications", "2"]
    done = cli(*asked, "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    names = [name for name in NAMES if name.startswith("003")]
    assert [row["claim"] for row in rows] == names
    assert all(row["samples"] == 8 and row["verdict"] in result.VERDICTS for row in rows)
    kept = result.read(book)
    assert json.loads(json.dumps(kept.plain())) == rows
    table = pyarrow.parquet.read_table(book / "robustness.parquet")
    assert table["claim"].to_pylist() == names and table["own"].to_pylist() == [
        row["here"]["own"] for row in rows
    ]
    assert (book / "robustness.csv").is_file() and (book / "robustness.svg").is_file()
    page = (book / "robustness.html").read_text(encoding="utf-8")
    assert all(f"<th>{name}</th>" in page for name in names) and 'src="robustness.svg"' in page
    before = {path: path.stat().st_size for path in (book / "robustness").rglob("*.ledger")}
    again = cli(*asked)
    assert again.returncode == 0, again.stderr
    assert {path: path.stat().st_size for path in (book / "robustness").rglob("*.ledger")} == before
    assert all(f" {name} " in again.stdout for name in names)
    # An added chapter is linked by the page, and the page by the first page.
    added = cli("paper", "run", "003-E-1", "--quick", "--out", book)
    assert added.returncode == 0, added.stderr
    assert 'href="robustness.html"' in (book / "index.html").read_text(encoding="utf-8")
    assert result.read(book) == kept


def test_results_of_other_papers_stay_and_other_files_are_refused(tmp_path: Path) -> None:
    disks = [one for one in settings_of(["000"]) if one.name == "000-disks"]
    one = measure_robustness(disks, 4)
    papers.write_robustness(one, tmp_path / "book")
    papers.write_robustness(Robustness(()), tmp_path / "book")
    assert result.read(tmp_path / "book") == one
    papers.check_book(tmp_path / "book")
    assert result.read(tmp_path) == Robustness(())
    (tmp_path / "robustness.json").write_text("[]")
    with pytest.raises(sledsim.ParameterError, match="expected a file of 'sledsim paper robustness --out'"):
        result.read(tmp_path)
    with pytest.raises(sledsim.ParameterError, match="found another file"):
        papers.write_robustness(one, tmp_path)
    with pytest.raises(sledsim.ParameterError, match="paper '7': expected one of 000, 001"):
        settings_of(["7"])


def fields(plain: object, within: str = "") -> set[str]:
    """Return the names of the fields of JSON."""
    if isinstance(plain, list | tuple):
        return {name for value in plain for name in fields(value, f"{within}[]")}
    if isinstance(plain, dict):
        return {name for key, value in plain.items() for name in fields(value, f"{within}.{key}".lstrip("."))}
    return {within}


def test_the_page_has_the_fields_of_json() -> None:
    page = Path(__file__).parents[2] / "docs" / "background" / "robustness.md"
    written = re.findall(r"^\| `(.+?)` \|", page.read_text(), re.MULTILINE)
    part = Part(1, 0, 2, 0.5, 0.1, 0.9, Doubt(0.6, 0.2, 0.5, 0.7), "mostly", "", "", None, 1.0, "")
    row = result.Row("001-C20a", "001-C20", "x", "y", ("mean < 1",), 2, part, part)
    written = [name.replace("PART", of) for name in written for of in ("here", "by_load")]
    assert set(written) == fields(json.loads(json.dumps(Robustness([row]).plain())))


def test_the_page_has_every_claim_and_what_is_left_out() -> None:
    page = Path(__file__).parents[2] / "docs" / "background" / "robustness.md"
    says = {one.name: one.says for setting in SETTINGS for one in setting.claims}
    cells = [line.strip("| ").split(" | ") for line in page.read_text().splitlines() if line[:1] == "|"]
    listed = [row[3] for row in cells if row[0] in result.VERDICTS and row[3:]]
    assert sorted(named(", ".join(listed))) == sorted(says)
    shown = {row[0]: row[1] for row in cells if row[0] in says}
    assert len(shown) > 5 and shown.items() <= says.items()
    drawn = {row["claim"]: 100 * float(row["share"]) for row in shares_of_claims()}
    assert all(float(row[2].split()[0]) == round(drawn[row[0]]) for row in cells if row[0] in shown)
    start = cells.index(["claims that are not tested", "reason"])
    left_out = [row[0] for row in cells[start + 2 :] if row[0][:2] == "00"]
    assert sorted(", ".join(left_out).split(", ")) == sorted(one.id for one in LEFT_OUT)


@pytest.mark.dear("experiments of a paper are simulated")
def test_what_was_run_can_be_run_again(cli: Cli, tmp_path: Path) -> None:
    """Requests are drawn on the paper's own device, and a part of them is run as well."""
    cli("paper", "robustness", "--paper", "001", "--samples", "2", "--out", tmp_path / "book")
    for name, expected in (
        ("001-random", "all identical bit for bit"),
        ("001-layouts", "traces made by a program cannot be read again"),
    ):
        done = cli("sweep", "verify", tmp_path / "book" / "robustness" / name, "--rows", "40")
        assert expected in done.stdout + done.stderr
