"""The options that write a run in time for Perfetto."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from .. import _native
from . import options
from .output import print_note
from .progress import progress

if TYPE_CHECKING:
    from ..runs.run import Run


@dataclass(frozen=True)
class InTime:
    """A trace file for Perfetto, and the window of time that is in it."""

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

    def check(self, columns: str | None) -> None:
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

    def write(self, run: "Run") -> None:
        """Write the file, if there is to be one."""
        if self.perfetto is None:
            return
        with progress(f"Writing {self.perfetto.name}", run.totals["requests"]) as report:
            run.write_perfetto(self.perfetto, self.from_s or 0.0, self.to_s, progress=report)
        print_note(f"run in time written to {self.perfetto}: https://ui.perfetto.dev shows it")
