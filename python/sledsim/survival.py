"""Probabilities of losing data: tips of a device, devices of an array; in closed form, and by simulation.

Tips fail independently at a constant rate, and some at manufacture. A failed tip is replaced at once by a
spare of its track, if one is left; spares that wait do not fail, those in use do as any tip. A block is lost
when more of its tips are gone than its code has check tips; a device when one of its blocks is.
"""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

#: Nodes of the integral over the time at which the last spare is used up.
_NODES = 400
#: Numbers that are drawn at a time.
_DRAWN = 4_000_000
#: Of a standard normal distribution, between what 99 % of it lie.
_NORMAL_99 = 2.5758293035489004

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class TipPopulation:
    """The tips of a device and their failures.

    Attributes:
        tracks: Groups of tips that share spares.
        blocks: Blocks side by side in a track.
        block_tips: Tips of a block, data and checks.
        check_tips: How many of them may be missing.
        spare_tips: Spares of each track.
        dead_at_manufacture: That a tip never works.
        failures_per_tip: Mean failures of a tip over the life.
    """

    tracks: int
    blocks: int
    block_tips: int
    check_tips: int
    spare_tips: int
    dead_at_manufacture: float
    failures_per_tip: float

    @property
    def tips(self) -> int:
        """Tips of a track, without spares."""
        return self.blocks * self.block_tips


@dataclass(frozen=True)
class Share:
    """A share that was simulated.

    Attributes:
        value: What was found.
        low: The lower end of its interval of 99 %.
        high: The upper end.
    """

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Losses:
    """Probabilities over the life, each with its interval where it was simulated.

    Attributes:
        block: That a given block is lost.
        device: That a block of the device is lost.
    """

    block: Share
    device: Share


def exact_losses(tips: TipPopulation) -> tuple[float, float]:
    """The probabilities that a given block, and that any block of the device is lost, in closed form.

    Before the last spare of a track is used its failures are a Poisson process; from then on its tips die
    independently. What is left is one integral over that time.
    """
    block = whole = 0.0
    dead = _binomial(tips.tips, tips.dead_at_manufacture)
    for count, chance in enumerate(dead):
        if chance < 1e-18:
            continue
        lost, kept = _given(tips, count)
        block += chance * lost
        whole += chance * kept
    return block, -math.expm1(tips.tracks * math.log(whole)) if whole > 0 else 1.0


def _given(tips: TipPopulation, dead: int) -> tuple[float, float]:
    """With so many tips dead from the start: that a block is lost, and that a track is whole."""
    if dead > tips.spare_tips:
        return _without_spares(tips, dead - tips.spare_tips)
    spares, rate = tips.spare_tips - dead, tips.tips * tips.failures_per_tip
    if spares == 0:
        lost = float(_too_many(tips, np.array([1.0]))[0])
        return lost, _power(1 - lost, tips.blocks)
    if rate == 0:
        return 0.0, 1.0
    # The last spare goes at a time of the life with an Erlang density; if it does not, nothing is lost.
    times, weights = _life()
    log = spares * math.log(rate) - math.lgamma(spares) + (spares - 1) * np.log(times) - rate * times
    density = weights * np.exp(log)
    lost_after = _too_many(tips, 1 - times)
    track_lost = -np.expm1(tips.blocks * np.log1p(-np.minimum(lost_after, 1 - 1e-16)))
    return float(density @ lost_after), float(1 - density @ track_lost)


