"""Verdicts under perturbations, which are deliberately wrong models: each experiment is run with each one."""

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

#: Name of the file with the verdicts under all perturbations, in a book and in the package.
NAME = "reactions.json"
_SHIPPED = Path(__file__).with_name(NAME)
#: Verdict on the paper's inputs, verdict on other inputs, and results as texts; by id of the claim.
_Said = dict[str, tuple[str, str | None, list[str]]]
#: Reason given for a run that is skipped, because the perturbation changes nothing that the experiment uses.
_UNTOUCHED = "it uses nothing that the model changes"


@dataclass(frozen=True)
class _Ran:
    """Outcome of one run of an experiment.

    Attributes:
        said: Verdicts and results by id of the claim; None if the run failed.
        asked: Names of the kinds of devices, of the policies and of the random workloads that the run used.
        why: Reason why the run was skipped or failed; None for a complete run.
    """

    said: _Said | None
    asked: frozenset[str]
    why: str | None = None


@dataclass(frozen=True)
class Reaction:
    """Verdicts on a claim under one perturbation.

    Attributes:
        verdict: Verdict under the perturbation; None if the experiment fails on the perturbed model.
        elsewhere: Verdict on inputs other than the paper's under the perturbation; None if the claim has no
            such inputs.
        moved: True if the perturbation changes a result on which the claim is judged, or makes the experiment
            fail.
        why: Reason why the experiment was skipped or failed; None for a complete run.
    """

    verdict: Verdict | None
    elsewhere: Verdict | None
    moved: bool
    why: str | None = None

    @property
    def both(self) -> tuple[Verdict | None, Verdict | None]:
        """Pair of the verdict on the paper's inputs and the verdict on other inputs."""
        return self.verdict, self.elsewhere


@dataclass(frozen=True, repr=False)
class Reactions:
    """Verdicts on one claim under all perturbations.

    Attributes:
        id: Id of the claim.
        experiment: Id of the experiment that decides the claim.
        verdict: Verdict with the unchanged models.
        elsewhere: Verdict with the unchanged models on inputs other than the paper's, without recorded
            findings; None if the claim has no such inputs.
        recorded: Verdict as in `elsewhere`, but with the findings recorded on real traces.
        under: Verdicts under a perturbation, by the name of the perturbation.
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
        """Reactions under the perturbations that change a verdict or make the run fail, by perturbation."""
        return {
            name: found for name, found in self.under.items() if found.both != (self.verdict, self.elsewhere)
        }

    @property
    def moved(self) -> list[str]:
        """Names of the perturbations that change results on which the claim is judged, but no verdict."""
        return [name for name, found in self.under.items() if found.moved and name not in self.noticed]

    @property
    def is_open(self) -> bool:
        """True if the only verdict is "input not published", which no perturbation can change."""
        return self.verdict is Verdict.UNPUBLISHED and self.elsewhere is None

    @property
    def is_untouched(self) -> bool:
        """True if no perturbation changes a device, policy or random workload that the experiment uses."""
        return all(found.verdict is not None and found.why is not None for found in self.under.values())

    @property
    def is_blind(self) -> bool:
        """True if no perturbation changes a verdict on the claim, except by making the experiment fail."""
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
    """Run quick forms of experiments with the unchanged models, and under each perturbation.

    A perturbation is skipped if it changes nothing that the experiment uses.

    Args:
        experiments: Experiments to run; an experiment that decides no claim is skipped.
        perturbations: Wrong models with which each experiment is run.
        workers: Number of parallel processes; None for one per processor.
        progress: Function called with the number of runs that are done or skipped, out of `runs_of`.

    Yields:
        A list for each experiment, in order: the verdicts on its claims under all perturbations.

    Raises:
        ParameterError: `workers` is less than 1.
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

    # Each run has its own process, because experiments cache devices and runs in a process.
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
        # Do not wait for running processes here: after an interruption, `fresh.end` ends them.
        pool.shutdown(wait=False, cancel_futures=True)
        fresh.end()


def runs_of(experiments: Sequence[Experiment], perturbations: int = len(PERTURBATIONS)) -> int:
    """Return the number of runs of `react` with a number of perturbations, including skipped runs."""
    return sum(bool(row.claims) for row in experiments) * (1 + perturbations)


#: Errors that, under a perturbation, mean that the experiment cannot be run on the wrong model.
_ENDS = (ParameterError, ArithmeticError, LookupError, ValueError)


def _ran(id: str, perturbation: Perturbation | None, recordings: bool = False) -> _Ran:
    """Run the experiment `id` with a perturbation in force; None stands for the unchanged models.

    The outcome has no verdicts if the experiment fails on the perturbed model.
    """
    enforce(perturbation)
    try:
        # Findings recorded on real traces hold for the unchanged models only.
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
    """Compare the verdicts under each perturbation, `wrong`, with those of the unchanged models, `here`.

    `recorded` is the outcome of the unchanged models, recorded findings included.
    """
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
    """Merge `Reactions`: rows of `new` replace those of `old`; claims without an experiment are dropped."""
    rows = {row.id: row for row in (*old, *new)}
    decided = [claim for row in EXPERIMENTS for claim in row.claims]
    return [rows[claim] for claim in decided if claim in rows]


def latest(book: PathLike | None = None) -> list[Reactions]:
    """Read the verdicts under all perturbations from a book, or those shipped with sledsim.

    The shipped ones are read if `book` is None or has none.

    Raises:
        OSError: The file cannot be read.
        ParameterError: The file has other contents.
    """
    path = _SHIPPED if book is None or not (Path(book) / NAME).is_file() else Path(book) / NAME
    try:
        rows: list[Reactions] = _FILE("", checked.load("", path.read_bytes()))["claims"]
    except ValueError as error:
        raise ParameterError(
            f"{path}: expected the table of 'sledsim paper perturb --out', found another file ({error})"
        ) from error
    return rows


def shipped_verdicts() -> dict[str, tuple[Verdict, Verdict | None]]:
    """Return the shipped verdicts by claim id: on the paper's inputs, and on those that replace them."""
    return {row.id: (row.verdict, row.recorded) for row in latest()}


def write_reactions(rows: Sequence[Reactions], book: PathLike) -> Path:
    """Write verdicts under perturbations into the folder of a book, and return the path of the file.

    Raises:
        OSError: The file cannot be written; no part of it is left.
    """
    claims = plain_reactions(rows)
    for one in claims:
        # A reason that is None is left out, as in the shipped file.
        one["under"] = {name: _without_none(under) for name, under in one["under"].items()}
    plain = {"version": __version__, "claims": claims}
    return write_text(Path(book) / NAME, json.dumps(plain, indent=1) + "\n")


def _without_none(under: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in under.items() if key != "why" or value is not None}


def plain_reactions(rows: Sequence[Reactions]) -> list[dict[str, Any]]:
    """Return verdicts under perturbations as JSON data."""

    def words(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        return {name: value.value if isinstance(value, Verdict) else value for name, value in pairs}

    return [asdict(row, dict_factory=words) for row in rows]
