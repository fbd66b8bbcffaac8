"""``sledsim study holds``: estimate the share of plausible devices in which a condition holds."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ... import _native
from ...common.declared import default_of
from ...exploration.question_options import HoldingOptions
from .. import command_options as options
from ..output import print_error, print_json, print_result, print_text, quantity, write_result
from ..shared import option
from ..study_options import Plausible, simulating
from ..targets import DEVICE, VolumesOption

if TYPE_CHECKING:
    from ...exploration.holding import Holding
    from ...exploration.question import Example
    from ...exploration.subjects import Subject

#: Exit status for each verdict on the condition; exit status 2 means wrong usage of the command.
STATUS = {"yes": 0, "no": 1, "undecided": 3}
#: Exit status if an error prevented the evaluation of the condition.
_FAILED = 4


@dataclass(frozen=True)
class Asked(Plausible):
    """Group of options: the varied parameters, the plausible devices, and the replications of each device."""

    replications: Annotated[
        int,
        option(
            HoldingOptions,
            "replications",
            " of each device, each run with other requests; the condition is checked in each run",
        ),
    ] = default_of(HoldingOptions, "replications")


def holds(
    *,
    condition: Annotated[
        str,
        typer.Argument(
            help="Condition on figures of policies, devices and volumes, with + - * / < > and or not, such "
            "as 'p99(sptf) < p99(clook_lbn)' or 'energy(osdi00) < 50% * energy(atlas10k)'."
        ),
    ],
    workload: options.TraceArgument,
    devices: Annotated[
        list[str] | None,
        options.of_named_device(
            help="A built-in device or a file; may be given several times. Figures without a device name use "
            f"the first one. \\[default: {DEVICE}]"
        ),
    ] = None,
    volumes: VolumesOption = None,
    plausible: Asked,
    threshold: Annotated[float, option(HoldingOptions, "threshold", min=0, max=1)] = 0.5,
    no_indices: Annotated[
        bool,
        typer.Option("--no-indices", help="Do not rank the parameters; this saves simulations."),
    ] = False,
    as_json: options.JsonOption = False,
) -> None:
    """Estimate the share of plausible devices in which a condition holds, and which parameter decides it.

    The exit status is 0 if the condition holds in more than half of the devices (--threshold), 1 if not,
    2 for wrong usage, 3 if more devices are needed to tell, and 4 after an error: a file is missing, or no
    device has the figures of the condition.
    """
    from ...exploration.holding import SAMPLES, holds as find
    from ...exploration.question import work
    from ...uncertainty.expressions import parse_condition

    asked = parse_condition(condition)
    with _failing():
        subjects = _subjects(devices, volumes, plausible.settings)
        factors = plausible.factors(subjects)
        how = plausible.measuring(workload, subjects)
    wanted = plausible.drawn("sledsim holds")
    samples = SAMPLES if wanted is None else wanted
    draws = plausible.replications if how["workload"].is_drawn else 1
    points = work(asked, subjects, len(factors.names), samples, not no_indices, draws)
    with _failing(), simulating(points, plausible.out) as report:
        found = find(
            asked,
            devices=subjects,  # type: ignore[arg-type]
            over=factors,
            scheduler=plausible.scheduler,
            samples=samples,
            threshold=threshold,
            indices=not no_indices,
            progress=report,
            **how,
        )
    write_result(found, plausible.out)
    if as_json:
        print_json(_as_json(found))
    else:
        _print(found, _options(subjects), plausible, workload, how["count"])
    raise typer.Exit(STATUS[found.verdict])


@contextmanager
def _failing() -> Iterator[None]:
    """Turn an error in the block into a printed line and exit status 4; status 1 means "condition fails"."""
    try:
        yield
    except (_native.TraceError, OSError) as error:
        named = isinstance(error, OSError) and error.filename is not None
        print_error(f"{error.filename}: {error.strerror}" if named else str(error))  # type: ignore[union-attr]
        raise typer.Exit(_FAILED) from None


def _subjects(
    devices: list[str] | None, volumes: list[str] | None, settings: list[str] | None
) -> "list[Subject]":
    from ...exploration.experiment import named_subjects
    from ...model.typed import imported, imported_members, imported_settings

    changes = imported_settings(options.parse_settings(settings))
    return named_subjects(imported(devices or []), [*map(imported_members, volumes or [])], changes)


def _options(subjects: "list[Subject]") -> dict[str, list[str]]:
    """Return for each device or volume, by name, the words of the command line that select it."""
    kinds = {subject.name: "volume" if subject.made_from else "device" for subject in subjects}
    return {name: [f"--{kind}", name] for name, kind in kinds.items()}


def _as_json(found: "Holding") -> dict[str, Any]:
    share, split = found.share, found.split
    return {
        "condition": str(found.condition),
        "workload": found.workload,
        "verdict": found.verdict,
        "share": {"value": share.value, "low": share.low, "high": share.high, "confidence": share.confidence},
        "holds_in": share.always,
        "changes_in": share.changing,
        "of_devices": share.devices,
        "draws": found.draws,
        "doubt": asdict(share.doubt),
        "threshold": found.threshold,
        "sentence": found.sentence(),
        "in_words": found.in_words(),
        "split": None if split is None else vars(split) | {"rule": split.rule, "decides": split.decides},
        "indices": None if found.indices is None else found.index_rows(),
        "nearest_for": None if found.for_it is None else vars(found.for_it),
        "nearest_against": None if found.against is None else vars(found.against),
        "holds_for_the_device_itself": found.nominal,
        "undefined": found.undefined,
        "missing": dict(found.missing),
        "unknown": share.unknown,
        "why_unknown": dict(found.unknown),
    }


def _print(
    found: "Holding", again: dict[str, list[str]], plausible: Asked, workload: str, count: int | None
) -> None:
    print_result(found)
    for example in (found.for_it, found.against):
        if example is not None:
            _print_example(found, example, again, plausible, workload, count)


def _print_example(
    found: "Holding",
    example: "Example",
    again: dict[str, list[str]],
    plausible: Asked,
    workload: str,
    count: int | None,
) -> None:
    from ...exploration.sample import figure_name

    word = "for" if example.holds else "against"
    figures = ", ".join(
        f"{name} = {quantity(figure_name(name.partition('(')[0]), value)}"
        for name, value in example.figures.items()
    )
    print_text(f"The nearest device {word} the condition ({figures}):")
    for name, changes in example.changes.items():
        run = replace(
            plausible, replications=1, seed=plausible.seed if example.seed is None else example.seed
        )
        command = run.again(workload, again[name], changes, found.policies(name), count, f"nearest-{word}")
        print_text(f"  {command}")
