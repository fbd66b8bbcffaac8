"""``sledsim explain`` as a user types it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import sledsim

from ..conftest import Cli

FAST = ("--what-if", "none")


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Path:
    device = sledsim.device("osdi00")
    trace = sledsim.random_workload(device, rate_per_s=1500, count=300, seed=1)
    return sledsim.simulate(device, trace, "sptf").write(tmp_path_factory.mktemp("run") / "run.parquet")


@pytest.mark.dear("commands simulate and draw", every_change=True)
def test_one_request_is_taken_apart(cli: Cli, result: Path) -> None:
    row = sledsim.read_run(result).slowest(1)[0]
    done = cli("explain", str(result), str(row), "--what-if", "policy,layout,parameter")
    assert done.returncode == 0, done.stderr
    for text in (
        *(f"Request {row} of random", "Due to", "services of requests that arrived later and overtook"),
        *("response", "Served while it waited", "Instead ms", "Under other policies", "fcfs", "in the run"),
        *("With other layouts", "With one parameter changed", "settle_ms"),
    ):
        assert text in done.stdout, text
    assert "█" in done.stdout


def test_the_slowest_come_in_a_table_first(cli: Cli, result: Path) -> None:
    rows = sledsim.read_run(result).slowest(3)
    done = cli("explain", str(result), "--slowest", "3", *FAST)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("The slowest of random")
    places = [done.stdout.index(f"Request {row} of") for row in rows]
    assert places == sorted(places) and "Under other policies" not in done.stdout


def test_json_has_all_and_adds_up(cli: Cli, result: Path) -> None:
    done = cli("explain", str(result), "7", "200", "--json", "--what-if", "policy")
    assert done.returncode == 0, done.stderr
    first, second = json.loads(done.stdout)["explanations"]
    assert (first["row"], second["row"]) == (7, 200)
    for one in (first, second):
        assert sum(one["due_ns"].values()) == one["response_ns"] == one["completion_ns"] - one["arrival_ns"]
        assert {each["kind"] for each in one["alternatives"]} == {"policy"}


@pytest.mark.dear("commands simulate and draw", every_change=True)
def test_a_page_is_written(cli: Cli, result: Path, tmp_path: Path) -> None:
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    page = tmp_path / "page.html"
    done = cli("explain", str(result), "7", *FAST, "--report", str(page))
    assert done.returncode == 0, done.stderr
    assert f"report written to {page}" in done.stderr
    text = page.read_text()
    assert "Causes of the response over time" in text and f"sledsim explain {result} 7" in text


@pytest.mark.dear("commands simulate and draw", every_change=True)
def test_a_page_of_several_says_of_each_what_is_found(cli: Cli, result: Path, tmp_path: Path) -> None:
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    page = tmp_path / "page.html"
    done = cli("explain", str(result), "--slowest", "2", *FAST, "--report", str(page))
    assert done.returncode == 0, done.stderr
    text, run = page.read_text(), sledsim.read_run(result)
    for one in run.explain(run.slowest(2), ()):
        assert " ".join(one.in_words()) in text


def test_python_writes_the_page_of_one(result: Path, tmp_path: Path) -> None:
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    one = sledsim.read_run(result).explain(7, "policy", workers=1)
    page = one.report(tmp_path / "one.html")
    text = page.read_text()
    assert "Request 7 of random" in text and one.in_words()[0] in text
    same = [each.name for each in one.alternatives if each.response_ns == one.response_ns]
    assert f'"{min(same)} and {len(same) - 1} more"' in text, "those that take the same have one bar"
    with pytest.raises(sledsim.ParameterError, match=r"one\.txt: expected the name of a page"):
        one.report(tmp_path / "one.txt")


@pytest.mark.dear("commands simulate and draw")
def test_mistakes_are_reported(cli: Cli, result: Path, tmp_path: Path) -> None:
    device = sledsim.device("osdi00")
    trace = sledsim.random_workload(device, rate_per_s=100, count=5, seed=1)
    few = sledsim.simulate(device, trace, columns="times").write(tmp_path / "few.parquet")
    table = sledsim.simulate(device, trace).write(tmp_path / "run.csv")
    for words, status, said in (
        ((str(result), "300"), 2, "row: expected the number of a request, 0 to 299, found 300"),
        ((str(result),), 2, "explain: expected either ROW or --slowest N, found neither of them"),
        ((str(result), "1", "--slowest", "2"), 2, "explain: expected either ROW or --slowest N, found both"),
        ((str(result), "--slowest", "0"), 2, "--slowest 0: expected 1 to 1,000 requests"),
        ((str(result), "--slowest", "1001"), 2, "--slowest 1001: expected 1 to 1,000 requests"),
        ((str(result), "3.5"), 2, "ROW: expected a whole number such as 1234, found '3.5'"),
        ((str(result), "1,2"), 2, "ROW: expected a whole number such as 1234, found '1,2'"),
        ((str(result), "--", "-1"), 2, "row: expected the number of a request, 0 to 299, found -1"),
        ((str(result), "2,500"), 2, "row: expected the number of a request, 0 to 299, found 2500"),
        (
            (str(result), "1", "--what-if", "x"),
            2,
            "--what-if: expected 'policy', 'layout', 'parameter', separated by commas",
        ),
        ((str(result), "1", "--what-if", ""), 2, "or 'none' alone, found ''"),
        ((str(result), "1", "--what-if", "none,policy"), 2, "or 'none' alone, found 'none,policy'"),
        ((str(result), "1", "--report", "x.txt"), 2, "x.txt: expected the name of a page"),
        ((str(tmp_path / "no.parquet"), "1"), 1, "no.parquet: No such file or directory"),
        ((str(few), "1", *FAST), 1, "few.parquet: lbn: a column that this run did not keep"),
        (
            (str(table), "1"),
            2,
            "run.csv: expected a Parquet file that 'sledsim run --out run.parquet' wrote",
        ),
    ):
        done = cli("explain", *words)
        assert (done.returncode, done.stdout) == (status, ""), done.stderr
        assert done.stderr.startswith("error: ") and said in done.stderr


def test_a_policy_of_ones_own_is_known_in_python_alone(cli: Cli, result: Path, tmp_path: Path) -> None:
    run = sledsim.read_run(result)
    text = "own-latest+deadline:after_ms=9"
    path = replace(run, settings=replace(run.settings, scheduler=text, scheduler_in_full=text)).write(
        tmp_path / "own.parquet"
    )
    done = cli("explain", str(path), "7")
    assert (done.returncode, done.stdout) == (1, "")
    assert "own.parquet: scheduler: expected a known policy, found 'own-latest'" in done.stderr
