"""``sledsim paper`` as a user types it."""

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import sledsim
from sledsim import papers, studies
from sledsim.cli import program
from sledsim.papers.book import reactions

from ..conftest import Cli, leftovers


def test_help_names_the_commands(cli: Cli) -> None:
    done = cli("paper", "--help")
    assert done.returncode == 0
    assert "list" in done.stdout and "run" in done.stdout


def test_the_list_names_every_experiment_and_claim(cli: Cli) -> None:
    done = cli("paper", "list")
    assert done.returncode == 0
    for row in papers.EXPERIMENTS:
        line = next(line for line in done.stdout.splitlines() if line.startswith(f" {row.id} "))
        assert row.title in line
        assert [word for word in line.split() if re.fullmatch(r"C\d+", word)] == [
            name.partition("-")[2] for name in row.claims
        ]


def test_the_list_as_json(cli: Cli) -> None:
    found = json.loads(cli("paper", "list", "--json").stdout)
    assert [(row["id"], row["paper"], tuple(row["claims"])) for row in found["experiments"]] == [
        (row.id, row.paper, row.claims) for row in papers.EXPERIMENTS
    ]
    assert [row["printed"] for row in found["items"]] == [item.printed for item in papers.ITEMS]


def test_the_list_says_what_an_experiment_does_without_running_it(cli: Cli) -> None:
    done = cli("paper", "list", "003-C6")
    said = " ".join(done.stdout.split())
    assert "003-E-5 Figure 6: hierarchies under scaled traces Mean response of MCD and MMCD over the" in said
    assert papers.statements()["003-C6"] in said
    assert "drawn days replace them" in said and "003-E-4" not in said
    assert "Accepts --traces FOLDER with hplajw 1992." in cli("paper", "list", "003-E-4").stdout
    found = json.loads(cli("paper", "list", "003", "--json").stdout)
    assert {row["paper"] for row in (*found["experiments"], *found["items"])} == {"003"}


