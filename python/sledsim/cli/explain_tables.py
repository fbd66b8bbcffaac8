"""An explanation of a request for people: what it is due to, whom it waited for, what else could be."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table

from ..common.units import duration
from .output import console, milliseconds, print_note, print_table, print_text, table

if TYPE_CHECKING:
    from ..runs.explanations import Alternative, Explanation, Served

#: So many services, alternatives and parameters are told; a page and JSON have all.
_SERVED, _OTHERWISE, _PARAMETERS = 12, 30, 10
#: What the columns beside the bars take, and the shortest and longest bars.
_BESIDE, _SHORTEST, _LONGEST = 92, 20, 64


def print_slowest(made: "Sequence[Explanation]") -> None:
    """Print which requests took longest, a line each."""
    from ..runs.explanations.segments import IN_SHORT

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
    headings = ("Request", "Came at s", "First sector", "Sectors", "Response ms", "Share")
    made_table = table(
        *("Request", "Came at s", "Kind", "First sector", "Sectors", "Response ms", "Due most to", "Share"),
        numbers=headings,
        rows=rows,
    )
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
    from ..runs.explanations import DUE
    from ..runs.explanations.gantt import text_bars

    width = min(_LONGEST, max(_SHORTEST, console().width - _BESIDE))
    bars = text_bars(one.segments, width)
    rows = [(DUE[due], _ms(ns), f"{ns / one.response_ns:.1%}", bars[due]) for due, ns in one.due_ns.items()]
    rows.append(("response", _ms(one.response_ns), "", ""))
    heading = f"When, in {duration(one.response_ns * 1e-9)}"
    return table("Due to", "ms", "Share", heading, numbers=("ms", "Share"), rows=rows)


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
    headings = ("After ms", "Waited ms", "Queue", "Its access ms", "Instead ms", "More ms")
    return table(
        *("Request", "After ms", "Which", "Waited ms", "Queue", "Its access ms", "Instead ms", "More ms"),
        numbers=headings,
        rows=rows,
    )


def _service(one: "Explanation", each: "Served") -> tuple[str, ...]:
    from ..runs.explanations.served import WHICH

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
    return table("Which", "Response ms", "Change", numbers=("Response ms", "Change"), rows=rows[:_OTHERWISE])


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
    headings = ("Would be", "Response ms", "Change")
    shown = table("Parameter", *headings, numbers=headings, rows=rows) if rows else None
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
