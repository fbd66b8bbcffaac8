"""Results whose rows other libraries of tables take, which nobody has to have."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .arrow import pyarrow

if TYPE_CHECKING:
    import pandas
    import polars


def joined(*groups: Mapping[str, Any]) -> dict[str, Any]:
    """Groups of figures as one row, in which no figure takes the place of another.

    Raises:
        ValueError: Two have a figure of the same name, which is a fault of sledsim.
    """
    row: dict[str, Any] = {}
    for group in groups:
        if both := row.keys() & group.keys():
            raise ValueError(f"two figures of a row are named {min(both)}")
        row.update(group)
    return row


class Tabular:
    """A result with a table: by `to_pandas`, `to_polars`, or as it is, for whatever takes Arrow tables.

    ``polars.DataFrame(result)``, ``pyarrow.table(result)`` and DuckDB read it without a copy (Arrow's
    PyCapsule interface).
    """

    def _arrow(self) -> "pyarrow.Table":
        """Give the table: that of the result as an attribute or by a method, or one of its rows."""
        own: Any = self
        if not hasattr(own, "table"):
            return pyarrow.Table.from_pylist(own.rows())
        return own.table() if callable(own.table) else own.table

    def to_pandas(self) -> "pandas.DataFrame":
        """The table as a DataFrame of pandas, units in the names of its columns.

        Raises:
            ModuleNotFoundError: pandas is not installed.
        """
        try:
            import pandas  # noqa: F401 - pyarrow would say less.
        except ModuleNotFoundError as error:
            raise _missing("pandas") from error
        return self._arrow().to_pandas()

    def to_polars(self) -> "polars.DataFrame":
        """The table as a DataFrame of Polars, units in the names of its columns.

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
