"""Test the executable papers: verdicts follow from runs, every claim is listed, and the book is complete."""

import json
import math
import re
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

import sledsim
from sledsim import papers
from sledsim.papers import Bound, Claim, Figure, Verdict
from sledsim.papers.p001.e06_large_requests import in_one_track
from sledsim.papers.p001.reference_disk import reference_disk
from sledsim.papers.p002.e01_random import readings
from sledsim.papers.p002.table_2 import read_table_2

from .conftest import Quick
from .light import LIGHT, LIGHT_CLAIMS

#: Experiments of earlier versions, all of which stay.
BEFORE = (
    *("000-E-1", "000-E-2", "000-E-3", "000-E-4", "000-E-5", "000-E-6", "000-E-7", "000-E-8"),
    *("000-E-9", "000-E-10", "000-E-11", "000-E-12"),
    *("001-E-1", "001-E-2", "001-E-3", "001-E-4", "001-E-5", "001-E-6", "001-E-7", "001-E-8", "001-E-9"),
    *("001-E-10", "001-E-11", "001-E-12", "001-E-13", "001-E-14"),
    *("002-E-1", "002-E-2", "002-E-3", "002-E-4", "002-E-5", "002-E-6", "002-E-7"),
    *("002-E-8", "002-E-9", "002-E-10", "002-E-11"),
    *("003-E-1", "003-E-2", "003-E-3", "003-E-4", "003-E-5", "003-E-6", "003-E-7", "003-E-8"),
    *("003-E-9", "003-E-10"),
    *("004-E-1", "004-E-2", "004-E-3", "004-E-4", "004-E-5", "004-E-6", "004-E-7", "004-E-8", "004-E-9"),
)
EXPERIMENTS = tuple(row.id for row in papers.EXPERIMENTS)

