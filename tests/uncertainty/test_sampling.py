"""Points of the unit cube, against SciPy's and their guaranteed properties."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import kstest, qmc

from sledsim import _native
from sledsim.uncertainty.randomness import below, permutation, words
from sledsim.uncertainty.space_filling import MOST_DIMENSIONS, latin_hypercube, sobol


def test_the_generator_is_splitmix64() -> None:
    """The published sequence of the state 1234567, under the key that leads to that state."""

    def reference(state: int, count: int) -> list[int]:
        mask, found = 2**64 - 1, []
        for _ in range(count):
            state = state + 0x9E3779B97F4A7C15 & mask
            mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & mask
            mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & mask
            found.append(mixed ^ mixed >> 31)
        return found

    assert reference(1234567, 2) == [6457827717110365317, 3203168211198807973]
    (key,) = reference(42, 1)
    assert words(20, 42).tolist() == reference(key, 20)


def test_streams_differ_and_are_extended() -> None:
    assert (words(10, 1) == words(20, 1)[:10]).all()
    drawn = [
        words(100, seed, *stream) for seed in (0, 1) for stream in ((), (0,), (1,), (0, 0), (0, 1), (1, 0))
    ]
    assert len(set(np.concatenate(drawn).tolist())) == 1200
    assert sorted(permutation(50, 3)) == list(range(50))
    assert set(below(1000, 7, 3).tolist()) == set(range(7))


def test_the_plain_sequence_is_that_of_scipy() -> None:
    with pytest.warns(UserWarning, match="power of 2"):
        expected = qmc.Sobol(MOST_DIMENSIONS, scramble=False, bits=32).random(1000)
    assert (sobol(1000, MOST_DIMENSIONS) == expected).all()


@pytest.mark.dear("intervals are drawn many times", every_change=True)
@given(
    count=st.integers(0, 200),
    more=st.integers(0, 200),
    dimensions=st.integers(1, 9),
    seed=st.integers(0, 2**64 - 1),
)
def test_sequences_are_extended(count: int, more: int, dimensions: int, seed: int) -> None:
    every = sobol(count + more, dimensions + 1, seed)
    assert ((every > 0) & (every < 1)).all()
    assert (sobol(count, dimensions, seed) == every[:count, :dimensions]).all()
    assert (sobol(more, dimensions, seed, start=count) == every[count:, :dimensions]).all()


@pytest.mark.parametrize("seed", [None, 0, 7])
def test_each_part_of_a_dimension_has_one_point(seed: int | None) -> None:
    """Scrambling keeps the evenness of the sequence, also in boxes over the first two dimensions."""
    points = sobol(1024, MOST_DIMENSIONS, seed)
    assert (np.sort(np.floor(points * 1024), axis=0) == np.arange(1024)[:, None]).all()
    for bits in range(11):
        boxes = np.floor(points[:, 0] * 2**bits) * 2 ** (10 - bits) + np.floor(
            points[:, 1] * 2 ** (10 - bits)
        )
        assert len(set(boxes)) == 1024


@pytest.mark.dear("intervals are drawn many times", every_change=True)
def test_scrambled_points_are_uniform_and_independent() -> None:
    first = np.array([sobol(2, 3, seed) for seed in range(2000)])
    for point in range(2):
        for dimension in range(3):
            assert kstest(first[:, point, dimension], "uniform").pvalue > 1e-3
    assert np.abs(np.corrcoef(first[:, 0].T) - np.eye(3)).max() < 0.08


def test_means_over_scrambled_points_err_less() -> None:
    """The error is a tenth of that of random points, for a smooth function of five numbers."""

    def error(points: np.ndarray) -> float:
        return float(np.exp(points.sum(axis=1)).mean() - (np.e - 1) ** 5)

    errors = [error(sobol(1024, 5, seed)) for seed in range(50)]
    random = [error(np.random.default_rng(seed).random((1024, 5))) for seed in range(50)]
    assert np.std(errors) < 0.1 * np.std(random)
    assert abs(np.mean(errors)) < 3 * np.std(errors) / 50**0.5


@pytest.mark.dear("intervals are drawn many times", every_change=True)
@given(odd=st.integers(0, 20), doublings=st.integers(0, 6), seed=st.integers(0, 2**64 - 1))
def test_hypercubes_are_latin_and_nested(odd: int, doublings: int, seed: int) -> None:
    count = (2 * odd + 1) * 2**doublings
    points = latin_hypercube(count, 3, seed)
    # In exact arithmetic each part has one point; here a part may begin one rounding off.
    parts = np.sort(points, axis=0) * count - np.arange(count)[:, None]
    assert ((parts > -1e-9) & (parts < 1 + 1e-9)).all()
    assert ((points > 0) & (points < 1)).all()
    assert (latin_hypercube(2 * count, 3, seed)[:count] == points).all()


@pytest.mark.dear("intervals are drawn many times")
def test_hypercubes_are_uniform_and_uncorrelated() -> None:
    points = np.array([latin_hypercube(6, 3, seed) for seed in range(2000)])
    for point in range(6):
        assert kstest(points[:, point, 0], "uniform").pvalue > 1e-3
    assert np.abs(np.corrcoef(points.reshape(-1, 3).T) - np.eye(3)).max() < 0.04


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((-1, 2, 0), "count = -1: must be a whole number from 0 to 4294967296"),
        ((4, 0, 0), "dimensions = 0: must be a whole number from 1 to 128"),
        ((4, 129, 0), "dimensions = 129"),
        ((4, 2, -1), "seed = -1: must be a whole number from 0 to 18446744073709551615"),
        ((4, 2, 1.5), "seed = 1.5"),
        ((4, 2, 0, 2**32), "count = 4: must be a whole number from 0 to 0 in all"),
    ],
)
def test_what_is_out_of_range_is_refused(arguments: tuple[int, ...], said: str) -> None:
    with pytest.raises(_native.ParameterError, match=said):
        sobol(*arguments)


def test_hypercubes_refuse_what_is_out_of_range() -> None:
    with pytest.raises(_native.ParameterError, match="count = 0: must be a whole number from 1"):
        latin_hypercube(0, 2, 1)
    with pytest.raises(_native.ParameterError, match="dimensions = 0"):
        latin_hypercube(4, 0, 1)
