"""``sledsim explain``: why a request of a run took as long as it did."""

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from ... import _native
from ...common.units import duration
from .. import options
from ..output import console, milliseconds, print_json, print_note, print_table, print_text, table, write_page
from ..progress import progress

if TYPE_CHECKING:
    from ...runs.explanations import Alternative, Explanation, Served
    from ...runs.run import Run


#: So many services, alternatives and parameters are told; a page and JSON have all.
_SERVED, _OTHERWISE, _PARAMETERS = 12, 30, 10
#: What the columns beside the bars take, and the shortest and longest bars.
_BESIDE, _SHORTEST, _LONGEST = 92, 20, 64


def print_slowest(made: "Sequence[Explanation]") -> None:
    """Print which requests took longest, a line each."""
    from ...runs.explanations.segments import IN_SHORT

    rows = []
    for one in made:
        due, ns = max(one.due_ns.items(), key=lambda pair: pair[1], default=("", 0))
        share = f"{ns / one.response_ns:.1%}" if one.response_ns else "-"
        at = (one.arrival_ns - made[0].begun_ns) * 1e-9
        kind = "write" if one.write else "read"
        rows.append(
            (
                *(f"{one.row:,}", f"{at:,.3f}", kind, f"{one.lbn:,}", f"{one.blocks:,}"),
                *(_ms(one.response_ns), IN_SHORT.get(due, "-"), share),
            )
        )
    which = (">Request", ">Came at s", "Kind", ">First sector", ">Sectors")
    made_table = table(*which, ">Response ms", "Due most to", ">Share", rows=rows)
    print_table(f"The slowest of {made[0].trace}" if made else None, made_table)


def print_explanation(one: "Explanation") -> None:
    """Print all that is known of a request."""
    print_table(f"Request {one.row:,} of {one.trace} on {one.device_name}, {one.scheduler}", _due(one))
    print_text(" ".join(one.in_words()) + "\n")
    if one.parts:
        print_text(_where(one))
    if one.served:
        print_table(f"Served while it waited: {_counted(one)}", _served(one))
    for kind, title in (("policy", "Under other policies"), ("layout", "With other layouts")):
        if found := one.of_kind(kind):
            print_table(title, _otherwise(one, found))
    _print_parameters(one)
    _print_impossible(one)


def _ms(ns: int) -> str:
    return milliseconds(ns * 1e-9)


def _due(one: "Explanation") -> Table:
    """What the response is due to, with a bar of when that was."""
    from ...runs.explanations import DUE
    from ...runs.explanations.gantt import text_bars

    width = min(_LONGEST, max(_SHORTEST, console().width - _BESIDE))
    bars = text_bars(one.segments, width)
    rows = [(DUE[due], _ms(ns), f"{ns / one.response_ns:.1%}", bars[due]) for due, ns in one.due_ns.items()]
    rows.append(("response", _ms(one.response_ns), "", ""))
    heading = f"When, in {duration(one.response_ns * 1e-9)}"
    return table("Due to", ">ms", ">Share", heading, rows=rows)


def _where(one: "Explanation") -> str:
    """What positioning consisted of, in a sentence."""
    last = one.parts[-1]
    there = [f"{name.replace('_', ' ')} {duration(ns * 1e-9)}" for name, ns in last.motions_ns.items() if ns]
    if not there:
        return ""
    which = "Its positioning" if len(one.parts) == 1 else "The positioning of its last part"
    return f"{which}, {duration(last.phases_ns['positioning'] * 1e-9)}: {', '.join(there)}.\n"


def _counted(one: "Explanation") -> str:
    """How many services of which kind."""
    words = {
        "earlier": "came earlier",
        "overtaking": "overtook it",
        "background": "for no request",
        "own_parts": "its other parts",
    }
    counts = {due: sum(each.due == due for each in one.served) for due in words}
    return ", ".join(f"{count:,} {words[due]}" for due, count in counts.items() if count)