#: Results of an independent check of the papers for each claim, in the words of the check: reproduced; in
#: shape; does not follow from the paper's own parameters; or input not published.
STATUS = {
    "OK": "000-C1 000-C5 000-C18 000-C22"
    " 001-C1 001-C2 001-C3 001-C4 001-C5 001-C6 001-C8 001-C9 001-C10 001-C12"
    " 001-C13 001-C15 001-C16 001-C20 001-C21 001-C24 001-C25 002-C1 002-C2 002-C3 002-C4 002-C11 002-C12"
    " 002-C13 002-C14 003-C1 004-C1 004-C2 004-C3 004-C5 004-C6 004-C7 004-C10 004-C11 004-C15 004-C16",
    "OK in synthetic": "000-C12",
    "~": "000-C2 000-C3 000-C9 000-C17 000-C20"
    " 001-C14 001-C17 002-C5 002-C8 002-C10 002-C15 003-C7 003-C9 003-C10"
    " 004-C9 004-C14",
    "OK if calibrated": "004-C8",
    "INPUT / ~": "000-C6 000-C7 000-C11 000-C16",
    "NO": "002-C6 002-C7 002-C9 004-C4",
    "inconsistent": "000-C21 003-C12",
    "half": "000-C13",
    "INPUT": "001-C19 001-C22 002-C16 000-C4 000-C8 000-C10 000-C14 000-C15 003-C2 003-C3 003-C4 003-C5"
    " 003-C6 003-C8 003-C11 003-C13 003-C14 004-C12 004-C13",
    "open": "000-C19",
    "parameter": "001-C18",
    "not derivable": "001-C7 001-C11",
    "cited": "001-C23",
}
#: Verdicts for these results. Another input bears out a direction at best, and a claim only with all parts.
ALLOWED = {
    "OK": Verdict.REPRODUCED,
    "OK in synthetic": Verdict.SHAPE,
    "~": Verdict.SHAPE,
    "OK if calibrated": Verdict.SHAPE,
    "INPUT / ~": Verdict.SHAPE,
    "NO": Verdict.CONTRADICTS,
    "inconsistent": Verdict.CONTRADICTS,
    "half": Verdict.NOT_BORNE_OUT,
    "INPUT": Verdict.UNPUBLISHED,
    "open": Verdict.NOT_BORNE_OUT,
    # Estimate without printed parts.
    "parameter": Verdict.SHAPE,
    # Disks that the paper only cites.
    "not derivable": Verdict.UNPUBLISHED,
    # The check had no such drive to simulate.
    "cited": Verdict.SHAPE,
}
#: Claims for which the rule for all figures, half a printed digit or 1 %, is stricter than the check. The
#: check allowed 0.011 ms per cell, a lowest access at 30 to 40 mm/s, and a line that starts at one; it
#: compared schedulers at one rate each, and took 4 % for nearly identical.
STRICTER = dict.fromkeys(("001-C12", "001-C20", "001-C21", "002-C12", "002-C13"), Verdict.SHAPE)
#: Claims for which the check compared effects as ratios, and took results of a fitted seek time as confirmed.
AS_EFFECTS = dict.fromkeys(("001-C13", "004-C5", "004-C6"), Verdict.SHAPE)
#: Claims for which the check divided two printed figures. The second of 002-C11 needs unpublished requests;
#: our streams are drawn by the rates of 000-C22 and the counts of 003-C1.
NOT_DIVIDED = {"002-C11": Verdict.UNPUBLISHED, "000-C22": Verdict.SHAPE, "003-C1": Verdict.SHAPE}
#: Claims for which the check used its own requests, which have fewer statistics of 004's than 004 prints.
OWN_REQUESTS = {"004-C7": Verdict.UNPUBLISHED}
#: Claims for which the check compared seeks only; density and power for 000-C20 are not printed.
SEEKS_ALONE = {"000-C20": Verdict.UNPUBLISHED}
#: Claims for which we have more loads and inputs than the check, each with an interval. The check has the
#: variation of C17 at one load, and queues of C18 on no whole hour; in bursts the policies of C6 are alike.
MORE_LOADS = dict.fromkeys(("000-C6", "000-C17"), Verdict.NOT_BORNE_OUT) | {"000-C18": Verdict.SHAPE}
#: Claims in two halves, whose half on SPTF is now a separate claim.
SPLIT = {"000-C13": Verdict.SHAPE}
#: Claims without an input in the check, which our inputs contradict.
TRIED = dict.fromkeys(("000-C10", "003-C6"), Verdict.NOT_BORNE_OUT)
#: Claims with more inputs than the check, which had no stream for C14, no bursty one for C8, and no inputs
#: like those of 003; our inputs bear the directions out.
MORE_INPUTS = dict.fromkeys(
    ("000-C8", "000-C14", "000-C15", "003-C2", "003-C3", "003-C4", "003-C5"),
    Verdict.SHAPE,
)
#: Claims for which the check compared space used by metadata with space reserved for them.
NOT_THE_SAME = {"003-C12": Verdict.UNPUBLISHED}
#: Claims for which the check took widths of bits fitted to the densities as printed ones.
FITTED = {"001-C10": Verdict.SHAPE}
#: Claims for which the check used its own disk, not that of 003, or asked if 26 nm give 1 Tb/in², although
#: 004 says that more is possible and also names 15 nm.
NEARER = dict.fromkeys(("003-C10", "004-C14"), Verdict.REPRODUCED)
#: Sentences of 001 and 002 without a number in the check: failing tips, edges, synchronous writes, the
#: busiest disk (2.4, 4.2, 6.1, 6.3), cantilevers and acceleration (2.1, 4.3).
SENTENCES = {
    **dict.fromkeys(("001-C27", "001-C28", "002-C18", "002-C19"), Verdict.REPRODUCED),
    **dict.fromkeys(("001-C26", "001-C30", "002-C17"), Verdict.SHAPE),
    "001-C29": Verdict.UNPUBLISHED,
}
#: Sentences of the papers that the check has no number for.
ADDED = {
    **dict.fromkeys(
        "000-C23 000-C26 000-C27 000-C28 000-C29 000-C30 003-C17 003-C18".split(),
        Verdict.NOT_BORNE_OUT,
    ),
    **dict.fromkeys("000-C24 000-C25 000-C31 000-C33 000-C34 003-C15 003-C16 004-C20".split(), Verdict.SHAPE),
    **dict.fromkeys("004-C17 004-C18 004-C19 004-C21 004-C22 004-C23 004-C24".split(), Verdict.UNPUBLISHED),
    "000-C32": Verdict.REPRODUCED,
}
#: Claims that a reading not tried by the check bears out.
READ = {"002-C9": Verdict.SHAPE}
_EACH = (
    READ,
    SPLIT,
    STRICTER,
    AS_EFFECTS,
    NOT_DIVIDED,
    OWN_REQUESTS,
    SEEKS_ALONE,
    MORE_LOADS,
    TRIED,
    MORE_INPUTS,
    NOT_THE_SAME,
    NEARER,
    FITTED,
)
DEVIATIONS = {name: verdict for group in _EACH for name, verdict in group.items()}
EXPECTED = {name: ALLOWED[status] for status, names in STATUS.items() for name in names.split()} | DEVIATIONS
EXPECTED |= ADDED | SENTENCES
#: Message for a claim that is not in the shipped table.
RENEW = "sledsim paper perturb EXPERIMENT --out FOLDER adds it to a copy of papers/book/reactions.json there"
#: Claims added later, with the verdicts of the shipped table.
SINCE = {name: found for name, found in papers.shipped_verdicts().items() if name not in EXPECTED}
EXPECTED |= {name: verdict for name, (verdict, _) in SINCE.items()}
#: Verdicts on other inputs, including those recorded on real traces.
ELSEWHERE = {
    **dict.fromkeys(
        (
            " 000-C10 000-C11 000-C13 000-C15 000-C16 000-C17 000-C18 000-C23 000-C24 000-C25 000-C26"
            " 000-C27 000-C28 000-C29 000-C30 000-C33 000-C7 000-C9 001-C22 002-C16 003-C4 004-C13"
            " 004-C23"
        ).split(),
        Verdict.NOT_BORNE_OUT,
    ),
    **dict.fromkeys(
        (
            " 000-C12 000-C14 000-C19 000-C20 000-C6 000-C8 003-C14 003-C2"
            " 003-C3 003-C5 003-C8 004-C12 004-C17 004-C18 004-C19 004-C21 004-C22 004-C24 004-C7"
        ).split(),
        Verdict.SHAPE,
    ),
    **{name: elsewhere for name, (_, elsewhere) in SINCE.items() if elsewhere},
}


