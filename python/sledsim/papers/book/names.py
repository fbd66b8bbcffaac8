"""What users call experiments: their ids, claims that they decide, and papers, spelt leniently."""

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence

from sledsim import ParameterError

from ..shared.experiments import PAPERS, Experiment
from .table import EXPERIMENTS

#: All experiments.
ALL = "all"
#: The letter may stand before the paper or before the number; without one it is an experiment.
_NAME = re.compile(r"(?:([EC])-?)?(\d{3})-?(?:([EC])-?)?(\d+)")
_BY_ID = {row.id: row for row in EXPERIMENTS}
_BY_CLAIM = {claim: row for row in EXPERIMENTS for claim in row.claims}


def experiment(id: str) -> Experiment:
    """Find an experiment: ``002-E-1``, also as ``002-e-1``, ``E-002-1`` or ``002E1``; or by its claim.

    Raises:
        ParameterError: There is none; the message names the nearest ids.
    """
    wanted = _normal(id)
    found = _BY_ID.get(wanted) or _BY_CLAIM.get(wanted)
    if found is None:
        known = _BY_CLAIM if "-C" in wanted else _BY_ID
        nearest = difflib.get_close_matches(wanted, known, n=3, cutoff=0.5) or ["002-E-1", "002-C5"]
        raise ParameterError(
            f"unknown experiment {id!r}: expected one like {', '.join(nearest)}; all: 'sledsim paper list'"
        )
    return found


def experiments(names: Iterable[str]) -> list[Experiment]:
    """The experiments of names: those that `experiment` takes, the numbers of papers, or ``all``.

    Each comes once, in the order of the names.

    Raises:
        ParameterError: Something has no such name.
    """
    return list({row.id: row for name in names for row in _named(name)}.values())


def _named(name: str) -> Sequence[Experiment]:
    word = name.strip().lower()
    if word == ALL:
        return EXPERIMENTS
    if word in PAPERS:
        return [row for row in EXPERIMENTS if row.paper == word]
    return [experiment(name)]


def shortest(rows: Sequence[Experiment]) -> list[str]:
    """Names that `experiments` takes for just these: a paper's where all of it is among them."""
    ids = {row.id for row in rows}
    names = []
    for paper in PAPERS:
        own = [row.id for row in EXPERIMENTS if row.paper == paper]
        names += [paper] if ids.issuperset(own) else [one for one in own if one in ids]
    return names


def claimed(name: str) -> str | None:
    """The claim that a name is of; None if it is of something else."""
    return word if (word := _normal(name)) in _BY_CLAIM else None


def spellings(id: str) -> Iterator[str]:
    """How the id of an experiment or a claim may be spelt, the usual way first."""
    paper, letter, number = re.split("-([EC])-?", id)
    yield id
    for mark in (letter, letter.lower()):
        yield from (f"{paper}-{mark}-{number}", f"{paper}-{mark}{number}", f"{paper}{mark}{number}")
        yield from (f"{mark}-{paper}-{number}", f"{mark}{paper}-{number}")


def _normal(id: str) -> str:
    """The id as it is usually spelt, if it is one of an experiment or a claim."""
    word = id.strip().upper()
    found = _NAME.fullmatch(word)
    if found is None or (found[1] or found[3]) != (found[3] or found[1]):
        return word
    letter = "C" if "C" in (found[1], found[3]) else "E-"
    return f"{found[2]}-{letter}{int(found[4])}"
