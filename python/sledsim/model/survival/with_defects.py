"""Probability that failing tips and defects lose data of a block or of a device, as formulas."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .closed_form import (
    any_lost,
    binomial,
    life,
    lost_from,
    lost_to_tips,
    more_than,
    possible,
    without_spares,
)
from .tip_population import TipPopulation

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ExactLosses:
    """Probabilities of data loss over the life of a device, from formulas.

    Attributes:
        block: Probability that one certain block is lost.
        device: Probability that at least one block of the device is lost; None if no formula is known.
        device_at_most: Upper bound of the probability that at least one block of the device is lost.
        block_by_tips: Probability that one certain block is lost to failing tips alone.
        device_by_tips: Probability that at least one block of the device is lost to failing tips alone.
    """

    block: float
    device: float | None
    device_at_most: float
    block_by_tips: float
    device_by_tips: float


def exact_losses(tips: TipPopulation) -> ExactLosses:
    """Return the probability that one certain block is lost, and that any block of the device is lost.

    The tips under a defect belong to different blocks, so the tip sectors of a block fail independently, by a
    failing tip or a defect. All blocks under a failing tip fail together, and so do some blocks under a
    defect: for the device a closed form exists without defects, and for defects of single tip sectors without
    spares. Otherwise the result is a bound: the loss to tips plus the mean number of blocks lost to defects
    in addition.
    """
    by_tips, device = lost_to_tips(tips)
    if tips.defects_per_sector == 0:
        return ExactLosses(by_tips, device, device, by_tips, device)
    block = _block_lost(tips)
    beside = tips.groups * tips.defects.places * (block - by_tips)
    exact = _device_lost(tips) if tips.spare_tips == 0 and tips.defects.is_single else None
    return ExactLosses(block, exact, min(1.0, device + beside), by_tips, device)


def _block_lost(tips: TipPopulation) -> float:
    """Return the probability that one certain block is lost to failing tips or defects.

    Failures at a place of a track are a compound Poisson process: a defect may take several tip sectors at
    once, each of another block. The defect that takes the last spare may take more sectors than spares;
    afterwards the tip sectors of a block fail independently.
    """
    rate = tips.failures_per_tip + tips.defects_per_sector
    both = replace(tips, failures_per_tip=rate)
    rates = tips.events_by_size
    lost = 0.0
    for dead, chance in possible(binomial(tips.tips, tips.dead_at_manufacture)):
        spares = tips.spares_left(dead)
        if spares < 0:
            lost += chance * without_spares(both, -spares)[0]
        elif spares == 0:
            lost += chance * more_than(tips.block_tips, -math.expm1(-rate), tips.check_tips)
        else:
            lost += chance * _after_spares(both, rates, spares)
    return lost


def _after_spares(tips: TipPopulation, rates: list[float], spares: int) -> float:
    """Return the probability that the last spare is used and one certain block is lost afterwards."""
    times, weights = life()
    whole = lost_from(tips.block_tips, tips.check_tips, tips.failures_per_tip)
    wounded = lost_from(tips.block_tips - 1, tips.check_tips - 1, tips.failures_per_tip)
    used = _used(rates, spares)
    lost = np.zeros_like(times)
    for size, rate in enumerate(rates):
        for before in range(max(0, spares - size), spares if size else 0):
            # Expected share of the given block among the sectors without a spare: at most one of them.
            of_block = (before + size - spares) / tips.blocks
            lost += rate * used[before] * ((1 - of_block) * whole + of_block * wounded)
    return float(weights @ lost)


def _used(rates: list[float], spares: int) -> list[_Floats]:
    """Return the probabilities, at each time of `life`, that 0 to `spares` - 1 spares are used (Panjer)."""
    times, _ = life()
    used = [np.exp(-sum(rates) * times)]
    for count in range(1, spares):
        terms = [size * rates[size] * used[count - size] for size in range(1, min(len(rates), count + 1))]
        used.append(np.sum(terms, axis=0) * times / count)
    return used


def _device_lost(tips: TipPopulation) -> float:
    """Return the loss probability of a device without spares, with defects of one tip sector each."""
    missing = 1 - (1 - tips.dead_at_manufacture) * math.exp(-tips.failures_per_tip)
    bad, places = -math.expm1(-tips.defects_per_sector), tips.defects.places
    lost = [
        more_than(tips.block_tips - at, bad, tips.check_tips - at)
        for at in range(min(tips.check_tips, tips.block_tips - 1) + 1)
    ]
    by_missing = binomial(tips.block_tips, missing)
    group = by_missing[: len(lost)] @ any_lost(places, np.array(lost)) + by_missing[len(lost) :].sum()
    return float(any_lost(tips.groups, group))