def test_a_claim_is_listed_before_it_has_a_verdict(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """A claim that was just added has no verdict until the shipped table is written again."""
    known = {name: found for name, found in papers.shipped_verdicts().items() if name != "003-C6"}
    monkeypatch.setattr(papers, "shipped_verdicts", lambda: known)
    assert papers.statements()["003-C6"] in " ".join(cli("paper", "list", "003-E-5").stdout.split())
    (found,) = json.loads(cli("paper", "list", "003-E-5", "--json").stdout)["experiments"]
    assert found["claims"] == ["003-C6", "003-C18"] and [*found["verdicts"]] == ["003-C18"]


def test_every_claim_has_a_statement() -> None:
    assert sorted(papers.statements()) == sorted(claim for row in papers.EXPERIMENTS for claim in row.claims)


@pytest.mark.dear("all experiments are run")
def test_every_statement_is_decided_by_a_run(chapters: list[papers.Chapter]) -> None:
    assert papers.statements() == {claim.id: claim.statement for one in chapters for claim in one.claims}


def field_names(plain: object, within: str = "") -> set[str]:
    """The names of all fields in JSON; keys of a table by ids or names count as one name in capitals."""
    if isinstance(plain, list):
        return {name for value in plain for name in field_names(value, f"{within}[]")}
    if not isinstance(plain, dict):
        return {within}
    keys = {re.sub(r"^\d{3}-C\d+$", "CLAIM", key) for key in plain}
    if keys == {one.name for one in papers.PERTURBATIONS}:
        plain, keys = {"NAME": next(iter(plain.values()))}, {"NAME"}
    if keys == {"CLAIM"}:
        plain = {"CLAIM": next(iter(plain.values()))}
    return {
        name for key, value in plain.items() for name in field_names(value, f"{within}.{key}".lstrip("."))
    }


@pytest.mark.dear("experiments of a paper are simulated", every_change=True)
def test_the_documentation_has_the_fields_of_json(cli: Cli) -> None:
    text = (Path(__file__).parents[2] / "docs" / "background" / "papers.md").read_text()
    rows = re.findall(r"^\| `(list|run|perturb)\.?(.+?)` \|", text, re.MULTILINE)
    under = {
        one.name: papers.Reaction(papers.Verdict.SHAPE, None, moved=True) for one in papers.PERTURBATIONS
    }
    reacted = [papers.Reactions("001-C15", "001-E-8", papers.Verdict.SHAPE, None, None, under)]
    printed = {
        "list": json.loads(cli("paper", "list", "--json").stdout),
        "run": json.loads(cli("paper", "run", "002-E-1", "--quick", "--json").stdout),
        "perturb": papers.plain_reactions(reacted),
    }
    expected = {(name, field) for name, plain in printed.items() for field in field_names(plain)}
    assert len(rows) == len(set(rows)) and set(rows) == {pair for pair in expected if pair[1]}


def test_what_the_papers_print_is_where_the_list_says() -> None:
    places = {row.id for row in papers.EXPERIMENTS} | set(sledsim.devices()) | set(sledsim.volumes())
    places |= {study.name for study in studies.STUDIES}
    assert all(item.here and set(item.here) <= places for item in papers.ITEMS)
    # Every experiment names a statement that its paper prints or leaves to later work.
    named = {(item.paper, place) for item in papers.ITEMS for place in item.here}
    assert {(row.paper, row.id) for row in papers.EXPERIMENTS} <= named


@pytest.mark.dear("experiments of a paper are simulated", every_change=True)
def test_run_prints_our_figures_beside_the_papers(cli: Cli) -> None:
    done = cli("paper", "run", "002-e1", "--quick")
    assert done.returncode == 0
    assert re.search(r"002-C1 +reproduced +settling time +0\.72 ms +0\.7234 ms +\+0\.5%", done.stdout)
    assert re.search(r"002-C6 +contradicts +maximum seek +2\.72 ms +at most 2\.590 ms", done.stdout)
    assert "002-C6 contradicts: By Eqs 2 and 3, a full stroke takes" in done.stdout
    assert "4 reproduced, 5 shape, 1 input not published, 2 contradicts" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr
    assert done.stderr == ""


@pytest.mark.dear("experiments of a paper are simulated", every_change=True)
def test_run_as_json(cli: Cli) -> None:
    (found,) = json.loads(cli("paper", "run", "001-E-8", "--quick", "--json").stdout)
    claim, of_disk = found["claims"]
    assert (found["id"], found["quick"], found["devices"]) == ("001-E-8", True, ["osdi00", "atlas10k"])
    assert (of_disk["id"], of_disk["verdict"]) == ("001-C16", "reproduced")
    assert (claim["id"], claim["verdict"]) == ("001-C15", "reproduced")
    assert len(claim["findings"]) == 8
    assert claim["findings"][0]["paper"] == "0.13 ms"


@pytest.mark.dear("all experiments are run")
def test_run_all_counts_the_verdicts(
    chapters: list[papers.Chapter], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The experiments have run before, as they take minutes."""
    ran = {chapter.experiment.id: chapter for chapter in chapters}
    monkeypatch.setattr(papers, "run", lambda name, quick, traces: ran[name] if quick else None)
    monkeypatch.setattr(sys, "argv", ["sledsim", "paper", "run", "all", "--quick"])
    assert not program.run()
    found = capsys.readouterr().out
    assert all(f"\n{row.id} {row.title}" in f"\n{found}" for row in papers.EXPERIMENTS)
    # An experiment without claims still shows what it found.
    assert "002-E-3 Figure 6" in found and "the mean access falls" in found
    # The page quotes the printed line.
    page = (Path(__file__).parents[2] / "docs" / "background" / "validation.md").read_text()
    (counts,) = re.findall(r"counts the verdicts: (.+)\.\n", page)
    assert found.endswith(f"\n{counts}\n")


@pytest.mark.dear("experiments of a paper are simulated")
def test_run_writes_a_book(cli: Cli, tmp_path: Path) -> None:
    done = cli("paper", "run", "001-E-8", "--quick", "--out", "book")
    assert done.returncode == 0, done.stderr
    assert f"open {Path('book') / 'index.html'}" in done.stderr
    assert leftovers(tmp_path) == [
        *("001-E-8-1.csv", "001-E-8-1.svg", "001-E-8-2.csv", "001-E-8-2.svg"),
        *("001-E-8.html", "001-E-8.json"),
        *("index.html", "reactions.html", "style.css", "vega.js"),
        *("verdicts.csv", "verdicts.parquet"),
    ]
    scripts = (tmp_path / "here" / "book" / "assets" / "vega.js").read_text(encoding="utf-8")
    assert "window.vegaEmbed" in scripts and len(scripts) > 500_000


def test_an_unknown_id_is_refused(cli: Cli) -> None:
    done = cli("paper", "run", "002-E-99")
    assert (done.returncode, done.stdout) == (2, "")
    message = "unknown experiment '002-E-99': expected an id such as 002-E-9, 004-E-9,"
    assert done.stderr.startswith(f"error: {message}")


@pytest.mark.parametrize("command", ["run", "perturb"])
def test_a_folder_that_is_no_book_is_refused_before_the_work(cli: Cli, tmp_path: Path, command: str) -> None:
    (tmp_path / "here" / "mine.txt").write_text("x")
    for name, said in (
        ("", "expected the name of a folder for the book, found ''"),
        (".", "found a folder with other files: mine.txt"),
    ):
        done = cli("paper", command, "all", "--out", name)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("error: ") and done.stderr.endswith(f"{said}\n")
    assert leftovers(tmp_path) == ["mine.txt"]


@pytest.mark.parametrize(
    ("begun", "offered"),
    [("001-E-1", "001-E-10"), ("002-e", "002-e-1"), ("E-002", "E-002-1"), ("002c", "002c5"), ("00", "003")],
)
def test_completion_knows_the_names(complete: Callable[[str], str], begun: str, offered: str) -> None:
    words = [line.split("\t")[0] for line in complete(f"sledsim paper run all {begun}").splitlines()]
    assert offered in words and all(word.startswith(begun) for word in words)


@pytest.mark.dear("experiments of a paper are simulated")
@pytest.mark.parametrize(("error", "status"), [(KeyboardInterrupt, 130), (OSError, 1)])
def test_what_is_done_before_an_end_is_kept(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: type[BaseException],
    status: int,
) -> None:
    book = tmp_path / "my book"
    run = papers.run

    def ended(name: str, quick: bool, traces: object) -> papers.Chapter:
        if name == "002-E-5":
            raise error
        return run(name, quick, None)

    monkeypatch.setattr(papers, "run", ended)
    words = ["paper", "run", "002-C1", "002-E-3", "002-E-5", "004", "--quick", "--out", str(book)]
    monkeypatch.setattr(sys, "argv", ["sledsim", *words])
    assert program.run() == status
    said = capsys.readouterr().err
    go_on = f"sledsim paper run 002-E-5 004 --quick --out '{book}'"
    assert "002-C1 is decided by 002-E-1\n" in said
    assert f"2 of 12 experiments are in {book}; to continue: {go_on}\n" in said
    assert (book / "002-E-3.html").is_file() and "002-C1" in (book / "verdicts.csv").read_text()


def test_what_is_perturbed_before_an_end_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    row = papers.Reactions("001-C15", "001-E-8", papers.Verdict.SHAPE, None, None, {})

    def ended(*_: object, **__: object) -> Iterator[list[papers.Reactions]]:
        yield [row]
        raise KeyboardInterrupt

    monkeypatch.setattr(papers, "react", ended)
    # Other tests may have registered classes, which a command would list.
    monkeypatch.setattr("sledsim.model.own_classes._LOADED", {})
    words = ["paper", "perturb", "001-C15", "002", "--out", str(tmp_path / "book")]
    monkeypatch.setattr(sys, "argv", ["sledsim", *words])
    assert program.run() == 130
    assert "1 of 12 experiments are in" in (said := capsys.readouterr().err)
    assert f"to continue: sledsim paper perturb 002 --out {tmp_path / 'book'}\n" in said
    assert row in reactions.latest(tmp_path / "book")
