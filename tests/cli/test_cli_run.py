"""``sledsim run`` for a user with a trace: fit to the device, several traces, the first questions."""

import json
import shlex
from pathlib import Path

import pytest

from ..conftest import Cli

#: Traces that reach 10 and 100 GB; the sizes are whole sectors.
FAR = "time,lbn,size,op\n" + "".join(f"{at}.0,{at * 2_000_000},4096,{'rw'[at % 2]}\n" for at in range(11))
ASKED = ("--map", "time=time:s,lbn=lbn:sectors,size=size:B,op=op")


@pytest.fixture
def far(tmp_path: Path) -> Path:
    path = tmp_path / "far.csv"
    path.write_text(FAR)
    return path


@pytest.mark.dear("commands simulate and draw", every_change=True)
def test_a_trace_that_does_not_fit_names_ways_out(cli: Cli, far: Path) -> None:
    """Each command that the error suggests works when a user types it."""
    stuck = cli("run", far, *ASKED)
    assert (stuck.returncode, stuck.stdout) == (1, "")
    typed = f"sledsim run {far} {' '.join(ASKED)}"
    ways = {
        f"{typed} --fit": "the device gets 3 sleds, which move as one",
        f"{typed} --past-end=sleds": "3 sleds, which move as one",
        f"{typed} --past-end=squeeze": "all addresses divided by 2.963",
        f"{typed} --past-end=wrap": "addresses past the end wrap around to 0",
    }
    lines = [f"error: {far} reaches 9.537 GiB, and osdi00 holds 3.219 GiB. Use one of:"]
    lines += [f"  {command:{max(map(len, ways))}}  {what}" for command, what in ways.items()]
    assert [line for line in stuck.stderr.splitlines() if not line.startswith(str(far))] == lines
    for command in ways:
        assert cli(*shlex.split(command)[1:]).returncode == 0


@pytest.mark.dear("commands simulate and draw", every_change=True)
def test_fit_says_what_it_did(cli: Cli, far: Path) -> None:
    done = cli("run", far, *ASKED, "--fit")
    assert (
        "reaches 9.537 GiB, and osdi00 holds 3.219 GiB: the device gets 3 sleds, which move as one"
        in done.stderr
    )
    told = json.loads(cli("run", far, *ASKED, "--fit", "--json").stdout)
    assert (told["fit"]["how"], told["fit"]["sleds"], told["requests"]) == ("sleds", 3, 11)
    disks = json.loads(cli("run", far, *ASKED, "--fit", "--device", "barracuda", "--json").stdout)
    assert (disks["fit"]["how"], disks["fit"]["devices"], disks["device"]) == (
        "devices",
        5,
        "sleds:devices=5",
    )
    added = cli("run", far, *ASKED, "--past-end", "sleds").stderr
    assert added.endswith(
        "added to fit the trace (--past-end sleds): 2 sleds; osdi00 now has 3 sleds, which move as one\n"
    )
    both = cli("run", far, *ASKED, "--fit", "--past-end", "wrap")
    assert (both.returncode, both.stderr) == (
        2,
        "error: --fit, --past-end wrap: expected one of these two options, found both\n",
    )


def test_a_summary_answers_what_people_ask_first(cli: Cli) -> None:
    done = cli("run", "demo")
    assert "4,833 requests in 224 s, 21.58 a second; 63% reads, mean size 57.36 KiB" in done.stderr
    for words in (
        "reads                3,031",
        "writes               1,802",
        "osdi00 kept up",
        "positioning",
    ):
        assert words in done.stdout
    told = json.loads(cli("run", "demo", "--json").stdout)
    assert told["kept_up"] is True
    assert {one["name"] for one in told["parts"]} >= {"all", "reads", "writes", "metadata", "other data"}
    assert sum(told["phases_s"].values()) == pytest.approx(told["mean_response_s"])
    assert told["overview"]["requests"] == told["requests"]


@pytest.mark.dear("commands simulate and draw", every_change=True)
def test_several_traces_are_one_table(cli: Cli, tmp_path: Path) -> None:
    """A folder with two traces and another file, a pattern, and a wrong name."""
    (tmp_path / "notes.txt").write_text("These are mine.\n")
    (tmp_path / "far.spc").write_text("".join(f"0,{at * 2_000_000},4096,r,{at}.0\n" for at in range(11)))
    (tmp_path / "near.spc").write_text("".join(f"0,{at * 2_000},4096,w,{at}.0\n" for at in range(11)))
    done = cli("run", tmp_path, "ext2-1k", "--fit")
    assert done.returncode == 0
    assert f"skipped, not a trace: {tmp_path / 'notes.txt'}" in done.stderr
    rows = [line.split() for line in done.stdout.splitlines() if "yes" in line]
    assert [words[0] for words in rows] == ["far.spc", "near.spc", "ext2-1k"]
    assert rows[0][-2:] == ["3", "sleds"]
    out = tmp_path / "o"
    found = json.loads(cli("run", tmp_path / "*.spc", "--fit", "--json", "--out", out).stdout)
    assert [one["requests"] for one in found] == [11, 11]
    assert sorted(one.name for one in out.iterdir()) == ["far.spc.parquet", "near.spc.parquet"]
    failed = cli("run", tmp_path / "near.spc", tmp_path / "far.spc", tmp_path / "none.spc")
    assert failed.returncode == 1
    assert f"error: {tmp_path / 'none.spc'}: No such file or directory" in failed.stderr
    assert f"error: {tmp_path / 'far.spc'} reaches 9.537 GiB, and osdi00 holds 3.219 GiB" in failed.stderr
    assert "near.spc" in failed.stdout
    last = failed.stderr.splitlines()[-1]
    assert last.startswith("to fit the traces to the device: sledsim run ") and last.endswith(" --fit")
    twice = cli("run", "demo", "demo")
    assert (twice.returncode, twice.stderr) == (
        2,
        "error: demo: expected each trace once, found it twice\n",
    )


@pytest.mark.dear("commands simulate and draw", every_change=True)
def test_several_traces_are_one_page(cli: Cli, tmp_path: Path) -> None:
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    for name, letter in (("slow", "w"), ("quick", "r")):
        lines = (f"0,{at * 20_000},4096,{letter},{at}.0\n" for at in range(11))
        (tmp_path / f"{name}.spc").write_text("".join(lines))
    page, words = tmp_path / "page.html", ("run", tmp_path / "*.spc", tmp_path / "none.spc", "--report")
    done = cli(*words, page)
    assert done.returncode == 1, "one of them is not there"
    assert f"report written to {page}" in done.stderr
    text = page.read_text()
    assert len(text) < 2_000_000
    assert f"sledsim {shlex.join(map(str, words))} {page}".replace("'", "&#x27;") in text
    assert text.count("<td>quick.spc</td>") == text.count("<td>slow.spc</td>") == 1
    assert "No such file or directory" in text
    nothing = cli("run", tmp_path / "none.spc", tmp_path / "nor.spc", "--report", tmp_path / "no.html")
    assert nothing.returncode == 1 and "no report: every trace failed" in nothing.stderr
    wrong = cli(*words, tmp_path / "page.txt")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "expected the name of a page, which ends in .html" in wrong.stderr
    assert not {*tmp_path.iterdir()} & {tmp_path / "no.html", tmp_path / "page.txt"}
