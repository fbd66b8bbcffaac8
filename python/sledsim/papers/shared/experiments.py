"""Experiments of the papers, their results, and their chapters in the book."""

import os
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType
from typing import Any

import pyarrow

from sledsim import Device
from sledsim.files import PathLike
from sledsim.pages import Form, Shown, clipped, counted, of_rows

from .claims import Claim, numbers_of, statements
from .findings import Finding
from .readings import Trial
from .records import Record

#: Function that builds an Altair chart. It is called only when the chart is drawn, so that verdicts need no
#: plotting library.
Draw = Callable[[], Any]


@dataclass(frozen=True)
class Paper:
    """A paper whose claims are checked.

    Attributes:
        title: Authors, title and venue of the paper.
        claims: Number of claims of the paper listed in ``statements.toml``.
    """

    title: str
    claims: int


#: Papers by number.
PAPERS = {
    number: Paper(title, sum(name.startswith(f"{number}-C") for name in statements()))
    for number, title in {
        "000": "Hong et al., Zone-based shortest positioning time first scheduling (MASCOTS 2003)",
        "001": "Griffin et al., Operating system management of MEMS-based storage devices (OSDI 2000)",
        "002": "Griffin et al., Modeling and performance of MEMS-based storage devices (SIGMETRICS 2000)",
        "003": "Hong, Exploring the usage of MEMS-based storage as metadata storage and disk cache",
        "004": "Khatib et al., Workload-based configuration of MEMS-based storage devices (EMSOFT 2008)",
    }.items()
}


@dataclass(frozen=True, eq=False, repr=False)
class Result(Shown):
    """The result of an experiment: claims with verdicts, tables, charts and notes.

    Attributes:
        devices: Devices of the experiment with the paper's parameters.
        claims: Claims that the experiment decides, with their verdicts.
        tables: Tables by title, as Arrow tables or lists of rows. Values are in SI units; the name of a
            column ends with its unit.
        charts: Functions that draw the charts, by title.
        notes: Notes for the reader, such as how ambiguous texts of the paper are read.
        trials: Trials by title of the printed table: findings on the table under each reading of ambiguous
            texts.
        beside: Comparisons with further statements of the paper about the curves of a figure, such as their
            order and their crossings; no verdict depends on these comparisons.
    """

    devices: Sequence[Device]
    claims: Sequence[Claim] = ()
    tables: Mapping[str, pyarrow.Table] = field(default_factory=dict)
    charts: Mapping[str, Draw] = field(default_factory=dict)
    notes: Sequence[str] = ()
    trials: Mapping[str, Sequence[Trial]] = field(default_factory=dict)
    beside: Sequence[Finding] = ()

    def __post_init__(self) -> None:
        under = {title: [trial.row() for trial in trials] for title, trials in self.trials.items()}
        tables = {title: table(rows) for title, rows in (*under.items(), *self.tables.items())}
        object.__setattr__(self, "tables", tables)

    def _form(self) -> Form:
        rows = [{"claim": one.id, "verdict": one.verdict.value} for one in self.claims]
        return Form(
            "Result of an experiment",
            [of_rows(rows)],
            self.notes,
            calls=("claims", "tables", "charts"),
            line=f"of {counted(len(self.claims), 'claim')}, {counted(len(self.tables), 'table')}",
        )


def table(rows: pyarrow.Table | Iterable[Mapping[str, Any]]) -> pyarrow.Table:
    """Build an Arrow table from rows; if a row has no value for a column, the value is null."""
    if isinstance(rows, pyarrow.Table):
        return rows
    rows = list(rows)
    names = dict.fromkeys(name for row in rows for name in row)
    return pyarrow.table({name: [row.get(name) for row in rows] for name in names})


