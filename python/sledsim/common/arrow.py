"""The package pyarrow, imported at its first use, as the import takes long."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pyarrow
    import pyarrow.csv
    import pyarrow.parquet
else:

    class _Later:
        def __getattr__(self, name: str) -> Any:
            import pyarrow

            if name == "csv":
                import pyarrow.csv
            if name == "parquet":
                import pyarrow.parquet
            return getattr(pyarrow, name)

    pyarrow = _Later()
