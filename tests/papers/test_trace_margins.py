"""Test 001-E-3 and 002-E-10: the margin of SPTF on inputs for TPC-C and for Cello."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import sledsim
from sledsim import papers
from sledsim.papers import Verdict
from sledsim.papers.shared.disk_traces import HIGH, LIKE_CELLO, LIKE_TPCC, Input, _traced
from sledsim.papers.shared.hp_disks import FILES, TPCC_FILE, read_disks, read_tpcc
from sledsim.papers.shared.policy_curves import RESPONSE
from sledsim.papers.shared.trace_margins import _claim, _told
from sledsim.runs import intervals
from sledsim.runs.curve_points import CurvePoint
from sledsim.runs.curves import Curves
from sledsim.runs.intervals import Estimate

TRACES = Path(__file__).parents[3] / "shared" / "traces"
needs_traces = pytest.mark.skipif(
    not all(any(TRACES.glob(f"*/{name}")) for name in (*FILES, TPCC_FILE)),
    reason="the traces of HP and of TPC-C are not beside this checkout",
)


#: Response times of five replications with mean 1 that differ by a tenth either way.
SPREAD = np.array([0.9, 0.95, 1.0, 1.05, 1.1])


def made(like: str, *ratios: float) -> Input:
    """Return an input on which SPTF responds in these fractions of the other times, at the high loads."""
    points = [
        CurvePoint(name, load, False, {RESPONSE: intervals.mean(times)}, {RESPONSE: times})
        for load, ratio in zip(HIGH, ratios, strict=False)
        for name, times in (("sstf_lbn", SPREAD), ("clook_lbn", SPREAD), ("sptf", ratio * SPREAD))
    ]
    curves = Curves("a device", like, "rate_per_s", points, {"confidence": 0.95})
    return Input(like, like, True, {load: load for load in HIGH}, curves)


@pytest.mark.parametrize(
    ("ratios", "expected"),
    [((0.6, 0.7), True), ((0.6, 0.9), False), ((0.6, 0.86), None), ((1.3,), False), ((), None)],
)
def test_a_margin_is_much_larger_beyond_15_per_cent(ratios: tuple[float, ...], expected: bool | None) -> None:
    assert _told([Estimate(ratio, 0.02, 5) for ratio in ratios]) is expected


@pytest.mark.parametrize(
    ("database", "server", "verdict"),
    [
        ((0.5, 0.4, 0.3), (0.9, 0.9, 0.9), Verdict.SHAPE),
        ((0.5, 0.4), (0.9, 0.9, 0.9), Verdict.SHAPE),  # Loads that both sustain.
        ((0.5, 0.8), (0.9, 0.9), Verdict.NOT_BORNE_OUT),
        ((0.9, 0.9), (0.9, 0.9), Verdict.NOT_BORNE_OUT),
        ((0.9, 0.9), (0.5, 0.4), Verdict.NOT_BORNE_OUT),
    ],
)
def test_the_claim_follows_from_the_margins(
    database: tuple[float, ...], server: tuple[float, ...], verdict: Verdict
) -> None:
    assert _claim("002-C16", [made(LIKE_TPCC, *database), made(LIKE_CELLO, *server)]).elsewhere is verdict
    # Claim 001-C22 has the traces reversed.
    assert _claim("001-C22", [made(LIKE_CELLO, *database), made(LIKE_TPCC, *server)]).elsewhere is verdict


@pytest.mark.dear("experiments of a paper are simulated")
def test_first_come_first_served_is_as_busy_as_a_load_says() -> None:
    capture = sledsim.demo_trace().transfers()
    one = _traced("twice", LIKE_CELLO, "osdi00", [capture, capture])
    point = one.curves.point("fcfs", one.loads[0.3])
    assert point is not None
    assert point.estimates["utilization"].value == pytest.approx(0.3, rel=0.05)


def test_traces_may_lie_in_folders_of_the_folder(tmp_path: Path) -> None:
    assert read_tpcc(tmp_path) == []
    (tmp_path / "mqsim").mkdir()
    with pa.output_stream(tmp_path / "mqsim" / TPCC_FILE, compression="zstd") as file:
        file.write(b"100 1 8 16 1\n200 0 24 8 0\n300 1 32 8 1\n")
    assert [disk.lbn.tolist() for disk in read_tpcc(tmp_path)] == [[24], [8, 32]]
    with pytest.raises(sledsim.ParameterError, match=r"or in a subfolder, .*; found no cello"):
        papers.check_traces(tmp_path)
    for name in FILES:
        (tmp_path / "mqsim" / name).touch()
    papers.check_traces(tmp_path)


@pytest.mark.dear("experiments of a paper are simulated")
@needs_traces
def test_real_excerpts_bear_out_neither_sentence() -> None:
    disks = read_tpcc(TRACES)
    assert (len(disks), sum(map(len, disks))) == (16, 6999)
    cello = [disk.trace for disk in read_disks(TRACES) if disk.name.startswith("cello")]
    used = [_traced(LIKE_TPCC, LIKE_TPCC, "osdi00", disks), _traced(LIKE_CELLO, LIKE_CELLO, "osdi00", cello)]
    claim = _claim("002-C16", used)
    assert claim.elsewhere is Verdict.NOT_BORNE_OUT and "; not borne out" in claim.decisive.found
    # The sentence of 001 stays open: the margin is larger on Cello, but not clearly by 15 %.
    other = _claim("001-C22", used)
    assert other.elsewhere is Verdict.NOT_BORNE_OUT
    assert all("; open" in found.found for found in other.findings)
