"""Gaps of a trace: busiest times, lines that break, and gaps cut short."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sledsim
from sledsim.charts.grammar import broken
from sledsim.charts.run_panels import over_time
from sledsim.traces.statistics import trace_statistics
from sledsim.traces.streams import stream_of
from sledsim.traces.tools import GapCut, cut_gaps
from tests.conftest import Cli

DAY_NS = 86_400 * 10**9


def bursts() -> sledsim.Trace:
    """Return 2,000 requests in one second, 500 after a day, and 100 after another one."""
    starts = np.repeat([0, DAY_NS, 2 * DAY_NS], [2000, 500, 100])
    arrival = starts + np.concatenate([np.arange(count) * 10**9 // count for count in (2000, 500, 100)])
    lbn = np.arange(len(arrival)) * 7919 % 100_000
    return sledsim.Trace(arrival, lbn, np.full(len(arrival), 8), response_ns=np.full(len(arrival), 1000))


@pytest.fixture(scope="module")
def trace() -> sledsim.Trace:
    return bursts()


def test_a_gap_becomes_as_long_as_the_longest(trace: sledsim.Trace) -> None:
    cut = cut_gaps(trace, "5s")
    gaps = np.diff(cut.arrival_ns)
    assert gaps[1999] == gaps[2499] == 5 * 10**9 + 1000, "a gap begins with the last completion"
    was = np.diff(trace.arrival_ns)
    kept = was < 5 * 10**9
    assert np.array_equal(gaps[kept], was[kept])
    assert cut.arrival_ns[0] == trace.arrival_ns[0]
    assert cut.notes[-1].startswith("gaps cut to 5 s: 2 gaps, 48 h left out")


@pytest.mark.dear("a trace is cut request by request", every_change=True)
@pytest.mark.parametrize("batch", [1, 7, 2000, 3000])
def test_batches_are_cut_like_a_whole(trace: sledsim.Trace, batch: int) -> None:
    whole, stream = GapCut("5s"), GapCut("5s")
    expected, found = whole.of(trace), stream.of(stream_of(trace, batch)).read()
    assert np.array_equal(expected.arrival_ns, found.arrival_ns)
    assert (
        whole.row()
        == stream.row()
        == {"longest_s": 5.0, "gaps": 2, "cut_s": pytest.approx(2 * 86_400 - 12, abs=1)}
    )
    assert found.notes == expected.notes


def test_short_gaps_stay(trace: sledsim.Trace) -> None:
    cut = cut_gaps(trace, "1e6")
    assert np.array_equal(cut.arrival_ns, trace.arrival_ns)
    assert cut.notes == ("gaps cut to 11.57 days: none is longer",)
    for wrong in ("0", "-1s", "nan", "inf", "soon"):
        with pytest.raises(sledsim.ParameterError, match="cut_gaps: expected a time above 0, such as 500ms"):
            cut_gaps(trace, wrong)
    assert GapCut(None).of(trace) is trace


def test_a_run_and_statistics_have_the_busiest_times(trace: sledsim.Trace) -> None:
    arrivals = trace_statistics(trace).summary()["overall"]["arrivals"]
    run = sledsim.simulate("osdi00", trace)
    figures = run.summary()
    for name, width_s in (("second", 1), ("minute", 60)):
        found = arrivals[f"busiest_{name}"]
        assert found == {"most_requests": 2000, "begins_at_s": 0.0}
        assert figures[f"busiest_{name}_requests"] == 2000
        needed = 2000 * run.totals["busy_s"][0] / len(trace) / width_s
        assert figures[f"busiest_{name}_busy_share"] == pytest.approx(needed)
    assert "2,000 in the busiest second (which need 102." in run.bursts_in_words()[0]
    assert sledsim.simulate("osdi00", stream_of(trace)).summary() == pytest.approx(figures, rel=1e-3)
    even = sledsim.simulate("osdi00", sledsim.workload("random", "osdi00", rate=100, count=1000))
    assert even.bursts_in_words() == []


def test_a_line_breaks_where_no_request_arrives(trace: sledsim.Trace) -> None:
    rows = [{"at": at, "name": name} for name in "ab" for at in (0.5, 1.5, 2.5, 5.5, 9.5, 10.5)]
    assert [row["stretch"] for row in broken(rows, "at", 1.0)] == 2 * [0, 0, 0, 1, 2, 2]
    drawn: dict[str, Any] = over_time(sledsim.simulate("osdi00", trace)).to_dict()
    (values,) = drawn["datasets"].values()
    assert drawn["encoding"]["detail"]["field"] == "stretch"
    assert {row["stretch"] for row in values} == {0, 1, 2}


def write(trace: sledsim.Trace, folder: Path) -> str:
    lines = [
        f"{at},R,{lbn * 512},4096\n" for at, lbn in zip(trace.arrival_ns // 1000, trace.lbn, strict=True)
    ]
    (folder / "here" / "gaps.csv").write_text("time_us,op,offset,size\n" + "".join(lines))
    return "gaps.csv"


@pytest.mark.dear("several commands are run")
def test_the_commands_cut_gaps(cli: Cli, tmp_path: Path, trace: sledsim.Trace) -> None:
    name = write(trace, tmp_path)
    done = cli("run", name, "--json", "--cut-gaps")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["cut_gaps"]["gaps"] == 2 and found["cut_gaps"]["longest_s"] == 10
    assert found["cut_gaps"]["cut_s"] == pytest.approx(2 * 86_400 - 21, abs=2)
    assert found["span_s"] == pytest.approx(23, abs=2)
    assert "gaps cut to 10 s: 2 gaps" in done.stderr
    shown = cli("trace", "info", name, "--json", "--cut-gaps=500ms")
    assert json.loads(shown.stdout)["cut_gaps"]["longest_s"] == 0.5
    assert json.loads(shown.stdout)["overall"]["counts"]["span_s"] < 5
    written = cli("trace", "convert", name, "--out", "cut.csv", "--to", "fio", "--cut-gaps=1min")
    assert written.returncode == 0 and "gaps cut to 60 s: 2 gaps" in written.stderr, written.stderr
    assert "cut_gaps" not in json.loads(cli("run", name, "--json").stdout)


@pytest.mark.parametrize("text", ["soon", "-5s", "0", "5 days"])
def test_a_wrong_length_is_named(cli: Cli, text: str) -> None:
    done = cli("run", "demo", f"--cut-gaps={text}")
    assert done.returncode == 2 and "cut" in done.stderr and "gaps: expected" in done.stderr, done.stderr
