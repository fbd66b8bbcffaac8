"""``sledsim paper``: recompute the experiments of the papers and judge each of their claims."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from sledsim import ParameterError
from sledsim.commands import (
    App,
    JsonOption,
    console,
    parse_settings,
    parse_texts,
    print_json,
    print_note,
    print_table,
    print_text,
    progress,
    runnable,
    table,
)

from .paper_robustness import robustness
from .printed import both, plain_verdicts, print_chapters, print_reactions, short

if TYPE_CHECKING:
    from .. import Chapter, Experiment, Item, Perturbation, Reactions, Verdict

_Item = TypeVar("_Item")

app = App(
    name="paper",
    help="Recompute the experiments of five published papers and check their claims.",
    no_args_is_help=True,
    rich_help_panel="Study",
)
app.command("robustness")(robustness)


def _complete_name(incomplete: str) -> list[tuple[str, str]]:
    """Return pairs of a name that completes `incomplete` and its description, for the shell.

    Ids of claims are offered only if `incomplete` has the letter C.
    """
    from .. import ALL, EXPERIMENTS, PAPERS, spellings

    known = [(row.id, row.title) for row in EXPERIMENTS]
    if "c" in incomplete.lower():
        known += [(claim, row.title) for row in EXPERIMENTS for claim in row.claims]
    offered = [
        (spelt, title)
        for usual, title in known
        if (spelt := next((name for name in spellings(usual) if name.startswith(incomplete)), None))
    ]
    more = [*((number, "the whole paper") for number in PAPERS), (ALL, "every experiment")]
    return offered + [row for row in more if row[0].startswith(incomplete)]


_NAMES = typer.Argument(
    metavar="ID...",
    help="Experiments (002-E-1), claims (002-C5 stands for the experiment that decides it), papers (002) "
    "or 'all'; 'sledsim paper list' shows the ids.",
    autocompletion=_complete_name,
)
NamesArgument = Annotated[list[str], _NAMES]
OptionalNamesArgument = Annotated[list[str] | None, _NAMES]
QuickOption = Annotated[
    bool, typer.Option("--quick", help="Use fewer requests and points; verdicts stay the same.")
]
# The type is a string, because `Path` would read an empty string as the current folder.
BookOption = Annotated[
    str | None,
    typer.Option(
        metavar="FOLDER",
        help="Write a book (web pages and verdicts) to this folder: new, empty, or a book to extend.",
    ),
]
TracesOption = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="Folder of more, real traces; see docs/background/papers.md."),
]

SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Set a parameter of every sled; repeatable."),
]
InsteadOption = Annotated[
    list[str] | None,
    typer.Option(
        "--policy",
        metavar="NAME=OTHER",
        help="Run one policy in place of another: zsptf=cscan runs 'cscan' instead of 'zsptf'; repeatable.",
    ),
]
WorkloadOption = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="GENERATOR:KEY=VALUE",
        help="Set an option of a random workload, for example random:reads=1; repeatable.",
    ),
]


@app.command("list")
def list_experiments(names: OptionalNamesArgument = None, as_json: JsonOption = False) -> None:
    """List all experiments with their subjects, or print the details of the named ones."""
    from .. import ALL, EXPERIMENTS, ITEMS, PAPERS, shipped_verdicts, statements

    wanted = _wanted(names or [ALL])
    ids = {row.id for row in wanted}
    items = [item for item in ITEMS if len(wanted) == len(EXPERIMENTS) or ids.intersection(item.here)]
    said, verdicts = statements(), shipped_verdicts()
    if as_json:
        fields = ("id", "paper", "title", "computes", "claims")
        experiments = [
            {
                **{field: getattr(row, field) for field in fields},
                "statements": {claim: said[claim] for claim in row.claims},
                "verdicts": {
                    claim: plain_verdicts(*verdicts[claim]) for claim in row.claims if claim in verdicts
                },
                "traces": row.needs,
            }
            for row in wanted
        ]
        print_json({"experiments": experiments, "items": [asdict(item) for item in items]})
        return
    if names:
        for row in wanted:
            _describe(row, said, verdicts, [item for item in items if row.id in item.here])
        return
    for number, paper in PAPERS.items():
        rows = ((row.id, row.title, short(row.claims)) for row in wanted if row.paper == number)
        print_table(f"{number}: {paper.title}", table("Experiment", "Title", "Claims", rows=rows))
        print_table("", _items([item for item in items if item.paper == number]))


def _describe(
    row: "Experiment",
    said: Mapping[str, str],
    verdicts: Mapping[str, tuple["Verdict", "Verdict | None"]],
    items: Sequence["Item"],
) -> None:
    """Print details of an experiment: its subject, its claims with verdicts, and items of the paper.

    `said` and `verdicts` are the statements and shipped verdicts by claim; `items` are those to print.
    """
    console().print(f"{row.id} {row.title}", style="bold", soft_wrap=True)
    print_text(row.computes)
    if row.needs:
        print_text(f"Accepts --traces FOLDER with {' and '.join(row.needs)}.")
    if row.claims:
        # A new claim has no verdict until the shipped verdicts are computed again.
        known = {claim: both(*verdicts[claim]) if claim in verdicts else ("", "") for claim in row.claims}
        rows = ((claim, *both, said[claim]) for claim, both in known.items())
        print_table("", table("Claim", "Verdict", "Elsewhere", "Statement and reading", rows=rows))
    print_table("", _items(items))


def _items(items: Sequence["Item"]) -> Any:
    rows = ((item.printed, " ".join(item.here), item.lacks) for item in items)
    return table("In the paper", "In sledsim", "Not covered", rows=rows)


@app.command("run")
def run(
    names: NamesArgument,
    quick: QuickOption = False,
    traces: TracesOption = None,
    out: BookOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run experiments and print our figures beside the paper's, with a verdict on each claim."""
    from sledsim.estimates import Workers

    from .. import check_book, run as run_one, using_traces, write_book

    wanted = _wanted(names)
    if out is not None:
        from sledsim.charts import as_svg  # noqa: F401 - fail before the work if a library is missing.

        check_book(out)
    traced = [] if traces is None else using_traces(wanted, traces)
    if left := [row.id for row in wanted if traces is not None and row.needs and row not in traced]:
        print_note(f"{', '.join(left)}: run without real traces, because {traces} does not have their files")
    options = [*(["--quick"] if quick else []), *([] if traces is None else ["--traces", os.fspath(traces)])]
    chapters: list[Chapter] = []
    kept: list[int] = []
    written: list[Path] = []

    def chapter(row: "Experiment") -> "Chapter":
        return run_one(row.id, quick, traces if row in traced else None)

    # Contexts end in reverse order: `_kept` prints its note before `Workers` waits for running experiments.
    with (
        Workers() as pool,
        _kept("run", wanted, kept, out, options),
        progress("Computing", len(wanted)) as report,
    ):

        def told(done: int) -> None:
            kept.append(done)
            report(done)

        made = _noting(pool.each(chapter, wanted), chapters)
        if out is not None:
            written += write_book(made, out, told)
        else:
            for _ in made:
                report(len(chapters))
    if as_json:
        print_json([chapter.record.plain() for chapter in chapters])
    else:
        print_chapters(chapters)
    _say(written)


