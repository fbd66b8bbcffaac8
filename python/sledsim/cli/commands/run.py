"""``sledsim run``: replay one or several workloads on a device or volume, and write the results."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ... import _native
from ..._native import NotATraceError, ParameterError, TraceError
from ...common.charted import write_side_by_side
from ...common.endings import PARQUET, ending_of, names
from ...common.error_places import add_place
from .. import command_options as options
from ..completion import complete_tool, complete_trace
from ..output import (
    listed,
    print_error,
    print_json,
    print_note,
    print_table,
    write_page,
    write_plots,
)
from ..renamed import taken
from ..replaying import Asked, DoesNotFitError, Replayed, again, replay, replay as replay_trace
from ..run_tables import figures_of, print_run, print_run_notes, table_of
from ..targets import Episodes, OneTarget
from ..terminal import progress
from ..trace_names import CutGapsOption, files_of, name_of

if TYPE_CHECKING:
    from ...runs.run import Run
    from ...runs.side_by_side import Entry


@dataclass(frozen=True)
class Spreading(options.Scaled):
    """Group of options that state how to replay a trace, and how to spread requests that share a time."""

    spread: Annotated[
        str | None,
        options.of_trace(
            metavar="HOW",
            help="Spread requests that a coarse clock gave the same time within its tick, at equal distances "
            "(uniform) or at random (poisson), and give each figure an interval over several seeds.",
            autocompletion=complete_tool("SPREADS"),
        ),
    ] = None


@dataclass(frozen=True)
class Outputs:
    """Group of options that name the files to write."""

    out: Annotated[
        Path | None,
        options.of_output(
            help=f"File for a table of all requests and their times ({names()}); with several traces, a "
            "folder with one file per trace."
        ),
    ] = None
    columns: options.ColumnsOption = None
    power: Annotated[
        Path | None,
        options.of_output(metavar="FOLDER", help="Folder for a table and plots of the power over time."),
    ] = None
    report: Annotated[
        Path | None,
        options.of_output(
            metavar="PAGE.html",
            help="Write a web page with charts and tables of the run; with several traces, of all runs side "
            "by side.",
        ),
    ] = None
    perfetto: Annotated[
        Path | None,
        options.of_output(
            metavar="FILE.pftrace",
            help="Write a timeline of the phases of each device (seek, transfer, ...) for "
            "https://ui.perfetto.dev.",
        ),
    ] = None
    from_s: Annotated[
        float | None,
        options.of_output(
            "--from", metavar="SECONDS", help="Start of the timeline of --perfetto in s. \\[default: 0]"
        ),
    ] = None
    until_s: Annotated[
        float | None,
        options.of_output(
            "--until",
            metavar="SECONDS",
            help="End of the timeline of --perfetto in s; a service that starts later is left out. "
            "\\[default: the end of the run]",
        ),
    ] = None
    old_until_s: Annotated[float | None, typer.Option("--to", hidden=True)] = None

    @property
    def to_s(self) -> float | None:
        """End of the timeline in seconds, from ``--until`` or its old name ``--to``."""
        return self.old_until_s if self.until_s is None else self.until_s

    def check(self) -> None:
        """Check before the run that all requested files can be written.

        Raises:
            ParameterError: A file name has a wrong ending.
            OSError: A file cannot be written.
        """
        from ...common.charted import check_report
        from ...common.output_files import check_folder, check_writable
        from ...runs.power_over_time import NAME

        if self.out is not None:
            ending_of(self.out, bare=PARQUET)
            check_writable(self.out)
        if self.power is not None:
            check_folder(self.power, NAME)
        if self.report is not None:
            check_report(self.report)
        self.check_in_time(self.columns)

    def files(self, traces: Sequence[str]) -> list[Path | None]:
        """Check the options of outputs, and return the file for the requests of each trace.

        A file is in the folder of ``--out``; without ``--out``, it is None.

        Raises:
            ParameterError: The page of ``--report`` has a wrong ending, or ``--power`` or ``--perfetto`` is
                given, which need exactly one trace.
            OSError: The folder or the page cannot be written.
        """
        from ...common.charted import check_report
        from ...common.command_files import claim_read, claim_written
        from ...common.output_files import can_be_read_again, make_folder

        for option, path in (("power", self.power), ("perfetto", self.perfetto)):
            if path is not None:
                raise ParameterError(f"--{option}: expected one trace, found {len(traces):,}")
        self.check_in_time(None)
        if self.report is not None:
            check_report(self.report)
        if self.out is None:
            return [None] * len(traces)
        make_folder(self.out)
        stems = [name_of(trace) for trace in traces]
        files = [
            self.out / (f"{name}.parquet" if stems.count(name) == 1 else f"{name}-{at}.parquet")
            for at, name in enumerate(stems, 1)
        ]
        # Traces in a folder or of a pattern are checked, too, before the first result is written.
        for trace in filter(can_be_read_again, traces):
            claim_read(trace)
        for file in files:
            claim_written(file)
        return [*files]

    def check_in_time(self, columns: str | None) -> None:
        """Check before the run that the timeline can be written.

        Args:
            columns: Columns of the run that the user asked for by ``--columns``; None means all columns.

        Raises:
            ParameterError: ``--from`` or ``--until`` is wrong or comes without ``--perfetto``; the file of
                ``--perfetto`` has a wrong ending; or ``--columns`` leaves out a column that the timeline
                needs.
            OSError: The file cannot be written.
        """
        from ...runs.in_time import NEEDED, check_perfetto, window_ns

        taken(self.until_s, self.old_until_s, "--to of 'sledsim run'", "--until")
        if self.perfetto is None:
            for option, given in (("--from", self.from_s), ("--until", self.to_s)):
                if given is not None:
                    raise ParameterError(f"{option}: limits the timeline of --perfetto FILE: add --perfetto")
            return
        window_ns(self.from_s or 0.0, self.to_s)
        kept = NEEDED if columns is None else _native.selected_columns(columns)
        if lacking := [name for name in NEEDED if name not in kept]:
            raise ParameterError(
                f"--columns: the timeline of --perfetto also needs the columns {', '.join(lacking)}"
            )
        check_perfetto(self.perfetto)

    def write_in_time(self, run: "Run") -> None:
        """Write the timeline of a run, if ``--perfetto`` is given."""
        if self.perfetto is None:
            return
        with progress(f"Writing {self.perfetto.name}", run.totals["requests"]) as report:
            run.write_perfetto(self.perfetto, self.from_s or 0.0, self.to_s, progress=report)
        print_note(f"timeline written to {self.perfetto}: open it at https://ui.perfetto.dev")


#: Errors that mean that a trace cannot be replayed.
_WRONG = (ParameterError, TraceError, OSError)


def run_many(
    traces: "Sequence[str]", named: "Sequence[str]", asked: Asked, outputs: Outputs, as_json: bool
) -> None:
    """Replay several traces one after the other, and print a table with one row per trace.

    If a trace cannot be replayed, its row has no figures, its reason is printed, and the exit status is 1.

    Args:
        traces: All traces to replay: named ones, and those from folders and patterns.
        named: Traces that the user named one by one. Other files that are no traces are skipped.
        asked: The options of the replay.
        outputs: The options that name the files to write.
        as_json: True to print JSON in place of the table.

    Raises:
        TraceError: No file is a trace.
    """
    from ...runs.side_by_side import Entry, entry

    files = outputs.files(traces)
    entries: list[Entry] = []
    told: list[dict[str, Any]] = []
    notes: list[str] = []
    no_traces: list[str] = []
    are_all_near = True
    for at, (trace, file) in enumerate(zip(traces, files, strict=True), 1):
        print_note(f"{at} of {len(traces)}: {trace}")
        try:
            found = replay(trace, asked, file, tells=False)
        except _WRONG as error:
            are_all_near = are_all_near and not isinstance(error, DoesNotFitError)
            # A folder of traces may have other files.
            if trace not in named and isinstance(error, NotATraceError):
                no_traces.append(trace)
            else:
                reason = _reason(error, trace)
                entries.append(Entry(trace, error=reason))
                told.append({"trace": trace, "error": reason})
            continue
        # Keep the figures of the run, and drop the data of its requests.
        entries.append(entry(found.run, trace, found.parts, _how(found)))
        told += [_as_json(trace, found)] if as_json else []
        if found.fit is not None and found.fit.how != "as it is":
            notes.append(f"{trace}: {found.fit.sentence()}")
    print_note(*(f"skipped, not a trace: {name}" for name in no_traces))
    if not entries:
        raise TraceError(f"expected at least one trace file, found {len(no_traces):,} files, none a trace")
    if as_json:
        print_json(told)
    else:
        how = f"{asked.scheduler or 'sptf'}, scale {asked.scale:g}"
        print_table(f"{len(entries):,} traces on {asked.model.name}, {how}", table_of(entries))
        _print_reasons(entries)
        print_note(*notes)
    if not are_all_near:
        print_note(f"to fit the traces to the device: {again('--fit')}")
    if outputs.out is not None:
        print_note(f"requests written to {listed([file for file in files if file and file.exists()])}")
    _write_report(entries, outputs.report)
    if any(one.error for one in entries):
        raise typer.Exit(1)


def _write_report(entries: "Sequence[Entry]", path: Path | None) -> None:
    """Write the page of several runs to `path`, unless `path` is None or every run failed."""
    if path is None:
        return
    if all(one.error for one in entries):
        print_note("no report: every trace failed")
        return
    write_page(partial(write_side_by_side, entries), path)


def _reason(error: "ParameterError | TraceError | OSError", trace: str) -> str:
    """Return the name of a trace, followed by the reason why it cannot be replayed."""
    if isinstance(error, DoesNotFitError):
        return error.lack
    if isinstance(error, OSError):
        return f"{trace}: {error.strerror if error.filename is not None and error.strerror else error}"
    return str(add_place(error, trace))


def _as_json(trace: str, found: Replayed) -> dict[str, Any]:
    how = found.run.settings
    about = {"trace": trace, "device": found.target.name, "scheduler": how.scheduler, "scale": how.scale}
    return {**about, "replay": how.replay, **figures_of(found)}


def _how(found: Replayed) -> str:
    """Return how a trace was made to fit the device in a few words, such as "2 sleds"; empty if unchanged."""
    if found.fit is None:
        return ""
    counted = {"sleds": "sleds", "devices": "devices"}.get(found.fit.how)
    if found.fit.how == "larger":
        return f"{found.target.name}, {found.fit.count} sleds"
    return found.fit.how if counted is None else f"{found.fit.count} {counted}"


def _print_reasons(entries: "Sequence[Entry]") -> None:
    for one in entries:
        if one.error:
            print_error(one.error)


def run(
    *,
    traces: Annotated[
        list[str],
        typer.Argument(
            metavar="TRACE...",
            help="A trace file, a workload such as 'random:rate=1000' ('sledsim list workloads'), or a "
            "bundled trace: 'demo' (ext4), 'ext3-4k', 'ext3-1k', 'ext2-4k', 'ext2-1k'. Several traces, a "
            "folder or a pattern such as 'traces/*.gz' are replayed in turn, for one table and one page.",
            autocompletion=complete_trace,
        ),
    ],
    onto: OneTarget,
    episodes: Episodes,
    how: Spreading,
    cut: CutGapsOption = None,
    outputs: Outputs,
    as_json: options.JsonOption = False,
) -> None:
    """Replay a trace on a device or a volume, and print the summary."""
    from ...runs.batches import check_columns
    from ...runs.run import settings_of

    rule, kept = how.rule(), outputs.columns
    model = episodes.on(onto.model())
    settings_of(model, onto.scheduler, how.scale, rule, how.replay)
    if kept is not None and outputs.out is None:
        raise ParameterError("--columns: needs --out FILE, to which these columns are written")
    check_columns(kept or "all", outputs.out)
    made = (model, how, onto.scheduler, how.scale, rule, how.replay, how.fit, onto.is_any, kept)
    asked = Asked(*made, how.spread, cut)
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
    from ...common.output_files import write_table
    from ...runs.power_over_time import NAME

    tables = write_table(found.run.power(), folder, NAME)
    print_note(f"power over time: {listed([*tables, *write_plots(found.run.write_power_plots, folder)])}")


COMMANDS = {"run": run}
