"""Tables that ``sledsim run`` prints: response times by phase, figures, energy, and counters of volumes."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..common import units
from ..common.grids import Grid
from ..common.tabular import joined
from .output import milliseconds, print_note, print_table, print_text, table

if TYPE_CHECKING:
    from ..model.volumes import Target
    from ..runs.run import Run
    from ..runs.side_by_side import Entry
    from .replaying import Replayed


def print_run(found: "Replayed") -> None:
    """Print the tables of the replay of one trace."""
    from ..grids import of_breakdown, of_run
    from ..runs.inference import in_words

    result, name = found.run, found.target.name
    settings = result.settings
    print_table(
        f"{settings.trace} on {name}, {settings.scheduler}, scale {settings.scale:g}, {settings.replay}", None
    )
    if found.parts is not None:
        of_requests, phases = of_breakdown.parts(found.parts)
        print_table(None, of_requests)
        said = found.parts.in_words(name, result.summary()["utilization"])
        print_text("\n".join([*said, *result.bursts_in_words()]) + "\n")
        print_table(phases.title, phases)
    figures, *others = of_run.parts(result, found.inference)
    print_table("Figures" if found.parts else None, figures)
    if found.inference:
        print_text(in_words(found.inference["rests_on_inference"]) + "\n")
    for one in others:
        print_table(one.title, one)
    for one in found.spread.grids() if found.spread else ():
        print_table(one.title, one)


def figures_of(found: "Replayed") -> dict[str, Any]:
    """Return the figures of a run for JSON, including the counters of a volume and of its members."""
    from ..grids.of_run import counts_of

    result = found.run
    figures: dict[str, Any] = joined(result.summary(), {"is_exact": result.is_exact}, found.inference)
    for heading, name, counts in counts_of(result):
        figures.setdefault(heading.lower().replace(" ", "_"), {})[name] = counts
    if "volume" in result.settings.parameters:
        figures |= {"devices": result.devices, "volumes": result.volumes}
    figures |= {} if found.cut is None else {"cut_gaps": found.cut}
    for name, part in (("overview", found.overview), ("fit", found.fit), ("spread", found.spread)):
        if part is not None:
            figures[name] = part.row()
    figures["doubts"] = found.doubts()
    return figures if found.parts is None else joined(figures, found.parts.row())


def print_past_end(result: "Run", target: "Target", past_end: str) -> None:
    """Print how many requests were moved, or how many sleds added, because the trace exceeds the device.

    Args:
        result: The run.
        target: The device or volume that the user named, before sleds were added.
        past_end: The rule for requests past the end.
    """
    if result.totals["remapped"]:
        print_note(f"moved to fit the device (--past-end {past_end}): {result.totals['remapped']:,} requests")
    sleds = result.settings.parameters.get("sleds")
    if past_end == "sleds" and sleds is not None and sleds > target.parameters["sleds"]:
        added = sleds - target.parameters["sleds"]
        print_note(
            f"added to fit the trace (--past-end sleds): {added:,} sleds; {target.name} now has"
            f" {sleds:,} sleds, which move as one"
        )


def print_run_notes(found: "Replayed", past_end: str) -> None:
    """Print notes on a run: dropped or moved requests, unused metadata areas, and requests to lost blocks."""
    result = found.run
    for kind, count in result.settings.skipped.items():
        print_note(f"dropped from the trace: {count:,} {kind}")
    print_past_end(result, found.target, past_end)
    for name, counts in result.volumes.items():
        if counts.get("metadata_requests") == 0:
            print_note(
                f"{name or found.target.name}: the metadata area is unused, because the trace marks no"
                " request as metadata; --set metadata_from=rule --set metadata_sectors=FIRST-LAST marks"
                " requests by their address"
            )
    for name, counts in result.faults.items():
        if counts["lost_blocks"]:
            requests, blocks = counts["lost_requests"], counts["lost_blocks"]
            print_note(f"{name}: {requests:,.0f} requests failed, as {blocks:,.0f} of their blocks are lost")
    if found.spread is not None:
        print_note(found.spread.sentence())
    print_note(*(f"doubtful: {doubt}" for doubt in found.doubts()))


def table_of(entries: "Sequence[Entry]") -> Grid:
    """Return the table of the runs of several traces, one row for each."""
    headings = (">Requests", ">A second", ">MB/s", ">Reads %", ">Mean ms", ">p99 ms", ">Busy %", ">Energy J")
    made = table("Trace", *headings, "Kept up", "Fits")
    names = [Path(one.trace).name for one in entries]
    for one, name in zip(entries, names, strict=True):
        trace = name if names.count(name) == 1 and name else one.trace
        if one.error:
            made.add_row(trace, *[""] * (len(headings) + 1), "failed")
            continue
        figures = one.row()
        made.add_row(
            trace,
            f"{figures['requests']:,}",
            _known(units.number, figures["requests_per_s"]),
            _known(units.number, figures["data_bytes_per_s"] * 1e-6),
            _known(_per_cent, figures["read_share"]),
            milliseconds(figures["mean_response_s"]),
            milliseconds(figures["p99_response_s"]),
            f"{figures['utilization']:.1%}".rstrip("%"),
            f"{figures['energy_j']:,.2f}",
            "" if one.kept_up is None else "yes" if one.kept_up else "no",
            one.fit,
        )
    return made


def _known(text: Callable[[float], str], value: float) -> str:
    return "" if math.isnan(value) else text(value)


def _per_cent(share: float) -> str:
    return f"{share:.0%}".rstrip("%")
