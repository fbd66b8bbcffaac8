"""Tables of an explained request: causes of its response time, services before it, and alternatives."""

from collections.abc import Iterator, Sequence

from ..common.grids import Grid, some
from ..common.units import duration, milliseconds
from ..runs.explanations.alternatives import Alternative
from ..runs.explanations.explanation import Explanation
from ..runs.explanations.gantt import text_bars
from ..runs.explanations.segments import DUE
from ..runs.explanations.served_meanwhile import WHICH, Served

#: Largest numbers of rows with services, alternatives and parameters; the page and JSON have all of them.
_SERVED, _OTHERWISE, _PARAMETERS = 12, 30, 10
#: Width of a bar in characters, which shows when a cause acted.
_BAR = 40


def parts(one: Explanation) -> Iterator[Grid | str]:
    """Yield the tables and sentences that show an explained request."""
    yield _due(one)
    yield " ".join(one.in_words())
    if one.parts and (where := _where(one)):
        yield where
    if one.served:
        yield _served(one)
    for kind, title in (("policy", "Under other policies"), ("layout", "With other layouts")):
        if found := one.of_kind(kind):
            yield _otherwise(one, found, title)
    yield from _parameters(one)


def _ms(ns: int) -> str:
    return milliseconds(ns * 1e-9)


def _due(one: Explanation) -> Grid:
    """Return a table of the causes of the response: time, share, and a bar that shows when each acted."""
    # The bars have non-breaking spaces, because HTML would merge ordinary spaces.
    bars = {due: bar.replace(" ", "\u00a0") for due, bar in text_bars(one.segments, _BAR).items()}
    rows = [(DUE[due], _ms(ns), f"{ns / one.response_ns:.1%}", bars[due]) for due, ns in one.due_ns.items()]
    rows.append(("response", _ms(one.response_ns), "", ""))
    heading = f"When, in {duration(one.response_ns * 1e-9)}"
    return Grid(("Due to", ">ms", ">Share", heading), [*rows])


def _where(one: Explanation) -> str:
    """Return a sentence on the motions within positioning, such as seek and settling; empty without any."""
    last = one.parts[-1]
    there = [f"{name.replace('_', ' ')} {duration(ns * 1e-9)}" for name, ns in last.motions_ns.items() if ns]
    if not there:
        return ""
    which = "Positioning" if len(one.parts) == 1 else "Positioning of the last part"
    return f"{which}, {duration(last.phases_ns['positioning'] * 1e-9)}: {', '.join(there)}.\n"


def _counted(one: Explanation) -> str:
    """Return in words how many requests were served first: "3 came earlier, 1 overtook it"."""
    words = {
        "earlier": "came earlier",
        "overtaking": "overtook it",
        "background": "for no request",
        "own_parts": "its other parts",
    }
    counts = {due: sum(each.due == due for each in one.served) for due in words}
    return ", ".join(f"{count:,} {words[due]}" for due, count in counts.items() if count)


def _served(one: Explanation) -> Grid:
    """Return a table of the requests whose service delayed the request most, in the order of service."""
    longest = sorted(one.served, key=lambda each: -each.waited_ns)[:_SERVED]
    rows = [_service(one, each) for each in sorted(longest, key=lambda each: each.start_ns)]
    left = len(one.served) - len(rows)
    if left:
        rest = sum(each.waited_ns for each in one.served) - sum(each.waited_ns for each in longest)
        rows.append((f"{left:,} others", "", "", _ms(rest), "", "", "", ""))
    costs = (">Queue", ">Its access ms", ">Instead ms", ">More ms")
    title = f"Served while it waited: {_counted(one)}"
    return Grid(("Request", ">After ms", "Which", ">Waited ms", *costs), [*rows], title)


def _service(one: Explanation, each: Served) -> tuple[str, ...]:
    costs = ("-", "-", "-", "-")
    if each.access_ns is not None and each.instead_access_ns is not None:
        more = each.instead_access_ns - each.access_ns
        costs = (f"{each.waiting:,}", _ms(each.access_ns), _ms(each.instead_access_ns), _signed(more))
    row = "-" if each.row is None else f"{each.row:,}"
    after = "before it came" if each.start_ns < one.arrival_ns else _ms(each.start_ns - one.arrival_ns)
    return (row, after, WHICH[each.due], _ms(each.waited_ns), *costs)


def _signed(ns: int) -> str:
    return f"{'+' if ns > 0 else '-' if ns < 0 else ''}{_ms(abs(ns))}"


def _change(one: Explanation, response_ns: int) -> str:
    return f"{response_ns / one.response_ns - 1:+.1%}" if one.response_ns else "-"


def _otherwise(one: Explanation, found: Sequence[Alternative], title: str) -> Grid:
    """Return a table of the response in the run and with each alternative; equal responses share a row."""
    by_ns: dict[int, list[str]] = {one.response_ns: ["in the run"]}
    for each in found:
        by_ns.setdefault(each.response_ns, []).append(each.name)
    rows = [(", ".join(names), _ms(ns), _change(one, ns)) for ns, names in sorted(by_ns.items())]
    more = [(text,) for text in some([""] * len(rows), _OTHERWISE)[_OTHERWISE:]]
    return Grid(("Which", ">Response ms", ">Change"), [*rows[:_OTHERWISE], *more], title)


def _parameters(one: Explanation) -> Iterator[Grid | str]:
    """Yield a table of the parameters with the largest effect, and sentences on the other parameters."""
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
    title = "With one parameter changed"
    yield Grid(("Parameter", ">Would be", ">Response ms", ">Change"), [*rows], title) if rows else title
    same = list(dict.fromkeys(each.name for each in found if each.name not in most))
    less = sorted(most.keys() - names)
    for said, those in (("Smaller effect", less), ("No effect", same)):
        if those:
            yield f"{said}: {', '.join(those)}."
