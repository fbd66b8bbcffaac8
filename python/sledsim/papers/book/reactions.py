"""The verdicts that notice a wrong model: every experiment again, on each of the perturbations."""

import itertools
import json
import os
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from sledsim import ParameterError, __version__
from sledsim.estimates import check_whole
from sledsim.files import PathLike, checked, write_text
from sledsim.pages import clipped

from ..shared.experiments import Experiment
from ..shared.perturbations import PERTURBATIONS, Perturbation, asked, enforce
from ..shared.verdicts import Verdict, named
from .fresh import Fresh
from .recordings import recording_of
from .running import run
from .table import EXPERIMENTS

#: The file of a book, and of the package, that holds the table that was made last.
NAME = "reactions.json"
_SHIPPED = Path(__file__).with_name(NAME)
#: The findings of an experiment on its claims: both verdicts, and all that was compared.
_Said = dict[str, tuple[str, str | None, list[str]]]
#: Why an experiment is not run on a perturbation.
_UNTOUCHED = "it asks for nothing that is changed"


@dataclass(frozen=True)
class _Ran:
    """The findings of an experiment in a run, and what it asked for.

    Attributes:
        said: Nothing if it cannot be run.
        asked: Kinds of devices, policies and generators.
        why: Why it was not run to its end; None if it was.
    """

    said: _Said | None
    asked: frozenset[str]
    why: str | None = None


@dataclass(frozen=True)
class Reaction:
    """The verdicts on a claim under one perturbation.

    Attributes:
        verdict: The verdict that comes out; None where the experiment has no such device or request.
        elsewhere: That on other inputs; None where there are none.
        moved: Whether any figure that was compared is another one.
        why: Why the experiment was not run on it, or not to its end; None where it was.
    """

    verdict: Verdict | None
    elsewhere: Verdict | None
    moved: bool
    why: str | None = None

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
    def is_untouched(self) -> bool:
        """Tell whether no perturbation changes anything that its experiment asks for."""
        return all(found.verdict is not None and found.why is not None for found in self.under.values())

    @property
    def is_blind(self) -> bool:
        """Tell whether it has a verdict that stays on every model on which the experiment can be run."""
        return not self.is_open and all(found.verdict is None for found in self.noticed.values())


_VERDICT = checked.optional(named)
_REACTION = checked.made(
    Reaction, verdict=_VERDICT, elsewhere=_VERDICT, moved=checked.truth, why=checked.optional(checked.text)
)
_ROW = checked.made(
    *(Reactions,),
    id=checked.text,
    experiment=checked.text,
    verdict=named,
    elsewhere=_VERDICT,
    recorded=_VERDICT,
    under=checked.mapping(_REACTION),
)
_FILE = checked.record(version=checked.text, claims=checked.array(_ROW))


def react(
    experiments: Sequence[Experiment],
    perturbations: Sequence[Perturbation] = PERTURBATIONS,
    *,
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Generator[list[Reactions], None, None]:
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

    # Experiments keep devices and runs for one another: a perturbation needs a process of its own.
    pool, fresh = ThreadPoolExecutor(workers or os.cpu_count()), Fresh()
    try:
        own = {row.id: pool.submit(lambda row: ran(fresh.run(_ran, row.id, None)), row) for row in rows}
        told = {
            row.id: pool.submit(fresh.run, _ran, row.id, None, True) for row in rows if recording_of(row.id)
        }

        def under(row: Experiment, one: Perturbation) -> _Ran:
            own_ran = own[row.id].result()
            touched = one.changes(own_ran.asked)
            return ran(fresh.run(_ran, row.id, one) if touched else replace(own_ran, why=_UNTOUCHED))

        wrong = {row.id: [pool.submit(under, row, one) for one in perturbations] for row in rows}
        for row in experiments:
            if row.id not in own:
                yield []
                continue
            found = [future.result() for future in wrong[row.id]]
            here = own[row.id].result().said or {}
            recorded = told[row.id].result().said if row.id in told else here
            yield list(_reactions(row, here, recorded or {}, dict(zip(perturbations, found, strict=True))))
    finally:
        # Who has interrupted the work does not wait for the processes that are at it.
        pool.shutdown(wait=False, cancel_futures=True)
        fresh.end()


def runs_of(experiments: Sequence[Experiment], perturbations: int = len(PERTURBATIONS)) -> int:
    """The number of runs that `react` takes at most."""
    return sum(bool(row.claims) for row in experiments) * (1 + perturbations)


#: What ends an experiment on a model or requests that it is not made for.
_ENDS = (ParameterError, ArithmeticError, LookupError, ValueError)


def _ran(id: str, perturbation: Perturbation | None, recordings: bool = False) -> _Ran:
    """The findings of an experiment on a perturbation; none where it has no such device or request."""
    enforce(perturbation)
    try:
        # What was recorded on real traces was so on the models as they are.
        claims = run(id, quick=True, recordings=recordings).claims
    except _ENDS as error:
        if perturbation is None:
            raise
        return _Ran(None, asked(), str(error))
    said: _Said = {}
    for claim in claims:
        elsewhere = claim.elsewhere and claim.elsewhere.value
        said[claim.id] = claim.verdict.value, elsewhere, [finding.found for finding in claim.findings]
    return _Ran(said, asked())


def _reactions(
    row: Experiment, here: _Said, recorded: _Said, wrong: Mapping[Perturbation, _Ran]
) -> Iterator[Reactions]:
    """Of every claim of an experiment, out of what it says on each perturbation, and on none."""
    for claim, (verdict, elsewhere, found) in here.items():
        under = {}
        for one, ran in wrong.items():
            if ran.said is None:
                under[one.name] = Reaction(None, None, moved=True, why=ran.why)
            else:
                there, beside, figures = ran.said[claim]
                under[one.name] = Reaction(Verdict(there), _verdict(beside), figures != found, ran.why)
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
        rows: list[Reactions] = _FILE("", checked.load("", path.read_bytes()))["claims"]
    except ValueError as error:
        raise ParameterError(
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
    claims = plain_reactions(rows)
    for one in claims:
        # The table that comes with sledsim has a reason only where there is one.
        one["under"] = {name: _without_none(under) for name, under in one["under"].items()}
    plain = {"version": __version__, "claims": claims}
    return write_text(Path(book) / NAME, json.dumps(plain, indent=1) + "\n")


def _without_none(under: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in under.items() if key != "why" or value is not None}


def plain_reactions(rows: Sequence[Reactions]) -> list[dict[str, Any]]:
    """As JSON has them."""

    def words(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        return {name: value.value if isinstance(value, Verdict) else value for name, value in pairs}

    return [asdict(row, dict_factory=words) for row in rows]
