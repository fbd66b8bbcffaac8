"""Runs of plausible devices, and for each claim of a paper, the devices for which the claim holds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..model.volumes import Target
from ..uncertainty.draws import DRAWS, DrawnAnswers, draw_seeds
from ..uncertainty.expressions import Condition, parse_condition
from ..uncertainty.factors import Factors
from ..uncertainty.nodes import Figure
from ..uncertainty.space_filling import sobol
from .places import figures_in, places_of, policies_of
from .sample import Measuring, Progress, factors_from, sampled, value_of, with_seeds
from .settings import Comparison, Load, Setting, Varied
from .subjects import Requests

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

#: Factor on the arrival rate, and number of requests, of the runs that measure service times without
#: queueing.
_SLOW, _SLOW_COUNT = 0.1, 500


class Question:
    """The claims of a setting, to be tested on plausible devices.

    Args:
        setting: Setting with the claims, the devices and volumes to compare, and the loads.

    Raises:
        ParameterError: A condition cannot be parsed, or names an unknown figure, device, policy or load.
    """

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.conditions: dict[str, list[Condition]] = {
            one.name: [parse_condition(text, one.name) for text in one.conditions] for one in setting.claims
        }
        figures = [figure for asked in self.conditions.values() for one in asked for figure in one.figures]
        self.places = places_of(figures, [*setting.subjects], setting.scheduler, [*setting.loads])
        loads = [*setting.loads]
        # Runs with the same requests follow each other, so that the requests are made once.
        pairs = sorted(policies_of(self.places).items(), key=lambda item: loads.index(item[0][1]))
        #: The policies to run, by the name of the device or volume and the name of the load.
        self.policies = dict(pairs)

    @cached_property
    def subjects(self) -> dict[str, Varied]:
        """The devices and volumes by their names."""
        return {name: made.subject(name) for name, made in self.setting.subjects.items()}

    @cached_property
    def factors(self) -> Factors:
        """The uncertain factors, from the ranges in the files of the devices."""
        return factors_from(None, list(self.subjects.values()))

    def draws(self, replications: int) -> int:
        """Return the number of draws of requests for each device; 1 if the requests are a trace."""
        return replications if self.setting.is_drawn else 1

    def work(self, devices: int, replications: int = DRAWS) -> int:
        """Return the number of runs for `devices` plausible devices and the device of the paper."""
        each = sum(map(len, self.policies.values())) * self.draws(replications)
        again = each + len(self.policies) if self.setting.by_load else 0
        return (each + again) * (devices + 1)


@dataclass(frozen=True)
class Answer:
    """The answers for one claim of a paper: on plausible devices, and on the device of the paper.

    Attributes:
        claim: Claim that was tested.
        devices: Answers of each plausible device under each draw of requests: the claim holds, fails, or the
            answer is unknown.
        own: Share of draws of requests for which the claim holds on the device of the paper; None if unknown.
        columns: Values of each factor, one value per plausible device.
        why: Reason for the first unknown answer; empty if all answers are known.
    """

    claim: Comparison
    devices: DrawnAnswers
    own: float | None
    columns: Mapping[str, NDArray[Any]]
    why: str


class Measurement:
    """The runs of all devices of a `Question`: plausible devices, and the device of the paper.

    Args:
        question: Question with the claims.
        devices: Number of plausible devices.
        folder: Folder of the ledger.
        seed: Seed of the random numbers that draw the devices and the requests.
        workers: Number of threads; None for the number of processors.
        count: Number of requests under each load; None takes the number that the load states.
        replications: Number of draws of requests for each device; a trace is run once.
        progress: Function that is called with the number of points done, out of the number that
            `Question.work` returns.
    """

    def __init__(
        self,
        question: Question,
        devices: int,
        folder: Path,
        seed: int = 1,
        workers: int | None = None,
        progress: Progress | None = None,
        count: int | None = None,
        replications: int = DRAWS,
    ) -> None:
        self.question, self.devices, self.folder, self.seed = question, devices, folder, seed
        self._count = count
        self._workers, self._progress, self._done = workers, progress, 0
        self._why = ""
        self._slow: dict[tuple[str, int], Requests] = {}
        self.points = sobol(devices, len(question.factors.names), seed)
        self.draws = question.draws(replications)
        own, *others = draw_seeds(devices, self.draws, seed).tolist()
        #: Seeds of the requests of all runs; the seeds of the device of the paper come last.
        self._seeds = [one for row in (*others, own) for one in row]

    def answers(self, by_load: bool = False) -> Iterator[Answer]:
        """Yield the answers for each claim, in the order of the claims.

        Args:
            by_load: True to scale arrivals so that each device is as busy as the paper's own device.

        Raises:
            ParameterError, TraceError, OSError: A run fails as in `sweep`.
        """
        values = self._values(by_load)
        nominal = next(iter(self.question.subjects.values())).nominal
        columns = self.question.factors.columns(self.points, nominal)
        varied = {name: columns[name] for name in self.question.factors.names}
        for claim in self.question.setting.claims:
            holds, fails = _truth(self.question.conditions[claim.name], values)
            devices, own = (slice(None, -self.draws), slice(-self.draws, None))
            shape = self.devices, self.draws
            found = DrawnAnswers(
                holds[devices].reshape(shape), fails[devices].reshape(shape), np.zeros(shape, bool)
            )
            known = (holds | fails)[own]
            of_own = float(holds[own][known].mean()) if known.any() else None
            yield Answer(claim, found, of_own, varied, self._why)

    def _values(self, by_load: bool) -> dict[Figure, Floats]:
        """Return each figure in all runs: plausible devices under each draw, then the paper's own device."""
        found: dict[Figure, Floats] = {}
        for (name, under), policies in self.question.policies.items():
            subject, load = self.question.subjects[name], self.question.setting.loads[under]
            sample = [*sampled(self.question.factors, subject, self.points), {}]
            target = subject.with_changes({})
            if by_load:
                # One draw is enough for all devices: service times hardly depend on the draw.
                slow = self._slow_requests(under, target)
                rows = self._rows(subject, slow, load, ["fcfs"], sample, load.scale * _SLOW)
                busy = np.array([value_of(row, "utilization") for row in rows])
                # An impossible device has no service time; its runs fail again.
                scales = np.where(np.isnan(busy), load.scale, load.scale * busy[-1] / busy)
                sample = [{**one, "scale": float(scale)} for one, scale in zip(sample, scales, strict=True)]
            runs = [one for one in sample for _ in range(self.draws)]
            if load.is_drawn:
                runs = with_seeds(runs, self._seeds)
            requests = load.workload(target, self._count)
            rows = self._rows(subject, requests, load, policies, runs, load.scale)
            found |= figures_in(self.question.places, (name, under), rows)
        return found

    def _slow_requests(self, load: str, target: Target) -> Requests:
        """Return the first requests of a load; devices of equal capacity get the same requests."""
        key = load, _native.sectors(target._native)
        if key not in self._slow:
            trace = self.question.setting.loads[load].drawn(target, self.seed, self._count)
            self._slow[key] = Requests.of(trace).cut(0, _SLOW_COUNT)
        return self._slow[key]

    def _rows(
        self,
        subject: Varied,
        requests: Requests,
        load: Load,
        policies: Sequence[str],
        sample: Sequence[Mapping[str, Any]],
        scale: float,
    ) -> list[dict[str, Any]]:
        how = Measuring(
            requests,
            seed=self.seed,
            scale=scale,
            # A device may have a row less than the paper's own.
            past_end="wrap",
            replay=load.replay,
            folder=self.folder,
            workers=self._workers,
        )
        before = self._done

        def report(done: int) -> None:
            self._done = before + done
            if self._progress:
                self._progress(self._done)

        rows = how.rows(how.study(subject, policies, sample), report)
        self._why = self._why or next((row["error"] for row in rows if row["error"]), "")
        return rows


def _truth(conditions: Sequence[Condition], values: Mapping[Figure, Floats]) -> tuple[Bools, Bools]:
    """Return two arrays over runs: True where all conditions hold, and True where at least one fails.

    Where an unknown figure decides, both are False.
    """
    found = [
        condition.truth({figure: values[figure] for figure in condition.figures}) for condition in conditions
    ]
    holds = np.all([truth.holds for truth in found], axis=0)
    fails = np.any([truth.fails for truth in found], axis=0)
    return np.asarray(holds), np.asarray(fails)
