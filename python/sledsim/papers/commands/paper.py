"""``sledsim paper``: the papers' experiments, computed again, and the verdict on each of their claims."""

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
    help="Check the claims of the five published papers: compute their experiments again.",
    no_args_is_help=True,
    rich_help_panel="Study",
)
app.command("robustness")(robustness)


def _complete_name(incomplete: str) -> list[tuple[str, str]]:
    """Names in the spelling that is begun; claims, of which there are many, where one is."""
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
    help="Experiments (002-E-1), claims for what decides them (002-C5), whole papers (002), or 'all': "
    "'sledsim paper list' shows them.",
    autocompletion=_complete_name,
)
NamesArgument = Annotated[list[str], _NAMES]
OptionalNamesArgument = Annotated[list[str] | None, _NAMES]
QuickOption = Annotated[bool, typer.Option("--quick", help="Fewer requests and points; the same verdicts.")]
# A text, for a path of no letters would be the folder that one is in.
BookOption = Annotated[
    str | None,
    typer.Option(
        metavar="FOLDER", help="For a book of web pages and verdicts: new, empty, or one to add to."
    ),
]
TracesOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER", help="Real traces that some experiments use, too: docs/background/papers.md."
    ),
]

SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="A parameter of every sled; several times for more."),
]
InsteadOption = Annotated[
    list[str] | None,
    typer.Option(
        "--policy",
        metavar="NAME=OTHER",
        help="A policy in place of another, as in zsptf=cscan; several times for more.",
    ),
]
WorkloadOption = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="GENERATOR:KEY=VALUE",
        help="An option of a drawn workload, as in random:reads=1; several times for more.",
    ),
]


@app.command("list")
def list_experiments(names: OptionalNamesArgument = None, as_json: JsonOption = False) -> None:
    """List the experiments, and where all that the papers print is; of named ones, what they do."""
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
    """Print what an experiment does, what its claims state, and what is not whole."""
    console().print(f"{row.id} {row.title}", style="bold", soft_wrap=True)
    print_text(row.computes)
    if row.needs:
        print_text(f"Takes --traces FOLDER, with {' and '.join(row.needs)}.")
    if row.claims:
        # A claim has no verdict yet before the shipped table is made again.
        known = {claim: both(*verdicts[claim]) if claim in verdicts else ("", "") for claim in row.claims}
        rows = ((claim, *both, said[claim]) for claim, both in known.items())
        print_table(
            "", table("Claim", "Verdict", "Elsewhere", "What is claimed, and how it is read", rows=rows)
        )
    print_table("", _items(items))


def _items(items: Sequence["Item"]) -> Any:
    rows = ((item.printed, " ".join(item.here), item.lacks) for item in items)
    return table("What it prints", "Here", "Not whole", rows=rows)


@app.command("run")
def run(
    names: NamesArgument,
    quick: QuickOption = False,
    traces: TracesOption = None,
    out: BookOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run experiments: our figures beside the paper's, and the verdicts."""
    from sledsim.estimates import Workers

    from .. import check_book, run as run_one, using_traces, write_book

    wanted = _wanted(names)
    if out is not None:
        from sledsim.charts import as_svg  # noqa: F401 - without it there is no book: say so before the work.

        check_book(out)
    traced = [] if traces is None else using_traces(wanted, traces)
    if left := [row.id for row in wanted if traces is not None and row.needs and row not in traced]:
        print_note(f"without real traces, of which they need others: {' '.join(left)}")
    options = [*(["--quick"] if quick else []), *([] if traces is None else ["--traces", os.fspath(traces)])]
    chapters: list[Chapter] = []
    kept: list[int] = []
    written: list[Path] = []

    def chapter(row: "Experiment") -> "Chapter":
        return run_one(row.id, quick, traces if row in traced else None)

    # What is kept is said before what still runs is waited for.
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
    """Run experiments on wrong models, listed ones or one that you give, and show which verdicts change."""
    from .. import ALL, PERTURBATIONS, check_book, plain_reactions, react, runs_of, write_perturbed

    own = _own(settings, policies, options)
    if own and out is not None:
        raise ParameterError(
            "--out: expected the listed models, which a book has, found --set, --policy or --option beside it"
        )
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
        # Processes end with the work, whatever ends that.
        closing(react(wanted, models, progress=report)) as reacting,
    ):
        for rows in reacting:
            if out is not None:
                written += write_perturbed(rows, out)
            found.append(rows)
    claims = [row for rows in found for row in rows]
    if none := [one.id for one in wanted if names and not one.claims]:
        print_note(f"decides no claim, and is not run: {', '.join(none)}")
    if as_json:
        print_json(plain_reactions(claims))
    else:
        print_reactions(claims)
    _say(written)


def _own(
    settings: list[str] | None, policies: list[str] | None, options: list[str] | None
) -> list["Perturbation"]:
    """The model that is asked for, if one is."""
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
    """The experiments of names; of a claim it is said which one decides it."""
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
    """Say at an end before the time how many of the experiments are in the book, and how to go on.

    They are `done` in the order in which they are `wanted`.
    """
    from .. import shortest

    try:
        yield
    finally:
        if out is not None and len(done) < len(wanted):
            words = ("paper", command, *shortest(wanted[len(done) :]), *options, "--out", out)
            kept = f"{len(done)} of {len(wanted)} experiments are in" if done else "nothing was written to"
            print_note(f"{kept} {out}; to go on: {runnable(*words)}")


def _noting(items: Iterable[_Item], noted: list[_Item]) -> Iterator[_Item]:
    """Take items one by one, each noted as it is taken."""
    for item in items:
        noted.append(item)
        yield item


def _say(written: Sequence[Path]) -> None:
    if written:
        print_note(f"{len(set(written))} files written; open {os.fspath(written[-1])}")
