"""Lists of numbers as arguments of public functions: also arrays, and columns of tables."""

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas
import polars
import pytest

import sledsim
from sledsim.common.signatures import names_of

from ..public import public_names

TRACE = sledsim.random_workload("osdi00", rate_per_s=300, count=40)
RUN = sledsim.simulate("osdi00", TRACE)
CODE = sledsim.tips.tip_code(64, 2)
AXES: dict[str, Any] = {"probes": [1280], "sectors": [1], "sector_bytes": [512], "device": "emsoft08"}
#: A valid list for each argument, with a call that takes it and returns a value to compare.
CALLS: dict[str, tuple[list[float], Callable[[Any], object]]] = {
    "response_curves rates": (
        [100.0, 200.0],
        lambda rates: sledsim.response_curves("osdi00", "fcfs", rates, count=200, replications=2).rows(),
    ),
    "trace_curves scales": (
        [1.0, 2.0],
        lambda scales: sledsim.trace_curves("osdi00", TRACE, "fcfs", scales).rows(),
    ),
    "compare scales": ([1.0, 2.0], lambda scales: sledsim.compare("osdi00", TRACE, "fcfs", scales).rows()),
    "format_space probes": ([640, 1280], lambda probes: formats(probes=probes)),
    "format_space sectors": ([1, 2], lambda sectors: formats(sectors=sectors)),
    "format_space sector_bytes": ([512, 1024], lambda sizes: formats(sector_bytes=sizes)),
    "format_space file_bytes": ([512, 3000], lambda sizes: formats(file_bytes=sizes)),
    "sweep scales": ([1.0, 2.0], lambda scales: swept(scales=scales)),
    "TipCode.decode erased": (
        [1, 2],
        lambda tips: CODE.decode(CODE.encode(bytes(512)), tips).data,
    ),
    "Run.explain rows": ([3, 5], lambda rows: [one.row for one in RUN.explain(rows)]),
}
#: Valid lists within a mapping by keys, whose values may also be texts.
WITHIN: dict[str, tuple[list[float], Callable[[Any], object]]] = {
    "format_space parameters": (
        [0.1, 0.2],
        lambda values: formats(parameters={"acceleration_m_per_s2": [300, 400], "settle_ms": values}),
    ),
    "sweep over": ([0.1, 0.2], lambda values: swept(over={"settle_ms": values})),
}


def formats(**given: Any) -> list[dict[str, Any]]:
    return list(sledsim.format_space(TRACE, **{**AXES, **given}).table.to_pylist())


def swept(**given: Any) -> list[Any]:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        found = sledsim.sweep("random:rate=100", count=200, replications=2, folder=folder, **given)
        return [row["figures"] for row in found.rows()]


def stated() -> Iterator[str]:
    """Return the arguments of public functions and methods that are lists of numbers, or may be."""
    of_numbers = re.compile(r"\b(Sequence|Iterable|Collection|list|tuple)\[(int|float)(, \.\.\.)?\]")
    for name, one in public_names().items():
        methods = {name: one}
        if inspect.isclass(one):
            methods = {
                f"{name}.{key}": method
                for key, method in inspect.getmembers(one, inspect.isfunction)
                if not key.startswith("_")
            }
        for called, function in methods.items():
            if callable(function) and getattr(function, "__module__", "").startswith("sledsim"):
                for argument, of in names_of(function).items():
                    if of_numbers.search(str(of)):
                        yield f"{called} {argument}"


def test_every_list_of_numbers_is_tried() -> None:
    assert sorted(stated()) == sorted(CALLS)


@pytest.mark.dear("functions of every kind are called", every_change=True)
@pytest.mark.parametrize("name", {**CALLS, **WITHIN})
def test_arrays_and_columns_are_lists(name: str) -> None:
    given, call = {**CALLS, **WITHIN}[name]
    expected = call(given)
    for made in (tuple, np.array, pandas.Series, polars.Series):
        assert call(made(given)) == expected, made
