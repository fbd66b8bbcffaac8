"""The verdicts that notice a wrong model: every experiment again, on each of the perturbations."""

import itertools
import json
import multiprocessing
import os
import threading
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
from ..shared.perturbations import PERTURBATIONS, Perturbation, asked, enforce
from ..shared.verdicts import Verdict, named
from .recordings import recording_of
from .running import run
from .table import EXPERIMENTS

#: The file of a book, and of the package, that holds the table that was made last.
NAME = "reactions.json"
_SHIPPED = Path(__file__).with_name(NAME)
#: The findings of an experiment on its claims: both verdicts, and all that was compared.
_Said = dict[str, tuple[str, str | None, list[str]]]
#: The same, and the kinds of devices, policies and generators that it asked for.
_Ran = tuple[_Said | None, frozenset[str]]


@dataclass(frozen=True)
class Reaction:
    """The verdicts on a claim under one perturbation.

    Attributes:
        verdict: The verdict that comes out; None where the experiment has no such device or request.
        elsewhere: That on other inputs; None where there are none.
        moved: Whether any figure that was compared is another one.
    """

    verdict: Verdict | None
    elsewhere: Verdict | None
    moved: bool

    @property
    def both(self) -> tuple[Verdict | None, Verdict | None]:
        """The two verdicts."""
        return self.verdict, self.elsewhere


@dataclass(frozen=True, repr=False)
class Reactions:
    """The verdicts on a claim under all perturbations.

    Attributes:
        id: Of the claim.
        experiment: The id of the one that decides it.
        verdict: On the devices as they are.
        elsewhere: That on other inputs, without what is recorded of real traces.
        recorded: The same with it.
        under: By the names of the perturbations.
    """

    id: str
    experiment: str
    verdict: Verdict
    elsewhere: Verdict | None
    recorded: Verdict | None
    under: Mapping[str, Reaction]

    def __repr__(self) -> str:
        found = f"{self.verdict.value}, noticed {len(self.noticed)} of {len(self.under)}"
        return f"<sledsim.papers.Reactions of {clipped(self.id)}: {found}>"

    @property
    def noticed(self) -> dict[str, Reaction]:
        """The perturbations under which another verdict comes out on one of the axes, or none can be had."""
        return {
            name: found for name, found in self.under.items() if found.both != (self.verdict, self.elsewhere)
        }

    @property
    def moved(self) -> list[str]:
        """The perturbations that change figures, and not the verdicts."""
        return [name for name, found in self.under.items() if found.moved and name not in self.noticed]

    @property
    def is_open(self) -> bool:
        """Tell whether it needs what is not published, so that it has no verdict that could turn."""
        return self.verdict is Verdict.UNPUBLISHED and self.elsewhere is None

    @property
    def is_blind(self) -> bool:
        """Tell whether it has a verdict that stays on every model on which the experiment can be run."""
        return not self.is_open and all(found.verdict is None for found in self.noticed.values())


_VERDICT = optional(named)
_REACTION = made(Reaction, verdict=_VERDICT, elsewhere=_VERDICT, moved=truth)
_ROW = made(
    *(Reactions,),
    id=text,
    experiment=text,
    verdict=named,
    elsewhere=_VERDICT,
    recorded=_VERDICT,
    under=mapping(_REACTION),
)
_FILE = record(version=text, claims=array(_ROW))


def react(
    experiments: Sequence[Experiment],
    perturbations: Sequence[Perturbation] = PERTURBATIONS,
    *,
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Iterator[list[Reactions]]:
    """Run experiments in their quick form on the devices as they are and on each perturbation.

    A perturbation of what an experiment does not ask for changes nothing, and is not run.

    Args:
        experiments: Those that decide no claim are not run.
        perturbations: The models that are wrong.
        workers: So many processes at a time; None takes as many as there are processors.
        progress: Called with the number of runs that are done or left out, of `runs_of`.

    Yields:
        What the claims of each experiment make of the perturbations, as soon as that is known.

    Raises:
        ParameterError: There would be no worker.
    """
    if workers is not None:
        check_whole("workers", workers, 1)
    rows = [row for row in experiments if row.claims]
    done = itertools.count(1)
    lock = threading.Lock()

    def ran(found: _Ran) -> _Ran:
        if progress:
            with lock:
                progress(next(done))
        return found

    pool = ThreadPoolExecutor(workers or os.cpu_count())
    try:
        own = {row.id: pool.submit(lambda row: ran(_in_a_fresh_process(row.id, None)), row) for row in rows}
        told = {
            row.id: pool.submit(_in_a_fresh_process, row.id, None, recordings=True)
            for row in rows
            if recording_of(row.id)
        }

        def under(row: Experiment, one: Perturbation) -> _Ran:
            own_ran = own[row.id].result()
            return ran(_in_a_fresh_process(row.id, one) if one.changes(own_ran[1]) else own_ran)

        wrong = {row.id: [pool.submit(under, row, one) for one in perturbations] for row in rows}
        for row in experiments:
            if row.id not in own:
                yield []
                continue
            found = [future.result()[0] for future in wrong[row.id]]
            here = own[row.id].result()[0] or {}
            recorded = told[row.id].result()[0] if row.id in told else here
            yield list(_reactions(row, here, recorded or {}, dict(zip(perturbations, found, strict=True))))
    finally:
        # Who has interrupted the work does not wait for the processes that are at it.
        pool.shutdown(wait=False, cancel_futures=True)


def runs_of(experiments: Sequence[Experiment], perturbations: int = len(PERTURBATIONS)) -> int:
    """The number of runs that `react` takes at most."""
    return sum(bool(row.claims) for row in experiments) * (1 + perturbations)


def _in_a_fresh_process(id: str, perturbation: Perturbation | None, recordings: bool = False) -> _Ran:
    """Experiments keep devices and runs for one another: a perturbation needs a process of its own."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as one:
        return one.submit(_ran, id, perturbation, recordings).result()


def _ran(id: str, perturbation: Perturbation | None, recordings: bool) -> _Ran:
    """The findings of an experiment on a perturbation; None where it has no such device or request."""
    enforce(perturbation)
    try:
        # What was recorded on real traces was so on the models as they are.
        claims = run(id, quick=True, recordings=recordings).claims
    except _native.ParameterError:
        if perturbation is None:
            raise
        return None, asked()
    said: _Said = {}
    for claim in claims:
        elsewhere = claim.elsewhere and claim.elsewhere.value
        said[claim.id] = claim.verdict.value, elsewhere, [finding.found for finding in claim.findings]
    return said, asked()


def _reactions(
    row: Experiment, here: _Said, recorded: _Said, wrong: Mapping[Perturbation, _Said | None]
) -> Iterator[Reactions]:
    """Of every claim of an experiment, out of what it says on each perturbation, and on none."""
    for claim, (verdict, elsewhere, found) in here.items():
        under = {}
        for one, said in wrong.items():
            if said is None:
                under[one.name] = Reaction(None, None, moved=True)
            else:
                there, beside, figures = said[claim]
                under[one.name] = Reaction(Verdict(there), _verdict(beside), figures != found)
        known = recorded[claim][1]
        yield Reactions(
            *(claim, row.id, Verdict(verdict)),
            _verdict(elsewhere),
            _verdict(known),
            under,
        )


def _verdict(text: str | None) -> Verdict | None:
    return None if text is None else Verdict(text)


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


def shipped_verdicts() -> dict[str, tuple[Verdict, Verdict | None]]:
    """The verdicts of each claim that came with sledsim, those elsewhere with what is recorded."""
    return {row.id: (row.verdict, row.recorded) for row in latest()}


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
