"""Test readings of the direction of access, beside a model written from 002's equations alone."""

import math
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sledsim
from sledsim.papers.p002.directions import prefer_up
from sledsim.papers.p002.table_2 import read_table_2
from sledsim.papers.shared.random_requests import random_costs
from sledsim.papers.shared.readings import best, readings

#: Parameters of Table 1 of 002: m/s2, m/s, m, and seconds of one time constant of 220 Hz.
A, V, BIT, SETTLE = 114.8, 0.02, 50e-9, 1 / (2 * math.pi * 220)
#: Bits of a tip sector with servo; blocks of a row; rows, tracks and cylinders.
BITS, BLOCKS, ROWS, TRACKS, CYLINDERS = 90, 20, 22, 5, 2000
TURN = 2 * V / A
COUNT = 20_000


def chain(rule: str, seed: int = 7) -> tuple[float, float]:
    """Return mean turnarounds and seconds of seeks of random rows, in a chain (Eqs 2 to 5)."""
    rnd, height = random.Random(seed), BITS * BIT
    x, y, before = 0, 0.0, 1
    turns = total = 0.0
    for _ in range(COUNT):
        cylinder, row = rnd.randrange(CYLINDERS), rnd.randrange(ROWS)
        x_s = 2 * math.sqrt(abs(cylinder - x) * BIT / A) + SETTLE if cylinder != x else 0.0
        ways = []
        for way, enter, leave in ((1, row, row + 1), (-1, row + 1, row)):
            away = enter * height - y
            ahead = 0 if abs(away) < 1e-12 else int(math.copysign(1, away))
            y_s = 2 * (math.sqrt(V * V + A * abs(away)) - V) / A if ahead else 0.0
            count = (before != way) if ahead == 0 else (before != ahead) + (ahead != way)
            ways.append((max(x_s, y_s + count * TURN), count, way, leave * height))
        if rule == "column":
            chosen = ways[cylinder % 2]
        elif rule == "better":
            chosen = min(ways, key=lambda one: (round(one[0], 13), one[1]))
        else:
            chosen = ways[ways[1][0] < ways[0][0] - 1e-13]
        total += chosen[0]
        turns += chosen[1]
        x, before, y = cylinder, chosen[2], chosen[3]
    return turns / COUNT, total / COUNT


@pytest.mark.parametrize("rule", ["column", "better", "up"])
def test_each_rule_gives_what_the_equations_give(rule: str) -> None:
    device = sledsim.device("sigmetrics00")
    mode = {"column": "parity"}.get(rule, "bidirectional")
    costs = random_costs(device.with_parameters(access_mode=mode), COUNT, seed=3)
    if rule == "up":
        costs = prefer_up(device, costs, seed=3)
    turns, seek_s = chain(rule)
    # Tolerance for requests of several rows, and for draws; the rules differ by 0.07 and more.
    assert float(np.mean(costs.turnarounds)) == pytest.approx(turns, abs=0.025)
    assert float(costs.positioning_s.mean()) == pytest.approx(seek_s, rel=0.006)


def test_the_direction_is_changed_only_where_that_is_sooner() -> None:
    device = sledsim.device("sigmetrics00")
    better = random_costs(device.with_parameters(access_mode="bidirectional"), 5_000, seed=5)
    up = prefer_up(device, better, seed=5)
    # The rule departs from other places than the better direction, but is as fast on average.
    assert float(up.positioning_s.mean()) == pytest.approx(float(better.positioning_s.mean()), rel=0.005)
    assert np.array_equal(up.rows, better.rows) and np.array_equal(up.transfer_s, better.transfer_s)
    assert np.all(up.positioning_s >= np.maximum(up.x_s, up.y_s) - 1e-12)
    assert np.array_equal(prefer_up(device, better, seed=5).y_s, up.y_s)


def test_table_2_is_tried_in_every_reading_and_the_best_is_named() -> None:
    device = sledsim.device("sigmetrics00")
    costs = {
        mode: random_costs(device.with_parameters(access_mode=mode), 20_000, seed=1)
        for mode in ("parity", "bidirectional", "serpentine")
    }
    once = {mode: replace(own, transfer_s=costs["serpentine"].transfer_s) for mode, own in costs.items()}
    reads = read_table_2(device, once)
    names = {rule.id for one in reads for rule in one.trial.readings}
    assert names == {name for name in readings() if name.startswith("002-")}
    assert len({one.trial.name for one in reads}) == len(reads) == 12
    assert len({tuple(finding.quantity for finding in one.trial.findings) for one in reads}) == 1
    # No reading gives the whole table, and the better direction loses the turnarounds.
    assert not any(one.trial.is_whole for one in reads)
    assert "002-direction/up" in best([one.trial for one in reads]).name
    by_bits = next(one for one in reads if "002-transfer/data-bits" in one.trial.name)
    assert by_bits.transfer_s.mean() == pytest.approx(64 / 400e3)


def test_every_reading_says_what_is_assumed_and_where_the_text_leaves_it_open() -> None:
    assert readings()
    for name, one in readings().items():
        paper, _, rule = name.partition("-")
        assert paper in sledsim.papers.PAPERS and "/" in rule, name
        assert one.assumes.endswith(".") and one.open.startswith(f"{paper} section "), name


def test_the_page_has_every_reading() -> None:
    page = (Path(__file__).parents[2] / "docs" / "background" / "papers.md").read_text(encoding="utf-8")
    for name, one in readings().items():
        rule, _, short = name.partition("/")
        (row,) = [line for line in page.splitlines() if line.startswith(f"| {rule} |")]
        assert one.open in row and f"*{short}*: {one.assumes}" in row
