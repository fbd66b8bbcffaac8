"""Probability that failing tips and defects lose data of a block or of a device, by simulation."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .simulated_shares import Share, mean_share, wilson
from .tip_population import MediaDefects, TipPopulation

#: Approximate number of failures that are drawn together; more if one device alone has more.
_DRAWN = 1_000_000
#: Largest mean number of failures of a device; more would need gigabytes of memory.
MOST_EVENTS = 10_000_000

_Floats = NDArray[np.float64]
_Ints = NDArray[np.int64]
_Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Losses:
    """Simulated probabilities of data loss over the life of a device, each with a 99 % interval.

    Attributes:
        block: Probability that one certain block is lost.
        device: Probability that at least one block of the device is lost.
    """

    block: Share
    device: Share


class _Events(NamedTuple):
    """Failures in three arrays: index of the affected track (or of a place on a track), time, and tip."""

    row: _Ints
    time: _Floats
    tip: _Ints


def simulated_losses(
    tips: TipPopulation, devices: int, seed: int, progress: Callable[[int], object] | None = None
) -> Losses:
    """Simulate the failures of devices, and return the shares of lost blocks and devices with 99 % intervals.

    A failing tip loses all its places. The event belongs to a place in the order of a track: whatever serves
    that place fails, wherever a spare stands in for it. `progress` receives the number of finished devices.
    """
    random = np.random.default_rng(seed)
    at_a_time = max(1, int(_DRAWN / mean_events(tips)))
    to_tips, to_defects = np.empty(0), np.empty(0)
    for first in range(0, devices, at_a_time):
        found = _lost_shares(tips, min(at_a_time, devices - first), random)
        to_tips, to_defects = np.append(to_tips, found[0]), np.append(to_defects, found[1])
        if progress:
            progress(len(to_tips))
    # Blocks of a device share tips and spares and so are not independent; devices are.
    by_tips = mean_share(to_tips, 1 / tips.groups)
    value, low, high = by_tips.value, by_tips.low, by_tips.high
    if tips.defects.mean > 0:
        # A failing tip loses all places of a block, a defect only a few; each cause has a separate interval.
        beside = mean_share(to_defects, 1 / (tips.groups * tips.defects.places))
        value, low, high = value + beside.value, low + beside.low, min(1.0, high + beside.high)
    devices_lost = np.count_nonzero((to_tips > 0) | (to_defects > 0))
    return Losses(Share(value, low, high), wilson(int(devices_lost), devices))


def mean_events(tips: TipPopulation) -> float:
    """Return the mean number of failures to draw for a device: of tips, and of tip sectors under defects."""
    of_track = tips.tips * (tips.failures_per_tip + tips.dead_at_manufacture)
    places = tips.defects.mean * tips.defects.mean_tips * tips.defects.cylinders * tips.defects.rows
    return 1 + tips.tracks * (of_track + tips.tips) + places * (of_track + tips.blocks)


def _lost_shares(tips: TipPopulation, devices: int, random: np.random.Generator) -> tuple[_Floats, _Floats]:
    """Return, per device, the share of blocks lost to failing tips, and the share lost only by defects."""
    tracks = devices * tips.tracks
    failures = _tip_failures(tips, tracks, random)
    lost = _lost(tips, failures, tracks)
    of_device = lost.reshape(devices, -1)
    if tips.defects.mean == 0:
        return of_device.mean(axis=1), np.zeros(devices)
    hits, places = _hits(tips, devices, random)
    # Every place with a defect is a separate row, with all failures of the tips of its track.
    keys, row = np.unique(hits.row * tips.defects.places + places, return_inverse=True)
    track = keys // tips.defects.places
    # Rows with no more failures than spares and checks lose no data; spares without checks come too late.
    bad = np.bincount(row) + np.bincount(failures.row, minlength=tracks)[track]
    many = bad > (tips.spare_tips + tips.check_tips if tips.check_tips else 0)
    number, of_many = np.cumsum(many) - 1, many[row]
    own = _Events(number[row][of_many], hits.time[of_many], hits.tip[of_many])
    at, which = _repeated(failures.row, track[many], tracks)
    copied = _Events(at, failures.time[which], failures.tip[which])
    both = _Events(*(np.concatenate(pair) for pair in zip(own, copied, strict=True)))
    more = _lost(tips, both, int(many.sum())) & ~lost[track[many]]
    per_device = np.bincount(track[many] // tips.tracks, more.sum(axis=1), devices)
    return of_device.mean(axis=1), per_device / (tips.groups * tips.defects.places)


def _tip_failures(tips: TipPopulation, tracks: int, random: np.random.Generator) -> _Events:
    """Draw the failures of tips in all tracks; a negative time marks a tip that never worked."""
    dead = np.flatnonzero(random.random(tracks * tips.tips) < tips.dead_at_manufacture)
    counts = random.poisson(tips.tips * tips.failures_per_tip, tracks)
    row = np.concatenate([dead // tips.tips, np.repeat(np.arange(tracks), counts)])
    later = int(counts.sum())
    time = np.concatenate([-random.random(len(dead)), random.random(later)])
    tip = np.concatenate([dead % tips.tips, random.integers(tips.tips, size=later)])
    order = np.argsort(row, kind="stable")
    return _Events(row[order], time[order], tip[order])


def _hits(tips: TipPopulation, devices: int, random: np.random.Generator) -> tuple[_Events, _Ints]:
    """Draw defects; return the tip sectors that they cover, and the place of each within its tip's region."""
    defects = tips.defects
    device = np.repeat(np.arange(devices), random.poisson(defects.mean, devices))
    count = len(device)
    shares = np.array(defects.tips) / sum(defects.tips)
    sizes = 1 + random.choice(len(shares), count, p=shares)
    group, member = random.integers(tips.groups, size=count), random.integers(tips.block_tips, size=count)
    time, places = random.random(count), _rectangles(defects, count, random)
    found, place = np.nonzero(places >= 0)
    at = np.repeat(np.arange(len(found)), sizes[found])
    offset = np.arange(len(at)) - np.repeat(np.cumsum(sizes[found]) - sizes[found], sizes[found])
    defect = found[at]
    hit = (group[defect] + offset) % tips.groups
    row = device[defect] * tips.tracks + hit // tips.blocks
    tip = hit % tips.blocks * tips.block_tips + member[defect]
    return _Events(row, time[defect], tip), places[found, place][at]


