"""``sledsim study optimise``: the design that is best for a workload."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from .. import options
from ..output import print_json, print_result, print_text, write_result
from ..study_options import Varied, VaryingVolumeOption, simulating, subject_of
from ..targets import ROLE, OptionalDeviceOption

if TYPE_CHECKING:
    from ...exploration.optimising import Optimum


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
        print_result(found)
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
