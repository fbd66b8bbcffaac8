"""What ``sledsim run`` writes: options, and whether they can be met."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from .. import _native
from ..common.endings import PARQUET, ending_of, names
from . import options
from .output import print_note
from .progress import progress
from .trace_names import name_of

if TYPE_CHECKING:
    from ..runs.run import Run


@dataclass(frozen=True)
class Outputs:
    """What a run writes: a group of options."""

    out: Annotated[
        Path | None,
        options.of_output(
            help=f"Write the requests to this file: {names()}; of several traces, to this folder."
        ),
    ] = None
    columns: options.ColumnsOption = None
    power: Annotated[
        Path | None,
        options.of_output(metavar="FOLDER", help="Write the power over time there: a table and plots."),
    ] = None
    report: Annotated[
        Path | None,
        options.of_output(
            metavar="PAGE.html",
            help="Write a web page: charts and tables of the run, or of several beside each other.",
        ),
    ] = None
    perfetto: Annotated[
        Path | None,
        options.of_output(
            metavar="FILE.pftrace",
            help="Write what each device does in time, phase by phase: https://ui.perfetto.dev shows it.",
        ),
    ] = None
    from_s: Annotated[
        float | None,
        options.of_output(
            "--from", metavar="SECONDS", help="Only services from then on, in s. For --perfetto."
        ),
    ] = None
    to_s: Annotated[
        float | None,
        options.of_output(
            "--to", metavar="SECONDS", help="Only services that begin by then, in s. For --perfetto."
        ),
    ] = None

    def check(self) -> None:
        """Find out, before the run, whether all that is asked for can be written.

        Raises:
            ParameterError: An ending is wrong.
            OSError: One cannot be written.
        """
        from ..common.charted import check_report
        from ..common.files import check_folder, check_writable
        from ..runs.power import NAME

        if self.out is not None:
            ending_of(self.out, bare=PARQUET)
            check_writable(self.out)
        if self.power is not None:
            check_folder(self.power, NAME)
        if self.report is not None:
            check_report(self.report)
        self.check_in_time(self.columns)

    def files(self, traces: Sequence[str]) -> list[Path | None]:
        """A file in the folder for the requests of each trace; what can be known before is looked at.

        Raises:
            ParameterError: The name of the page has another ending, or something is asked for that is of one
                trace only.
            OSError: The folder or the page cannot be written.
        """
        from ..common.charted import check_report
        from ..common.claims import claim_read, claim_written
        from ..common.files import can_be_read_again, make_folder

        for option, path in (("power", self.power), ("perfetto", self.perfetto)):
            if path is not None:
                raise _native.ParameterError(f"--{option}: expected one trace, found {len(traces):,}")
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
        # Those that a folder or a pattern names, too, before the first result is written.
        for trace in filter(can_be_read_again, traces):
            claim_read(trace)
        for file in files:
            claim_written(file)
        return [*files]

    def check_in_time(self, columns: str | None) -> None:
        """Find out, before the run, whether the file can be written.

        Args:
            columns: Those of the run that are to be kept.

        Raises:
            ParameterError: The window cannot be, or is for no file; the name has another ending; the columns
                lack what requests ask for.
            OSError: The file cannot be written.
        """
        from ..runs.in_time import NEEDED, check_perfetto, window_ns

        if self.perfetto is None:
            for option, given in (("--from", self.from_s), ("--to", self.to_s)):
                if given is not None:
                    raise _native.ParameterError(
                        f"{option}: expected --perfetto FILE, which it is for, found none"
                    )
            return
        window_ns(self.from_s or 0.0, self.to_s)
        kept = NEEDED if columns is None else _native.selected_columns(columns)
        if lacking := [name for name in NEEDED if name not in kept]:
            raise _native.ParameterError(
                f"--perfetto: expected among --columns what requests asked for: {', '.join(lacking)}"
            )
        check_perfetto(self.perfetto)

    def write_in_time(self, run: "Run") -> None:
        """Write the file, if there is to be one."""
        if self.perfetto is None:
            return
        with progress(f"Writing {self.perfetto.name}", run.totals["requests"]) as report:
            run.write_perfetto(self.perfetto, self.from_s or 0.0, self.to_s, progress=report)
        print_note(f"run in time written to {self.perfetto}: https://ui.perfetto.dev shows it")


def write_page(write: Callable[[Path], object], path: Path) -> None:
    """Write a page; without the plotting libraries say how to get them."""
    try:
        write(path)
    except ModuleNotFoundError as error:
        print_note(f"no report: {error}")
        return
    print_note(f"report written to {path}")
