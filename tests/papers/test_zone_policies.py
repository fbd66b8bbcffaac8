"""Test zones of any sizes and several requests per decision (000-E-11, E-12)."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

import sledsim
from sledsim.papers.p000.e12_several_decisions import _words
from sledsim.papers.p000.inputs import zoned_device
from sledsim.papers.p000.sequential_streams import sequential_workload
from sledsim.papers.p000.zone_policies import equal_cells, even_cells, reach_x_s, reach_y_s, register
from sledsim.papers.p000.zone_queues import zone_numbers
from sledsim.studies.region import Region

Reach = Callable[[sledsim.Device, float, float], float]


@pytest.mark.dear("experiments of a paper are simulated", every_change=True)
@pytest.mark.parametrize(("grid", "policy"), [((20, 2), "zsptf"), ((40, 4), "zsptf:zone=60x600")])
def test_with_cells_of_one_size_it_is_zsptf(grid: tuple[int, int], policy: str) -> None:
    model = zoned_device(2)
    register("zsptf-of-cells", equal_cells(model, *grid))
    for part in (0.005, 0.829):
        trace = sequential_workload(model, rate_per_s=1900, sequentiality=part, count=1500, seed=5)
        ours, core = (sledsim.simulate(model, trace, name) for name in ("zsptf-of-cells", policy))
        assert np.array_equal(ours.columns["start_ns"], core.columns["start_ns"])


def test_one_request_lies_where_several_do() -> None:
    model = zoned_device(2)
    draws = np.random.default_rng(3)
    for cells in (equal_cells(model, 20, 2), even_cells(model, 7, 3)):
        cylinder, y_bits = draws.integers(0, cells.x[-1], 500), draws.integers(0, cells.y[-1], 500)
        alone = [cells.place(int(x), int(y)) for x, y in zip(cylinder, y_bits, strict=True)]
        assert alone == cells.places(cylinder, y_bits).tolist()


@pytest.mark.parametrize("every", [1, 2, 3, 1000])
def test_decisions_are_counted(every: int) -> None:
    """All requests come at once, so a zone is decided on until it is empty."""
    model = zoned_device(1).with_parameters(overhead_ms=0.0)
    trace = sledsim.workload("random:arrivals=asap,count=600,seed=7", model)
    tallies = register("zsptf-counted", equal_cells(model, 20, 2), every)
    sledsim.simulate(model, trace, "zsptf-counted")
    _, in_zone = np.unique(zone_numbers(model, trace.lbn), return_counts=True)
    left = [range(count, 0, -every) for count in in_zone.tolist()]
    found = tallies.sum()
    # The first request is chosen before the queue has the others.
    assert found.served == 600
    assert found.decisions == pytest.approx(sum(map(len, left)), abs=1)
    assert found.entries == pytest.approx(sum(map(sum, left)), abs=int(in_zone.max()) + 1)
    assert tallies.sum().served == 0


@pytest.mark.dear("experiments of a paper are simulated", every_change="grid0")
@pytest.mark.parametrize("grid", [(20, 2), (40, 4)])
def test_cells_are_crossed_in_the_same_time(grid: tuple[int, int]) -> None:
    model = zoned_device(1)
    region, cells = Region.of(model), even_cells(model, *grid)
    axes = ((cells.x, region.columns, reach_x_s), (cells.y, region.rows, reach_y_s))
    for count, (ends, bits, reach) in zip(grid, axes, strict=True):
        assert (len(ends), ends[0], ends[-1]) == (count + 1, 0, bits)
        widths = np.diff(ends)
        assert (np.abs(widths - widths[::-1]) <= 2).all()  # The medium is symmetrical.

        def reached(low: float, high: float, reach: Reach = reach, region: Region = region) -> float:
            return reach(model, float(region.length_m(low)), float(region.length_m(high)))

        times = [reached(low - bits / 2, high - bits / 2) for low, high in pairwise(ends)]
        assert max(times) < 1.01 * min(times)  # Ends are whole bits.
        # Cells of one size take longer at the sides than in the middle.
        assert reach is reach_y_s or reached(1080, 1200) > 1.02 * reached(-60, 60)


def test_a_policy_without_a_mean_is_left_out_of_the_words() -> None:
    rows = [
        {"input": "a", "every": "1", "entries_per_request": 2.0, "response_ratio": None},
        {"input": "b", "every": "1", "entries_per_request": 2.0, "response_ratio": 1.0},
        {"input": "b", "every": "2", "entries_per_request": 1.5, "response_ratio": 1.1},
    ]
    assert _words(rows) == (
        "Costs and savings: on the b stream, 2.0 entries per request, with 2 per decision responses are 1.100"
        " times as long and 25% of the entries are saved."
    )
