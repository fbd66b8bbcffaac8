"""Test comparisons with a paper, at the borders of each verdict, and their texts."""

import math

import pytest

from sledsim.papers import (
    Bound,
    Calibrated,
    Effect,
    Figure,
    OnInput,
    Range,
    Statement,
    Unpublished,
    Verdict,
    claim,
)
from sledsim.papers.shared.claims import stated
from sledsim.papers.shared.figures import exactly, less_by
from sledsim.papers.shared.findings import together
from sledsim.papers.shared.readings import Trial, best, reading
from sledsim.runs.intervals import Estimate


@pytest.mark.parametrize(
    ("printed", "ours", "verdict"),
    [
        ("0.72", 0.7249, Verdict.REPRODUCED),  # 1 % is 0.0072, more than half a digit.
        ("0.72", 0.7272, Verdict.REPRODUCED),
        ("0.72", 0.7273, Verdict.SHAPE),
        ("0.13", 0.135, Verdict.REPRODUCED),  # Half a digit is 0.005, more than 1 %.
        ("0.13", 0.125, Verdict.REPRODUCED),
        ("0.13", 0.1351, Verdict.SHAPE),
        ("19", 18.5, Verdict.REPRODUCED),
        ("19", 18.49, Verdict.SHAPE),
        ("2.00", 2.3, Verdict.SHAPE),
        ("2.00", 2.31, Verdict.CONTRADICTS),
        ("2.00", 1.7, Verdict.SHAPE),
        ("2.00", 1.69, Verdict.CONTRADICTS),
        ("-2.00", -2.01, Verdict.REPRODUCED),
        ("2.00", float("nan"), Verdict.CONTRADICTS),
    ],
)
def test_a_figure_at_the_borders(printed: str, ours: float, verdict: Verdict) -> None:
    assert Figure("x", printed, ours, "ms").verdict is verdict


def test_a_count_has_to_be_equal() -> None:
    assert Figure("x", "1350", 1350, exact=True).verdict is Verdict.REPRODUCED
    assert Figure("x", "1350", 1350.1, exact=True).verdict is Verdict.SHAPE
    assert Figure("x", "1350", 1350, exact=True).tolerance == "equal; shape ±15 %"


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (2.0, 2.725, Verdict.REPRODUCED),
        (2.0, 2.7151, Verdict.REPRODUCED),  # The printed number may have been rounded up.
        (2.0, 2.7149, Verdict.CONTRADICTS),
        (2.7249, 3.0, Verdict.REPRODUCED),
        (2.7251, 3.0, Verdict.CONTRADICTS),
        (float("nan"), 3.0, Verdict.CONTRADICTS),
    ],
)
def test_a_bound_at_its_ends(low: float, high: float, verdict: Verdict) -> None:
    assert Bound("x", "2.72", low, high).verdict is verdict


def test_how_a_bound_reads() -> None:
    bound = Bound("x", "2.72", high=2.59, unit="ms")
    assert (bound.paper, bound.found, bound.tolerance) == (
        "2.72 ms",
        "at most 2.590 ms",
        "possible, ±0.005 ms",
    )
    assert bound.difference == pytest.approx(2.59 / 2.72 - 1)
    assert Bound("x", "3", 1, 5).found == "at least 1.0 and at most 5.0"
    assert Bound("x", "3", 1, 5).difference == 0


@pytest.mark.parametrize(
    ("ours", "difference", "verdict"),
    [
        (0.85, 0, Verdict.REPRODUCED),
        (0.8703, 0, Verdict.REPRODUCED),
        (0.88003, 0.00003 / 0.88, Verdict.REPRODUCED),
        (0.95, 0.07 / 0.88, Verdict.SHAPE),
        (0.75, -0.10 / 0.85, Verdict.SHAPE),
        (1.1, 0.25, Verdict.CONTRADICTS),
    ],
)
def test_a_range_is_the_same_wherever_ours_lies(ours: float, difference: float, verdict: Verdict) -> None:
    found = Range("x", "0.85", "0.88", ours)
    assert (found.paper, found.verdict) == ("0.85 to 0.88", verdict)
    assert found.difference == pytest.approx(difference)
    assert found.found == f"{ours:.4f}"


