"""The page of a run: `sledsim run --report`, and `Run.report`."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import sledsim

pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")

#: Return the headings of the page of a run.
OF_COLUMNS = {
    "Phases of fast and of slow requests",
    "Response over time",
    "Queue over time",
    "Seeks on the medium",
}
ALWAYS = {"Mean time of a request by phase", "Distribution of response times", "Energy by use"}


def requests(count: int) -> sledsim.Trace:
    return sledsim.random_workload(sledsim.device("osdi00"), rate_per_s=900, count=count, seed=7)


def headings(page: Path) -> set[str]:
    return set(re.findall(r"<h2[^>]*>([^<]*)</h2>", page.read_text()))


def charts(page: Path) -> dict[str, Any]:
    found = re.search(r'id="charts">(.*?)</script>', page.read_text(), re.DOTALL)
    assert found
    read: dict[str, Any] = json.loads(found[1])
    return read


def rows_of(chart: Any) -> int:
    """The rows of data of a chart."""
    if isinstance(chart, list):
        return sum(map(rows_of, chart))
    if not isinstance(chart, dict):
        return 0
    if isinstance(chart.get("values"), list):
        return len(chart["values"])
    return sum(map(rows_of, chart.values())) + sum(map(len, chart.get("datasets", {}).values()))


def run(*words: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "sledsim", *words], cwd=cwd, capture_output=True, text=True, check=False
    )


@pytest.mark.dear("a run is drawn as a page")
def test_the_command_writes_a_page_that_says_how_it_was_made(tmp_path: Path) -> None:
    words = ["run", "random:rate=900,count=500", "--set", "settle_ms=0.1", "--report", "a page.html"]
    done = run(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "report written to a page.html" in done.stderr
    page = tmp_path / "a page.html"
    assert headings(page) >= {*OF_COLUMNS, *ALWAYS, "The slowest requests", "Figures"}
    text = page.read_text()
    assert f"sledsim {shlex.join(words)}".replace("'", "&#x27;") in text
    for name, value, which in (
        ("TRACE", "random:rate=900,count=500", "given"),
        ("--set", "settle_ms=0.1", "given"),
        ("--scale", "1.0", "default"),
    ):
        assert f"<tr><td>{name}</td><td>{value}</td><td>{which}</td></tr>" in text
    # What is not as in the file of the device comes first.
    first = (
        text.partition("Parameters of the device</summary>")[2].partition("<tbody>")[2].partition("</tr>")[0]
    )
    assert "settle_ms" in first and "changed: 0.22 in the file" in first
    for said in (
        'lang="en"',
        'name="viewport"',
        "<title>random",
        'id="command">sledsim run random',
        "<table",
    ):
        assert said in text


@pytest.mark.dear("a run is drawn as a page")
def test_a_page_has_every_part_of_the_mean(tmp_path: Path) -> None:
    made = sledsim.simulate(sledsim.device("osdi00"), requests(400))
    assert made.report(tmp_path / "page.html") == tmp_path / "page.html"
    assert "sledsim run" not in (tmp_path / "page.html").read_text(), "no command made it"
    bars = charts(tmp_path / "page.html")["chart-1"]
    (rows,) = bars["datasets"].values() if bars.get("datasets") else [bars["data"]["values"]]
    whole_ms = sum(row["ms"] for row in rows)
    assert whole_ms == pytest.approx(made.summary()["mean_response_s"] * 1e3)


@pytest.mark.dear("a run is drawn as a page")
def test_reads_are_split_from_writes_and_saturation_is_reported(tmp_path: Path) -> None:
    made = sledsim.simulate(sledsim.device("osdi00"), requests(400))
    made.report(tmp_path / "page.html")
    assert "Groups of requests" in headings(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text()
    for name, rows in (("reads", ~made.columns["write"]), ("writes", made.columns["write"])):
        assert f'<td>{name}</td><td class="number" data-key="{rows.sum()}">{rows.sum()}</td>' in text
    assert "osdi00 kept up: busy for" in text


@pytest.mark.dear("a run is drawn as a page")
def test_without_columns_the_page_has_what_is_known(tmp_path: Path) -> None:
    made = sledsim.simulate(sledsim.device("osdi00"), requests(400), columns="none")
    made.report(tmp_path / "page.html")
    assert headings(tmp_path / "page.html") >= ALWAYS
    assert not headings(tmp_path / "page.html") & OF_COLUMNS
    assert "kept no columns in memory" in (tmp_path / "page.html").read_text()


@pytest.mark.dear("a run is drawn as a page", every_change="disk")
@pytest.mark.parametrize(
    ("target", "lacks"),
    [
        (sledsim.volume("mirror:devices=2"), {"Seeks on the medium"}),
        (sledsim.device("hp-c2247a"), set()),
        (sledsim.device("osdi00", power_policy="always-on"), set()),
    ],
    ids=["mirror", "disk", "sled"],
)
def test_every_kind_of_device_has_a_page(target: Any, lacks: set[str], tmp_path: Path) -> None:
    sledsim.simulate(target, requests(300), past_end="wrap").report(tmp_path / "page.html")
    assert OF_COLUMNS - headings(tmp_path / "page.html") == lacks


@pytest.mark.dear("a run is drawn as a page")
def test_a_page_of_many_requests_stays_small(tmp_path: Path) -> None:
    made = sledsim.simulate(sledsim.device("osdi00"), requests(100_000))
    made.report(tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size < 2_000_000
    found = {place: rows_of(chart) for place, chart in charts(tmp_path / "page.html").items()}
    assert min(found.values()) > 0 and max(found.values()) < 6000


@pytest.mark.dear("a run is drawn as a page", every_change="page")
@pytest.mark.parametrize("name", ["page", "page.txt", "page.html.gz"])
def test_a_page_has_the_ending_of_one(name: str, tmp_path: Path) -> None:
    done = run("run", "random:rate=900,count=100", "--report", name, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{name}: expected the name of a page, which ends in .html" in done.stderr
    assert not [*tmp_path.iterdir()]


@pytest.mark.dear("a run is drawn as a page")
def test_what_cannot_be_written_is_found_before_the_run(tmp_path: Path) -> None:
    done = run("run", "random:rate=900,count=100", "--report", "none/page.html", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "none/page.html: cannot write" in done.stderr