def _served(one: "Explanation") -> Table:
    """Those of the services that it waited for longest, in the order in which they were served."""
    longest = sorted(one.served, key=lambda each: -each.waited_ns)[:_SERVED]
    rows = [_service(one, each) for each in sorted(longest, key=lambda each: each.start_ns)]
    left = len(one.served) - len(rows)
    if left:
        rest = sum(each.waited_ns for each in one.served) - sum(each.waited_ns for each in longest)
        rows.append((f"{left:,} others", "", "", _ms(rest), "", "", "", ""))
    costs = (">Queue", ">Its access ms", ">Instead ms", ">More ms")
    return table("Request", ">After ms", "Which", ">Waited ms", *costs, rows=rows)


def _service(one: "Explanation", each: "Served") -> tuple[str, ...]:
    from ...runs.explanations.served import WHICH

    costs = ("-", "-", "-", "-")
    if each.access_ns is not None and each.instead_access_ns is not None:
        more = each.instead_access_ns - each.access_ns
        costs = (f"{each.waiting:,}", _ms(each.access_ns), _ms(each.instead_access_ns), _signed(more))
    row = "-" if each.row is None else f"{each.row:,}"
    after = "before it came" if each.start_ns < one.arrival_ns else _ms(each.start_ns - one.arrival_ns)
    return (row, after, WHICH[each.due], _ms(each.waited_ns), *costs)


def _signed(ns: int) -> str:
    return f"{'+' if ns > 0 else '-' if ns < 0 else ''}{_ms(abs(ns))}"


def _change(one: "Explanation", response_ns: int) -> str:
    return f"{response_ns / one.response_ns - 1:+.1%}" if one.response_ns else "-"


def _otherwise(one: "Explanation", found: "Sequence[Alternative]") -> Table:
    """What the request would have taken, those that took the same together."""
    by_ns: dict[int, list[str]] = {one.response_ns: ["as it was"]}
    for each in found:
        by_ns.setdefault(each.response_ns, []).append(each.name)
    rows = [(", ".join(names), _ms(ns), _change(one, ns)) for ns, names in sorted(by_ns.items())]
    return table("Which", ">Response ms", ">Change", rows=rows[:_OTHERWISE])


def _print_parameters(one: "Explanation") -> None:
    """Print the parameters that change most, each with what it would have to be."""
    found = one.of_kind("parameter")
    if not found:
        return
    changed = [each for each in found if each.response_ns != one.response_ns]
    most: dict[str, int] = {}
    for each in changed:
        change = abs(each.response_ns - one.response_ns)
        most[each.name] = max(most.get(each.name, 0), change)
    names = sorted(most, key=lambda name: (-most[name], name))[:_PARAMETERS]
    ordered = sorted(changed, key=lambda each: float(each.value or 0))
    rows = [
        (name if at == 0 else "", f"{each.value:.6g}", _ms(each.response_ns), _change(one, each.response_ns))
        for name in names
        for at, each in enumerate(each for each in ordered if each.name == name)
    ]
    shown = table("Parameter", ">Would be", ">Response ms", ">Change", rows=rows) if rows else None
    print_table("With one parameter changed", shown)
    same = list(dict.fromkeys(each.name for each in found if each.name not in most))
    less = sorted(most.keys() - names)
    for said, those in (("Change less", less), ("Change nothing", same)):
        if those:
            print_text(f"{said}: {', '.join(those)}.")
    print_text("")


def _print_impossible(one: "Explanation") -> None:
    """Say which alternatives cannot be, for nothing is left out in silence."""
    values = ("" if each.value is None else f" = {each.value:.6g}" for each in one.impossible)
    names = [f"{each.name}{value}" for each, value in zip(one.impossible, values, strict=True)]
    if names:
        print_note(f"cannot be otherwise by itself ('--json' says why): {', '.join(names)}")


_NONE = "none"
#: A whole number, in groups of three digits or without.
_NUMBER = re.compile(r"-?(\d{1,30}|\d{1,3}(,\d{3}){1,9})", re.ASCII)