def test_how_a_figure_reads() -> None:
    figure = Figure("x", "0.72", 0.72343, "ms")
    assert (figure.paper, figure.found) == ("0.72 ms", "0.7234 ms")
    assert figure.difference == pytest.approx(0.0048, abs=5e-5)
    assert figure.tolerance == "±0.0072 ms; shape ±15 %"
    assert Figure("x", "34560", 34560).found == "34,560"
    assert Figure("x", "703", 701.412, "µs").found == "701.41 µs"


def test_the_worst_finding_decides() -> None:
    good, bad = Statement("a", "b", "c", holds=True), Statement("a", "b", "c", holds=False)
    rough = Statement("a", "b", "c", holds=True, in_shape=True)
    unknown = Unpublished("a", "7 µs", "that computer")
    for findings, verdict in (
        ([good, good], Verdict.REPRODUCED),
        ([good, rough], Verdict.SHAPE),
        ([rough, unknown, good], Verdict.UNPUBLISHED),
        ([unknown, bad], Verdict.CONTRADICTS),
    ):
        assert claim("0-C1", "x", *findings, reason="because").verdict is verdict


def test_of_findings_as_bad_the_one_that_is_off_most_decides() -> None:
    near, far = Figure("a", "100", 105), Figure("b", "100", 90)
    words = Statement("c", "d", "e", holds=True, in_shape=True)
    for findings in ([words, near, far], [far, near, words]):
        found = claim("0-C1", "x", *findings)
        assert found.decisive is far and "-10.0%" in found.reason
    assert claim("0-C1", "x", words, Figure("a", "7", 7.0)).decisive is words


@pytest.mark.parametrize(
    ("printed", "ours", "half_width", "verdict"),
    [
        ("12", 12.4, 0.0, Verdict.REPRODUCED),
        ("12", 10.8, 0.8, Verdict.SHAPE),
        # As a ratio, 0.997 is within 15 % of 0.88.
        ("12", 0.3, 0.1, Verdict.CONTRADICTS),
        ("12", 25.0, 0.1, Verdict.CONTRADICTS),
        # Sign unclear, or even the contrary: a wide interval never helps.
        ("12", 12.0, 12.5, Verdict.CONTRADICTS),
        ("12", -12.0, 1.0, Verdict.CONTRADICTS),
        ("-12", -12.0, 1.0, Verdict.REPRODUCED),
        ("-12", 12.0, 1.0, Verdict.CONTRADICTS),
        ("-12", -5.9, 1.0, Verdict.CONTRADICTS),
    ],
)
def test_an_effect_is_compared_as_one(printed: str, ours: float, half_width: float, verdict: Verdict) -> None:
    assert Effect("x", printed, Estimate(ours, half_width, 5)).verdict is verdict
    assert Effect("x", printed, Estimate(ours, math.nan, 1)).verdict is Verdict.CONTRADICTS


def test_how_an_effect_reads() -> None:
    effect = Effect("x", "12", less_by(Estimate(0.89, 0.004, 20)), to="15")
    assert (effect.paper, effect.found, effect.verdict) == ("12 to 15 %", "11.00 ± 0.40 %", Verdict.SHAPE)
    assert effect.difference == pytest.approx(11 / 12 - 1)
    assert effect.tolerance == "±0.5 %; shape: clear sign, half to twice the paper's value"
    assert Effect("x", "12", exactly(14.2), to="15").verdict is Verdict.REPRODUCED
    assert Effect("x", "-12", exactly(-14.2), to="-15").difference == 0


def test_what_is_calibrated_is_right_in_shape_at_best() -> None:
    fits, off = Figure("x", "24", 24.0, "ms"), Figure("x", "24", 48.0, "ms")
    assert Calibrated(fits, "1 to 2 m").verdict is Verdict.SHAPE
    assert Calibrated(off, "1 to 2 m").verdict is Verdict.CONTRADICTS
    assert Calibrated(fits, "1 to 2 m").found == "24 ms; the paper's numbers allow 1 to 2 m"


def test_any_verdict_can_come_out_of_any_claim() -> None:
    assert claim("0-C1", "x", Figure("mean", "1.0", 2.0)).reason == (
        "Mean is 2.000, where the paper has 1.0 (+100.0%)."
    )
    because = {Verdict.SHAPE: "The springs are stiffer."}
    assert claim("0-C1", "x", Figure("mean", "1.0", 1.1), reason=because).reason == because[Verdict.SHAPE]
    assert claim("0-C1", "x", Figure("mean", "1.0", 2.0), reason=because).reason.startswith("Mean is 2.000")
    with pytest.raises(ValueError, match="expected at least one finding"):
        claim("0-C1", "x")


