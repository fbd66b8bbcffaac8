"""Results as tables of other libraries: the same columns and rows, or advice to install the library."""

import sys
from pathlib import Path
from typing import Any

import pyarrow
import pytest

import sledsim
from sledsim.common.tabular import Tabular

from .shown import MAKERS

#: Every class with a table, and classes with tables of their own.
TABULAR = [kind for kind in MAKERS if issubclass(kind, Tabular)]


def test_classes_with_rows_have_a_table() -> None:
    """Classes with rows or tables convert to other libraries."""
    with_rows = {kind for kind in MAKERS if any(hasattr(kind, name) for name in ("rows", "table"))}
    assert with_rows <= {*TABULAR, sledsim.results.FittedWorkload}
    assert {sledsim.Run, sledsim.Trace, sledsim.results.Comparison, sledsim.results.Optimum} <= set(TABULAR)


@pytest.mark.dear("every kind of result is made", cases=("Holding", "Optimum", "Sensitivity"))
@pytest.mark.parametrize("kind", TABULAR, ids=lambda kind: kind.__name__)
def test_tables_are_the_same_everywhere(kind: type, tmp_path: Path) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    made: Any = MAKERS[kind]("plain", tmp_path)
    table = pyarrow.table(made)
    assert table.num_rows and table.column_names
    frame, other = made.to_pandas(), made.to_polars()
    assert isinstance(frame, pandas.DataFrame) and isinstance(other, polars.DataFrame)
    assert list(frame.columns) == other.columns == table.column_names
    assert len(frame) == other.height == table.num_rows
    assert polars.DataFrame(made).equals(other)
    first = next(name for name, kind in zip(table.column_names, table.schema.types, strict=True) if kind)
    assert other[first].to_list() == table[first].to_pylist()


def test_a_run_is_a_table_of_its_requests(run: sledsim.Run) -> None:
    assert pyarrow.table(run).equals(run.requests)


def test_a_run_without_columns_says_so(device: sledsim.Device, workload: sledsim.Trace) -> None:
    pytest.importorskip("pandas")
    run = sledsim.simulate(device, workload, columns="none")
    with pytest.raises(KeyError, match="no columns in memory"):
        run.to_pandas()


@pytest.mark.parametrize("name", ["pandas", "polars"])
def test_what_is_missing_is_named(name: str, run: sledsim.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ModuleNotFoundError, match=f"^to_{name} needs {name}: pip install {name}$"):
        getattr(run, f"to_{name}")()
