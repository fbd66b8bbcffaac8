"""Test the shared code of 003's experiments: inputs, systems, ratios with intervals, and several inputs."""

import math
from pathlib import Path

import numpy as np
import pytest

import sledsim
from sledsim import papers
from sledsim.papers import Verdict
from sledsim.papers.p003.findings import above, findings
from sledsim.papers.p003.inputs import CAPTURED, DAYS, DRAWN, TRACED, Input, drawn_days, inputs
from sledsim.papers.p003.systems import Interval, Observed, merged, observe, systems
from sledsim.papers.shared.experiments import table
from sledsim.papers.shared.hp_disks import FILES
from sledsim.runs import intervals

TRACES = Path(__file__).parents[3] / "shared" / "traces" / "hp-srt"
needs_traces = pytest.mark.skipif(
    not all((TRACES / name).is_file() for name in FILES), reason="HP's traces are not beside this checkout"
)


def observed(kind: str, *, is_single: bool = False, **means_s: list[float]) -> Observed:
    """Return systems with given mean responses that vary by a tenth, in observations of 100 requests."""
    sums = {
        name: np.array([[100, 100 * mean, 101 * mean**2, 100, 100 * mean] for mean in rows])
        for name, rows in means_s.items()
    }
    details = {name: [{"share": mean} for mean in rows] for name, rows in means_s.items()}
    return Observed(kind, kind, is_single, sums, details)


def test_the_jackknife_of_a_mean_is_students_interval() -> None:
    values = np.array([1.0, 2.0, 4.0, 7.0])
    found = intervals.jackknife(lambda sums: float(sums[0] / sums[1]), np.stack([values, np.ones(4)], axis=1))
    expected = intervals.mean(values)
    assert (found.value, found.count) == (pytest.approx(expected.value), 4)
    assert found.half_width == pytest.approx(expected.half_width)
    single = intervals.jackknife(lambda sums: float(sums[0]), [[3.0]])
    assert single.value == 3 and math.isnan(single.half_width)


def test_the_jackknife_covers_a_variation() -> None:
    """The variation of exponential times is 1: 95 % of intervals contain it, within three deviations."""
    random = np.random.Generator(np.random.PCG64(1))
    runs, held = 300, 0
    for _ in range(runs):
        times = random.exponential(size=(20, 400))
        sums = np.stack([np.full(20, 400.0), times.sum(axis=1), (times**2).sum(axis=1)], axis=1)
        found = intervals.jackknife(lambda row: float(row[2] * row[0] / row[1] ** 2 - 1), sums)
        held += found.low <= 1 <= found.high
    assert abs(held - 0.95 * runs) < 3 * math.sqrt(0.95 * 0.05 * runs)


def test_ratios_are_geometric_means_over_draws() -> None:
    seen = observed("drawn", DISK=[2.0, 8.0], MMD=[1.0, 1.0])
    ratio = seen.speedup("DISK", "MMD")
    logs = intervals.mean(np.log([2.0, 8.0]))
    assert ratio.value == pytest.approx(4)
    assert (ratio.low, ratio.high) == pytest.approx((math.exp(logs.low), math.exp(logs.high)))
    assert seen.variation("DISK", "MMD").value == pytest.approx(1)
    assert seen.averages("DISK") == {"share": 5.0}


def test_ratios_of_a_single_trace_are_those_of_all_its_requests() -> None:
    ratio = observed("one", is_single=True, DISK=[2.0, 8.0], MMD=[1.0, 1.0]).speedup("DISK", "MMD")
    assert ratio.value == pytest.approx(5) and ratio.low < 5 < ratio.high


def test_growth_bends_where_it_becomes_steeper() -> None:
    slow, middle, fast = ([value, 1.1 * value] for value in (1.0, 2.0, 8.0))
    seen = merged(
        {"x1": observed("a", MCD=slow), "x2": observed("a", MCD=middle), "x8": observed("a", MCD=fast)}
    )
    bend = seen.bend("MCD x1", "MCD x2", "MCD x8")
    assert (bend.value, bend.low, bend.high) == pytest.approx((2, 2, 2))