def test_the_table_of_experiments_is_complete() -> None:
    assert [name for name in EXPERIMENTS if name in BEFORE] == [*BEFORE]
    counts = Counter(name for row in papers.EXPERIMENTS for name in row.claims)
    assert counts == dict.fromkeys(EXPECTED, 1), RENEW
    assert all(row.computes.endswith(".") and row.paper in papers.PAPERS for row in papers.EXPERIMENTS)
    # The docstring of a file begins with the id of its name, which is no part of the title.
    assert not any(row.title.startswith(row.paper) for row in papers.EXPERIMENTS)


@pytest.mark.dear("an experiment takes seconds", every_change=LIGHT)
@pytest.mark.parametrize("id", EXPERIMENTS)
def test_each_experiment_decides_the_claims_that_its_row_names(quick_chapter: Quick, id: str) -> None:
    chapter = quick_chapter(id)
    found = sorted(found.id for found in chapter.result.claims)
    assert found == sorted(chapter.experiment.claims)
    assert chapter.result.tables and chapter.result.devices


def test_only_what_deviates_is_listed_as_such() -> None:
    found = {name: ALLOWED[status] for status, names in STATUS.items() for name in names.split()}
    assert len(DEVIATIONS) == sum(map(len, _EACH))
    assert all(found[name] is not verdict for name, verdict in DEVIATIONS.items())


@pytest.mark.dear("an experiment takes seconds", every_change=LIGHT_CLAIMS)
@pytest.mark.parametrize("id", EXPECTED)
def test_the_verdict_is_that_of_the_independent_check(claim_of: Callable[[str], Claim], id: str) -> None:
    found = claim_of(id)
    said = [(row.quantity, row.paper, row.found) for row in found.findings]
    assert (found.verdict, found.elsewhere) == (EXPECTED[id], ELSEWHERE.get(id)), said


def test_a_seek_that_no_such_device_can_have(claim_of: Callable[[str], Claim]) -> None:
    bound = claim_of("002-C6").decisive
    assert isinstance(bound, Bound)
    assert math.isinf(bound.low) and bound.high == pytest.approx(2.590, abs=5e-4)


