"""Tables of a search for the best design: the front, and the effect of each parameter."""

from ..common.grids import Grid
from ..exploration.optimising.optimum import Optimum
from ..exploration.optimising.phrases import cell, heading_of, scale_of, shown

#: Largest number of designs in the table of the front, and largest number of values shown per parameter.
_FRONT, _VALUES = 12, 8


def parts(found: Optimum) -> list[Grid | str]:
    """Return sentences, the table of the front if there are two goals, and the table of parameters."""
    return [found.sentence(), *found.in_words(), *([_front(found)] if found.front else []), _learnt(found)]


def _front(found: Optimum) -> Grid:
    figures = list(found.best.figures)
    of = f": {_FRONT} of {len(found.front)} designs" if len(found.front) > _FRONT else ""
    title = f"Pareto front of both goals{of}"
    made = Grid((*found.best.values, *(f">{heading_of(name)}" for name in figures)), [], title)
    step = max(1.0, (len(found.front) - 1) / (_FRONT - 1))
    numbers = sorted({min(round(at * step), len(found.front) - 1) for at in range(_FRONT)})
    for one in (found.front[number] for number in numbers):
        # Six digits are shown, because adjacent designs of a front may be equal in four.
        cells = [f"{one.figures[name] * scale_of(name):,.6g}" for name in figures]
        made.add_row(*map(shown, one.values.values()), *cells)
    return made


def _learnt(found: Optimum) -> Grid:
    goals = [goal.figure for goal in found.aims.goals]
    headings = (f">{heading_of(name)}" for name in goals)
    title = "Effect of each parameter: the best design of the search for each value"
    made = Grid(("Parameter", "Value", ">Designs", *headings, ">Behind the best run (%)"), [], title)
    for name in dict.fromkeys(one.factor for one in found.values):
        own = [one for one in found.values if one.factor == name]
        # The worst value is shown besides the best ones, because it shows the effect of the parameter.
        known = [one for one in own if one.behind is not None]
        shown = [*known[: _VALUES - 1], *known[_VALUES - 1 :][-1:]]
        without = [one for one in own if one.behind is None]
        for one in shown:
            figures = [cell(goal, value) for goal, value in zip(goals, one.figures, strict=True)]
            behind = f"{100 * (one.behind or 0):.2f}"
            if one is shown[-1] and len(known) > len(shown):
                made.add_row("", f"({len(known) - len(shown):,} more)")
            made.add_row(name if one is shown[0] else "", one.value, f"{one.designs:,}", *figures, behind)
        # A value without a valid design also gets a row.
        for one in without[:_VALUES]:
            is_first = not shown and one is without[0]
            none = ["-"] * len(goals)
            made.add_row(name if is_first else "", one.value, f"{one.designs:,}", *none, "no valid design")
        if len(without) > _VALUES:
            made.add_row("", f"({len(without) - _VALUES:,} more)", "", *[""] * len(goals), "no valid design")
    return made
