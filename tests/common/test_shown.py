"""Results in a session: a line, and in notebooks a small table without scripts and colours."""

import math
import re
from pathlib import Path

import html5lib
import pytest

import sledsim
from sledsim.cli.output import print_result
from sledsim.cli.terminal import seen
from sledsim.common import units
from sledsim.common.shown import Shown

from .shown import LINES, MAKERS, OF_METHODS, returned

#: Texts that break out of attributes, that no document may hold, or that are too long.
HOSTILE = '</td></table><script>alert(1)</script><!--"><img src=x onerror=alert(1)>'
HOSTILE += "'&lt;{{1}}\n\x00\x1b[31m\u2028"
LONG = HOSTILE + "long " * 200
#: Elements of a form.
OF_FORMS = set("DOCUMENT_FRAGMENT div p strong small code table thead tbody tr th td".split())


def check_terminal(made: Shown, printed: str) -> None:
    """Assert that a terminal shows the tables and sentences of the form in the order of a notebook."""
    form = made._form()
    parts, _ = form.read()
    at = 0
    for part in parts:
        texts = [part] if isinstance(part, str) else [name.removeprefix(">") for name in part.headings]
        for text in texts:
            # A name may hold control characters.
            word = seen(text.split(" ")[0].split("\n")[0])
            at = printed.index(word, at)


def test_every_class_that_is_returned_is_here() -> None:
    assert returned() | OF_METHODS == set(MAKERS)


@pytest.mark.dear("every kind of result is made", cases=("Holding", "Optimum", "Sensitivity"))
@pytest.mark.parametrize("kind", MAKERS, ids=lambda kind: kind.__name__)
def test_what_is_returned_is_shown_in_little_room(
    kind: type, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = MAKERS[kind](LONG, tmp_path)
    assert type(made) is kind
    line = repr(made)
    assert len(line) <= 200 and line.isprintable(), line
    assert not re.search(r"\bat 0x|array\(|function", line), line
    if kind not in LINES:
        check_form(made._repr_html_())
        monkeypatch.setenv("COLUMNS", "2000")
        print_result(made)
        check_terminal(made, capsys.readouterr().out)
    else:
        assert not hasattr(made, "_repr_html_")


def check_form(html: str) -> None:
    """Assert that browsers read a title, tables and sentences, without scripts and colours."""
    assert len(html) <= 60_000
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parseFragment(html)
    elements = list(tree.iter())
    assert {element.tag for element in elements} <= OF_FORMS
    for element in elements:
        assert element.attrib.get("style", "text-align: left") in ("text-align: left", "text-align: right")
        assert set(element.attrib) <= {"style"}
    assert tree.find("div/p/strong").text
    assert not set("\x00\x1b\u2028") & set(html)


def test_figures_have_units_and_rows_are_few(device: sledsim.Device) -> None:
    trace = sledsim.demo_trace()
    form = sledsim.compare(device, trace, "fcfs", range(1, 61))._repr_html_()
    assert "Mean ms" in form and form.count("<tr>") == 41
    assert "The first 40 of 60 rows." in form
    form = sledsim.simulate(device, trace)._repr_html_()
    assert "<code>plot()</code>" in form and "to_pandas()" in form
    assert re.search(r"mean response</td><td[^>]*>[\d.]+\u00a0ms<", form)
    assert "3.456\u00a0GB" in device._repr_html_()
    curves = sledsim.response_curves(device, "fcfs", [300], count=300)
    assert len(repr(curves)) <= 200 and " at 0x" not in repr(curves)
    check_form(curves._repr_html_())


def test_a_line_takes_no_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    found = sledsim.results.Comparison("osdi00", "demo", ())

    def points(self: object) -> list[object]:
        raise AssertionError("tables take time")

    monkeypatch.setattr(sledsim.results.Comparison, "workloads", property(points))
    assert repr(found) == "<sledsim.Comparison of 'demo' on 'osdi00': 0 points>"
    with pytest.raises(AssertionError, match="tables take time"):
        found._repr_html_()


@pytest.mark.parametrize(
    ("value", "text", "figure"),
    [
        *((0.0015, "1.5", "1.5 ms"), (math.nan, "-", "-"), (math.inf, "inf", "without end")),
        *((None, "-", "-"), ("", "", ""), (True, "yes", "yes"), ("few", "few", "few")),
    ],
)
def test_values_of_any_kind_are_written(value: object, text: str, figure: str) -> None:
    assert (units.text(value, units.of("mean_s")), units.figure("mean_s", value)) == (text, figure)
