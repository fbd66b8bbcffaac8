"""``sledsim explain``: why a request of a run took as long as it did."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import _native
from . import options
from .explain_tables import print_explanation, print_slowest
from .output import print_json, print_note
from .progress import progress

if TYPE_CHECKING:
    from ..runs.explanations import Explanation
    from ..runs.run import Run

_NONE = "none"
#: A whole number, in groups of three digits or without.
_NUMBER = re.compile(r"-?(\d{1,30}|\d{1,3}(,\d{3}){1,9})", re.ASCII)


def explain(
    *,
    result: Annotated[
        Path, typer.Argument(metavar="RUN.parquet", help="A result that 'sledsim run --out' wrote.")
    ],
    rows: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ROW]...", help="The request, counted from 0 in the order of arrival; or several."
        ),
    ] = None,
    slowest: Annotated[
        int | None, typer.Option("--slowest", metavar="N", help="The N requests that took longest.")
    ] = None,
    what_if: Annotated[
        str,
        typer.Option(
            help="What to run the same arrivals with besides, one thing at a time: 'policy', 'layout' and "
            "'parameter' (at the ends of its range, or 10 % less and more), with commas between, or 'none'."
        ),
    ] = "policy,layout,parameter",
    report: Annotated[
        Path | None, options.of_output(metavar="PAGE.html", help="Write a web page: charts and tables.")
    ] = None,
    as_json: options.JsonOption = False,
) -> None:
    """Why did a request take so long? What its response is due to, and what would have changed it.

    The run is run again, exactly: the parts add up to the response, to the nanosecond.
    """
    from ..common.charted import check_report
    from ..runs.explanations.explain import MOST_ROWS

    kinds = _kinds(what_if)
    if bool(rows) == (slowest is not None):
        found = "both" if rows else "neither"
        raise _native.ParameterError(f"explain: expected ROW, or --slowest N, found {found}")
    if slowest is not None and not 1 <= slowest <= MOST_ROWS:
        raise _native.ParameterError(f"--slowest {slowest}: expected 1 to {MOST_ROWS:,} requests")
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
            print_explanation(one)
    if report is not None:
        _write_report(made, report)


def _kinds(text: str) -> tuple[str, ...]:
    """What else the requests are run with.

    Raises:
        ParameterError: There is no such thing, or nothing is named.
    """
    from ..runs.explanations.alternatives import KINDS

    named = [part.strip() for part in text.split(",")]
    if named == [_NONE]:
        return ()
    if not set(named) <= KINDS.keys():
        known = ", ".join(map(repr, KINDS))
        raise _native.ParameterError(
            f"--what-if: expected {known} with commas between, or {_NONE!r} alone, found {text!r}"
        )
    return tuple(named)


def _row(text: str) -> int:
    """A request by its number, which may have commas between thousands, as it is printed.

    Raises:
        ParameterError: It is no whole number.
    """
    if not _NUMBER.fullmatch(text):
        raise _native.ParameterError(f"ROW: expected a whole number such as 1234, found {text!r}")
    return int(text.replace(",", ""))


def read_result(path: Path) -> "Run":
    """The result in a file.

    Raises:
        ParameterError: It is a table alone, which does not say what it came from.
    """
    from ..runs.result_files import read_run

    if path.suffix.lower() in (".csv", ".json"):
        raise _native.ParameterError(
            f"{path}: expected a result that can be run again, as 'sledsim run --out run.parquet' writes it,"
            f" found a {path.suffix} file"
        )
    with progress("Reading", None):
        return read_run(path)


def _explained(run: "Run", path: Path, rows: list[int], kinds: tuple[str, ...]) -> "list[Explanation]":
    """Explain requests, and say of which file it is if that cannot be.

    Raises:
        ParameterError: There is no such request.
        TraceError: The result has not what is needed, or is of another version.
    """
    from ..model.tables import table
    from ..runs.explanations.explain import check_rows, runs_needed

    check_rows(rows, len(run.response_ns))
    policy = re.split("[:+,]", run.settings.scheduler)[0]
    if policy not in table("schedulers"):
        raise _native.TraceError(
            f"{path}: scheduler: expected a policy that is known, found {policy!r}: write"
            " 'sledsim --register FILE.py:CLASS explain ...', or install the package that has it"
        )
    try:
        with progress("Running again", runs_needed(run.settings, kinds)) as report:
            return run.explain(rows, kinds, progress=report)
    except (_native.TraceError, _native.ParameterError, OSError) as error:
        raise _native.TraceError(f"{path}: {error}") from None


def _write_report(made: "list[Explanation]", path: Path) -> None:
    """Write the page; without the plotting libraries say how to get them."""
    from ..common.charted import write_explanations

    try:
        write_explanations(made, path)
    except ModuleNotFoundError as error:
        print_note(f"no report: {error}")
        return
    print_note(f"report written to {path}")