@app.command("perturb")
def perturb(
    names: OptionalNamesArgument = None,
    settings: SetOption = None,
    policies: InsteadOption = None,
    options: WorkloadOption = None,
    out: BookOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run experiments on wrong models (built-in, or one set by options), and print changed verdicts."""
    from .. import ALL, PERTURBATIONS, check_book, plain_reactions, react, runs_of, write_perturbed

    own = _own(settings, policies, options)
    if own and out is not None:
        raise ParameterError("--out: expected only built-in wrong models, found --set, --policy or --option")
    models = own or PERTURBATIONS
    wanted = _wanted(names or [ALL])
    if out is not None:
        check_book(out)
    found: list[list[Reactions]] = []
    written: list[Path] = []
    runs = runs_of(wanted, len(models))
    with (
        _kept("perturb", wanted, found, out),
        progress("Computing", runs) as report,
        # Closing ends the processes, also after an error.
        closing(react(wanted, models, progress=report)) as reacting,
    ):
        for rows in reacting:
            if out is not None:
                written += write_perturbed(rows, out)
            found.append(rows)
    claims = [row for rows in found for row in rows]
    if none := [one.id for one in wanted if names and not one.claims]:
        print_note(f"skipped, because they decide no claim: {', '.join(none)}")
    if as_json:
        print_json(plain_reactions(claims))
    else:
        print_reactions(claims)
    _say(written)


def _own(
    settings: list[str] | None, policies: list[str] | None, options: list[str] | None
) -> list["Perturbation"]:
    """Return the wrong model that the options of the user describe, in a list; the list may be empty."""
    from .. import own_perturbation

    if not (settings or policies or options):
        return []
    given: dict[str, dict[str, str]] = {}
    for key, value in parse_texts("--option", options).items():
        generator, colon, name = key.partition(":")
        if not (colon and name):
            raise ParameterError(f"--option: expected GENERATOR:KEY=VALUE, found {key}={value}")
        given.setdefault(generator, {})[name] = value
    return [own_perturbation(parse_settings(settings), parse_texts("--policy", policies), given)]


def _wanted(names: Sequence[str]) -> list["Experiment"]:
    """Return the experiments that the names select, and print for each named claim its experiment."""
    from .. import claimed, experiment, experiments

    wanted = experiments(names)
    for claim in filter(None, map(claimed, names)):
        print_note(f"{claim} is decided by {experiment(claim).id}")
    return wanted


@contextmanager
def _kept(
    command: str,
    wanted: Sequence["Experiment"],
    done: Sequence[object],
    out: str | None,
    options: Sequence[str] = (),
) -> Iterator[None]:
    """Print how to continue if the run of a command ends early: finished experiments and next command.

    `done` has an entry for each finished experiment, in the order of `wanted`. `options` are the other
    options of the command, and `out` is the folder of the book.
    """
    from .. import shortest

    try:
        yield
    finally:
        if out is not None and len(done) < len(wanted):
            words = ("paper", command, *shortest(wanted[len(done) :]), *options, "--out", out)
            kept = f"{len(done)} of {len(wanted)} experiments are in" if done else "nothing was written to"
            print_note(f"{kept} {out}; to continue: {runnable(*words)}")


def _noting(items: Iterable[_Item], noted: list[_Item]) -> Iterator[_Item]:
    """Yield each of `items`, and append it to the list `noted` before."""
    for item in items:
        noted.append(item)
        yield item


def _say(written: Sequence[Path]) -> None:
    if written:
        print_note(f"{len(set(written))} files written; open {os.fspath(written[-1])}")