def _rectangles(defects: MediaDefects, count: int, random: np.random.Generator) -> _Ints:
    """Return the places that random rectangles cover, shape (count, places); -1 if outside the region."""
    columns, rows = defects.origins
    x = random.integers(columns, size=(count, 1, 1)) - np.arange(defects.cylinders).reshape(1, -1, 1)
    y = random.integers(rows, size=(count, 1, 1)) - np.arange(defects.rows).reshape(1, 1, -1)
    inside = (x >= 0) & (x < defects.region_cylinders) & (y >= 0) & (y < defects.region_rows)
    return np.where(inside, x * defects.region_rows + y, -1).reshape(count, -1)


def _repeated(row: _Ints, wanted: _Ints, rows: int) -> tuple[_Ints, _Ints]:
    """Return the failures in the tracks `wanted`: index of the track in `wanted`, and of the failure."""
    counts = np.bincount(row, minlength=rows)
    starts = np.cumsum(counts) - counts
    many = counts[wanted]
    at = np.repeat(np.arange(len(wanted)), many)
    within = np.arange(len(at)) - np.repeat(np.cumsum(many) - many, many)
    return at, starts[wanted][at] + within


def _lost(tips: TipPopulation, events: _Events, rows: int) -> _Bools:
    """Return True for each lost block, shape (rows, blocks); spares absorb the first failures of a row.

    Without check tips every failed tip with data is lost: spares only replace tips dead at manufacture.
    """
    row, _, tip = events
    if tips.spare_tips:
        order = np.lexsort((events.time, events.row))
        counts = np.bincount(row, minlength=rows)
        rank = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
        is_saved = (rank < tips.spare_tips) & ((tips.check_tips > 0) | (events.time[order] < 0))
        beyond = order[~is_saved]
        row, tip = row[beyond], tip[beyond]
    gone = np.unique(row * tips.tips + tip)
    of_block = np.bincount(gone // tips.block_tips, minlength=rows * tips.blocks)
    return (of_block > tips.check_tips).reshape(rows, tips.blocks)
