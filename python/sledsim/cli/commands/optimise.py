"""``sledsim study optimise``: find the best design for a workload."""

from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from ...common.declared import default_of
from ...exploration.question_options import OptimisingOptions
from .. import command_options as options
from ..output import print_json, print_result, print_text, write_result
from ..shared import option
from ..study_options import Varied, VaryingVolumeOption, simulating, subject_of
from ..targets import ROLE, OptionalDeviceOption

if TYPE_CHECKING:
    from ...exploration.optimising import Optimum


_option, _default = partial(option, OptimisingOptions), partial(default_of, OptimisingOptions)


@dataclass(frozen=True)
class Searched(Varied):
    """Group of options: the figures to optimise, the parameters to vary, and the extent of the search."""

    usual: ClassVar[str] = "wrap"
    past_end: options.WrappingOption = None
    minimise: Annotated[
        list[str] | None,
        typer.Option(help="Figure to minimise: mean, p99, energy, or a full name such as p99_response_s."),
    ] = None
    maximise: Annotated[
        list[str] | None,
        typer.Option(help="Figure to maximise. State one or two goals: --minimise and --maximise together."),
    ] = None
    subject_to: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CONDITION",
            help="Constraint such as 'capacity_gib >= 2' or 'p99 < 20e-3' on a run's figures (in s, J, W and "
            "bytes), energy_j, capacity_gib or varied parameters; may be given several times.",
        ),
    ] = None
    budget: Annotated[int, _option("budget")] = _default("budget")
    sampler: Annotated[str, _option("sampler")] = _default("sampler")
    compared: Annotated[int, _option("compared")] = _default("compared")
    indifference: Annotated[float, _option("indifference")] = _default("indifference")
    held_out: Annotated[float, _option("held_out", ". A random workload is judged on other seeds")] = (
        _default("held_out")
    )

    def asked(self) -> dict[str, Any]:
        """Return the goals and the options of the search as arguments of `optimise`."""
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
    """Find the best design for a workload: data format, policy, time-out, tips, settings of a volume.

    The search simulates some of all designs. It then compares the best of them under the same requests until
    one is known to be the best, and checks that design on requests that the search has not seen.
    """
    from ...exploration.optimising import optimise as find
    from ...exploration.optimising.best_design import work
    from ...exploration.optimising.optimum import NAME

    subject = subject_of(device_name, volume, searched.settings)
    factors = searched.factors([subject])
    how = searched.measuring(workload, [subject])
    if searched.out is not None:
        from ...common.output_files import check_folder

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
        # The command is read as a sweep with one value of each change.
        changes = {ROLE: device_name, **changes} if volume and device_name else changes
        command = searched.again(workload, where, changes, [policy], how["count"], "best")
        print_text(f"\nTo run only the best design{_under(found)}: {command}")
    write_result(found, searched.out)


def _under(found: "Optimum") -> str:
    return ", on the whole trace" if found.is_trace and found.held_out is not None else ""


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
