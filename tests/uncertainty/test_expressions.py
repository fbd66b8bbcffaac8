"""Expressions: their values and errors, and protection of the parser from any text."""

import math
import operator
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, strategies as st

from sledsim import _native
from sledsim.uncertainty.expressions import (
    MOST_NESTED,
    MOST_OPERATIONS,
    Condition,
    parse_arithmetic,
    parse_condition,
    parse_constraint,
)
from sledsim.uncertainty.nodes import (
    Both,
    Comparison,
    Either,
    Figure,
    Measured,
    Negative,
    Not,
    Number,
    Operation,
    written,
)

NAN = math.nan
PIECES = (
    *(
        "p99",
        "sptf",
        "mean",
        "(",
        ")",
        "'",
        ",",
        "and",
        "or",
        "not",
        "<",
        "<=",
        ">",
        ">=",
        "+",
        "-",
        "*",
        "/",
    ),
    *("1", "2.5", ".", "e", "1e-3", "%", " ", "\n", "=", "zsptf:zone=120x1200", "\u00e9", "\0", "9" * 400),
)

WORDS = st.from_regex(r"[a-z_][a-z0-9_]{0,5}", fullmatch=True).filter(lambda w: w not in ("and", "or", "not"))
ARGUMENTS = st.one_of(
    WORDS, st.sampled_from(["osdi00", "a-b", "x.y", "zsptf:zone=1x2", "a b", "a:b=1,c=(2)"])
)
FIGURES = st.builds(Figure, WORDS, st.lists(ARGUMENTS, max_size=3).map(tuple))
NUMBERS = st.sampled_from(["0", "12", "0.4", "1e-3", "5%", "2."]).map(
    lambda text: Number(float(text.strip("%")) / (100 if "%" in text else 1), text)
)
NUMERIC = st.recursive(
    NUMBERS | st.builds(Measured, FIGURES),
    lambda inner: st.builds(Negative, inner) | st.builds(Operation, st.sampled_from("+-*/"), inner, inner),
    max_leaves=6,
)
LOGICAL = st.recursive(
    st.builds(Comparison, st.sampled_from(["<", "<=", ">", ">="]), NUMERIC, NUMERIC),
    lambda inner: st.builds(Not, inner) | st.builds(Both, inner, inner) | st.builds(Either, inner, inner),
    max_leaves=6,
)


def values_of(**values: object) -> dict[Figure, object]:
    return {Figure(name): value for name, value in values.items()}


@given(
    st.text()
    | st.lists(st.sampled_from(PIECES)).map("".join)
    | st.lists(st.sampled_from(PIECES)).map(" ".join)
)
def test_any_text_is_read_or_refused(text: str) -> None:
    for parse in (parse_condition, parse_constraint, parse_arithmetic):
        try:
            found = parse(text)
        except _native.ParameterError as error:
            if len(text) <= 1000:
                _, shown, caret = str(error).split("\n")
                assert caret.endswith("^")
                assert len(shown) <= 104 and len(caret) <= 54
        else:
            assert parse(str(found)) == found


@pytest.mark.dear("intervals are drawn many times")
@given(LOGICAL)
def test_conditions_are_read_as_they_are_written(tree: Comparison) -> None:
    assert parse_condition(written(tree)).tree == tree
    assert parse_condition(f"(({written(tree)}))".replace(" ", "  ")).tree == tree or "a b" in written(tree)


@pytest.mark.dear("intervals are drawn many times", every_change=True)
@given(NUMERIC)
def test_numbers_are_read_as_they_are_written(tree: Number) -> None:
    text = written(tree)
    if "(" not in text.replace("(a:b", ""):
        assert parse_arithmetic(text).tree == tree
    condition = parse_condition(f"{text} < 1").tree
    assert isinstance(condition, Comparison)
    assert condition.left == tree