@dataclass(frozen=True, repr=False)
class Experiment:
    """An experiment on a paper; `of` builds it from the Python file that describes it.

    Attributes:
        id: Id of the experiment: ``002-E-1`` is the first experiment of paper 002.
        title: Table or figure of the paper, and its subject.
        computes: Description of the computation in one sentence.
        numbers: Numbers of the claims that the experiment decides.
        run: Function that runs the experiment. ``run(True)`` uses fewer requests and points, with the same
            verdicts. If `needs` is not empty, ``run(quick, folder)`` also uses the traces in the folder.
        needs: Names (in `hp_disks`) of the HP traces that the folder has to hold.
    """

    id: str
    title: str
    computes: str
    numbers: tuple[int, ...]
    run: Callable[..., Result]
    needs: tuple[str, ...] = ()

    @classmethod
    def of(cls, module: ModuleType) -> "Experiment":
        """Build an experiment from the imported Python file `module` that describes it.

        The file name gives paper and number, for example ``p002/e12_subject.py``. The docstring has the title
        (``002-E-12, TITLE.``) and the description. The file defines the function `run`, and the tuple `NEEDS`
        if the experiment can use real traces. ``statements.toml`` has the claims.
        """
        room, file = module.__name__.split(".")[-2:]
        name = f"{room[1:]}-E-{int(file[1:3])}"
        # Python with the option -OO drops docstrings, so title and description are empty then.
        title, _, computes = (module.__doc__ or "").partition("\n\n")
        title = title.removeprefix(f"{name}, ").removesuffix(".")
        about = (name, title, " ".join(computes.split()), numbers_of(name))
        return cls(*about, module.run, getattr(module, "NEEDS", ()))

    def __repr__(self) -> str:
        return f"<sledsim.papers.Experiment {self.id}: {clipped(self.title, 100)}>"

    @property
    def paper(self) -> str:
        """The number of the paper."""
        return self.id.partition("-")[0]

    @cached_property
    def claims(self) -> tuple[str, ...]:
        """Ids of the claims that the experiment decides."""
        return tuple(f"{self.paper}-C{number}" for number in self.numbers)


@dataclass(frozen=True, eq=False, repr=False)
class Chapter(Shown):
    """An experiment with its result, for a page of the book; `traces` is the folder of real traces."""

    experiment: Experiment
    result: Result
    quick: bool
    traces: PathLike | None = None

    def _form(self) -> Form:
        rows = [
            {"claim": one.id, "verdict": one.verdict.value, "states": one.statement} for one in self.claims
        ]
        title = f"{self.experiment.id}, {self.experiment.title}"
        quick = ", quick" if self.quick else ""
        return Form(
            title,
            [of_rows(rows)],
            self.result.notes,
            calls=("claims", "tables", "command"),
            line=f"{self.experiment.id}: {counted(len(self.claims), 'claim')}{quick}",
        )

    @cached_property
    def record(self) -> Record:
        """Record of the experiment, which a book keeps in a file: all data except tables and charts."""
        row, result = self.experiment, self.result
        devices = [device.name for device in result.devices]
        return Record(row.id, row.title, self.quick, devices, self.claims, list(result.notes))

    @property
    def command(self) -> str:
        """The command that runs the experiment with the same options and writes its page of the book."""
        quick = " --quick" if self.quick else ""
        traces = "" if self.traces is None else f" --traces {shlex.quote(os.fspath(self.traces))}"
        return f"sledsim paper run {self.experiment.id}{quick}{traces} --out book"

    @cached_property
    def claims(self) -> list[Claim]:
        """The claims that the experiment decides, sorted by number."""
        return sorted(self.result.claims, key=lambda claim: claim.number)

    @property
    def beside(self) -> list[Finding]:
        """Findings on the curves of a figure that the page lists: those of the claims, then `Result.beside`.

        If a claim has findings on the paper's inputs, only those are listed. An experiment that is not about
        a figure has only `Result.beside`.
        """
        if "Figure" not in self.experiment.title:
            return list(self.result.beside)
        shown: list[Finding] = []
        for claim in self.claims:
            shown += [one for one in claim.findings if one.is_matched] or claim.findings
        return [*shown, *self.result.beside]

    @cached_property
    def tables(self) -> dict[str, pyarrow.Table]:
        """The tables of the result, by the name of their CSV file in the book."""
        tables = self.result.tables.values()
        return {f"tables/{self.experiment.id}-{i}.csv": columns for i, columns in enumerate(tables, 1)}
