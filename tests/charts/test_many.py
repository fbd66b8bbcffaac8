"""Equal curves are drawn once, with all their names."""

import dataclasses
import math
from typing import Any

import pytest

import sledsim

pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")

from sledsim.charts.design_chart import design_tables
from sledsim.charts.grammar import alike


def test_names_of_the_same_are_joined_in_their_order() -> None:
    found = {"a": [1.0, math.nan], "b": [2.0], "c": [1.0, math.nan], "d": [1.0, 0.0]}
    assert alike(found) == {"a": "a = c", "b": "b", "d": "d"}


@pytest.mark.dear("charts are drawn as pages and pictures", every_change=True)
def test_schedulers_that_do_the_same_are_one_line() -> None:
    device = sledsim.device("osdi00")
    trace = sledsim.random_workload(device, rate_per_s=900, count=300, seed=7)
    found = sledsim.compare(device, trace, ["fcfs", "sptf"])
    twin = [dataclasses.replace(point, scheduler=f"{point.scheduler}_too") for point in found.points[:1]]
    drawn = dataclasses.replace(found, points=[*found.points, *twin]).plot().to_dict()
    scale = drawn["vconcat"][0]["hconcat"][0]["layer"][0]["encoding"]["color"]["scale"]
    assert scale["domain"] == ["fcfs = fcfs_too", "sptf"]


def test_formats_that_are_the_same_are_one_row_of_the_front() -> None:
    trace = sledsim.demo_trace().rows(slice(0, 200))
    space = sledsim.format_space(trace, probes=[2048, 4096], sectors=[1], sector_bytes=[4096])
    (once,) = design_tables(space)
    doubled = dataclasses.replace(space, table=twice(space.table))
    (table,) = design_tables(doubled)
    counts = table.headings.index("formats")
    assert len(table.rows) == len(once.rows)
    assert [row[counts] for row in table.rows] == ["2"] * len(once.rows)


def twice(table: Any) -> Any:
    """Each row of a table twice."""
    import pyarrow

    return pyarrow.concat_tables([table, table])
