"""The procedure of Kim and Nelson: its share of correct selections, and its end."""

from collections.abc import Callable

import numpy as np
import pytest

from sledsim import _native
from sledsim.uncertainty.selection import KimNelson, Replication

SEEDS = 400
#: Smallest number of correct selections in 400 at 95 %.
ENOUGH = 360


def selected(procedure: KimNelson, observe: Callable[[int, int], float]) -> int:
    while wanted := procedure.ask():
        procedure.tell({one: observe(*one) for one in wanted})
    assert procedure.best is not None
    return procedure.best


def normal_case(seed: int, systems: int, apart: float, together: float, **options: object) -> KimNelson:
    """Systems of which one is better by a given amount, with noise of which a part is common to all."""
    random = np.random.default_rng(seed)
    best = seed % systems
    rows: list[np.ndarray] = []

    def observe(system: int, replication: int) -> float:
        while len(rows) <= replication:
            common, own = random.normal(), random.normal(size=systems)
            rows.append(together**0.5 * common + (1 - together) ** 0.5 * own)
        return float(10 + rows[replication][system] + apart * (system == best))

    procedure = KimNelson(systems, 0.5, larger_is_better=True, **options)
    selected(procedure, observe)
    return procedure


@pytest.mark.dear("intervals are drawn many times", every_change="common")
@pytest.mark.parametrize(
    ("systems", "together"), [(2, 0.0), (5, 0.0), (5, 0.8), (10, 0.5)], ids=["two", "apart", "common", "ten"]
)
def test_the_best_system_is_selected_at_the_stated_rate(systems: int, together: float) -> None:
    """The hardest case: the best is better by exactly the indifference, and all others are equal."""
    right = sum(normal_case(seed, systems, 0.5, together).best == seed % systems for seed in range(SEEDS))
    assert right >= ENOUGH, right


def by_the_book(seen: np.ndarray, indifference: float, confidence: float, first: int) -> tuple[int, int]:
    """The steps of section 3 of the paper, with c = 1, over observations (systems, replications)."""
    systems = len(seen)
    alpha = 1 - confidence
    eta = 0.5 * ((2 * alpha / (systems - 1)) ** (-2 / (first - 1)) - 1)
    h2 = 2 * eta * (first - 1)
    pairs = {
        (i, j): float(np.var(seen[i, :first] - seen[j, :first], ddof=1))
        for i in range(systems)
        for j in range(systems)
    }
    most = max(int(h2 * variance / indifference**2) for variance in pairs.values())
    left, done = set(range(systems)), first
    while first <= most:
        mean = {i: seen[i, :done].mean() for i in left}
        bounds = {
            (i, j): max(0, indifference / (2 * done) * (h2 * pairs[i, j] / indifference**2 - done))
            for i in left
            for j in left
        }
        left = {i for i in left if all(mean[i] >= mean[j] - bounds[i, j] for j in left if j != i)}
        if len(left) == 1 or done == most + 1:
            break
        done += 1
    return max(left, key=lambda i: seen[i, :done].mean()), done


@pytest.mark.dear("intervals are drawn many times", every_change="False-3")
@pytest.mark.parametrize("systems", [2, 3, 6])
@pytest.mark.parametrize("larger", [False, True])
def test_the_steps_are_those_of_the_paper(systems: int, larger: bool) -> None:
    for seed in range(60):
        random = np.random.default_rng(seed)
        seen = (
            random.normal(size=(systems, 800)) * random.uniform(0.2, 2, size=(systems, 1)) + random.normal()
        )
        first = 2 + seed % 12 if systems == 2 else 5 + seed % 12
        procedure = KimNelson(systems, 0.4, 0.9, first, larger_is_better=larger)
        told = seen if larger else -seen
        best = selected(procedure, lambda system, at, told=told: told[system, at % 800])
        if procedure.replications < 800:
            assert (best, procedure.replications) == by_the_book(seen, 0.4, 0.9, first)


@pytest.mark.dear("intervals are drawn many times", every_change=True)
def test_common_random_numbers_and_clear_cases_take_less() -> None:
    def took(apart: float, together: float) -> float:
        return float(np.mean([normal_case(seed, 5, apart, together).replications for seed in range(40)]))

    alone = took(0.5, 0.0)
    assert took(0.5, 0.8) < 0.5 * alone
    assert took(2.0, 0.0) < 0.5 * alone


def test_equal_systems_end() -> None:
    """Any choice is right; the noise of the differences has a limit."""
    chosen = {normal_case(seed, 3, 0.0, 0.5).best for seed in range(30)}
    assert len(chosen) > 1


def test_systems_without_noise_end_at_once() -> None:
    for means, best in (([3.0, 1.0, 2.0], 1), ([2.0, 1.0, 1.0], 1), ([0.1, 0.1, 0.1], 0)):
        procedure = KimNelson(3, 0.5)
        assert selected(procedure, lambda system, _, means=means: means[system]) == best
        assert procedure.replications == 10
        assert procedure.left == (best,)


def test_systems_that_differ_by_a_constant_end_at_once() -> None:
    random = np.random.default_rng(0)
    noise = random.normal(size=10)
    procedure = KimNelson(3, 0.01)
    assert selected(procedure, lambda system, seed: noise[seed] + (3 - system) * 0.1) == 2
    assert procedure.replications == 10


def test_the_larger_or_the_smaller_is_better() -> None:
    assert selected(KimNelson(2, 0.5), lambda system, _: float(system)) == 0
    assert selected(KimNelson(2, 0.5, larger_is_better=True), lambda system, _: float(system)) == 1


def test_tell_takes_results_in_parts() -> None:
    procedure = KimNelson(2, 0.1, first=3)
    assert procedure.best is None
    first = procedure.ask()
    assert first == [Replication(system, seed) for seed in range(3) for system in range(2)]
    procedure.tell({first[5]: 1.0})
    assert procedure.ask() == first[:5]
    procedure.tell({})
    with pytest.raises(
        _native.ParameterError, match="tell: expected a pending replication from ask, found Replication"
    ):
        procedure.tell({first[5]: 1.0})
    with pytest.raises(
        _native.ParameterError, match="system 0, replication 0: expected a finite number, found nan"
    ):
        procedure.tell({first[0]: float("nan")})
    values = {one: float(np.sin(7 * one.system + 3 * one.seed)) for one in first[:5]}
    procedure.tell(dict(reversed(values.items())))
    assert procedure.replications == 3
    assert procedure.ask() == [Replication(0, 3), Replication(1, 3)]


def test_one_system_is_the_best() -> None:
    procedure = KimNelson(1, 1)
    assert procedure.is_done
    assert procedure.best == 0
    assert procedure.ask() == []


def test_what_is_out_of_range_is_refused() -> None:
    for arguments, said in (
        ((0, 1), "systems = 0"),
        ((2, 0), "indifference = 0: must be a number above 0"),
        ((2, 1, 1), "confidence = 1: must be from 0.5, that of a guess, to below 1"),
        ((4, 1, 0.2), "confidence = 0.2: must be from 0.25"),
        ((2, 1, 0.95, 1), "first = 1: must be a whole number from 2"),
    ):
        with pytest.raises(_native.ParameterError, match=said):
            KimNelson(*arguments)
