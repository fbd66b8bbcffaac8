"""A sampler that lets Optuna's tree-structured Parzen estimator propose designs, without Optuna's storage.

The sampler begins with the designs in the archive, for example those of a resumed study. It is always
rebuilt from the rows of designs, so that a killed process leaves no unfinished trial behind.
"""

import warnings
from typing import Any

import numpy as np

from ... import _native
from ...uncertainty.factors import Choice
from .archive import Archive
from .numbers import Draws
from .unit_cube import Place, Space

#: Number of proposals requested from Optuna for each new design, because some proposals repeat earlier
#: designs.
_TRIES = 5
#: Amount by which, in reports to Optuna, a design without figures violates the constraints.
_HOPELESS = 1e6


class Tpe:
    """A sampler that proposes designs resembling the good ones and not the bad ones, by Optuna's estimator.

    Args:
        space: Space of the designs.
        seed: Seed of the random numbers.

    Raises:
        ParameterError: The package optuna is not installed.
    """

    def __init__(self, space: Space, seed: int) -> None:
        self._optuna, self._space, self._seed = _load(), space, seed
        self._study: Any = None
        self._told = 0
        self._asked: dict[Place, Any] = {}

    def ask(self, archive: Archive, count: int) -> list[Place]:
        """Return `count` designs that have not been run; fewer if no new designs are found."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Users need no news of Optuna's experimental features.
            return self._ask(archive, count)

    def _ask(self, archive: Archive, count: int) -> list[Place]:
        if self._study is None:
            self._study = self._begin(archive)
        self._tell(archive)
        found: dict[Place, Any] = {}
        for _ in range(_TRIES * count):
            if len(found) == count:
                break
            trial = self._study.ask(self._distributions())
            place = self._place(trial.params)
            if place in found:
                self._study.tell(trial, state=self._optuna.trial.TrialState.FAIL)
            elif place in archive:
                self._finish(trial, archive, archive.number(place))
            else:
                found[place] = trial
        self._asked = found
        return [*found, *self._anywhere(archive, found, count - len(found))]

    def _begin(self, archive: Archive) -> Any:
        constrained = bool(archive.aims.constraints)
        sampler = self._optuna.samplers.TPESampler(
            seed=self._seed % 2**32,
            multivariate=True,
            constant_liar=True,
            n_startup_trials=0,
            constraints_func=_violation if constrained else None,
        )
        self._optuna.logging.set_verbosity(self._optuna.logging.ERROR)
        return self._optuna.create_study(sampler=sampler, directions=["minimize"] * len(archive.aims.goals))

    def _tell(self, archive: Archive) -> None:
        """Report to Optuna the results of all designs in the archive that Optuna does not know yet."""
        for number in range(self._told, len(archive)):
            place = archive.places[number]
            trial = self._asked.pop(place, None)
            if trial is None:
                self._study.enqueue_trial(self._params(place))
                trial = self._study.ask(self._distributions())
            self._finish(trial, archive, number)
        self._told = len(archive)

    def _finish(self, trial: Any, archive: Archive, number: int) -> None:
        known = archive.judged.known
        costs, violation = archive.judged.costs[number], archive.judged.violations[number]
        if not known[number]:
            if not known.any():
                self._study.tell(trial, state=self._optuna.trial.TrialState.FAIL)
                return
            # Optuna learns nothing from failures, but it learns from the worst value.
            costs, violation = archive.judged.costs[known].max(axis=0), _HOPELESS
        trial.set_user_attr("violation", float(min(violation, _HOPELESS)))
        self._study.tell(trial, [float(cost) for cost in costs])

    def _distributions(self) -> dict[str, Any]:
        of = self._optuna.distributions
        found: dict[str, Any] = {}
        for factor, levels in zip(self._space.factors.varied, self._space.levels, strict=True):
            if levels is None:
                found[factor.name] = of.FloatDistribution(0.0, 1.0)
            elif isinstance(factor, Choice) and any(isinstance(one, str | bool) for one in factor.options):
                found[factor.name] = of.CategoricalDistribution(range(levels))
            else:
                found[factor.name] = of.IntDistribution(0, levels - 1)
        return found

    def _params(self, place: Place) -> dict[str, Any]:
        named = zip(self._space.factors.varied, self._space.levels, place, strict=True)
        return {one.name: at if levels is None else int(at * levels) for one, levels, at in named}

    def _place(self, params: dict[str, Any]) -> Place:
        named = zip(self._space.factors.varied, self._space.levels, strict=True)
        return self._space.snapped(
            [
                params[one.name] if levels is None else (params[one.name] + 0.5) / levels
                for one, levels in named
            ]
        )

    def _anywhere(self, archive: Archive, found: dict[Place, Any], count: int) -> list[Place]:
        """Draw up to `count` new designs at random, in place of designs that Optuna has proposed twice."""
        draws, more = Draws(self._seed, len(archive)), dict[Place, None]()
        for _ in range(10 * _TRIES * count):
            place = self._space.snapped([draws.uniform() for _ in self._space.levels])
            if len(more) < count and place not in archive and place not in found:
                more[place] = None
        return list(more)


def _violation(trial: Any) -> tuple[float]:
    return (float(np.asarray(trial.user_attrs.get("violation", _HOPELESS))),)


def _load() -> Any:
    try:
        import optuna
    except ModuleNotFoundError as error:
        raise _native.ParameterError(
            "sampler = 'tpe': needs optuna: pip install 'sledsim[optimise]'; or use sampler 'descent'"
        ) from error
    return optuna
