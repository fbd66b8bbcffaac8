"""``sledsim study sensitivity``: rank the parameters of a device by their effect on figures of its runs."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ... import _native
from .. import command_options as options
from ..output import print_json, print_note, print_result, write_result
from ..study_options import Plausible, VaryingVolumeOption, simulating, subject_of
from ..targets import OptionalDeviceOption

if TYPE_CHECKING:
    from ...exploration.sobol_sensitivity import Sensitivity


def sensitivity(
    *,
    workload: options.TraceArgument,
    device_name: OptionalDeviceOption = None,
    volume: VaryingVolumeOption = None,
    figures: Annotated[
        str,
        typer.Option(
            "--figure",
            "--figures",
            help="Figures to analyse, separated by commas: mean, cv2, p50, p95, p99, p999, max, queue, "
            "service, positioning, busy, throughput, energy, power, capacity; or full names such as "
            "p99_response_s.",
        ),
    ] = "mean",
    plausible: Plausible,
    as_json: options.JsonOption = False,
) -> None:
    """Rank the parameters of a device by their effect on a figure, over plausible devices (Sobol' indices).

    A first index is the share of a figure's variance that a parameter causes alone; a total index is the
    share that it causes alone and with others. The dummy parameter has no effect: an index no larger than
    the dummy's is noise. '--over scheduler=fcfs,sptf' ranks the policy with the parameters.
    """
    from ...exploration.sobol_sensitivity import NAME, design_samples, sensitivity as find

    subject = subject_of(device_name, volume, plausible.settings)
    factors = plausible.factors([subject])
    names = options.parse_names("--figure", figures)
    how = plausible.measuring(workload, [subject])
    if plausible.out is not None:
        from ...common.output_files import check_folder

        check_folder(plausible.out, NAME)
    wanted = plausible.drawn("sledsim sensitivity")
    samples = design_samples(len(factors.names), wanted)
    if wanted not in (None, samples):
        print_note(f"--samples {wanted:,}: {samples:,} devices are drawn, as their number is a power of two")
    with simulating(samples, plausible.out) as report:
        found = find(
            device=subject,  # type: ignore[arg-type]
            over=factors,
            scheduler=plausible.scheduler,
            figures=names,
            samples=wanted,
            progress=report,
            **how,
        )
    if sum(found.missing.values()) == found.samples:
        reasons = "; ".join(f"{count:,}: {reason}" for reason, count in found.missing.items())
        raise _native.TraceError(
            f"none of the {found.samples:,} plausible devices could be simulated: {reasons}"
        )
    if as_json:
        print_json(_as_json(found))
    else:
        print_result(found)
    write_result(found, plausible.out)


def _as_json(found: "Sensitivity") -> dict[str, Any]:
    return {
        "device": found.device,
        "workload": found.workload,
        "samples": found.samples,
        "indices": found.rows(),
        "in_words": found.in_words(),
        "missing": dict(found.missing),
    }