@cache
def _life() -> tuple[_Floats, _Floats]:
    """Times of the life, in lives, and their weights in an integral over it."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return (nodes + 1) / 2, weights / 2


def _without_spares(tips: TipPopulation, missing: int) -> tuple[float, float]:
    """With so many tips missing from the start at random places, and no spare left."""
    later = -math.expm1(-tips.failures_per_tip)
    kept = [
        _at_most(tips.block_tips - at, later, tips.check_tips - at)
        for at in range(min(tips.check_tips, missing, tips.block_tips) + 1)
    ]
    share = missing / tips.tips
    own = _binomial(tips.block_tips, share)
    # A polynomial whose powers count the missing tips: that of a block, and of all that lie beside it.
    one = own[: len(kept)] * np.array(kept)
    everywhere = _binomial(tips.tips, share)[missing]
    others = _binomial(tips.tips - tips.block_tips, share)
    block_kept = sum(one[at] * others[missing - at] for at in range(len(one)) if missing - at < len(others))
    all_kept = np.array([1.0])
    for _ in range(tips.blocks):
        all_kept = np.convolve(all_kept, one)[: missing + 1]
    track_kept = all_kept[missing] if missing < len(all_kept) else 0.0
    return float(1 - block_kept / everywhere), float(track_kept / everywhere)


def _too_many(tips: TipPopulation, shares: _Floats) -> _Floats:
    """That a block loses too many tips in those shares of the life."""
    gone = [-math.expm1(-tips.failures_per_tip * share) for share in shares.tolist()]
    return np.array([_more_than(tips.block_tips, each, tips.check_tips) for each in gone])


def _binomial(count: int, share: float) -> _Floats:
    """The probabilities of 0, 1, ... count."""
    if share <= 0 or share >= 1:
        certain = np.zeros(count + 1)
        certain[count if share >= 1 else 0] = 1
        return certain
    at = np.arange(count + 1)
    ways = np.array([math.lgamma(count + 1) - math.lgamma(k + 1) - math.lgamma(count - k + 1) for k in at])
    terms: _Floats = np.exp(ways + at * math.log(share) + (count - at) * math.log1p(-share))
    return terms


def _more_than(count: int, share: float, most: int) -> float:
    return float(_binomial(count, share)[most + 1 :].sum())


def _at_most(count: int, share: float, most: int) -> float:
    return float(_binomial(count, share)[: most + 1].sum())


def _power(base: float, exponent: int) -> float:
    return float(base**exponent)


def simulated_losses(tips: TipPopulation, devices: int, seed: int) -> Losses:
    """The same by drawing the lifetimes of all tips, one failure after the other; intervals of 99 %."""
    random = np.random.default_rng(seed)
    at_a_time = max(1, _DRAWN // (tips.tips * tips.tracks))
    devices_lost, blocks_lost = 0, np.empty(0)
    for first in range(0, devices, at_a_time):
        lost = _lost_blocks(tips, min(at_a_time, devices - first), random)
        devices_lost += int(np.count_nonzero(lost.any(axis=1)))
        blocks_lost = np.append(blocks_lost, lost.mean(axis=1))
    # Blocks of a track share its spares and so are not independent: devices are.
    spread = float(blocks_lost.std(ddof=1)) / math.sqrt(devices) if devices > 1 else math.nan
    share = float(blocks_lost.mean())
    if spread > 0:
        half = _NORMAL_99 * spread
        blocks = Share(share, max(0.0, share - half), min(1.0, share + half))
    else:
        blocks = wilson(round(share * devices), devices)
    return Losses(blocks, wilson(devices_lost, devices))


def _lost_blocks(tips: TipPopulation, devices: int, random: np.random.Generator) -> NDArray[np.bool_]:
    """Whether each block of each device is lost: (devices, tracks x blocks)."""
    rows = devices * tips.tracks
    rate = tips.failures_per_tip
    ends = _lives((rows, tips.tips), rate, random)
    never = random.random(ends.shape) < tips.dead_at_manufacture
    # Those that never worked are found before all others, in any order.
    ends[never] = -random.random(int(np.count_nonzero(never)))
    every = np.arange(rows)
    for _ in range(tips.spare_tips):
        first = ends.argmin(axis=1)
        at = ends[every, first]
        failed = at <= 1
        if not failed.any():
            break
        renewed = np.maximum(at, 0) + _lives((rows,), rate, random)
        ends[every[failed], first[failed]] = renewed[failed]
    gone = (ends <= 1).reshape(rows, tips.blocks, tips.block_tips).sum(axis=2)
    lost: NDArray[np.bool_] = (gone > tips.check_tips).reshape(devices, tips.tracks * tips.blocks)
    return lost


def _lives(shape: tuple[int, ...], failures_per_life: float, random: np.random.Generator) -> _Floats:
    """Times to failure, in lives."""
    if failures_per_life == 0:
        return np.full(shape, np.inf)
    return random.exponential(1 / failures_per_life, shape)


def wilson(hits: int, trials: int) -> Share:
    """A share with its interval of 99 %, which is good near 0 and 1, too (Wilson)."""
    square = _NORMAL_99**2
    middle = (hits + square / 2) / (trials + square)
    half = _NORMAL_99 / (trials + square) * math.sqrt(hits * (trials - hits) / trials + square / 4)
    return Share(hits / trials, max(0.0, middle - half), min(1.0, middle + half))


@dataclass(frozen=True)
class ArrayPopulation:
    """The devices of an array.

    Attributes:
        devices: How many.
        tolerated: How many of them may be missing at the same time.
        failures_per_device: Mean failures of a device over the life.
        rebuild: Time to rebuild one that was replaced, as a share of the life; one at a time.
    """

    devices: int
    tolerated: int
    failures_per_device: float
    rebuild: float


def exact_array_loss(array: ArrayPopulation) -> float:
    """The probability that an array loses data over its life, where rebuilds take exponential times.

    It is a Markov chain over the number of missing devices, whose last state is for ever.
    """
    states = array.tolerated + 2
    rates = np.zeros((states, states))
    for missing in range(states - 1):
        rates[missing, missing + 1] = (array.devices - missing) * array.failures_per_device
        if missing:
            rates[missing, missing - 1] = 1 / array.rebuild
        rates[missing, missing] = -rates[missing].sum()
    # Uniformisation: all terms are positive, so that small probabilities keep their digits.
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
    """The same by drawing failures and rebuilds one after the other, with an interval of 99 %."""
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
