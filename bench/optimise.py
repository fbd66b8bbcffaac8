"""Measure how often a search finds a design within 1 % of the best of a completely simulated space.

python bench/optimise.py FOLDER [REPEATS [BUDGET]]: the ledger of FOLDER gets the 113,400 designs, which takes
five minutes on two processors; the same folder continues. REPEATS (100) searches of BUDGET designs (1,000) by
seed read their designs there for each question. The comparison of the best designs is simulated.
"""

import itertools
import math
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import sledsim
from sledsim.exploration.design.space import PROBES, SECTOR_BYTES, SECTORS
from sledsim.exploration.evaluation import Evaluator, Row
from sledsim.exploration.optimising.goals import aims_of
from sledsim.exploration.sample import Measuring
from sledsim.exploration.subjects import Requests, Subject

DEVICE, REQUESTS, SCALE = "emsoft08", 200, 0.5
SCHEDULERS = ["fcfs", "clook_lbn", "sptf"]
OVER: dict[str, list[Any]] = {
    "format": ["x".join(map(str, one)) for one in itertools.product(PROBES, SECTORS, SECTOR_BYTES)],
    "power_policy": [
        *("always-on", "immediate", "adaptive"),
        *(f"timeout:ms={ms}" for ms in ("0.5", "1", "2", "5", "20", "100")),
    ],
    "layout": ["streaming", "organ-pipe", "columnar"],
    "access_mode": ["bidirectional", "unidirectional"],
    "idle": ["hold", "sweep"],
    "tip_supply": ["active-tips", "block-tips"],
}
#: Objectives with their constraints.
QUESTIONS: list[tuple[str, list[str]]] = [
    ("energy", ["capacity_gib >= 2"]),
    ("mean", ["capacity_gib >= 2.3"]),
    ("energy", ["mean <= 0.01", "capacity_gib >= 2"]),
    ("p99", []),
    ("energy", ["mean <= 0.02"]),
]
#: Distance from the best that a search should reach, largest share of the cost, and share of successful
#: searches.
NEAR, SHARE, WANTED = 0.01, 0.05, 0.95


def main() -> None:
    """Print the share of successful searches for each question, and their cost."""
    folder, *given = sys.argv[1:]
    repeats, budget = [*map(int, given), *(100, 1000)[len(given) :]]
    trace = sledsim.bundled_trace("ext3-4k").transfers().rows(slice(0, REQUESTS))
    known = _Known(Path(folder), trace)
    print(
        f"sledsim {sledsim.__version__}: {len(known.rows):,} designs of {DEVICE}, {repeats} repeats",
        flush=True,
    )
    for figure, constraints in QUESTIONS:
        _question(known, trace, figure, constraints, repeats, budget)


def _question(
    known: "_Known", trace: sledsim.Trace, figure: str, constraints: list[str], repeats: int, budget: int
) -> None:
    aims = aims_of([figure], [], constraints, [], REQUESTS)
    judged = aims.judged(known.rows, [{}] * len(known.rows))
    costs = judged.costs[judged.feasible, 0]
    best = costs.min()
    targets = int((costs <= best * (1 + NEAR)).sum())
    over = {**OVER, "scheduler": SCHEDULERS}
    begun_s = time.process_time()
    gaps, shares, decided = [], [], 0
    for seed in range(repeats):
        found = sledsim.optimise(
            *(trace, DEVICE, over),
            minimise=figure,
            subject_to=constraints,
            budget=budget,
            held_out=0,
            seed=seed,
            scale=SCALE,
            run=known.run,
        )
        gaps.append(found.best.figures[aims.goals[0].figure] / best - 1)
        # A window counts as a whole design, although it has a tenth of the requests.
        compared = found.selected.runs if found.selected else 0
        shares.append((found.cost + compared) / len(known.rows))
        decided += found.selected is not None and found.selected.is_decided
    hits = int((np.array(gaps) <= NEAR).sum())
    ends = f"worst {max(gaps):.2%} behind; {decided} decided by the comparison"
    chance = 1 - math.comb(len(known.rows) - targets, budget) / math.comb(len(known.rows), budget)
    print(
        f"{figure} {' and '.join(constraints)}: {targets} of all designs are within {NEAR:.0%};"
        f" {hits} of {repeats} picks are, at {np.mean(shares):.2%} of the cost ({ends});"
        f" at random: {chance:.0%}; {(time.process_time() - begun_s) / repeats:.1f} s per repeat:"
        f" {'as asked' if hits >= WANTED * repeats and max(shares) <= SHARE else 'NOT as asked'}",
        flush=True,
    )


class _Known:
    """Evaluator with the known rows of all designs."""

    def __init__(self, folder: Path, trace: sledsim.Trace) -> None:
        self._subject = Subject.of(DEVICE)
        swept = sledsim.sweep(
            *(trace, DEVICE, SCHEDULERS), folder=folder, over=OVER, scales=SCALE, past_end="wrap"
        )
        self.rows: list[Row] = [
            {name: row[name] for name in ("key", "status", "figures", "error")} for row in swept.rows()
        ]
        self._places = {values: at for at, values in enumerate(itertools.product(*OVER.values(), SCHEDULERS))}
        assert len(self.rows) == len(self._places)
        self._keys = {row["key"] for row in self.rows}
        self._digest, self._others = Requests.of(trace).digest, dict[Any, Row]()
        self._checked = False

    def run(self, how: Measuring, changes: Sequence[dict[str, Any]]) -> list[Row]:
        """Return rows of designs: known ones, or for windows of the requests those of a simulation."""
        names = [*OVER, "scheduler"]
        chosen = [tuple(one[name] for name in names) for one in changes]
        if how.requests.digest == self._digest:
            if not self._checked:
                self._check_keys(how, changes)
            return [self.rows[self._places[one]] for one in chosen]
        part = how.requests.part
        todo = [at for at, one in enumerate(chosen) if (part, one) not in self._others]
        evaluator = Evaluator(how.study(self._subject, ["sptf"], [changes[at] for at in todo] or [{}]))
        for number, at in enumerate(todo):
            self._others[part, chosen[at]] = evaluator.row(number)
        return [self._others[part, one] for one in chosen]

    def _check_keys(self, how: Measuring, changes: Sequence[dict[str, Any]]) -> None:
        """Check that the search uses the same keys as the ledger."""
        evaluator = Evaluator(how.study(self._subject, ["sptf"], changes))
        assert {evaluator.key_of(number) for number in range(len(changes))} <= self._keys
        self._checked = True


if __name__ == "__main__":
    main()
