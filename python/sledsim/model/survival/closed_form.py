"""Probability that failing tips lose data of a block or of a device, as formulas."""

import math
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from .tip_population import TipPopulation

#: Number of times at which the integral over the use of the last spare evaluates its function.
_NODES = 400

_Floats = NDArray[np.float64]


def lost_to_tips(tips: TipPopulation) -> tuple[float, float]:
    """Return, if only tips fail, the probability that one certain block is lost, and that any is.

    Until the last spare of a track is used, failures are a Poisson process; afterwards tips die
    independently. The result is one integral over that time.
    """
    block = track = 0.0
    dead = binomial(tips.tips, tips.dead_at_manufacture)
    for count, chance in possible(dead):
        block_lost, track_lost = _given(tips, count)
        block += chance * block_lost
        track += chance * track_lost
    return block, float(any_lost(tips.tracks, track))


def any_lost(count: int, share: float | _Floats) -> _Floats:
    """Return the probability that any of `count` independent objects is lost, each with chance `share`."""
    # Certainty has no logarithm, so the largest probability is just below 1.
    lost: _Floats = -np.expm1(count * np.log1p(-np.minimum(share, 1 - 1e-16)))
    return lost


def possible(chances: _Floats) -> list[tuple[int, float]]:
    """Return each number whose probability in `chances`, by number, exceeds 1e-18, with its probability."""
    return [(count, chance) for count, chance in enumerate(chances.tolist()) if chance > 1e-18]


def _given(tips: TipPopulation, dead: int) -> tuple[float, float]:
    """Return the loss probability of a block and of a track, given that `dead` tips never worked."""
    spares, rate = tips.spares_left(dead), tips.tips * tips.failures_per_tip
    if spares < 0:
        return without_spares(tips, -spares)
    if spares == 0:
        lost = more_than(tips.block_tips, -math.expm1(-tips.failures_per_tip), tips.check_tips)
        return lost, float(any_lost(tips.blocks, lost))
    if rate == 0:
        return 0.0, 0.0
    # The last spare is used at a time with an Erlang density; if spares are left, no data are lost.
    times, weights = life()
    log = spares * math.log(rate) - math.lgamma(spares) + (spares - 1) * np.log(times) - rate * times
    density = weights * np.exp(log)
    lost_after = lost_from(tips.block_tips, tips.check_tips, tips.failures_per_tip)
    return float(density @ lost_after), float(density @ any_lost(tips.blocks, lost_after))


@cache
def life() -> tuple[_Floats, _Floats]:
    """Return times between 0 (start) and 1 (end of life), with the weights of an integral over them."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return (nodes + 1) / 2, weights / 2


def without_spares(tips: TipPopulation, missing: int) -> tuple[float, float]:
    """Return the loss probability of a block and of a track that begins with `missing` tips and no spare."""
    later = -math.expm1(-tips.failures_per_tip)
    kept = [
        at_most(tips.block_tips - at, later, tips.check_tips - at)
        for at in range(min(tips.check_tips, missing, tips.block_tips) + 1)
    ]
    share = missing / tips.tips
    own = binomial(tips.block_tips, share)
    # Powers of the polynomial count missing tips: of a block, and of all blocks beside each other.
    one = own[: len(kept)] * np.array(kept)
    everywhere = binomial(tips.tips, share)[missing]
    others = binomial(tips.tips - tips.block_tips, share)
    block_kept = sum(one[at] * others[missing - at] for at in range(len(one)) if missing - at < len(others))
    all_kept = np.array([1.0])
    for _ in range(tips.blocks):
        all_kept = np.convolve(all_kept, one)[: missing + 1]
    track_kept = all_kept[missing] if missing < len(all_kept) else 0.0
    # Without losses, rounding may give a probability slightly above 1.
    return max(0.0, float(1 - block_kept / everywhere)), max(0.0, float(1 - track_kept / everywhere))


@lru_cache(64)
def lost_from(count: int, most: int, failures: float) -> _Floats:
    """Return, for each time of `life`, the chance that more than `most` of `count` tips fail after it."""
    gone = [-math.expm1(-failures * left) for left in (1 - life()[0]).tolist()]
    return np.array([more_than(count, share, most) for share in gone])


def binomial(count: int, share: float) -> _Floats:
    """Return the probabilities of exactly 0, 1, ... `count` events, each with chance `share`."""
    if share <= 0 or share >= 1:
        certain = np.zeros(count + 1)
        certain[count if share >= 1 else 0] = 1
        return certain
    at = np.arange(count + 1)
    terms: _Floats = np.exp(_ways(count) + at * math.log(share) + (count - at) * math.log1p(-share))
    return terms


@lru_cache(64)
def _ways(count: int) -> _Floats:
    """Return the logarithms of the binomial coefficients of `count` and 0, 1, ... `count`."""
    log = [math.lgamma(at + 1) for at in range(count + 1)]
    return np.array([log[count] - log[at] - log[count - at] for at in range(count + 1)])


def more_than(count: int, share: float, most: int) -> float:
    """Return the probability that more than `most` of `count` events happen, each with chance `share`."""
    return float(binomial(count, share)[most + 1 :].sum())


def at_most(count: int, share: float, most: int) -> float:
    """Return the probability that at most `most` of `count` events happen, each with chance `share`."""
    return float(binomial(count, share)[: most + 1].sum())