@pytest.mark.parametrize(
    ("ratios", "verdict", "elsewhere"),
    [
        ({DRAWN: [1.2, 1.3], CAPTURED: [1.1, 1.2]}, Verdict.SHAPE, Verdict.SHAPE),
        # Open on all inputs but one.
        ({DRAWN: [0.9, 1.3], CAPTURED: [0.9, 1.2], TRACED: [1.1, 1.2]}, Verdict.NOT_BORNE_OUT, Verdict.SHAPE),
        ({DRAWN: [1.2, 1.3], CAPTURED: [0.9, 1.2]}, Verdict.SHAPE, Verdict.NOT_BORNE_OUT),
        # The contrary on one input.
        ({DRAWN: [1.2, 1.3], CAPTURED: [1.1, 1.2], TRACED: [0.7, 0.8]}, Verdict.SHAPE, Verdict.NOT_BORNE_OUT),
    ],
)
def test_one_input_of_an_axis_decides_and_none_is_outvoted(
    ratios: dict[str, list[float]], verdict: Verdict, elsewhere: Verdict
) -> None:
    seen = [observed(kind, DISK=[1.0]) for kind in ratios]
    found = findings(seen, "a ratio", "above 1", lambda one: Interval(1.0, *ratios[one.name]), above(1))
    assert [one.input for one in found] == list(ratios)
    of_axis = {axis: {one.verdict for one in found if one.is_matched is axis} for axis in (True, False)}
    assert of_axis == {True: {verdict}, False: {elsewhere}}


def test_a_ratio_without_an_interval_leaves_the_answer_open() -> None:
    alone = Interval(3.0, math.nan, math.nan)
    assert above(1)(alone) is None and str(alone) == "3.00"


def test_the_inputs_are_drawn_captured_and_traced(tmp_path: Path) -> None:
    assert [one.kind for one in inputs(True, tmp_path)] == [DRAWN, DRAWN, CAPTURED, TRACED]
    day = drawn_days(True, draws=2)[1]
    traces = list(day.read())
    assert len({trace.arrival_ns[-1] for trace in traces}) == len(traces) == 2
    assert all("day=1999-01-14" in trace.source for trace in traces)


def test_what_is_observed_is_what_a_run_says() -> None:
    one = Input("demo", CAPTURED, ("demo",), replay="think")
    seen = observe(one, {"MCD": systems()["MCD"]})
    mcd = sledsim.volume("mcd", "fcfs", **{"mems.scheduler": "sptf"})
    run = sledsim.simulate(mcd, sledsim.demo_trace().transfers(), "fcfs", replay="think")
    summary = run.summary()
    assert seen.mean_s("MCD").value == pytest.approx(summary["mean_response_s"])
    assert seen.cv2("MCD").value == pytest.approx(summary["cv2_response"])
    by_disk = np.asarray(run.requests["where"].to_pylist()) == "disk"
    details = seen.averages("MCD")
    assert details["served_by_disk_alone"] == pytest.approx(by_disk.mean())
    others = ~by_disk & ~run.columns["metadata"]
    assert details["other_mems_response_s"] == pytest.approx(run.response_ns[others].mean() * 1e-9)
    assert details["disk_response_s"] == pytest.approx(run.response_ns[by_disk].mean() * 1e-9)
    shares = {row["device"]: row["share"] for row in run.devices}
    assert details["mems_share"] == shares["mems"]


def test_a_table_has_every_column() -> None:
    assert table([{"a": 1}, {"b": 2}]).to_pydict() == {"a": [1, None], "b": [None, 2]}


@pytest.mark.dear("experiments of a paper are simulated")
@needs_traces
def test_the_shapes_hold_on_drawn_days_captures_and_a_real_week() -> None:
    """MCD << MMD < DISK; MCD and MMCD vary less than DISK, MMD more; MMCD is fastest on drawn days alone."""
    for name in ("003-E-3", "003-E-4"):
        chapter = papers.run(name, quick=True, traces=TRACES)
        for found in chapter.result.claims:
            elsewhere = Verdict.NOT_BORNE_OUT if found.id == "003-C4" else Verdict.SHAPE
            expected = (Verdict.NOT_BORNE_OUT, None) if found.id == "003-C17" else (Verdict.SHAPE, elsewhere)
            assert (found.verdict, found.elsewhere) == expected, found
        inputs_of = {row.input for found in chapter.claims for row in found.findings}
        assert {CAPTURED, TRACED, *(f"drawn {day}" for day in DAYS)} <= inputs_of