def explain(
    *,
    result: Annotated[
        Path, typer.Argument(metavar="RUN.parquet", help="A result that 'sledsim run --out' wrote.")
    ],
    rows: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ROW]...", help="The request, counted from 0 in the order of arrival; or several."
        ),
    ] = None,
    slowest: Annotated[
        int | None, typer.Option("--slowest", metavar="N", help="The N requests that took longest.")
    ] = None,
    what_if: Annotated[
        str,
        typer.Option(
            help="What to run the same arrivals with besides, one thing at a time: 'policy', 'layout' and "
            "'parameter' (at the ends of its range, or 10 % less and more), with commas between, or 'none'."
        ),
    ] = "policy,layout,parameter",
    report: Annotated[
        Path | None, options.of_output(metavar="PAGE.html", help="Write a web page: charts and tables.")
    ] = None,
    as_json: options.JsonOption = False,
) -> None:
    """Why did a request take so long? What its response is due to, and what would have changed it.

    The run is run again, exactly: the parts add up to the response, to the nanosecond.
    """
    from ...common.charted import check_report, write_explanations
    from ...runs.explanations.explain import MOST_ROWS

    kinds = _kinds(what_if)
    if bool(rows) == (slowest is not None):
        found = "both" if rows else "neither"
        raise _native.ParameterError(f"explain: expected ROW, or --slowest N, found {found}")
    if slowest is not None and not 1 <= slowest <= MOST_ROWS:
        raise _native.ParameterError(f"--slowest {slowest}: expected 1 to {MOST_ROWS:,} requests")
    named = [_row(text) for text in rows or ()]
    if report is not None:
        check_report(report)
    run = read_result(result)
    asked = named if slowest is None else run.slowest(slowest)
    made = _explained(run, result, asked, kinds)
    if as_json:
        print_json({"explanations": [one.as_dict() for one in made]})
    else:
        if slowest is not None:
            print_slowest(made)
        for one in made:
            print_explanation(one)
    if report is not None:
        write_page(partial(write_explanations, made), report)


def _kinds(text: str) -> tuple[str, ...]:
    """What else the requests are run with.

    Raises:
        ParameterError: There is no such thing, or nothing is named.
    """
    from ...runs.explanations.alternatives import KINDS

    named = [part.strip() for part in text.split(",")]
    if named == [_NONE]:
        return ()
    if not set(named) <= KINDS.keys():
        known = ", ".join(map(repr, KINDS))
        raise _native.ParameterError(
            f"--what-if: expected {known} with commas between, or {_NONE!r} alone, found {text!r}"
        )
    return tuple(named)


def _row(text: str) -> int:
    """A request by its number, which may have commas between thousands, as it is printed.

    Raises:
        ParameterError: It is no whole number.
    """
    if not _NUMBER.fullmatch(text):
        raise _native.ParameterError(f"ROW: expected a whole number such as 1234, found {text!r}")
    return int(text.replace(",", ""))


def read_result(path: Path) -> "Run":
    """The result in a file.

    Raises:
        ParameterError: It is a table alone, which does not say what it came from.
    """
    from ...runs.result_files import read_run

    if path.suffix.lower() in (".csv", ".json"):
        raise _native.ParameterError(
            f"{path}: expected a result that can be run again, as 'sledsim run --out run.parquet' writes it,"
            f" found a {path.suffix} file"
        )
    with progress("Reading", None):
        return read_run(path)


def _explained(run: "Run", path: Path, rows: list[int], kinds: tuple[str, ...]) -> "list[Explanation]":
    """Explain requests, and say of which file it is if that cannot be.

    Raises:
        ParameterError: There is no such request.
        TraceError: The result has not what is needed, or is of another version.
    """
    from ...model.tables import table
    from ...runs.explanations.explain import check_rows, runs_needed

    check_rows(rows, len(run.response_ns))
    policy = re.split("[:+,]", run.settings.scheduler)[0]
    if policy not in table("schedulers"):
        raise _native.TraceError(
            f"{path}: scheduler: expected a policy that is known, found {policy!r}: write"
            " 'sledsim --register FILE.py:CLASS explain ...', or install the package that has it"
        )
    try:
        with progress("Running again", runs_needed(run.settings, kinds)) as report:
            return run.explain(rows, kinds, progress=report)
    except (_native.TraceError, _native.ParameterError, OSError) as error:
        raise _native.TraceError(f"{path}: {error}") from None
