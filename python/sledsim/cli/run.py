"""``sledsim run``: workloads on one device under one scheduler."""

from pathlib import Path
from typing import Annotated

import typer

from .. import _native
from . import options
from .completion import complete_trace
from .output import listed, print_json, print_note
from .plotting import write_plots
from .run_many import run_many
from .run_outputs import Outputs, write_page
from .run_tables import figures_of, print_run, print_run_notes
from .running import Asked, Replayed, replay as replay_trace
from .targets import Episodes, OneTarget
from .trace_names import files_of


def run(
    *,
    traces: Annotated[
        list[str],
        typer.Argument(
            metavar="TRACE...",
            help="A trace file, a workload such as 'random:rate=1000' ('sledsim list workloads'), or a "
            "bundled trace: 'demo' (ext4), 'ext3-4k', 'ext3-1k', 'ext2-4k', 'ext2-1k'. Of several, of a "
            "folder and of a pattern such as 'traces/*.gz' there is one table, and one page.",
            autocompletion=complete_trace,
        ),
    ],
    onto: OneTarget,
    episodes: Episodes,
    how: options.Scaled,
    outputs: Outputs,
    as_json: options.JsonOption = False,
) -> None:
    """Replay a trace on a device, or on a volume of several, and print the summary."""
    from ..runs.run import settings_of
    from ..runs.streamed_run import check_columns

    rule, columns = how.rule(), outputs.columns
    model = episodes.on(onto.model())
    settings_of(model, onto.scheduler, how.scale, rule, how.replay)
    if columns is not None and outputs.out is None:
        raise _native.ParameterError("--columns: expected --out FILE, which they are for, found none")
    check_columns(columns or "all", outputs.out)
    asked = Asked(model, how, onto.scheduler, how.scale, rule, how.replay, how.fit, onto.is_any, columns)
    files = files_of(traces)
    if len(files) > 1 or files != traces:
        run_many(files, traces, asked, outputs, as_json)
    else:
        _run_one(files[0], asked, outputs, as_json)


def _run_one(trace: str, asked: Asked, outputs: Outputs, as_json: bool) -> None:
    outputs.check()
    is_in_time = outputs.perfetto is not None
    is_whole = is_in_time or outputs.report is not None
    found = replay_trace(trace, asked, outputs.out, is_whole=is_whole, is_in_memory=is_in_time)
    if as_json:
        how = found.run.settings
        about = {"device": found.target.name, "scheduler": how.scheduler, "scale": how.scale, "trace": trace}
        print_json({**about, "replay": how.replay, **figures_of(found)})
    else:
        print_run(found)
    print_run_notes(found, found.run.settings.past_end)
    if outputs.out is not None:
        print_note(f"requests written to {outputs.out}")
    if outputs.power is not None:
        _write_power(found, outputs.power)
    if outputs.report is not None:
        write_page(found.run.report, outputs.report)
    outputs.write_in_time(found.run)


def _write_power(found: Replayed, folder: Path) -> None:
    from ..common.files import write_table
    from ..runs.power import NAME

    tables = write_table(found.run.power(), folder, NAME)
    print_note(f"power over time: {listed([*tables, *write_plots(found.run.write_power_plots, folder)])}")