def test_the_printed_turnarounds_lie_between_the_readings() -> None:
    found = readings(sledsim.device("sigmetrics00"), 20_000)
    fixed, better = (found[mode] for mode in ("parity", "bidirectional"))
    assert better.turnaround_s.mean() < 0.31e-3 < fixed.turnaround_s.mean()
    assert better.turnarounds.mean() < 0.85 and fixed.turnarounds.mean() > 1


@pytest.mark.parametrize("seed", [1, 7, 8])
def test_the_service_of_002_hangs_on_no_draw(seed: int) -> None:
    model = sledsim.device("sigmetrics00")
    found = readings(model, 20_000, seed)
    used = found["parity_with_one_turnaround_a_switch"]
    figures = [
        Figure("mean", "1.96", used.service_s.mean() * 1e3),
        Figure("standard deviation", "0.46", used.service_s.std() * 1e3),
    ]
    assert [figure.verdict for figure in figures] == [Verdict.SHAPE] * 2
    # A switch is a turnaround and, at one end of the track, the way over its spare bits and back.
    switched_s = used.transfer_s - used.rows * model.characteristics()["row_s"]
    turns = switched_s[switched_s > 1e-9] / float(model.turnaround_s(0, 1))
    assert np.all(turns >= 0.999) and np.all(turns / turns.round() < 1.1)
    assert used.transfer_s.mean() < found["parity"].transfer_s.mean()


def test_a_large_read_in_one_track_is_computed_without_a_draw() -> None:
    model = sledsim.device("osdi00")
    best, fixed = (in_one_track(model, directions) for directions in ("best", "fixed"))
    rows = 26  # 512 blocks, 20 in a row.
    longest_s = float(model.seek_x_s(-50e-6, -50e-6 + 2499 * 40e-9))
    assert best[-1] == fixed[-1] == pytest.approx(longest_s + rows * model.characteristics()["row_s"])
    assert best[0] < fixed[0]
    # 001-C13 as checked independently: 8.9 %.
    assert 100 * (best[10] / best[0] - 1) == pytest.approx(8.9, abs=0.05)
    with pytest.raises(sledsim.ParameterError, match="tracks of at least 52 rows"):
        in_one_track(model.with_parameters(active_tips=640), "best")


@pytest.mark.dear("experiments of three papers are run")
def test_our_figures_are_those_of_the_independent_check(claim_of: Callable[[str], Claim]) -> None:
    def ours(id: str, finding: int = 0) -> float:
        figure = claim_of(id).findings[finding]
        assert isinstance(figure, Figure)
        return figure.ours

    assert ours("002-C1") == pytest.approx(0.7234, abs=5e-5)
    # The independent check uses the direction of the column, which is one reading of several.
    sled = sledsim.device("sigmetrics00")
    column = read_table_2(sled, readings(sled, 10_000))[0].trial
    assert column.readings[0].id == "002-direction/column"
    seek = column.findings[0]
    assert isinstance(seek, Figure) and seek.ours == pytest.approx(1.767, rel=5e-3)
    assert ours("001-C2") == pytest.approx(701.6, rel=1e-3)
    # Sums of the independent check's heights and widths at the four starts, one of them a single row high.
    assert claim_of("000-C2").findings[0].found == "13.0 in 0.3 ms, 5.6 in 0.4 ms"
    for figure in ("0.309", "0.386", "0.392", "0.483"):
        assert any(figure in text for text in [claim_of("000-C3").reason, *found_texts(claim_of("000-C3"))])
    assert "11.0 % with settling and 25.1 % without" in claim_of("001-C12").reason


def test_figure_9_is_drawn_in_the_readings_of_its_verdict(quick_chapter: Quick) -> None:
    (draw,) = quick_chapter("001-E-5").result.charts.values()
    panels = json.dumps(draw().to_dict(validate=False))
    assert list(dict.fromkeys(re.findall(r"Settling [\d.]+ ms", panels))) == [
        "Settling 0.21 ms",
        "Settling 0 ms",
    ]