@pytest.mark.dear("intervals are drawn many times", every_change=True)
@given(
    text=st.recursive(
        st.sampled_from(["a", "b", "c", "2", "0.5", "1e1"]),
        lambda inner: (
            st.builds("({} {} {})".format, inner, st.sampled_from("+-*/"), inner)
            | st.builds("{} {} {}".format, inner, st.sampled_from("+-*/"), inner)
            | st.builds("-{}".format, inner)
        ),
        max_leaves=12,
    ),
    a=st.floats(-10, 10),
    b=st.floats(-10, 10),
    c=st.floats(-10, 10),
)
def test_arithmetic_is_that_of_python(text: str, a: float, b: float, c: float) -> None:
    given_values = {"a": a, "b": b, "c": c}
    try:
        expected = eval(text, {}, given_values)
    except ZeroDivisionError:
        expected = NAN
    except OverflowError:
        return
    found = float(parse_arithmetic(text).value(given_values))
    assert found == pytest.approx(expected, nan_ok=True) or math.isinf(expected) or math.isnan(found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("10 - 4 - 3", 3),
        ("24 / 4 / 2", 3),
        ("-2 * -3", 6),
        ("2 - -3", 5),
        ("(1 + 2) * 3", 9),
        ("25% * 8", 2),
        ("1.5e2 + .5 + 2.", 152.5),
        ("7 / 0", NAN),
        ("50 * acceleration / 803.6 * spread", 50 * 700 / 803.6 * 1.1),
    ],
)
def test_arithmetic(text: str, expected: float) -> None:
    found = parse_arithmetic(text).value({"acceleration": 700, "spread": 1.1, "other": 0})
    assert found == pytest.approx(expected, nan_ok=True)


def test_arithmetic_goes_over_arrays() -> None:
    ratio = parse_arithmetic("a / b")
    assert ratio.names == ["a", "b"]
    found = ratio.value({"a": [1, 2, 3], "b": [[2], [0]]})
    assert np.array_equal(found, [[0.5, 1, 1.5], [NAN] * 3], equal_nan=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("not (a<b and c<d)", "not (a < b and c < d)"),
        ("(not a<b) and (c<d)", "not a < b and c < d"),
        ("(a<b or c<d) and (e<f or g<h)", "(a < b or c < d) and (e < f or g < h)"),
        ("(a<b and c<d) or (e<f)", "a < b and c < d or e < f"),
        ("a<b and (c<d and e<f)", "a < b and (c < d and e < f)"),
        ("((a<b) and c<d) and e<f", "a < b and c < d and e < f"),
        ("(a+b)*-(c-d) < (a-b)-(c+d)", "(a + b) * -(c - d) < a - b - (c + d)"),
        ("(a*b)/(c/d) >= -(-5%)", "a * b / (c / d) >= --5%"),
    ],
)
def test_no_parentheses_are_written_without_need(text: str, expected: str) -> None:
    assert str(parse_condition(text)) == expected
    assert parse_condition(expected) == parse_condition(text)


def test_figures() -> None:
    text = "p99(sptf) < p99('priority:of=sptf,levels=2') and mean(a-b, osdi00) < 2e-3 or p99(sptf) < energy_j"
    assert parse_condition(text).figures == [
        ("p99", ("sptf",)),
        ("p99", ("priority:of=sptf,levels=2",)),
        ("mean", ("a-b", "osdi00")),
        ("energy_j", ()),
    ]
    assert parse_condition("p99(zsptf:zone=120x1200,x-y.z) < 1").figures == [
        ("p99", ("zsptf:zone=120x1200", "x-y.z"))
    ]


