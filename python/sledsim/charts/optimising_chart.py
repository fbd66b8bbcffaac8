"""Charts of a search for the best design: progress, Pareto front, all designs, effects of parameters."""

import math
import re
import textwrap
from collections.abc import Sequence
from typing import Any

from ..common.ranking import is_less, ordered
from ..exploration.optimising.optimum import Design, Optimum
from ..exploration.optimising.phrases import heading_of, name_of, scale_of, shown
from ..pages.page import Table, table
from .grammar import alt, colour, plot, rule, tips
from .style import COLOURS, readable

_WIDTH, _HEIGHT = 500, 260
_WIDE = 1060
#: Largest number of characters in a line of the title.
_LINE = 150
#: Largest numbers of lines for the best and for other designs; share of the designs that counts as best.
_BEST_LINES, _OTHER_LINES, _BEST_SHARE = 40, 160, 0.25
#: Largest number of parameters that get an axis; those with the largest effect get one.
_AXES = 9
#: Largest number of designs that are drawn as points.
_MOST_POINTS = 3000
#: Largest number of values that are drawn for a parameter: those with the best designs.
_VALUES = 12
#: Largest number of labels on the axis of a parameter whose values are names; with more values, only the
#: first and the last value have a label.
_NAMED = 9
_KINDS = ("among the best", "others", "the choice")
#: Vega expression that breaks the name of an axis into one word per line, so that adjacent names do not
#: touch.
_LINE_HEIGHT = 12
_IN_LINES = "split(replace(datum.label, regexp('[_ ]', 'g'), '$&~'), '~')"


def optimising_chart(found: Optimum) -> Any:
    """Draw the search: progress, front (if there are two goals), all designs, and effects of parameters."""
    goals = found.aims.goals
    panels = [_so_far(found, at) for at in range(len(goals))]
    rows = [alt.hconcat(*panels, spacing=40)]
    rows += [_front(found)] if found.front else []
    rows += [_parallel(found), _learnt(found)]
    subtitle = [line for sentence in found.in_words() for line in textwrap.wrap(sentence, _LINE)]
    asked = ", ".join(
        f"{'most' if one.larger_is_better else 'least'} {heading_of(one.figure)}" for one in goals
    )
    asked += "".join(f", where {condition}" for condition in found.aims.constraints)
    title = textwrap.wrap(f"{found.workload} on {found.device}: {asked}. {found.sentence()}", _LINE)
    chart = readable(alt.vconcat(*rows, spacing=36).resolve_scale(color="independent"))
    chart.title = alt.TitleParams(title, subtitle=subtitle)
    return chart


def optimising_tables(found: Optimum) -> list[Table]:
    """Return a table of the designs that were run, with the chosen design and the front first."""
    rows = sorted(found.rows(), key=lambda row: (not row["is_best"], not row["on_front"]))
    names = list(dict.fromkeys(name for row in rows for name in row))
    return [table("Designs that were run", [{name: row.get(name) for name in names} for row in rows])]


def _value(design: Design, figure: str) -> float:
    return design.figures[figure] * scale_of(figure)


def _so_far(found: Optimum, at: int) -> Any:
    """Draw the progress of goal number `at`: designs that meet the constraints, and the best one so far."""
    goal = found.aims.goals[at]
    heading = heading_of(goal.figure)
    best = math.inf * goal.sign
    points, steps = list[dict[str, float]](), list[dict[str, float]]()
    # The brief runs come first; they use up a part of the budget.
    spent = math.ceil(found.screening)
    for done, design in enumerate(found.designs, spent + 1):
        if not design.meets:
            continue
        value = _value(design, goal.figure)
        points.append({"done": done, "value": value})
        if is_less(goal.sign * value, goal.sign * best):
            best = value
            steps.append({"done": done, "value": best})
    steps.append({"done": spent + len(found.designs), "value": best})
    step = math.ceil(len(points) / _MOST_POINTS)
    is_log = min(row["value"] for row in points) > 0
    kind: Any = {"type": "log"} if is_log else {"zero": False}
    y = alt.Y("value:Q", title=heading).scale(nice=False, **kind)
    x = alt.X("done:Q", title="Budget used (designs)").scale(nice=False)
    told = tips("done:Q | Budget used", f"value:Q | {heading} | ,.4g")
    dots = plot(points[::step], x=x, y=y, tooltip=told).mark_point(size=12, opacity=0.35, color=COLOURS[5])
    line = plot(steps, x=x, y=y, tooltip=told).mark_line(interpolate="step-after", color=COLOURS[3])
    word = "Most" if goal.larger_is_better else "Least"
    says = f"Designs that meet the constraints, and the best so far during the search: {heading}."
    return alt.layer(dots, line).properties(
        title=f"{word} {name_of(goal.figure)} so far", description=says, width=_WIDTH, height=_HEIGHT
    )


