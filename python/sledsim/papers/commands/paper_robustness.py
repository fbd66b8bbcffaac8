"""``sledsim paper robustness``: share of plausible devices for which comparing claims of the papers hold."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sledsim.commands import (
    COUNT,
    REPLICATIONS,
    SEED,
    JsonOption,
    kept_in,
    listed,
    of_output,
    print_json,
    print_note,
    print_table,
    print_text,
    progress,
    table,
    taken,
    write_plots,
)

if TYPE_CHECKING:
    from .. import Robustness
    from ..robustness.result import Row

PapersOption = Annotated[
    list[str] | None,
    typer.Option(
        "--paper", metavar="NUMBER", help="Paper to check, for example 001; repeatable. \\[default: all]"
    ),
]
SamplesOption = Annotated[
    int | None, typer.Option(help="Number of plausible devices, from 2 to 1,000,000. \\[default: 128]")
]
OldSamplesOption = Annotated[int | None, typer.Option("--devices", hidden=True)]
ReplicationsOption = Annotated[
    int,
    REPLICATIONS(" of each device, each with newly drawn requests", min=None),
]
CountOption = Annotated[
    int | None,
    COUNT(" in each random load, at least 500 \\[default: the number of the claim's setting]"),
]
SeedOption = Annotated[int, SEED(" of the devices and of the requests", min=0)]
OutOption = Annotated[
    str | None,
    of_output(
        metavar="FOLDER",
        help="Write the results to this folder: new, empty, or a book to extend. The folder keeps the "
        "results of finished devices, so that the same command continues an interrupted run.",
    ),
]


def robustness(
    *,
    paper: PapersOption = None,
    samples: SamplesOption = None,
    old_samples: OldSamplesOption = None,
    replications: ReplicationsOption = 4,
    seed: SeedOption = 1,
    count: CountOption = None,
    out: OutOption = None,
    as_json: JsonOption = False,
) -> None:
    """Estimate for which share of plausible devices each comparing claim holds, and which parameter decides.

    A plausible device is a device with uncertain parameters drawn from the ranges in its file. The run takes
    minutes.
    """
    from .. import (
        Robustness,
        check_robustness,
        measure_robustness,
        robustness_work,
        settings_of,
        write_robustness,
    )
    from ..robustness.chart import write_plots as write
    from ..robustness.result import Asked
    from ..robustness.running import SAMPLES

    drawn = taken(samples, old_samples, "--devices of 'sledsim paper robustness'", "--samples")
    plausible = SAMPLES if drawn is None else drawn
    settings = settings_of(paper or [])
    written: list[Path] = []
    if out is not None:
        claims = [claim.name for one in settings for claim in one.claims]
        check_robustness(out, claims, Asked(plausible, seed, count, replications))
        # An empty result makes the folder a book, so that an interrupted run can be continued.
        written = write_robustness(Robustness(()), out)

    def keep(found: Robustness) -> None:
        if out is not None:
            written[:] = write_robustness(found, out)

    with (
        kept_in(None if out is None else Path(out)),
        progress("Simulating", robustness_work(settings, plausible, replications)) as report,
    ):
        found = measure_robustness(
            settings,
            plausible,
            out,
            seed=seed,
            count=count,
            replications=replications,
            progress=report,
            kept=keep,
        )
    if as_json:
        print_json(found.plain())
    else:
        _print(found)
    if out is not None:
        written = [*written, *write_plots(lambda folder, told: write(found, folder, told), Path(out))]
        written += write_robustness(found, out)
        print_note(f"Written: {listed(list(dict.fromkeys(written)))}")


def _print(found: "Robustness") -> None:
    """Print a table with a row per claim, and the number of claims by verdict."""
    from ..robustness.result import VERDICTS
    from ..robustness.words import EXPLAINED

    shares = ("Holds in", "At its rates", "Draw decides", "Doubt")
    names = ("Claim", "The paper says", *shares, "Verdict", "What decides", "Own device")
    made = table(*names, rows=(_cells(row) for row in found.rows))
    print_table("Share of plausible devices in which the comparing claims hold", made)
    counts = Counter(row.verdict for row in found.rows)
    print_text(", ".join(f"{counts[name]} {name}" for name in VERDICTS if counts[name]))
    print_text(EXPLAINED)
    for row in found.rows:
        if row.part.why:
            known = f"the result is known for {row.part.known} of {row.samples} devices"
            print_text(f"{row.claim}: {known}; for the first of the others: {row.part.why}")


def _cells(row: "Row") -> tuple[str, ...]:
    from ..robustness.words import changing, decides, doubt, own, percent

    part = row.part
    shares = (percent(part), percent(row.here) if row.by_load else "", changing(part), doubt(part))
    return (row.claim, row.says, *shares, row.verdict, decides(part), own(part))
