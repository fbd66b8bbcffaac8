"""``sledsim view``: write a web page that simulates a stored run again and shows the sled in motion."""

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from ...common.error_places import errors_at
from .. import command_options as options
from ..completion import complete_scheduler
from ..output import print_note, print_text
from ..terminal import progress
from .explain import read_result

_NONE = "none"


def view(
    *,
    result: Annotated[Path, typer.Argument(metavar="RUN.parquet", help="A result of 'sledsim run --out'.")],
    row: Annotated[
        int | None,
        typer.Option(
            "--row",
            metavar="N",
            help="Follow request N from its arrival on; N counts from 0 in the order of arrival.",
        ),
    ] = None,
    beside: Annotated[
        str | None,
        typer.Option(
            metavar="POLICY",
            help="Second policy to show beside the policy of the run, with the same arrivals; 'none' shows "
            "the run alone. \\[default: fcfs; for a run under fcfs: sptf]",
            autocompletion=complete_scheduler,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        options.of_output(
            "--out", "-o", metavar="PAGE.html", help="File to write. \\[default: RUN.view.html]"
        ),
    ] = None,
    opens: Annotated[
        bool, options.of_output("--open/--no-open", help="Open the page in the browser.")
    ] = True,
) -> None:
    """Watch a stored run: the sled in motion, at any speed, beside another policy with the same arrivals.

    Writes an offline web page that contains the simulator. It cannot show volumes, faults and episodes.
    """
    from ...common.charted import check_report

    path = out if out is not None else result.with_suffix(".view.html")
    check_report(path)
    run = read_result(result)
    from ...charts.live_page import live_page

    with errors_at(str(result)), progress("Running again", run.totals["requests"]) as report:
        text = live_page(run, str(result), "" if beside == _NONE else beside, row, report)
    from ...common.output_files import write_text

    print_text(str(write_text(path, text)))
    if opens and not webbrowser.open(path.resolve().as_uri()):
        print_note(f"no browser found: open {path} in a browser")


COMMANDS = {"view": view}