def _front(found: Optimum) -> Any:
    """Draw one goal over the other for designs that meet the constraints, and the Pareto front."""
    first, second = (goal.figure for goal in found.aims.goals)
    order = [one.number for one in found.front]
    members = {*order, found.best.number}
    every = [one for one in found.designs if one.meets and one.number not in members]
    others = _near(every, [one for one in found.designs if one.number in members], (first, second))
    step = max(1, math.ceil(len(others) / _MOST_POINTS))

    def rows(designs: Sequence[Design], kind: str) -> list[dict[str, Any]]:
        return [
            {"x": _value(one, first), "y": _value(one, second), "kind": kind, "number": one.number}
            | {"design": ", ".join(f"{name} = {shown(value)}" for name, value in one.values.items())}
            for one in designs
        ]

    kinds = ["beaten", "front", "the choice"]
    data = rows(others[::step], kinds[0]) + rows(found.front, kinds[1]) + rows([found.best], kinds[2])
    scale = alt.Scale(zero=False)
    channels = {
        "x": alt.X("x:Q", title=heading_of(first), scale=_axis_scale(data, "x", scale)),
        "y": alt.Y("y:Q", title=heading_of(second), scale=_axis_scale(data, "y", scale)),
        "tooltip": tips(
            "design:N | Design", f"x:Q | {heading_of(first)} | ,.4g", f"y:Q | {heading_of(second)} | ,.4g"
        ),
    }
    line = plot(data[len(others[::step]) : -1], **channels).mark_line(
        interpolate="step-after", color=COLOURS[1], strokeWidth=1
    )
    points = plot(data, **channels, color=colour("kind", "Design", kinds))
    return alt.layer(line, points.mark_point(filled=True, size=40)).properties(
        title="The front: no other design beats a design of the front in both goals",
        description="Designs near the front: along the front, a gain in one goal costs some of the other.",
        width=_WIDE,
        height=320,
    )


def _near(designs: Sequence[Design], front: Sequence[Design], goals: Sequence[str]) -> list[Design]:
    """Return the designs near the front: in each goal, at most four times the front's extent away from it.

    Designs further away would make the front tiny.
    """
    kept = list(designs)
    for goal in goals:
        values = [one.figures[goal] for one in front]
        reach = 4 * (max(values) - min(values) or abs(max(values)))
        kept = [one for one in kept if min(values) - reach <= one.figures[goal] <= max(values) + reach]
    return kept


def _axis_scale(rows: list[dict[str, Any]], name: str, plain: Any) -> Any:
    """Return a logarithmic scale if the values are positive and span a factor above 10, else `plain`."""
    values = [row[name] for row in rows]
    if min(values) > 0 and max(values) / min(values) > 10:
        return alt.Scale(type="log", nice=False, padding=12)
    return plain


def _parallel(found: Optimum) -> Any:
    """Draw parallel coordinates: a line per design across the axes of the parameters and goals."""
    goals = [goal.figure for goal in found.aims.goals]
    meeting = [one for one in found.designs if one.meets]
    first = found.aims.goals[0]
    # Designs of the front rank first, because all of them are good; the others rank by the first goal.
    front = {one.number for one in found.front}
    ranked = ordered(
        meeting, lambda one: one.number not in front, lambda one: first.sign * one.figures[first.figure]
    )
    count = min(_BEST_LINES, max(1, math.ceil(_BEST_SHARE * len(ranked))))
    others = ranked[count:]
    chosen = ranked[:count] + others[:: max(1, math.ceil(len(others) / _OTHER_LINES))]
    if all(one.number != found.best.number for one in chosen):
        chosen.append(found.best)
    axes = [_Axis(name, [one.values[name] for one in chosen]) for name in _telling(found)]
    axes += [_Axis(heading_of(name), [_value(one, name) for one in chosen]) for name in goals]
    best = {one.number for one in ranked[:count]}
    lines, alone = list[dict[str, Any]](), list[dict[str, Any]]()
    for at, design in enumerate(chosen):
        if design.number == found.best.number:
            alone = _line(axes, at, design.number, _KINDS[2])
        else:
            lines += _line(axes, at, design.number, _KINDS[0] if design.number in best else _KINDS[1])
    names = [axis.name for axis in axes]
    # A label of several lines grows downwards to the plot, so that it needs padding.
    room = 4 + _LINE_HEIGHT * max(len(re.findall("[_ ]", name)) for name in names)
    x = (
        alt.X("axis:N", sort=names, title=None)
        .axis(labelAngle=0, orient="top", labelOverlap=False, labelExpr=_IN_LINES, labelPadding=room)
        .scale(type="point", padding=0.3)
    )
    y = alt.Y("place:Q", axis=None).scale(domain=[-0.06, 1.06])
    scale = alt.Scale(domain=list(_KINDS), range=[COLOURS[0], "#cccccc", COLOURS[3]])
    channels = {
        "x": x,
        "y": y,
        "detail": "number:N",
        "color": alt.Color("kind:N", title="Designs", scale=scale).legend(symbolOpacity=1),
        "tooltip": tips("axis:N | Parameter", "value:N | Value", "number:Q | Design"),
    }
    drawn = plot(lines, **channels).mark_line(strokeWidth=1.2, opacity=0.55)
    choice = plot(alone, **channels).mark_line(strokeWidth=2.5)
    labels = [row for axis in axes for row in axis.labels()]
    told = plot(labels, x=x, y=y, text="text:N").mark_text(align="left", dx=5, fontSize=11)
    without = [name for name in found.best.values if name not in names]
    left_out = f" (least important, without an axis: {', '.join(without)})" if without else ""
    return alt.layer(drawn, choice, told).properties(
        title=f"Designs that meet the constraints{left_out}",
        description="One line per design: a parameter matters where the lines of good designs meet.",
        width=_WIDE,
        height=340,
    )


