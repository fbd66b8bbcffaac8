"""``sledsim explain``: break down the response times of single requests of a stored run."""

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..._native import ParameterError, TraceError
from .. import command_options as options
from ..output import milliseconds, print_json, print_result, print_table, table, write_page
from ..terminal import progress

if TYPE_CHECKING:
    from ...runs.explanations import Explanation
    from ...runs.run import Run


def print_slowest(made: "Sequence[Explanation]") -> None:
    """Print the requests with the longest response times, one line each."""
    from ...runs.explanations.segments import IN_SHORT

    rows = []
    for one in made:
        due, ns = max(one.due_ns.items(), key=lambda pair: pair[1], default=("", 0))
        share = f"{ns / one.response_ns:.1%}" if one.response_ns else "-"
        at = (one.arrival_ns - made[0].begun_ns) * 1e-9
        rows.append(
            (
                *(f"{one.row:,}", f"{at:,.3f}", one.kind, f"{one.lbn:,}", f"{one.blocks:,}"),
                *(milliseconds(one.response_ns * 1e-9), IN_SHORT.get(due, "-"), share),
            )
        )
    which = (">Request", ">Came at s", "Kind", ">First sector", ">Sectors")
    made_table = table(*which, ">Response ms", "Largest part", ">Share", rows=rows)
    print_table(f"The slowest of {made[0].trace}" if made else None, made_table)


_NONE = "none"
#: Pattern of a whole number, with or without commas between groups of three digits.
_NUMBER = re.compile(r"-?(\d{1,30}|\d{1,3}(,\d{3}){1,9})", re.ASCII)


def explain(
    *,
    result: Annotated[Path, typer.Argument(metavar="RUN.parquet", help="A result of 'sledsim run --out'.")],
    rows: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ROW]...",
            help="Requests to explain, by number: 0 is the first request in the order of arrival.",
        ),
    ] = None,
    slowest: Annotated[
        int | None,
        typer.Option(
            "--slowest", metavar="N", help="Explain the N requests with the longest response times."
        ),
    ] = None,
    what_if: Annotated[
        str,
        typer.Option(
            help="Changes to try one at a time with the same arrivals, separated by commas: 'policy', "
            "'layout', 'parameter' (set to both ends of its range, or changed by 10 %); or 'none'."
        ),
    ] = "policy,layout,parameter",
    report: Annotated[
        Path | None, options.of_output(metavar="PAGE.html", help="Write a web page with charts and tables.")
    ] = None,
    as_json: options.JsonOption = False,
) -> None:
    """Explain the response time of a request: what it consists of, and which changes would shorten it.

    Repeats the run exactly: the pieces add up to the response time, to the nanosecond.
    """
    from ...common.charted import check_report, write_explanations
    from ...runs.explanations.explaining import MOST_ROWS

    kinds = _kinds(what_if)
    if bool(rows) == (slowest is not None):
        found = "both" if rows else "neither of them"
        raise ParameterError(f"explain: expected either ROW or --slowest N, found {found}")
    if slowest is not None and not 1 <= slowest <= MOST_ROWS:
        raise ParameterError(f"--slowest {slowest}: expected 1 to {MOST_ROWS:,} requests")
    named = [_row(text) for text in rows or ()]
    if report is not None:
        check_report(report)
    run = read_result(result)
    asked = named if slowest is None else run.slowest(slowest)
    made = _explained(run, result, asked, kinds)
    if as_json:
        print_json({"explanations": [one.as_dict() for one in made]})
    else:
        if slowest is not None:
            print_slowest(made)
        for one in made:
            print_result(one)
    if report is not None:
        write_page(partial(write_explanations, made), report)


def _kinds(text: str) -> tuple[str, ...]:
    """Return the kinds of changes that the text of ``--what-if`` names.

    Raises:
        ParameterError: A kind is unknown, or the text is empty.
    """
    from ...runs.explanations.alternatives import KINDS

    named = [part.strip() for part in text.split(",")]
    if named == [_NONE]:
        return ()
    if not set(named) <= KINDS.keys():
        known = ", ".join(map(repr, KINDS))
        raise ParameterError(
            f"--what-if: expected {known}, separated by commas, or {_NONE!r} alone, found {text!r}"
        )
    return tuple(named)


def _row(text: str) -> int:
    """Return the number of a request; its text may group digits by commas, as printed tables do.

    Raises:
        ParameterError: The text of ROW is not a whole number.
    """
    if not _NUMBER.fullmatch(text):
        raise ParameterError(f"ROW: expected a whole number such as 1234, found {text!r}")
    return int(text.replace(",", ""))


def read_result(path: Path) -> "Run":
    """Return the run that the result file at `path` stores.

    Raises:
        ParameterError: The file is a CSV or JSON table, which does not store the settings of the run.
    """
    from ...runs.result_files import read_run

    if path.suffix.lower() in (".csv", ".json"):
        raise ParameterError(
            f"{path}: expected a Parquet file that 'sledsim run --out run.parquet' wrote, since it can be run"
            f" again, found a {path.suffix} file"
        )
    with progress("Reading", None):
        return read_run(path)


def _explained(run: "Run", path: Path, rows: list[int], kinds: tuple[str, ...]) -> "list[Explanation]":
    """Return the explanations of some requests of a run; error messages name the file of the run.

    Args:
        run: The run.
        path: The file of the run.
        rows: Numbers of the requests.
        kinds: Kinds of changes to try.

    Raises:
        ParameterError: `rows` has a number that is not the number of a request of the run.
        TraceError: The result lacks data for the explanation, or comes from another version of sledsim.
    """
    from ...model.core_tables import table
    from ...runs.explanations.explaining import check_rows, runs_needed

    check_rows(rows, len(run.response_ns))
    policy = re.split("[:+,]", run.settings.scheduler)[0]
    if policy not in table("schedulers"):
        raise TraceError(
            f"{path}: scheduler: expected a known policy, found {policy!r}; to load it, write"
            " 'sledsim --register FILE.py:CLASS explain ...', or install the package that has the policy"
        )
    try:
        with progress("Running again", runs_needed(run.settings, kinds)) as report:
            return run.explain(rows, kinds, progress=report)
    except (TraceError, ParameterError, OSError) as error:
        raise TraceError(f"{path}: {error}") from None


COMMANDS = {"explain": explain}
