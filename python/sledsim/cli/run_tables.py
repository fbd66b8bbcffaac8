"""The result of a run for people: what they ask first, then all figures, energy, and what devices counted."""

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rich.table import Table

from .. import _native
from ..common import units
from ..common.tabular import joined
from .output import label, milliseconds, print_note, print_table, print_text, quantity, table

if TYPE_CHECKING:
    from ..model.systems import Target
    from ..runs.breakdown import Breakdown
    from ..runs.run import Run
    from .running import Replayed


def print_run(found: "Replayed") -> None:
    """Print what came of a trace."""
    from ..runs.inference import in_words

    result, name = found.run, found.target.name
    settings = result.settings
    how = f"{settings.scheduler}, scale {settings.scale:g}, {settings.replay}"
    figures = joined(result.summary(), found.inference)
    # Nothing moves in a flash card.
    if not figures["mean_positioning_s"]:
        del figures["mean_positioning_s"]
    print_table(f"{settings.trace} on {name}, {how}", None if found.parts is None else _parts(found.parts))
    if found.parts is not None:
        print_text("\n".join(found.parts.in_words(name, figures["utilization"])) + "\n")
        print_table(_where(found.parts), _phases(found.parts))
    print_table("Figures" if found.parts else None, _figures(figures))
    if found.inference:
        print_text(in_words(found.inference["rests_on_inference"]) + "\n")
    print_table("Energy", _energy(result))
    if len(result.devices) > 1:
        print_table("Devices", _devices(result))
    counted = ((f"{heading} of {of}", counts) for heading, of, counts in _counted(result))
    for title, counts in [*result.volumes.items(), *counted]:
        if counts:
            print_table(title or "Volume", _figures(counts))


def figures_of(found: "Replayed") -> dict[str, Any]:
    """The figures of a run as JSON has them, with what a volume and its devices did and counted."""
    result = found.run
    figures: dict[str, Any] = joined(result.summary(), {"is_exact": result.is_exact}, found.inference)
    for heading, name, counts in _counted(result):
        figures.setdefault(heading.lower().replace(" ", "_"), {})[name] = counts
    if "volume" in result.settings.parameters:
        figures |= {"devices": result.devices, "volumes": result.volumes}
    for name, part in (("overview", found.overview), ("fit", found.fit)):
        if part is not None:
            figures[name] = part.row()
    return figures if found.parts is None else joined(figures, found.parts.row())


def print_past_end(result: "Run", target: "Target", past_end: str) -> None:
    """What was done with requests past the end of a device, if any were."""
    if result.totals["remapped"]:
        print_note(f"moved to fit the device (--past-end {past_end}): {result.totals['remapped']:,} requests")
    sleds = result.settings.parameters.get("sleds")
    if past_end == "sleds" and sleds is not None and sleds > target.parameters["sleds"]:
        added = sleds - target.parameters["sleds"]
        print_note(
            f"added to fit the trace (--past-end sleds): {added:,} sleds, so that {target.name} has"
            f" {sleds:,}, which move as one"
        )


def print_run_notes(found: "Replayed", past_end: str) -> None:
    """What a user should know besides the figures."""
    result = found.run
    for kind, count in result.settings.skipped.items():
        print_note(f"left out of the trace: {count:,} {kind}")
    print_past_end(result, found.target, past_end)
    for name, counts in result.volumes.items():
        if counts.get("metadata_requests") == 0:
            print_note(
                f"{name or found.target.name}: no request was for metadata, so that the metadata area is not"
                " used: the trace marks none; --set metadata_from=rule --set metadata_sectors=FIRST-LAST says"
                " where metadata are"
            )
    for name, counts in result.faults.items():
        if counts["lost_blocks"]:
            requests, blocks = counts["lost_requests"], counts["lost_blocks"]
            print_note(f"{name}: {requests:,.0f} requests found {blocks:,.0f} blocks lost")


def _parts(parts: "Breakdown") -> Table:
    times = (">Mean ms", ">p50 ms", ">p99 ms", ">Max ms")
    made = table("Of the requests", ">Requests", ">A second", ">MB/s", *times)
    last = "all"
    for one in parts.parts:
        if one.by != last:
            made.add_section()
        last = one.by
        responses = (one.mean_response_s, one.p50_response_s, one.p99_response_s, one.max_response_s)
        made.add_row(
            one.name,
            f"{one.requests:,}",
            *map(_rate, (one.rate_per_s, one.rate_bytes_per_s * 1e-6)),
            *map(milliseconds, responses),
        )
    return made


def _rate(value: float) -> str:
    """A rate; in no time there is none."""
    return "-" if math.isnan(value) else units.number(value)


def _where(parts: "Breakdown") -> str:
    of_volume = ", with its part that was served last" if parts.is_volume else ""
    return f"Where the time of a request goes, in the mean{of_volume}"


def _phases(parts: "Breakdown") -> Table:
    from ..runs.breakdown import PHASES

    total = sum(parts.phases.values()) or 1.0
    rows = (
        (PHASES[name], milliseconds(seconds), f"{seconds / total:.1%}")
        for name, seconds in parts.phases.items()
        if seconds
    )
    return table("Phase", ">ms", ">Share", rows=rows)


def _figures(figures: Mapping[str, float]) -> Table:
    rows = ((label(key), quantity(key, value)) for key, value in figures.items())
    return table("Figure", ">Value", rows=rows)


def _energy(result: "Run") -> Table:
    uses = {use: joules for use, joules in result.energy_by_use_j.items() if joules}
    total_j = sum(uses.values()) or 1.0
    rows = ((use, quantity("energy_j", joules), f"{joules / total_j:.1%}") for use, joules in uses.items())
    return table("Use", ">Energy", ">Share", rows=rows)


def _counted(result: "Run") -> Iterator[tuple[str, str, dict[str, float]]]:
    """What each device counted: of what, its name, and the counts."""
    for name, counts in result.device_counts.items():
        for heading, counters in _native.device_counters():
            if own := {key: counts[key] for key, _ in counters if key in counts}:
                yield heading, name, own


def _devices(result: "Run") -> Table:
    figures = ("share", "requests", "background_requests", "mean_queue_length", "utilization", "energy_j")
    rows = (
        (row["device"], f"{row['share']:.1%}", *(quantity(key, row[key]) for key in figures[1:]))
        for row in result.devices
    )
    return table("Device", *(f">{label(figure)}" for figure in figures), rows=rows)
