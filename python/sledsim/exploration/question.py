"""A condition over plausible devices: what it asks of which device and policy, and the answers of runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..uncertainty.deciding import Nearest
from ..uncertainty.expressions import Condition
from ..uncertainty.factors import Factors
from ..uncertainty.indices import Indices, sensitivity_design, sobol_indices
from ..uncertainty.nodes import Figure, Truth
from ..uncertainty.same_units import check_units
from .evaluation import Row
from .places import Places, figures_in, places_of, policies_of
from .point_figures import FAILED, SATURATED, UNSETTLED, unit_of
from .reasons import grouped
from .sample import Measuring, Progress, check_factors, named, sampled, value_of, with_seeds
from .sobol_sensitivity import design_rows, design_samples, is_overloaded
from .subjects import Subject

#: For the indices so many times as many devices are looked at as for the share, at most.
_MORE = 2


@dataclass(frozen=True)
class Example:
    """A device that is near the edge.

    Attributes:
        holds: What is so for it.
        margin: By how much: the difference of both sides as a part of the right one.
        values: Its factors.
        changes: What is changed of the device or volume that has them, by the name of each.
        figures: What the condition compares, as it names them.
        seed: Of the requests that it has them under; None where these are those of a trace.
    """

    holds: bool
    margin: float
    values: Mapping[str, Any]
    changes: Mapping[str, Mapping[str, Any]]
    figures: Mapping[str, float]
    seed: int | None


@dataclass(frozen=True)
class Answers:
    """What is known of runs: the rows of each, the figures of the condition, and whether it holds.

    A run is that of a device under a draw of requests.
    """

    rows: list[list[Row]]
    values: Mapping[Figure, NDArray[np.float64]]
    truth: Truth
    seeds: Sequence[int] | None

    @property
    def out(self) -> NDArray[np.bool_]:
        """The runs that do not count: of devices that cannot be, and those where several queues never end."""
        failed = [any(row["status"] == FAILED for row in rows) for rows in self.rows]
        return self.truth.undefined & (np.array(failed, bool) | (_endless(self.values) > 1))

    @property
    def unknown(self) -> NDArray[np.bool_]:
        """The runs that count, and for which it is not known."""
        return self.truth.undefined & ~self.out

    @property
    def overloaded(self) -> int:
        """In how many runs some requests of a trace come faster than they are served."""
        return sum(any(map(is_overloaded, rows)) for rows in self.rows)

    def why(self, which: NDArray[np.bool_]) -> dict[str, int]:
        """Why it is not known for some runs, and for how many for each reason, the most frequent first."""
        said = []
        for at in np.flatnonzero(which):
            found = {row["status"]: row["error"] or row["status"] for row in self.rows[at]}
            told = [found[status] for status in (FAILED, UNSETTLED, SATURATED) if status in found]
            said.append(told[0] if told else "a figure is not known, or something is divided by 0")
        return grouped(said)


class Question:
    """A condition over plausible devices."""

    def __init__(
        self,
        condition: Condition,
        measuring: Measuring,
        subjects: Sequence[Subject],
        factors: Factors,
        scheduler: str,
    ) -> None:
        self.condition, self.measuring = condition, measuring
        self.subjects, self.factors = subjects, factors
        self._places = _places(condition, subjects, scheduler)
        if not self._places:
            raise _native.ParameterError(
                f"{condition}: expected a figure or more, such as p99(sptf), found none"
            )
        check_units(condition.tree, lambda figure: unit_of(self._places[figure].figure), str(condition))
        names = {place.subject for place in self._places.values()}
        used = [subject for subject in subjects if subject.name in names]
        # A device may be named for its ranges alone.
        unused = tuple(f"{subject.name}." for subject in subjects if subject.name not in names)
        check_factors(factors, used, unused=[name for name in factors.names if name.startswith(unused)])

    def answers(
        self,
        points: NDArray[np.float64],
        progress: Progress | None = None,
        before: int = 0,
        seeds: Sequence[int] | None = None,
    ) -> Answers:
        """What is so for the devices at points of the unit cube, each under requests of the seed it has."""
        every: list[list[Row]] = [[] for _ in points]
        values: dict[Figure, NDArray[np.float64]] = {}
        policies = policies_of(self._places)
        for subject in self.subjects:
            pair = subject.name, ""
            if pair not in policies:
                continue
            sample = with_seeds(sampled(self.factors, subject, points), seeds)
            done = before + sum(map(len, every))
            report = (lambda number, done=done: progress(done + number)) if progress else None
            rows = self.measuring.rows(self.measuring.study(subject, policies[pair], sample), report)
            for at, row in enumerate(rows):
                every[at // len(policies[pair])].append(row)
            values |= figures_in(self._places, pair, rows)
        # Where two queues grow without end, nobody knows which is longer.
        several = _endless(values) > 1
        cleared = {figure: np.where(several, np.nan, column) for figure, column in values.items()}
        return Answers(every, values, self.condition.truth(cleared), seeds)

    def pairs(self) -> list[tuple[str, str]]:
        """The devices and volumes by name, each with its policies."""
        return list(dict.fromkeys((place.subject, place.policy) for place in self._places.values()))

    def nominal_place(self) -> NDArray[np.float64]:
        """Where the device itself is in the unit cube."""
        own = {f"{one.name}.{key}": value for one in self.subjects for key, value in one.nominal.items()}
        return self.factors.place({**own, **self.subjects[0].nominal})

    def of_the_device_itself(self, seeds: Sequence[int] | None = None) -> float | None:
        """The part of draws, each of a seed, in which it holds for the device as it is; None if not known."""
        values: dict[Figure, list[float]] = {}
        subjects = {subject.name: subject for subject in self.subjects}
        for figure, place in self._places.items():
            sample = with_seeds([{}] * (1 if seeds is None else len(seeds)), seeds)
            study = self.measuring.study(subjects[place.subject], [place.policy], sample)
            values[figure] = [value_of(row, place.figure) for row in self.measuring.rows(study)]
        truth = self.condition.truth(values)
        known = ~truth.undefined
        return float(truth.holds[known].mean()) if known.any() else None

    def example(self, points: NDArray[np.float64], answers: Answers, near: Nearest) -> Example:
        """A device near the edge, as somebody would make it again."""
        at = points[near.device : near.device + 1]
        columns = self.factors.columns(at, self.subjects[0].nominal, is_strict=False)
        subjects = {subject.name: subject for subject in self.subjects}
        used = {place.subject: subjects[place.subject] for place in self._places.values()}
        return Example(
            holds=near.holds,
            margin=near.margin,
            values={name: column.tolist()[0] for name, column in columns.items()},
            changes={name: sampled(self.factors, subject, at)[0] for name, subject in used.items()},
            figures={named(figure): float(column[near.device]) for figure, column in answers.values.items()},
            seed=None if answers.seeds is None else int(answers.seeds[near.device]),
        )

    def indices(self, devices: int, progress: Progress | None, before: int) -> Indices | None:
        """What makes it hold here and not there, under one draw; None where devices are too few for it."""
        count = len(self.factors.names)
        rows = _rows_of_indices(count, devices)
        if not rows:
            return None
        design = sensitivity_design(count, rows, self.measuring.seed + 1)
        answers = self.answers(design.reshape(-1, count), progress, before * len(self.pairs()))
        values = np.where(answers.truth.undefined, np.nan, answers.truth.holds.astype(np.float64))
        return sobol_indices(values.reshape(design.shape[:-1]), self.factors.names)


def _endless(values: Mapping[Figure, NDArray[np.float64]]) -> NDArray[np.int64]:
    """For each device how many of its figures are without end."""
    return np.asarray(np.isinf(list(values.values())).sum(axis=0))


def _places(condition: Condition, subjects: Sequence[Subject], scheduler: str) -> Places:
    return places_of(condition.figures, [subject.name for subject in subjects], scheduler)


def work(
    condition: Condition,
    subjects: Sequence[Subject],
    factors: int,
    devices: int,
    indices: bool = True,
    draws: int = 1,
) -> int:
    """How many points `holds` runs at the most.

    Raises:
        ParameterError: A figure names nothing that is there.
    """
    pairs = sum(map(len, policies_of(_places(condition, subjects, "sptf")).values()))
    more = design_samples(factors, _MORE * devices) if indices and _rows_of_indices(factors, devices) else 0
    return pairs * (devices * draws + more)


def _rows_of_indices(factors: int, devices: int) -> int:
    """Rows of the design for the indices, 0 where there would be too few."""
    try:
        return design_rows(factors, _MORE * devices)
    except _native.ParameterError:
        return 0
