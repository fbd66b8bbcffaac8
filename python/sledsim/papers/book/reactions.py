"""Which verdicts notice that a model is wrong: every experiment again, on each of the perturbations."""

import itertools
import json
import multiprocessing
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ... import _native
from ...common.arguments import check_whole
from ...common.checked import array, load, made, mapping, optional, record, text, truth
from ...common.files import PathLike, write_text
from ...common.shown import clipped
from ..shared.experiments import Experiment
from ..shared.perturbations import PERTURBATIONS, enforce
from ..shared.verdicts import Verdict, named
from .running import run
from .table import EXPERIMENTS

#: The file of a book, and of the package, that holds the table that was made last.
NAME = "reactions.json"
_SHIPPED = Path(__file__).with_name(NAME)
#: What an experiment says of its claims: the verdict, and all that was compared.
_Said = dict[str, tuple[str, list[str]]]


@dataclass(frozen=True)
class Reaction:
    """What a claim makes of one perturbation.

    Attributes:
        verdict: The verdict that comes out; None where the experiment has no such device or request.
        moved: Whether any figure that was compared is another one.
    """

    verdict: Verdict | None
    moved: bool


@dataclass(frozen=True, repr=False)
class Reactions:
    """What a claim makes of all perturbations.

    Attributes:
        id: Of the claim.
        experiment: The id of the one that decides it.
        verdict: On the devices as they are.
        under: By the names of the perturbations.
    """

    id: str
    experiment: str
    verdict: Verdict
    under: Mapping[str, Reaction]

    def __repr__(self) -> str:
        found = f"{self.verdict.value}, noticed {len(self.noticed)} of {len(self.under)}"
        return f"<sledsim.papers.Reactions of {clipped(self.id)}: {found}>"

    @property
    def noticed(self) -> dict[str, Verdict | None]:
        """The perturbations under which another verdict comes out, or none can be had."""
        return {
            name: found.verdict for name, found in self.under.items() if found.verdict is not self.verdict
        }

    @property
    def moved(self) -> list[str]:
        """The perturbations that change figures, and not the verdict."""
        return [name for name, found in self.under.items() if found.moved and name not in self.noticed]

    @property
    def is_blind(self) -> bool:
        """Whether it is reproduced on whatever the experiment can be run."""
        return self.verdict is Verdict.REPRODUCED and not any(self.noticed.values())


_REACTION = made(Reaction, verdict=optional(named), moved=truth)
_ROW = made(Reactions, id=text, experiment=text, verdict=named, under=mapping(_REACTION))
_FILE = record(version=text, claims=array(_ROW))


def react(
    experiments: Sequence[Experiment],
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Iterator[list[Reactions]]:
    """Run experiments in their quick form on the devices as they are and on each perturbation.

    Args:
        experiments: Those that decide no claim are not run.
        workers: So many processes at a time; None takes as many as there are processors.
        progress: Called with the number of runs that are done, of `runs_of`.

    Yields:
        What the claims of each experiment make of the perturbations, as soon as that is known.

    Raises:
        ParameterError: There would be no worker.
    """
    if workers is not None:
        check_whole("workers", workers, 1)
    names = (None, *(one.name for one in PERTURBATIONS))
    pool = ThreadPoolExecutor(workers or os.cpu_count())
    try:
        runs = [
            (row, {name: pool.submit(_in_a_fresh_process, row.id, name) for name in names if row.claims})
            for row in experiments
        ]
        done = itertools.count(1)
        for row, futures in runs:
            said = {}
            for name, future in futures.items():
                said[name] = future.result()
                if progress:
                    progress(next(done))
            yield list(_reactions(row, said))
    finally:
        # Who has interrupted the work does not wait for the processes that are at it.
        pool.shutdown(wait=False, cancel_futures=True)


def runs_of(experiments: Sequence[Experiment]) -> int:
    """How many runs `react` takes."""
    return sum(bool(row.claims) for row in experiments) * (1 + len(PERTURBATIONS))


def _in_a_fresh_process(id: str, name: str | None) -> _Said | None:
    """Experiments keep devices and runs for one another: a perturbation needs a process of its own."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as one:
        return one.submit(_said, id, name).result()


def _said(id: str, name: str | None) -> _Said | None:
    """What an experiment says on a perturbation; None where it has no such device or request."""
    enforce(next((one for one in PERTURBATIONS if one.name == name), None))
    try:
        # What was recorded on real traces was so on the models as they are.
        claims = run(id, quick=True, recordings=False).claims
    except _native.ParameterError:
        if name is None:
            raise
        return None
    return {
        claim.id: (claim.verdict.value, [finding.found for finding in claim.findings]) for claim in claims
    }


def _reactions(row: Experiment, said: Mapping[str | None, _Said | None]) -> Iterator[Reactions]:
    """Of every claim of an experiment, out of what it says on each perturbation, and on none."""
    for claim, (verdict, found) in (said.get(None) or {}).items():
        under = {}
        for one in PERTURBATIONS:
            other = said[one.name]
            under[one.name] = (
                Reaction(None, moved=True)
                if other is None
                else Reaction(Verdict(other[claim][0]), moved=other[claim][1] != found)
            )
        yield Reactions(claim, row.id, Verdict(verdict), under)


def merged(old: Sequence[Reactions], new: Sequence[Reactions]) -> list[Reactions]:
    """A table with the rows of another one in it; claims that no experiment decides any more are left out."""
    rows = {row.id: row for row in (*old, *new)}
    decided = [claim for row in EXPERIMENTS for claim in row.claims]
    return [rows[claim] for claim in decided if claim in rows]


def latest(book: PathLike | None = None) -> list[Reactions]:
    """The table that was made last: that of a book, if it has one, or else the one that came with sledsim.

    Raises:
        OSError: The file cannot be read.
        ParameterError: It holds something else.
    """
    path = _SHIPPED if book is None or not (Path(book) / NAME).is_file() else Path(book) / NAME
    try:
        rows: list[Reactions] = _FILE("", load("", path.read_bytes()))["claims"]
    except ValueError as error:
        raise _native.ParameterError(
            f"{path}: expected the table that 'sledsim paper perturb --out' writes, found another file"
            f" ({error})"
        ) from error
    return rows


def write_reactions(rows: Sequence[Reactions], book: PathLike) -> Path:
    """Keep the table in a book.

    Raises:
        OSError: The file cannot be written; no part of it is left.
    """
    plain = {"version": _native.__version__, "claims": plain_reactions(rows)}
    return write_text(Path(book) / NAME, json.dumps(plain, indent=1) + "\n")


def plain_reactions(rows: Sequence[Reactions]) -> list[dict[str, Any]]:
    """As JSON has them."""

    def words(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        return {name: value.value if isinstance(value, Verdict) else value for name, value in pairs}

    return [asdict(row, dict_factory=words) for row in rows]