def test_what_was_tried_elsewhere_is_not_unpublished() -> None:
    assert OnInput("x", "3", "demo", "1.00", told=False).verdict is Verdict.NOT_BORNE_OUT
    assert OnInput("x", "3", "demo", "3.00", told=True).verdict is Verdict.SHAPE
    assert Unpublished("x", "7 µs", "that computer").verdict is Verdict.UNPUBLISHED


def on(input: str, told: bool | None, is_matched: bool = False) -> OnInput:
    return OnInput("x", "3", input, "1.00", told, is_matched=is_matched)


@pytest.mark.parametrize(
    ("matched", "others", "verdict", "elsewhere"),
    [
        ([True], [], Verdict.SHAPE, None),
        ([False], [True], Verdict.NOT_BORNE_OUT, Verdict.SHAPE),
        ([True, None], [True, False], Verdict.SHAPE, Verdict.NOT_BORNE_OUT),
        ([None], [None, True], Verdict.NOT_BORNE_OUT, Verdict.SHAPE),
        ([], [True], Verdict.UNPUBLISHED, Verdict.SHAPE),
        ([], [None], Verdict.UNPUBLISHED, Verdict.NOT_BORNE_OUT),
    ],
)
def test_another_input_changes_nothing_of_the_verdict_on_the_matched_one(
    matched: list[bool | None], others: list[bool | None], verdict: Verdict, elsewhere: Verdict | None
) -> None:
    findings = [on("drawn", told, is_matched=True) for told in matched] + [on("a disk", t) for t in others]
    for given in (findings, findings[::-1]):
        found = claim("0-C1", "x", *together(given))
        assert (found.verdict, found.elsewhere) == (verdict, elsewhere)
        assert found.decisive.is_matched is bool(matched)


def test_what_rests_on_a_reading_is_right_in_shape_at_best() -> None:
    exact, off = Figure("y", "1.0", 1.0), Figure("y", "1.0", 2.0)
    open_rule = reading("002-direction/up")
    assert claim("0-C1", "x", exact, readings=[open_rule]).verdict is Verdict.SHAPE
    assert claim("0-C1", "x", off, readings=[open_rule]).verdict is Verdict.CONTRADICTS
    trials = [
        Trial((open_rule,), found) for found in ((off, off), (exact, off), (off, exact), (exact, exact))
    ]
    assert [one.borne_out for one in trials] == [0, 1, 1, 2] and [one.is_whole for one in trials][-1]
    assert best(trials[:3]) is trials[1]
    assert trials[1].row()["all at once"] is False and trials[1].row()["borne out"] == "1 of 2"


def test_what_follows_from_the_parameters_stands_on_the_first_axis() -> None:
    figure, missed = Figure("y", "1.0", 1.0), on("a disk", False)
    found = claim("0-C1", "x", figure, missed)
    assert (found.verdict, found.elsewhere) == (Verdict.REPRODUCED, Verdict.NOT_BORNE_OUT)
    assert found.decisive is figure and "not borne out" in repr(found)
    assert (
        claim("0-C1", "x", figure, missed, reason={Verdict.NOT_BORNE_OUT: "That disk."}).reason
        == "That disk."
    )
    fitted = Calibrated(on("drawn", True, is_matched=True), "1 to 2")
    assert fitted.is_matched and not Calibrated(missed, "1 to 2").is_matched


def test_what_is_printed_stands_beside_each_value() -> None:
    count, *_, tips = stated("001-C3", 1350.0, 270.0, 34_560).findings
    assert (count.quantity, count.paper, count.tolerance[:5]) == ("cylinder", "1350 KiB", "equal")
    assert tips.paper == "34560" and tips.verdict is Verdict.REPRODUCED
    (words,) = stated("001-C30", ("1 ms", False)).findings
    assert (words.paper, words.verdict) == ("shorter", Verdict.CONTRADICTS) and "shape" in words.tolerance
    own = Figure("y", "1.0", 1.0)
    first, density, power = stated("000-C20", own, "a", "b").findings
    assert first is own and (density.found, power.paper) == ("needs a", "1/10")
    assert stated("003-C17", *4 * [("days", "x", True)]).findings[3].is_matched
    with pytest.raises(ValueError, match="longer"):
        stated("001-C3", 1350.0)
