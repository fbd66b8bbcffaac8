"""Measure the seeks in x per second that each seek model computes through NumPy arrays, on one core."""

import statistics
import time

import numpy as np

import sledsim
from sledsim.model.core_tables import table

SEEKS = 100_000
ROUNDS = 31


def main() -> None:
    """Print the table."""
    rng = np.random.default_rng(1)
    from_m, to_m = rng.uniform(-50e-6, 50e-6, (2, SEEKS))
    exact_s = sledsim.device("osdi00").seek_x_s(from_m, to_m)
    print(f"seeks in x on osdi00, {SEEKS:,} random pairs in one call, median of {ROUNDS}")
    print(f"{'seek model':16}{'million/s':>10}   largest difference from bang-bang")
    for model in table("seek_models"):
        if model == "measured":
            continue  # This model needs a table from the user.
        device = sledsim.device("osdi00", seek_model=model)
        found_s = device.seek_x_s(from_m, to_m)
        rounds_s = []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            device.seek_x_s(from_m, to_m)
            rounds_s.append(time.perf_counter() - start)
        rate = SEEKS / statistics.median(rounds_s) / 1e6
        print(f"{model:16}{rate:10.1f}   {np.abs(found_s - exact_s).max() * 1e6:.6f} us")


if __name__ == "__main__":
    main()
