"""``sledsim study optimise``: the design that is best for a workload."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from .. import options
from ..output import print_json, print_table, print_text, table, write_result
from ..study_options import Varied, VaryingVolumeOption, simulating, subject_of
from ..targets import ROLE, OptionalDeviceOption

if TYPE_CHECKING:
    from rich.table import Table

    from ...exploration.optimising import Optimum

#: So many members of a front, and values of a parameter, are printed.
_FRONT, _VALUES = 12, 8


@dataclass(frozen=True)
class Searched(Varied):
    """What is wanted, what varies, and how it is looked for: a group of options."""

    usual: ClassVar[str] = "wrap"
    past_end: options.WrappingOption = None
    minimise: Annotated[
        list[str] | None,
        typer.Option(help="A figure that is to be small: mean, p99, energy, ..., or a whole name."),
    ] = None
    maximise: Annotated[
        list[str] | None, typer.Option(help="A figure that is to be large; one or two goals in all.")
    ] = None
    subject_to: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CONDITION",
            help="What is to hold, as 'capacity_gib >= 2' or 'p99 < 20e-3': figures in s, J, W and bytes, "
            "energy_j, capacity_gib, and what varies; may be given several times.",
        ),
    ] = None
    budget: Annotated[int, typer.Option(help="Designs that the search runs, at most.", min=1)] = 1000
    sampler: Annotated[
        str,
        typer.Option(
            help="What asks for designs: 'descent', or 'tpe', which needs optuna (sledsim\\[optimise])."
        ),
    ] = "descent"
    compared: Annotated[int, typer.Option(help="How many of the best are compared again.", min=1)] = 10
    indifference: Annotated[
        float, typer.Option(help="A part of a figure that does not matter, such as 0.01.")
    ] = 0.01
    held_out: Annotated[
        float,
        typer.Option(
            help="The part of a trace that the search does not see, and by which its choice is judged; 0 is "
            "none. Of a workload that is drawn these are other seeds."
        ),
    ] = 0.3

    def asked(self) -> dict[str, Any]:
        """What `optimise` is told of it."""
        names = ("budget", "sampler", "compared", "indifference", "held_out", "scheduler")
        goals = {name: getattr(self, name) or () for name in ("minimise", "maximise", "subject_to")}
        return goals | {name: getattr(self, name) for name in names}


def optimise(
    *,
    workload: options.TraceArgument,
    device_name: OptionalDeviceOption = None,
    volume: VaryingVolumeOption = None,
    searched: Searched,
    as_json: options.JsonOption = False,
) -> None:
    """Find the design that is best for a workload: format, policy, time-out, tips, settings of a volume.

    A search runs a part of all designs; the best of these are compared under the same requests until it is
    known which is the best, and that is judged by requests that the search has not seen.
    """
    from ...exploration.optimising import optimise as find
    from ...exploration.optimising.optimise import work
    from ...exploration.optimising.result import NAME

    subject = subject_of(device_name, volume, searched.settings)
    factors = searched.factors([subject])
    how = searched.measuring(workload, [subject])
    if searched.out is not None:
        from ...common.files import check_folder

        check_folder(searched.out, NAME)
    points = work(how["workload"].is_drawn, how["replications"], searched.budget, searched.compared)
    with simulating(points, searched.out) as report:
        found = find(
            device=subject,  # type: ignore[arg-type]
            over=factors,
            progress=report,
            **searched.asked(),
            **how,
        )
    if as_json:
        print_json(_as_json(found))
    else:
        _print(found)
        changes = dict(found.best.changes)
        policy = changes.pop("scheduler", searched.scheduler)
        named = [] if device_name is None else ["--device", device_name]
        where = ["--volume", volume] if volume else named
        # A sweep takes both for one of several.
        changes = {ROLE: device_name, **changes} if volume and device_name else changes
        command = searched.again(workload, where, changes, [policy], how["count"], "best")
        print_text(f"\nIt alone{_under(found)}: {command}")
    write_result(found, searched.out)


def _under(found: "Optimum") -> str:
    return ", under the whole trace" if found.is_trace and found.held_out is not None else ""


def _as_json(found: "Optimum") -> dict[str, Any]:
    return {
        "device": found.device,
        "workload": found.workload,
        "goals": [str(goal) for goal in found.aims.goals],
        "subject_to": [str(condition) for condition in found.aims.constraints],
        "best": asdict(found.best),
        "second": None if found.second is None else asdict(found.second),
        "selected": None if found.selected is None else asdict(found.selected),
        "front": [asdict(one) for one in found.front],
        "designs": found.runs,
        "of": found.size,
        "brief_looks": found.screened,
        "cost_in_designs": found.cost,
        "equal": found.equal,
        "impossible": dict(found.impossible),
        "learnt": [asdict(one) for one in found.values],
        "held_out": None if found.held_out is None else asdict(found.held_out),
        "sentence": found.sentence(),
        "in_words": found.in_words(),
    }


def _print(found: "Optimum") -> None:
    print_text(found.sentence())
    print_text("\n".join(found.in_words()) + "\n")
    if found.front:
        of = f": {_FRONT} of {len(found.front)} designs" if len(found.front) > _FRONT else ""
        print_table(f"The front, which no other design beats in both goals{of}", _front(found))
    print_table("What each parameter did: the best design of the search with each value", _learnt(found))


def _front(found: "Optimum") -> "Table":
    from ...exploration.optimising.words import heading_of, scale_of, shown

    figures = list(found.best.figures)
    made = table(*found.best.values, *(f">{heading_of(name)}" for name in figures))
    step = max(1.0, (len(found.front) - 1) / (_FRONT - 1))
    numbers = sorted({min(round(at * step), len(found.front) - 1) for at in range(_FRONT)})
    for one in (found.front[number] for number in numbers):
        # Neighbours on a front may be alike in four digits.
        cells = [f"{one.figures[name] * scale_of(name):,.6g}" for name in figures]
        made.add_row(*map(shown, one.values.values()), *cells)
    return made


def _learnt(found: "Optimum") -> "Table":
    from ...exploration.optimising.words import cell, heading_of

    goals = [goal.figure for goal in found.aims.goals]
    headings = (f">{heading_of(name)}" for name in goals)
    made = table("Parameter", "Value", ">Designs", *headings, ">Behind the best run (%)")
    for name in dict.fromkeys(one.factor for one in found.values):
        own = [one for one in found.values if one.factor == name]
        # The best ones, and the worst that is possible, which says what the parameter is worth.
        known = [one for one in own if one.behind is not None]
        shown = [*known[: _VALUES - 1], *known[_VALUES - 1 :][-1:]]
        without = [one for one in own if one.behind is None]
        for one in shown:
            figures = [cell(goal, value) for goal, value in zip(goals, one.figures, strict=True)]
            behind = f"{100 * (one.behind or 0):.2f}"
            if one is shown[-1] and len(known) > len(shown):
                made.add_row("", f"({len(known) - len(shown):,} more)")
            made.add_row(name if one is shown[0] else "", one.value, f"{one.designs:,}", *figures, behind)
        # That none will do is a thing to know, too.
        for one in without[:_VALUES]:
            is_first = not shown and one is without[0]
            none = ["-"] * len(goals)
            made.add_row(name if is_first else "", one.value, f"{one.designs:,}", *none, "none will do")
        if len(without) > _VALUES:
            made.add_row("", f"({len(without) - _VALUES:,} more)", "", *[""] * len(goals), "none will do")
    return made
