"""Base class of results that can be converted to tables of pandas, Polars and Arrow."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .arrow import pyarrow

if TYPE_CHECKING:
    import pandas
    import polars


def joined(*groups: Mapping[str, Any]) -> dict[str, Any]:
    """Join dictionaries of figures to one row; two of them must not have a figure of the same name.

    Raises:
        ValueError: Two dictionaries have a figure of the same name, which is a bug of sledsim.
    """
    row: dict[str, Any] = {}
    for group in groups:
        if both := row.keys() & group.keys():
            raise ValueError(f"two figures of a row are named {min(both)}")
        row.update(group)
    return row


class Tabular:
    """Base class of results that other libraries can read as a table.

    ``polars.DataFrame(result)``, ``pyarrow.table(result)`` and DuckDB read the result without a copy (Arrow's
    PyCapsule interface).
    """

    def _arrow(self) -> "pyarrow.Table":
        """Return the result as a pyarrow Table: from its `table`, or from its method `rows`."""
        own: Any = self
        if not hasattr(own, "table"):
            return pyarrow.Table.from_pylist(own.rows())
        return own.table() if callable(own.table) else own.table

    def to_pandas(self) -> "pandas.DataFrame":
        """Return the table as a pandas DataFrame, with units in the names of its columns.

        Raises:
            ModuleNotFoundError: pandas is not installed.
        """
        try:
            import pandas  # noqa: F401 - the error of pyarrow would be less clear.
        except ModuleNotFoundError as error:
            raise _missing("pandas") from error
        return self._arrow().to_pandas()

    def to_polars(self) -> "polars.DataFrame":
        """Return the table as a Polars DataFrame, with units in the names of its columns.

        Raises:
            ModuleNotFoundError: Polars is not installed.
        """
        try:
            import polars
        except ModuleNotFoundError as error:
            raise _missing("polars") from error
        return polars.DataFrame(self._arrow())

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        return self._arrow().__arrow_c_stream__(requested_schema)


def _missing(name: str) -> ModuleNotFoundError:
    return ModuleNotFoundError(f"to_{name} needs {name}: pip install {name}", name=name)