def _telling(found: Optimum) -> list[str]:
    """Return the parameters that get an axis: all of them, or the `_AXES` ones with the largest effect."""
    names = list(found.best.values)
    if len(names) <= _AXES:
        return names
    worst = dict.fromkeys(names, 0.0)
    for value in found.values:
        worst[value.factor] = max(worst.get(value.factor, 0.0), value.behind or 0.0)
    kept = ordered(names, lambda name: -worst[name], size=1)[:_AXES]
    return [name for name in names if name in kept]


def _line(axes: "Sequence[_Axis]", at: int, number: int, kind: str) -> list[dict[str, Any]]:
    return [
        {
            "axis": axis.name,
            "place": axis.places[at],
            "value": shown(axis.values[at]),
            "number": number,
            "kind": kind,
        }
        for axis in axes
    ]


class _Axis:
    """An axis of the parallel coordinates, with a position from 0 to 1 for each value."""

    def __init__(self, name: str, values: Sequence[Any]) -> None:
        self.name, self.values = name, values
        self._is_number = all(isinstance(one, int | float) and not isinstance(one, bool) for one in values)
        if self._is_number:
            low, high = min(values), max(values)
            self._ends = [low, high]
            self.places = [0.5 if low == high else (one - low) / (high - low) for one in values]
        else:
            self._ends = sorted(set(map(str, values)))
            last = max(1, len(self._ends) - 1)
            places = {text: at / last for at, text in enumerate(self._ends)}
            self.places = [places[str(one)] for one in values]

    def labels(self) -> list[dict[str, Any]]:
        """Return the labels of the axis: the two ends of a range of numbers, or the names of the values.

        With more than `_NAMED` names, only the first and the last are labels.
        """
        if self._is_number:
            low, high = self._ends
            both = [(0.0, low), (1.0, high)] if low != high else [(0.5, low)]
            return [{"axis": self.name, "place": at, "text": f"{value:,.4g}"} for at, value in both]
        last = max(1, len(self._ends) - 1)
        named = self._ends if len(self._ends) <= _NAMED else [self._ends[0], self._ends[-1]]
        return [{"axis": self.name, "place": self._ends.index(text) / last, "text": text} for text in named]


def _learnt(found: Optimum) -> Any:
    """Draw, per parameter, how far the best design with each value is behind the best of all designs."""
    panels = []
    for factor in found.factors.names:
        own = [one for one in found.values if one.factor == factor and one.behind is not None][:_VALUES]
        rows = [
            {"value": one.value, "behind": 100 * (one.behind or 0.0), "designs": one.designs} for one in own
        ]
        if not rows:
            continue
        order = [one.value for one in own]
        base = plot(
            rows,
            x=alt.X("behind:Q", title="Behind the best run (%)").scale(domainMin=0),
            y=alt.Y("value:N", sort=order, title=None).axis(labelLimit=200),
            tooltip=tips("value:N | Value", "behind:Q | Behind (%) | .2f", "designs:Q | Designs run"),
        )
        drawn = alt.layer(
            rule("x", 0, strokeDash=[3, 3]), base.mark_bar(height=3), base.mark_point(filled=True)
        )
        says = f"Distance of the best design with each value of {factor} from the best design of all."
        panels.append(drawn.properties(title=factor, description=says, width=250, height={"step": 18}))
    return alt.concat(*panels, columns=3, spacing=28)