@pytest.mark.dear("intervals are drawn many times", every_change=True)
@given(
    st.lists(
        st.tuples(*[st.sampled_from([-1.0, 0.0, 0.0, 1.0, 2.0, math.inf, NAN])] * 2), min_size=1, max_size=20
    )
)
def test_comparisons(pairs: list[tuple[float, float]]) -> None:
    left, right = np.array(pairs).T
    signs: dict[str, Callable[[object, object], object]]
    signs = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
    for sign, compared in signs.items():
        truth = parse_condition(f"a {sign} b").truth(values_of(a=left, b=right))
        known = ~np.isnan(left + right) | (np.isinf(left) & np.isinf(right))
        assert (truth.undefined == ~known).all()
        assert (truth.holds == (compared(left, right) & known)).all()
        assert (np.isnan(truth.margin) == truth.undefined).all()
        assert (truth.margin[truth.holds] >= 0).all()
        assert (truth.margin[truth.fails] <= 0).all()
        assert ((truth.margin == 0) == (left == right)).all()


def test_margins() -> None:
    def margin(text: str, **values: float) -> float:
        return float(parse_condition(text).margin(values_of(**values)))

    assert margin("a < b", a=0.9, b=1) == pytest.approx(0.1)
    assert margin("a < b", a=9, b=-10) == pytest.approx(-1.9)
    assert margin("a >= b", a=5, b=2) == pytest.approx(1.5)
    assert margin("a - b < 0", a=5, b=7) == 2
    assert margin("not a < b", a=0.9, b=1) == pytest.approx(-0.1)
    assert margin("a < b and a < 3", a=1, b=2) == pytest.approx(0.5)
    assert margin("a < b or a < 4", a=1, b=2) == pytest.approx(0.75)
    assert margin("a < b", a=1, b=math.inf) == math.inf


def test_unknown_figures_may_leave_an_answer_undefined() -> None:
    """A missing figure matters only if the rest does not decide."""
    yes, no, unknown = "1 < 2", "2 < 1", "a < 1"
    for text, holds, undefined in (
        (f"{yes} or {unknown}", True, False),
        (f"{no} or {unknown}", False, True),
        (f"{yes} and {unknown}", False, True),
        (f"{no} and {unknown}", False, False),
        (f"not {unknown}", False, True),
        (f"not ({no} and {unknown})", True, False),
        ("a < 1 and 1 / 0 < 2", False, True),
    ):
        found = parse_condition(text).truth(values_of(a=[NAN, NAN]))
        assert found.holds.tolist() == [holds] * 2, text
        assert found.undefined.tolist() == [undefined] * 2, text
        assert np.isnan(found.margin).tolist() == [undefined] * 2, text
        assert parse_condition(text).holds(values_of(a=[NAN, NAN]))[1].tolist() == [undefined] * 2


@pytest.mark.parametrize(
    ("text", "expected", "place"),
    [
        ("p99(sptf) < ", "a number, a figure or '(', found the end", 12),
        ("p99(sptf", "',' or ')', or the name in '...', found the end", 8),
        ("p99(a b) < 1", "',' or ')', or the name in '...', found 'b'", 6),
        ("mean() < 1", "the name of a policy, a device or a volume, in '...' if it has special chara", 5),
        ("mean('') < 1", "the name of a policy, a device or a volume, in '...' if it has special chara", 5),
        ("a < b < c", "'and', 'or' or the end, found '<'", 6),
        ("a == b", "an operation such as + or <, or the end, found '='", 2),
        ("a + (b < c) < 2", "a number, found a condition", 4),
        ("a and b < c", "a condition, such as a comparison by <, found a number", 0),
        ("b < c or not a", "a condition, such as a comparison by <, found a number", 13),
        ("p99(sptf)", "a condition, such as a comparison by <, found a number", 0),
        ("(a < b", "an operation such as + or <, or ')', found the end", 6),
        ("a < 1e999", "a number up to 1.8e308, found '1e999'", 4),
        ("a < 2 %%", "'and', 'or' or", 7),
        ("a < and", "a number, a figure or '(', found 'and'", 4),
        ("a <\n\u00e9", "a number, a figure or '(', found '\u00e9'", 4),
        ("", "a number, a figure or '(', found the end", 0),
    ],
)
def test_errors_point_at_the_place(text: str, expected: str, place: int) -> None:
    with pytest.raises(_native.ParameterError) as error:
        parse_condition(text, "holds")
    said, _, caret = str(error.value).split("\n")
    assert said.startswith(f"holds: expected {expected}")
    assert caret == "  " + " " * place + "^"


