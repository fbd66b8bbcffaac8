"""Names that users type for experiments: ids of experiments or claims in several spellings, and papers."""

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence

from sledsim import ParameterError

from ..shared.experiments import PAPERS, Experiment
from .table import EXPERIMENTS

#: Name that stands for all experiments.
ALL = "all"
#: Pattern of an id in any spelling, such as ``002-E-1`` or ``C-002-5``: the letter E (experiment) or C
#: (claim) stands before the paper or before the number. An id without a letter belongs to an experiment.
_NAME = re.compile(r"(?:([EC])-?)?(\d{3})-?(?:([EC])-?)?(\d+)")
_BY_ID = {row.id: row for row in EXPERIMENTS}
_BY_CLAIM = {claim: row for row in EXPERIMENTS for claim in row.claims}


def experiment(id: str) -> Experiment:
    """Return an experiment by its id (``002-E-1``, ``e-002-1``, ``002E1``) or by a claim that it decides.

    Raises:
        ParameterError: No experiment matches; the message names the nearest ids.
    """
    wanted = _normal(id)
    found = _BY_ID.get(wanted) or _BY_CLAIM.get(wanted)
    if found is None:
        known = _BY_CLAIM if "-C" in wanted else _BY_ID
        nearest = difflib.get_close_matches(wanted, known, n=3, cutoff=0.5) or ["002-E-1", "002-C5"]
        raise ParameterError(
            f"unknown experiment {id!r}: expected an id such as {', '.join(nearest)};"
            " 'sledsim paper list' lists all"
        )
    return found


def experiments(names: Iterable[str]) -> list[Experiment]:
    """Return the experiments that names select: ids that `experiment` accepts, numbers of papers, ``all``.

    Each experiment is returned once, in the order of the names.

    Raises:
        ParameterError: A name matches no experiment.
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
    """Return the fewest names that select the experiments `rows`: numbers of papers, and ids."""
    ids = {row.id for row in rows}
    names = []
    for paper in PAPERS:
        own = [row.id for row in EXPERIMENTS if row.paper == paper]
        names += [paper] if ids.issuperset(own) else [one for one in own if one in ids]
    return names


def claimed(name: str) -> str | None:
    """Return the id of the claim that has this name in any spelling; None if no claim has it."""
    return word if (word := _normal(name)) in _BY_CLAIM else None


def spellings(id: str) -> Iterator[str]:
    """Yield all accepted spellings of the id of an experiment or claim, the usual spelling first."""
    paper, letter, number = re.split("-([EC])-?", id)
    yield id
    for mark in (letter, letter.lower()):
        yield from (f"{paper}-{mark}-{number}", f"{paper}-{mark}{number}", f"{paper}{mark}{number}")
        yield from (f"{mark}-{paper}-{number}", f"{mark}{paper}-{number}")


def _normal(id: str) -> str:
    """Return an id in its usual spelling, such as ``002-E-1``; return other names in capitals."""
    word = id.strip().upper()
    found = _NAME.fullmatch(word)
    if found is None or (found[1] or found[3]) != (found[3] or found[1]):
        return word
    letter = "C" if "C" in (found[1], found[3]) else "E-"
    return f"{found[2]}-{letter}{int(found[4])}"
