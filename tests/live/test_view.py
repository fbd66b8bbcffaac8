"""``sledsim view``: the page shows the run that was recorded, and what it cannot show is refused."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import sledsim
from sledsim.charts import live_page

from ..conftest import Cli
from .driving import THERE_MS, Opened, at_end, complete, drawn, finished, seconds

#: The page is built by one process.
pytestmark = pytest.mark.xdist_group("browser")
WORK = "random:rate=1100,count=300,seed=3"
#: A stand-in for the page in tests that do not look at it.
EMPTY = (
    f'<meta name="generator" content="sledsim {sledsim.__version__}"><title>The sled</title>{live_page._ROOM}'
)


@pytest.fixture
def without_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_page, "part", lambda name: EMPTY)


@pytest.fixture
def with_page(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_page, "part", lambda name: page.read_text())


def recorded(cli: Cli, name: str, *words: str) -> Path:
    done = cli("run", WORK, *words, "--out", name)
    assert done.returncode == 0, done.stderr
    return Path(name)


def viewed(cli: Cli, *words: str) -> str:
    """The page that was written, by its name."""
    done = cli("view", *words, "--no-open")
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def said_of(text: str) -> Any:
    found = re.search(r'id="recorded">(.*?)</script>', text)
    assert found
    return json.loads(found[1])


@pytest.mark.dear("the page runs in a browser")
@pytest.mark.usefixtures("with_page")
@pytest.mark.parametrize(
    ("words", "policies"),
    [
        (("--device", "osdi00", "--scheduler", "sptf", "--set", "settle_ms=0.31"), ["sptf", "fcfs"]),
        (("--device", "atlas10k", "--scheduler", "fcfs", "--scale", "0.1"), ["fcfs", "sptf"]),
        (("--scheduler", "asptf:weight=3", "--replay", "closed:outstanding=8"), ["asptf:weight=3", "fcfs"]),
    ],
    ids=["sled", "disk", "closed"],
)
def test_the_page_shows_the_run(
    cli: Cli, here: Path, opened: Opened, words: tuple[str, ...], policies: list[str]
) -> None:
    recorded(cli, "my run.parquet", *words)
    assert viewed(cli, "my run.parquet") == "my run.view.html"
    run = sledsim.read_run(here / "my run.parquet")
    expected = {
        "Mean response": run.summary()["mean_response_s"],
        "Median": run.summary()["p50_response_s"],
        "99 %": run.summary()["p99_response_s"],
    }
    with opened(here / "my run.view.html") as shown:
        drawn(shown)
        assert shown.title() == "my run.parquet: The sled in motion"
        assert "mean response" in shown.locator("#notes").text_content()
        at_end(shown)
        finished(shown, "300")
        assert complete(shown) == [300, 300]
        assert shown.locator(".lane h2").all_text_contents() == policies
        headings = shown.locator("#figures thead th").all_text_contents()
        cells = shown.locator("#figures tbody tr").first.locator("th, td").all_text_contents()
        found = dict(zip(headings, cells, strict=True))
        for name, value_s in expected.items():
            assert seconds(found[name]) == pytest.approx(value_s, rel=6e-3), name
        command = shown.locator("#command").text_content()
    # The command makes what the page shows, out of the file of the run.
    assert command.startswith("sledsim compare 'my run.parquet' --device ")


@pytest.mark.dear("the page runs in a browser")
@pytest.mark.usefixtures("with_page")
def test_a_request_takes_in_the_page_what_explain_says(cli: Cli, here: Path, opened: Opened) -> None:
    recorded(cli, "run.parquet")
    row = sledsim.read_run(here / "run.parquet").slowest(1)[0]
    done = cli("explain", "run.parquet", str(row), "--json", "--what-if", "none")
    said = json.loads(done.stdout)["explanations"][0]
    viewed(cli, "run.parquet", "--row", str(row), "--beside", "none")
    with opened(here / "run.view.html") as shown:
        drawn(shown)
        does = shown.locator(".does")
        assert does.count() == 1
        text = does.text_content()
        assert f"chosen: request {row}, {'write' if said['write'] else 'read'} of" in text, text
        assert f"at LBN {said['lbn']}, arrived at" in text and "waits for 0 ns so far" in text, text
        came = re.search(r"arrived at ([\d.]+ \w+)", text)
        assert came and seconds(came[1]) == pytest.approx(said["arrival_ns"] * 1e-9, rel=6e-3)
        at_end(shown)
        finished(shown, "300")
        took = re.search(r"complete after ([\d.]+ \w+)\.", does.text_content())
        assert took and seconds(took[1]) == pytest.approx(said["response_ns"] * 1e-9, rel=6e-3)


@pytest.mark.dear("the page runs in a browser")
@pytest.mark.usefixtures("with_page")
def test_the_address_of_a_recorded_run_holds_its_state(cli: Cli, here: Path, opened: Opened) -> None:
    from playwright.sync_api import expect

    recorded(cli, "run.parquet")
    viewed(cli, "run.parquet")
    with opened(here / "run.view.html") as shown:
        drawn(shown)
        shown.select_option("#policy-1", "clook_lbn")
        expect(shown).to_have_url(re.compile("policy=clook_lbn&trace=run.parquet"), timeout=THERE_MS)
        # Another workload takes its place, and its name brings it back.
        for workload, count in (("random:rate=100,count=20,seed=1", "20"), ("run.parquet", "300")):
            shown.fill("#workload", workload)
            shown.locator("#workload").dispatch_event("change")
            expect(shown.locator("#command")).to_have_text(re.compile(workload), timeout=THERE_MS)
            at_end(shown)
            finished(shown, count)


@pytest.mark.usefixtures("without_page")
def test_a_device_of_a_file_is_a_built_in_one_with_other_values(cli: Cli, here: Path) -> None:
    (here / "own.toml").write_text('extends = "hong03"\nname = "mine"\nsettle_ms = 0.1\n')
    recorded(cli, "run.parquet", "--device", "own.toml")
    said = said_of((here / viewed(cli, "run.parquet")).read_text())
    assert said["device"] == "hong03" and said["parameters"]["settle_ms"] == "0.1"
    changed = sledsim.device(said["device"], **{key: float(text) for key, text in said["parameters"].items()})
    own = sledsim.device(here / "own.toml")
    names = ("name", "description")
    assert all(own.parameters[key] == value for key, value in changed.parameters.items() if key not in names)
    assert "The device mine is hong03 with other values." in said["says"]


@pytest.mark.usefixtures("without_page")
def test_names_are_no_markup(cli: Cli, here: Path) -> None:
    name = "<b>&'$&.parquet"
    recorded(cli, name)
    text = (here / viewed(cli, name)).read_text()
    assert "<title>&lt;b&gt;" in text and "<b>" not in text
    assert said_of(text)["name"] == name


@pytest.mark.dear("the page runs in a browser")
@pytest.mark.usefixtures("without_page")
def test_omissions_of_the_page_are_reported(cli: Cli, here: Path) -> None:
    recorded(cli, "run.parquet")
    recorded(cli, "volume.parquet", "--volume", "mirror")
    recorded(cli, "stalls.parquet", "--stall", "at=0.1,ms=5")
    recorded(cli, "few.parquet", "--columns", "times")
    recorded(cli, "run.csv")
    assert cli("trace", "popularity", WORK, "--out", "hot.csv").returncode == 0
    recorded(cli, "table.parquet", "--set", "layout=by-popularity", "--set", "layout_popularity=hot.csv")
    one = "expected a run of one device, which the page shows, found a run with"
    for words, status, said in (
        (("volume.parquet",), 2, f"volume.parquet: {one} volume: 'sledsim explain'"),
        (("stalls.parquet",), 2, f"stalls.parquet: {one} episodes: 'sledsim explain'"),
        (("table.parquet",), 2, "table.parquet: expected a device like osdi00 with other numbers"),
        (("few.parquet",), 1, "few.parquet: lbn: a column that this run did not keep"),
        (
            ("run.csv",),
            2,
            "run.csv: expected a Parquet file that 'sledsim run --out run.parquet' wrote",
        ),
        (("no.parquet",), 1, "no.parquet: No such file or directory"),
        (("run.parquet", "--row", "300"), 2, "run.parquet: row: expected the number of a request, 0 to 299"),
        (("run.parquet", "--beside", "nix"), 2, 'run.parquet: beside: unknown scheduler "nix"'),
        (("run.parquet", "--out", "page.txt"), 2, "page.txt: expected the name of a page"),
    ):
        done = cli("view", *words, "--no-open")
        assert done.returncode == status, (words, done.stderr)
        assert done.stderr.startswith(f"error: {said}"), done.stderr
    assert list(here.glob("*.html")) == []


def test_a_run_that_was_changed_is_not_shown(without_page: None, cli: Cli, here: Path) -> None:
    device = sledsim.device("osdi00")
    run = sledsim.simulate(device, sledsim.workload(WORK, device), "sptf")
    run.columns["completion_ns"][7] += 1
    run.write(here / "changed.parquet")
    done = cli("view", "changed.parquet", "--no-open")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error: changed.parquet: request 7: expected completion at")


def test_too_many_requests_are_refused(without_page: None, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded(cli, "run.parquet")
    monkeypatch.setattr(live_page, "MOST_REQUESTS", 299)
    done = cli("view", "run.parquet", "--no-open")
    assert done.returncode == 2
    assert "expected at most 299 requests, the limit of the page, found 300: cut the trace" in done.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "is not in this installation"),
        (EMPTY.replace("sledsim ", "sledsim 0.0."), "was not built for sledsim"),
    ],
)
def test_a_missing_page_is_reported(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, text: str | None, said: str
) -> None:
    def part(name: str) -> str:
        if text is None:
            raise FileNotFoundError(name)
        return text

    recorded(cli, "run.parquet")
    monkeypatch.setattr(live_page, "part", part)
    done = cli("view", "run.parquet", "--no-open")
    assert done.returncode == 1
    assert said in done.stderr and "run 'make live' in a checkout" in done.stderr


@pytest.mark.parametrize("there_is", [True, False])
def test_the_browser_is_opened(
    without_page: None, cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch, there_is: bool
) -> None:
    addresses: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: addresses.append(address) or there_is)
    recorded(cli, "run.parquet")
    done = cli("view", "run.parquet", "--out", "page.html")
    assert (done.returncode, done.stdout) == (0, "page.html\n")
    assert addresses == [(here / "page.html").resolve().as_uri()]
    assert ("no browser found: open page.html in a browser" in done.stderr) != there_is
