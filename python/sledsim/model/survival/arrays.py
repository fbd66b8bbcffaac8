"""Probability that an array of devices loses data, in closed form and by simulation."""

import math
from dataclasses import dataclass

import numpy as np

from .simulated_shares import Share, wilson


@dataclass(frozen=True)
class ArrayPopulation:
    """An array of devices, with the rates at which its devices fail and are rebuilt.

    Attributes:
        devices: Number of devices in the array.
        tolerated: Largest number of devices that may be missing at the same time without loss of data.
        failures_per_device: Mean number of failures of one device over the life of the array.
        rebuild: Mean duration of a rebuild divided by the life of the array; the array rebuilds one device at
            a time.
    """

    devices: int
    tolerated: int
    failures_per_device: float
    rebuild: float


def exact_array_loss(array: ArrayPopulation) -> float:
    """Return the probability that an array loses data in its life; rebuilds last exponential times.

    The model is a Markov chain over the number of missing devices, whose last state is absorbing.
    """
    states = array.tolerated + 2
    rates = np.zeros((states, states))
    for missing in range(states - 1):
        rates[missing, missing + 1] = (array.devices - missing) * array.failures_per_device
        if missing:
            rates[missing, missing - 1] = 1 / array.rebuild
        rates[missing, missing] = -rates[missing].sum()
    # Uniformisation: all terms are positive, so small probabilities keep their digits.
    fastest = float(-rates.diagonal().min())
    if fastest == 0:
        return 0.0
    steps = max(1, math.ceil(fastest / 32))
    jump = np.eye(states) + rates / fastest
    weight, power, step = math.exp(-fastest / steps), np.eye(states), np.zeros((states, states))
    for term in range(1, 200):
        step += weight * power
        power = power @ jump
        weight *= fastest / steps / term
    return float(np.linalg.matrix_power(step, steps)[0, -1])


def simulated_array_loss(array: ArrayPopulation, arrays: int, seed: int) -> Share:
    """Return the share of `arrays` simulated arrays that lose data in their life, with its 99 % interval."""
    random = np.random.default_rng(seed)
    missing, now = np.zeros(arrays, int), np.zeros(arrays)
    alive = np.ones(arrays, bool)
    while alive.any():
        failing = (array.devices - missing) * array.failures_per_device
        mending = np.where(missing > 0, 1 / array.rebuild, 0.0)
        total = np.maximum(failing + mending, 1e-300)
        now += random.exponential(1, arrays) / total
        worse = random.random(arrays) * total < failing
        alive &= now <= 1
        missing += np.where(alive, np.where(worse, 1, -1), 0)
        alive &= missing <= array.tolerated
    return wilson(int(np.count_nonzero(missing > array.tolerated)), arrays)