def test_arithmetic_has_names_only() -> None:
    with pytest.raises(
        _native.ParameterError, match=r"expression: expected an operation .* behind the name f"
    ):
        parse_arithmetic("2 * f(x)")
    with pytest.raises(_native.ParameterError, match="expected a number, found a condition"):
        parse_arithmetic("a < 2")
    assert str(parse_constraint("capacity_gib>=2")) == "capacity_gib >= 2"
    with pytest.raises(_native.ParameterError, match="constraint: expected"):
        parse_constraint("p99(sptf) < 2")


def test_texts_have_limits() -> None:
    parse_condition(f"{' + '.join(['1'] * MOST_OPERATIONS)} < 2")
    with pytest.raises(_native.ParameterError, match="expected up to 100 operations, found more"):
        parse_condition(f"{' + '.join(['1'] * (MOST_OPERATIONS + 1))} < 2")
    parse_condition(f"{'(' * MOST_NESTED}1{')' * MOST_NESTED} < 2")
    with pytest.raises(_native.ParameterError, match="parentheses up to 20 deep, found more"):
        parse_condition(f"(1) + {'(' * (MOST_NESTED + 1)}1{')' * (MOST_NESTED + 1)} < 2")
    parse_condition(f"{' + '.join(['(1)'] * (MOST_NESTED + 5))} < 2")
    with pytest.raises(_native.ParameterError, match="expected up to 1000 characters, found 1005"):
        parse_condition(f"a < {'1' * 1001}")
    with pytest.raises(_native.ParameterError, match="condition: expected a text, found int"):
        parse_condition(3)


def test_values_are_checked() -> None:
    condition: Condition = parse_condition("p99(sptf) < a")
    with pytest.raises(
        _native.ParameterError, match=r"condition: p99\(sptf\): expected an array of values, found none"
    ):
        condition.holds(values_of(a=1))
    with pytest.raises(_native.ParameterError, match="a: expected numbers, found 'x'"):
        parse_condition("a < 1").holds(values_of(a="x"))
    with pytest.raises(_native.ParameterError, match=r"shapes that broadcast, found \(2,\), \(3,\)"):
        parse_condition("a < b").holds(values_of(a=[1, 2], b=[1, 2, 3]))
    assert parse_condition("p99(sptf) < a").holds({("p99", ("sptf",)): [1, 3], ("a", ()): 2})[0].tolist() == [
        True,
        False,
    ]
    assert parse_condition("1 < 2 or a < 1").holds(values_of(a=[[1, 2]]))[0].shape == (1, 2)


def test_sums_in_another_order_are_equal() -> None:
    """A difference within rounding is no difference, and equal sides are not 'less'."""
    one, other = 0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1
    assert one != other
    for sign, holds in (("<", False), (">", False), ("<=", True), (">=", True)):
        truth = parse_condition(f"a {sign} b").truth(values_of(a=one, b=other))
        assert (bool(truth.holds), float(truth.margin)) == (holds, 0)
        assert bool(parse_condition(f"a - b {sign} 0").truth(values_of(a=one, b=other)).holds) is holds
    assert parse_condition("a < b").truth(values_of(a=1.0, b=1.0 + 1e-8)).holds


def test_margins_of_differences_are_parts_of_what_is_subtracted() -> None:
    margins = parse_condition("0 > a - b").margin(values_of(a=[1.0, 1.0], b=[1.1, 3.0]))
    assert margins == pytest.approx([0.1 / 2.1, 2 / 4])
