"""Coverage of intervals of Sobol's indices for exact values.

``python -m tests.uncertainty.index_coverage`` prints the coverage over 400 seeds; it takes two minutes.
"""

from collections.abc import Callable, Sequence

import numpy as np

from sledsim.uncertainty.indices import Indices, sensitivity_design, sobol_indices

SEEDS = 400
Function = Callable[[np.ndarray], np.ndarray]
A, B = 7, 0.1
G = np.array([0, 1, 4.5, 9, 99, 99])
#: Shares at which two factors let a condition hold; the first is one of three choices.
TWO_THIRDS, PART = 2 / 3, 0.35


def ishigami(points: np.ndarray) -> np.ndarray:
    """The function of Ishigami and Homma (1990)."""
    x, y, z = np.moveaxis(np.pi * (2 * points - 1), -1, 0)
    return np.sin(x) + A * np.sin(y) ** 2 + B * z**4 * np.sin(x)


def ishigami_indices() -> np.ndarray:
    alone = 0.5 * (1 + B * np.pi**4 / 5) ** 2
    second = A**2 / 8
    together = B**2 * np.pi**8 * (1 / 18 - 1 / 50)
    return np.array([[alone, second, 0], [alone + together, second, together]]) / (alone + second + together)


def g_function(points: np.ndarray) -> np.ndarray:
    """The g-function of Saltelli and Sobol (1995)."""
    return np.prod((np.abs(4 * points - 2) + G) / (1 + G), axis=-1)


def g_indices() -> np.ndarray:
    alone = 1 / 3 / (1 + G) ** 2
    every = np.prod(1 + alone)
    return np.array([alone, alone * every / (1 + alone)]) / (every - 1)


def condition(points: np.ndarray) -> np.ndarray:
    """A condition that holds if two factors let it, one of which is a choice; the third has no effect."""
    return (np.floor(3 * points[..., 0]) < 2) & (points[..., 1] < PART)


def condition_indices() -> np.ndarray:
    p, q = TWO_THIRDS, PART
    first = [q * q * p * (1 - p), p * p * q * (1 - q), 0]
    total = [q * p * (1 - p), p * q * (1 - q), 0]
    return np.array([first, total]) / (p * q * (1 - p * q))


CASES: dict[str, tuple[Function, np.ndarray]] = {
    "ishigami": (ishigami, ishigami_indices()),
    "g": (g_function, g_indices()),
    "condition": (condition, condition_indices()),
}


def found(case: str, seed: int, rows: int = 64, scramblings: int = 8) -> Indices:
    function, exact = CASES[case]
    design = sensitivity_design(exact.shape[1], rows, seed, scramblings)
    return sobol_indices(function(design), [f"x{at}" for at in range(exact.shape[1])])


def found_randomly(case: str, seed: int, rows: int = 256) -> Indices:
    """Return indices from random rows, which are drawn again for the intervals."""
    function, exact = CASES[case]
    pairs = np.random.default_rng(seed).random((2, rows, exact.shape[1]))
    mixed = np.where(np.eye(exact.shape[1], dtype=bool), pairs[1][:, None], pairs[0][:, None])
    design = np.concatenate([pairs.swapaxes(0, 1), mixed], axis=1)
    return sobol_indices(function(design)[None], [f"x{at}" for at in range(exact.shape[1])])


def held(case: str, every: Sequence[Indices]) -> np.ndarray:
    """Count the intervals that hold the exact index: (first and total, factors)."""
    counts = np.zeros_like(CASES[case][1], int)
    for indices in every:
        for factor, one in enumerate(indices.factors):
            for kind, interval in enumerate((one.first, one.total)):
                counts[kind, factor] += interval.low <= CASES[case][1][kind, factor] <= interval.high
    return counts


def main() -> None:
    for case, (_, exact) in CASES.items():
        print(f"{case}: exact {exact.round(5).tolist()}")
        for rows in (16, 64, 256):
            every = [found(case, seed, rows) for seed in range(SEEDS)]
            widths = np.median([[one.total.width for one in indices.factors] for indices in every], axis=0)
            print(
                f"  8 sets of {rows} rows: {held(case, every).tolist()}, widths of totals {widths.round(3)}"
            )
        drawn = [found_randomly(case, seed) for seed in range(SEEDS)]
        print(f"  256 random rows, drawn again: {held(case, drawn).tolist()}")
        one_set = [found(case, seed, 512, 1) for seed in range(SEEDS)]
        print(f"  one sequence of 512 rows, drawn again: {held(case, one_set).tolist()}", flush=True)


if __name__ == "__main__":
    main()
