"""What ``sledsim run`` writes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from .. import _native
from ..common.endings import PARQUET, ending_of
from .output import print_note
from .perfetto_options import InTime
from .trace_names import name_of


@dataclass(frozen=True)
class Outputs:
    """What is written.

    Attributes:
        out: A file for the requests, or a folder for those of several traces.
        power: A folder for the power over time.
        report: A page.
        in_time: The run in time.
    """

    out: Path | None
    power: Path | None
    report: Path | None
    in_time: InTime

    def check(self, columns: str | None) -> None:
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
        self.in_time.check(columns)

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

        for option, path in (("power", self.power), ("perfetto", self.in_time.perfetto)):
            if path is not None:
                raise _native.ParameterError(f"--{option}: expected one trace, found {len(traces):,}")
        self.in_time.check(None)
        if self.report is not None:
            check_report(self.report)
        if self.out is None:
            return [None] * len(traces)
        make_folder(self.out)
        names = [name_of(trace) for trace in traces]
        files = [
            self.out / (f"{name}.parquet" if names.count(name) == 1 else f"{name}-{at}.parquet")
            for at, name in enumerate(names, 1)
        ]
        # Those that a folder or a pattern names, too, before the first result is written.
        for trace in filter(can_be_read_again, traces):
            claim_read(trace)
        for file in files:
            claim_written(file)
        return [*files]


def write_page(write: Callable[[Path], object], path: Path) -> None:
    """Write a page; without the plotting libraries say how to get them."""
    try:
        write(path)
    except ModuleNotFoundError as error:
        print_note(f"no report: {error}")
        return
    print_note(f"report written to {path}")
