"""Workloads that are fitted to traces: the figures that they keep, their files, and the command."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sledsim
from sledsim.traces.fit_report import OF_SHARES, RELATIVE
from sledsim.traces.trace import FLUSH

from ..conftest import Cli, leftovers, often

ROOT = Path(__file__).parents[2]
TRACES = ROOT.parent / "shared" / "traces"
BUNDLED = ROOT / "crates" / "sledsim" / "src" / "workload" / "generators" / "fitted" / "demo.toml"
#: Figures that a fit keeps of any trace, at least roughly.
ALWAYS = (
    *("mean rate", "reads", "metadata", "mean size of reads", "mean size of writes", "sequential"),
    *("times between arrivals, median", "times between arrivals, cv²"),
    *("times between arrivals, < 1 ms", "times between arrivals, < 10 ms"),
)


@pytest.fixture(scope="module")
def demo() -> sledsim.results.FittedWorkload:
    return sledsim.fit_workload(sledsim.demo_trace())


def verdicts(fitted: sledsim.results.FittedWorkload, seed: int = 1) -> dict[str, str]:
    return {row["statistic"]: row["kept"] for row in fitted.kept(seed=seed).to_pylist()}


def check_verdicts(found: dict[str, str]) -> None:
    """Assert that these figures are kept, and that the losses of the others are small."""
    assert [name for name in ALWAYS if found.get(name) == "no"] == []
    assert list(found.values()).count("no") <= len(found) // 5, found


@pytest.mark.dear("many requests are read and written", every_change=True)
def test_the_bundled_file_is_the_fit_of_the_bundled_trace(
    demo: sledsim.results.FittedWorkload, tmp_path: Path
) -> None:
    demo.write(tmp_path / "demo.toml")
    assert (tmp_path / "demo.toml").read_text() == BUNDLED.read_text()


def test_the_verdicts_follow_from_the_figures(demo: sledsim.results.FittedWorkload) -> None:
    rows = demo.kept().to_pylist()
    assert len(rows) > 25
    for row in rows:
        difference = row["fitted"] - row["trace"]
        if row["is_relative"]:
            difference /= row["trace"] or 1
        kept, roughly = RELATIVE if row["is_relative"] else OF_SHARES
        expected = "yes" if abs(difference) <= kept else "roughly" if abs(difference) <= roughly else "no"
        assert row["kept"] == expected, row


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_most_of_the_bundled_trace_is_kept(demo: sledsim.results.FittedWorkload, seed: int) -> None:
    check_verdicts(verdicts(demo, seed))


@pytest.mark.parametrize(
    "name",
    [
        "hp-srt/hplajw-1week-1992.srt.zst",
        "spc/websearch-first60s.spc.zst",
        "fs-captures/ext3-4k/ext3-4k.blktrace.0.gz",
    ],
)
def test_most_of_real_traces_is_kept(name: str) -> None:
    if not (TRACES / name).is_file():
        pytest.skip("the real traces are not beside this checkout")
    check_verdicts(verdicts(sledsim.fit_workload(TRACES / name)))


def test_python_and_the_generator_draw_the_same(
    demo: sledsim.results.FittedWorkload, device: sledsim.Device, tmp_path: Path
) -> None:
    path = tmp_path / "mine.toml"
    demo.write(path)
    own = demo.draw(device, rate=300, count=500, seed=4)
    again = sledsim.results.FittedWorkload.read(path).draw(device, rate=300, count=500, seed=4)
    named = sledsim.workload("fitted", device, rate=300, count=500, seed=4, file=str(path))
    bundled = sledsim.workload("fitted:rate=300,count=500,seed=4", device)
    for other in (again, named, bundled):
        assert all(np.array_equal(own.columns()[key], column) for key, column in other.columns().items())
    assert (own.source, own.seed) == (f"fitted:rate=300,count=500,seed=4 of {demo.source}", 4)
    assert own.transfers().arrival_ns[-1] == pytest.approx(500 / 300 * 1e9)
    assert len(demo.draw(device).transfers()) == demo.requests == len(sledsim.demo_trace().transfers())
    with pytest.raises(sledsim.ParameterError, match='unknown option of fitted "rte"'):
        demo.draw(device, rte=5)


def test_flushes_follow_the_same_kinds_of_requests(demo: sledsim.results.FittedWorkload) -> None:
    """Each kind of request keeps its number of flushes, and no flush comes later than in the trace."""

    def of(trace: sledsim.Trace) -> tuple[list[int], np.ndarray]:
        at = np.flatnonzero((trace.op[1:] == FLUSH) & (trace.op[:-1] != FLUSH)) + 1
        before = trace.op[at - 1], trace.metadata[at - 1]
        counts = [
            int(((before[0] == op) & (before[1] == marked)).sum())
            for op in (0, 1)
            for marked in (False, True)
        ]
        return counts, (trace.arrival_ns[at] - trace.arrival_ns[at - 1]) * 1e-6

    trace = sledsim.demo_trace()
    (counts, delays_ms), (drawn, drawn_ms) = of(trace), of(demo.draw("osdi00", seed=3))
    assert drawn == pytest.approx(counts, rel=0.1, abs=5)
    assert 0.0 <= drawn_ms.min() < drawn_ms.max() <= delays_ms.max()


def test_a_fitted_workload_waits_for_its_flushes(demo: sledsim.results.FittedWorkload) -> None:
    runs = [
        sledsim.simulate("atlas10k", trace, fit=True) for trace in (sledsim.demo_trace(), demo.draw("osdi00"))
    ]
    traced, drawn = (run.summary() for run in runs)
    assert drawn["flushes"] == pytest.approx(traced["flushes"], rel=0.1)
    assert drawn["mean_flush_s"] == pytest.approx(traced["mean_flush_s"], rel=0.2)


def test_places_are_scaled_to_a_smaller_device(
    demo: sledsim.results.FittedWorkload, device: sledsim.Device
) -> None:
    assert demo.draw(device, count=10).notes == ()
    small = device.with_parameters(stroke_x_nm=device.parameters["stroke_x_nm"] // 10)
    blocks = small.characteristics()["capacity_bytes"] // 512
    drawn = demo.draw(small)
    assert blocks < demo.end_block
    assert (drawn.lbn + drawn.blocks <= blocks).all()
    assert "addresses are scaled to" in drawn.notes[0]


def test_a_workload_from_a_file_has_no_statistics_of_its_trace(demo: sledsim.results.FittedWorkload) -> None:
    read = sledsim.results.FittedWorkload.read(BUNDLED)
    with pytest.raises(sledsim.ParameterError, match="does not know the statistics of its trace"):
        read.kept()
    assert read.kept(demo.statistics).equals(demo.kept())


ROWS = st.lists(
    st.tuples(
        st.one_of(st.just(0), st.integers(0, 10**6), st.integers(0, 10**13)),
        st.one_of(st.integers(0, 99), st.integers(0, 2**44)),
        st.integers(1, 2**20),
        st.integers(0, 3),
        st.integers(0, 2),
    ),
    min_size=1,
    max_size=60,
)


@pytest.mark.dear("many requests are read and written")
@often(60)
@given(rows=ROWS, count=st.integers(1, 99), seed=st.integers(0, 2**64 - 1))
def test_any_trace_can_be_fitted(rows: list[tuple[int, ...]], count: int, seed: int) -> None:
    intervals_ns, lbn, blocks, op, traced = (np.array(column) for column in zip(*rows, strict=True))
    blocks[op == 3] = 0
    trace = sledsim.Trace(np.cumsum(intervals_ns), lbn, blocks, op=op, device=traced)
    if (op <= 1).sum() < 2:
        with pytest.raises(sledsim.TraceError, match="expected at least two reads or writes in the trace"):
            sledsim.fit_workload(trace)
        return
    device = sledsim.device("osdi00")
    fitted = sledsim.fit_workload(trace)
    drawn = fitted.draw(device, count=count, seed=seed)
    assert len(drawn.transfers()) == count
    assert (np.diff(drawn.arrival_ns) >= 0).all()
    assert (drawn.lbn + drawn.blocks).max() * 512 <= device.characteristics()["capacity_bytes"]
    fitted.kept()


def test_the_command(cli: Cli, tmp_path: Path) -> None:
    done = cli("trace", "fit", "demo", "-o", "mine.toml")
    assert done.returncode == 0, done.stderr
    assert "excluded" not in done.stderr
    assert "draw it with fitted:file=mine.toml" in done.stderr
    assert (tmp_path / "here" / "mine.toml").read_text() == BUNDLED.read_text()
    page = (ROOT / "docs" / "reference" / "workloads.md").read_text()
    assert [line for line in done.stdout.splitlines() if line.rstrip() not in page] == []
    ran = json.loads(cli("run", "fitted:file=mine.toml,count=300", "--json").stdout)
    assert ran["requests"] == 300


def test_the_command_as_json(cli: Cli, demo: sledsim.results.FittedWorkload) -> None:
    found = json.loads(cli("trace", "fit", "demo", "-o", "mine.toml", "--json").stdout)
    assert (found["source"], found["requests"]) == (demo.source, demo.requests)
    assert found["kept"] == demo.kept().to_pylist()


def test_devices_are_taken_as_one_or_chosen(cli: Cli, trace_file: Path) -> None:
    trace_file.write_text(trace_file.read_text() + "9.0 1 0 8 1\n9.5 1 8 8 1\n")
    assert "2 devices are treated as one" in cli("trace", "fit", trace_file, "-o", "all.toml").stderr
    done = cli("trace", "fit", trace_file, "-o", "one.toml", "--traced-device", "1", "--json")
    assert json.loads(done.stdout)["requests"] == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "missing field `fitted_workload`"),
        (
            'name = "osdi00"\n',
            r"bad.toml:1: expected a file that `sledsim trace fit` has written: unknown field `name`",
        ),
        ("\x00\x01", "bad.toml:1: expected a file that"),
    ],
)
def test_what_is_no_such_file_is_named(cli: Cli, tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "here" / "bad.toml").write_text(text)
    done = cli("run", "fitted:file=bad.toml")
    assert (done.returncode, re.search(message, done.stderr) is not None) == (2, True), done.stderr


def test_a_file_that_is_not_there(cli: Cli) -> None:
    done = cli("run", "fitted:file=none.toml")
    assert (done.returncode, "none.toml: No such file" in done.stderr) == (1, True), done.stderr


def test_a_trace_without_requests_leaves_no_file(cli: Cli, tmp_path: Path, trace_file: Path) -> None:
    trace_file.write_text("0.0 0 8 8 1\n")
    done = cli("trace", "fit", trace_file, "-o", "mine.toml")
    assert done.returncode != 0
    assert "expected at least two reads or writes in the trace, found 1" in done.stderr
    assert leftovers(tmp_path / "here") == []


def test_completion_offers_files(complete: Callable[[str], str], tmp_path: Path) -> None:
    (tmp_path / "here" / "mine.toml").touch()
    assert "fitted:file=mine.toml" in complete("sledsim run fitted:file=mi")
