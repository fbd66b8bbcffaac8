"""The generated page of tables of results explains each column of a table."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from docs.site.reference import tables

import sledsim
from sledsim.runs.curves import half_width_key
from sledsim.runs.meanings import DESIGNS, FIGURES, POINTS, RUNS
from tests.conftest import Cli

TEXT = dict(tables.pages())["generated/tables.md"]
TRACE = sledsim.demo_trace().rows(slice(0, 100))
INTERVALS = {half_width_key(name) for name in (*FIGURES, "mean_response_over_first")}


def unexplained(columns: list[str], *, designs: bool = False) -> list[str]:
    """Return columns that the page lacks, half widths aside."""
    known = {**FIGURES, **POINTS, **(DESIGNS if designs else {})}
    found = [name for name in columns if name not in known and name not in INTERVALS]
    return found + [name for name in columns if name in known and f"| `{name}` | " not in TEXT]


def test_every_figure_of_a_run_is_explained() -> None:
    summary = sledsim.simulate(sledsim.device("osdi00"), TRACE).summary()
    assert summary and unexplained([*summary]) == []
    assert unexplained(["made_up_s"]) == ["made_up_s"]


def test_every_column_of_comparisons_is_explained() -> None:
    compared = sledsim.compare("osdi00", TRACE, ["fcfs", "sptf"], prices={"osdi00": 120})
    assert unexplained([*compared.rows()[0]]) == []


def test_every_column_of_curves_is_explained() -> None:
    curves = sledsim.response_curves(sledsim.device("osdi00"), ["fcfs"], [200], count=300, replications=2)
    assert unexplained([*curves.table().column_names, *curves.samples().column_names]) == []
    scaled = sledsim.trace_curves(sledsim.device("osdi00"), TRACE, ["fcfs"], [1, 2])
    assert unexplained([*scaled.table().column_names, *scaled.samples().column_names]) == []


def test_every_column_of_sweeps_is_explained(tmp_path: Path) -> None:
    swept = sledsim.sweep(
        "random:rate=300", folder=tmp_path, over={"settle_ms": [0.1, 0.2]}, count=300, replications=2
    )
    assert unexplained([*swept.table().column_names]) == ["settle_ms"], "what varies goes by its key"


def test_every_column_of_designs_is_explained() -> None:
    designed = sledsim.format_space(TRACE, probes=[1024], sectors=[4], sector_bytes=[1024])
    assert unexplained(designed.table.column_names, designs=True) == []
    found = sledsim.optimise(
        "random:rate=600,count=300",
        over={"settle_ms": [0.1, 0.4]},
        minimise="mean",
        budget=2,
        compared=1,
        held_out=0,
    )
    assert unexplained([*found.rows()[0]], designs=True) == ["settle_ms"]


def keys_of(found: Any, before: str = "") -> Iterator[str]:
    """Yield the keys of an object and of its members, by a path; other pages explain counters and phases."""
    for key, value in found.items():
        yield before + key
        inner = value[0] if isinstance(value, list) and value else value
        if isinstance(inner, dict) and key not in ("volumes", "faults", "erasing", "phases_s"):
            yield from keys_of(inner, f"{before}{key}.")


@pytest.mark.dear("a part of the site is built", every_change=True)
@pytest.mark.parametrize(
    "more", ["--fit", "--replay think", "--volume mcd --fit", "--device osdi00-erase --past-end wrap"]
)
def test_every_key_of_a_run_as_json_is_explained(cli: Cli, more: str) -> None:
    found = json.loads(cli("run", "demo", "--json", *more.split()).stdout)
    for key in keys_of(found):
        assert key in RUNS or key.rpartition(".")[2] in {**FIGURES, **POINTS}, key
    assert all(f"| `{key}` | " in TEXT for key in RUNS)
