"""A condition to test on plausible devices: the runs that it needs, and the answers that the runs give."""

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

#: Largest number of devices to run for the Sobol' indices, as a multiple of the number for the share.
_MORE = 2


@dataclass(frozen=True)
class Example:
    """A plausible device for which a condition just holds or just fails.

    Attributes:
        holds: True if the condition holds for the device.
        margin: Difference of the two sides of the condition as a share of the right side.
        values: Values of the factors and derived parameters, by name.
        changes: Parameters to change, with their values, so that the nominal device becomes this one; by the
            name of each device or volume.
        figures: Figures that the condition compares, by their names in the condition, such as ``p99(sptf)``.
        seed: Seed of the requests; None for a trace.
    """

    holds: bool
    margin: float
    values: Mapping[str, Any]
    changes: Mapping[str, Mapping[str, Any]]
    figures: Mapping[str, float]
    seed: int | None


@dataclass(frozen=True)
class Answers:
    """The answers of all runs to a condition, with the figures of the runs.

    Each run is one device under one draw of requests.
    """

    rows: list[list[Row]]
    values: Mapping[Figure, NDArray[np.float64]]
    truth: Truth
    seeds: Sequence[int] | None

    @property
    def out(self) -> NDArray[np.bool_]:
        """True for each excluded run: the device is impossible, or several of its figures are infinite."""
        failed = [any(row["status"] == FAILED for row in rows) for rows in self.rows]
        return self.truth.undefined & (np.array(failed, bool) | (_endless(self.values) > 1))

    @property
    def unknown(self) -> NDArray[np.bool_]:
        """True for each run that is not excluded and has an unknown answer."""
        return self.truth.undefined & ~self.out

    @property
    def overloaded(self) -> int:
        """The number of runs in which the device is overloaded during a part of the trace."""
        return sum(any(map(is_overloaded, rows)) for rows in self.rows)

    def why(self, which: NDArray[np.bool_]) -> dict[str, int]:
        """Return the reasons for unknown answers in the runs `which`, each with its number of runs.

        The most frequent reason comes first.
        """
        said = []
        for at in np.flatnonzero(which):
            found = {row["status"]: row["error"] or row["status"] for row in self.rows[at]}
            told = [found[status] for status in (FAILED, UNSETTLED, SATURATED) if status in found]
            said.append(told[0] if told else "a figure is unknown, or a divisor is 0")
        return grouped(said)


class Question:
    """A condition to test on plausible devices, with the settings of the runs."""

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
                f"{condition}: expected at least one figure, such as p99(sptf), found none"
            )
        check_units(condition.tree, lambda figure: unit_of(self._places[figure].figure), str(condition))
        names = {place.subject for place in self._places.values()}
        used = [subject for subject in subjects if subject.name in names]
        # A device may be given only for its ranges, without a figure in the condition.
        unused = tuple(f"{subject.name}." for subject in subjects if subject.name not in names)
        check_factors(factors, used, unused=[name for name in factors.names if name.startswith(unused)])

    def answers(
        self,
        points: NDArray[np.float64],
        progress: Progress | None = None,
        before: int = 0,
        seeds: Sequence[int] | None = None,
    ) -> Answers:
        """Run the devices at some points of the unit cube, and return the answers to the condition.

        `seeds` has the seed of the requests for each device; None takes the seed of the settings for all.
        """
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
        # With two saturated queues it is unknown which one is longer.
        several = _endless(values) > 1
        cleared = {figure: np.where(several, np.nan, column) for figure, column in values.items()}
        return Answers(every, values, self.condition.truth(cleared), seeds)

    def pairs(self) -> list[tuple[str, str]]:
        """Return the pairs (name of a device or volume, policy) that the condition compares."""
        return list(dict.fromkeys((place.subject, place.policy) for place in self._places.values()))

    def nominal_place(self) -> NDArray[np.float64]:
        """Return the nominal device as a point of the unit cube."""
        own = {f"{one.name}.{key}": value for one in self.subjects for key, value in one.nominal.items()}
        return self.factors.place({**own, **self.subjects[0].nominal})

    def of_the_device_itself(self, seeds: Sequence[int] | None = None) -> float | None:
        """Return the share of draws for which the condition holds on the nominal device; None if unknown."""
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
        """Return the device of the run `near`: its answer, its figures, and the parameters to rebuild it."""
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
        """Return the Sobol' indices of the answer to the condition, for the same requests on all devices.

        None if the devices are too few for indices.
        """
        count = len(self.factors.names)
        rows = _rows_of_indices(count, devices)
        if not rows:
            return None
        design = sensitivity_design(count, rows, self.measuring.seed + 1)
        answers = self.answers(design.reshape(-1, count), progress, before * len(self.pairs()))
        values = np.where(answers.truth.undefined, np.nan, answers.truth.holds.astype(np.float64))
        return sobol_indices(values.reshape(design.shape[:-1]), self.factors.names)


def _endless(values: Mapping[Figure, NDArray[np.float64]]) -> NDArray[np.int64]:
    """Return, for each run, how many of its figures are infinite because the device is saturated."""
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
    """Return the number of points that `holds` runs at most, including those for Sobol' indices.

    Raises:
        ParameterError: The condition names an unknown figure.
    """
    pairs = sum(map(len, policies_of(_places(condition, subjects, "sptf")).values()))
    more = design_samples(factors, _MORE * devices) if indices and _rows_of_indices(factors, devices) else 0
    return pairs * (devices * draws + more)


def _rows_of_indices(factors: int, devices: int) -> int:
    """Return the rows per set of the design for Sobol' indices; 0 if `devices` are too few for it."""
    try:
        return design_rows(factors, _MORE * devices)
    except _native.ParameterError:
        return 0
