"""``sledsim study sensitivity``: which parameters make a figure what it is."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ... import _native
from .. import options
from ..output import listed, print_json, print_note, print_table, print_text, table, write_plots
from ..study_options import Plausible, VaryingVolumeOption, simulating, subject_of
from ..targets import OptionalDeviceOption

if TYPE_CHECKING:
    from rich.table import Table

    from ...exploration.sensitivity import Sensitivity


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
            help="mean, cv2, p50, p95, p99, p999, max, queue, service, positioning, busy, throughput, "
            "energy, power, capacity; or a whole name, as p99_response_s; several with commas between.",
        ),
    ] = "mean",
    plausible: Plausible,
    as_json: options.JsonOption = False,
) -> None:
    """Say which parameters of a device make a figure what it is, over all plausible devices.

    A first index is the part of the variance that a parameter makes alone, a total index that with all it
    does together with others (Sobol'). The dummy does nothing: what is no larger is noise. '--over
    scheduler=fcfs,sptf' makes the policy one of the factors.
    """
    from ...exploration.sensitivity import NAME, design_samples, sensitivity as find

    subject = subject_of(device_name, volume, plausible.settings)
    factors = plausible.factors([subject])
    names = options.parse_names("--figure", figures)
    how = plausible.measuring(workload, [subject])
    if plausible.out is not None:
        from ...common.files import check_folder

        check_folder(plausible.out, NAME)
    wanted = plausible.drawn("sledsim sensitivity")
    samples = design_samples(len(factors.names), wanted)
    if wanted not in (None, samples):
        print_note(f"{samples:,} of {wanted:,} devices: rows are drawn in powers of two")
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
            f"all {found.samples:,} devices are impossible or have no figures: {reasons}"
        )
    if as_json:
        print_json(_as_json(found))
    else:
        _print(found)
    if plausible.out is not None:
        written = [*found.write(plausible.out), *write_plots(found.write_plots, plausible.out)]
        print_note(f"Written: {listed(written)}")


def _as_json(found: "Sensitivity") -> dict[str, Any]:
    return {
        "device": found.device,
        "workload": found.workload,
        "samples": found.samples,
        "indices": found.rows(),
        "in_words": found.in_words(),
        "missing": dict(found.missing),
    }


def _print(found: "Sensitivity") -> None:
    of = f"{found.workload} on {found.samples:,} devices like {found.device}"
    for figure in found.indices:
        print_table(f"What makes {figure} what it is: {of}", _table(found, figure))
    print_text("\n".join(found.in_words()))


def _table(found: "Sensitivity", figure: str) -> "Table":
    from ...common.ranking import ordered

    headings = ("First index", "Total index")
    made = table("Factor", "From", "To", *headings, numbers=("From", "To", *headings))
    ranges = {factor.name: factor for factor in found.factors.varied}
    indices = found.indices[figure]
    for one in ordered(indices.factors, lambda one: -one.total.value, size=1):
        if one.name in indices.inert:
            continue
        made.add_row(one.name, *_ends(ranges[one.name]), str(one.first), str(one.total))
    made.add_section()
    made.add_row(indices.dummy.name, "", "", str(indices.dummy.first), str(indices.dummy.total))
    made.add_row("sum of first", "", "", str(indices.sum_of_first), "")
    return made


def _ends(factor: Any) -> tuple[str, str]:
    if hasattr(factor, "options"):
        return ", ".join(map(str, factor.options)), ""
    return f"{factor.low:,g}", f"{factor.high:,g}"