@pytest.mark.dear("an experiment takes seconds")
def test_the_reference_disk_is_simulated(claim_of: Callable[[str], Claim]) -> None:
    """Check each zone: the sectors that pass in a turn, less the switches of every zone."""
    disk = reference_disk(quick=True)
    zones, turn_s = disk.zones, disk.model.characteristics()["revolution_s"]
    assert [zones[0]["sectors_per_track"], zones[-1]["sectors_per_track"]] == [334, 229]
    for zone in zones:
        medium = zone["sectors_per_track"] * 512 / turn_s
        assert 0.85 * medium < zone["streaming_bytes_per_s"] < medium
    figure = claim_of("001-C7").findings[0]
    assert isinstance(figure, Figure) and figure.ours == disk.gamma != pytest.approx(5.2, rel=1e-3)
    assert claim_of("001-C7").reason == (
        "Gamma of the CDC Wren-IV (1989), 26 in the paper, needs figures of that drive, which is only cited."
    )


SCHEDULING = ("001-E-2", "001-E-4", "002-E-9", "002-E-11")


@pytest.mark.dear("an experiment takes seconds")
@pytest.mark.parametrize("id", SCHEDULING)
def test_schedulers_are_tabled_and_drawn_with_their_intervals(quick_chapter: Quick, id: str) -> None:
    chapter = quick_chapter(id)
    *curves, ratios = list(chapter.result.charts)
    for title in curves:
        rows = chapter.result.tables[title].to_pylist()
        assert {row["scheduler"] for row in rows} == {"fcfs", "sstf_lbn", "clook_lbn", "sptf"}
        # A saturated point has no figures at all, any other has each of them with its interval, but for those
        # of rare requests, for which the runs may be too short.
        for row in rows:
            missing = {name for name, value in list(row.items())[4:] if value is None}
            if row["saturated"] or row["unsettled"]:
                assert missing == set(list(row)[4:]), row
            else:
                assert all(name.startswith(("cv2", "p95", "p99")) for name in missing), row
        assert any(row["saturated"] for row in rows)
    rows = chapter.result.tables[ratios].to_pylist()
    assert len({row["setting"] for row in rows}) == len(curves)
    assert all(row["ratio_low"] <= row["ratio"] <= row["ratio_high"] for row in rows)
    drawn = [draw().to_dict() for draw in chapter.result.charts.values()]  # Altair checks them.
    assert len(drawn[-1]["concat"]) == 6


@pytest.mark.dear("all experiments are run")
def test_what_an_independent_simulation_found_of_schedulers_is_within_our_runs(
    chapters: list[papers.Chapter],
) -> None:
    """A run of it and a run of ours are each one draw: its mean lies among those of ours."""
    rows = [
        row
        for chapter in chapters
        for title, table in chapter.result.tables.items()
        if title.startswith("Beside an independent simulation")
        for row in table.to_pylist()
        if not row["saturated"]
    ]
    assert {(row["scheduler"], row["rate_per_s"]) for row in rows} >= {
        (name, rate) for name in ("sstf_lbn", "clook_lbn", "sptf") for rate in (1250, 1600)
    }
    for row in rows:
        # Its figures are rounded: 2.7 ms.
        decimals = len(f"{row['independent_run_s'] * 1e3:.6g}".partition(".")[2] or "0")
        half_digit_s = 0.5e-3 * 10**-decimals
        assert row["shortest_run_s"] - half_digit_s < row["independent_run_s"], row
        assert row["independent_run_s"] < row["longest_run_s"] + half_digit_s, row


def found_texts(claim: Claim) -> list[str]:
    return [finding.found for finding in claim.findings]


def test_the_order_of_zones_is_that_of_figure_3() -> None:
    from sledsim.papers.p000.e02_zones import zone_order

    places = {
        (row["column"], row["row"], row["parity"]): row["order"] for row in zone_order(3, 2).to_pylist()
    }
    assert [places[0, 0, "even"], places[0, 1, "even"], places[0, 1, "odd"], places[0, 0, "odd"]] == [
        0,
        1,
        2,
        3,
    ]
    assert [places[1, 0, "even"], places[1, 1, "even"], places[1, 1, "odd"], places[1, 0, "odd"]] == [
        4,
        5,
        6,
        7,
    ]
    assert places[2, 0, "even"] == 8
